package vocab

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// However long a corpus is, and however often it is read, no more than ResidentBytes of its ids are in
// memory: then its pages are given back.
func TestIDsTakeLittleMemory(t *testing.T) {
	const tokens = 4 << 20
	r, err := newRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.begin(0)
	for i := range tokens {
		if err := r.add(uint32(i % 7)); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 {
			r.endSentence()
		}
	}
	ids, err := joinLists([]*recorder{r}, [][]int32{{0, 1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ids.Close() }()
	p := ids.from.store.(*packed)
	if n := resident(t, p.mapped); n > 1<<20 {
		t.Errorf("%d bytes are in memory when nothing was read", n)
	}
	most, back := 0, 0
	for read, seen := 0, int64(0); read < 5*tokens; {
		for i := range ids.Chunks() {
			for _, piece := range ids.Chunk(i) {
				read += len(piece)
			}
			if now := p.seen.Load(); now < seen {
				back++
				n := resident(t, p.mapped)
				if n > 1<<20 {
					t.Errorf("%d bytes are in memory when %d were read", n, seen)
				}
				seen = 0
			} else {
				seen = now
			}
		}
		most = max(most, resident(t, p.mapped))
	}
	if n := 5 * len(p.data) / ResidentBytes; back != n || most < len(p.data)/2 {
		t.Errorf("memory was given back %d times, want %d; at most %d of %d bytes were in memory", back, n, most, len(p.data))
	}
}

// resident is how many bytes of a mapped file are in this process's memory.
func resident(t *testing.T, mapped []byte) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	_, after, found := strings.Cut("\n"+string(maps), fmt.Sprintf("\n%x-", uintptr(unsafe.Pointer(&mapped[0]))))
	_, after, _ = strings.Cut(after, "\nRss:")
	fields := strings.Fields(after)
	if !found || len(fields) == 0 {
		t.Skip("what is in memory is not known")
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	return 1024 * n
}
