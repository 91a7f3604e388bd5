package sysinfo

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

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

// What a program keeps below is no limit that was asked for.
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
