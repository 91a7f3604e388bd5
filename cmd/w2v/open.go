package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

// opening is how a command opens a model.
type opening struct {
	rule    vectors.Case            // how the case of words is looked up
	post    *postFlags              // changes to the vectors; nil for none
	whole   bool                    // check the whole file
	leftOut bool                    // note vectors that are left out of answers
	empty   func(path string) error // error for a model without a list of words; nil if the command needs none
}

// open opens the model at path for as long as use takes, and notes what is unusual in it.
func (s streams) open(ctx context.Context, path string, o opening, use func(*finder) error) error {
	end := func() {}
	opened := query.Options{Case: o.rule, Check: o.whole}
	var said error // an error that needs no path
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
		return wrong // takes precedence over resulting errors
	}
	return err
}

// noteWords notes what is unusual about the words of the file at path.
func (s streams) noteWords(path string, set *vectors.Set) {
	for _, note := range set.Notes() {
		s.note(path + ": " + note)
	}
}

// ofModel puts the model's path before an error about its content, unless the error names the file.
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

// withSource is open for commands that walk through a model a few times: rows stay in the file, if its format
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
