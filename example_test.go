package w2v_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A few sentences become a model in a file, and the model says which words are alike.
func Example() {
	if err := trainAndAsk(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2400 tokens of 10 words
	// nearest to cat: [dog horse]
	// nearest to bread: [cheese soup]
}

func trainAndAsk() error {
	var sentences [][]string
	for range 100 {
		for _, s := range []string{
			"the cat sleeps", "the dog sleeps", "the horse sleeps", "we eat bread",
			"we eat cheese", "we eat soup", "the dog sleeps", "we eat soup",
		} {
			sentences = append(sentences, strings.Fields(s))
		}
	}
	dir, err := os.MkdirTemp("", "w2v-example")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.w2v")

	// So small a text needs every token, and few dimensions. train.Files reads files instead.
	settings := train.Defaults()
	settings.Model.Dim, settings.Model.Sample, settings.Model.Epochs, settings.Model.Threads = 16, 0, 20, 1
	options := train.Options{Settings: settings, Output: path}
	result, err := train.Run(context.Background(), train.Sentences(sentences), options, train.Hooks{})
	if err != nil {
		return err
	}
	fmt.Println(result.Tokens, "tokens of", result.Words, "words")

	// result.Vectors are the model. A file of any format is opened like this.
	set, err := format.Open(path)
	if err != nil {
		return err
	}
	defer set.Close()

	vector := make([]float32, set.Dim())
	for _, word := range []string{"cat", "bread"} {
		if !set.Vector(vector, word) {
			return fmt.Errorf("%s has no vector", word)
		}
		id, _ := set.ID(word) // -1 if it is not in the vocabulary
		var near []string
		nearest, err := set.Nearest(context.Background(), vectors.Query{Vector: vector, K: 2, Skip: []int{id}})
		if err != nil {
			return err
		}
		for _, n := range nearest[0] {
			near = append(near, n.Word)
		}
		slices.Sort(near)
		fmt.Printf("nearest to %s: %v\n", word, near)
	}
	return nil
}
