package main

import (
	"os"
	"runtime/debug"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
)

// Counting makes tables larger again and again, and the heap of training is nearly all
// matrices, in which Go finds no pointers: to look for garbage often costs nothing, and
// waiting would cost as much memory as there is garbage.

// garbagePercent is how much garbage there may be, of what is in use.
const garbagePercent = 25

// collectEarly makes Go look for garbage early enough, unless GOGC says when.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		sysinfo.KeepMemoryBelow(have)
	}
}

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

// withRoom adds to what a run takes of memory what garbage may take beside it. Without room Go
// would look for garbage all the time: at 300 dimensions that took a sixth of the time.
func withRoom(bytes uint64) uint64 { return bytes + max(bytes/32, 16<<20) }
