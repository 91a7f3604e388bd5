package main

import (
	"fmt"
	"math"
	"time"

	"github.com/w2v-go/w2v/vectors/transform"
)

// often is the time between lines about a computation where there is no bar.
const often = 10 * time.Second

// computation returns how a long computation is done: with a bar on a terminal, and with a line
// now and then elsewhere. End ends the bar.
func computation(s streams, force bool) (how transform.Computation, end func()) {
	r := &reporter{err: s.err, bar: s.errTerminal, narrow: s.errTerminal && s.errWidth < wideTerminal, columns: s.errColumns, loss: math.NaN()}
	said := time.Now()
	how = transform.Computation{Force: force, Progress: func(what string, done float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.bar:
			if r.current == nil {
				r.current = r.newBar(1000)
			}
			_ = r.current.Set64(int64(min(999, 1000*done))) // a bar that cannot be drawn must not stop the work
			r.current.Describe(what)
		case time.Since(said) >= often:
			said = time.Now()
			fmt.Fprintf(r.err, "%s: %.0f %% done\n", what, 100*done)
		}
	}}
	return how, r.countingDone
}
