package main

import (
	"runtime/debug"

	"github.com/w2v-go/w2v/sgns"
)

// A run comes near to its peak of memory when its matrices are allocated. What reading the
// text and making the table of rows left behind must be gone by then: the runtime alone
// would keep it. Packages leave that to the program, because others may share the process.

// collected is what training calls before it allocates the matrices: it gives garbage back to
// the system, and then calls start, which may be nil.
func collected(start func(sgns.Plan) error) func(sgns.Plan) error {
	return func(p sgns.Plan) error {
		debug.FreeOSMemory()
		if start == nil {
			return nil
		}
		return start(p)
	}
}
