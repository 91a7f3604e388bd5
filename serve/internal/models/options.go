package models

import "github.com/w2v-go/w2v/vectors"

// Options say how models are opened.
type Options struct {
	Case vectors.Case      // how words are looked up
	Note func(text string) // is told what a person should know of a model; nil for nobody
}

// noteMemory says that a file has to be read into memory because it cannot be mapped.
func (o Options) noteMemory(Source) error { return nil }
