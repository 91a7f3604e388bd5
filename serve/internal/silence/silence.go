// Package silence keeps the standard logger silent while the package metrics is initialised.
//
// That package looks for statistics of Linux about pressure when any program with it starts, and logs
// if there are none, as on Red Hat's systems. So each command of w2v would print a line about it. A
// package without imports but these is initialised before one that imports net/http, as metrics does:
// packages that may be initialised are, in the order of their paths.
package silence

import (
	"io"
	"log"
)

var before = log.Writer()

func init() { log.SetOutput(io.Discard) }

// End gives the logger its output back, unless it has another one by now.
func End() {
	if log.Writer() == io.Discard {
		log.SetOutput(before)
	}
}
