package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// WalkOptions say how Walk walks. The zero value is DeepWalk (Perozzi, Al-Rfou and Skiena 2014):
// from node to node, an arc as often as its weight says.
type WalkOptions struct {
	Length  int // nodes in a walk, at most MaxLength; 0 means 80. A walk ends before at a node without arcs
	PerNode int // walks that begin at each node, at most MaxPerNode; 0 means 10

	// P and Q make walks of the second order, which know the node before (node2vec; Grover and
	// Leskovec 2016). The weight of the arc back to it is divided by P, and that of an arc to a
	// node that the node before has no arc to is divided by Q. 0 means 1, which changes nothing.
	// Others are from 1/MaxFactor to MaxFactor.
	P, Q float64
	// Plus makes weights count in what P and Q are about, too (node2vec+; Liu, Hirn and
	// Krishnan 2023). An arc is strong if its weight is at least the average of the arcs that
	// begin at a node. An arc to a node that the node before has a strong arc to stays as it is.
	// If the node before has a weak arc to it, or none, the arc's weight is multiplied by a
	// factor between 1 and 1/Q, which is the nearer to 1 the stronger that arc is; but if the
	// arc itself is weak, by 1/Q or 1, whichever is less.
	Plus bool

	// Arrays makes WriteWalks write JSON arrays, in which names may have spaces.
	Arrays  bool
	Seed    uint64
	Threads int // number of workers; 0 means GOMAXPROCS
	// Progress, if not nil, is called now and then with the number of nodes walked so far, from
	// several goroutines.
	Progress func(nodes uint64)
}

// The largest numbers of WalkOptions. A worker holds a batch of 1,024 walks in memory.
const (
	MaxLength  = 1 << 16
	MaxPerNode = 1 << 24
	MaxFactor  = 1e100 // of P and Q, and of 1/P and 1/Q, so that products with weights do not overflow
)

// The usual walks, which are those of DeepWalk and node2vec.
const (
	usualLength  = 80
	usualPerNode = 10
)

// orDefaults returns the options with what is usual in place of zeros.
func (o WalkOptions) orDefaults() WalkOptions {
	for _, f := range []struct {
		value *int
		usual int
	}{{&o.Length, usualLength}, {&o.PerNode, usualPerNode}, {&o.Threads, runtime.GOMAXPROCS(0)}} {
		if *f.value == 0 {
			*f.value = f.usual
		}
	}
	for _, f := range []*float64{&o.P, &o.Q} {
		if *f == 0 {
			*f = 1
		}
	}
	return o
}

// Validate returns an error if an option has an invalid value.
func (o WalkOptions) Validate() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"P", o.P}, {"Q", o.Q}} {
		switch {
		case f.value == 0: // means 1
		case !(f.value > 0):
			return fmt.Errorf("walks: %s is %v, must be above 0", f.name, f.value)
		case f.value < 1/MaxFactor || f.value > MaxFactor:
			return fmt.Errorf("walks: %s is %v, must be from %v to %v", f.name, f.value, 1/MaxFactor, MaxFactor)
		}
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"Length", o.Length}, {"PerNode", o.PerNode}, {"Threads", o.Threads}} {
		if f.value < 0 {
			return fmt.Errorf("walks: %s is %d, must not be negative", f.name, f.value)
		}
	}
	switch {
	case o.Length > MaxLength:
		return fmt.Errorf("walks: Length is %d, at most %d is possible", o.Length, MaxLength)
	case o.PerNode > MaxPerNode:
		return fmt.Errorf("walks: PerNode is %d, at most %d is possible", o.PerNode, MaxPerNode)
	}
	return nil
}

// A Batch is some walks. It is valid until the function that gets it returns.
type Batch struct {
	Number int      // of the batch, from 0: all batches by number are all walks in order
	Nodes  []uint32 // of all its walks
	Ends   []int    // where each walk ends in Nodes
}

// batchWalks is how many walks a batch has. The last one may have fewer.
const batchWalks = 1 << 10

// Batches returns how many batches the walks of these options are.
func (g *Graph) Batches(o WalkOptions) int {
	o = o.orDefaults()
	return (o.PerNode*g.Nodes() + batchWalks - 1) / batchWalks
}

// Walk walks, and hands batches of walks to use, from the goroutines of several workers, in any
// order. Each of PerNode rounds begins a walk at each node, in a random order. The walks depend on
// the graph and on the options alone, and not on Threads. An error of use ends Walk with that
// error.
func (g *Graph) Walk(ctx context.Context, o WalkOptions, use func(worker int, b Batch) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if ctx == nil || g == nil || g.mapped == nil {
		return errors.New("graph: walking needs a context and a graph that is open")
	}
	o = o.orDefaults()
	var next, done atomic.Int64
	batches := g.Batches(o)
	tasks, ctx := errgroup.WithContext(ctx)
	for worker := range min(o.Threads, batches) {
		tasks.Go(func() error {
			w := newWalker(g, o)
			for {
				number := int(next.Add(1)) - 1
				if number >= batches {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := use(worker, w.batch(number)); err != nil {
					return err
				}
				if total := done.Add(int64(len(w.nodes))); o.Progress != nil {
					o.Progress(uint64(total))
				}
			}
		})
	}
	return tasks.Wait()
}
