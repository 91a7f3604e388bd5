package corpus

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// However long a corpus is, little of it is in memory when it has been read.
func TestIDsTakeLittleMemory(t *testing.T) {
	const tokens = 24 << 20
	r, err := NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(0)
	for i := range tokens {
		if err := r.Add(uint32(i % 7)); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 {
			r.EndSentence()
		}
	}
	before := residentFiles(t)
	ids, err := Join([]*Recorder{r}, [][]int32{{0, 1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ids.Close() }()
	if after := residentFiles(t); after-before > ResidentBytes {
		t.Errorf("%d bytes of files are resident when they are mapped, before it were %d", after, before)
	}
	sum, n := uint64(0), 0
	for range 2 {
		for i := range ids.Chunks() {
			for _, piece := range ids.Chunk(i) {
				for _, id := range piece {
					sum += uint64(id &^ EndOfSentence)
				}
				n += len(piece)
			}
		}
	}
	if n != 2*tokens || sum == 0 {
		t.Errorf("%d tokens", n)
	}
	if after := residentFiles(t); after-before > 2*ResidentBytes {
		t.Errorf("%d bytes of files are resident, before it were %d", after, before)
	}
}

// residentFiles is how many bytes of mapped files are in memory.
func residentFiles(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "RssFile:"); ok {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				t.Fatal(err)
			}
			return 1024 * n
		}
	}
	t.Skip("RssFile is not known")
	return 0
}
