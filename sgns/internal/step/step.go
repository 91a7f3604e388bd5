// Package step computes the steps of training.
//
// A block is a few consecutive centres that are trained as one step: every vector is read as it was before
// the step, and every gradient is added at the end. All centres of a block share one window (see Windows),
// and the words that are drawn for the block.
package step

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vectors"
)

// A Step trains blocks. Each worker has its own.
type Step struct {
	batch        Batch
	Random       random.Generator
	Ahead        []uint32 // words drawn for the next block, so that their rows can be prefetched
	window       int
	windows      Windows
	centres      int                           // largest number of centres in a block
	fetched      func(words []uint32) []uint32 // output rows of words; nil with several heads
	source       Source
	output       vectors.Matrix
	copies       *Copies     // of output rows; nil if there are none
	placed       [3][]uint32 // places of the rows of positives, of negatives, and of fetched targets
	drawn, ahead []uint32    // places of the rows of Drawn and Ahead, if those are rows
	met          []Access    // see Watch
	cold         coldDraws
	replicas     *Replicas
	projection   Projection // nil if inputs are as wide as vectors
	objective    Objective  // nil for logistic regression
	rounds       bool       // the objective rounds errors

	hidden     simd.Block // inputs × dim
	transposed []float32  // dim × lanes: hidden, for scores
	gradient   simd.Block // inputs × dim, unless gradients go directly to rows
	columns    []columns
	scores     []float32 // by columns, row and lane; unused if errors are computed together with scores
	kept       []uint16  // for one part of the columns: see Pairs
	again      Scores
}

// New returns a step from a worker's own parts of a variant.
func New(a Architecture, l Loss, c Composition, p Parts, r settings.Run, g random.Generator) *Step {
	t, dim := a.Traits(), r.Hidden()
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
	// Changes of inputs are summed first if an input is made of several rows, or if changed rows are also
	// read.
	direct := t.Rows && s.projection == nil && !same(p.Source.Matrix, s.output)
	s.batch = NewBatch(a, l, p, len(s.columns), direct)
	if !direct {
		s.gradient = NewRows(p.Division.Centres, dim)
	}
	if len(s.columns) > 1 || s.objective != nil {
		most := max(cap(s.batch.Positives.Rows), cap(s.batch.Negatives.Rows))
		s.scores, s.kept = NewRows(most*len(s.columns), simd.Lanes).Data, make([]uint16, WholeLines(most))
	}
	_, s.rounds = s.objective.(Rounder)
	s.again = s.scoreAgain
	s.DrawAhead()
	return s
}

func same(a, b vectors.Matrix) bool {
	return len(a.Data) > 0 && len(b.Data) > 0 && &a.Data[0] == &b.Data[0]
}

// Train computes one step with the centres from first to last-1. Those up to end-1 come next.
func (s *Step) Train(t Text, first, last, end int, rate float32, wantLoss bool) (pairs int, loss float64) {
	window := s.Draw()
	pairs, loss = s.Score(t, first, last, window, s.coming(t, last), rate, wantLoss)
	from := last
	if s.batch.traits.Around {
		from += window // words before it have been read already
	}
	s.update(t.Rows[min(from, end):min(from+s.centres, end)])
	if s.copies != nil {
		s.copies.endBlock(&s.batch)
	}
	return pairs, loss
}

// coming returns words that may be targets in the block from first on, and were not before.
func (s *Step) coming(t Text, first int) []uint32 {
	if !s.batch.traits.Around {
		first += s.window
	}
	return t.IDs[min(first, len(t.IDs)):min(first+s.centres, len(t.IDs))]
}

// Draw draws the window and the rounding seed of this block, and the words of the next.
func (s *Step) Draw() (window int) {
	window = s.windows.Draw(&s.Random)
	s.batch.Reseed(&s.Random)
	s.DrawAhead()
	return window
}

// DrawAhead makes the words that were drawn ahead the words of this block, and draws words for the next.
func (s *Step) DrawAhead() {
	s.batch.Drawn, s.Ahead = s.Ahead, s.batch.Drawn
	s.drawn, s.ahead = s.ahead, s.drawn
	s.batch.Draw(s.Ahead, &s.Random)
	s.cold.draw(s.Ahead)
	if s.fetched != nil { // drawn words are rows of one head
		s.fetch(s.Ahead, &s.ahead)
	}
}

