//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is how many bytes of an ended process were resident at most.
func peakMemory(p *os.ProcessState) float64 {
	used, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return bytesOf(used)
}

// ownPeak is the same of this process. Linux counts what a parent has resident
// when it starts a process as the child's, so this is the least that peakMemory
// can be.
func ownPeak() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return bytesOf(&used)
}

func bytesOf(used *syscall.Rusage) float64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(used.Maxrss)
	}
	return float64(used.Maxrss) * 1024
}
