package step

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A step is the same for every variant. What differs between variants it asks of an
// Architecture, a Loss and a Composition, each of which is one worker's own. They are called
// once a block, and allocate nothing there.

// An Architecture says which inputs a block has, and what they are to predict.
type Architecture interface {
	Traits() Traits
	// Select sets the targets of the batch, whose text, centres and window are set.
	Select(b *Batch)
	// Compose makes the inputs of the batch, one for each centre, of rows of the source.
	Compose(b *Batch, inputs simd.Block)
	// Scatter gives the rows that inputs are made of their shares of the inputs' gradient.
	// It is not called where inputs are rows themselves: see Traits.
	Scatter(b *Batch, gradient simd.Block)
}

// Traits are what holds of all blocks of an architecture.
type Traits struct {
	Targets int  // the most of a block
	Heads   int  // output matrices, each with a row for every word
	Rows    bool // inputs are the centres' rows of the source
	Around  bool // inputs are made of the rows of words around the centres
	Drawn   bool // contexts are drawn at random: see Batch.Contexts
}

// A Loss says which output rows are to score high with which inputs, and which low.
type Loss interface {
	// Pairs returns how many rows the positives and the negatives of a block have at most,
	// and of what shape they are.
	Pairs() (positives, negatives PairsOf)
	// Fetched returns output rows of one head that a block reads if these words are its targets,
	// and that are worth fetching ahead. They are valid until the next call.
	Fetched(words []uint32) []uint32
	// Draw draws words for a block.
	Draw(words []uint32, g *random.Generator)
	// Pair makes pairs of the targets of the batch, and of the words that were drawn.
	Pair(b *Batch, rate float32)
	// Settle takes from the errors of negatives the part of those that are targets too. It
	// returns the loss of that part if it is wanted. Score returns the score of a negative
	// and an input, by columns (see nested.go).
	Settle(b *Batch, wantLoss bool, score func(negative, input, columns int) float32) float64
	// Objective returns how errors are found. It is nil for logistic regression.
	Objective() Objective
}

// An Objective finds the errors of pairs from their scores.
type Objective interface {
	// Errors sets errors[j*simd.Lanes+i] to the error of the pair of row p.Rows[j] and input
	// i: minus the derivative of its loss by the score scores[j*simd.Lanes+i], times
	// p.Weights[i]. It is 0 for what is no pair. If loss is wanted, Errors returns the sum of
	// weights times losses, else 0.
	Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) float64
}

// A Composition makes the vectors of words, and gives the rows that they are made of the
// changes of these. It trains a text in spans of consecutive tokens, and spans in steps.
type Composition interface {
	// Source is where the vectors of words are.
	Source() Source
	// Span is how many tokens are in a span, whole steps.
	Span() int
	// Begin begins the span of positions first to last-1 of the text, trained in steps of so
	// many centres. It sets the text's rows, also of the words around the span that are needed.
	Begin(t Text, first, last, centres int)
	// Compose makes the vectors of the words that step k of the span needs first.
	Compose(k int)
	// Scatter gives the rows of words that no step behind step k needs what these words'
	// vectors have changed by. Rows of fewer bits are rounded at random, by the seed.
	Scatter(k int, seed uint32)
	// Projection turns inputs into vectors of the model's width; nil if they are that already.
	Projection() Projection
}

// A Projection turns inputs into wider ones.
type Projection interface {
	// Inputs returns the block of so many inputs that is to be projected.
	Inputs(n int) simd.Block
	// Project sets hidden to the projected inputs.
	Project(hidden simd.Block)
	// Back takes the step of the projection itself, given the gradient of what it made, and
	// returns the gradient of the inputs.
	Back(gradient simd.Block) simd.Block
}

// Parts are what a worker's own part of a variant is made with.
type Parts struct {
	Values   *params.Values
	Replicas *Replicas
	Division Division
	Source   Source // of the composition, for its architecture
	Traits   Traits // of the architecture, for its loss
}

