package engine

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A group is column-parallel: several goroutines, the worker's own and others, train the texts of one worker,
// and the result does not depend on their number. Each goroutine owns columns of all matrices, so rows never
// move from one processor's cache to another's. The text is trained in super-steps of a few blocks. In a
// super-step, goroutines first score their columns of all blocks. When all have finished, they share out the
// blocks, sum each block's scores and compute its errors. When all have finished, each updates its own
// columns for all blocks, in the order of the blocks. So each number is computed by one goroutine, in the
// order of the text. Goroutines read only scores and errors from each other.
type group struct {
	worker     *Worker
	input, out vectors.Matrix
	segments   []int      // boundaries between the columns of the input matrix: see Segments
	parts      int        // of an output row, which all are as wide as an input row
	slots      [2][]*slot // blocks of the current super-step and of the next, alternating
	all        []*columns
	barrier    *barrier
	seed       uint64 // seed of the blocks' random numbers
	closed     bool

	// What is being trained.
	text step.Text
	rate float32
}

func newGroup(w *Worker) *group {
	d, run := w.parts.Division, w.run.Variant.Run
	g := &group{
		worker:   w,
		input:    w.parts.Values.Matrix(w.run.Variant.Input()),
		out:      w.parts.Output(),
		segments: d.Segments, parts: run.Pooling.Parts(), seed: random.Mix(run.Seed),
	}
	for i := range g.slots {
		for range d.SuperStep {
			g.slots[i] = append(g.slots[i], newSlot(w))
		}
	}
	segments, n := len(g.segments)-1, Goroutines(run.Threads, g.segments)
	g.barrier = newBarrier(n)
	for i := range n {
		c := newColumns(g, i, n, segments*i/n, segments*(i+1)/n)
		g.all = append(g.all, c)
		if i > 0 {
			go c.follow()
		}
	}
	return g
}

func groupBytes(v *variant.Variant, d step.Division, outputs *vocab.Vocab) float64 {
	dim, segments := v.Run.Hidden(), v.Run.Pooling.Parts()*(len(d.Segments)-1)
	positives, negatives := v.Loss.Most(v.Architecture.Traits(d.Centres).Targets, d.Draws, outputs)
	rows := positives + negatives
	slot := v.BatchBytes(d, outputs) + rows*(4+float64(segments)*step.RowBytes(simd.Lanes))
	bytes := float64(dim)*step.RowBytes(simd.Lanes) + float64(d.SuperStep)*(2*slot+2*float64(d.Centres)*step.RowBytes(dim))
	if Goroutines(v.Run.Threads, d.Segments) > 1 {
		bytes += v.Composition.ValuesBytes(d, v.Around())
	}
	return bytes
}

// load copies the parameters to the goroutines' own matrices; store copies them back.
func (g *group) load()  { g.move(func(own, all []float32) { copy(own, all) }) }
func (g *group) store() { g.move(func(own, all []float32) { copy(all, own) }) }

// move calls copy for a goroutine's own numbers of each row, and the same numbers in the shared matrix.
func (g *group) move(copy func(own, all []float32)) {
	if len(g.all) == 1 {
		return
	}
	var done sync.WaitGroup
	for _, c := range g.all {
		done.Go(func() {
			first, last := g.segments[c.first], g.segments[c.last]
			for _, of := range []struct {
				own, all vectors.Matrix
				parts    int
			}{{c.input, g.input, 1}, {c.out, g.out, g.parts}} {
				for row := range of.own.Rows {
					own, all := of.own.Row(row), of.all.Row(row)
					for p := range of.parts {
						copy(own[p*(last-first):][:last-first], all[p*g.input.Cols+first:][:last-first])
					}
				}
			}
		})
	}
	done.Wait()
}

func (g *group) close() {
	g.closed = true
	g.barrier.wait()
}

func (g *group) train(t step.Text, rate float32) (pairs int, loss float64) {
	if len(t.IDs) == 0 {
		return 0, 0 // without a super-step, goroutines would not wait for each other at the end of the text
	}
	g.text, g.rate = t, rate
	g.barrier.wait()
	return g.all[0].train()
}

// A columns is one goroutine's share of the work of a group.
type columns struct {
	group       *group
	number, of  int            // index of the goroutine, and the number of goroutines
	first, last int            // its segments
	input, out  vectors.Matrix // its columns of the parameters
	source      step.Source    // its columns of words' vectors
	composition step.Composition
	blocks      []block   // by slot
	transposed  []float32 // the hidden vectors of a block
}

