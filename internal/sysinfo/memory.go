// Package memory says how much memory this process may use, and how much it uses.
//
// Memory is what only this process needs: the heap and what Go keeps beside it, stacks, and the
// pages of the program. Pages of mapped files are none of it, because the system takes
// them back when it is short of memory.
package memory

import "math"

// Total returns the bytes of physical memory that the machine has, or 0 if that cannot
// be known.
func Total() uint64 { return total() }

// Limit returns the most bytes that this process can ever have, or 0 if that cannot be
// known, and what says so, as "this machine's memory". It is the least of what the machine
// has; what the control groups or the job object of the process allow, as containers and batch
// systems set them; what ulimit -v and ulimit -d leave when the addresses are taken off that
// the process has and does not use; and GOMEMLIMIT. What others use at the moment does not count:
// the system can take much of it back, and it may be free when it is needed.
func Limit() (bytes uint64, why string) {
	return limit("/", total(), goLimit(), resourceLimits(InUse()))
}

// A bound is a limit, 0 for none, and what sets it.
type bound struct {
	bytes uint64
	why   string
}

func limit(root string, total uint64, goLimit int64, more []bound) (bytes uint64, why string) {
	bytes, why = total, "this machine's memory"
	if group := controlGroups(root); less(group, bytes) {
		bytes, why = group, "the limit of this container or control group"
	}
	for _, b := range more {
		if less(b.bytes, bytes) {
			bytes, why = b.bytes, b.why
		}
	}
	if goLimit < math.MaxInt64 && less(uint64(goLimit), bytes) {
		bytes, why = uint64(goLimit), "GOMEMLIMIT"
	}
	return bytes, why
}

// less compares limits, of which 0 is none.
func less(a, b uint64) bool { return a > 0 && (b == 0 || a < b) }

// left returns what a limit of addresses leaves for memory, at least 1, if so many addresses
// are taken for other things. An unlimited one is 0.
func left(limit, taken uint64) uint64 {
	const unlimited = 1 << 62
	switch {
	case limit >= unlimited:
		return 0
	case limit <= taken:
		return 1
	}
	return limit - taken
}
