package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
)

// plainSet returns n words of dim numbers.
func plainSet(n, dim int) *Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	s := newSet(Parts{Input: NewMatrix(n, dim)})
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
		for k := range s.input.Row(i) {
			s.input.Row(i)[k] = r.Float32() - 0.5
		}
	}
	s.words = NewWords(words...)
	return s
}

// streamable are the formats of a single file that hold words alone.
func streamable() (formats []codec) {
	for _, c := range codecs() {
		if !c.folder && c.write != nil && c.read != nil && CheckSubword(nil, subword.Mean, c.format) == nil {
			formats = append(formats, c)
		}
	}
	return formats
}

// Rows that stay in the file are those that Open reads, in any order and from
// several goroutines.
func TestOpenStream(t *testing.T) {
	s := plainSet(300, 7)
	dir := t.TempDir()
	for _, c := range streamable() {
		for _, ext := range []string{"", ".gz", ".zst"} {
			t.Run(string(c.format)+ext, func(t *testing.T) {
				path := filepath.Join(dir, string(c.format)+ext)
				if err := Write(t.Context(), path, s, c.format); err != nil {
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
				if !got.InFile() || got.sequential() == (c.maps && ext == "" && !endian.Big) {
					t.Errorf("in the file: %v, as a stream: %v", got.InFile(), got.sequential())
				}
				sameSet(t, got, want)
				if got.origin.Format != c.format {
					t.Errorf("format %s", got.origin.Format)
				}
				for _, r := range []int{299, 0, 1, 150, 149, 149, 298} {
					near(t, "row", got.input.Row(r), want.input.Row(r))
				}
				var wait sync.WaitGroup
				for g := range 4 {
					wait.Go(func() {
						row := make([]float32, 7)
						for r := g; r < 300; r += 40 {
							got.WordVector(row, r)
							for k, x := range want.input.Row(r) {
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
	scattered := plainSet(3, 2)
	scattered.wordRows = []uint32{2, 0, 1}
	rising := plainSet(3, 2)
	rising.wordRows = []uint32{0, 2, 2}
	ngrams := openGolden(t, "fasttext/skipgram.bin")
	defer func(was bool) { endian.Big = was }(endian.Big)
	for _, tt := range []struct {
		name   string
		s      *Set
		format Format
		want   string
		bigEnd bool
	}{
		{"ngrams.w2v", ngrams, FormatW2V, "", false},
		{"ngrams.bin", ngrams, FormatFastText, "", false},
		{"ngrams.bin.gz", ngrams, FormatFastText, "is compressed and has n-grams", false},
		{"ngrams.w2v.zst", ngrams, FormatW2V, "is compressed and has n-grams", false},
		{"scattered.w2v", scattered, FormatW2V, "", false},
		{"scattered.w2v.gz", scattered, FormatW2V, "is compressed and its words share rows", false},
		{"rising.w2v.gz", rising, FormatW2V, "", false},
		{"other.w2v", ngrams, FormatW2V, "cannot be mapped and has n-grams", true},
		{"plain.w2v", plainSet(3, 2), FormatW2V, "", true},
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
		sameMatrix(t, tt.name, got.Vectors(), tt.s.Vectors())
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

func openedStream(t *testing.T, rows int) (s *Set, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.vec")
	if err := Write(t.Context(), path, plainSet(rows, 50), FormatText); err != nil {
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
	err := s.EachVector(func(id int, _ []float32) error {
		walked++
		if id == 0 {
			return os.Truncate(path, 2<<20)
		}
		return nil
	})
	if err == nil || walked == 0 || walked == rows || err != s.Err() || !strings.HasPrefix(err.Error(), path+": ") {
		t.Fatalf("%d rows walked, %v", walked, err)
	}
	if v := s.input.Row(0); v[0] != 0 || v[1] != 0 {
		t.Error("rows are read after an error")
	}
	if err := Write(t.Context(), path+".w2v", s, FormatW2V); err == nil {
		t.Error("written")
	}
	if _, err := os.Stat(path + ".w2v"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file is there")
	}
	for _, again := range []error{s.Err(), s.Top(2).Err(), s.Normalized().Err()} {
		if again != err {
			t.Errorf("got %v, then %v", err, again)
		}
	}
}

// A file that is another one when it is read again is not mixed with what it was.
func TestStreamChanged(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error { return Write(t.Context(), path, plainSet(5, 50), FormatText) },
		"cut":      func(path string) error { return os.Truncate(path, 1000) },
		"removed":  os.Remove,
	} {
		s, path := openedStream(t, 5)
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		s.input.Row(0)
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
	s.input.Row(3)
	for range 2 { // the second does nothing
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if v := s.input.Row(0); v[0] != 0 {
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
	if err := Write(t.Context(), path, s, FormatFastText); err != nil {
		t.Fatal(err)
	}
	got, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, ok := got.input.Storage.(*fileRows); ok == endian.Big {
		t.Fatalf("the rows are in %T", got.input.Storage)
	}
	sameSet(t, got, s)
	full := errors.New("disk full")
	disk := bufio.NewWriterSize(writerFunc(func([]byte) (int, error) { return 0, full }), 16)
	if err := got.writeRows(disk, got.input); !errors.Is(err, full) || got.Err() != nil {
		t.Errorf("got %v, and of the file that is read %v", err, got.Err())
	}
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	if v := got.output.Row(got.Len() - 1); v[0] != 0 {
		t.Error("a row that is not there")
	}
	if err := got.Err(); err == nil || err.Error() != path+": expected rows, but the file ends: unexpected EOF" {
		t.Errorf("got %v", err)
	}
}
