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

// A step is the same for every variant. Differences between variants are in an Architecture, a Loss and a
// Composition, of which each worker has its own. Their methods are called once a block, and do not allocate.

// An Architecture says which inputs a block has, and what the inputs should predict.
type Architecture interface {
	Traits() Traits
	// Select sets the targets of the batch, whose text, centres and window are set.
	Select(b *Batch)
	// Compose computes the inputs of the batch, one for each centre, from rows of the source.
	Compose(b *Batch, inputs simd.Block)
	// Scatter adds the inputs' gradient to the rows that inputs are made of, each its share. It is not called
	// if inputs are rows themselves: see Traits.
	Scatter(b *Batch, gradient simd.Block)
}

// Traits describe all blocks of an architecture.
type Traits struct {
	Targets int  // largest number of targets in a block
	Heads   int  // number of output matrices, each with a row for every word
	Rows    bool // inputs are the centres' rows of the source
	Around  bool // inputs are made of the rows of words around the centres
	Drawn   bool // contexts are drawn at random: see Batch.Contexts
	Texts   bool // a centre is a whole text, and its targets are labels: see Texts
}

// A Loss says which output rows should score high with which inputs, and which low.
type Loss interface {
	// Pairs returns the largest numbers of rows of the positives and the negatives of a block.
	Pairs() (positives, negatives int)
	// Fetched returns output rows, of one head, that a block with these words as targets reads, and that are
	// worth prefetching. They are valid until the next call.
	Fetched(words []uint32) []uint32
	// Draw draws words for a block.
	Draw(words []uint32, g *random.Generator)
	// Pair makes pairs from the targets of the batch and from the drawn words.
	Pair(b *Batch, rate float32)
	// Settle removes, from the errors of negatives, the part of pairs whose target the negative is, and what
	// else errors have too much. It returns the loss of that part if wantLoss is true.
	Settle(b *Batch, wantLoss bool, score Scores) float64
	// Objective returns how errors are computed. It is nil for logistic regression.
	Objective() Objective
}

// Scores returns the score of a row of the batch's positives or negatives and an input, by columns.
type Scores func(of *Pairs, row, input, columns int) float32

// An Objective computes the errors of pairs from their scores.
type Objective interface {
	// Errors sets errors[j*simd.Lanes+i] to the error of the pair of row p.Rows[j] and input i: minus the
	// derivative of its loss by the score scores[j*simd.Lanes+i], times p.Weights[i]. The error is 0 if row
	// and input are not a pair. If wantLoss is true, Errors returns the sum of weights times losses,
	// otherwise 0.
	Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) float64
}

// A Rounder is an Objective whose Errors also rounds errors as p.Rounding says, and sets p.Kept.
type Rounder interface {
	Objective
	Rounds()
}

// A Composition computes the vectors of words from rows, and applies changes of vectors to the rows. It
// trains a text in spans of consecutive tokens, and spans in steps.
type Composition interface {
	// Source returns the source of the words' vectors.
	Source() Source
	// Span returns the number of tokens in a span, which is a whole number of steps.
	Span() int
	// Begin starts the span of positions first to last-1 of the text, with steps of so many centres. It sets
	// the text's rows, also of words around the span that are needed.
	Begin(t Text, first, last, centres int)
	// Compose computes the vectors of words that step k of the span is the first to need.
	Compose(k int)
	// Scatter adds the changes of vectors to the rows of words that no step after step k needs. 16-bit rows
	// are rounded at random, by the seed.
	Scatter(k int, seed uint32)
	// Projection returns the projection of inputs to the width of vectors; nil if inputs have that width.
	Projection() Projection
}

// A Projection turns inputs into wider ones.
type Projection interface {
	// Inputs returns the block for so many inputs before the projection.
	Inputs(n int) simd.Block
	// Project sets hidden to the projected inputs.
	Project(hidden simd.Block)
	// Back updates the projection, given the gradient of the projected inputs, and returns the gradient of
	// the inputs.
	Back(gradient simd.Block) simd.Block
}

// Parts are what a worker's own part of a variant is made from.
type Parts struct {
	Values   *params.Values
	Replicas *Replicas
	Division Division
	Source   Source // of the composition, for its architecture
	Traits   Traits // of the architecture, for its loss
}

func (p Parts) outputName() string {
	for _, m := range p.Values.List() {
		if m.Role == params.Output {
			return m.Name
		}
	}
	return ""
}

// Output has all output rows: those of the matrix of outputs, and those behind it.
func (p Parts) Output() vectors.Matrix { return p.Values.OfStep(p.outputName()) }

// A Division is how a run divides its work.
type Division struct {
	Centres   int     `json:"centres"`             // largest number of centres in a block
	Draws     int     `json:"draws"`               // words drawn for a block
	SuperStep int     `json:"round,omitempty"`     // number of blocks that a column-parallel group trains in one step; 0 for independent workers
	Cached    int     `json:"stretch,omitempty"`   // number of tokens whose vectors are composed once; 0 for plain words
	Contexts  float64 `json:"contexts,omitempty"`  // mean number of contexts of a centre, if inputs are means of contexts
	Segments  []int   `json:"segments,omitempty"`  // first columns of a group's segments, followed by the number of columns: see package engine
	Threshold float32 `json:"threshold,omitempty"` // for rounding errors of negatives; 0 does not round

	// Projection is how far a projection moves, of what its rows would move; 0 means 0.1, as before revision 6.
	Projection float32 `json:"projection,omitempty"`
}

