package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/trainers"
)

// demoSentences is how much of the demo's text is the default corpus: enough for
// figures that repeat, little enough for minutes.
const demoSentences = 40_000

// A text is the corpus, as a plain file that every program can read.
type text struct {
	trainers.Text
	name string
	demo bool
}

// prepareText writes the corpus to a plain file.
func (b *bench) prepareText() (text, error) {
	t := text{trainers.Text{Path: b.path("corpus.txt")}, "the demo's text", true}
	var in io.Reader = demo.Corpus(demoSentences, demo.DefaultSeed)
	if b.corpus != "" {
		t.name, t.demo = filepath.Base(b.corpus), false
		file, err := os.Open(b.corpus)
		if err != nil {
			return t, err
		}
		defer file.Close()
		plain, _, err := compression.NewReader(file)
		if err != nil {
			return t, fmt.Errorf("%s: %w", b.corpus, err)
		}
		defer plain.Close()
		in = plain
	}
	out, err := os.Create(t.Path)
	if err != nil {
		return t, err
	}
	var n trainers.Counter
	_, err = io.Copy(io.MultiWriter(out, &n), in)
	if err := errors.Join(err, out.Close()); err != nil {
		return t, fmt.Errorf("%s: %w", t.name, err)
	}
	t.Tokens, t.Lines = n.Tokens, n.Lines
	if t.Tokens == 0 {
		return t, fmt.Errorf("%s has no tokens", t.name)
	}
	return t, nil
}
