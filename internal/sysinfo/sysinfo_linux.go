package sysinfo

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// TotalMemory returns the bytes of physical memory of the machine, or 0 if it is not known.
func TotalMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

// PeakMemory returns the largest number of bytes that the process has had resident, including pages
// of mapped files, or 0 if it is not known.
func PeakMemory() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return statusBytes(string(status), "VmHWM")
}

// arena is the size of the pieces by which Go's heap grows. A whole piece counts as addresses.
const arena = 64 << 20

// threadAddresses is how many addresses a thread takes, for its stack and, if the program is linked
// with C, for its heap of C. threadData is how many of them can be written.
const (
	threadAddresses = 72 << 20
	threadData      = 8 << 20
)

// resourceLimits returns what RLIMIT_AS and RLIMIT_DATA leave a process that uses inUse bytes.
func resourceLimits(inUse uint64) []bound {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil
	}
	text := string(status)
	// Go starts about so many threads, including those for its own work.
	missing := uint64(max(0, int64(runtime.GOMAXPROCS(0))+4-int64(statusNumber(text, "Threads"))))
	taken := func(name string, more uint64) uint64 {
		has := statusBytes(text, name)
		return has - min(has, inUse) + more
	}
	return []bound{
		{left(softLimit(unix.RLIMIT_AS), taken("VmSize", arena+missing*threadAddresses)), "what ulimit -v leaves"},
		{left(softLimit(unix.RLIMIT_DATA), taken("VmData", 4<<20+missing*threadData)), "what ulimit -d leaves"},
	}
}

func softLimit(resource int) uint64 {
	var r unix.Rlimit
	if err := unix.Getrlimit(resource, &r); err != nil {
		return ^uint64(0)
	}
	return r.Cur
}

func statusBytes(status, name string) uint64 { return 1024 * statusNumber(status, name) }

func statusNumber(status, name string) uint64 {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			if fields := strings.Fields(value); len(fields) > 0 {
				n, _ := strconv.ParseUint(fields[0], 10, 53) // 0 if it is not a number
				return n
			}
		}
	}
	return 0
}

func freeDisk(folder string) (uint64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Frsize), true
}

// Processor returns the name of the processor, as its maker calls it, or "" if it is not known.
func Processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // without it there is no name
	if name := processorName(string(info)); name != "" {
		return name
	}
	board, _ := os.ReadFile("/sys/firmware/devicetree/base/model") // small arm64 machines have only this one
	return strings.TrimRight(string(board), "\x00")
}

func processorName(info string) string {
	for line := range strings.Lines(info) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Allowed returns the processors that the process may use, as bits; nil if they are not known.
func Allowed() []uint64 {
	var allowed unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil {
		return nil
	}
	set := make([]uint64, 16)
	for processor := range 64 * len(set) {
		if allowed.IsSet(processor) {
			set[processor/64] |= 1 << (processor % 64)
		}
	}
	return set
}

// CacheDomains returns the processors that the process may use, divided into those that share a last-level
// cache; nil if that is not known.
func CacheDomains() [][]int {
	var allowed unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil {
		return nil
	}
	return cacheDomains("/sys/devices/system/cpu", allowed.IsSet)
}

func cacheDomains(folder string, allowed func(processor int) bool) (domains [][]int) {
	const most = 1024 // processors that a unix.CPUSet has
	of := map[string]int{}
	for processor := range most {
		if !allowed(processor) {
			continue
		}
		text, err := os.ReadFile(folder + "/cpu" + strconv.Itoa(processor) + "/cache/index3/shared_cpu_list")
		if err != nil {
			return nil
		}
		domain, known := of[string(text)]
		if !known {
			domain = len(domains)
			of[string(text)] = domain
			domains = append(domains, nil)
		}
		domains[domain] = append(domains[domain], processor)
	}
	return domains
}

// Pin keeps the calling thread, which runtime.LockOSThread has locked, on these processors. It returns an error on
// systems other than Linux, and if the process may not use any of the processors.
func Pin(processors ...int) error {
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("a thread cannot stay on processors %v: %w", processors, err)
	}
	return nil
}