// Step returns the largest number of centres that are trained in one step.
func (d Division) Step() int { return d.Centres * max(d.SuperStep, 1) }

// A Size has the numbers that determine the size of a step.
type Size struct {
	Division
	Positives, Negatives float64 // largest numbers of rows
	Matrices             params.List
	Dim                  int
	Lists                int  // number of lists of errors
	Direct               bool // changes of inputs go directly to rows of the source
	Scored               bool // errors are computed from scores
}

// Bytes is the size of a step, without its parts.
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
	return bytes + ReplicaBytes(s.Matrices) + copiesBytes(s.Matrices)
}

// A Source is a matrix whose rows are the vectors of words: a matrix of the model, or composed vectors.
type Source struct {
	vectors.Matrix
	Frozen []bool // frozen rows; nil if none are
	Cached bool   // rows were composed, and are in a near cache
	Slow   *Slow  // columns by which output rows move less far; nil if there are none
}

// Slow are the columns from one on. By their numbers output rows move Rates times as far as by others, by row of the source.
type Slow struct {
	From  int
	Rates []float32
}

// SlowDown multiplies the slow columns of inputs, which are these rows, by their rates. Then output rows can be updated.
func (s *Source) SlowDown(inputs simd.Block, rows []uint32) {
	if s.Slow == nil {
		return
	}
	for i, row := range rows {
		rate, numbers := s.Slow.Rates[row], inputs.Row(i)[s.Slow.From:]
		for k := range numbers {
			numbers[k] *= rate
		}
	}
}

// alone has a weight of 1 for each row of a block, and the starts of lists of one row.
var alone = struct {
	starts  [simd.Lanes + 1]uint64
	weights [simd.Lanes]float32
}{
	starts:  [...]uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
	weights: [...]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
}

// lists returns lists of one row each, for up to simd.Lanes rows.
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

// A Text is subsampled sentences, one after the other, with the bounds of the sentence of each position.
type Text struct {
	IDs      []uint32 // words
	Rows     []uint32 // rows of the source for the words that are trained next
	From, To []int32
	Texts    *Texts // nil unless centres are whole texts; then IDs are the first labels of texts, and From and To are empty
}

// Texts are texts as centres, one after the other. Text i has the words WordEnds[i] to WordEnds[i+1]-1, and labels
// likewise.
type Texts struct {
	Words, Labels       []uint32
	WordEnds, LabelEnds []int // with a 0 before the first text
	Weights             []float32
}

// MaxLabels is the largest number of labels of a text that count.
const MaxLabels = 256

// TextTokens is about how many tokens a worker takes at a time, in whole texts of whole blocks.
const TextTokens = 1024

// LabelsOf returns the labels of a text.
func (t *Texts) LabelsOf(text int) []uint32 { return t.Labels[t.LabelEnds[text]:t.LabelEnds[text+1]] }

// WordsOf returns the words of a text.
func (t *Texts) WordsOf(text int) []uint32 { return t.Words[t.WordEnds[text]:t.WordEnds[text+1]] }

// Empty removes all texts.
func (t *Texts) Empty() {
	t.Words, t.Labels, t.Weights = t.Words[:0], t.Labels[:0], t.Weights[:0]
	t.WordEnds, t.LabelEnds = append(t.WordEnds[:0], 0), append(t.LabelEnds[:0], 0)
}

// Windows are the windows of blocks.
type Windows struct {
	most int // 0 if contexts are drawn from whole lines
	mode settings.WindowMode
}

// WindowsOf returns the windows of a run.
func WindowsOf(r settings.Run) Windows { return Windows{r.Window, r.WindowMode} }

// Draw draws the window of a block. Fixed windows and whole lines use no random number.
func (w Windows) Draw(g *random.Generator) int {
	switch {
	case w.most == 0 || w.mode == settings.Fixed:
		return w.most
	case w.mode == settings.Harmonic:
		// If u is uniform between 0 and 1, then 1/u is at least d with probability 1/d.
		u := g.Next()>>32 + 1
		return int(min((math.MaxUint32+1)/u, uint64(w.most)))
	}
	return 1 + g.Below(w.most)
}

// A Replica is a worker's own copy of a replicated matrix, which is so small that every block of every worker
// changes all of it. After every text, a worker adds the changes of its copy to the matrix, so workers do not
// wait for each other's cache lines.
type Replica struct {
	Own    simd.Block // what the worker trains
	shared vectors.Matrix
	began  simd.Block // value of Own when it was copied
	rows   simd.Lists // a list for each row
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

// Rows returns all rows of a matrix of the replica's shape.
func (r *Replica) Rows(of simd.Block) simd.Rows {
	return simd.Rows{Data: of.Data, Stride: of.Stride, IDs: r.all}
}

func (r *Replica) take() {
	simd.GatherLists(r.Own, r.shared.Data, r.shared.Stride, r.rows, r.all)
	copy(r.began.Data, r.Own.Data)
}

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

// Of returns the copy of the matrix of that name. It panics if the matrix is not replicated.
func (r *Replicas) Of(name string) *Replica {
	for i, n := range r.names {
		if n == name {
			return r.all[i]
		}
	}
	panic("step: matrix " + name + " is not replicated")
}

// Take copies the current matrices.
func (r *Replicas) Take() {
	for _, replica := range r.all {
		replica.take()
	}
}

// Give adds the changes of the copies to the matrices.
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