// A block has what updates some columns: the input vectors of a block's centres, and their gradients.
type block struct{ hidden, gradient simd.Block }

// newColumns returns the share of goroutine number of n. A single goroutine uses the parameter matrices
// directly. Several goroutines have copies of their columns, synchronised only by load and store: if parts of
// a row belonged to different processors, each would prefetch lines that the other is changing, and take them
// from its cache.
func newColumns(g *group, number, of, first, last int) *columns {
	parts := &g.worker.parts
	c := &columns{
		group: g, number: number, of: of, first: first, last: last,
		input: g.input, out: g.out, composition: parts.Composition,
	}
	cols := g.segments[last] - g.segments[first]
	if of > 1 {
		c.input, c.out = vectors.NewMatrix(g.input.Rows, cols), vectors.NewMatrix(g.out.Rows, g.parts*cols)
		c.composition = parts.Composition.Columns(c.input)
	}
	c.source = c.composition.Source()
	cols *= g.parts
	c.transposed = vectors.NewMatrix(cols, simd.Lanes).Data
	for range parts.Division.SuperStep {
		c.blocks = append(c.blocks, block{step.NewRows(parts.Division.Centres, cols), step.NewRows(parts.Division.Centres, cols)})
	}
	return c
}

func (c *columns) follow() {
	for {
		c.group.barrier.wait()
		if c.group.closed {
			return
		}
		c.train()
	}
}

// train does the goroutine's share of a text. All goroutines go through the same super-steps. The first
// goroutine returns the result of group.train.
func (c *columns) train() (pairs int, loss float64) {
	g, w := c.group, c.group.worker
	d := &w.parts.Division
	number, length := w.blocks, len(g.text.IDs)
	now := c.prepare(g.slots[0], 0, number)
	c.begin(0)
	for first, turn := 0, 1; first < length; first, turn = first+d.Step(), 1-turn {
		c.score(now)
		g.barrier.wait()
		c.errors(now)
		number += uint64(d.SuperStep)
		next := c.prepare(g.slots[turn], first+d.Step(), number)
		g.barrier.wait()
		c.update(now, next)
		c.goOn(first)
		if c.number == 0 {
			for _, s := range now {
				w.paired = w.paired || s.found > 0
				pairs += s.pairs
				loss += s.loss
			}
		}
		now = next
	}
	g.barrier.wait() // until all updates are made
	if c.number == 0 {
		w.blocks = number
	}
	return pairs, loss
}

// begin starts the span at position first of the text, after all goroutines have arrived.
func (c *columns) begin(first int) {
	g, parts := c.group, &c.group.worker.parts
	if c.number == 0 {
		parts.Composition.Find(g.text, first, min(first+parts.Composition.Span(), len(g.text.IDs)), parts.Division.Step())
	}
	g.barrier.wait()
	c.composition.Compose(0)
}

// goOn scatters words whose last occurrence has passed, and composes the words of the next super-step.
func (c *columns) goOn(first int) {
	span, by := c.composition.Span(), c.group.worker.parts.Division.Step()
	k, next := first%span/by, first+by
	c.composition.Scatter(k, 0) // 16-bit rows are not trained by groups, so no seed is needed
	switch {
	case next >= len(c.group.text.IDs):
	case next%span > 0:
		c.composition.Compose(k + 1)
	default:
		c.group.barrier.wait() // until all goroutines have finished the span
		c.begin(next)
	}
}

// prepare prepares the goroutine's blocks of a super-step. Number is that of the first block, and its first
// centre is at position first of the text. It returns the slots of all blocks.
func (c *columns) prepare(slots []*slot, first int, number uint64) []*slot {
	g, d := c.group, &c.group.worker.parts.Division
	length := len(g.text.IDs)
	blocks := (max(min(d.Step(), length-first), 0) + d.Centres - 1) / d.Centres
	for i := c.number; i < blocks; i += c.of {
		begin := first + i*d.Centres
		slots[i].prepare(g, number+uint64(i), begin, min(begin+d.Centres, length))
	}
	return slots[:blocks]
}

