// Package arch has the architectures: what the inputs of a step are, and what they predict.
package arch

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is an architecture to choose.
type Kind = settings.Kind[Architecture]

// Kinds returns every architecture, the default first. A new architecture is a line here.
func Kinds() []Kind {
	return []Kind{
		SkipGram,
		CBOW,
		Structured,
	}
}

// Options returns the capabilities of options of an architecture, whether they can be combined or not.
func Options(r settings.Run) (parts []capability.Part) {
	if r.Window == 0 {
		parts = append(parts, wholeLines)
	}
	if r.PositionWeights {
		parts = append(parts, positionWeights)
	}
	if r.WordNgrams > 1 {
		parts = append(parts, wordNgrams)
	}
	return parts
}

// An Architecture belongs to a run. All workers share it.
type Architecture interface {
	// Check returns an error if the architecture does not support its settings.
	Check() error
	// Capabilities says what the architecture can be combined with.
	Capabilities() capability.Part
	// Rates returns the learning rates that suit the architecture.
	Rates() Rates
	// Traits returns the traits of blocks of so many centres.
	Traits(centres int) step.Traits
	// Draws returns the number of words that a block draws. Usual is the number for skip-gram.
	Draws(usual int) int
	// Output describes the matrix of output rows for so many words, for losses with output rows of words.
	Output(words int) params.Matrix
	// Matrices describes the architecture's own matrices.
	Matrices() []params.Matrix
	// Prepare computes what all workers need from the vocabulary.
	Prepare(*vocab.Vocab)
	// PreparedBytes is the size of the result of Prepare for so many words.
	PreparedBytes(words int) float64
	// Worker returns a worker's part of the architecture. Bytes is its size for blocks of so many centres.
	Worker(step.Parts) step.Architecture
	Bytes(centres int) float64
}

// bare has the methods of architectures without matrices and data of their own.
type bare struct{}

func (bare) Check() error              { return nil }
func (bare) Matrices() []params.Matrix { return nil }
func (bare) Prepare(*vocab.Vocab)      {}
func (bare) PreparedBytes(int) float64 { return 0 }

// Rates are the learning rates of an architecture, for plain words and with n-grams.
type Rates struct {
	Words, Subwords Rate
	// ByCentre says that there is one step for each centre, however large the window is.
	ByCentre bool
}

// A Rate is the usual rate for 86 million tokens, which falls with a power of the number of tokens.
type Rate struct{ Usual, Power, Most float64 }

// outputOf describes a matrix of output rows, one for each word and head.
func outputOf(words, heads, dim int) params.Matrix {
	return params.Matrix{
		Name: "output", Title: "context vectors", Role: params.Output, Keys: params.ByWord, Rows: words * heads, Cols: dim,
		Touched: func(w params.Words) []float32 {
			all := make([]float32, words*heads)
			for row := range all {
				all[row] = float32((w.Kept[row%words] + w.Drawn[row%words]) / float64(heads))
			}
			return all
		},
	}
}

// mostPositions returns the largest number of positions that may be contexts in a block.
func mostPositions(centres, window int) int {
	return min(centres+2*min(window, step.MaxText), step.MaxText)
}

// reach returns the positions that may be contexts of the centres of a batch.
func reach(b *step.Batch) (from, to int) {
	t := &b.Text
	return max(b.First-b.Window, int(t.From[b.First])), min(b.Last+b.Window, int(t.To[b.Last-1]))
}

// A centres is a worker whose inputs are the centres' rows.
type centres struct {
	source step.Source
	traits step.Traits
}

func (c centres) Traits() step.Traits                      { return c.traits }
func (c centres) Compose(b *step.Batch, inputs simd.Block) { c.source.Gather(inputs, b.CentreRows) }
func (c centres) Scatter(b *step.Batch, gradient simd.Block) {
	c.source.Scatter(b.CentreRows, gradient)
}

