package scorer

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// A Part is a word, an n-gram of characters or a run of words of a text.
type Part struct {
	Text  string
	Kind  Kind
	Of    string  // the word that an n-gram is of; empty for others
	Score float64 // what it adds to the score of a label
}

// A Kind is what a Part is. Its value is its name in output.
type Kind string

// The kinds of parts.
const (
	Word  Kind = "word"
	Ngram Kind = "n-gram"
	Run   Kind = "run"
)

// Trace makes Read remember, or not, what the rows of a text are for, as Contributions needs it.
func (p *Predictor) Trace(on bool) {
	if p.trace = nil; on {
		p.trace = &trace{}
	}
}

// PartsAlone returns the words and n-grams of the model with the scores that texts of nothing else have for a label. Behind a
// word is its id, behind an n-gram its row, which others may share.
func (m *Model) PartsAlone(label int) (iter.Seq2[Part, uint32], error) {
	direction := m.score.Direction(label)
	if len(direction) != m.input.Cols {
		return nil, errors.New("the vectors of texts are no means of rows alone, so that words have no scores without a text")
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
	return func(yield func(Part, uint32) bool) {
		var rows []uint32
		for i, word := range m.set.Words().All() {
			sum, own := 0.0, 0
			if rows = rows[:0]; m.own {
				sum, own = score(uint32(m.set.OwnRow(i))), 1
			}
			if m.subs != nil {
				rows = m.ngrams(rows, word)
				for k, ngram := range m.subs.Ngrams(word) {
					of := score(rows[k])
					if !yield(Part{Text: ngram, Kind: Ngram, Score: of}, rows[k]) {
						return
					}
					sum += of
				}
			}
			if of := own + len(rows); of > 0 && !yield(Part{Text: word, Kind: Word, Score: sum / float64(of)}, uint32(i)) {
				return
			}
		}
	}, nil
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

// Contributions returns the parts of the text, the largest scores first, with what their rows add to the
// product of its vector and direction. All occurrences of a part are one.
func (p *Predictor) Contributions(direction []float64) []Part {
	scores := make([]float64, len(p.trace.parts))
	for _, r := range p.trace.rows {
		for k, x := range r.of.View(p.scratch, int(r.row)) {
			scores[r.part] += float64(x) * direction[k] / float64(p.N)
		}
	}
	if p.extremes != nil {
		p.traceExtremes(scores, direction)
	}
	type key struct {
		text, of string
		kind     Kind
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

func (f flat) Direction(label int) []float64 { return f.row(label, 1) }

// row returns row r, times by.
func (o *output) row(r int, by float64) []float64 {
	row := make([]float64, o.cols)
	if o.factors != nil {
		by *= float64(o.factors[r])
	}
	for k := range row {
		row[k] = by * float64(o.blocks[o.place(r, k)])
	}
	return row
}

func (t *tree) Direction(label int) []float64 {
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
