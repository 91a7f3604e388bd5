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
	err = use(s)
	if err == nil {
		err = s.Err() // rows that could not be read counted as zeros
	}
	return errors.Join(err, s.Close())
}

// withWholeModel is withModel for what looks at every vector: nothing in the file
// is left unchecked.
func withWholeModel(path string, use func(*vectors.Set) error) error {
	return withModel(path, func(s *vectors.Set) error {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return use(s)
	})
}
