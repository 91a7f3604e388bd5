package sweep_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
)

// Two numbers of dimensions are tried on sentences in memory, and compared by pairs of words.
func Example() {
	folder, err := os.MkdirTemp("", "sweep")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	var sentences [][]string
	for range 200 {
		sentences = append(sentences,
			strings.Fields("the cat drinks milk and the dog eats meat"),
			strings.Fields("the car needs fuel and the truck needs oil"))
	}
	base := train.Defaults()
	base.Model.Threads, base.Model.Sample = 1, 0
	report, err := sweep.Run(context.Background(), sweep.Config{
		Corpus:   train.Sentences(sentences),
		Base:     base,
		Variants: []sweep.Variant{{Axes: []sweep.Axis{sweep.Values("dim", 4, 16)}}},
		Sets:     []sweep.Set{{Kind: eval.TaskSimilarity, Name: "things", Text: []byte("cat dog 9\ncar truck 8\ncat truck 1\nmilk oil 2\n")}},
		Output:   folder,
	}, sweep.Hooks{})
	if err != nil {
		log.Fatal(err)
	}
	for _, point := range report.Points {
		for _, result := range point.Results {
			fmt.Printf("%d %s: %d dimensions, %d parameters, %d pairs used\n",
				point.Number, point.Baseline, result.Dim, result.Parameters, result.Evaluations[0].Used)
		}
	}
	// Output:
	// 0 random vectors: 4 dimensions, 52 parameters, 4 pairs used
	// 0 dim 8: 8 dimensions, 104 parameters, 4 pairs used
	// 1 : 4 dimensions, 52 parameters, 4 pairs used
	// 2 : 16 dimensions, 208 parameters, 4 pairs used
}

// The configuration of a sweep may be a text: docs/sweep.md describes it.
func ExampleParse() {
	config, err := sweep.Parse("dims.toml", []byte(`
corpus = ["wiki.txt.gz"]
similarity = ["ws353.tsv"]
output = "wiki-sweep"

[settings]
epochs = 3
dim = [25, 50, 100]

[[variants]]
name = "words"

[[variants]]
name = "n-grams"
subwords = "fasttext"
dim = 100
`), os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	points, err := config.Points()
	if err != nil {
		log.Fatal(err)
	}
	for _, point := range points {
		fmt.Println(point.Number, point.Variant, point.Baseline, "|", point.Settings)
	}
	// Output:
	// 0  random vectors | dim 25
	// 0 words dim 8 | epochs 3, dim 8
	// 1 words  | epochs 3, dim 25
	// 2 words  | epochs 3, dim 50
	// 3 words  | epochs 3, dim 100
	// 4 n-grams  | epochs 3, subwords fasttext, dim 100
}
