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

// CBOW is the architecture in which the mean of the contexts' vectors predicts a centre. Each context gets
// its share of the mean's gradient. word2vec.c and its successors give each context the whole gradient
// (İrsoy, Benton and Stratos 2021, "Corrected CBOW performs as well as skip-gram").
//
// With one learning rate for inputs and outputs, exact shares would slow inputs down by the number of
// contexts. So shares are multiplied by the mean number of contexts of a centre. The rates are then those of
// word2vec.c.
var CBOW = Kind{
	Name: "cbow",
	Help: "the centre from the mean of its contexts",
	New: func(r settings.Run) Architecture {
		a := &cbow{run: r}
		if r.WordNgrams > 1 {
			a.ngrams = &ngramHasher{WordNgrams: subword.WordNgrams{MaxN: r.WordNgrams, Buckets: r.WordBuckets}}
		}
		return a
	},
}

type cbow struct {
	run    settings.Run
	ngrams *ngramHasher // nil without word n-grams
}

func (a *cbow) Check() error {
	if a.run.PositionWeights && a.run.Window > maxHeadWindow {
		return fmt.Errorf("position weights are two vectors for each step of the window, which is at most %d", maxHeadWindow)
	}
	return nil
}

func (*cbow) Capabilities() capability.Part {
	return capability.Part{Needs: map[capability.Capability]string{
		capability.Steps: "CBOW predicts a word from the words around it",
	}, Lacks: map[capability.Capability]string{
		capability.Columns:  "the inputs of CBOW are means of many rows",
		capability.Scatters: "CBOW averages the words of a window",
		capability.Sides:    "CBOW predicts the word between them",
	}}
}

func (*cbow) Rates() Rates {
	return Rates{Words: Rate{0.055, 0.3, 0.1}, Subwords: Rate{0.04, 0.4, 0.1}, ByCentre: true}
}

// Finish returns 1 and 1: less of the own row, or a lower power, brought nothing.
func (*cbow) Finish() (own, power float64) { return 1, 1 }

func (*cbow) Traits(centres int) step.Traits {
	return step.Traits{Targets: centres, Heads: 1, Around: true}
}

func (*cbow) Draws(usual int) int { return (usual + 3) / 4 }

func (a *cbow) Output(words int) params.Matrix { return outputOf(words, 1, a.run.Dim) }

func (a *cbow) Matrices() (all []params.Matrix) {
	if a.run.PositionWeights {
		all = append(all, params.Matrix{
			Name: positionName, Title: "position weights", Role: params.Other,
			Rows: 2 * a.run.Window, Cols: a.run.Width(), Replicated: true, Init: params.Ones,
		})
	}
	if h := a.ngrams; h != nil {
		all = append(all, params.Matrix{
			Name: ngramName, Title: "rows of word n-grams", Role: params.Other, Rows: h.Buckets, Cols: a.run.Width(),
			Fits: func(from *vectors.Set) bool { return from.Training().Int("word_ngrams") == h.MaxN },
			Touched: func(w params.Words) []float32 { // runs are not counted: assume that all are equally frequent
				return slices.Repeat([]float32{float32(float64(h.MaxN-1) * w.Sum / float64(h.Buckets))}, h.Buckets)
			},
		})
	}
	return all
}

func (a *cbow) Prepare(v *vocab.Vocab) {
	if a.ngrams != nil {
		a.ngrams.words = a.ngrams.words[:0]
		for _, word := range v.Tokens() {
			a.ngrams.words = append(a.ngrams.words, a.ngrams.Hash(word))
		}
	}
}

func (a *cbow) PreparedBytes(words int) float64 {
	if a.ngrams == nil {
		return 0
	}
	return 8 * float64(words)
}

func (a *cbow) Worker(p step.Parts) step.Architecture {
	centres := p.Division.Centres
	contexts := mostPositions(centres, a.run.Window)
	w := &cbowWorker{
		traits: a.Traits(centres),
		source: p.Source,
		by:     make([]uint16, centres, step.WholeLines(centres)),
		inputs: make([]simd.Window, 0, step.WholeLines(simd.Lanes)),
		back:   make([]simd.Window, 0, step.WholeLines(contexts)),
		ones:   make([]float32, contexts, step.WholeLines(contexts)),
		scale:  float32(max(p.Division.Contexts, 1)),
	}
	for i := range w.ones {
		w.ones[i] = 1
	}
	if a.run.PositionWeights {
		w.positions = &positions{Replica: p.Replicas.Of(positionName), window: a.run.Window, gradient: step.NewRows(2*a.run.Window, a.run.Width())}
	}
	if h := a.ngrams; h != nil { // with a run of each length at each position
		w.ngrams = &ngrams{hasher: h, matrix: p.Values.Matrix(ngramName), pairs: step.NewPairs(contexts*(h.MaxN-1), 2)}
	}
	return w
}

