package engine

import (
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A group is column-parallel: it trains the texts of one worker by several goroutines, the
// worker's own and others, in such a way that the result does not depend on how many they are.
// Each has columns of all matrices to itself, so that rows never move from one processor's
// cache to another's. The text is trained in super-steps of a few blocks, each of which is one
// step: goroutines score what is in their columns of all its blocks; when all have, they share
// out the blocks, add up each one's scores and find its errors; when all have, each makes the
// updates of all blocks, in the order of the blocks, to its own columns. So each number is
// made by one goroutine, in an order that is that of the text. What one reads and another
// wrote are scores and errors only.
type group struct {
	worker     *Worker
	input, out vectors.Matrix
	segments   []int      // where columns are divided: see Segments
	slots      [2][]*slot // the blocks of a super-step, and of the next, by turns
	all        []*columns
	barrier    *barrier
	seed       uint64 // of the blocks' random numbers
	closed     bool

	// What is trained now.
	text step.Text
	rate float32
}

// newGroup returns the group of a worker.
func newGroup(w *Worker) *group {
	d, run := w.parts.Division, w.run.Variant.Run
	g := &group{
		worker:   w,
		input:    w.parts.Values.Matrix(w.run.Variant.Input()),
		out:      w.parts.Output(),
		segments: d.Segments, seed: random.Mix(run.Seed),
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

// groupBytes is the size of a group.
func groupBytes(v *variant.Variant, d step.Division, words *vocab.Vocab) float64 {
	dim, segments := v.Run.Dim, len(d.Segments)-1
	rows := float64(v.Architecture.Traits(d.Centres).Targets) + float64(d.Draws)
	slot := v.BatchBytes(d, words) + rows*(4+float64(segments)*step.RowBytes(simd.Lanes))
	bytes := float64(dim)*step.RowBytes(simd.Lanes) + float64(d.SuperStep)*(2*slot+2*float64(d.Centres)*step.RowBytes(dim))
	if Goroutines(v.Run.Threads, d.Segments) > 1 {
		bytes += v.Composition.ValuesBytes(d, v.Around())
	}
	return bytes
}

// load takes the parameters as they are into the goroutines' own matrices, and store puts
// them back.
func (g *group) load()  { g.move(func(own, all []float32) { copy(own, all) }) }
func (g *group) store() { g.move(func(own, all []float32) { copy(all, own) }) }

// move calls copy for the numbers of each row that are a goroutine's own, and where they
// stand among all.
func (g *group) move(copy func(own, all []float32)) {
	if len(g.all) == 1 {
		return
	}
	var done sync.WaitGroup
	for _, c := range g.all {
		done.Go(func() {
			first, last := g.segments[c.first], g.segments[c.last]
			for _, of := range []struct{ own, all vectors.Matrix }{{c.input, g.input}, {c.out, g.out}} {
				for row := range of.own.Rows {
					copy(of.own.Row(row), of.all.Row(row)[first:last])
				}
			}
		})
	}
	done.Wait()
}

// close ends the group.
func (g *group) close() {
	g.closed = true
	g.barrier.wait()
}

// train trains a text. It returns the pairs of some blocks, and their loss.
func (g *group) train(t step.Text, rate float32) (pairs int, loss float64) {
	if len(t.IDs) == 0 {
		return 0, 0 // no super-step, at whose end all would wait until everyone has seen the text
	}
	g.text, g.rate = t, rate
	g.barrier.wait()
	return g.all[0].train()
}
