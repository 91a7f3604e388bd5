package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
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
		p.trace = &trace{}
		defer func() { p.trace = nil }()
		p.read([]byte(text), true)
		if err := p.predict(infinite, 0); err != nil {
			return err
		}
		if p.n == 0 {
			return ErrUnknownText
		}
		p.unknown = false
		all := p.name(nil)
		if label == "" && len(all) > 0 {
			label = all[0].Label
		}
		id := m.labelID(label)
		if id < 0 {
			return fmt.Errorf("%w: %q", ErrUnknownLabel, label)
		}
		e = &Explanation{Label: label}
		for _, of := range all {
			if of.ID == id {
				e.Probability = of.Probability
			}
		}
		e.Parts = p.contributions(m.score.direction(id))
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
	id := m.labelID(label)
	if id < 0 {
		return nil, fmt.Errorf("%w: %q", ErrUnknownLabel, label)
	}
	err = m.set.Guard(func() error {
		direction := m.score.direction(id)
		if len(direction) != m.input.Cols {
			return errors.New("the vectors of texts are no means of rows alone, so that words have no scores without a text")
		}
		scratch := make([]float32, m.input.Cols)
		score := func(row uint32) (sum float64) {
			if row == zeros {
				return 0
			}
			for k, x := range m.input.View(scratch, int(row)) {
				sum += float64(x) * direction[k]
			}
			return sum
		}
		words, ngrams := newRanking(n), newRanking(n)
		var rows []uint32
		for i, word := range m.set.Words().All() {
			if i%1000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			sum, own := 0.0, 0
			if rows = rows[:0]; m.own {
				sum, own = score(uint32(m.set.OwnRow(i))), 1
			}
			if m.subs != nil {
				rows = m.ngrams(rows, word)
				for k, ngram := range m.subs.Ngrams(word) {
					of := score(rows[k])
					ngrams.add(Part{Text: ngram, Kind: PartNgram, Score: of}, rows[k])
					sum += of
				}
			}
			if of := own + len(rows); of > 0 {
				words.add(Part{Text: word, Kind: PartWord, Score: sum / float64(of)}, uint32(i))
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

// A trace remembers what each row of a text is for.
type trace struct {
	parts []Part   // without scores
	rows  []traced // that are added
	words []string // that runs are made of
}

type traced struct {
	part int
	row  uint32
	of   *vectors.Matrix
}

// add remembers rows of the input, which zeros are none of.
func (t *trace) add(part Part, of *vectors.Matrix, rows ...uint32) {
	t.parts = append(t.parts, part)
	for _, r := range rows {
		if r != zeros {
			t.rows = append(t.rows, traced{len(t.parts) - 1, r, of})
		}
	}
}

// contributions returns the parts of the text with what their rows add to the product of its vector and direction.
func (p *predictor) contributions(direction []float64) []Part {
	scores := make([]float64, len(p.trace.parts))
	for _, r := range p.trace.rows {
		for k, x := range r.of.View(p.scratch, int(r.row)) {
			scores[r.part] += float64(x) * direction[k] / float64(p.n)
		}
	}
	if p.extremes != nil {
		p.traceExtremes(scores, direction)
	}
	type key struct {
		text, of string
		kind     PartKind
	}
	at := map[key]int{}
	var all []Part
	for i, part := range p.trace.parts {
		k := key{part.Text, part.Of, part.Kind}
		if _, ok := at[k]; !ok {
			at[k] = len(all)
			all = append(all, part)
		}
		all[at[k]].Score += scores[i]
	}
	slices.SortStableFunc(all, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Text, b.Text))
	})
	return all
}

func (f flat) direction(label int) []float64 { return f.row(label, 1) }

// row returns row r, times by.
func (o *output) row(r int, by float64) []float64 {
	row := make([]float64, o.cols)
	if o.factors != nil {
		by *= float64(o.factors[r])
	}
	for k := range row {
		row[k] = by * float64(o.blocks[(r/lanes*o.cols+k)*lanes+r%lanes])
	}
	return row
}

func (t *tree) direction(label int) []float64 {
	sum := make([]float64, t.cols)
	t.path(label, func(node int, right bool) {
		side := -1.0
		if right {
			side = 1
		}
		for k, x := range t.row(node, side) {
			sum[k] += x
		}
	})
	return sum
}

// path calls each with the nodes above a label, and on which side of them it is.
func (t *tree) path(label int, each func(node int, right bool)) {
	for at, up := int32(label), t.nodes[label].parent; up >= 0; at, up = up, t.nodes[up].parent {
		each(int(up)-t.labels, t.nodes[up].right == at)
	}
}