// fetch prefetches output rows. Their places, if there are copies, are in list then.
func (s *Step) fetch(rows []uint32, list *[]uint32) {
	if s.copies != nil {
		rows = s.copies.places(list, rows)
	}
	simd.Prefetch(s.output.Data, s.output.Stride, rows, s.output.Cols)
}

// SetAhead replaces the words that are drawn for the next block.
func (s *Step) SetAhead(words []uint32) {
	copy(s.Ahead, words)
	s.ahead = s.ahead[:0]
}

// Copy gives the step the copies that a group of workers has of rows that change often, if there are any.
func (s *Step) Copy(p Parts, group int) {
	s.copies = newCopies(p.Values, p.outputName(), group)
	if s.copies != nil {
		s.output.Data = s.copies.rows.Data
		s.cold = coldDraws{of: s.copies.of, words: uint32(p.Values.Matrix(p.outputName()).Rows / s.batch.traits.Heads)}
	}
}

// Share gives a worker the part of the words without copies that it draws in a chunk of the text.
func (s *Step) Share(group int, chunk int64) { s.cold.share(group, chunk) }

// Load copies the rows of which the group has copies, and Store lets the copies meet their rows. One worker of
// the group calls them, while no worker is in a step.
func (s *Step) Load()  { s.copies.load() }
func (s *Step) Store() { s.copies.meetAll() }

// Take copies replicated matrices for the worker, and Give adds the copies' changes to the matrices.
func (s *Step) Take() { s.replicas.Take() }
func (s *Step) Give() { s.replicas.Give() }

// Score computes the errors of the pairs of the centres at positions first to last-1. It changes no
// parameters. It returns the number of pairs of an input and a target and, if wantLoss is true, the sum of
// their losses, including their shares of the negatives' losses. next are targets of the block after this
// one.
func (s *Step) Score(t Text, first, last, window int, next []uint32, rate float32, wantLoss bool) (pairs int, loss float64) {
	b := &s.batch
	pairs = b.Prepare(t, first, last, window, rate)
	if s.copies != nil {
		b.Positives.Rows = s.copies.places(&s.placed[0], b.Positives.Rows)
		if rows := b.Negatives.Rows; len(rows) > 0 && len(rows) == len(s.drawn) && &rows[0] == &b.Drawn[0] { // placed when they were fetched
			b.Negatives.Rows = s.drawn
		} else {
			b.Negatives.Rows = s.copies.places(&s.placed[1], b.Negatives.Rows)
		}
	}
	s.hidden.Rows, s.gradient.Rows = last-first, last-first
	if s.projection == nil {
		b.architecture.Compose(b, s.hidden)
	} else {
		b.architecture.Compose(b, s.projection.Inputs(last-first))
		s.projection.Project(s.hidden)
	}
	simd.Transpose(s.transposed, s.hidden)
	loss = s.errors(&b.Positives, true, wantLoss)
	if s.fetched != nil {
		s.fetch(s.fetched(next), &s.placed[2])
	}
	loss += s.errors(&b.Negatives, false, wantLoss)
	loss -= b.Settle(wantLoss, s.again)
	if rate > 0 {
		loss /= float64(rate)
	}
	return pairs, max(loss, 0) // rounding can make the difference of two nearly equal losses negative
}

// update applies the step that was scored. The rows next of the source will be read soon.
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
	for i, limit := range b.Limits { // inputs are rows of texts, which are hidden as they were
		row := inputs.Data[int(inputs.IDs[i])*inputs.Stride:]
		for k, was := range s.hidden.Row(i) {
			row[k] = was + limit*(row[k]-was)
		}
	}
	if !b.direct { // this reads inputs, which may be output rows too
		gradient := s.gradient
		if s.projection != nil {
			gradient = s.projection.Back(gradient)
		}
		b.architecture.Scatter(b, gradient)
	}
	s.source.SlowDown(s.hidden, b.CentreRows)
	for k, part := range s.columns {
		hidden := part.of(OwnRows(s.hidden))
		for _, p := range []*Pairs{&b.Positives, &b.Negatives} {
			simd.UpdateRows(part.of(RowsOf(s.output, p.Rows)), hidden, part.width(), p.Errors[k], p.ToRows[:len(p.Rows)])
		}
	}
}

func (s *Step) addTo(inputs simd.Rows, p *Pairs) {
	rows := RowsOf(s.output, p.Rows)
	for k, part := range s.columns {
		simd.AddRows(part.of(inputs), part.of(rows), part.width(), p.Errors[k], p.ToInputs[:len(p.Rows)])
	}
}

// Drawn returns the words that were drawn for the last trained block.
func (s *Step) Drawn() []uint32 { return s.batch.Drawn }

