package sysinfo

import (
	"math"
	"runtime/debug"
	"sync/atomic"
)

// asked is the limit of Go's memory that KeepMemoryBelow found when it was first called, plus one;
// 0 before. It is global because the limit itself belongs to the process.
var asked atomic.Int64

// KeepMemoryBelow makes Go collect garbage early enough to keep the process below so many bytes of
// memory. If more is in use, the process takes more. A lower GOMEMLIMIT stays in force.
// MemoryLimit keeps using the GOMEMLIMIT of before. Only programs should call this; a library
// leaves it to its host.
func KeepMemoryBelow(bytes uint64) {
	asked.CompareAndSwap(0, wrap(debug.SetMemoryLimit(-1)))
	own := int64(min(max(bytes, program)-program, math.MaxInt64))
	debug.SetMemoryLimit(min(own, goLimit()))
}

// goLimit is GOMEMLIMIT, or what the program has set instead, without the effect of KeepMemoryBelow.
func goLimit() int64 {
	if n := asked.Load(); n != 0 {
		return n - 1
	}
	return debug.SetMemoryLimit(-1)
}

// wrap is n plus one, without overflow.
func wrap(n int64) int64 { return min(n, math.MaxInt64-1) + 1 }
