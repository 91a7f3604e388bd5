// Package arch has the architectures: what the inputs of a step are, and what they predict.
package arch

import (
	"fmt"
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

// All returns every architecture, also that of texts with labels, for which data are needed that words do not have.
func All() []Kind { return append(Kinds(), Text) }

// Options returns the capabilities of options of an architecture, whether they can be combined or not.
func Options(r settings.Run) (parts []capability.Part) {
	if r.Window == 0 {
		parts = append(parts, wholeLines)
	}
	if r.PositionWeights {
		parts = append(parts, positionWeights)
	}
	if r.WordNgrams > 1 && r.Arch != Text.Name { // rows of runs learn although words are frozen
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
	// Finish returns what suits finished vectors with n-grams: the weight of a word's own row, and the power of singular values.
	Finish() (own, power float64)
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

func (bare) Finish() (own, power float64) { return 1, 1 }
func (bare) Check() error                 { return nil }
func (bare) Matrices() []params.Matrix    { return nil }
func (bare) Prepare(*vocab.Vocab)         {}
func (bare) PreparedBytes(int) float64    { return 0 }

// Rates are the learning rates of an architecture, for plain words and with n-grams.
type Rates struct {
	Words, Subwords Rate
	// ByCentre says that there is one step for each centre, however large the window is.
	ByCentre bool
}

// A Rate is the usual rate for 86 million tokens, which falls with a power of the number of tokens.
type Rate struct{ Usual, Power, Most float64 }

// OutputName is the name of the matrix with an output row for each word, which sets store separately.
const OutputName = "output"

// outputOf describes a matrix of output rows, one for each word and head.
func outputOf(words, heads, dim int) params.Matrix {
	return params.Matrix{
		Name: OutputName, Title: "context vectors", Role: params.Output, Keys: params.ByWord, Rows: words * heads, Cols: dim,
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

// Whole lines: without a window, every other word of a line is equally likely to be a context, as suits baskets and
// sessions. So that the cost of a line is not quadratic in its length, each centre draws LineContexts different ones.

// LineContexts is the largest number of contexts of a centre: as many as a dynamic window of the usual width,
// 5, gives on average to a centre far from the ends of its line.
const LineContexts = 6

const ofWholeLine = "with a window of 0, contexts are drawn from the whole line"

var wholeLines = capability.Part{
	Needs: map[capability.Capability]string{capability.Scatters: ofWholeLine},
	Lacks: map[capability.Capability]string{capability.Sides: ofWholeLine},
}

// lines is skip-gram without a window.
type lines struct{ skipGram }

func (lines) Traits(centres int) step.Traits {
	return step.Traits{Targets: centres * LineContexts, Heads: 1, Rows: true, Drawn: true}
}

func (a lines) Worker(p step.Parts) step.Architecture {
	c := centres{p.Source, a.Traits(p.Division.Centres)}
	room := step.WholeLines(c.traits.Targets)
	return &lineWorker{c, make([]uint16, step.MaxText), make([]int32, 0, room), make([]uint32, 0, room), make([]uint16, 0, room)}
}

func (a lines) Bytes(centres int) float64 {
	return 2*step.LineItems(step.MaxText) + (4+4+2)*step.LineItems(float64(a.Traits(centres).Targets))
}

type lineWorker struct {
	centres
	with      []uint16 // for each position of a text, the centres whose context it is
	positions []int32  // positions of contexts
	words     []uint32 // words of targets: the words at these positions
	inputs    []uint16 // inputs of targets
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

// SkipGram predicts the contexts of a centre (Mikolov et al. 2013) from the centre's vector.
var SkipGram = Kind{
	Name:  "skipgram",
	Help:  "contexts from their centre",
	Plain: true,
	New: func(r settings.Run) Architecture {
		if r.Window == 0 {
			return lines{skipGram{dim: r.Dim}}
		}
		return skipGram{dim: r.Dim, window: r.Window}
	},
}

type skipGram struct {
	bare
	dim, window int
}

func (skipGram) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.Averages: "in skipgram a context is not averaged with others",
	}}
}

func (skipGram) Rates() Rates { return ratesByPair }

// Finish returns what scored best on several texts. docs/benchmarks.md, "Finished vectors", has the scores.
func (skipGram) Finish() (own, power float64) { return 0.6, 0.85 }

// ratesByPair are the rates if each pair of a centre and a context is a step.
var ratesByPair = Rates{Words: Rate{0.04, 0.48, 0.07}, Subwords: Rate{0.035, 0.6, 0.05}}

func (a skipGram) Traits(centres int) step.Traits {
	return step.Traits{Targets: mostPositions(centres, a.window), Heads: 1, Rows: true}
}

func (skipGram) Draws(usual int) int { return usual }

func (a skipGram) Output(words int) params.Matrix { return outputOf(words, 1, a.dim) }

func (a skipGram) Worker(p step.Parts) step.Architecture {
	c := centres{p.Source, a.Traits(p.Division.Centres)}
	return &skipGramWorker{c, make([]uint16, c.traits.Targets, step.WholeLines(c.traits.Targets))}
}

func (a skipGram) Bytes(centres int) float64 {
	return 2 * step.LineItems(float64(a.Traits(centres).Targets))
}

type skipGramWorker struct {
	centres
	inputs []uint16 // inputs of targets
}

// Select makes the positions around the centres targets, which several centres predict.
func (w *skipGramWorker) Select(b *step.Batch) {
	t, first := &b.Text, b.First
	from, to := reach(b)
	b.Words, b.Begin = t.IDs[from:to], from
	w.inputs = w.inputs[:to-from]
	begins, ends := t.From[from:to], t.To[from:to]
	for i := range w.inputs {
		p := from + i
		low, high := max(p-b.Window, int(begins[i]), first), min(p+b.Window+1, int(ends[i]), b.Last)
		// Centres whose context the position is: bits low-first to high-first-1, without its own.
		of := (uint32(1)<<max(high-first, 0) - 1) &^ (uint32(1)<<max(low-first, 0) - 1)
		w.inputs[i] = uint16(of &^ (uint32(1) << uint32(p-first)))
	}
	b.Inputs = w.inputs
	b.Number = 0
	for c := first; c < b.Last; c++ {
		n := min(c+b.Window+1, int(t.To[c])) - max(c-b.Window, int(t.From[c])) - 1
		b.Each[c-first] = float32(n)
		b.Number += n
	}
}

// Structured is skip-gram with an output matrix for each relative position, its head (Ling et al. 2015).
// Heads are numbered from position -window on; position 0 has none.
var Structured = Kind{
	Name: "structured",
	Help: "skipgram with an output matrix for each relative position",
	New:  func(r settings.Run) Architecture { return structured{dim: r.Dim, window: r.Window} },
}

type structured struct {
	bare
	dim, window int
}

// maxHeadWindow is the largest window with an output matrix, or weights, for each position.
const maxHeadWindow = 1000

func (a structured) Check() error {
	if a.window > maxHeadWindow {
		return fmt.Errorf("structured skip-gram has two output matrices for each step of the window, which is at most %d", maxHeadWindow)
	}
	return nil
}

func (structured) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.OutputWords: "structured skip-gram has an output vector of each word for each relative position",
		},
		Lacks: map[capability.Capability]string{
			capability.Averages: "in structured skip-gram a context is not averaged with others",
			capability.OneRow:   "structured skip-gram has several output vectors a word",
			capability.OneHead:  "structured skip-gram has several of them",
			capability.Freezes:  "no vectors can be frozen in structured skip-gram, which has several output vectors a word",
			capability.Divides:  "structured skip-gram has several output vectors a word",
			capability.Columns:  "structured skip-gram draws words for each relative position",
			capability.Scatters: "structured skip-gram has output vectors for each relative position",
		},
	}
}

