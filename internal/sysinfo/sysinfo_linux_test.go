package sysinfo

import (
	"math"
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
