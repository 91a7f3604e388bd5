package arch

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// CBOW is the architecture in which the mean of the contexts' vectors predicts a centre. Each
// context gets its share of the mean's gradient. word2vec.c and those after it give it all
// of it, however many there are (İrsoy, Benton and Stratos 2021, "Corrected CBOW performs as
// well as skip-gram").
//
// With one rate for inputs and outputs, true shares move inputs as many times slower as there
// are contexts. So shares are scaled by the number of contexts that a centre has on the
// average: rates are then what they are in word2vec.c.
var CBOW = Kind{
	Name: "cbow",
	Help: "the centre from the mean of its contexts",
	New:  func(r settings.Run) Architecture { return &cbow{run: r, ngrams: ngramsOf(r)} },
}

type cbow struct {
	run    settings.Run
	ngrams *ngramHasher // nil for none
}

func (a *cbow) Check() error {
	if a.run.PositionWeights {
		return checkPositions(a.run)
	}
	return nil
}

func (*cbow) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.Columns:  "the inputs of CBOW are means of many rows",
		capability.Scatters: "CBOW averages the words of a window",
	}}
}

func (*cbow) Rates() Rates {
	return Rates{Words: Rate{0.055, 0.3, 0.1}, Subwords: Rate{0.04, 0.4, 0.1}, ByCentre: true}
}

func (*cbow) Traits(centres int) step.Traits {
	return step.Traits{Targets: centres, Heads: 1, Around: true}
}

func (*cbow) Draws(usual int) int { return (usual + 3) / 4 }

func (a *cbow) Output(words int) params.Matrix { return outputOf(words, 1, a.run.Dim) }

func (a *cbow) Matrices() []params.Matrix {
	return append(positionMatrices(a.run), a.ngrams.matrices(a.run.Width())...)
}

func (a *cbow) Prepare(v *vocab.Vocab) { a.ngrams.prepare(v) }

func (a *cbow) PreparedBytes(words int) float64 { return a.ngrams.preparedBytes(words) }

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
	w.positions = newPositions(a.run, p)
	w.ngrams = a.ngrams.worker(contexts, p)
	return w
}

func (a *cbow) Bytes(centres int) float64 {
	const window = 20
	contexts := float64(mostPositions(centres, a.run.Window))
	bytes := 2*step.LineItems(float64(centres)) + window*(simd.Lanes+step.LineItems(contexts)) + 4*step.LineItems(contexts)
	return bytes + positionBytes(a.run, centres) + a.ngrams.bytes(contexts)
}

// A cbowWorker's inputs are each the mean of its contexts' vectors.
type cbowWorker struct {
	traits    step.Traits
	source    step.Source
	by        []uint16            // of targets: the input that predicts each
	rows      []uint32            // of the contexts of all inputs
	shares    [simd.Lanes]float32 // of a context in each input
	inputs    []simd.Window       // for each input, its contexts
	back      []simd.Window       // for each context, the inputs that it is in; for no row if it is frozen
	ones      []float32           // the weight of each context
	scale     float32             // of the shares of the gradient
	positions *positions          // nil for none
	ngrams    *ngrams             // nil for none
}

func (w *cbowWorker) Traits() step.Traits { return w.traits }

// Select makes the centres what the means of their contexts predict.
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
	// Windows are written number by number: to read what was written so as a whole, as a
	// copy does, stalls the processor.
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
		i := int32(p) - lead // were it a centre
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

// Compose makes the inputs the means of their contexts.
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

// Scatter gives to contexts their shares of the gradient of the means.
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
