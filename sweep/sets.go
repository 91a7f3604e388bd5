package sweep

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

// A Set is pairs or questions that models are evaluated by: those in a file, or in a text.
type Set struct {
	Kind Kind
	Path string // of a file, which may be compressed
	Text []byte // of a set that is not in a file
	Name string // in reports; empty for that of the file, without folder and extensions
}

// sets are those that every model is evaluated by.
type sets struct {
	all         []readSet
	restrict    int
	fingerprint string // tells them from others
}

// A readSet is a set that has been read.
type readSet struct {
	name      string
	kind      Kind
	pairs     eval.PairSet
	questions eval.QuestionSet
}

// readSets reads all sets, so that a bad one is known before anything is trained.
func readSets(c *Config) (*sets, error) {
	all := &sets{restrict: c.Restrict}
	h := sha256.New()
	number(h, uint64(c.Restrict))
	for _, set := range c.Sets {
		text, err := set.text()
		if err != nil {
			return nil, err
		}
		from := cmp.Or(set.Path, set.Name)
		s := readSet{name: cmp.Or(set.Name, eval.SetName(set.Path)), kind: set.Kind}
		switch s.kind {
		case Similarity:
			s.pairs, err = eval.ReadPairs(bytes.NewReader(text), from)
		case Analogy:
			s.questions, err = eval.ReadQuestions(bytes.NewReader(text), from)
		default:
			err = fmt.Errorf("%s: a set is of kind %q or %q, not %q", from, Similarity, Analogy, s.kind)
		}
		if err != nil {
			return nil, err // names the file
		}
		for _, other := range all.all {
			if other.name == s.name {
				s.name = from
			}
		}
		all.all = append(all.all, s)
		fmt.Fprintf(h, "%s %s %d\n", s.kind, s.name, len(text))
		h.Write(text) // a hash takes everything
	}
	all.fingerprint = short([sha256.Size]byte(h.Sum(nil)))
	return all, nil
}

// text returns what is in the set, not compressed.
func (s Set) text() ([]byte, error) {
	if s.Path == "" {
		return s.Text, nil
	}
	return readText(s.Path)
}

func readText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, named(path, err)
	}
	plain, _, err := compression.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, named(path, err)
	}
	defer plain.Close()
	if text, err = io.ReadAll(plain); err != nil {
		return nil, named(path, err)
	}
	return text, nil
}

// evaluate scores a model on every set.
func (x *sets) evaluate(ctx context.Context, s *vectors.Set) ([]Evaluation, error) {
	var all []Evaluation
	for _, e := range x.all {
		of := Evaluation{Set: e.name, Kind: e.kind}
		if e.kind == Similarity {
			r, err := eval.Similarity(s, e.pairs, eval.SimilarityOptions{})
			if err != nil {
				return nil, err
			}
			of.Score, of.CI95, of.Questions, of.Used = r.Spearman, r.CI95, r.Pairs, r.Used
			if v := r.InVocabulary; v != nil {
				of.InVocabulary = &InVocabulary{v.Spearman, v.Used}
			}
		} else {
			r, err := eval.Analogy(ctx, s, e.questions, eval.AnalogyOptions{Rules: eval.Rules{Restrict: x.restrict}})
			if err != nil {
				return nil, err
			}
			of.Score, of.CI95, of.Questions, of.Used = r.Accuracy, r.CI95, r.Questions, r.Used
			if v := r.InVocabulary; v != nil {
				of.InVocabulary = &InVocabulary{v.Accuracy, v.Used}
			}
		}
		all = append(all, of)
	}
	return all, nil
}