// A Batch is a block without its vectors: which inputs are paired with which output rows, and the weights of
// pairs. An architecture selects the targets of inputs, and a loss makes pairs of them.
type Batch struct {
	Text        Text
	First, Last int              // positions of the centres
	Window      int              // of all centres of the block
	Centres     []uint32         // words
	CentreRows  []uint32         // of the source of words' vectors
	Drawn       []uint32         // words that were drawn for the block
	Contexts    random.Generator // generator for drawn contexts: see Traits
	Targets
	Positives, Negatives Pairs
	// Limits has the part of its gradient that each input takes; nil for all of it.
	Limits []float32

	architecture Architecture
	loss         Loss
	traits       Traits
	limited      bool // see findLimits
	limits       [simd.Lanes]float32
	direct       bool // changes of inputs go directly to rows of the source
	// Frozen rows; nil if none are.
	frozenSource, frozenOutput []bool
}

// Targets are the words that inputs should predict.
type Targets struct {
	Words  []uint32            // the targets
	Heads  []uint32            // for each target, its output matrix; nil if there is only one
	Inputs []uint16            // for each target, a bit for every input that predicts it
	Begin  int                 // position of the first target in the text, where the others follow it; not set by all architectures
	Number int                 // number of pairs of an input and a target
	Each   [simd.Lanes]float32 // pairs of an input with one output matrix; each draw stands for their share of negatives
	Weight [simd.Lanes]float32 // factor of the weights of an input's pairs; 1 unless an architecture changes it
}

// Pairs are the positives or the negatives of a block: pairs of an input and an output row.
type Pairs struct {
	Rows     []uint32            // rows of the output matrix
	With     []uint16            // for each row, a bit for every input that it is paired with
	Weights  [simd.Lanes]float32 // weight of a pair, for each input
	Errors   [][]float32         // by columns (see columns): rows × lanes
	Kept     []uint16            // for each row, a bit for every input whose error was not rounded to 0
	Rounding simd.Rounding       // of errors
	ToInputs []uint16            // like Kept, for every input that the row is added to
	ToRows   []uint16            // like Kept, for every input that is added to the row
}

// NewPairs allocates pairs of at most so many rows, with so many lists of errors.
func NewPairs(most, lists int) Pairs {
	p := Pairs{
		Rows: make([]uint32, 0, WholeLines(most)),
		With: make([]uint16, 0, WholeLines(most)),
		Kept: make([]uint16, WholeLines(most)),
	}
	for range lists {
		p.Errors = append(p.Errors, NewRows(most, simd.Lanes).Data)
	}
	return p
}

// PairsBytes is the size of Pairs of so many rows.
func PairsBytes(rows float64, lists int) float64 {
	return rows*float64(lists)*RowBytes(simd.Lanes) + LineItems(rows)*(4+2+2)
}

// Kernels returns the pairs in the form that kernels use.
func (p *Pairs) Kernels(positive bool) simd.Pairs {
	return simd.Pairs{
		Rows: p.Rows, With: p.With, Weights: p.Weights[:], Positive: positive,
		Rounding: p.Rounding, Kept: p.Kept[:len(p.Rows)],
	}
}

// NewBatch allocates a batch for blocks of a variant, with so many lists of errors. If direct is true,
// changes of inputs go directly to rows of the source.
func NewBatch(a Architecture, l Loss, p Parts, lists int, direct bool) Batch {
	t := a.Traits()
	positives, negatives := l.Pairs()
	b := Batch{
		Drawn:        make([]uint32, p.Division.Draws, WholeLines(p.Division.Draws)),
		architecture: a,
		loss:         l,
		traits:       t,
		limited:      t.Texts && l.Objective() == nil,
		direct:       direct,
		frozenSource: p.Source.Frozen,
		frozenOutput: p.Values.Frozen(p.outputName()),
	}
	for i := range b.Weight {
		b.Weight[i] = 1
	}
	b.Positives, b.Negatives = NewPairs(positives, lists), NewPairs(negatives, lists)
	b.Negatives.Rounding.Threshold = p.Division.Threshold
	for _, p := range []*Pairs{&b.Positives, &b.Negatives} {
		p.ToInputs, p.ToRows = p.Kept, p.Kept
		if direct && b.frozenSource != nil {
			p.ToInputs = make([]uint16, len(p.Kept))
		}
		if b.frozenOutput != nil {
			p.ToRows = make([]uint16, len(p.Kept))
		}
	}
	return b
}

