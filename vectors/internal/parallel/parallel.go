// Package parallel divides work among all cores.
package parallel

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Do divides 0…n-1 into runs and calls work for each run, on all cores. If work panics, Do panics.
func Do(n int, work func(first, last int)) {
	workers := runtime.GOMAXPROCS(0)
	run := max(1, (n+4*workers-1)/(4*workers))
	var g Group
	g.SetLimit(workers)
	for first := 0; first < n; first += run {
		g.Go(func() error {
			work(first, min(n, first+run))
			return nil
		})
	}
	_ = g.Wait() // work cannot fail
}

// A Group is an errgroup.Group whose Wait panics if one of its goroutines panicked, so that the caller can
// recover. The zero value works.
type Group struct {
	errgroup.Group
	once  sync.Once
	panic any // the first one
}

// Go calls f in a goroutine.
func (g *Group) Go(f func() error) {
	g.Group.Go(func() error {
		defer func() {
			if p := recover(); p != nil {
				g.once.Do(func() { g.panic = p })
			}
		}()
		return f()
	})
}

// Wait waits for all goroutines and returns their first error.
func (g *Group) Wait() error {
	err := g.Group.Wait()
	if g.panic != nil {
		panic(g.panic)
	}
	return err
}
