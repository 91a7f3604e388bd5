//go:build mpi

package mpi

/*
#cgo LDFLAGS: -lmpi
#include "engine.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/w2v-go/w2v/cluster"
)

// A World is all processes that the launcher, such as mpirun, has started.
type World struct {
	cluster.Comm // of all ranks
	engine       *engine
	last         cluster.Comm // used by Finish only, so pending operations of other Comms do not block it
}

// Start joins the processes. Call it once in a process.
func Start() (*World, error) {
	if !started.CompareAndSwap(false, true) {
		return nil, errors.New("mpi: Start may be called once in a process")
	}
	e := &engine{signal: make(chan struct{}, 1), running: map[*C.w2v_op]*operation{}}
	failed := make(chan error)
	go e.run(failed)
	if err := <-failed; err != nil {
		return nil, err
	}
	w := &World{Comm: e.comms[C.W2V_ALL], engine: e}
	var err error
	w.last, err = w.Dup(context.Background())
	return w, err
}

var started atomic.Bool

// Finish leaves MPI after all processes have called it. Pending operations are given up. If a process ends
// without Finish or Abort, the launcher ends all others.
func (w *World) Finish(ctx context.Context) error {
	if err := w.last.Barrier(ctx); err != nil {
		return err
	}
	left := make(chan struct{})
	w.engine.submit(func() {
		C.w2v_finish()
		for op, o := range w.engine.running { // operations that were given up: MPI must not be asked for them again
			w.engine.failed = append(w.engine.failed, o)
			delete(w.engine.running, op)
		}
		close(left)
	})
	select {
	case <-left:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Exit ends all processes. The launcher exits with code if it passes codes on.
func (w *World) Exit(code int) {
	w.engine.submit(func() { C.w2v_abort(C.int(code)) })
	select {}
}

// Exited reports whether another rank has called Exit or Abort. Only rank 0 can know this. It returns false if
// MPI does not answer soon, for example because a machine is gone: mpirun kills this process a second later.
func (w *World) Exited() bool {
	exited := make(chan bool, 1)
	go w.engine.submit(func() { exited <- C.w2v_aborted() != 0 })
	select {
	case is := <-exited:
		return is
	case <-time.After(300 * time.Millisecond):
		return false
	}
}

// Silent returns the ranks, in rising order, that this rank has waited for at least so long. All ranks must
// call Silent several times in that time. Only ranks 0 and 1 get a full answer. A rank that itself waits for others
// is not silent: they are, instead of it. MPI does not say for which rank
// an AllReduce, a Barrier, a Broadcast or a Dup waits, so ranks that wait in one of these announce it. In
// these operations, rank 0 counts as silent only if it does not call Silent, because rank 0 saves and
// evaluates alone.
func (w *World) Silent(long time.Duration) (ranks []int) {
	e, done := w.engine, make(chan struct{})
	e.submit(func() {
		defer close(done)
		C.w2v_hear()
		for op := range e.running {
			C.w2v_announce(op)
		}
		if blamed, waits := e.blamed(long / 10); waits {
			C.w2v_blame(unsafe.SliceData(append(blamed, 0)), C.int(len(blamed)))
		}
		blamed, _ := e.blamed(long)
		ranks = e.end(blamed, long)
	})
	<-done
	return ranks
}

// blamed returns the ranks that operations have waited for at least so long, and whether any has waited so long.
func (e *engine) blamed(long time.Duration) (ranks []C.int32_t, waits bool) {
	for op, o := range e.running {
		if time.Since(o.began) < long {
			continue
		}
		waits = true
		for rank, of := range o.comm.world {
			if C.w2v_waits(op, C.int(rank), C.double(long.Seconds())) != 0 {
				ranks = append(ranks, C.int32_t(of))
			}
		}
	}
	return ranks, waits
}

// end follows what ranks have said of whom they wait for, to ranks that do not wait.
func (e *engine) end(blamed []C.int32_t, long time.Duration) (ranks []int) {
	seen := map[C.int32_t]bool{C.int32_t(e.comms[C.W2V_ALL].rank): true}
	for len(blamed) > 0 {
		rank := blamed[0]
		if blamed = blamed[1:]; seen[rank] {
			continue
		}
		seen[rank] = true
		var next *C.int32_t
		if n := C.w2v_blames(C.int(rank), C.double(long.Seconds()), &next); n >= 0 {
			blamed = append(blamed, unsafe.Slice(next, n)...)
		} else {
			ranks = append(ranks, int(rank))
		}
	}
	slices.Sort(ranks)
	return ranks
}

// An engine runs operations in the only thread that calls MPI.
type engine struct {
	comms         []*comm // after the start: see w2v_comm
	sent, network atomic.Uint64
	signal        chan struct{} // signals that something was submitted

	mutex sync.Mutex
	tasks []func()

	running map[*C.w2v_op]*operation // used by the thread only
	failed  []*operation             // used by the thread only
}

func (e *engine) submit(task func()) {
	e.mutex.Lock()
	e.tasks = append(e.tasks, task)
	e.mutex.Unlock()
	select {
	case e.signal <- struct{}{}:
	default: // a signal is pending already
	}
	C.w2v_wake()
}

// run is the loop of the thread. It never ends: MPI must be called by the thread that started it.
func (e *engine) run(failed chan<- error) {
	runtime.LockOSThread()
	if text := C.w2v_start(); text != nil {
		failed <- fmt.Errorf("MPI cannot start: %s", C.GoString(text))
		return
	}
	near := map[C.int]bool{}
	for rank := range C.w2v_size(C.W2V_MACHINE) {
		near[C.w2v_world(C.W2V_MACHINE, rank)] = true
	}
	for index := range C.w2v_comms() {
		c := &comm{engine: e, index: index, rank: int(C.w2v_rank(index)), size: int(C.w2v_size(index))}
		for rank := range C.int(c.size) {
			of := C.w2v_world(index, rank)
			c.world, c.near = append(c.world, int(of)), append(c.near, near[of])
		}
		e.comms = append(e.comms, c)
	}
	failed <- nil
	for {
		e.mutex.Lock()
		tasks := e.tasks
		e.tasks = nil
		e.mutex.Unlock()
		for _, task := range tasks {
			task()
		}
		if len(e.running) == 0 {
			<-e.signal
			continue
		}
		var event C.int
		op := C.w2v_poll(&event)
		switch {
		case op == nil: // a function was submitted
		case event == C.W2V_LENGTHS:
			e.running[op].allocate()
		default:
			e.running[op].end()
		}
	}
}

// An operation runs in the thread until it is done.
type operation struct {
	comm   *comm
	begin  func() *C.w2v_op // called in the thread
	op     *C.w2v_op
	began  time.Time
	pinner runtime.Pinner
	spread bool // this is a broadcast
	sends  bool // this rank sends its data

	received [][]byte
	into     *block // room for what an exchange receives
	values   []float64
	dup      *comm
	err      error
	done     chan struct{}
}

// pin returns the address of data, and keeps data in place until the operation is done.
func (o *operation) pin(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	address := unsafe.Pointer(unsafe.SliceData(data))
	o.pinner.Pin(address)
	return address
}

func (o *operation) start() {
	o.op, o.began = o.begin(), time.Now()
	o.comm.running[o.op] = o
}

// allocate says where to put what other ranks send.
func (o *operation) allocate() {
	if o.spread {
		if o.sends {
			C.w2v_receive(o.op, 0, nil)
		} else {
			o.received[0] = make([]byte, C.w2v_length(o.op, 0))
			C.w2v_receive(o.op, 0, o.pin(o.received[0]))
		}
		C.w2v_received(o.op)
		return
	}
	size := 0
	for from := range o.received {
		if from != o.comm.rank {
			size += room(C.w2v_length(o.op, C.int(from)))
		}
	}
	data := o.into.room(size)
	for from := range o.received {
		if from == o.comm.rank {
			continue
		}
		length := C.w2v_length(o.op, C.int(from))
		o.received[from] = data[:length:length]
		C.w2v_receive(o.op, C.int(from), unsafe.Pointer(unsafe.SliceData(data)))
		data = data[room(length):]
	}
	C.w2v_received(o.op)
}

// room is how much room data of a length takes, so that what follows begins a line of the cache.
func room(length C.uint64_t) int { return int(length+63) &^ 63 }

// A block is memory that MPI may read and write: see w2v_grow.
type block struct{ data []byte }

// grow makes the block so large. It keeps the content.
func (b *block) grow(size int) {
	memory := C.w2v_grow(unsafe.Pointer(unsafe.SliceData(b.data)), C.uint64_t(size))
	if memory == nil {
		panic("mpi: no memory for the exchange with other ranks")
	}
	b.data = unsafe.Slice((*byte)(memory), size)
}

func (b *block) release() {
	C.w2v_release(unsafe.Pointer(unsafe.SliceData(b.data)))
	b.data = nil
}

// room returns the block with at least so much room. The content is lost.
func (b *block) room(size int) []byte {
	if size > len(b.data) {
		b.release()
		b.grow(size + size/4)
	}
	return b.data
}

// end takes the results, and begins the next operation of the queue.
func (o *operation) end() {
	c := o.comm
	delete(c.running, o.op)
	var text [512]C.char
	if C.w2v_error(o.op, &text[0], C.int(len(text))) != 0 {
		// MPI requests may still use the memory of the operation, so it is never released.
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

func (c *comm) giveUp() {
	for _, o := range c.queue {
		o.err = c.err
		close(o.done)
	}
	c.queue = nil
}

type comm struct {
	*engine
	index      C.int
	rank, size int
	world      []int        // by rank: its number among all ranks
	near       []bool       // by rank: it is on this machine
	queue      []*operation // started operations that have not ended; only the thread uses it
	err        error        // error of the failed operation, after which none begins; only the thread uses it

	grown    map[*byte]*block // what Grow returned, by its begin
	received block            // by the last AllToAll
	used     bool             // MPI may still use them, because an operation has failed or was given up
}

func (c *comm) Rank() int       { return c.rank }
func (c *comm) Size() int       { return c.size }
func (c *comm) Sent() uint64    { return c.sent.Load() }
func (c *comm) Network() uint64 { return c.network.Load() }

// count counts bytes that are sent to a rank.
func (c *comm) count(to, bytes int) {
	c.sent.Add(uint64(bytes))
	if !c.near[to] {
		c.network.Add(uint64(bytes))
	}
}

// Abort ends all processes. MPI does not transmit the reason: the caller has printed it.
func (c *comm) Abort(error) {
	c.submit(func() { C.w2v_abort(1) })
	select {}
}

// run runs an operation after those that were started before. An operation whose context ends goes on.
func (c *comm) run(ctx context.Context, o *operation) ([][]byte, error) {
	o.comm, o.done = c, make(chan struct{})
	c.submit(func() {
		switch c.queue = append(c.queue, o); {
		case c.err != nil:
			c.giveUp()
		case len(c.queue) == 1:
			o.start()
		}
	})
	select {
	case <-o.done:
		c.used = c.used || o.err != nil
		return o.received, o.err
	case <-ctx.Done():
		c.used = true
		return nil, ctx.Err()
	}
}

// least is the size of the smallest memory that Grow returns.
const least = 4096

func (c *comm) Grow(p []byte, n int) []byte {
	if cap(p)-len(p) >= n {
		return p
	}
	b := c.grown[unsafe.SliceData(p)]
	size := max(least, cap(p)*3/2, len(p)+n)
	if b == nil || c.used { // MPI may still read the memory, which growing would free
		b = new(block)
		b.grow(size)
		copy(b.data, p)
	} else { // p is freed, and its content kept
		delete(c.grown, unsafe.SliceData(p))
		b.grow(size)
	}
	if c.grown == nil {
		c.grown = map[*byte]*block{}
	}
	c.grown[unsafe.SliceData(b.data)] = b
	return b.data[:len(p)]
}

func (c *comm) Release() {
	if c.used {
		return
	}
	for _, b := range c.grown {
		b.release()
	}
	clear(c.grown)
	c.received.release()
}

func (c *comm) AllToAll(ctx context.Context, send [][]byte) ([][]byte, error) {
	if len(send) != c.size {
		panic(fmt.Sprintf("mpi: %d parts to send to %d ranks", len(send), c.size))
	}
	return c.exchange(ctx, -1, send, &c.received)
}

func (c *comm) Gather(ctx context.Context, root int, data []byte) ([][]byte, error) {
	send, into := make([][]byte, c.size), new(block)
	send[root] = data
	received, err := c.exchange(ctx, root, send, into)
	if err != nil {
		return nil, err // MPI may still write to the block
	}
	for from, data := range received {
		received[from] = slices.Clone(data)
	}
	into.release()
	return received, nil
}

// exchange sends send[i] to rank i or, unless root is -1, to rank root alone.
func (c *comm) exchange(ctx context.Context, root int, send [][]byte, into *block) ([][]byte, error) {
	o := &operation{into: into}
	if root < 0 || root == c.rank {
		o.received = make([][]byte, c.size)
		o.received[c.rank] = send[c.rank]
	}
	gets := func(to int) bool { return to != c.rank && (root < 0 || root == to) }
	copied := make([]C.int, c.size)
	for to, data := range send {
		if gets(to) {
			c.count(to, len(data))
		}
		if c.grown[unsafe.SliceData(data)] == nil {
			copied[to] = 1
		}
	}
	o.begin = func() *C.w2v_op {
		op := C.w2v_exchange(c.index, C.int(root))
		for to, data := range send {
			if gets(to) {
				C.w2v_send(op, C.int(to), o.pin(data), C.uint64_t(len(data)), copied[to])
			}
		}
		C.w2v_begin(op)
		return op
	}
	return c.run(ctx, o)
}

func (c *comm) Broadcast(ctx context.Context, root int, data []byte) ([]byte, error) {
	if c.rank != root {
		data = nil
	}
	for to := range c.size {
		if to != c.rank {
			c.count(to, len(data))
		}
	}
	o := &operation{received: make([][]byte, 1), spread: true, sends: c.rank == root}
	o.begin = func() *C.w2v_op { return C.w2v_broadcast(c.index, C.int(root), o.pin(data), C.uint64_t(len(data))) }
	received, err := c.run(ctx, o)
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
		to := max(slices.Index(c.near, false), 0) // a sum crosses the network once, if it has to
		c.count(to, 8*len(values))
	}
	o := &operation{values: make([]float64, len(values)+1)[:len(values)]}
	copy(o.values, values)
	o.begin = func() *C.w2v_op {
		return C.w2v_reduce(c.index, how, (*C.double)(unsafe.SliceData(o.values)), C.int(len(o.values)))
	}
	_, err := c.run(ctx, o)
	if err == nil {
		copy(values, o.values)
	}
	return err
}

func (c *comm) Barrier(ctx context.Context) error {
	_, err := c.run(ctx, &operation{begin: func() *C.w2v_op { return C.w2v_barrier(c.index) }})
	return err
}

func (c *comm) Dup(ctx context.Context) (cluster.Comm, error) {
	dup := &comm{engine: c.engine, rank: c.rank, size: c.size, world: c.world, near: c.near}
	_, err := c.run(ctx, &operation{dup: dup, begin: func() *C.w2v_op { return C.w2v_dup(c.index) }})
	return dup, err
}

func (c *comm) Machine(ctx context.Context) (machine, heads cluster.Comm, err error) {
	if machine, err = c.comms[C.W2V_MACHINE].Dup(ctx); err != nil || machine.Rank() > 0 {
		return machine, nil, err
	}
	heads, err = c.comms[C.W2V_HEADS].Dup(ctx)
	return machine, heads, err
}
