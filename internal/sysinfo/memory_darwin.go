package sysinfo

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func totalMemory() uint64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return bytes
}

func peakMemory() uint64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return uint64(max(used.Maxrss, 0)) // in bytes
}

// resourceLimits returns nothing: the kernel does not enforce ulimit -v and -d.
func resourceLimits(uint64) []bound { return nil }
