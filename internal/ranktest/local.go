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

// Local returns the Comms of n ranks in this process, each on a machine of its own. They copy the data when an operation
// starts.
func Local(n int) []cluster.Comm { return Machines(slices.Repeat([]int{1}, n)...) }

// Machines returns the Comms of ranks in this process, so many on each machine.
func Machines(ranks ...int) []cluster.Comm {
	w := &world{ended: make(chan struct{}), rounds: map[operation]*round{}}
	var ids []int
	for machine, n := range ranks {
		for range n {
			ids, w.machines = append(ids, len(ids)), append(w.machines, machine)
		}
	}
	w.sent, w.network = make([]atomic.Uint64, len(ids)), make([]atomic.Uint64, len(ids))
	all := make([]cluster.Comm, len(ids))
	for rank := range all {
		all[rank] = &local{world: w, ids: ids, rank: rank, size: len(ids)}
	}
	return all
}

// Each calls run for n ranks, each in its own goroutine. The first error aborts the run on all ranks. Each
// returns the errors of all ranks, except those that the abort caused.
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

// A world is all ranks. Operations of a Comm have numbers, and meet by them.
type world struct {
	machines      []int           // by rank
	sent, network []atomic.Uint64 // by rank
	once          sync.Once
	ended         chan struct{} // closed by Abort
	err           error         // the reason; read it only after ended is closed

	mutex  sync.Mutex
	rounds map[operation]*round // operations at which not all ranks have arrived
}

type operation struct {
	comm   string
	number int
}

type round struct {
	name    string // of the operation
	arrived int
	sends   [][][]byte    // by sender, by receiver
	full    chan struct{} // closed when all ranks have arrived
}

type local struct {
	*world
	comm             string
	ids              []int // by rank of the Comm: its number among all ranks
	rank, size, next int
	last             [][]byte // received by the last AllToAll from other ranks
}

func (c *local) Rank() int       { return c.rank }
func (c *local) Size() int       { return c.size }
func (c *local) Sent() uint64    { return c.sent[c.ids[c.rank]].Load() }
func (c *local) Network() uint64 { return c.network[c.ids[c.rank]].Load() }

// count counts bytes that are sent to a rank.
func (c *local) count(to, bytes int) {
	here, there := c.ids[c.rank], c.ids[to]
	c.sent[here].Add(uint64(bytes))
	if c.machines[here] != c.machines[there] {
		c.network[here].Add(uint64(bytes))
	}
}

func (c *local) Machine(context.Context) (machine, heads cluster.Comm, err error) {
	here := c.machines[c.ids[c.rank]]
	part := func(name string, in func(id int) bool) *local {
		p := &local{world: c.world, comm: fmt.Sprint(name, c.comm, "/", c.next)}
		for _, id := range c.ids {
			if in(id) {
				if id == c.ids[c.rank] {
					p.rank = len(p.ids)
				}
				p.ids = append(p.ids, id)
			}
		}
		p.size = len(p.ids)
		return p
	}
	m := part(fmt.Sprint("machine ", here), func(id int) bool { return c.machines[id] == here })
	if m.rank == 0 {
		heads = part("heads", func(id int) bool { return id == slices.Index(c.machines, c.machines[id]) })
	}
	c.next++
	return m, heads, nil
}

func (c *local) Abort(err error) {
	c.once.Do(func() {
		c.err = &cluster.EndedError{Rank: c.ids[c.rank], Err: err}
		close(c.ended)
	})
}

// meet waits for all ranks, and returns what they send to this rank.
func (c *local) meet(ctx context.Context, name string, send [][]byte) ([][]byte, error) {
	r, err := c.arrive(name, send)
	if err != nil {
		return nil, err
	}
	select {
	case <-r.full:
	case <-c.ended:
		err = c.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	select {
	case <-r.full: // what all ranks have sent arrives, even if the run has ended since
	default:
		return nil, err
	}
	received := make([][]byte, c.size)
	for from, send := range r.sends {
		received[from] = send[c.rank]
	}
	return received, nil
}

func (c *local) arrive(name string, send [][]byte) (*round, error) {
	at := operation{c.comm, c.next}
	c.next++
	c.mutex.Lock()
	defer c.mutex.Unlock()
	r := c.rounds[at]
	if r == nil {
		r = &round{name: name, sends: make([][][]byte, c.size), full: make(chan struct{})}
		c.rounds[at] = r
	}
	if r.name != name {
		return nil, fmt.Errorf("cluster: rank %d calls %s where another rank calls %s", c.rank, name, r.name)
	}
	r.sends[c.rank] = send
	if r.arrived++; r.arrived == c.size {
		delete(c.rounds, at)
		close(r.full)
	}
	return r, nil
}

// copied returns a copy of the data for each rank, and counts the bytes for others.
func (c *local) copied(send [][]byte) [][]byte {
	all := make([][]byte, c.size)
	for rank := range all {
		all[rank] = slices.Clone(send[rank])
		if rank != c.rank {
			c.count(rank, len(all[rank]))
		}
	}
	return all
}

func (c *local) AllToAll(ctx context.Context, send [][]byte) ([][]byte, error) {
	if len(send) != c.size {
		panic(fmt.Sprintf("cluster: %d parts to send to %d ranks", len(send), c.size))
	}
	for _, data := range c.last { // so that tests notice who still reads it
		for i := range data {
			data[i] = 0xee
		}
	}
	received, err := c.meet(ctx, "AllToAll", c.copied(send))
	if err == nil {
		received[c.rank] = nil
		c.last = slices.Clone(received)
		received[c.rank] = send[c.rank]
	}
	return received, err
}

func (c *local) Grow(p []byte, n int) []byte { return slices.Grow(p, n) }
func (c *local) Release()                    {}

func (c *local) Gather(ctx context.Context, root int, data []byte) ([][]byte, error) {
	send := make([][]byte, c.size)
	send[root] = data
	received, err := c.meet(ctx, "Gather", c.copied(send))
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
	received, err := c.meet(ctx, "Broadcast", c.copied(send))
	if err != nil {
		return nil, err
	}
	return received[root], nil
}

func (c *local) Barrier(ctx context.Context) error {
	_, err := c.meet(ctx, "Barrier", make([][]byte, c.size))
	return err
}

func (c *local) Dup(ctx context.Context) (cluster.Comm, error) {
	dup := &local{world: c.world, comm: fmt.Sprint(c.comm, "/", c.next), ids: c.ids, rank: c.rank, size: c.size}
	if _, err := c.meet(ctx, "Dup", make([][]byte, c.size)); err != nil {
		return nil, err
	}
	return dup, nil
}

func (c *local) AllReduce(ctx context.Context, op cluster.Op, values []float64) error {
	data, _ := binary.Append(nil, binary.LittleEndian, values)
	if c.size > 1 {
		c.count((c.rank+1)%c.size, len(data))
	}
	// Nobody changes the data, so it is not copied.
	received, err := c.meet(ctx, "AllReduce", slices.Repeat([][]byte{data}, c.size))
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
