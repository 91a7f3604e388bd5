// Package compose computes the vectors of words from rows, and applies changes of the vectors to the rows.
// Words are single rows, means of rows, or sums of rows with learned weights; rows may be narrower than
// vectors.
package compose

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// InputName is the name of the matrix of the rows that words are made of.
const InputName = "input"

// A Composition belongs to a run. All workers share it.
type Composition struct {
	run     settings.Run
	of      subword.Composition
	learned subword.Learned // numbers that multiply rows, if there are any
	table   *rowtable.Table
	lists   simd.Lists // rows of each word
	runs    *wordRuns  // of texts; nil without them

	once  sync.Once
	free  simd.Lists // rows of each word that are not frozen
	texts *textRows
}

// New returns the composition for these settings.
func New(r settings.Run) *Composition {
	r.Subword = subword.Value(r.Subword)
	of := subword.CompositionOf(r.Subword)
	return &Composition{run: r, of: of, learned: of.Learned(r.Subword)}
}

// Check returns an error if the settings of the composition are invalid.
func (c *Composition) Check() error {
	switch {
	case c.run.Rank < 0 || c.Projects() && c.run.Rank >= c.run.Dim:
		return fmt.Errorf("rank %d is not from 1 to less than the %d dimensions: as many, or more, would need more numbers than rows of their own", c.run.Rank, c.run.Dim)
	case c.learned.Appended >= c.run.Dim:
		return fmt.Errorf("%d appended weights leave nothing of %d dimensions", c.learned.Appended, c.run.Dim)
	case c.run.OwnWeight != 0 && c.run.OwnWeight != 1 && c.run.Subword == nil:
		return errors.New("an own weight is for words with n-grams, and plain words have none")
	case !c.run.Halves():
	case c.run.Subword == nil:
		return errors.New("precision f16 is for models with n-grams, and plain words have none: take precision f32")
	case c.learned.Any():
		return fmt.Errorf("precision f16 is not for %s, whose rows have learned weights: train them with precision f32", subword.TitleOf(c.run.Subword))
	}
	return nil
}

// Capabilities says what the composition can be combined with.
func (c *Composition) Capabilities() (parts []capability.Part) {
	type reasons = map[capability.Capability]string
	title := subword.TitleOf(c.run.Subword)
	if c.run.Subword != nil { // words of several rows
		lacks := reasons{
			capability.OneRow:  "with n-grams each output would be composed of many rows",
			capability.Divides: "words with n-grams share rows",
		}
		if !c.of.OwnRows() {
			lacks[capability.Sums] = "words of " + title + " have no rows of their own"
			lacks[capability.Freezes] = "rows of " + title + " belong to all words, so none can be frozen for some"
		}
		parts = append(parts, capability.Part{Lacks: lacks})
	}
	if c.learned.Any() {
		lacks := reasons{
			capability.Columns: "the weights of " + title + " are shared by all columns",
			capability.Sums:    "rows of " + title + " have learned weights",
		}
		if c.learned.Appended > 0 {
			lacks[capability.Projects] = "appended weights are dimensions of the vectors themselves, and a projection would mix them with others"
			lacks[capability.Turns] = "appended weights are dimensions of their own"
			lacks[capability.Nests] = "appended weights are the last dimensions, and the first of nested ones would lack them"
		}
		parts = append(parts, capability.Part{Lacks: lacks})
	}
	if c.Projects() {
		const shared = "a projection is shared by all words"
		parts = append(parts, capability.Part{Needs: reasons{capability.Projects: ""}, Lacks: reasons{
			capability.OneRow:  "with a projection every negative would have to be multiplied by it",
			capability.Freezes: "no vectors can be frozen with a rank: all words share the projection",
			capability.Columns: shared,
			capability.Divides: shared,
			capability.Turns:   shared,
		}})
	}
	if c.run.Halves() {
		parts = append(parts, capability.Part{Lacks: reasons{capability.Columns: "rows of 16 bits are rounded as wholes"}})
	}
	return parts
}

