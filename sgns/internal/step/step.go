// Package step does the steps of training.
//
// A block is a few consecutive centres that are trained as one step: every vector that it
// needs is read as it was before the step, and every gradient is added at the end. All
// centres of a block share one window b (see Windows), and the words that are drawn for it.
package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vectors"
)

// A Step trains blocks. It is one worker's own.
type Step struct {
	batch      Batch
	Random     random.Generator
	Ahead      []uint32 // words drawn for the next block, so that their rows can be on their way
	window     int
	windows    Windows
	centres    int                           // the most of a block
	fetched    func(words []uint32) []uint32 // output rows of words; nil where there are several heads
	source     Source
	output     vectors.Matrix
	replicas   *Replicas
	projection Projection // nil where inputs are as wide as vectors
	objective  Objective  // nil for logistic regression

	hidden     simd.Block // inputs × dim
	transposed []float32  // dim × lanes: hidden, for scores
	gradient   simd.Block // inputs × dim, where that does not go to rows at once
	columns    []columns
	scores     []float32 // by columns, row and lane, where errors are not found with them
	kept       []uint16  // of one part of the columns: see Pairs
	again      func(negative, input, columns int) float32
}

// New returns a step of a variant's parts, which are the worker's own.
func New(a Architecture, l Loss, c Composition, p Parts, r settings.Run, g random.Generator) *Step {
	t, dim := a.Traits(), r.Dim
	s := &Step{
		Random:     g,
		Ahead:      make([]uint32, p.Division.Draws, WholeLines(p.Division.Draws)),
		window:     r.Window,
		windows:    WindowsOf(r),
		centres:    p.Division.Centres,
		source:     p.Source,
		output:     p.Output(),
		replicas:   p.Replicas,
		projection: c.Projection(),
		objective:  l.Objective(),
		hidden:     NewRows(p.Division.Centres, dim),
		transposed: NewRows(dim, simd.Lanes).Data,
		columns:    columnsOf(r),
	}
	if t.Heads == 1 {
		s.fetched = l.Fetched
	}
	// What inputs change by is summed up first where an input is made of several rows, or where
	// rows that are changed are also read.
	direct := t.Rows && s.projection == nil && !same(p.Source.Matrix, s.output)
	s.batch = NewBatch(a, l, p, len(s.columns), direct)
	if !direct {
		s.gradient = NewRows(p.Division.Centres, dim)
	}
	if len(s.columns) > 1 || s.objective != nil {
		most := max(cap(s.batch.Positives.Rows), cap(s.batch.Negatives.Rows))
		s.scores, s.kept = NewRows(most*len(s.columns), simd.Lanes).Data, make([]uint16, WholeLines(most))
	}
	s.again = s.scoreAgain
	s.DrawAhead()
	return s
}

// same reports whether two matrices are the same rows.
func same(a, b vectors.Matrix) bool {
	return len(a.Data) > 0 && len(b.Data) > 0 && &a.Data[0] == &b.Data[0]
}

// Train does one step with the centres at positions first to last-1 of t, and returns what
// Score does. The centres up to end-1 come next.
func (s *Step) Train(t Text, first, last, end int, rate float32, wantLoss bool) (pairs int, loss float64) {
	window := s.Draw()
	pairs, loss = s.Score(t, first, last, window, s.coming(t, last), rate, wantLoss)
	from := last
	if s.batch.traits.Around {
		from += window // what is before it has been read
	}
	s.update(t.Rows[min(from, end):min(from+s.centres, end)])
	return pairs, loss
}

// coming returns the words that may be targets in the block that begins at a position, and are none
// in a block before it.
func (s *Step) coming(t Text, first int) []uint32 {
	if !s.batch.traits.Around {
		first += s.window
	}
	return t.IDs[min(first, len(t.IDs)):min(first+s.centres, len(t.IDs))]
}

// Draw draws the window of this block, what its errors are rounded by, and the words of the next.
func (s *Step) Draw() (window int) {
	window = s.windows.Draw(&s.Random)
	s.batch.Reseed(&s.Random)
	s.DrawAhead()
	return window
}

// DrawAhead makes the words that were drawn ahead those of this block, and draws those of
// the next.
func (s *Step) DrawAhead() {
	s.batch.Drawn, s.Ahead = s.Ahead, s.batch.Drawn
	s.batch.Draw(s.Ahead, &s.Random)
	s.fetch(s.Ahead)
}

// fetch asks for the output rows of words that are going to be read.
func (s *Step) fetch(words []uint32) {
	if s.fetched != nil {
		simd.Prefetch(s.output.Data, s.output.Stride, s.fetched(words), s.output.Cols)
	}
}

// Take makes the worker's copies of replicated matrices what these are now, and Give adds to
// the matrices what the copies have changed by.
func (s *Step) Take() { s.replicas.Take() }
func (s *Step) Give() { s.replicas.Give() }

// Score finds how far off the pairs of the centres at positions first to last-1 are, and
// changes no parameters. It returns the number of pairs of an input and a target and, if loss
// is wanted, the sum of their losses, each with its share of the negatives' losses. The words
// next are targets of what is scored next.
func (s *Step) Score(t Text, first, last, window int, next []uint32, rate float32, wantLoss bool) (pairs int, loss float64) {
	b := &s.batch
	pairs = b.Prepare(t, first, last, window, rate)
	s.hidden.Rows, s.gradient.Rows = last-first, last-first
	if s.projection == nil {
		b.architecture.Compose(b, s.hidden)
	} else {
		b.architecture.Compose(b, s.projection.Inputs(last-first))
		s.projection.Project(s.hidden)
	}
	simd.Transpose(s.transposed, s.hidden)
	loss = s.errors(&b.Positives, true, wantLoss)
	s.fetch(next)
	loss += s.errors(&b.Negatives, false, wantLoss)
	loss -= b.Settle(wantLoss, s.again)
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, max(loss, 0) // of what is left of two that are nearly equal
}

// update takes the step that was scored. The source's rows next are read soon.
func (s *Step) update(next []uint32) {
	b, in := &s.batch, s.source
	inputs := RowsOf(in.Matrix, b.CentreRows)
	if !b.direct {
		inputs = OwnRows(s.gradient)
		clear(s.gradient.Data)
	}
	s.addTo(inputs, &b.Negatives)
	simd.Prefetch(in.Data, in.Stride, next, in.Cols)
	s.addTo(inputs, &b.Positives)
	if !b.direct { // reads inputs, which may be outputs too
		gradient := s.gradient
		if s.projection != nil {
			gradient = s.projection.Back(gradient)
		}
		b.architecture.Scatter(b, gradient)
	}
	for k, part := range s.columns {
		hidden := part.of(OwnRows(s.hidden))
		for _, p := range []*Pairs{&b.Positives, &b.Negatives} {
			simd.UpdateRows(part.of(RowsOf(s.output, p.Rows)), hidden, part.width(), p.Errors[k], p.ToRows[:len(p.Rows)])
		}
	}
}

// addTo adds to the inputs what they change by for some pairs.
func (s *Step) addTo(inputs simd.Rows, p *Pairs) {
	rows := RowsOf(s.output, p.Rows)
	for k, part := range s.columns {
		simd.AddRows(part.of(inputs), part.of(rows), part.width(), p.Errors[k], p.ToInputs[:len(p.Rows)])
	}
}

// Drawn are the words that were drawn for the block that was trained last.
func (s *Step) Drawn() []uint32 { return s.batch.Drawn }
