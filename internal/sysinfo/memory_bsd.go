//go:build freebsd || netbsd || openbsd || dragonfly

package memory

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"
)

// total is hw.physmem, which has 8 bytes or, on some of these systems, 4; hw.physmem64 is the
// name of the larger one where both are there.
func total() uint64 {
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

func peak() uint64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return uint64(max(used.Maxrss, 0)) << 10 // in kilobytes
}

// resourceLimits returns what RLIMIT_DATA allows, which is what holds mapped memory on OpenBSD
// and NetBSD and the usual limit of these systems. How many addresses the process has is not
// known here, so that RLIMIT_AS is not looked at.
func resourceLimits(uint64) []bound {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &r); err != nil {
		return nil
	}
	return []bound{{left(uint64(r.Cur), 0), "what ulimit -d allows"}}
}
