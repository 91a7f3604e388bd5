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

// A place is where the last example that was read is.
type place struct {
	row  *corpus.Row // nil for one of an iterator
	text uint64      // its number there, from 1
}

// Error returns an error that names the place.
func (p *place) Error(err error) error {
	if p.row == nil {
		return fmt.Errorf("classify: text %d: %w", p.text, err)
	}
	return p.row.Error(err)
}

// at returns the name of the file and the line; of an iterator, no name and the number of the text.
func (p *place) at() (file string, line uint64) {
	if p.row == nil {
		return "", p.text
	}
	return p.row.Input(), p.row.Line
}

// read yields the examples of the corpus. at is the place of the last one.
func (c Corpus) read(ctx context.Context, f corpus.Fields) (examples iter.Seq2[Example, error], at *place) {
	at = new(place)
	if c.examples != nil {
		examples = func(yield func(Example, error) bool) {
			for e, err := range c.examples {
				if at.text++; !yield(e, err) {
					return
				}
			}
		}
		return examples, at
	}
	examples = func(yield func(Example, error) bool) {
		src, err := corpus.FilesContext(ctx, c.names, c.stdin, corpus.Options{})
		if err != nil {
			yield(Example{}, err)
			return
		}
		rows := src.Rows(ctx, f)
		for row, err := range rows.All() {
			at.row = row
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
	return examples, at
}
