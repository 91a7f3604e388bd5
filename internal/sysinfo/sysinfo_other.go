//go:build !linux && !darwin && !windows && !freebsd && !netbsd && !openbsd && !dragonfly

package sysinfo

import "time"

// On these systems nothing is known.

// CPUTime returns 0.
func CPUTime() time.Duration { return 0 }

func Processor() string { return "" }

func freeDisk(string) (uint64, bool) { return 0, false }

func TotalMemory() uint64 { return 0 }

func PeakMemory() uint64 { return 0 }

func resourceLimits(uint64) []bound { return nil }
