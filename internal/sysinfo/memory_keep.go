package memory

import (
	"math"
	"runtime/debug"
	"sync/atomic"
)

// asked is the limit of Go's memory, plus one, that KeepBelow found, or 0. It belongs to the
// process as the limit itself does.
var asked atomic.Int64

// KeepBelow makes Go collect its garbage early enough for the process to have no more than so many
// bytes of memory, as far as it can: it may have more if all of it is in use. A
// lower GOMEMLIMIT stays, and Limit goes on by the GOMEMLIMIT that was there before. It is for
// programs: a library leaves these things to its host.
func KeepBelow(bytes uint64) {
	asked.CompareAndSwap(0, wrap(debug.SetMemoryLimit(-1)))
	own := int64(min(max(bytes, program)-program, math.MaxInt64))
	debug.SetMemoryLimit(min(own, goLimit()))
}

// goLimit is GOMEMLIMIT, or what the program has set instead, without KeepBelow.
func goLimit() int64 {
	if n := asked.Load(); n != 0 {
		return n - 1
	}
	return debug.SetMemoryLimit(-1)
}

// wrap is n plus one, if there is such a number.
func wrap(n int64) int64 { return min(n, math.MaxInt64-1) + 1 }
