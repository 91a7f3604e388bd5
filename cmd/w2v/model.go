package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// An opener is withModel or withWholeModel.
type opener func(path string, use func(*vectors.Set) error) error

// withModel opens a model for as long as use takes, and notes what is unusual in it.
func (s streams) withModel(path string, use func(*vectors.Set) error) error {
	set, err := format.Open(path)
	if err != nil {
		return err
	}
	s.noteWords(path, set)
	err = set.Guard(func() error { return use(set) })
	return errors.Join(err, set.Close())
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

// withAnswers is withWholeModel for commands that answer with words of the model.
func (s streams) withAnswers(path string, use func(*vectors.Set) error) error {
	return s.withWholeModel(path, func(set *vectors.Set) error {
		if set.Len() == 0 {
			return errNoAnswers(path)
		}
		return use(set)
	})
}

// withWholeModel is withModel for what looks at every vector: nothing in the file
// is left unchecked.
func (s streams) withWholeModel(path string, use func(*vectors.Set) error) error {
	return s.withModel(path, func(set *vectors.Set) error {
		if err := set.Check(); err != nil {
			return ofModel(path, err)
		}
		return use(set)
	})
}

// withSource is withWholeModel for what walks through a model a few times: rows stay in the file, as far as its format
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
