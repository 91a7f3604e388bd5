package corpus_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/corpus"
)

// A program reads a corpus sentence by sentence.
func Example() {
	text := strings.NewReader("The cat sat.\nThe dog, too, barked!\n")
	source := corpus.Stream("two sentences", text, corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true})
	sentences, err := sentencesOf(source)
	if err != nil {
		fmt.Println(err)
	}
	for _, sentence := range sentences {
		fmt.Printf("%q\n", sentence)
	}
	// Output:
	// ["the" "cat" "sat"]
	// ["the" "dog" "too" "barked"]
}

// sentencesOf returns the sentences of a corpus.
func sentencesOf(source *corpus.Source) (sentences [][]string, err error) {
	shards, err := source.Shards(1) // with n workers, up to n parts of each large file
	if err != nil {
		return nil, err
	}
	for _, shard := range shards {
		r, err := shard.Open(context.Background())
		if err != nil {
			return nil, err
		}
		var sentence []string
		for {
			token, err := r.Next()
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, errors.Join(err, r.Close())
			}
			if len(token) > 0 {
				sentence = append(sentence, string(token))
				continue
			}
			if len(sentence) > 0 { // an empty token, or io.EOF, ends a sentence
				sentences, sentence = append(sentences, sentence), nil
			}
			if err != nil {
				break
			}
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return sentences, nil
}

// Sentences that are already in memory are a corpus, too.
func ExampleSentences() {
	source := corpus.Sentences("sessions", [][]string{{"shoes", "socks"}, {"socks", "shoe laces"}}, corpus.Options{})
	sentences, err := sentencesOf(source)
	fmt.Printf("%q %v\n", sentences, err)
	// Output:
	// [["shoes" "socks"] ["socks" "shoe laces"]] <nil>
}

// The text is in a field of JSON lines. An array is a sentence of tokens, which may have spaces.
func ExampleOptions_jsonField() {
	lines := `{"id": 1, "page": {"text": "The cat sleeps"}}
{"id": 2, "page": {"text": ["New York", "never", "sleeps"]}}`
	src := corpus.Stream("pages", strings.NewReader(lines), corpus.Options{JSONField: "page.text", Lowercase: true})
	shards, err := src.Shards(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := shards[0].Open(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		token, err := r.Next()
		if err != nil {
			break
		}
		fmt.Printf("%q ", token)
	}
	// Output: "the" "cat" "sleeps" "" "new york" "never" "sleeps" ""
}