func (structured) Rates() Rates { return ratesByPair }

func (a structured) Traits(centres int) step.Traits {
	targets := centres * min(2*min(a.window, step.MaxText), step.MaxText)
	return step.Traits{Targets: targets, Heads: 2 * a.window, Rows: true}
}

// Draws returns a number of words for each head.
func (a structured) Draws(usual int) int { return 2 * a.window * ((usual + 5) / 6) }

func (a structured) Output(words int) params.Matrix {
	m := outputOf(words, 2*a.window, a.dim)
	m.Name, m.Title = "position_output", "context vectors by position"
	return m
}

func (a structured) Worker(p step.Parts) step.Architecture {
	c := centres{p.Source, a.Traits(p.Division.Centres)}
	room := step.WholeLines(c.traits.Targets)
	return &structuredWorker{c, a.window, make([]uint32, 0, room), make([]uint32, 0, room), make([]uint16, 0, room)}
}

func (a structured) Bytes(centres int) float64 {
	return (4 + 4 + 2) * step.LineItems(float64(a.Traits(centres).Targets))
}

type structuredWorker struct {
	centres
	window       int
	words, heads []uint32
	inputs       []uint16
}

// Select makes the words around the centres the targets. Each target belongs to one centre and one head.
func (w *structuredWorker) Select(b *step.Batch) {
	t := &b.Text
	words, heads, inputs := w.words[:0], w.heads[:0], w.inputs[:0]
	for c := b.First; c < b.Last; c++ {
		for p := max(c-b.Window, int(t.From[c])); p < min(c+b.Window+1, int(t.To[c])); p++ {
			if p == c {
				continue
			}
			words = append(words, t.IDs[p])
			heads = append(heads, headOf(p-c, w.window))
			inputs = append(inputs, 1<<(c-b.First))
		}
		b.Each[c-b.First] = 1
	}
	b.Words, b.Heads, b.Inputs, b.Number = words, heads, inputs, len(words)
}

// headOf returns the head of a relative position other than 0.
func headOf(relative, window int) uint32 {
	if relative > 0 {
		relative--
	}
	return uint32(relative + window)
}

// MaxWordNgrams is the largest number of tokens in a run, and MaxWordBuckets the largest number of rows.
const (
	MaxWordNgrams  = 8
	MaxWordBuckets = 1 << 30
)

// CheckWordNgrams returns an error if the settings of word n-grams are invalid.
func CheckWordNgrams(r settings.Run) error {
	switch {
	case r.WordNgrams < 0 || r.WordNgrams > MaxWordNgrams:
		return fmt.Errorf("word n-grams of %d tokens are not from 0 to %d", r.WordNgrams, MaxWordNgrams)
	case r.WordNgrams > 1 && (r.WordBuckets < 1 || r.WordBuckets > MaxWordBuckets):
		return fmt.Errorf("word n-grams: %d buckets are not from 1 to %d", r.WordBuckets, MaxWordBuckets)
	}
	return nil
}
