// Package cluster joins the processes of a distributed run, its ranks.
//
// [Comm] is the interface that training needs of a cluster. Package cluster/mpi implements it with MPI.
// Training in one process has no Comm: a nil Comm means one rank.
//
// Every operation is collective: all ranks call the same operations of a Comm in the same order. Comms that Dup
// returned run independently of each other. If the context of an operation ends first, the operation returns the
// context's error. Then its Comm must not be used any more, nor what it sends be changed.
package cluster

import (
	"context"
	"fmt"
)

// A Comm connects the ranks of a run. Only one goroutine at a time may call its methods.
type Comm interface {
	// Rank is the number of this process, from 0 to Size()-1.
	Rank() int
	// Size is the number of processes, at least 1.
	Size() int
	// Dup returns another Comm of the same ranks.
	Dup(ctx context.Context) (Comm, error)
	// Machine returns Comms of some ranks, in their order: of those that can share memory with this one, and of the
	// first of each machine. heads is nil if this rank is not the first of its machine.
	Machine(ctx context.Context) (machine, heads Comm, err error)
	// AllToAll sends send[i] to rank i. send has Size() elements, each of any length, including 0. The result
	// has, for each rank, the data that the rank sent to this rank; for this rank itself, send[Rank()]. The data is
	// valid until the next AllToAll of this Comm.
	AllToAll(ctx context.Context, send [][]byte) ([][]byte, error)
	// Grow returns p with room for n more bytes, as slices.Grow does. p is nil or what Grow of this Comm returned, from
	// its beginning, and must not be used any more. Comms send data from memory of Grow without copying it first.
	Grow(p []byte, n int) []byte
	// Release gives back the memory of Grow and of AllToAll's result.
	Release()
	// AllReduce combines values element by element over all ranks, and stores the result in values on every
	// rank. All ranks pass the same number of values.
	AllReduce(ctx context.Context, op Op, values []float64) error
	// Gather returns the data of each rank on rank root, and nil on other ranks.
	Gather(ctx context.Context, root int, data []byte) ([][]byte, error)
	// Broadcast returns the data of rank root on every rank.
	Broadcast(ctx context.Context, root int, data []byte) ([]byte, error)
	// Barrier returns after all ranks have called it.
	Barrier(ctx context.Context) error
	// Sent is the number of bytes that this rank has sent to other ranks, through this Comm and all Comms
	// connected to it by Dup and Machine. AllReduce counts its values once.
	Sent() uint64
	// Network is the part of Sent that went to ranks on other machines.
	Network() uint64
	// Abort ends the run on all ranks because of err, which must not be nil. Operations of other ranks fail.
	// With MPI, Abort ends all processes and does not return. MPI does not transmit err: print it before.
	Abort(err error)
}

// Several reports whether c has more than one rank. A nil Comm has one.
func Several(c Comm) bool { return c != nil && c.Size() > 1 }

// An Op says how AllReduce combines two numbers.
type Op int

// Operations of AllReduce.
const (
	Sum Op = iota
	Max
	Min
)

// An EndedError is the error of operations after another rank has ended the run.
type EndedError struct {
	Rank int   // rank that ended the run
	Err  error // the reason
}

func (e *EndedError) Error() string { return fmt.Sprintf("rank %d ended the run: %v", e.Rank, e.Err) }
func (e *EndedError) Unwrap() error { return e.Err }
