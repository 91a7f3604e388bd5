//go:build mpi

package mpi

// #include "engine.h"
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// An operation goes on in the thread until it is done.
type operation struct {
	comm    *comm
	begin   func() *C.w2v_op // called in the thread
	op      *C.w2v_op
	began   time.Time
	pinner  runtime.Pinner
	lengths int  // of how many ranks data come, this one included
	spread  bool // it is a broadcast
	sends   bool // of this rank

	received [][]byte
	values   []float64
	dup      *comm
	err      error
	done     chan struct{}
}

// pin returns the address of data, which stay there until the operation is done.
func (o *operation) pin(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	address := unsafe.Pointer(unsafe.SliceData(data))
	o.pinner.Pin(address)
	return address
}

// start begins the operation, in the thread.
func (o *operation) start() {
	o.op, o.began = o.begin(), time.Now()
	o.comm.running[o.op] = o
}

// allocate makes room for what ranks send, once it is known how much that is.
func (o *operation) allocate() {
	if o.sends {
		C.w2v_receive(o.op, 0, nil)
	}
	for from := range o.lengths {
		if !o.spread && from == o.comm.rank {
			continue
		}
		o.received[from] = make([]byte, C.w2v_length(o.op, C.int(from)))
		C.w2v_receive(o.op, C.int(from), o.pin(o.received[from]))
	}
	C.w2v_received(o.op)
}

// end takes the results, and begins what was started next.
func (o *operation) end() {
	c := o.comm
	delete(c.running, o.op)
	var text [512]C.char
	if C.w2v_error(o.op, &text[0], C.int(len(text))) != 0 {
		// Requests may still use the memory of the operation, so it is never given back.
		c.failed = append(c.failed, o)
		c.err = fmt.Errorf("MPI: %s", C.GoString(&text[0]))
		c.giveUp()
		return
	}
	if len(o.values) > 0 {
		C.w2v_values(o.op, (*C.double)(unsafe.SliceData(o.values)))
	}
	if o.dup != nil {
		o.dup.index = C.w2v_dup_comm(o.op)
	}
	C.w2v_free(o.op)
	o.pinner.Unpin()
	close(o.done)
	if c.queue = c.queue[1:]; len(c.queue) > 0 {
		c.queue[0].start()
	}
}

// giveUp ends the operations of the queue with the error of the one that has failed.
func (c *comm) giveUp() {
	for _, o := range c.queue {
		o.err = c.err
		close(o.done)
	}
	c.queue = nil
}

func (o *operation) Done() <-chan struct{} { return o.done }

func (o *operation) Wait(ctx context.Context) ([][]byte, error) {
	select {
	case <-o.done:
		return o.received, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
