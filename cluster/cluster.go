// Package cluster joins the processes of a distributed run: its ranks.
//
// [Comm] is what training needs of a cluster. Package cluster/mpi implements it with MPI.
//
// Training in one process has no Comm at all: a nil Comm means one rank.
//
// Every operation is collective: all ranks call the same operations of a Comm in the same order. An
// operation that a rank has started goes on while the rank computes, until Wait. Operations of one Comm
// run one after the other. Comms that Dup returned run independently of each other.
package cluster

import (
	"context"
	"fmt"
)

// A Comm joins the ranks of a run. Its methods may be called by one goroutine at a time.
type Comm interface {
	// Rank is the number of this process, from 0 to Size()-1.
	Rank() int
	// Size is the number of processes, at least 1.
	Size() int
	// Dup returns another Comm of the same ranks. It is collective.
	Dup(ctx context.Context) (Comm, error)
	// AllToAll starts sending send[i] to rank i. send has Size() elements, each of any length, also 0.
	// They must not be changed before Wait has returned. The result of Wait has, for each rank, what
	// that rank sent to this one; it belongs to the caller.
	AllToAll(send [][]byte) Exchange
	// AllReduce combines values element by element over all ranks and stores the result in values
	// on every rank. All ranks give as many.
	AllReduce(ctx context.Context, op Op, values []float64) error
	// Gather returns on rank root, for each rank, the data of that rank; on others nil.
	Gather(ctx context.Context, root int, data []byte) ([][]byte, error)
	// Broadcast returns on every rank the data of rank root.
	Broadcast(ctx context.Context, root int, data []byte) ([]byte, error)
	// Barrier returns when all ranks have called it.
	Barrier(ctx context.Context) error
	// Sent is the number of bytes that this rank has given to this Comm, and to all Comms that share
	// its origin, to send to other ranks. AllReduce counts its values once.
	Sent() uint64
	// Abort ends the run on all ranks because of err, which must not be nil. Operations of the others
	// fail. With MPI it ends all processes and does not return. MPI tells nobody what err is: print it
	// before.
	Abort(err error)
}

// Several tells whether c joins more than one rank. A nil Comm does not.
func Several(c Comm) bool { return c != nil && c.Size() > 1 }

// An Exchange is an AllToAll that was started.
type Exchange interface {
	// Done is closed when Wait would return at once.
	Done() <-chan struct{}
	// Wait returns what the ranks sent. If ctx ends first, it returns the context's error, and the
	// Comm is of no further use.
	Wait(ctx context.Context) ([][]byte, error)
}

// An Op says how AllReduce combines two numbers.
type Op int

// What AllReduce can do.
const (
	Sum Op = iota
	Max
	Min
)

// An EndedError is the error of operations after another rank has ended the run.
type EndedError struct {
	Rank int   // that ended it
	Err  error // why
}

func (e *EndedError) Error() string {
	return fmt.Sprintf("rank %d ended the run: %v", e.Rank, e.Err)
}
func (e *EndedError) Unwrap() error { return e.Err }
