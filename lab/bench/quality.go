package main

import (
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/battery"
)

// readSets reads the evaluation sets: in the folder of -eval, or for the demo's text the demo's.
func (b *bench) readSets() (battery.Battery, error) {
	var sets battery.Battery
	switch {
	case b.eval != "":
		return battery.Read(b.eval, filepath.Base(b.eval))
	case b.text.demo:
		pairs, err := eval.ReadSet(strings.NewReader(demo.Similarities()), "demo pairs", eval.TaskSimilarity)
		if err != nil {
			return sets, err
		}
		questions, err := eval.ReadSet(strings.NewReader(demo.Analogies()), "demo analogies", eval.TaskAnalogy)
		if err != nil {
			return sets, err
		}
		sets = battery.Battery{Similarity: []eval.Set{pairs}, Analogy: []eval.Set{questions}}
	}
	return sets, nil
}
