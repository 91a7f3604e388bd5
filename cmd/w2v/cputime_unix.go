//go:build unix

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