// outputName is the name of the matrix of output rows.
func (p Parts) outputName() string {
	for _, m := range p.Values.List() {
		if m.Role == params.Output {
			return m.Name
		}
	}
	return ""
}

// Output is the matrix of output rows.
func (p Parts) Output() vectors.Matrix { return p.Values.Matrix(p.outputName()) }

// A Division is how a run divides its work.
type Division struct {
	Centres   int     `json:"centres"`             // the most centres of a block
	Draws     int     `json:"draws"`               // words drawn for a block
	SuperStep int     `json:"round,omitempty"`     // blocks that a column-parallel group trains in one step; 0 for workers that do not wait for each other
	Cached    int     `json:"stretch,omitempty"`   // tokens whose vectors are composed once; 0 for plain words
	Contexts  float64 `json:"contexts,omitempty"`  // that a centre has on the average, where inputs are means of them
	Segments  []int   `json:"segments,omitempty"`  // first columns of a group's segments, and how many there are: see package engine
	Threshold float32 `json:"threshold,omitempty"` // of the rounding of negatives' errors; 0 for none
}

// Step is the most centres that are trained in one step.
func (d Division) Step() int { return d.Centres * max(d.SuperStep, 1) }

// A Size is what the size of a step depends on.
type Size struct {
	Division
	Positives, Negatives float64 // rows, at most
	Matrices             params.List
	Dim                  int
	Lists                int  // of errors
	Direct               bool // what inputs change by goes to rows of the source at once
	Scored               bool // errors are found from scores
}

// Bytes is the size of a step, but for what its parts have of their own.
func (s Size) Bytes() float64 {
	centres := float64(s.Centres)
	bytes := BatchBytes(s.Positives, s.Negatives, s.Draws, s.Lists)
	bytes += centres*RowBytes(s.Dim) + float64(s.Dim)*RowBytes(simd.Lanes) + 4*LineItems(float64(s.Draws))
	if !s.Direct {
		bytes += centres * RowBytes(s.Dim)
	}
	if s.Lists > 1 || s.Scored {
		most := max(s.Positives, s.Negatives)
		bytes += most*float64(s.Lists)*RowBytes(simd.Lanes) + 2*LineItems(most)
	}
	return bytes + ReplicaBytes(s.Matrices)
}

// A Source is a matrix in which the vectors of words are rows: those of the model, or composed
// ones.
type Source struct {
	vectors.Matrix
	Frozen []bool // rows that stay as they are; nil for none
	Cached bool   // rows were composed, and are in a near cache
}

// alone is a weight for each row of a block, and where its list begins that has one row.
var alone = func() (a struct {
	starts  [simd.Lanes + 1]uint64
	weights [simd.Lanes]float32
}) {
	for i := range a.starts {
		a.starts[i] = uint64(i)
	}
	for i := range a.weights {
		a.weights[i] = 1
	}
	return a
}()

// lists returns up to simd.Lanes rows as that many lists.
func lists(rows []uint32) simd.Lists {
	return simd.Lists{Starts: alone.starts[:], Rows: rows, Weights: alone.weights[:]}
}

// Gather sets row i of dst to row rows[i] of the source. There are at most simd.Lanes rows.
func (s *Source) Gather(dst simd.Block, rows []uint32) {
	simd.GatherLists(dst, s.Data, s.Stride, lists(rows), InOrder[:len(rows)])
}

// Scatter adds row i of delta to row rows[i] of the source, unless that is frozen.
func (s *Source) Scatter(rows []uint32, delta simd.Block) {
	if s.Frozen == nil {
		simd.ScatterLists(s.Data, s.Stride, lists(rows), InOrder[:len(rows)], delta)
		return
	}
	for i, row := range rows {
		if !s.Frozen[row] {
			simd.ScatterLists(s.Data, s.Stride, lists(rows[i:i+1]), InOrder[:1], delta.Slice(i, i+1))
		}
	}
}

// MaxText is the largest number of positions in a text.
const MaxText = 2 * vocab.MaxSentence

