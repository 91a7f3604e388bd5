package sgns_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
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
	nearest, err := model.Vectors.Nearest(ctx, vectors.Query{Vector: model.Vectors.Input().Row(cat), K: 1, Skip: []int{cat}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Progress.Tokens, "tokens; nearest to cat:", nearest[0][0].Word)
	// Output: 36000 tokens; nearest to cat: dog
}

// Vectors go on with a new text: words that they know start as what they were, and
// those that the text does not have stay.
func ExampleData_init() {
	ctx := context.Background()
	known, err := format.Read(strings.NewReader("cat 1 0.1\ndog 0.9 0.2\nstone -0.5 1\nsleeps 0.8 -0.6\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	before, err := vocab.New(known.Words().Strings(), known.Counts())
	if err != nil {
		fmt.Println(err)
		return
	}
	text := strings.Repeat("the cat sleeps\nthe hamster sleeps\n", 100)
	src := corpus.Stream("pets", strings.NewReader(text), corpus.Options{})
	words, ids, err := vocab.Index(ctx, src, vocab.Options{MinCount: 5, Known: before}, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ids.Close()

	config := sgns.Defaults()
	config.Dim = known.Dim()
	config.Sample = 0 // of so small a text every word is needed
	started := func(w sgns.Warm) { fmt.Println(w.Known, "of", w.Words, "words known") }
	data := sgns.Data{IDs: ids, Vocab: words, Init: known}
	model, err := sgns.Train(ctx, data, config, sgns.Hooks{Warm: started})
	if err != nil {
		fmt.Println(err)
		return
	}
	stone, _ := model.Vectors.ID("stone")
	fmt.Println(model.Vectors.Len(), "words; stone is", model.Vectors.Input().Row(stone))
	// Output:
	// 4 of 6 words known
	// 6 words; stone is [-0.5 1]
}
