package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

// An opening says how a command opens a model.
type opening struct {
	rule    vectors.Case            // how the case of words is looked up
	post    *postFlags              // what is made of the vectors; nil for nothing
	whole   bool                    // nothing in the file is left unchecked
	leftOut bool                    // vectors that have no part in answers are noted
	empty   func(path string) error // what is said of a model without a list of words; nil if it needs none
}

// open opens the model at path for as long as use takes, and notes what is unusual in it.
func (s streams) open(ctx context.Context, path string, o opening, use func(*finder) error) error {
	end := func() {}
	opened := query.Options{Case: o.rule, Check: o.whole}
	var said error // what needs no path before it
	opened.Opened = func(set *vectors.Set) error {
		s.noteWords(path, set)
		if o.empty != nil && set.Len() == 0 {
			said = o.empty(path)
		} else if o.leftOut {
			said = noteLeftOut(s.err, path, set, o.post.settings().Vectors == "")
		}
		return said
	}
	if o.post != nil && o.post.settings() != (postSettings{}) {
		process := o.post.options
		if o.post.slow() {
			process.Computation, end = computation(s, false)
		}
		opened.Process = &process
	}
	m, err := query.Open(ctx, path, opened)
	end()
	if said != nil {
		return said
	}
	if err != nil {
		return err
	}
	if m.Made != nil {
		o.post.notes(s, m)
	}
	words := newFinder(m.Finder)
	err = use(words)
	words.report(s.err)
	if wrong := m.Close(); wrong != nil && !errors.Is(err, context.Canceled) {
		return wrong // whatever it led to
	}
	return err
}

// noteWords notes what is unusual about the words of the file at path.
func (s streams) noteWords(path string, set *vectors.Set) {
	for _, note := range set.Notes() {
		s.note(path + ": " + note)
	}
}

// ofModel puts the path of a model before an error of what is in it, unless the error names
// the file.
func ofModel(path string, err error) error {
	if errors.Is(err, vectors.ErrChanged) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// errNoAnswers says that a model has nothing to answer with.
func errNoAnswers(path string) error {
	return fmt.Errorf("%s: the model has no list of words to answer with, only n-grams that compose the words one asks for", path)
}

// withSource is open for what walks through a model a few times: rows stay in the file, as far as its format
// allows. The model may be standard input.
func (s streams) withSource(ctx context.Context, path string, use func(*vectors.Set) error) error {
	_, _, files, _ := s.files(ctx, path, skipFlag{})
	if path == "-" {
		set, err := format.Read(s.in)
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		s.noteWords("standard input", set)
		return use(set)
	}
	set, err := format.OpenStream(path, files.Whole)
	if err != nil {
		return err
	}
	err = set.Guard(func() error {
		if err := set.Check(); err != nil {
			return fmt.Errorf("%s: not a valid model: %w", path, err)
		}
		s.noteWords(path, set)
		return use(set)
	})
	return errors.Join(err, set.Close())
}
