package graph

import (
	"context"
	"io"
	"sync"
	"time"
)

// Stats say what walks there were.
type Stats struct {
	Walks uint64
	Nodes uint64 // in all walks
	Took  time.Duration
}

// WriteWalks walks, and writes a line for each walk: the names of its nodes with spaces between
// them. The lines are in the same order on any number of threads.
func (g *Graph) WriteWalks(ctx context.Context, w io.Writer, o WalkOptions) (Stats, error) {
	begin := time.Now()
	var stats Stats
	ordered := turns{next: sync.NewCond(new(sync.Mutex))}
	o = o.orDefaults()
	if err := o.Validate(); err != nil {
		return stats, err
	}
	// A worker that stops never takes the turn that others wait for.
	defer context.AfterFunc(ctx, func() { ordered.end(ctx.Err()) })()
	lines := make([][]byte, o.Threads)
	err := g.Walk(ctx, o, func(worker int, b Batch) error {
		text, first := lines[worker][:0], 0
		for _, end := range b.Ends {
			for i, node := range b.Nodes[first:end] {
				if i > 0 {
					text = append(text, ' ')
				}
				text = append(text, g.name(node)...)
			}
			text = append(text, '\n')
			first = end
		}
		lines[worker] = text
		return ordered.take(b.Number, func() error {
			stats.Walks += uint64(len(b.Ends))
			stats.Nodes += uint64(len(b.Nodes))
			_, err := w.Write(text)
			return err
		})
	})
	stats.Took = time.Since(begin)
	return stats, err
}

// turns lets numbers take their turn in order, from 0.
type turns struct {
	next   *sync.Cond
	number int
	err    error // ends all
}

// take waits for the turn of a number, and calls do. It returns the first error of any turn.
func (t *turns) take(number int, do func() error) error {
	t.next.L.Lock()
	defer t.next.L.Unlock()
	for t.number != number && t.err == nil {
		t.next.Wait()
	}
	if t.err == nil {
		t.err = do()
		t.number++
		t.next.Broadcast()
	}
	return t.err
}

// end ends all waiting with an error.
func (t *turns) end(err error) {
	t.next.L.Lock()
	defer t.next.L.Unlock()
	if t.err == nil {
		t.err = err
	}
	t.next.Broadcast()
}