// Prepare finds the pairs of the centres at positions first to last-1 of a text, and their weights. It
// returns the number of pairs of an input and a target.
func (b *Batch) Prepare(t Text, first, last, window int, rate float32) (pairs int) {
	b.Text, b.First, b.Last, b.Window = t, first, last, window
	b.Centres, b.CentreRows = t.IDs[first:last], t.Rows[first:last]
	b.architecture.Select(b)
	b.loss.Pair(b, rate)
	return b.Targets.Number
}

// Draw draws words for a block.
func (b *Batch) Draw(words []uint32, g *random.Generator) { b.loss.Draw(words, g) }

// Reseed draws the rounding seed of the block, and the generator of its contexts.
func (b *Batch) Reseed(g *random.Generator) {
	if b.Negatives.Rounding.Threshold > 0 {
		b.Negatives.Rounding.Seed = uint32(g.Next())
	}
	if b.traits.Drawn {
		b.Contexts = random.Generator(g.Next())
	}
}

// Settle removes from the errors what the loss leaves out, and returns the loss of that part if wantLoss is true:
// see Loss. Then it finds which rows and inputs change.
func (b *Batch) Settle(wantLoss bool, score Scores) float64 {
	loss := b.loss.Settle(b, wantLoss, score)
	b.Positives.thaw(b)
	b.Negatives.thaw(b)
	b.findLimits()
	return loss
}

// thaw finds which pairs change a row or an input that is not frozen.
func (p *Pairs) thaw(b *Batch) {
	if b.direct && b.frozenSource != nil {
		var free uint16
		for i, row := range b.CentreRows {
			if !b.frozenSource[row] {
				free |= 1 << i
			}
		}
		for j := range p.Rows {
			p.ToInputs[j] = p.Kept[j] & free
		}
	}
	if b.frozenOutput != nil {
		for j, row := range p.Rows {
			p.ToRows[j] = 0
			if int(row) >= len(b.frozenOutput) || !b.frozenOutput[row] { // rows behind the matrix are free
				p.ToRows[j] = p.Kept[j]
			}
		}
	}
}

// mostErrors is the largest sum of the errors of a text, with the learning rate in them. It is that of a softmax, whose
// errors add up to 2 at most, at a rate of 2.
const mostErrors = 4

// findLimits finds Limits. A text has an error for each of its
// labels' pairs, and all of them move it: with a logistic regression for each of very many labels, or for each node of a
// deep tree, they move it so far that it is wrong about all labels in the other direction, and training diverges. Output
// rows have an error each, and take all of it.
func (b *Batch) findLimits() {
	if b.Limits = nil; !b.limited {
		return
	}
	var sums [simd.Lanes]float32
	n := len(b.Centres)
	for _, p := range [...]*Pairs{&b.Positives, &b.Negatives} {
		for errors := p.Errors[0][:len(p.Rows)*simd.Lanes]; len(errors) > 0; errors = errors[simd.Lanes:] {
			for i, e := range errors[:n] {
				sums[i] += max(e, -e)
			}
		}
	}
	for i, sum := range sums[:n] {
		b.limits[i] = 1
		if sum > mostErrors {
			b.limits[i], b.Limits = mostErrors/sum, b.limits[:n]
		}
	}
}

// BatchBytes is the size of a batch, without its architecture and loss. positives and negatives are the
// largest numbers of rows.
func BatchBytes(positives, negatives float64, draws, lists int) float64 {
	const itself = 1200 // two Pairs, with a number for each input, and other fields
	return itself + PairsBytes(positives, lists) + PairsBytes(negatives, lists) + 4*LineItems(float64(draws))
}

// Nested vectors (Matryoshka, Kusupati et al. 2022): the first numbers of a vector are trained to be a vector
// themselves. So a pair has a score and an error for each such beginning. A column changes by the errors of
// all beginnings that contain it.

type columns struct{ from, to int }

// columnsOf returns the parts of the columns, which end where beginnings end, or a single part.
func columnsOf(r settings.Run) []columns {
	if len(r.Nested) == 0 {
		return []columns{{0, r.Hidden()}}
	}
	var parts []columns
	from := 0
	for _, to := range r.Nested {
		parts = append(parts, columns{from, to})
		from = to
	}
	return parts
}

func (p columns) width() int { return p.to - p.from }

func (p columns) of(rows simd.Rows) simd.Rows {
	if p.from > 0 && len(rows.Data) > 0 { // the tree of a single word has no rows
		rows.Data = rows.Data[p.from:]
	}
	return rows
}