// MeanContexts returns the mean number of contexts of a centre if a share kept of all tokens remains.
func MeanContexts(ids *vocab.IDs, window int, mode settings.WindowMode, kept float64) float64 {
	var sentences [vocab.MaxSentence + 1]int // number of sentences by length
	r := ids.Reader()
	for i := range ids.Chunks() {
		length := 0
		for _, piece := range r.Chunk(i) {
			for _, id := range piece {
				length++
				if id&vocab.EndOfSentence != 0 {
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
			continue // no centre of the sentence has a context
		}
		pairs, by := 0.0, 1.0
		if mode == settings.Dynamic {
			by = float64(window)
			whole := min(float64(window), left-1) // larger windows have the same contexts
			pairs = left*whole*(whole+1) - whole*(whole+1)*(2*whole+1)/6 - whole*(whole+1)/2
			pairs += (float64(window) - whole) * left * (left - 1)
		} else { // each pair counts with the probability that a window reaches from one to the other
			for d := 1; d <= window && float64(d) < left; d++ {
				pairs += 2 * (left - float64(d)) * mode.Reaches(d, window)
			}
		}
		centres += float64(n) * left
		contexts += float64(n) * pairs / by
	}
	return contexts / max(centres, 1)
}

// KeptOf returns the share of tokens that are kept, if each word is kept with probability keep.
func KeptOf(v *vocab.Vocab, keep []float64) float64 {
	var kept, all float64
	for w, p := range keep {
		kept += p * float64(v.Count(w))
		all += float64(v.Count(w))
	}
	return kept / max(all, 1)
}

// Whole lines: without a window, every other word of a centre's line is equally likely to be a context. This
// suits baskets, sessions and other lists without an order. Training all pairs would make the cost of a line
// quadratic in its length. So each centre draws LineContexts different contexts, or takes all others if there
// are fewer.

// LineContexts is the largest number of contexts of a centre: as many as a dynamic window of the usual width,
// 5, gives on average to a centre far from the ends of its line.
const LineContexts = 6

var wholeLines = capability.Part{Needs: map[capability.Capability]string{
	capability.Scatters: "with a window of 0, contexts are drawn from the whole line",
}}

func lineTraits(centres int) step.Traits {
	return step.Traits{Targets: centres * LineContexts, Heads: 1, Rows: true, Drawn: true}
}

type lineWorker struct {
	centres
	with      []uint16 // for each position of a text, the centres whose context it is
	positions []int32  // positions of contexts
	words     []uint32 // words of targets: the words at these positions
	inputs    []uint16 // inputs of targets
}

func newLineWorker(c centres) *lineWorker {
	room := step.WholeLines(c.traits.Targets)
	return &lineWorker{c, make([]uint16, step.MaxText), make([]int32, 0, room), make([]uint32, 0, room), make([]uint16, 0, room)}
}

func lineBytes(centres int) float64 {
	return 2*step.LineItems(step.MaxText) + (4+4+2)*step.LineItems(float64(lineTraits(centres).Targets))
}

// Select draws positions of the centres' lines as targets, which several centres may predict.
func (w *lineWorker) Select(b *step.Batch) {
	t := &b.Text
	w.positions, w.words, w.inputs = w.positions[:0], w.words[:0], w.inputs[:0]
	b.Number = 0
	g := b.Contexts
	for c := b.First; c < b.Last; c++ {
		n := w.draw(c, int(t.From[c]), int(t.To[c]), uint16(1)<<(c-b.First), &g)
		b.Each[c-b.First] = float32(n)
		b.Number += n
	}
	for _, p := range w.positions {
		w.words = append(w.words, t.IDs[p])
		w.inputs = append(w.inputs, w.with[p])
		w.with[p] = 0
	}
	b.Words, b.Inputs = w.words, w.inputs
}

// draw draws the contexts of a centre whose line is at positions from to to-1, and returns their number.
// Every set of contexts is equally likely (Floyd's algorithm).
func (w *lineWorker) draw(centre, from, to int, bit uint16, g *random.Generator) int {
	others := to - from - 1
	if others <= LineContexts {
		for p := from; p < to; p++ {
			if p != centre {
				w.add(p, bit)
			}
		}
		return others
	}
	for last := others - LineContexts; last < others; last++ {
		if p := other(centre, from, g.Below(last+1)); w.with[p]&bit == 0 {
			w.add(p, bit)
		} else {
			w.add(other(centre, from, last), bit)
		}
	}
	return LineContexts
}

func other(centre, from, i int) int {
	if p := from + i; p < centre {
		return p
	}
	return from + i + 1
}

func (w *lineWorker) add(position int, centre uint16) {
	if w.with[position] == 0 {
		w.positions = append(w.positions, int32(position))
	}
	w.with[position] |= centre
}
