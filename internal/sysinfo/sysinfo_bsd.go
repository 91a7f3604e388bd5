//go:build freebsd || netbsd || openbsd || dragonfly

package sysinfo

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"
)

// TotalMemory returns the bytes of physical memory of the machine, or 0 if it is not known. It reads
// hw.physmem, which has 8 bytes or, on some of these systems, 4. Where both exist,
// hw.physmem64 is the larger one.
func TotalMemory() uint64 {
	for _, name := range []string{"hw.physmem64", "hw.physmem"} {
		raw, err := unix.SysctlRaw(name)
		switch {
		case err == nil && len(raw) == 8:
			return binary.NativeEndian.Uint64(raw)
		case err == nil && len(raw) == 4:
			return uint64(binary.NativeEndian.Uint32(raw))
		}
	}
	return 0
}

func PeakMemory() uint64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return uint64(max(used.Maxrss, 0)) << 10 // in kilobytes
}

// resourceLimits returns what RLIMIT_DATA allows. It limits mapped memory on OpenBSD and NetBSD, and
// is the usual limit on these systems. RLIMIT_AS is not used, because it is not known here how many
// addresses the process has.
func resourceLimits(uint64) []bound {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &r); err != nil {
		return nil
	}
	return []bound{{left(uint64(r.Cur), 0), "what ulimit -d allows"}}
}

func Processor() string { return "" }

func freeDisk(string) (uint64, bool) { return 0, false }
