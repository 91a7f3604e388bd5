package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Local returns the Comms of n ranks that are goroutines of this process. Exchanges copy what they
// send, as a network does.
func Local(n int) []Comm {
	world := &world{size: n, ended: make(chan struct{}), sent: make([]atomic.Uint64, n)}
	return world.comms()
}

// A world is all ranks of a process.
type world struct {
	size  int
	sent  []atomic.Uint64
	once  sync.Once
	ended chan struct{} // closed by Abort
	err   error         // why; to be read once ended is closed
}

func (w *world) abort(err error) {
	w.once.Do(func() {
		w.err = err
		close(w.ended)
	})
}

// comms returns Comms that talk to each other.
func (w *world) comms() []Comm {
	m := &meeting{world: w, rounds: map[int]*round{}}
	all := make([]Comm, w.size)
	for rank := range all {
		all[rank] = &local{meeting: m, rank: rank}
	}
	return all
}

// A meeting is where ranks leave what they send, operation by operation.
type meeting struct {
	*world
	mutex  sync.Mutex
	rounds map[int]*round
}

// A round is one operation of all ranks.
type round struct {
	arrived int
	left    int
	sends   [][][]byte // by sender, by receiver
	dups    []Comm     // the first rank that arrives to Dup makes these
	full    chan struct{}
}

type local struct {
	*meeting
	rank, next int
}

func (c *local) Rank() int    { return c.rank }
func (c *local) Size() int    { return c.size }
func (c *local) Sent() uint64 { return c.sent[c.rank].Load() }
func (c *local) Abort(err error) {
	c.abort(fmt.Errorf("rank %d ended the run: %w", c.rank, err))
}

// join takes part in the next round.
func (c *local) join(send [][]byte) (*round, int) {
	number := c.next
	c.next++
	c.mutex.Lock()
	defer c.mutex.Unlock()
	r := c.rounds[number]
	if r == nil {
		r = &round{sends: make([][][]byte, c.size), full: make(chan struct{})}
		c.rounds[number] = r
	}
	r.sends[c.rank] = send
	if r.arrived++; r.arrived == c.size {
		close(r.full)
	}
	return r, number
}

// leave forgets a round when all ranks have what they wait for.
func (c *local) leave(r *round, number int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r.left++; r.left == c.size {
		delete(c.rounds, number)
	}
}

func (c *local) AllToAll(send [][]byte) Exchange {
	if len(send) != c.size {
		panic(fmt.Sprintf("cluster: %d parts to send to %d ranks", len(send), c.size))
	}
	x := &localExchange{comm: c, done: make(chan struct{})}
	for to, data := range send {
		if to != c.rank {
			c.sent[c.rank].Add(uint64(len(data)))
		}
	}
	r, number := c.join(send)
	go func() {
		defer close(x.done)
		select {
		case <-r.full:
		case <-c.ended:
			x.err = c.err
			return
		}
		x.received = make([][]byte, c.size)
		for from := range x.received {
			x.received[from] = append([]byte(nil), r.sends[from][c.rank]...)
		}
		c.leave(r, number)
	}()
	return x
}

type localExchange struct {
	comm     *local
	done     chan struct{}
	received [][]byte
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

// all sends the same data to all ranks.
func (c *local) all(ctx context.Context, data []byte) ([][]byte, error) {
	send := make([][]byte, c.size)
	for i := range send {
		send[i] = data
	}
	return c.AllToAll(send).Wait(ctx)
}

func (c *local) AllReduce(ctx context.Context, op Op, values []float64) error {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	received, err := c.all(ctx, data)
	if err != nil {
		return err
	}
	for rank, data := range received {
		if len(data) != 8*len(values) {
			return fmt.Errorf("cluster: rank %d gives %d numbers to combine, and rank %d gives %d", rank, len(data)/8, c.rank, len(values))
		}
	}
	for i := range values {
		for rank, data := range received {
			v := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
			switch {
			case rank == 0:
				values[i] = v
			case op == Sum:
				values[i] += v
			case op == Max:
				values[i] = max(values[i], v)
			case op == Min:
				values[i] = min(values[i], v)
			}
		}
	}
	return nil
}

func (c *local) Gather(ctx context.Context, root int, data []byte) ([][]byte, error) {
	send := make([][]byte, c.size)
	send[root] = data
	received, err := c.AllToAll(send).Wait(ctx)
	if err != nil || c.rank != root {
		return nil, err
	}
	return received, nil
}

func (c *local) Broadcast(ctx context.Context, root int, data []byte) ([]byte, error) {
	send := make([][]byte, c.size)
	if c.rank == root {
		for i := range send {
			send[i] = data
		}
	}
	received, err := c.AllToAll(send).Wait(ctx)
	if err != nil {
		return nil, err
	}
	return received[root], nil
}

func (c *local) Barrier(ctx context.Context) error {
	_, err := c.all(ctx, nil)
	return err
}

func (c *local) Dup(ctx context.Context) (Comm, error) {
	number := c.next
	c.mutex.Lock()
	r := c.rounds[number]
	if r == nil {
		r = &round{sends: make([][][]byte, c.size), full: make(chan struct{})}
		c.rounds[number] = r
	}
	if r.dups == nil {
		r.dups = c.comms()
	}
	dup := r.dups[c.rank]
	c.mutex.Unlock()
	return dup, c.Barrier(ctx)
}
