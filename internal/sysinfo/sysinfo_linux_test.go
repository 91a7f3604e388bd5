package sysinfo

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestStatusBytes(t *testing.T) {
	const status = "Name:\tw2v\nVmPeak:\t  99 kB\nVmHWM:\t   227600 kB\nThreads:\t8\nVmBad:\tmany kB\nVmNone:\n"
	for name, want := range map[string]uint64{"VmHWM": 227600 << 10, "VmPeak": 99 << 10, "Vm": 0, "VmBad": 0, "VmNone": 0, "": 0} {
		if got := statusBytes(status, name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if got := statusNumber(status, "Threads"); got != 8 {
		t.Errorf("%d threads", got)
	}
}

// What ulimit -v leaves is less by the addresses that are not used.
func TestResourceLimits(t *testing.T) {
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &was); err != nil {
		t.Fatal(err)
	}
	if was.Cur != math.MaxUint64 {
		t.Skip("there is a limit already")
	}
	for _, b := range resourceLimits(MemoryInUse())[:1] {
		if b.bytes != 0 {
			t.Errorf("%s %d bytes without a limit", b.why, b.bytes)
		}
	}
	const limit = 1 << 40
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: was.Max}); err != nil {
		t.Skipf("cannot set the limit: %v", err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_AS, &was) }()
	b := resourceLimits(MemoryInUse())[0]
	if b.why != "what ulimit -v leaves" || b.bytes == 0 || b.bytes > limit-arena || b.bytes < limit/2 {
		t.Errorf("%s %d bytes of %d", b.why, b.bytes, uint64(limit))
	}
}

func TestProcessorName(t *testing.T) {
	for _, test := range []struct{ info, want string }{
		{"processor\t: 0\nmodel name\t: A CPU: fast\n", "A CPU: fast"},
		{"processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\n", ""}, // arm64 has no name
		{"", ""},
	} {
		if got := processorName(test.info); got != test.want {
			t.Errorf("%q: %q, want %q", test.info, got, test.want)
		}
	}
}

// Processors that share a cache are one domain, and those that the process may not use are in none.
func TestCacheDomains(t *testing.T) {
	folder := t.TempDir()
	for processor, shared := range []string{"0-1,4-5\n", "0-1,4-5\n", "2-3,6-7\n", "2-3,6-7\n", "0-1,4-5\n"} {
		cache := filepath.Join(folder, fmt.Sprint("cpu", processor), "cache", "index3")
		if err := os.MkdirAll(cache, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(cache, "shared_cpu_list"), []byte(shared), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		allowed func(int) bool
		want    string
	}{
		{func(p int) bool { return p < 5 }, "[[0 1 4] [2 3]]"},
		{func(p int) bool { return p == 1 || p == 3 }, "[[1] [3]]"},
		{func(p int) bool { return p < 6 }, "[]"}, // nothing is known of processor 5
	} {
		if got := fmt.Sprint(cacheDomains(folder, test.allowed)); got != test.want {
			t.Errorf("domains %s, want %s", got, test.want)
		}
	}
}

// A thread stays where it was pinned.
func TestPin(t *testing.T) {
	var before, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Skip(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		for p := range 1024 {
			if before.IsSet(p) {
				if err := Pin(p); err != nil {
					t.Error(err)
				}
				break
			}
		}
		if err := unix.SchedGetaffinity(0, &after); err != nil || after.Count() != 1 {
			t.Errorf("the thread may use %d processors: %v", after.Count(), err)
		}
	}()
	<-done
}
