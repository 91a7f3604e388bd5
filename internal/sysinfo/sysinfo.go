// Package sysinfo says what the machine has and what this process uses: the processor and its time,
// memory, and room on a disk.
//
// Memory means what only this process needs: the heap and what Go keeps besides it, stacks, and the
// pages of the program. Pages of mapped files do not count, because the system takes them back when
// memory is short.
package sysinfo

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// MemoryLimit returns the largest number of bytes that this process can have, or 0 if it is not
// known. It also returns what sets the limit, for example "this machine's memory". It is the
// smallest of:
//
//   - the memory of the machine;
//   - the limits of the process's control groups or job object, which containers and batch systems
//     set;
//   - what ulimit -v and ulimit -d leave, without the addresses that the process has and does not
//     use;
//   - GOMEMLIMIT.
//
// Memory that other processes use is not subtracted: the system can take much of it back, and it
// may be free when it is needed.
func MemoryLimit() (bytes uint64, why string) {
	return memoryLimit("/", TotalMemory(), goLimit(), resourceLimits(MemoryInUse()))
}

// Lacks reports whether bytes, together with the memory in use, exceed the memory that the process can get.
// It also returns this sum, that memory, and what sets its limit: what a program can address if the
// limit is not known, or with force.
func Lacks(bytes float64, force bool) (need, have uint64, limit string, lacks bool) {
	have, limit = MemoryLimit()
	if force || have == 0 {
		have, limit = min(math.MaxInt, 1<<46), "all that a program can address"
	}
	bytes += float64(MemoryInUse())
	return uint64(min(bytes, 1<<62)), have, limit, bytes > float64(have)
}

// A bound is a limit and what sets it. 0 means no limit.
type bound struct {
	bytes uint64
	why   string
}

func memoryLimit(root string, total uint64, goLimit int64, more []bound) (bytes uint64, why string) {
	bytes, why = total, "this machine's memory"
	if group := controlGroups(root); less(group, bytes) {
		bytes, why = group, "the limit of this container or control group"
	}
	for _, b := range more {
		if less(b.bytes, bytes) {
			bytes, why = b.bytes, b.why
		}
	}
	if goLimit < math.MaxInt64 && less(uint64(goLimit), bytes) {
		bytes, why = uint64(goLimit), "GOMEMLIMIT"
	}
	return bytes, why
}

func less(a, b uint64) bool { return a > 0 && (b == 0 || a < b) }

// left returns what a limit on addresses leaves, at least 1; 0 if there is no limit.
func left(limit, taken uint64) uint64 {
	const unlimited = 1 << 62
	switch {
	case limit >= unlimited:
		return 0
	case limit <= taken:
		return 1
	}
	return limit - taken
}

// program is about how many bytes of the program itself are in memory.
const program = 18 << 20

// MemoryInUse returns how many bytes the process uses now. Memory that the heap has free or has
// given back does not count. Garbage counts until it is collected.
func MemoryInUse() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	var values [3]uint64
	for i, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			values[i] = s.Value.Uint64()
		}
	}
	return program + values[0] - min(values[0], values[1]+values[2])
}

// asked is the limit of Go's memory that KeepMemoryBelow found when it was first called, plus one;
// 0 before. It is global because the limit itself belongs to the process.
var asked atomic.Int64

// KeepMemoryBelow makes Go collect garbage early enough to keep the process below so many bytes of
// memory. If more is in use, the process takes more. A lower GOMEMLIMIT stays in force.
// MemoryLimit keeps using the GOMEMLIMIT of before. Only programs should call this; a library
// leaves it to its host.
func KeepMemoryBelow(bytes uint64) {
	asked.CompareAndSwap(0, wrap(debug.SetMemoryLimit(-1)))
	own := int64(min(max(bytes, program)-program, math.MaxInt64))
	debug.SetMemoryLimit(min(own, goLimit()))
}

// goLimit is GOMEMLIMIT, or what the program has set instead, without the effect of KeepMemoryBelow.
func goLimit() int64 {
	if n := asked.Load(); n != 0 {
		return n - 1
	}
	return debug.SetMemoryLimit(-1)
}

func wrap(n int64) int64 { return min(n, math.MaxInt64-1) + 1 }

// controlGroups returns the smallest limit of the control groups of the process, or 0 if there is
// none. It knows both versions of control groups, and looks for their files below root. Groups
// that do not exist are skipped: within a container, a process may be in a group by a name that is
// valid only outside, while the limit is in the root of the mounted groups.
func controlGroups(root string) uint64 {
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0 // only Linux has control groups
	}
	least := uint64(0)
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // number, controllers, path of the group
		if len(fields) < 3 {
			continue
		}
		folder, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" { // version 1
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if !slices.Contains(strings.Split(fields[1], ","), "memory") {
				continue
			}
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			if limit := readLimit(filepath.Join(root, folder, group, file)); less(limit, least) {
				least = limit
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

func readLimit(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return limit
}

// FreeDisk returns how many bytes a user without privileges can still write to the folder of a file
// or folder at path. The file need not exist. Symbolic links are followed. FreeDisk returns false if
// the number is not known, or if path is a device or a pipe.
func FreeDisk(path string) (bytes uint64, ok bool) {
	folder, ok := folderOf(path)
	if !ok {
		return 0, false
	}
	return freeDisk(folder)
}

func folderOf(path string) (string, bool) {
	if path == "" {
		return "", false
	}
	path = filepath.Clean(path)
	info, err := os.Lstat(path)
	switch {
	case err != nil, info.Mode().IsRegular(), info.IsDir():
		return filepath.Dir(path), true
	case info.Mode()&fs.ModeSymlink == 0:
		return "", false
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	return folderOf(target)
}

// A DiskFullError says that a file will not fit on its disk.
type DiskFullError struct {
	Path       string
	Folder     string // of the file
	Need, Free uint64 // bytes
}

func (e *DiskFullError) Error() string {
	return fmt.Sprintf("%s: needs about %s and %s has %s free: free some space, or give another path",
		e.Path, size(e.Need), e.Folder, size(e.Free))
}

// CheckDisk returns a *DiskFullError if there is not room for so many bytes in the folder of a file
// at path. It returns nil if that is not known.
func CheckDisk(path string, need uint64) error {
	folder, ok := folderOf(path)
	if !ok {
		return nil
	}
	if have, ok := freeDisk(folder); ok && have < need {
		return &DiskFullError{Path: path, Folder: folder, Need: need, Free: have}
	}
	return nil
}

func size(bytes uint64) string {
	n, unit := float64(bytes), "bytes"
	for _, larger := range []string{"kB", "MB", "GB", "TB"} {
		if n < 1000 {
			break
		}
		n, unit = n/1000, larger
	}
	if unit != "bytes" && n < 10 {
		return fmt.Sprintf("%.1f %s", n, unit)
	}
	return fmt.Sprintf("%.0f %s", n, unit)
}
