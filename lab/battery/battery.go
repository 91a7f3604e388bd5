// Package battery scores models on all evaluation sets of a language.
package battery

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// Restrict is how many of the most frequent words are answers to analogies.
const Restrict = 30_000

// A Battery is the evaluation sets of a language.
type Battery struct {
	Similarity []eval.Set
	Analogy    []eval.Set
}

// A Score is what a model is worth on a set.
type Score struct {
	Set   string     `json:"set"`
	Value eval.Score `json:"value"` // Spearman's correlation, or the part of answers that are right
	Used  int        `json:"used"`  // pairs or questions
}

// A file is a set in the folder of a language.
type file struct {
	name string // in tables
	path string
}

// similarityFiles and analogyFiles are the sets of a language.
func similarityFiles(language string) []file {
	switch language {
	case "en":
		return []file{
			{"WS353", "sim/ws353.tsv"}, {"SimLex-999", "sim/simlex999.tsv"}, {"RW", "sim/rw.tsv"},
			{"MTurk-287", "sim/mturk287.tsv"}, {"RG65", "sim/rg65.tsv"}, {"YP130", "sim/yp130.tsv"},
			{"Verb143", "sim/verb143.tsv"},
		}
	case "de":
		return []file{{"GUR350", "sim/gur350.tsv"}, {"ZG222", "sim/zg222.tsv"}, {"SimLex-de", "sim/simlex999.tsv"}}
	}
	return nil
}

func analogyFiles(language string) []file {
	switch language {
	case "en":
		return []file{{"questions-words", "analogy/questions-words.txt"}, {"MSR", "analogy/msr-questions.txt"}}
	case "de":
		return []file{{"questions-de", "analogy/questions-de.txt"}}
	}
	return nil
}

// Read reads the sets of a language in its folder. The languages are en and de. All sets must be
// there.
func Read(folder, language string) (Battery, error) {
	var b Battery
	for _, f := range similarityFiles(language) {
		set, err := ReadSet(filepath.Join(folder, f.path), eval.TaskSimilarity)
		if err != nil {
			return b, err
		}
		set.Name = f.name
		b.Similarity = append(b.Similarity, set)
	}
	for _, f := range analogyFiles(language) {
		set, err := ReadSet(filepath.Join(folder, f.path), eval.TaskAnalogy)
		if err != nil {
			return b, err
		}
		set.Name = f.name
		b.Analogy = append(b.Analogy, set)
	}
	if b.Names() == nil {
		return b, fmt.Errorf("there are no sets of the language %q, but of en and de", language)
	}
	return b, nil
}

// ReadSet reads an evaluation set.
func ReadSet(path string, task eval.Task) (_ eval.Set, err error) {
	file, err := os.Open(path)
	if err != nil {
		return eval.Set{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return eval.ReadSet(file, path, task)
}

// Names are those of the sets, in their order in scores.
func (b Battery) Names() []string {
	var names []string
	for _, s := range b.Similarity {
		names = append(names, s.Name)
	}
	for _, s := range b.Analogy {
		names = append(names, s.Name)
	}
	return names
}

// Score scores a model on all sets. Pairs with words that the model composes of n-grams count
// like others. A set of which the model knows too little has no value.
func (b Battery) Score(ctx context.Context, s *vectors.Set) ([]Score, error) {
	var scores []Score
	for _, set := range b.Similarity {
		r, err := eval.Evaluate(ctx, s, set, eval.Options{Resamples: -1})
		if err != nil {
			return nil, err
		}
		scores = append(scores, Score{set.Name, r.Summary.Score, r.Summary.Used})
	}
	for _, set := range b.Analogy {
		r, err := eval.Evaluate(ctx, s, set, eval.Options{Restrict: Restrict, Resamples: -1})
		if err != nil {
			return nil, err
		}
		scores = append(scores, Score{set.Name, r.Summary.Score, r.Summary.Used})
	}
	return scores, nil
}

// ScoreFile scores a model in a file of any format.
func (b Battery) ScoreFile(ctx context.Context, path string) (_ []Score, err error) {
	s, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return b.Score(ctx, s)
}

// Mean is the mean of the scores, NaN if one has no value or there are none.
func Mean(scores []Score) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += float64(s.Value)
	}
	return sum / float64(len(scores))
}
