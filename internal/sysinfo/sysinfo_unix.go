//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sysinfo

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the processor time that this process has used, over all cores.
func CPUTime() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
