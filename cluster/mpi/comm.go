//go:build mpi

package mpi

// #include "engine.h"
import "C"

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/cluster"
)

type comm struct {
	*engine
	index C.int
	queue []*operation // started operations that have not ended; only the thread uses it
	err   error        // error of the failed operation, after which none begins; only the thread uses it
}

func (c *comm) Rank() int    { return c.rank }
func (c *comm) Size() int    { return c.size }
func (c *comm) Sent() uint64 { return c.sent.Load() }

// Abort ends all processes. MPI does not transmit the reason: the caller has printed it.
func (c *comm) Abort(error) {
	c.submit(func() { C.w2v_abort(1) })
	select {}
}

func (c *comm) start(o *operation) *operation {
	o.comm, o.done = c, make(chan struct{})
	c.submit(func() {
		switch c.queue = append(c.queue, o); {
		case c.err != nil:
			c.giveUp()
		case len(c.queue) == 1:
			o.start()
		}
	})
	return o
}

func (c *comm) AllToAll(send [][]byte) cluster.Exchange {
	if len(send) != c.size {
		panic(fmt.Sprintf("mpi: %d parts to send to %d ranks", len(send), c.size))
	}
	for to, data := range send {
		if to != c.rank {
			c.sent.Add(uint64(len(data)))
		}
	}
	o := &operation{received: make([][]byte, c.size), lengths: c.size}
	o.begin = func() *C.w2v_op {
		op := C.w2v_exchange(c.index, -1)
		for to, data := range send {
			if to != c.rank {
				C.w2v_send(op, C.int(to), o.pin(data), C.uint64_t(len(data)))
			}
		}
		C.w2v_begin(op)
		return op
	}
	o.received[c.rank] = slices.Clone(send[c.rank])
	return c.start(o)
}

func (c *comm) Gather(ctx context.Context, root int, data []byte) ([][]byte, error) {
	o := &operation{}
	if c.rank == root {
		o.received, o.lengths = make([][]byte, c.size), c.size
		o.received[root] = slices.Clone(data)
	} else {
		c.sent.Add(uint64(len(data)))
	}
	o.begin = func() *C.w2v_op {
		op := C.w2v_exchange(c.index, C.int(root))
		if c.rank != root {
			C.w2v_send(op, C.int(root), o.pin(data), C.uint64_t(len(data)))
		}
		C.w2v_begin(op)
		return op
	}
	return c.start(o).Wait(ctx)
}

func (c *comm) Broadcast(ctx context.Context, root int, data []byte) ([]byte, error) {
	if c.rank != root {
		data = nil
	}
	c.sent.Add(uint64(len(data) * (c.size - 1)))
	o := &operation{received: make([][]byte, 1), spread: true, sends: c.rank == root}
	if !o.sends {
		o.lengths = 1
	}
	o.begin = func() *C.w2v_op { return C.w2v_broadcast(c.index, C.int(root), o.pin(data), C.uint64_t(len(data))) }
	received, err := c.start(o).Wait(ctx)
	if err != nil {
		return nil, err
	}
	if c.rank == root {
		return slices.Clone(data), nil
	}
	return received[0], nil
}

func (c *comm) AllReduce(ctx context.Context, op cluster.Op, values []float64) error {
	how := map[cluster.Op]C.int{cluster.Sum: C.W2V_SUM, cluster.Max: C.W2V_MAX, cluster.Min: C.W2V_MIN}[op]
	if c.size > 1 {
		c.sent.Add(uint64(8 * len(values)))
	}
	o := &operation{values: make([]float64, len(values)+1)[:len(values)]}
	copy(o.values, values)
	o.begin = func() *C.w2v_op {
		return C.w2v_reduce(c.index, how, (*C.double)(unsafe.SliceData(o.values)), C.int(len(o.values)))
	}
	_, err := c.start(o).Wait(ctx)
	if err == nil {
		copy(values, o.values)
	}
	return err
}

func (c *comm) Barrier(ctx context.Context) error {
	_, err := c.start(&operation{begin: func() *C.w2v_op { return C.w2v_barrier(c.index) }}).Wait(ctx)
	return err
}

func (c *comm) Dup(ctx context.Context) (cluster.Comm, error) {
	o := c.start(&operation{dup: &comm{engine: c.engine}, begin: func() *C.w2v_op { return C.w2v_dup(c.index) }})
	if _, err := o.Wait(ctx); err != nil {
		return nil, err
	}
	return o.dup, nil
}