func (a *cbow) Bytes(centres int) float64 {
	const window = 20
	contexts := float64(mostPositions(centres, a.run.Window))
	bytes := 2*step.LineItems(float64(centres)) + window*(simd.Lanes+step.LineItems(contexts)) + 4*step.LineItems(contexts)
	if a.run.PositionWeights { // without the replica
		const triple = 16
		all := float64(centres) * float64(min(2*min(a.run.Window, step.MaxText), step.MaxText))
		bytes += 2*float64(a.run.Window)*step.RowBytes(a.run.Width()) + triple*all
	}
	if a.ngrams != nil {
		bytes += step.PairsBytes(contexts*float64(a.ngrams.MaxN-1), 2)
	}
	return bytes
}

// A cbowWorker has as inputs the means of the contexts' vectors.
type cbowWorker struct {
	traits    step.Traits
	source    step.Source
	by        []uint16            // input that predicts each target
	rows      []uint32            // rows of the contexts of all inputs
	shares    [simd.Lanes]float32 // share of a context in each input
	inputs    []simd.Window       // contexts of each input
	back      []simd.Window       // inputs of each context; none if the context is frozen
	ones      []float32           // weights of 1 for the contexts
	scale     float32             // factor of the shares of the gradient
	positions *positions          // nil without position weights
	ngrams    *ngrams             // nil without word n-grams
}

func (w *cbowWorker) Traits() step.Traits { return w.traits }

// Select makes the centres the targets; the means of their contexts predict them.
func (w *cbowWorker) Select(b *step.Batch) {
	t := &b.Text
	from, to := reach(b)
	lead, centres := int32(b.First-from), int32(b.Last-b.First)
	w.by = w.by[:centres]
	b.Words, b.Inputs = b.Centres, w.by
	b.Number = 0
	w.rows, w.inputs, w.back = t.Rows[from:to], w.inputs[:centres], w.back[:cap(w.back)]
	reach, begin := int32(b.Window), int32(from)
	begins, ends := t.From[from:to], t.To[from:to]
	// Written number by number: reading a window as a whole soon after, as a copy does, would stall.
	for i := range w.inputs {
		c := lead + int32(i)
		low, high := max(c-reach, begins[c]-begin), min(c+reach+1, ends[c]-begin)
		in := &w.inputs[i]
		in.Row, in.From, in.To, in.Except = int32(i), low, high, c
		b.Inputs[i], b.Each[i], w.shares[i] = 0, 0, 0
		if n := high - low - 1; n > 0 {
			b.Inputs[i], b.Each[i], w.shares[i] = 1<<i, 1, 1/float32(n)
			b.Number++
		}
	}
	n := 0
	for p := range begins {
		i := int32(p) - lead // if this position were a centre
		low, high := max(i-reach, begins[p]-begin-lead, 0), min(i+reach+1, ends[p]-begin-lead, centres)
		if low >= high {
			continue
		}
		back := &w.back[n]
		n++
		back.Row, back.From, back.To, back.Except, back.Weight = int32(p), low, high, -1, 1
		if uint32(i) < uint32(centres) {
			back.Except = i
		}
		if w.source.Frozen != nil && w.source.Frozen[w.rows[p]] {
			back.Row = -1
		}
	}
	w.back = w.back[:n]
	if w.ngrams != nil {
		w.ngrams.find(b, from, to, &w.shares, w.scale)
	}
	for i := range w.inputs {
		w.inputs[i].Weight = w.shares[i]
		w.shares[i] *= w.scale
	}
}

// Compose sets the inputs to the means of their contexts.
func (w *cbowWorker) Compose(_ *step.Batch, inputs simd.Block) {
	rows := step.RowsOf(w.source.Matrix, w.rows)
	if w.positions != nil {
		w.positions.compose(inputs, rows, w.inputs)
	} else {
		simd.SetWindows(step.OwnRows(inputs), rows, inputs.Cols, w.ones, w.inputs)
	}
	if w.ngrams != nil {
		w.ngrams.add(inputs)
	}
}

// Scatter gives contexts their shares of the gradient of the means.
func (w *cbowWorker) Scatter(_ *step.Batch, gradient simd.Block) {
	if w.ngrams != nil {
		w.ngrams.update(gradient)
	}
	rows := step.RowsOf(w.source.Matrix, w.rows)
	if w.positions != nil {
		w.positions.scatter(rows, gradient, w.scale)
		return
	}
	means := step.OwnRows(gradient)
	means.IDs = means.IDs[:gradient.Rows]
	simd.AddWindows(rows, means, gradient.Cols, w.shares[:], w.back)
}

