package w2v_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A few lines of text become a model, and the model says which words are like each other.
func Example() {
	if err := trainAndAsk(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2400 tokens of 10 words
	// nearest to cat: [dog horse]
	// nearest to bread: [cheese soup]
}

func trainAndAsk() (err error) {
	ctx := context.Background()
	text := strings.Repeat(`the cat sleeps
the dog sleeps
the horse sleeps
we eat bread
we eat cheese
we eat soup
the dog sleeps
we eat soup
`, 100)

	// Text becomes tokens, and tokens become ids. A file would be read with corpus.Files.
	src := corpus.Stream("lines", strings.NewReader(text), corpus.Options{})
	words, ids, err := vocab.Index(ctx, src, vocab.Options{MinCount: 5}, "")
	if err != nil {
		return err
	}
	defer ids.Close()
	fmt.Println(ids.Tokens(), "tokens of", words.Len(), "words")

	// Ids become vectors. So small a text needs every token, and few dimensions.
	config := sgns.Defaults()
	config.Dim, config.Sample, config.Epochs, config.Threads = 16, 0, 20, 1
	model, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: words}, config, sgns.Hooks{})
	if err != nil {
		return err
	}

	// Vectors become a file, and a file becomes vectors again.
	dir, err := os.MkdirTemp("", "w2v-example")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.w2v")
	if err := vectors.Write(ctx, path, model.Vectors, vectors.FormatW2V); err != nil {
		return err
	}
	set, err := vectors.Open(path)
	if err != nil {
		return err
	}
	defer set.Close()

	// Any word may be asked for; the nearest are found by cosine.
	vector := make([]float32, set.Dim())
	for _, word := range []string{"cat", "bread"} {
		if !set.Vector(vector, word) {
			return fmt.Errorf("%s has no vector", word)
		}
		id, _ := set.ID(word)
		var near []string
		for _, n := range set.Nearest(vector, 2, id) {
			near = append(near, n.Word)
		}
		slices.Sort(near)
		fmt.Printf("nearest to %s: %v\n", word, near)
	}
	return nil
}
