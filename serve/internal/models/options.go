package models

import "github.com/w2v-go/w2v/vectors"

// Options say how models are opened.
type Options struct {
	Case vectors.Case // how words are looked up
	// Check looks whether a model that was just opened can be served, before it takes its place; nil if all can.
	Check func(*Model) error
	Note  func(text string) // is told what a person should know of a model; nil for nobody
}