// Matrices describes the matrices that words are made of. The input matrix has so many rows. The table lists
// the rows of each word; it is nil before rows are numbered, and then the matrices cannot be initialised.
func (c *Composition) Matrices(rows int, table *rowtable.Table) []params.Matrix {
	input := params.Matrix{
		Name: InputName, Title: "input vectors", Role: params.Input, Halves: c.run.Halves(),
		Rows: rows, Cols: c.run.Width() - c.learned.Appended,
	}
	if table != nil {
		input.Init = c.initial(table)
		input.Touched = func(w params.Words) []float32 {
			all := make([]float32, rows)
			for word, kept := range w.Kept {
				of, _ := table.Of(uint32(word))
				for _, row := range of {
					all[row] += float32(kept)
				}
			}
			return all
		}
	}
	list := []params.Matrix{input}
	if c.learned.Any() {
		list = append(list, learnedMatrix(c.learned, table))
	}
	if c.Projects() {
		list = append(list, params.Matrix{
			Name: projectionName, Title: "a projection", Role: params.Other,
			Rows: c.run.Rank, Cols: c.run.Dim, Replicated: true, Projects: true, Init: directions,
		})
	}
	return list
}

// initial returns an Init of rows. What no text trains is zeros.
func (c *Composition) initial(table *rowtable.Table) func(vectors.Matrix, uint64) {
	bound := c.Bound()
	if table.RowShare != nil { // as in fastText, whose classifiers of words without pieces begin like others
		bound = 1 / float32(c.run.Width())
	}
	uniform := params.Uniform(table.Members, bound)
	if table.RowShare == nil || table.Untrained() < 0 {
		return uniform
	}
	return func(rows vectors.Matrix, seed uint64) {
		uniform(rows, seed)
		clear(rows.Row(table.Untrained()))
	}
}

// Bound is the largest initial magnitude of a number of a row, as in word2vec.c or, with pieces, fastText.
func (c *Composition) Bound() float32 {
	if c.run.Subword == nil {
		return 0.5 / float32(c.run.Width())
	}
	return 1 / float32(c.run.Width())
}

// OwnRows reports whether each word has a row of its own.
func (c *Composition) OwnRows() bool { return c.of.OwnRows() }

// Projects reports whether rows are narrower than vectors.
func (c *Composition) Projects() bool { return c.run.Rank != 0 }

// ProjectionRate returns the rate of a new run's projection, or 0 if it has none: see step.Division.
func (c *Composition) ProjectionRate() float32 {
	if c.Projects() {
		return projectionRate
	}
	return 0
}

// Rate is the factor of the learning rate that suits the composition.
func (c *Composition) Rate() float64 {
	if c.learned.Any() {
		return c.learned.RowRate
	}
	return 1
}

// Prepare computes what all workers need to know about the rows of words.
func (c *Composition) Prepare(words *vocab.Vocab, table *rowtable.Table) {
	c.table = table
	if table.RowShare != nil {
		c.prepareTexts(words, table)
	}
	if !table.Identity() {
		c.lists.Starts, c.lists.Rows, c.lists.Weights = table.Lists()
	}
}

// freeLists returns the lists of each word's rows that are not frozen, without weights if any is.
func (c *Composition) freeLists(frozen []bool) simd.Lists {
	if frozen == nil {
		return c.lists
	}
	c.once.Do(func() {
		c.free.Starts = []uint64{0}
		for i, first := range c.lists.Starts[:len(c.lists.Starts)-1] {
			for _, row := range c.lists.Rows[first:c.lists.Starts[i+1]] {
				if !frozen[row] {
					c.free.Rows = append(c.free.Rows, row)
				}
			}
			c.free.Starts = append(c.free.Starts, uint64(len(c.free.Rows)))
		}
	})
	return c.free
}

// A Worker is the composition of a worker.
type Worker interface {
	step.Composition
	// Find does the part of Begin that does not change numbers, for all columns at once.
	Find(t step.Text, first, last, centres int)
	// Columns returns the composition for some columns of the input matrix. It shares the result of Find.
	Columns(input vectors.Matrix) step.Composition
}

// Worker returns the composition of a worker, whose steps also need the words around centres if around is true. A table
// for texts gives the composition of texts.
func (c *Composition) Worker(p step.Parts, around bool) Worker {
	input := p.Values.Matrix(InputName)
	var w Worker
	if c.table.RowShare != nil {
		return c.pooled(p, c.newTexts(p, input))
	}
	if c.table.Identity() {
		w = &words{source: step.Source{Matrix: input, Frozen: p.Values.Frozen(InputName)}}
	} else {
		w = c.newCache(p, input, around)
	}
	if c.Projects() {
		return &projected{w, &projection{
			Replica:  p.Replicas.Of(projectionName),
			inputs:   step.NewRows(p.Division.Centres, c.run.Rank),
			gradient: step.NewRows(p.Division.Centres, c.run.Rank),
			rate:     cmp.Or(p.Division.Projection, projectionRateBefore),
		}}
	}
	return w
}

