package main

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// An opener is withModel or withWholeModel.
type opener func(path string, use func(*vectors.Set) error) error

// withModel opens a model for as long as use takes.
func withModel(path string, use func(*vectors.Set) error) error {
	s, err := format.Open(path)
	if err != nil {
		return err
	}
	err = s.Guard(func() error { return use(s) })
	return errors.Join(err, s.Close())
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
func withAnswers(path string, use func(*vectors.Set) error) error {
	return withWholeModel(path, func(s *vectors.Set) error {
		if s.Len() == 0 {
			return errNoAnswers(path)
		}
		return use(s)
	})
}

// withWholeModel is withModel for what looks at every vector: nothing in the file
// is left unchecked.
func withWholeModel(path string, use func(*vectors.Set) error) error {
	return withModel(path, func(s *vectors.Set) error {
		if err := s.Check(); err != nil {
			return ofModel(path, err)
		}
		return use(s)
	})
}
