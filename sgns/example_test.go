package sgns_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

func ExampleTrain() {
	ctx := context.Background()
	text := strings.Repeat("the cat sleeps\nthe dog sleeps\nthe fish swims\n", 100)
	src := corpus.Stream("pets", strings.NewReader(text), corpus.Options{})
	words, ids, err := vocab.Index(ctx, src, vocab.Options{MinCount: 5}, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ids.Close()

	config := sgns.Defaults()
	config.Dim = 10
	config.Sample = 0 // of so small a text every word is needed
	model, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: words}, config, sgns.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cat, _ := model.Vectors.ID("cat")
	nearest := model.Vectors.Nearest(model.Vectors.Input.Row(cat), 1, cat)
	fmt.Println(model.Progress.Tokens, "tokens; nearest to cat:", nearest[0].Word)
	// Output: 4500 tokens; nearest to cat: dog
}