// Position weights (Mikolov et al. 2018, "Advances in pre-training distributed word representations"): a learned
// vector for each relative position, numbered like heads, multiplies the contexts of CBOW, number by number.
type positions struct {
	*step.Replica // a row for each relative position
	window        int
	gradient      simd.Block
	triples       []simd.Triple // input, position and row of each context; other uses reorder them
}

const positionName = "position_weights"

var positionWeights = capability.Part{
	Needs: map[capability.Capability]string{
		capability.Averages: "position weights belong to the contexts that CBOW averages",
	},
	Lacks: map[capability.Capability]string{
		capability.Divides: "position weights are shared by all words",
		capability.Freezes: "no vectors can be frozen with position weights: all words share them",
		capability.Turns:   "position weights multiply dimensions one by one",
	},
}

// compose sets inputs to the weighted means of the rows of contexts in windows.
func (p *positions) compose(inputs simd.Block, rows simd.Rows, windows []simd.Window) {
	p.triples = p.triples[:0]
	for _, w := range windows {
		for j := w.From; j < w.To; j++ {
			if j != w.Except {
				head := headOf(int(j-w.Except), p.window)
				p.triples = append(p.triples, simd.Triple{Dst: uint32(w.Row), A: head, B: uint32(j), Weight: w.Weight})
			}
		}
	}
	clear(inputs.Data)
	simd.MultiplyRows(step.OwnRows(inputs), p.Rows(p.Own), rows, inputs.Cols, p.triples)
}

// scatter applies the gradient of the means to the rows of contexts and to the weights of their positions, which all
// inputs share: a weight changes by positionRate times the mean of the changes by all inputs.
func (p *positions) scatter(rows simd.Rows, gradient simd.Block, scale float32) {
	means := step.OwnRows(gradient)
	clear(p.gradient.Data)
	for k, t := range p.triples { // input, position, context
		p.triples[k].Dst, p.triples[k].A, p.triples[k].B = t.A, t.Dst, t.B
	}
	simd.MultiplyRows(p.Rows(p.gradient), means, rows, gradient.Cols, p.triples)
	for k, t := range p.triples { // position, input, context
		p.triples[k] = simd.Triple{Dst: t.B, A: t.Dst, B: t.A, Weight: scale * t.Weight}
	}
	simd.MultiplyRows(rows, p.Rows(p.Own), means, gradient.Cols, p.triples)
	rate := positionRate / float32(gradient.Rows)
	for k, x := range p.gradient.Data {
		p.Own.Data[k] += rate * x
	}
}

const positionRate = 0.1

// Word n-grams (sent2vec, Pagliardini, Gupta and Jaggi 2018): runs of adjacent tokens are further contexts of CBOW,
// with hashed rows of their own, unless they contain the centre or leave the window.

const ngramName = "word_ngrams"

var wordNgrams = capability.Part{
	Needs: map[capability.Capability]string{
		capability.Averages: "word n-grams are contexts beside words, which CBOW averages",
	},
	Lacks: map[capability.Capability]string{
		capability.Divides: "the rows of word n-grams are shared by all words",
		capability.Freezes: "no vectors can be frozen with word n-grams: all words share their rows",
		capability.Turns:   "word n-grams have rows of their own",
	},
}

// An ngramHasher maps runs of tokens to rows.
type ngramHasher struct {
	subword.WordNgrams
	words []uint64 // the hash of each word
}

// An ngrams has the runs of tokens that are contexts in a block.
type ngrams struct {
	hasher *ngramHasher
	matrix vectors.Matrix
	pairs  step.Pairs // pairs of inputs and runs; their errors are shares of the inputs or of the gradient
}

// find finds the runs between positions from and to-1 that are contexts of the centres, and lowers the shares, which
// were those of words alone, to include them. The shares of the gradient are scale times those of the inputs.
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

// add adds the shares of runs to inputs, and update adds the shares of the gradient to runs.
func (n *ngrams) add(inputs simd.Block) {
	simd.AddRows(step.OwnRows(inputs), step.RowsOf(n.matrix, n.pairs.Rows), inputs.Cols, n.pairs.Errors[0], n.pairs.With)
}

func (n *ngrams) update(gradient simd.Block) {
	simd.UpdateRows(step.RowsOf(n.matrix, n.pairs.Rows), step.OwnRows(gradient), gradient.Cols, n.pairs.Errors[1], n.pairs.With)
}
