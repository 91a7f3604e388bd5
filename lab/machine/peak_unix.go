//go:build unix

package machine

import (
	"os"
	"runtime"
	"syscall"
)

// used returns the most bytes that an ended process had resident, as the system accounts for it; 0 if
// that is not known.
func used(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(usage.Maxrss)
	}
	return float64(usage.Maxrss) * 1024
}
