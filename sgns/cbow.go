package sgns

import (
	"math"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// The architecture of CBOW: the mean of its contexts' vectors predicts a centre. Each
// context gets its share of the mean's gradient. word2vec.c and those after it give it all
// of it, however many there are (İrsoy, Benton and Stratos 2021, "Corrected CBOW performs as
// well as skip-gram").
//
// With one rate for inputs and outputs, true shares move inputs as many times slower as there
// are contexts. So shares are boosted by the number of contexts that a centre has on the
// average: rates are then what they are in word2vec.c.

// A mean is what the inputs of CBOW are: each the mean of its contexts' vectors.
type mean struct {
	rows   []uint32            // of the contexts of all inputs
	shares [simd.Lanes]float32 // of a context in each input
	inputs []simd.Window       // for each input, its contexts
	back   []simd.Window       // for each context, the inputs that it is in; for no row if it is frozen
	ones   []float32           // the weight of each context
}

// newMean returns means of at most so many contexts.
func newMean(contexts int) mean {
	m := mean{
		inputs: make([]simd.Window, 0, wholeLines(simd.Lanes)),
		back:   make([]simd.Window, 0, wholeLines(contexts)),
		ones:   make([]float32, contexts, wholeLines(contexts)),
	}
	for i := range m.ones {
		m.ones[i] = 1
	}
	return m
}

// aimAtCentres makes the centres what the means of their contexts predict.
func (b *pairing) aimAtCentres(t text, first, last, window int) {
	from, to := b.reach(t, first, last, window)
	lead, centres := int32(first-from), int32(last-first)
	b.true, b.by = b.ids, b.by[:centres]
	b.pairs = 0
	m := &b.mean
	m.rows, m.inputs, m.back = t.rows[from:to], m.inputs[:centres], m.back[:cap(m.back)]
	reach, begin := int32(window), int32(from)
	begins, ends := t.from[from:to], t.to[from:to]
	// Windows are written number by number: to read what was written so as a whole, as a
	// copy does, stalls the processor.
	for i := range m.inputs {
		c := lead + int32(i)
		low, high := max(c-reach, begins[c]-begin), min(c+reach+1, ends[c]-begin)
		w := &m.inputs[i]
		w.Row, w.From, w.To, w.Except = int32(i), low, high, c
		b.by[i], b.each[i], m.shares[i] = 0, 0, 0
		if n := high - low - 1; n > 0 {
			b.by[i], b.each[i], m.shares[i] = 1<<i, 1, 1/float32(n)
			b.pairs++
		}
	}
	n := 0
	for p := range begins {
		i := int32(p) - lead // were it a centre
		low, high := max(i-reach, begins[p]-begin-lead, 0), min(i+reach+1, ends[p]-begin-lead, centres)
		if low >= high {
			continue
		}
		w := &m.back[n]
		n++
		w.Row, w.From, w.To, w.Except, w.Weight = int32(p), low, high, -1, 1
		if uint32(i) < uint32(centres) {
			w.Except = i
		}
		if b.frozen.in != nil && b.frozen.in[m.rows[p]] {
			w.Row = -1
		}
	}
	m.back = m.back[:n]
	if b.hasher != nil {
		b.aimRuns(t, first, last, from, to, window, &m.shares)
	}
	for i := range m.inputs {
		m.inputs[i].Weight = m.shares[i]
		m.shares[i] *= b.boost
	}
}

// compose makes hidden the means of rows of in.
func (m *mean) compose(hidden simd.Block, in vectors.Matrix) {
	simd.SetWindows(ownRows(hidden), rowsOf(in, m.rows), hidden.Cols, m.ones, m.inputs)
}

// release gives to contexts, rows of in, their shares of what the means have moved by.
func (m *mean) release(in vectors.Matrix, moved simd.Block) {
	own := ownRows(moved)
	own.IDs = own.IDs[:moved.Rows]
	simd.AddWindows(rowsOf(in, m.rows), own, moved.Cols, m.shares[:], m.back)
}

// meanContexts returns how many contexts a centre has on the average, if a part kept of all
// tokens is left of each sentence.
func meanContexts(ids *corpus.IDs, window int, kept float64) float64 {
	var sentences [corpus.MaxSentence + 1]int // by length
	for i := range ids.Chunks() {
		length := 0
		for _, piece := range ids.Chunk(i) {
			for _, id := range piece {
				length++
				if id&corpus.EndOfSentence != 0 {
					sentences[length]++
					length = 0
				}
			}
		}
	}
	var centres, contexts float64
	for length, n := range sentences {
		left := math.Round(kept * float64(length))
		if n == 0 || left < 2 {
			continue // and no centre of it has a context
		}
		whole := min(float64(window), left-1) // windows up to here differ
		pairs := left*whole*(whole+1) - whole*(whole+1)*(2*whole+1)/6 - whole*(whole+1)/2
		pairs += (float64(window) - whole) * left * (left - 1)
		centres += float64(n) * left
		contexts += float64(n) * pairs / float64(window)
	}
	return contexts / max(centres, 1)
}

// keptOf returns what part of tokens is kept, if each word is with probability keep.
func keptOf(v *vocab.Vocab, keep []float64) float64 {
	var kept, all float64
	for w, p := range keep {
		kept += p * float64(v.Count(w))
		all += float64(v.Count(w))
	}
	return kept / max(all, 1)
}

// margin is how far from its centres a block reads input vectors.
func (c Config) margin() int {
	if c.arch() == CBOW {
		return min(c.Window, corpus.MaxSentence)
	}
	return 0
}
