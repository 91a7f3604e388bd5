package phrases_test

import (
	"context"
	"fmt"
	"log"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/phrases"
)

func Example() {
	var text [][]string
	for range 10 {
		text = append(text, []string{"new", "york", "is", "large"}, []string{"large", "is", "new"}, []string{"is", "york", "old"})
	}
	src := corpus.Sentences("text", text, corpus.Options{})
	table, err := phrases.Learn(context.Background(), src, phrases.Options{Threshold: 0.3})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range table.Phrases()[:1] {
		fmt.Printf("%s is seen %d times\n", p.Phrase, p.Count)
	}
	fmt.Println(table.Join([]string{"large", "york", "old"}))
	// Output:
	// york_old is seen 10 times
	// [large york_old]
}
