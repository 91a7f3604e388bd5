package w2v_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/query"
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
	ctx := context.Background()
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
	result, err := train.Run(ctx, train.Sentences(sentences), options, train.Hooks{})
	if err != nil {
		return err
	}
	fmt.Println(result.Tokens, "tokens of", result.Words, "words")

	// result.Vectors is the model in memory. A file of any format is opened like this.
	model, err := query.Open(ctx, path, query.Options{})
	if err != nil {
		return err
	}
	defer model.Close()

	for _, word := range []string{"cat", "bread"} { // or an expression, such as "king - man + woman"
		nearest, err := model.Nearest(ctx, word, 2)
		if err != nil {
			return err
		}
		var near []string
		for _, n := range nearest {
			near = append(near, n.Word)
		}
		slices.Sort(near)
		fmt.Printf("nearest to %s: %v\n", word, near)
	}
	return nil
}
