// Package parallel cuts work into runs for all cores.
package parallel

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Do cuts 0…n-1 into runs and calls work for each, on all cores. A panic of work is one of Do.
func Do(n int, work func(first, last int)) {
	workers := runtime.GOMAXPROCS(0)
	run := max(1, (n+4*workers-1)/(4*workers))
	var g errgroup.Group
	g.SetLimit(workers)
	var c caught
	for first := 0; first < n; first += run {
		g.Go(func() error {
			defer c.catch()
			work(first, min(n, first+run))
			return nil
		})
	}
	_ = g.Wait() // work cannot fail
	c.again()
}

// A caught is the first panic of some goroutines, for the one that waits for them.
type caught struct {
	once  sync.Once
	panic any
}

// catch is deferred by each goroutine.
func (c *caught) catch() {
	if p := recover(); p != nil {
		c.once.Do(func() { c.panic = p })
	}
}

// again panics with what was caught, if anything was, when all goroutines have ended.
func (c *caught) again() {
	if c.panic != nil {
		panic(c.panic)
	}
}
