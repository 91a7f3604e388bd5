package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

// exams are the sets that every model is evaluated on.
type exams struct {
	sets     []exam
	restrict int
	print    string // tells them from others
}

type exam struct {
	name      string
	kind      Kind
	pairs     eval.PairSet
	questions eval.QuestionSet
}

// readExams reads all sets, so that a bad one is known before anything is trained.
func readExams(c Config) (*exams, error) {
	x := &exams{restrict: c.Restrict}
	h := sha256.New()
	number(h, uint64(c.Restrict))
	for _, list := range []struct {
		kind  Kind
		paths []string
	}{{Similarity, c.Similarity}, {Analogy, c.Analogy}} {
		for _, path := range list.paths {
			text, err := readSet(path)
			if err != nil {
				return nil, err
			}
			e := exam{name: nameOf(path), kind: list.kind}
			if e.kind == Similarity {
				e.pairs, err = eval.ReadPairs(bytes.NewReader(text), path)
			} else {
				e.questions, err = eval.ReadQuestions(bytes.NewReader(text), path)
			}
			if err != nil {
				return nil, err // names the file
			}
			for _, other := range x.sets {
				if other.name == e.name {
					e.name = path
				}
			}
			x.sets = append(x.sets, e)
			fmt.Fprintf(h, "%s %s %d\n", e.kind, e.name, len(text))
			h.Write(text) // a hash takes everything
		}
	}
	x.print = short([sha256.Size]byte(h.Sum(nil)))
	return x, nil
}

func readSet(path string) ([]byte, error) {
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

// nameOf is the name of a set for reports: its file's, without folder and extensions.
func nameOf(path string) string {
	name, _ := compression.SplitExt(filepath.Base(path))
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// evaluate scores a model on every set.
func (x *exams) evaluate(ctx context.Context, s *vectors.Set) ([]Evaluation, error) {
	var all []Evaluation
	for _, e := range x.sets {
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
			r, err := eval.Analogy(ctx, s, e.questions, eval.AnalogyOptions{Restrict: x.restrict})
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
