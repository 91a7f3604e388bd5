//go:build unix

// Package cputime says how much processor time the process has used.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Used is the processor time that this process has used.
func Used() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
