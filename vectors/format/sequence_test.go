package format

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// streamable are the formats of a single file that hold words alone and whose rows can stay in the file.
func streamable() (formats []codec.Codec) {
	for _, c := range codecs {
		if !c.Folder() && c.Write != nil && c.Decode != nil && CheckSubword(nil, subword.Mean, Format(c.Name)) == nil {
			formats = append(formats, c)
		}
	}
	return formats
}

// Rows that stay in the file are those that Open reads, in any order and from
// several goroutines.
func TestOpenStream(t *testing.T) {
	s := trial.Plain(300, 7)
	dir := t.TempDir()
	for _, c := range streamable() {
		for _, ext := range []string{"", ".gz", ".zst"} {
			t.Run(string(Format(c.Name))+ext, func(t *testing.T) {
				path := filepath.Join(dir, string(Format(c.Name))+ext)
				if err := Write(t.Context(), path, s, Format(c.Name)); err != nil {
					t.Fatal(err)
				}
				want, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer want.Close()
				got, err := OpenStream(path, func(why string) { t.Error(why) })
				if err != nil {
					t.Fatal(err)
				}
				defer got.Close()
				if !got.InFile() || backing.Behind(got.Parts().Source).Streams() == (c.Maps && ext == "" && !endian.Big) {
					t.Errorf("in the file: %v, as a stream: %v", got.InFile(), backing.Behind(got.Parts().Source).Streams())
				}
				trial.SameSet(t, got, want)
				if Format(got.Format()) != Format(c.Name) {
					t.Errorf("format %s", got.Format())
				}
				for _, r := range []int{299, 0, 1, 150, 149, 149, 298} {
					trial.Near(t, "row", got.Input().Row(r), want.Input().Row(r))
				}
				var wait sync.WaitGroup
				for g := range 4 {
					wait.Go(func() {
						row := make([]float32, 7)
						for r := g; r < 300; r += 40 {
							got.WordVector(row, r)
							for k, x := range want.Input().Row(r) {
								if row[k] != x {
									t.Errorf("row %d is another one", r)
								}
							}
						}
					})
				}
				wait.Wait()
				if err := got.Err(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// What needs rows all over a file that cannot be mapped is read, and said to be.
func TestOpenStreamWhole(t *testing.T) {
	dir := t.TempDir()
	scattered := trial.Plain(3, 2)
	scattered = alter(scattered, func(p *vectors.Parts) { p.WordRows = []uint32{2, 0, 1} })
	rising := trial.Plain(3, 2)
	rising = alter(rising, func(p *vectors.Parts) { p.WordRows = []uint32{0, 2, 2} })
	ngrams := openGolden(t, "fasttext/skipgram.bin")
	defer func(was bool) { endian.Big = was }(endian.Big)
	for _, tt := range []struct {
		name   string
		s      *vectors.Set
		format Format
		want   string
		bigEnd bool
	}{
		{"ngrams.w2v", ngrams, W2V, "", false},
		{"ngrams.bin", ngrams, FastText, "", false},
		{"ngrams.bin.gz", ngrams, FastText, "is compressed and has n-grams", false},
		{"ngrams.w2v.zst", ngrams, W2V, "is compressed and has n-grams", false},
		{"scattered.w2v", scattered, W2V, "", false},
		{"scattered.w2v.gz", scattered, W2V, "is compressed and its words share rows", false},
		{"rising.w2v.gz", rising, W2V, "", false},
		{"other.w2v", ngrams, W2V, "cannot be mapped and has n-grams", true},
		{"plain.w2v", trial.Plain(3, 2), W2V, "", true},
	} {
		endian.Big = tt.bigEnd
		path := filepath.Join(dir, tt.name)
		if err := Write(t.Context(), path, tt.s, tt.format); err != nil {
			t.Fatal(err)
		}
		var why string
		got, err := OpenStream(path, func(reason string) { why = reason })
		if err != nil {
			t.Fatal(err)
		}
		if why != tt.want || got.InFile() != (tt.want == "") {
			t.Errorf("%s: %q, in the file: %v; want %q", tt.name, why, got.InFile(), tt.want)
		}
		trial.SameMatrix(t, tt.name, got.Vectors(), tt.s.Vectors())
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

func openedStream(t *testing.T, rows int) (s *vectors.Set, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.vec")
	if err := Write(t.Context(), path, trial.Plain(rows, 50), Text); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// A file that is cut while it is read is an error of the walk, once and for all.
func TestStreamCut(t *testing.T) {
	const rows = 5000 // more than is read ahead
	s, path := openedStream(t, rows)
	walked := 0
	for id := range s.All() {
		walked++
		if id == 0 {
			if err := os.Truncate(path, 2<<20); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := s.Err()
	if err == nil || walked == 0 || walked == rows || err != s.Err() || !strings.HasPrefix(err.Error(), path+": ") {
		t.Fatalf("%d rows walked, %v", walked, err)
	}
	if v := s.Input().Row(0); v[0] != 0 || v[1] != 0 {
		t.Error("rows are read after an error")
	}
	if err := Write(t.Context(), path+".w2v", s, W2V); err == nil {
		t.Error("written")
	}
	if _, err := os.Stat(path + ".w2v"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file is there")
	}
	for _, again := range []error{s.Err(), transform.Top(s, 2).Err(), transform.Normalized(s).Err()} {
		if again != err {
			t.Errorf("got %v, then %v", err, again)
		}
	}
}

// A file that is another one when it is read again is not mixed with what it was.
func TestStreamChanged(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error { return Write(t.Context(), path, trial.Plain(5, 50), Text) },
		"cut":      func(path string) error { return os.Truncate(path, 1000) },
		"removed":  os.Remove,
	} {
		s, path := openedStream(t, 5)
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		s.Input().Row(0)
		want := path + ": changed while it was read: try again"
		if name == "removed" {
			want = path + ": no such file or directory"
		}
		if err := s.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestStreamClose(t *testing.T) {
	s, _ := openedStream(t, 5)
	s.Input().Row(3)
	for range 2 { // the second does nothing
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if v := s.Input().Row(0); v[0] != 0 {
		t.Error("rows are read after Close")
	}
	if err := s.Err(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// Rows of a file whose words are mapped are read, so that a file that is cut is an
// error and not the end of the program.
func TestFileRows(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	path := filepath.Join(t.TempDir(), "model.bin")
	if err := Write(t.Context(), path, s, FastText); err != nil {
		t.Fatal(err)
	}
	got, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, ok := got.Input().Storage.(interface{ Unmapped() }); ok == endian.Big {
		t.Fatalf("the rows are in %T", got.Input().Storage)
	}
	trial.SameSet(t, got, s)
	full := errors.New("disk full")
	disk := bufio.NewWriterSize(writerFunc(func([]byte) (int, error) { return 0, full }), 16)
	if err := rowio.Write(disk, got, got.Input()); !errors.Is(err, full) || got.Err() != nil {
		t.Errorf("got %v, and of the file that is read %v", err, got.Err())
	}
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if v := got.Output().Row(got.Len() - 1); v[0] != 0 {
		t.Error("a row that is not there")
	}
	if err := got.Err(); err == nil || err.Error() != path+": expected rows, but the file ends: unexpected EOF" {
		t.Errorf("got %v", err)
	}
}

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
	return trial.Unchecked(vectors.Parts{Words: list.Words(), Input: vectors.Stored(manyWords, manyDims, manyRows{})})
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
	tests := []struct {
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
	}
	for _, tt := range tests[:reduced(len(tests), 2)] {
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
