package sysinfo

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func TotalMemory() uint64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return bytes
}

func PeakMemory() uint64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return uint64(max(used.Maxrss, 0)) // in bytes
}

// resourceLimits returns nothing: the kernel does not enforce ulimit -v and -d.
func resourceLimits(uint64) []bound { return nil }

func freeDisk(folder string) (uint64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

func Processor() string {
	name, _ := unix.Sysctl("machdep.cpu.brand_string") // "" if that fails
	return name
}
