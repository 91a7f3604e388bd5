package index_test

import (
	"context"
	"fmt"
	"log"

	"github.com/w2v-go/w2v/vectors/index"
)

func Example() {
	ctx := context.Background()
	entries := index.NewEntries(2)
	entries.Add("north", []float32{0, 1})
	entries.Add("east", []float32{1, 0})
	entries.Add("south", []float32{0, -1})
	x, err := index.Build(ctx, entries, index.Options{})
	if err != nil {
		log.Fatal(err)
	}
	found, err := x.Search(ctx, index.Query{Vector: []float32{1, 3}, K: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found[0] {
		fmt.Printf("%s %.2f\n", f.Word, f.Similarity)
	}
	// Output:
	// north 0.95
	// east 0.32
}
