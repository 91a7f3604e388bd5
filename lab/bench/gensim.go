package main

import (
	_ "embed" // for the scripts

	"github.com/w2v-go/w2v/lab/trainers"
)

// gensimLoad loads a model and asks it one question.
//
//go:embed gensim_load.py
var gensimLoad string

// gensimQuery asks a loaded model many questions.
//
//go:embed gensim_query.py
var gensimQuery string

// gensimAlone is gensim, if it is here.
func (b *bench) gensimAlone() []trainers.Trainer {
	if b.gen == nil {
		return nil
	}
	return []trainers.Trainer{b.gen}
}
