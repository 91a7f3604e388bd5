package models

import "github.com/w2v-go/w2v/vectors"

// Options say how models are opened.
type Options struct {
	Case vectors.Case      // how words are looked up
	Note func(text string) // is told what a person should know of a model; nil for nobody
}
