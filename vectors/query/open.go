package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// Options say how Open opens a model. The zero value works.
type Options struct {
	Case   vectors.Case             // how the case of words is looked up
	Check  bool                     // check the whole file first
	Opened func(*vectors.Set) error // called with the set of the file before it is processed; may be nil
	// Tokenizer names the tokenizer.json that cut the training text, for a file that does not hold it.
	Tokenizer string
	Process   *convert.Options // options of convert.Process, applied before queries; nil applies nothing
}

// A Model is an open file. The methods of its Finder answer questions. Close it after use.
type Model struct {
	*Finder
	File *vectors.Set    // the set of the file
	Made *convert.Result // the result of Options.Process; nil without it
}

// Open opens the model at path, in any format.
func Open(ctx context.Context, path string, o Options) (m *Model, err error) {
	set, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	m = &Model{File: set}
	if err := m.open(ctx, o); err != nil {
		_ = set.Close()
		if !errors.Is(err, vectors.ErrChanged) { // ErrChanged names the file already
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	return m, nil
}

func (m *Model) open(ctx context.Context, o Options) (err error) {
	if o.Check {
		if err := m.File.Check(); err != nil {
			return err
		}
	}
	if o.Opened != nil {
		if err := o.Opened(m.File); err != nil {
			return err
		}
	}
	asked, err := WithTokenizer(m.File, o.Tokenizer)
	if err != nil {
		return err
	}
	if o.Process != nil {
		if m.Made, err = convert.Process(ctx, asked, *o.Process); err != nil {
			return err
		}
		asked = m.Made.Set
	}
	m.Finder, err = New(asked, o.Case)
	return err
}

// Close closes the file. The error says that another program changed the file meanwhile, or that part of it
// could not be read: answers may then be wrong.
func (m *Model) Close() error {
	err := m.File.Guard(func() error { return nil })
	return errors.Join(err, m.File.Close())
}

// Nearest returns the k words that are nearest to a word or an expression, the nearest first, without the
// words of the text. The error is a *vectors.MissingWordError if a word has no vector, and a
// *vectors.ExpressionError if the text cannot be parsed.
func (f *Finder) Nearest(ctx context.Context, text string, k int) ([]vectors.Neighbor, error) {
	w, err := f.Find(make([]float32, f.set.Dim()), text)
	switch {
	case err != nil:
		return nil, err
	case w.Wrong != nil:
		return nil, w.Wrong
	case w.Missing():
		return nil, &vectors.MissingWordError{Word: w.Lacking}
	}
	near, err := f.set.Nearest(ctx, vectors.Query{Vector: w.Vector, K: k, Skip: w.IDs(f.set)})
	if err != nil {
		return nil, err
	}
	return near[0], nil
}
