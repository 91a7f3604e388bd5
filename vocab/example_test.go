package vocab_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// Index reads a text once. It returns the vocabulary, and the text as ids.
func Example() {
	text := strings.NewReader("the cat sees the dog\nthe dog sees the bird\n")
	source := corpus.Stream("two sentences", text, corpus.Options{})
	v, ids, err := vocab.Index(context.Background(), source, vocab.Options{MinCount: 2}, os.TempDir())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ids.Close()
	for id := range v.Len() {
		fmt.Println(id, v.Token(id), v.Count(id))
	}
	for i := range ids.Chunks() {
		for _, piece := range ids.Chunk(i) {
			for _, id := range piece {
				fmt.Print(v.Token(int(id &^ vocab.EndOfSentence)))
				if id&vocab.EndOfSentence == 0 {
					fmt.Print(" ")
				} else {
					fmt.Println(".")
				}
			}
		}
	}
	// Output:
	// 0 the 4
	// 1 dog 2
	// 2 sees 2
	// the sees the dog.
	// the dog sees the.
}

// A vocabulary is written as lines of tokens and counts.
func ExampleRead() {
	v, err := vocab.Read(strings.NewReader("dog 5\nthe 10\nbird 1\n"), vocab.Options{MinCount: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := v.WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the 10
	// dog 5
}
