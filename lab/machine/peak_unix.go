//go:build unix

package machine

import (
	"os"
	"runtime"
	"syscall"
)

// PeakMemory returns how many bytes of an ended process were resident at most, 0 if that is not
// known. Linux counts what the parent had resident when it started the process, too.
func PeakMemory(p *os.ProcessState) float64 {
	used, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(used.Maxrss)
	}
	return float64(used.Maxrss) * 1024
}
