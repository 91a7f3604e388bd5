package sysinfo

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

const (
	machine   = "this machine's memory"
	container = "the limit of this container or control group"
)

func TestMemoryLimit(t *testing.T) {
	const unlimited = "9223372036854771712\n" // as version 1 says it
	for _, test := range []struct {
		name    string
		files   map[string]string
		total   uint64
		goLimit int64
		bytes   uint64
		why     string
	}{
		{"no files", nil, 1000, math.MaxInt64, 1000, machine},
		{"nothing is known", nil, 0, math.MaxInt64, 0, machine},
		{
			"version 2 without a limit",
			map[string]string{"proc/self/cgroup": "0::/user.slice\n", "sys/fs/cgroup/user.slice/memory.max": "max\n"},
			1000, math.MaxInt64, 1000, machine,
		},
		{
			"version 2",
			map[string]string{"proc/self/cgroup": "0::/user.slice/run\n", "sys/fs/cgroup/user.slice/run/memory.max": "400\n"},
			1000, math.MaxInt64, 400, container,
		},
		{
			"a parent allows less",
			map[string]string{
				"proc/self/cgroup":                        "0::/user.slice/run\n",
				"sys/fs/cgroup/user.slice/run/memory.max": "400\n",
				"sys/fs/cgroup/user.slice/memory.max":     "300\n",
			},
			1000, math.MaxInt64, 300, container,
		},
		{
			"a container sees its own group as the root",
			map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "500\n"},
			1000, math.MaxInt64, 500, container,
		},
		{
			"a group outside of what is seen",
			map[string]string{"proc/self/cgroup": "0::/../../other\n", "sys/fs/cgroup/memory.max": "500\n"},
			1000, math.MaxInt64, 500, container,
		},
		{
			"version 1, the group by its name outside of the container",
			map[string]string{
				"proc/self/cgroup":                           "12:pids:/docker/abc\n5:cpu,memory:/docker/abc\n0::/docker/abc\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n",
			},
			1000, math.MaxInt64, 600, container,
		},
		{
			"version 1, unlimited",
			map[string]string{
				"proc/self/cgroup":                           "5:memory:/\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": unlimited,
			},
			1000, math.MaxInt64, 1000, machine,
		},
		{
			"version 1 of another controller",
			map[string]string{
				"proc/self/cgroup":                           "5:memoryless:/\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n",
			},
			1000, math.MaxInt64, 1000, machine,
		},
		{"a limit of Go", nil, 1000, 200, 200, "GOMEMLIMIT"},
		{"a limit of Go above all", nil, 1000, 2000, 1000, machine},
		{"a limit of Go alone", nil, 0, 2000, 2000, "GOMEMLIMIT"},
		{"a group alone", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "500\n"}, 0, math.MaxInt64, 500, container},
		{"files that make no sense", map[string]string{"proc/self/cgroup": "\n0\n0::\n::\n", "sys/fs/cgroup/memory.max": "-4 apples"}, 1000, math.MaxInt64, 1000, machine},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range test.files {
				path := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if bytes, why := memoryLimit(root, test.total, test.goLimit, nil); bytes != test.bytes || why != test.why {
				t.Errorf("%d, %s; want %d, %s", bytes, why, test.bytes, test.why)
			}
		})
	}
}

func TestLimitOfThisProcess(t *testing.T) {
	bytes, why := MemoryLimit()
	if bytes > 0 && bytes < 16<<20 || why == "" {
		t.Errorf("%d bytes, %s", bytes, why)
	}
	if TotalMemory() > 0 && bytes > TotalMemory() {
		t.Errorf("%d bytes of %d", bytes, TotalMemory())
	}
}

func TestLeft(t *testing.T) {
	for _, test := range []struct{ limit, taken, want uint64 }{
		{math.MaxUint64, 5, 0}, {1 << 63, 5, 0}, {100, 30, 70}, {100, 100, 1}, {100, 101, 1},
	} {
		if got := left(test.limit, test.taken); got != test.want {
			t.Errorf("of %d with %d taken are left %d, want %d", test.limit, test.taken, got, test.want)
		}
	}
}

// The least of all bounds counts, of what the system says and of what Go was told.
func TestLimitOfBounds(t *testing.T) {
	more := []bound{{0, "none"}, {700, "ulimit -v"}, {600, "ulimit -d"}}
	for _, test := range []struct {
		total   uint64
		goLimit int64
		bytes   uint64
		why     string
	}{
		{1000, math.MaxInt64, 600, "ulimit -d"},
		{500, math.MaxInt64, 500, machine},
		{0, math.MaxInt64, 600, "ulimit -d"},
		{1000, 300, 300, "GOMEMLIMIT"},
	} {
		if bytes, why := memoryLimit(t.TempDir(), test.total, test.goLimit, more); bytes != test.bytes || why != test.why {
			t.Errorf("%d, %s; want %d, %s", bytes, why, test.bytes, test.why)
		}
	}
}

// What is in use grows with what is allocated, and not with what is free again.
func TestInUse(t *testing.T) {
	runtime.GC()
	before := MemoryInUse()
	const size = 64 << 20
	b := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		b[i] = 1
	}
	with := MemoryInUse()
	if grown := int64(with) - int64(before); grown < size*9/10 || grown > size*11/10 {
		t.Errorf("%d bytes are in use, with %d more %d", before, size, with)
	}
	runtime.KeepAlive(b)
	runtime.GC()
	runtime.GC()
	if after := MemoryInUse(); int64(after)-int64(before) > size/4 {
		t.Errorf("%d bytes are in use, and when %d are free again %d", before, size, after)
	}
	if peak := PeakMemory(); peak > 0 && peak < size {
		t.Errorf("a peak of %d bytes", peak)
	}
}

// What a program keeps below is not a limit that was asked for.
func TestKeepMemoryBelow(t *testing.T) {
	was := debug.SetMemoryLimit(-1)
	defer func() { debug.SetMemoryLimit(was); asked.Store(0) }()
	bytes, why := MemoryLimit()
	KeepMemoryBelow(1 << 30)
	if got := debug.SetMemoryLimit(-1); got != min(was, 1<<30-program) {
		t.Errorf("Go's limit is %d", got)
	}
	KeepMemoryBelow(2 << 30)
	if got := debug.SetMemoryLimit(-1); got != min(was, 2<<30-program) {
		t.Errorf("Go's limit is %d after a higher one", got)
	}
	if again, by := MemoryLimit(); again != bytes || by != why {
		t.Errorf("the limit is %d by %s, was %d by %s", again, by, bytes, why)
	}
}
