package corpus_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

// A line has the tokens that it has in a corpus.
func TestTokensOfALine(t *testing.T) {
	for _, c := range []struct {
		line    string
		options corpus.Options
		want    []string
	}{
		{"", corpus.Options{}, nil},
		{" \t\r\n", corpus.Options{}, nil},
		{"The cat\tsat, didn't it?", corpus.Options{}, []string{"The", "cat", "sat,", "didn't", "it?"}},
		{"The CAT ÄÖ", corpus.Options{Lowercase: true}, []string{"the", "cat", "äö"}},
		{"The cat sat, didn't it?", corpus.Options{Tokenizer: corpus.Unicode}, []string{"The", "cat", "sat", "didn't", "it"}},
		{"Café, STOP! \xff", corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true}, []string{"café", "stop", "\xff"}},
		{"İ" + strings.Repeat("Ⱥ", 300), corpus.Options{Lowercase: true}, []string{"i" + strings.Repeat("ⱥ", 300)}},
	} {
		if got, _, _ := c.options.Tokens(c.line); !slices.Equal(got, c.want) {
			t.Errorf("%v of %q: %q, want %q", c.options, c.line, got, c.want)
		}
	}
}

func ExampleOptions_Tokens() {
	o := corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true}
	tokens, _, _ := o.Tokens("The cat, the DOG!")
	fmt.Printf("%q", tokens)
	// Output: ["the" "cat" "the" "dog"]
}

// A byte order mark stays before a later line where files are joined, and is not a part of a token.
func TestMarksWithinText(t *testing.T) {
	const text = "\ufeffa \ufeffb\n\ufeffc\n\ufeff d\ufeff\n\ufeff\n"
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		if got, want := cutInto(t, r, corpus.Options{}), []string{"a|\ufeffb", "c", "d\ufeff", ""}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
