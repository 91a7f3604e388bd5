//go:build unix

package command

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
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(used.Maxrss)
	}
	return float64(used.Maxrss) * 1024
}
