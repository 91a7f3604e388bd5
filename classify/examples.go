package classify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/w2v-go/w2v/corpus"
)

// An Example is a text with its labels.
type Example struct {
	Text   string
	Labels []string
}

// A Corpus is labelled texts. Files and Examples make one. Its zero value has none.
type Corpus struct {
	names    []string
	stdin    io.Reader
	examples iter.Seq2[Example, error]
	heldOut  *Corpus // nil for none
}

// Files is the labelled texts of files, folders and globs, in the order given; "-" is stdin. Compressed files are
// recognised by their content.
func Files(stdin io.Reader, names ...string) Corpus { return Corpus{names: names, stdin: stdin} }

// Examples is the labelled texts of an iterator, which is called once. Its first error ends the reading.
func Examples(of iter.Seq2[Example, error]) Corpus { return Corpus{examples: of} }

// read yields the examples of the corpus. place names the last one in an error.
func (c Corpus) read(ctx context.Context, f corpus.Fields) (examples iter.Seq2[Example, error], place func(error) error) {
	if c.examples != nil {
		n := 0
		examples = func(yield func(Example, error) bool) {
			for e, err := range c.examples {
				if n++; !yield(e, err) {
					return
				}
			}
		}
		return examples, func(err error) error { return fmt.Errorf("classify: text %d: %w", n, err) }
	}
	var last *corpus.Row
	place = func(err error) error { return last.Error(err) }
	examples = func(yield func(Example, error) bool) {
		src, err := corpus.Files(c.names, c.stdin, corpus.Options{})
		if err != nil {
			yield(Example{}, err)
			return
		}
		rows := src.Rows(ctx, f)
		for row, err := range rows.All() {
			last = row
			switch {
			case err != nil:
				yield(Example{}, errors.Join(err, rows.Close()))
				return
			case row.Blank:
				continue
			case !yield(Example{string(row.Text), row.Labels}, nil):
				_ = rows.Close()
				return
			}
		}
	}
	return examples, place
}