// A Text is a part of a corpus as training sees it: subsampled sentences one behind the
// other, with the bounds of the sentence of each position.
type Text struct {
	IDs      []uint32 // words
	Rows     []uint32 // of the source of words' vectors, for those that are trained next
	From, To []int32
}

// Windows are the windows of blocks.
type Windows struct {
	most int // 0 where contexts are drawn from whole lines
	mode settings.WindowMode
}

// WindowsOf returns the windows of a run.
func WindowsOf(r settings.Run) Windows { return Windows{r.Window, r.WindowMode} }

// Draw draws the window of a block. Windows of one width, and those of whole lines, take no
// random number.
func (w Windows) Draw(g *random.Generator) int {
	switch {
	case w.most == 0 || w.mode == settings.Fixed:
		return w.most
	case w.mode == settings.Harmonic:
		// With u uniform between 0 and 1, 1/u is d or more with probability 1/d.
		u := g.Next()>>32 + 1
		return int(min((math.MaxUint32+1)/u, uint64(w.most)))
	}
	return 1 + g.Below(w.most)
}

// A Replica is a worker's own copy of a replicated matrix, one so small that every block of
// every worker changes all of it. A worker hands over what its copy has changed by after
// every text: workers do not wait for each other's cache lines.
type Replica struct {
	Own    simd.Block // what the worker trains
	shared vectors.Matrix
	began  simd.Block // what Own was when it was taken
	rows   simd.Lists // each row alone
	all    []uint32
}

func newReplica(shared vectors.Matrix) *Replica {
	r := &Replica{
		shared: shared,
		Own:    NewRows(shared.Rows, shared.Cols),
		began:  NewRows(shared.Rows, shared.Cols),
		rows:   EachAlone(shared.Rows),
	}
	for i := range shared.Rows {
		r.all = append(r.all, uint32(i))
	}
	return r
}

// Rows are all rows of a matrix of the replica's shape.
func (r *Replica) Rows(of simd.Block) simd.Rows {
	return simd.Rows{Data: of.Data, Stride: of.Stride, IDs: r.all}
}

// take takes the matrix as it is.
func (r *Replica) take() {
	simd.GatherLists(r.Own, r.shared.Data, r.shared.Stride, r.rows, r.all)
	copy(r.began.Data, r.Own.Data)
}

// give adds to the matrix what the worker's copy has changed by since it was taken.
func (r *Replica) give() {
	for i, began := range r.began.Data {
		r.began.Data[i] = r.Own.Data[i] - began
	}
	simd.ScatterLists(r.shared.Data, r.shared.Stride, r.rows, r.all, r.began)
}

// Replicas are a worker's copies of all replicated matrices of a run.
type Replicas struct {
	names []string
	all   []*Replica
}

// NewReplicas copies the replicated matrices.
func NewReplicas(values *params.Values) *Replicas {
	r := &Replicas{}
	for m, rows := range values.Owned() {
		if m.Replicated {
			r.names, r.all = append(r.names, m.Name), append(r.all, newReplica(rows))
		}
	}
	return r
}

// Of returns the copy of the matrix of that name. It panics if that is not replicated.
func (r *Replicas) Of(name string) *Replica {
	for i, n := range r.names {
		if n == name {
			return r.all[i]
		}
	}
	panic("step: matrix " + name + " is not replicated")
}

// Take makes the copies what the matrices are now.
func (r *Replicas) Take() {
	for _, replica := range r.all {
		replica.take()
	}
}

// Give adds to the matrices what the copies have changed by.
func (r *Replicas) Give() {
	for _, replica := range r.all {
		replica.give()
	}
}

// ReplicaBytes is the size of the copies of replicated matrices.
func ReplicaBytes(list params.List) (bytes float64) {
	for m := range list.Owned() {
		if m.Replicated {
			bytes += float64(m.Rows) * (2*RowBytes(m.Cols) + Grown*(AloneBytes+4))
		}
	}
	return bytes
}
