package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/w2v-go/w2v/internal/demo"
)

// restrict is how many of the most frequent words are answers to analogies.
const restrict = 30_000

// An evalSet is a set of questions for a model.
type evalSet struct {
	name    string // in tables
	path    string
	analogy bool
}

type evalSets []evalSet

// findSets finds the evaluation sets: in the folder of -eval, or for the demo's
// text the demo's.
func (b *bench) findSets() (evalSets, error) {
	if b.eval == "" {
		if !b.text.demo {
			return nil, nil
		}
		sets := evalSets{{"demo pairs", b.path("pairs.tsv"), false}, {"demo analogies", b.path("analogies.txt"), true}}
		for i, content := range []string{demo.Similarities(), demo.Analogies()} {
			if err := os.WriteFile(sets[i].path, []byte(content), 0o666); err != nil {
				return nil, err
			}
		}
		return sets, nil
	}
	var sets evalSets
	for _, set := range []evalSet{
		{"WS353", "sim/ws353.tsv", false},
		{"SimLex-999", "sim/simlex999.tsv", false},
		{"RW", "sim/rw.tsv", false},
		{"GUR350", "sim/gur350.tsv", false}, // German
		{"ZG222", "sim/zg222.tsv", false},
		{"analogies", "analogy/questions-words.txt", true},
	} {
		set.path = filepath.Join(b.eval, set.path)
		if _, err := os.Stat(set.path); err == nil {
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%s has no sets: -eval wants a folder with sim/ws353.tsv and others", b.eval)
	}
	return sets, nil
}

// A score is a model's on a set.
type score struct {
	set   string
	value *float64 // Spearman's correlation, or the part of answers that are right; nil if there is none
	used  int      // pairs or questions
}

// score asks w2v eval, whichever program made the model.
func (b *bench) score(ctx context.Context, model string) ([]score, error) {
	var scores []score
	for _, set := range b.sets {
		args := []string{"eval", "similarity", "--json", model, set.path}
		if set.analogy {
			args = []string{"eval", "analogy", "--json", "--restrict", strconv.Itoa(restrict), model, set.path}
		}
		c, err := b.run(ctx, order{name: b.ours.path, args: args})
		if err != nil {
			return nil, err
		}
		var r struct {
			Used     int      `json:"used"`
			Spearman *float64 `json:"spearman"`
			Accuracy *float64 `json:"accuracy"`
		}
		if err := json.NewDecoder(bytes.NewReader(c.stdout)).Decode(&r); err != nil {
			return nil, fmt.Errorf("w2v eval: %w", err)
		}
		value := r.Spearman
		if set.analogy {
			value = r.Accuracy
		}
		scores = append(scores, score{set.name, value, r.Used})
	}
	return scores, nil
}
