package sysinfo

import "math"

// TotalMemory returns the bytes of physical memory of the machine, or 0 if it is not known.
func TotalMemory() uint64 { return totalMemory() }

// MemoryLimit returns the largest number of bytes that this process can have, or 0 if it is not
// known. It also returns what sets the limit, for example "this machine's memory". It is the
// smallest of:
//
//   - the memory of the machine;
//   - the limits of the process's control groups or job object, which containers and batch systems
//     set;
//   - what ulimit -v and ulimit -d leave, without the addresses that the process has and does not
//     use;
//   - GOMEMLIMIT.
//
// Memory that other processes use is not subtracted: the system can take much of it back, and it
// may be free when it is needed.
func MemoryLimit() (bytes uint64, why string) {
	return memoryLimit("/", totalMemory(), goLimit(), resourceLimits(MemoryInUse()))
}

// A bound is a limit and what sets it. 0 means no limit.
type bound struct {
	bytes uint64
	why   string
}

func memoryLimit(root string, total uint64, goLimit int64, more []bound) (bytes uint64, why string) {
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

// less compares limits. 0 means no limit.
func less(a, b uint64) bool { return a > 0 && (b == 0 || a < b) }

// left returns how much memory a limit on addresses leaves, at least 1, if so many addresses are
// taken for other things. It returns 0 if there is no limit.
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
