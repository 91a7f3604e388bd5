package classify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/classify/internal/scorer"
)

// An Explanation says what speaks for a label of a text.
type Explanation struct {
	Label       string
	Probability float32
	// Score is the sum of all contributions: the product of the text's vector and the label's row. In a model
	// with a tree of labels it is the sum, over the nodes above the label, of the node's score for the label's
	// side.
	Score float64
	Parts []Part // the largest contributions first
}

// A Part is a word, an n-gram of characters or a run of words of a text, all its occurrences together.
type Part struct {
	Text  string
	Kind  PartKind
	Of    string  // the word that an n-gram is of; empty for others
	Score float64 // the contribution to the label's score
}

// A PartKind is what a Part is. Its value is its name in output.
type PartKind string

// The kinds of parts.
const (
	PartWord  PartKind = "word"
	PartNgram PartKind = "n-gram"
	PartRun   PartKind = "run"
)

func partOf(p scorer.Part) Part { return Part{p.Text, PartKind(p.Kind), p.Of, p.Score} }

// ErrUnknownLabel says that a model has no such label.
var ErrUnknownLabel = errors.New("the model has no such label")

// ErrUnknownText says that no word or n-gram of a text has a row.
var ErrUnknownText = errors.New("no word or n-gram of the text is known")

// Explain returns what speaks for a label of a text: how much each word, n-gram and run of words contributes to
// the label's score. An empty label is the most probable one.
func (m *Model) Explain(text, label string) (e *Explanation, err error) {
	p := m.predictors.Get().(*predictor)
	defer m.predictors.Put(p)
	err = m.set.Guard(func() error {
		p.Trace(true)
		defer p.Trace(false)
		p.Read([]byte(text), true)
		if err := p.Predict(0, 0); err != nil {
			return err
		}
		if p.N == 0 {
			return ErrUnknownText
		}
		p.Unknown = false
		all := p.name(nil)
		if label == "" && len(all) > 0 {
			label = all[0].Label
		}
		id := m.core.LabelID(label)
		if id < 0 {
			return fmt.Errorf("%w: %q", ErrUnknownLabel, label)
		}
		e = &Explanation{Label: label}
		for _, of := range all {
			if of.ID == id {
				e.Probability = of.Probability
			}
		}
		for _, part := range p.Contributions(m.core.Head().Direction(id)) {
			e.Parts = append(e.Parts, partOf(part))
		}
		for _, part := range e.Parts {
			e.Score += part.Score
		}
		return nil
	})
	return e, err
}

// ExplainLabel returns which words and n-grams of the model speak for a label in any text: the n words whose scores are above
// 0 and the largest, the n whose scores are the smallest, and as many n-grams. The score of a word or n-gram is that of a
// text of nothing else. Of n-grams that share a row, the first one counts, in the order of words. Runs of words have rows by
// their hashes, and so no names here.
func (m *Model) ExplainLabel(ctx context.Context, label string, n int) (e *Explanation, err error) {
	id := m.core.LabelID(label)
	if id < 0 {
		return nil, fmt.Errorf("%w: %q", ErrUnknownLabel, label)
	}
	err = m.set.Guard(func() error {
		all, err := m.core.PartsAlone(id)
		if err != nil {
			return err
		}
		words, ngrams, seen := newRanking(n), newRanking(n), 0
		for part, key := range all {
			if seen%1000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			seen++
			if part.Kind == scorer.Word {
				words.add(partOf(part), key)
			} else {
				ngrams.add(partOf(part), key)
			}
		}
		e = &Explanation{Label: label, Parts: append(words.parts(), ngrams.parts()...)}
		return nil
	})
	return e, err
}

// A ranking keeps the n parts with the largest scores above 0, and the n with the smallest below 0.
type ranking struct {
	n           int
	pro, contra []ranked
}

type ranked struct {
	Part
	row uint32 // parts with the same row are one
	by  float64
}

func newRanking(n int) *ranking { return &ranking{n: max(n, 0)} }

func (r *ranking) add(part Part, row uint32) {
	r.pro = r.into(r.pro, ranked{part, row, part.Score})
	r.contra = r.into(r.contra, ranked{part, row, -part.Score})
}

func (r *ranking) into(all []ranked, of ranked) []ranked {
	if !(of.by > 0) || r.n == 0 || len(all) == r.n && of.by <= all[r.n-1].by || slices.ContainsFunc(all, func(p ranked) bool { return p.row == of.row }) {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, of.by, func(p ranked, by float64) int {
		if p.by >= by {
			return -1
		}
		return 1
	})
	all = slices.Insert(all, at, of)
	return all[:min(len(all), r.n)]
}

func (r *ranking) parts() (all []Part) {
	slices.Reverse(r.contra)
	for _, of := range slices.Concat(r.pro, r.contra) {
		all = append(all, of.Part)
	}
	return all
}
