//go:build !linux && !darwin && !windows && !freebsd && !netbsd && !openbsd && !dragonfly

package sysinfo

func totalMemory() uint64 { return 0 }

func peakMemory() uint64 { return 0 }

func resourceLimits(uint64) []bound { return nil }
