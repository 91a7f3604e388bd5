package format

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

var errBroken = errors.New("broken")

// sweep returns lengths below size: the first and last ones, and some between.
func sweep(size int64) []int64 {
	step := max(1, size/60)
	if testing.Short() {
		step = max(1, size/8)
	}
	var lengths []int64
	for n := int64(0); n < size; n++ {
		if n < 4 || n >= size-4 || n%step == 0 {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

// A disk that is full after any byte is an error of writing, in every format and
// whatever is in its buffers.
func TestWritersThatRunOutOfRoom(t *testing.T) {
	sets := map[string]*vectors.Set{"trial": trial.Full(), "table": trial.Table(200), "plain": trial.Plain(50, 8)}
	for name, s := range ngramKinds(t) {
		sets[name] = s
	}
	for name, opt := range map[string]transform.QuantizeOptions{"int8": {Method: transform.QuantizeInt8}, "pq": {KeepOutput: true}} {
		sets[name] = mustQuantize(t, trial.Shared(), opt)
	}
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			c, err := codecOf(f)
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for name, s := range sets {
				parts, err := partsOf(c, s)
				if err != nil {
					continue // not in this format
				}
				for _, p := range parts {
					tryRoom(t, name, p)
				}
				tried++
			}
			if tried == 0 && c.Write != nil {
				t.Error("no set to try it with")
			}
		})
	}
}

func tryRoom(t *testing.T, set string, p codec.Part) {
	t.Helper()
	try := func(name string, lengths func(size int64) []int64, write func(w io.Writer) error) {
		var whole bytes.Buffer
		if err := write(&whole); err != nil {
			return // not in this format
		}
		for _, room := range lengths(int64(whole.Len())) {
			if err := write(&faults.Writer{Room: room, Err: errBroken}); !errors.Is(err, errBroken) {
				t.Fatalf("%s, %s, room for %d of %d bytes: %v", set, name, room, whole.Len(), err)
			}
		}
	}
	try(p.Name, sweep, func(w io.Writer) error {
		bw := bufio.NewWriterSize(w, 16) // so that every write of the format may fail
		if err := p.Write(bw); err != nil {
			return err
		}
		return bw.Flush()
	})
	if !strings.HasPrefix(set, "t") {
		return // buffers and compression are the same for all
	}
	few := func(size int64) []int64 { return []int64{0, size / 2, size - 1} }
	for _, ext := range []string{"", ".gz", ".zst"} {
		try(p.Name+ext, few, func(w io.Writer) error {
			return encodeTo(context.Background(), w, p.Name+ext, p.Write)
		})
	}
}

// A full disk leaves what was there, and nothing besides.
func TestFullDiskKeepsTheOldFiles(t *testing.T) {
	old := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("old"), Input: vectors.NewMatrix(1, 4)})
	large := trial.Plain(20_000, 16) // more than a megabyte in any format
	folder := faults.Tmpfs(t, 512<<10)
	for _, f := range All() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		if CheckSubword(nil, subword.Mean, f) != nil || !d.Write {
			continue
		}
		dir := filepath.Join(folder, string(f))
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "model")
		if err := Write(t.Context(), path, old, f); err != nil {
			t.Fatal(err)
		}
		before := snapshot(t, dir)
		err = Write(t.Context(), path, large, f)
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", f, err)
		}
		if after := snapshot(t, dir); after != before {
			t.Errorf("%s: files are %s, want %s", f, after, before)
		}
		if err := os.RemoveAll(dir); err != nil { // makes room
			t.Fatal(err)
		}
	}
}

// snapshot is all files below a folder, and what is in them.
func snapshot(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	if err := all.WriteByte('\n'); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all.WriteString(path + ": " + string(content) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// Streams that give a few bytes at a time give the same sets.
func TestShortReads(t *testing.T) {
	for name, file := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, wantErr := Read(bytes.NewReader(file))
			for i, r := range []io.Reader{
				&faults.Reader{R: bytes.NewReader(file), Most: 1},
				&faults.Reader{R: bytes.NewReader(file), Most: 7, Seed: 1},
				&faults.Reader{R: bytes.NewReader(file), Most: 5000, Seed: 2},
				iotest.DataErrReader(&faults.Reader{R: bytes.NewReader(file), Most: 300, Seed: 3}),
			} {
				got, err := Read(r)
				if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
					t.Fatalf("reader %d: %v, want %v", i, err, wantErr)
				}
				if err == nil {
					trial.SameSet(t, got, want)
				}
			}
		})
	}
}

// A stream that fails at any byte is an error that says so, and never a set.
func TestReadersThatFail(t *testing.T) {
	for name, file := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(bytes.NewReader(file)); err != nil {
				return // what is refused is refused before
			}
			for _, room := range sweep(int64(len(file))) {
				s, err := Read(&faults.Reader{R: bytes.NewReader(file), Err: errBroken, Room: room})
				if !errors.Is(err, errBroken) || s != nil || strings.Contains(err.Error(), "\n") {
					t.Fatalf("after %d of %d bytes: %v", room, len(file), err)
				}
			}
		})
	}
}
