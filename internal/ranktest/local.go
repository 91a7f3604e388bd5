// Package ranktest has ranks that are goroutines of one process. It is for tests.
package ranktest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
)

// Local returns the Comms of n ranks in this process. They copy the data when an operation starts.
func Local(n int) []cluster.Comm {
	return (&world{size: n, ended: make(chan struct{}), sent: make([]atomic.Uint64, n)}).comms()
}

// Each calls run for n ranks, each in its own goroutine, and returns after all calls have returned. The first
// error aborts the run on all ranks. Each returns the errors of the ranks, except errors that the abort
// caused.
func Each(n int, run func(cluster.Comm) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for rank, c := range Local(n) {
		all.Go(func() {
			err := run(c)
			if _, caused := errors.AsType[*cluster.EndedError](err); err == nil || caused {
				return
			}
			errs[rank] = fmt.Errorf("rank %d: %w", rank, err)
			c.Abort(err)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

type world struct {
	size  int
	sent  []atomic.Uint64
	once  sync.Once
	ended chan struct{} // closed by Abort
	err   error         // the reason; read it only after ended is closed
}

func (w *world) comms() []cluster.Comm {
	m := &meeting{world: w, rounds: map[int]*round{}}
	all := make([]cluster.Comm, w.size)
	for rank := range all {
		all[rank] = &local{meeting: m, rank: rank}
	}
	return all
}

type meeting struct {
	*world
	mutex  sync.Mutex
	rounds map[int]*round
}

type round struct {
	name    string // of the operation
	arrived int
	left    int
	sends   [][][]byte     // by sender, by receiver
	dups    []cluster.Comm // result of Dup on each rank
	full    chan struct{}  // closed when all ranks have arrived
}

type local struct {
	*meeting
	rank, next int
}

func (c *local) Rank() int    { return c.rank }
func (c *local) Size() int    { return c.size }
func (c *local) Sent() uint64 { return c.sent[c.rank].Load() }

func (c *local) Abort(err error) {
	c.once.Do(func() {
		c.err = &cluster.EndedError{Rank: c.rank, Err: err}
		close(c.ended)
	})
}

func (c *local) start(name string, send [][]byte) *localExchange {
	x := &localExchange{done: make(chan struct{})}
	number := c.next
	c.next++
	c.mutex.Lock()
	defer c.mutex.Unlock()
	r := c.rounds[number]
	if r == nil {
		r = &round{name: name, sends: make([][][]byte, c.size), full: make(chan struct{})}
		c.rounds[number] = r
		if name == "Dup" {
			r.dups = c.comms()
		}
	}
	if r.name != name {
		x.err = fmt.Errorf("cluster: rank %d calls %s where another rank calls %s", c.rank, name, r.name)
		close(x.done)
		return x
	}
	r.sends[c.rank] = send
	if r.arrived++; r.arrived == c.size {
		close(r.full)
	}
	go c.finish(x, r, number)
	return x
}

// finish waits for all ranks, and returns what they sent to this rank.
func (c *local) finish(x *localExchange, r *round, number int) {
	defer close(x.done)
	select {
	case <-r.full:
	case <-c.ended:
		x.err = c.err
		return
	}
	x.received = make([][]byte, c.size)
	for from, send := range r.sends {
		x.received[from] = send[c.rank]
	}
	if r.dups != nil {
		x.dup = r.dups[c.rank]
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r.left++; r.left == c.size {
		delete(c.rounds, number)
	}
}

type localExchange struct {
	done     chan struct{}
	received [][]byte
	dup      cluster.Comm
	err      error
}

func (x *localExchange) Done() <-chan struct{} { return x.done }

func (x *localExchange) Wait(ctx context.Context) ([][]byte, error) {
	select {
	case <-x.done:
		return x.received, x.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// copied returns a copy of the data for each rank, and counts the bytes for others.
func (c *local) copied(send [][]byte) [][]byte {
	all := make([][]byte, c.size)
	for rank := range all {
		all[rank] = slices.Clone(send[rank])
		if rank != c.rank {
			c.sent[c.rank].Add(uint64(len(all[rank])))
		}
	}
	return all
}

func (c *local) AllToAll(send [][]byte) cluster.Exchange {
	if len(send) != c.size {
		panic(fmt.Sprintf("cluster: %d parts to send to %d ranks", len(send), c.size))
	}
	return c.start("AllToAll", c.copied(send))
}

func (c *local) Gather(ctx context.Context, root int, data []byte) ([][]byte, error) {
	send := make([][]byte, c.size)
	send[root] = data
	received, err := c.start("Gather", c.copied(send)).Wait(ctx)
	if err != nil || c.rank != root {
		return nil, err
	}
	return received, nil
}

func (c *local) Broadcast(ctx context.Context, root int, data []byte) ([]byte, error) {
	send := make([][]byte, c.size)
	if c.rank == root {
		send = slices.Repeat([][]byte{data}, c.size)
	}
	received, err := c.start("Broadcast", c.copied(send)).Wait(ctx)
	if err != nil {
		return nil, err
	}
	return received[root], nil
}

func (c *local) Barrier(ctx context.Context) error {
	_, err := c.start("Barrier", make([][]byte, c.size)).Wait(ctx)
	return err
}

func (c *local) Dup(ctx context.Context) (cluster.Comm, error) {
	x := c.start("Dup", make([][]byte, c.size))
	if _, err := x.Wait(ctx); err != nil {
		return nil, err
	}
	return x.dup, nil
}

func (c *local) AllReduce(ctx context.Context, op cluster.Op, values []float64) error {
	data, _ := binary.Append(nil, binary.LittleEndian, values)
	if c.size > 1 {
		c.sent[c.rank].Add(uint64(len(data)))
	}
	// Nobody changes the data, so it is not copied.
	received, err := c.start("AllReduce", slices.Repeat([][]byte{data}, c.size)).Wait(ctx)
	if err != nil {
		return err
	}
	for rank, data := range received {
		if len(data) != 8*len(values) {
			return fmt.Errorf("cluster: rank %d gives %d numbers to combine, and rank %d gives %d", rank, len(data)/8, c.rank, len(values))
		}
		other := make([]float64, len(values))
		_, _ = binary.Decode(data, binary.LittleEndian, other)
		for i, x := range other {
			switch {
			case rank == 0:
				values[i] = x
			case op == cluster.Max:
				values[i] = max(values[i], x)
			case op == cluster.Min:
				values[i] = min(values[i], x)
			default:
				values[i] += x
			}
		}
	}
	return nil
}