// errors computes the errors of pairs for each part of the columns, and their mean loss if wantLoss is true.
func (s *Step) errors(p *Pairs, positive, wantLoss bool) float64 {
	pairs := p.Kernels(positive)
	switch {
	case len(p.Rows) == 0:
		return 0
	case s.scores != nil:
		return s.errorsOfScores(p, pairs, wantLoss)
	}
	return simd.Errors(p.Errors[0], s.hidden, s.transposed, s.output.Data, s.output.Stride, pairs, wantLoss)
}

// errorsOfScores is errors for objectives that compute errors from scores.
func (s *Step) errorsOfScores(p *Pairs, pairs simd.Pairs, wantLoss bool) (loss float64) {
	out, stride, n := s.output, len(s.scores)/len(s.columns), len(p.Rows)*simd.Lanes
	clear(p.Kept)
	pairs.Kept = s.kept[:len(p.Rows)]
	for k, part := range s.columns {
		pairs.Rounding.Seed++
		scores := s.scores[k*stride:]
		h := simd.Block{Data: s.hidden.Data[part.from:], Rows: s.hidden.Rows, Cols: part.width(), Stride: s.hidden.Stride}
		simd.Scores(scores, h, s.transposed[part.from*simd.Lanes:], out.Data[part.from:], out.Stride, p.Rows)
		if s.objective == nil {
			loss += simd.ErrorsOfScores(p.Errors[k], s.scores, stride, k+1, pairs, wantLoss)
		} else {
			if k > 0 {
				addTo(scores[:n], s.scores[(k-1)*stride:])
			}
			loss += s.objective.Errors(p.Errors[k], scores, pairs, wantLoss)
			if !s.rounds {
				pairs.Round(p.Errors[k])
			}
		}
		for j, kept := range pairs.Kept {
			p.Kept[j] |= kept
		}
	}
	for k := len(s.columns) - 2; k >= 0; k-- {
		addTo(p.Errors[k][:n], p.Errors[k+1])
	}
	return loss / float64(len(s.columns))
}

func addTo(sums, x []float32) {
	x = x[:len(sums)]
	for i := range sums {
		sums[i] += x[i]
	}
}

// scoreAgain returns the score of a row of pairs and an input up to the end of some columns.
func (s *Step) scoreAgain(of *Pairs, row, input, columns int) float32 {
	var score [1]float32
	numbers := s.output.Data[int(of.Rows[row])*s.output.Stride:]
	simd.Dots(score[:], 1, s.hidden.Row(input), s.hidden.Stride, 1, numbers, s.output.Stride, 1, s.columns[columns].to)
	return score[0]
}

// NewRows allocates rows for one worker.
func NewRows(rows, cols int) simd.Block {
	m := vectors.NewMatrix(rows, cols)
	return simd.Block{Data: m.Data, Rows: rows, Cols: cols, Stride: m.Stride}
}

// InOrder has the row numbers of a block, in order.
var InOrder = [simd.Lanes]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// OwnRows returns all rows of a block in order.
func OwnRows(b simd.Block) simd.Rows {
	return simd.Rows{Data: b.Data, Stride: b.Stride, IDs: InOrder[:]}
}

// RowsOf returns rows of a matrix.
func RowsOf(m vectors.Matrix, rows []uint32) simd.Rows {
	return simd.Rows{Data: m.Data, Stride: m.Stride, IDs: rows}
}

// EachAlone returns n lists; list i has only row i.
func EachAlone(n int) (l simd.Lists) {
	for i := range n {
		l.Starts = append(l.Starts, uint64(i))
		l.Rows = append(l.Rows, uint32(i))
		l.Weights = append(l.Weights, 1)
	}
	l.Starts = append(l.Starts, uint64(n))
	return l
}

// WholeLines rounds n up so that an allocation of so many items shares no cache line with others: Go aligns
// allocations whose size is a multiple of 64 bytes.
func WholeLines(n int) int { return (n + 31) &^ 31 }

// Sizes of rows and lists in bytes. float64 avoids overflow.

// RowBytes is the size of a worker's row.
func RowBytes(cols int) float64 { return math.Ceil(float64(cols)/16) * 64 }

// LineItems is WholeLines for large numbers.
func LineItems(n float64) float64 { return math.Ceil(n/32) * 32 }

// Grown is about how much memory a growing list takes, as a multiple of its final size.
const Grown = 2

// AloneBytes is the size of a list of one row: see EachAlone.
const AloneBytes = 8 + 4 + 4