// Bytes is the size of what Worker returns. Columns of it take ValuesBytes more, all of them together.
func (c *Composition) Bytes(d step.Division, table *rowtable.Table, around bool) (bytes float64) {
	const (
		token = step.Grown*(8+2*(4+4)+4) + 4 + 1 // changes and places; words, and whether they were seen
		entry = step.Grown * (3*4 + 4)           // lists, cells and numbers
	)
	if c.Projects() {
		bytes = 2 * float64(d.Centres) * step.RowBytes(c.run.Rank) // without the replica
	}
	if d.Cached == 0 {
		return bytes
	}
	margin := 2 * c.margin(around)
	length, words := float64(d.Cached+margin), max(float64(table.Words()), 1)
	if table.RowShare != nil {
		return c.textBytes(d, table)
	}
	bytes += c.ValuesBytes(d, around) + token*length + 4*words + 4*float64(d.Step()+margin)
	if table.Cells() != nil {
		bytes += entry * (float64(table.Entries()) / words) * min(length, words)
	}
	return bytes
}

// PreparedBytes is the size of what Prepare and the first worker compute of a table of texts.
func (c *Composition) PreparedBytes(table *rowtable.Table) float64 {
	if table.RowShare == nil {
		return 0
	}
	bytes := textRowsBytes(table)
	if c.run.WordNgrams > 1 {
		bytes += 8 * float64(table.Words())
	}
	return bytes
}

// margin is how far around its centres a step needs words.
func (c *Composition) margin(around bool) int {
	if around {
		return min(c.run.Window, vocab.MaxSentence)
	}
	return 0
}

// words composes words of one row each, which is the word's vector.
type words struct{ source step.Source }

func (w *words) Source() step.Source       { return w.source }
func (*words) Span() int                   { return step.MaxText }
func (*words) Compose(int)                 {}
func (*words) Scatter(int, uint32)         {}
func (*words) Projection() step.Projection { return nil }

// Find sets the row of each word of the text to the word's id.
func (*words) Find(t step.Text, _, _, _ int) { copy(t.Rows, t.IDs) }

func (w *words) Begin(t step.Text, first, last, centres int) { w.Find(t, first, last, centres) }

func (w *words) Columns(input vectors.Matrix) step.Composition {
	part := *w
	part.source.Matrix = input
	return &part
}

const projectionName = "projection"

// directions sets rows to random rows of length 1, so that a projected row is about as long as the row.
func directions(m vectors.Matrix, seed uint64) {
	for r := range m.Rows {
		row := m.Row(r)
		g := random.Stream(^seed, uint64(r))
		var squares float64
		for k := range row {
			row[k] = g.Uniform()
			squares += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(squares))
		}
	}
}

// A projected is a composition whose rows are narrower than vectors.
type projected struct {
	Worker
	projection *projection
}

func (p *projected) Projection() step.Projection { return p.projection }

// A projection multiplies rows by a matrix that all rows share (ALBERT, Lan et al. 2020).
type projection struct {
	*step.Replica
	inputs   simd.Block // S × rank: inputs before the projection
	gradient simd.Block // of inputs
	rate     float32
}

// Inputs returns the block for so many inputs before the projection.
func (p *projection) Inputs(n int) simd.Block {
	p.inputs.Rows, p.gradient.Rows = n, n
	return p.inputs
}

// Project sets hidden to the projected inputs.
func (p *projection) Project(hidden simd.Block) { simd.Gemm(hidden, p.inputs, p.Own) }

// Back updates the projection, given the gradient of the projected inputs, and returns the gradient of the
// inputs.
//
// All inputs of a block change the same matrix, and so affect each other. Their steps are divided by their
// total squared length, which would change a vector about as far as the changes of its rows do (normalised
// least mean squares). The step is the projection's rate times that.
func (p *projection) Back(gradient simd.Block) simd.Block {
	simd.GemmTransposed(p.gradient, gradient, p.Own)
	simd.AddOuter(p.Own, p.inputs, gradient, p.rate/(1+squares(p.inputs)))
	return p.gradient
}

// Rates of projections. With the one before revision 6, a projection follows the last texts, and words that they do not have
// get worse: see docs/variants.md.
const (
	projectionRate       = 0.01
	projectionRateBefore = 0.1
)

func squares(b simd.Block) (sum float32) {
	for i := range b.Rows {
		for _, x := range b.Row(i) {
			sum += x * x
		}
	}
	return sum
}
