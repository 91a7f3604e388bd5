package main

import (
	"os"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// hashModel returns the checksums of the files of a model, in the background: its result waits for
// them. A model that is no file, as a pipe, has none, because it cannot be read twice.
func hashModel(path string, set *vectors.Set) func() (eval.Source, error) {
	type hashed struct {
		source eval.Source
		err    error
	}
	done := make(chan hashed, 1)
	go func() {
		var h hashed
		if files := modelFiles(path, set); len(files) > 0 {
			h.source, h.err = eval.Hash(files...)
		}
		done <- h
	}()
	return func() (eval.Source, error) {
		h := <-done
		return h.source, h.err
	}
}

// modelFiles returns the files that a model was read from.
func modelFiles(path string, set *vectors.Set) []string {
	candidates, err := format.TargetFiles(path, format.Format(set.Format()))
	if err != nil || len(candidates) == 0 {
		candidates = []string{path} // of a format that is only read
	}
	var files []string
	for _, file := range candidates {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	return files
}
