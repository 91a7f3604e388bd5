//go:build !linux && !darwin && !windows && !freebsd && !netbsd && !openbsd && !dragonfly

package sysinfo

import "time"

// On these systems nothing is known.

// CPUTime returns 0.
func CPUTime() time.Duration { return 0 }

// Processor returns the name of the processor, as its maker calls it, or "" if it is not known.
func Processor() string { return "" }

func freeDisk(string) (uint64, bool) { return 0, false }

// TotalMemory returns the bytes of physical memory of the machine, or 0 if it is not known.
func TotalMemory() uint64 { return 0 }

// PeakMemory returns the largest number of bytes that the process has had resident, including pages
// of mapped files, or 0 if it is not known.
func PeakMemory() uint64 { return 0 }

func resourceLimits(uint64) []bound { return nil }
