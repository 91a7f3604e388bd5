package memory

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func total() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

func peak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return statusBytes(string(status), "VmHWM")
}

// arena is by how much Go makes its heap larger: in pieces of this size, of
// which all count as addresses.
const arena = 64 << 20

// threadAddresses is what a thread takes of addresses, with its stack and the heap of C that it has if
// the program is linked with C, and threadData what it takes of them that can be written.
const (
	threadAddresses = 72 << 20
	threadData      = 8 << 20
)

// resourceLimits returns what RLIMIT_AS and RLIMIT_DATA leave of memory for a process that has inUse
// bytes of it.
func resourceLimits(inUse uint64) []bound {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil
	}
	text := string(status)
	// Go starts about so many threads, for its own work too.
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

// softLimit returns a limit of resources, the largest number if there is none.
func softLimit(resource int) uint64 {
	var r unix.Rlimit
	if err := unix.Getrlimit(resource, &r); err != nil {
		return ^uint64(0)
	}
	return r.Cur
}

// statusBytes returns a field of /proc/self/status that is in kilobytes, 0 if it has none.
func statusBytes(status, name string) uint64 { return 1024 * statusNumber(status, name) }

func statusNumber(status, name string) uint64 {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			if fields := strings.Fields(value); len(fields) > 0 {
				n, _ := strconv.ParseUint(fields[0], 10, 53) // 0 if it is none
				return n
			}
		}
	}
	return 0
}
