package arch

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Word n-grams (sent2vec, Pagliardini, Gupta and Jaggi 2018): runs of tokens next to each
// other are contexts of CBOW beside words, with hashed rows of their own. A run that the
// centre is in, or that leaves the window, is no context of it.

const ngramName = "word_ngrams"

// wordNgrams is what they need of other parts.
func wordNgrams(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.Averages: "word n-grams are contexts beside words, which CBOW averages",
		},
		Lacks: map[capability.Capability]string{
			capability.Divides: "the rows of word n-grams are shared by all words",
			capability.Freezes: "no vectors can be frozen with word n-grams: all words share their rows",
		},
	}, r.WordNgrams > 1
}

// An ngramHasher gives runs of tokens their rows.
type ngramHasher struct {
	subword.WordNgrams
	words []uint64 // the hash of each word
}

// ngramsOf returns the word n-grams of a run, nil for none.
func ngramsOf(r settings.Run) *ngramHasher {
	if r.WordNgrams < 2 {
		return nil
	}
	return &ngramHasher{WordNgrams: subword.WordNgrams{MaxN: r.WordNgrams, Buckets: r.WordBuckets}}
}

func (h *ngramHasher) matrices(cols int) []params.Matrix {
	if h == nil {
		return nil
	}
	return []params.Matrix{{
		Name: ngramName, Title: "rows of word n-grams", Role: params.Other, Rows: h.Buckets, Cols: cols,
		Fits: func(from *vectors.Set) bool { return from.Training().Int("word_ngrams") == h.MaxN },
		Touched: func(w params.Words) []float32 { // runs are not counted: as if all were as frequent
			return slices.Repeat([]float32{float32(float64(h.MaxN-1) * w.Sum / float64(h.Buckets))}, h.Buckets)
		},
	}}
}

func (h *ngramHasher) prepare(v *vocab.Vocab) {
	if h == nil {
		return
	}
	h.words = h.words[:0]
	for _, word := range v.Tokens() {
		h.words = append(h.words, h.Hash(word))
	}
}

func (h *ngramHasher) preparedBytes(words int) float64 {
	if h == nil {
		return 0
	}
	return 8 * float64(words)
}

// worker returns the word n-grams of a worker whose blocks have so many positions at most.
func (h *ngramHasher) worker(positions int, p step.Parts) *ngrams {
	if h == nil {
		return nil
	}
	of := step.PairsOf{Most: positions * (h.MaxN - 1)}
	return &ngrams{hasher: h, matrix: p.Values.Matrix(ngramName), pairs: step.NewPairs(of, 2)}
}

// bytes is the size of what worker returns.
func (h *ngramHasher) bytes(positions float64) float64 {
	if h == nil {
		return 0
	}
	return step.PairsBytes(positions*float64(h.MaxN-1), 2)
}

// An ngrams has the runs of tokens that are contexts in a block.
type ngrams struct {
	hasher *ngramHasher
	matrix vectors.Matrix
	pairs  step.Pairs // of inputs and runs; errors are shares of the inputs, and of their gradient
}

// find finds the runs between positions from and to-1 that are contexts of the centres, and
// makes of their shares, which are those of words alone, what they are if runs are contexts
// too. Shares of the gradient are so many times those of the inputs.
func (n *ngrams) find(b *step.Batch, from, to int, shares *[simd.Lanes]float32, scale float32) {
	t, p, h := &b.Text, &n.pairs, n.hasher
	p.Rows, p.With = p.Rows[:0], p.With[:0]
	var number [simd.Lanes]float32
	for first := from; first < to; first++ {
		run := h.words[t.IDs[first]]
		for end := first + 1; end < min(first+h.MaxN, to, int(t.To[first])); end++ {
			run = h.Next(run, h.words[t.IDs[end]])
			var with uint16
			for c := max(end-b.Window, int(t.From[first]), b.First); c < min(first+b.Window+1, int(t.To[first]), b.Last); c++ {
				if c < first || c > end {
					with |= 1 << (c - b.First)
					number[c-b.First]++
				}
			}
			if with != 0 {
				p.Rows = append(p.Rows, h.Bucket(run))
				p.With = append(p.With, with)
			}
		}
	}
	for i, share := range shares {
		shares[i] = share / (1 + share*number[i])
	}
	in, back := p.Errors[0], p.Errors[1]
	for j, with := range p.With {
		for ; with != 0; with &= with - 1 {
			i := bits.TrailingZeros16(with)
			in[j*simd.Lanes+i], back[j*simd.Lanes+i] = shares[i], scale*shares[i]
		}
	}
}

// add adds to inputs their shares of runs, and update to runs their shares of the gradient.
func (n *ngrams) add(inputs simd.Block) {
	simd.AddRows(step.OwnRows(inputs), step.RowsOf(n.matrix, n.pairs.Rows), inputs.Cols, n.pairs.Errors[0], n.pairs.With)
}

func (n *ngrams) update(gradient simd.Block) {
	simd.UpdateRows(step.RowsOf(n.matrix, n.pairs.Rows), step.OwnRows(gradient), gradient.Cols, n.pairs.Errors[1], n.pairs.With)
}

// MaxWordNgrams is the most tokens in a run with a row, and MaxWordBuckets the most rows.
const (
	MaxWordNgrams  = 8
	MaxWordBuckets = 1 << 30
)

// CheckWordNgrams returns an error if there are no such word n-grams.
func CheckWordNgrams(r settings.Run) error {
	switch {
	case r.WordNgrams < 0 || r.WordNgrams > MaxWordNgrams:
		return fmt.Errorf("word n-grams of %d tokens are not from 0 to %d", r.WordNgrams, MaxWordNgrams)
	case r.WordNgrams > 1 && (r.WordBuckets < 1 || r.WordBuckets > MaxWordBuckets):
		return fmt.Errorf("word n-grams: %d buckets are not from 1 to %d", r.WordBuckets, MaxWordBuckets)
	}
	return nil
}
