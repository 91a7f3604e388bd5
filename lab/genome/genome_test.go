package main

import (
	"io"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus/kmers"
)

// A genome is FASTA of as many letters as are asked for.
func TestGenome(t *testing.T) {
	var text strings.Builder
	if err := (genome{letters: 20_000, chromosomes: 4, elements: 3, share: 0.5, changed: 0.1, seed: 1}).write(&text); err != nil {
		t.Fatal(err)
	}
	r := kmers.NewReader("genome", strings.NewReader(text.String()), kmers.Options{K: 6})
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	if s := r.Stats(); s.Records != 4 || s.Letters != 20_000 || s.Kmers != 20_000-4*5 {
		t.Errorf("%+v", s)
	}
}
