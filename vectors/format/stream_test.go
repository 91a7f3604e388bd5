package format

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// manyRows has no numbers in memory: row r has r mod 7 and then zeros, which are
// short as text.
type manyRows struct{}

func (manyRows) Read(dst []float32, r int) {
	clear(dst)
	dst[0] = float32(r % 7)
}

const (
	manyWords = 30_000
	manyDims  = 256
	// manyBytes is what the vectors would take in memory.
	manyBytes = 4 * manyWords * manyDims
)

// many returns a set whose vectors take 31 MB when they are in memory.
func many() *vectors.Set {
	var list vectors.WordsBuilder
	for i := range manyWords {
		list.Add(fmt.Sprint("w", i))
	}
	return vectors.NewUnchecked(vectors.Parts{Words: list.Words(), Input: vectors.Stored(manyWords, manyDims, manyRows{})})
}

// heapPeak runs do and returns by how much it makes the heap larger meanwhile.
func heapPeak(t *testing.T, do func() error) int64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // garbage does not count
	heap := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before := heap()
	done, peak := make(chan error), before
	go func() { done <- do() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return peak - before
		case <-time.After(time.Millisecond):
			peak = max(peak, heap())
		}
	}
}

// A conversion takes the memory of its words, and of a few rows, whatever it goes
// from and to.
func TestConversionsStream(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	ngrams := many()
	ngrams = alter(ngrams, func(p *vectors.Parts) { p.Subword = subword.FastText{MinN: 3, MaxN: 3, Buckets: 1000} })
	ngrams = alter(ngrams, func(p *vectors.Parts) { p.Input.Rows += 1000 })
	for name, s := range map[string]*vectors.Set{"a.vec": many(), "a.vec.gz": many(), "n.bin": ngrams} {
		f, err := ForPath(name, s.Subword() != nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(t.Context(), file(name), s, f); err != nil {
			t.Fatal(err)
		}
	}
	same := func(s *vectors.Set) (*vectors.Set, error) { return s, nil }
	for _, tt := range []struct {
		from, to string
		format   Format
		derive   func(s *vectors.Set) (*vectors.Set, error)
	}{
		{"a.vec", "a.w2vbin", Word2Vec, same},
		{"a.w2vbin", "a.w2v", W2V, same},
		{"a.w2v", "a.txt", Text, same},
		{"a.vec.gz", "b.w2v", W2V, same},
		{"a.w2v", "a.w2v.gz", W2V, same},
		{"a.w2v.gz", "a.bin", FastText, same},
		{"n.bin", "n.w2v", W2V, same},
		{"n.bin", "n.vec", Text, same},
		{"n.w2v", "n2.bin", FastText, same},
		{"n.w2v", "n2.w2vbin", Word2Vec, func(s *vectors.Set) (*vectors.Set, error) {
			return transform.Normalized(transform.Top(s, 20_000)), nil
		}},
		{"a.w2vbin", "r.w2vbin", Word2Vec, func(s *vectors.Set) (*vectors.Set, error) {
			d, _, err := transform.Reduce(t.Context(), transform.Top(s, 2000), 3, transform.Computation{})
			return d, err
		}},
	} {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			peak := heapPeak(t, func() error {
				s, err := OpenStream(file(tt.from), func(why string) { t.Error(why) })
				if err != nil {
					return err
				}
				defer s.Close()
				d, err := tt.derive(s)
				if err != nil {
					return err
				}
				return Write(t.Context(), file(tt.to), d, tt.format)
			})
			t.Logf("%.1f MB of %.1f", float64(peak)/1e6, manyBytes/1e6)
			if peak > manyBytes/3 {
				t.Errorf("%d bytes of heap for a matrix of %d", peak, manyBytes)
			}
			got, err := OpenStream(file(tt.to), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			if row := trial.WordVector(got, 5); tt.to == "a.txt" && (row[0] != 5 || row[1] != 0) {
				t.Errorf("word 5 has %v", row[:2])
			}
			if info, err := os.Stat(file(tt.to)); err != nil || info.Size() == 0 {
				t.Error(err)
			}
		})
	}
}
