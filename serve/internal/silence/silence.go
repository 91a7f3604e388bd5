// Package silence keeps the standard logger silent while the package metrics is initialised.
//
// The package metrics reads Linux's statistics of pressure when a program starts, and logs if a kernel
// has none, as Red Hat's kernels do by default. Every command of w2v would print that line. Go
// initialises packages in the order of their paths as soon as all of their imports are. This package
// imports only io and log. So it comes before net/http, which imports log too, and which metrics waits for.
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
