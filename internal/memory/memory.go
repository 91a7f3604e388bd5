// Package memory says how much memory this process may use.
package memory

import (
	"math"
	"runtime/debug"
)

// Total returns the bytes of physical memory that the machine has, or 0 if that cannot
// be known.
func Total() uint64 { return total() }

// Limit returns the most bytes that this process can ever have, or 0 if that cannot be
// known, and what says so, as "this machine's memory". It is the least of what the machine
// has, what the control groups of the process allow, as containers and batch systems set them,
// and GOMEMLIMIT. What others use at the moment does not count: the system can take much of it
// back, and it may be free when it is needed.
func Limit() (bytes uint64, why string) {
	return limit("/", total(), debug.SetMemoryLimit(-1))
}

func limit(root string, total uint64, goLimit int64) (bytes uint64, why string) {
	bytes, why = total, "this machine's memory"
	if group := controlGroups(root); less(group, bytes) {
		bytes, why = group, "the limit of this container or control group"
	}
	if goLimit < math.MaxInt64 && less(uint64(goLimit), bytes) {
		bytes, why = uint64(goLimit), "GOMEMLIMIT"
	}
	return bytes, why
}

// less compares limits, of which 0 is none.
func less(a, b uint64) bool { return a > 0 && (b == 0 || a < b) }
