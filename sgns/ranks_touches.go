package sgns

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vocab"
)

// Touches say how often training is expected to change rows: when a word that uses them is a centre or
// a context, or is drawn as a negative, which counts less.
type touches struct {
	config Config
	vocab  *vocab.Vocab
	kept   []float64 // by word: occurrences that subsampling keeps, for each token
	sum    float64   // of all words
}

func newTouches(c Config, v *vocab.Vocab, tokens uint64) *touches {
	t := &touches{config: c, vocab: v, kept: v.KeepProbabilities(c.sample(tokens))}
	for w := range t.kept {
		t.kept[w] *= float64(v.Count(w)) / float64(max(v.Total(), 1))
		t.sum += t.kept[w]
	}
	return t
}

// of returns how often each row of a matrix of a model is touched for each token.
func (t *touches) of(of *model, m params.Matrix) func(row int) float64 {
	switch {
	case m.Replicated:
		return func(int) float64 { return t.sum }
	case m.Role == params.Input:
		return listed(t.inputs(of, m.Rows))
	case m.Role == params.Output && m.Keys == params.ByWord:
		return listed(t.outputs(m.Rows))
	case m.Role == params.Output:
		return listed(t.nodes(m.Rows))
	}
	each := float64(max(t.config.WordNgrams-1, 1)) * t.sum / float64(max(m.Rows, 1))
	return func(int) float64 { return each }
}

func listed(rows []float32) func(int) float64 {
	return func(row int) float64 { return float64(rows[row]) }
}

// inputs are touched as often as the words that use them are kept.
func (t *touches) inputs(m *model, rows int) []float32 {
	all := make([]float32, rows)
	for w, kept := range t.kept {
		of, _ := m.table.Of(uint32(w))
		for _, row := range of {
			all[row] += float32(kept)
		}
	}
	if shared(m, params.Output) {
		for row, x := range t.outputs(rows) {
			all[row] += x
		}
	}
	return all
}

// shared reports whether the matrix of a role in a model has the storage of another one.
func shared(of *model, role params.Role) bool {
	return slices.ContainsFunc(of.values.List(), func(m params.Matrix) bool { return m.Role == role && m.SameAs != "" })
}

// negative is how much a negative counts: it is scored low already, mostly, and moves little.
const negative = 0.2

// outputs are touched as contexts, of one head each, and as negatives.
func (t *touches) outputs(rows int) []float32 {
	all := make([]float32, rows)
	words := len(t.kept)
	heads := float64(max(rows/max(words, 1), 1))
	noise := t.noise()
	for row := range all {
		w := row % words
		all[row] = float32((t.kept[w] + negative*float64(t.config.Negatives)*noise[w]*t.sum) / heads)
	}
	return all
}

// noise is the probability with which each word is drawn.
func (t *touches) noise() []float64 {
	counts := t.vocab.Counts()
	weights, sum := make([]float64, len(counts)), 0.0
	for w, n := range counts {
		if w > 0 && n == counts[w-1] { // as most are, and powers take long
			weights[w] = weights[w-1]
		} else {
			weights[w] = math.Pow(float64(n), t.config.NSExponent)
		}
		sum += weights[w]
	}
	for w := range weights {
		weights[w] /= sum
	}
	return weights
}

// nodes of a tree are touched by the words below them.
func (t *touches) nodes(rows int) []float32 {
	all := make([]float32, rows)
	tree := vocab.Huffman(t.vocab.Counts())
	for w, kept := range t.kept {
		ones, zeros := tree.Sides(uint32(w))
		for _, side := range [][]uint32{ones, zeros} {
			for _, row := range side {
				all[row] += float32(kept)
			}
		}
	}
	return all
}