// score scores the pairs of a super-step in the goroutine's columns, segment by segment.
func (c *columns) score(slots []*slot) {
	segments := c.group.segments
	begin := segments[c.first]
	for i, s := range slots {
		h := &c.blocks[i].hidden
		h.Rows = len(s.batch.CentreRows)
		c.source.Gather(*h, s.batch.CentreRows)
		simd.Transpose(c.transposed, *h)
		for k := c.first; k < c.last; k++ {
			for p := range c.group.parts {
				from := p*c.input.Cols + segments[k] - begin
				part := simd.Block{Data: h.Data[from:], Rows: h.Rows, Cols: segments[k+1] - segments[k], Stride: h.Stride}
				simd.Scores(s.scores[(k*c.group.parts+p)*s.part:], part, c.transposed[from*simd.Lanes:], c.out.Data[from:], c.out.Stride, s.all)
			}
		}
	}
}

func (c *columns) errors(slots []*slot) {
	for i := c.number; i < len(slots); i += c.of {
		slots[i].errors(c.group.rate, random.Mix(slots[i].number)%lossEvery == 0 || !c.group.worker.paired)
	}
}

// update updates the goroutine's columns for a super-step, and prefetches the rows of the next.
func (c *columns) update(slots, next []*slot) {
	for i, s := range slots {
		c.blocks[i].find(&s.batch, c.out)
		if i < len(next) {
			n := next[i]
			simd.Prefetch(c.out.Data, c.out.Stride, n.all, c.out.Cols)
			if !c.source.Cached {
				simd.Prefetch(c.source.Data, c.source.Stride, n.batch.CentreRows, c.source.Cols)
			}
		}
	}
	for i, s := range slots {
		c.blocks[i].take(&s.batch, &c.source, c.out)
	}
}

// find computes the gradients of a block's centres in the columns of out, before any update.
func (k block) find(b *step.Batch, out vectors.Matrix) {
	clear(k.gradient.Data)
	for _, p := range []*step.Pairs{&b.Positives, &b.Negatives} {
		simd.AddRows(step.OwnRows(k.gradient), step.RowsOf(out, p.Rows), out.Cols, p.Errors[0], p.ToInputs[:len(p.Rows)])
	}
	for i, limit := range b.Limits {
		for j := range k.gradient.Row(i) {
			k.gradient.Row(i)[j] *= limit
		}
	}
}

func (k block) take(b *step.Batch, source *step.Source, out vectors.Matrix) {
	source.Scatter(b.CentreRows, k.gradient)
	source.SlowDown(k.hidden, b.CentreRows)
	for _, p := range []*step.Pairs{&b.Positives, &b.Negatives} {
		simd.UpdateRows(step.RowsOf(out, p.Rows), step.OwnRows(k.hidden), out.Cols, p.Errors[0], p.ToRows[:len(p.Rows)])
	}
}

// A barrier lets a number of goroutines wait for each other: everything that one did before it waited has
// happened before any continues. Usually they wait for less time than putting a goroutine to sleep and waking
// it takes, so they spin. After a long time they sleep.
type barrier struct {
	goroutines int32
	_          [60]byte // padding: the fields below have their own cache line
	arrived    atomic.Int32
	_          [60]byte
	passed     atomic.Uint32 // how often all goroutines have arrived
	_          [60]byte
	sleeping   atomic.Int32
	mutex      sync.Mutex
	wake       *sync.Cond // guarded by mutex: signals that passed has changed
}

func newBarrier(goroutines int) *barrier {
	b := &barrier{goroutines: int32(goroutines)}
	b.wake = sync.NewCond(&b.mutex)
	return b
}

// Spins before a goroutine lets others run, which it may be waiting for, and before it sleeps.
const (
	spins  = 2000
	yields = 300
)

// wait waits until all goroutines have called it as often as this one.
func (b *barrier) wait() {
	if b.goroutines == 1 {
		return
	}
	passed := b.passed.Load()
	if b.arrived.Add(1) == b.goroutines {
		b.arrived.Store(0)
		b.passed.Add(1)
		// Either this goroutine sees the sleepers, or a goroutine that goes to sleep sees that all have
		// arrived.
		if b.sleeping.Load() > 0 {
			b.mutex.Lock()
			b.wake.Broadcast()
			b.mutex.Unlock()
		}
		return
	}
	for n := 0; b.passed.Load() == passed; n++ {
		switch {
		case n < spins:
		case n < spins+yields:
			runtime.Gosched()
		default:
			b.sleep(passed)
		}
	}
}

// sleep sleeps until all goroutines have arrived once more.
func (b *barrier) sleep(passed uint32) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.sleeping.Add(1)
	for b.passed.Load() == passed {
		b.wake.Wait()
	}
	b.sleeping.Add(-1)
}
