//go:build !linux && !darwin && !windows && !freebsd && !netbsd && !openbsd && !dragonfly

package memory

func total() uint64 { return 0 }

func peak() uint64 { return 0 }

func resourceLimits(uint64) []bound { return nil }
