package main

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// An opener is withModel or withWholeModel.
type opener func(path string, use func(*vectors.Set) error) error

// withModel opens a model for as long as use takes.
func withModel(path string, use func(*vectors.Set) error) error {
	s, err := vectors.Open(path)
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
