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
	step := max(1, size/int64(reduced(60, 8)))
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
	sets := map[string]*vectors.Set{"trial": fullSet(), "table": trial.Table(200), "plain": trial.Plain(50, 8)}
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
	old := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("old"), Input: vectors.NewMatrix(1, 4)})
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

// goldens are the files of real programs that are read, and files of ours in
// the formats and shapes that those do not write.
func goldens(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{
		"fasttext/skipgram.bin", "fasttext/cbow.bin", "fasttext/words.bin", "fasttext/supervised.bin",
		"fasttext/wordngrams.bin", "fasttext/quantised.ftz", "fasttext/pruned.ftz", "fasttext/labels.ftz", "fasttext/words.vec",
		"gensim/word2vec.bin", "gensim/word2vec.txt", "gensim/glove.txt",
		"finalfusion/simple.fifu", "finalfusion/fasttext.fifu", "finalfusion/buckets.fifu", "finalfusion/quantised-opq.fifu",
		"floret/two.floret",
	} {
		files[name] = readGolden(t, name)
	}
	s := openGolden(t, "fasttext/skipgram.bin")
	for name, f := range map[string]Format{"native": W2V, "word2vec with newlines": Word2Vec} {
		var buf bytes.Buffer
		if err := Encode(&buf, s, f); err != nil {
			t.Fatal(err)
		}
		files[name] = buf.Bytes()
	}
	var buf bytes.Buffer
	if err := Encode(&buf, trial.Shared(), W2V); err != nil {
		t.Fatal(err)
	}
	files["native, shared rows"] = buf.Bytes()
	var half bytes.Buffer
	if err := Encode(&half, transform.WithDType(trial.Shared(), vectors.BF16), W2V); err != nil {
		t.Fatal(err)
	}
	files["native, 16 bits"] = half.Bytes()
	for method, opt := range map[string]transform.QuantizeOptions{
		"int8": {Method: transform.QuantizeInt8, KeepOutput: true}, "pq": {KeepOutput: true}, "opq": {Method: transform.QuantizeOPQ, Bytes: 1},
	} {
		var buf bytes.Buffer
		if err := Encode(&buf, mustQuantize(t, trial.Shared(), opt), W2V); err != nil {
			t.Fatal(err)
		}
		files["native, "+method] = buf.Bytes()
	}
	var pruned bytes.Buffer
	if err := Encode(&pruned, openGolden(t, "fasttext/pruned.ftz"), W2V); err != nil {
		t.Fatal(err)
	}
	files["native, pruned"] = pruned.Bytes()
	// Those of finalfusion with listed n-grams are larger.
	kinds := ngramKinds(t)
	for _, name := range []string{"explicit", "floret", "codes"} {
		files["finalfusion, "+name] = encode(t, kinds[name], Finalfusion)
	}
	files["parquet"] = encode(t, trial.Plain(20, 3), Parquet)
	files["native, explicit"] = encode(t, kinds["explicit"], W2V)
	return files
}

// headers is more than what the files that are cut begin with before their rows.
const headers = 2048

// A file cut at any byte is an error that says where, or, of text without a
// header, a set of the rows that are whole or look so.
func TestTruncated(t *testing.T) {
	for name, file := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".vec") || strings.HasSuffix(name, ".floret")
			whole, wholeErr := Read(bytes.NewReader(file))
			for n := range file {
				if n%reduced(1, 7) != 0 {
					continue
				}
				if n > headers && n%11 != 0 && n < len(file)-256 {
					continue // in the middle of long files one row is like another
				}
				s, err := read(bytes.NewReader(file[:n]), int64(n))
				stream, streamErr := s, err
				if n%8 == 0 {
					stream, streamErr = Read(bytes.NewReader(file[:n]))
				}
				if (err == nil) != (streamErr == nil) {
					t.Fatalf("cut to %d bytes: as a file %v, as a stream %v", n, err, streamErr)
				}
				if strings.HasSuffix(name, ".floret") && n < bytes.IndexByte(file, '\n') {
					continue // a word and a few numbers
				}
				if err == nil {
					// The last newline does not matter, and a number may be cut.
					if wholeErr != nil || !text && n < len(file)-1 || s.Len() > whole.Len() {
						t.Fatalf("cut to %d of %d bytes: no error", n, len(file))
					}
					if err := s.Check(); err != nil {
						t.Fatalf("cut to %d bytes: %v", n, err)
					}
					trial.SameSet(t, stream, s)
					continue
				}
				for _, err := range []error{err, streamErr} {
					if _, ok := errors.AsType[*Error](err); !ok || strings.Contains(err.Error(), "\n") {
						t.Fatalf("cut to %d bytes: %v is not a line of a Error", n, err)
					}
					if !text && n > 80 && wholeErr == nil && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Fatalf("cut to %d bytes: %v is no io.ErrUnexpectedEOF", n, err)
					}
				}
			}
		})
	}
}

// The same for mapped files.
func TestTruncatedMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.w2v")
	files := goldens(t)
	for _, name := range []string{
		"native", "native, shared rows", "native, 16 bits", "native, int8", "native, pq", "native, opq", "native, explicit",
		"finalfusion/buckets.fifu", "finalfusion, codes",
	} {
		file := files[name]
		for n := range file {
			// Files are slow, and in the middle of long ones a row is like another.
			every := reduced(7, 41)
			if n > headers {
				every = reduced(23, 131)
			}
			if n%every != 0 && n < len(file)-reduced(70, 9) {
				continue
			}
			if err := os.WriteFile(path, file[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path)
			if err == nil {
				_ = s.Close()
				t.Fatalf("%s cut to %d bytes: no error", name, n)
			}
			if !strings.HasPrefix(err.Error(), path+": byte ") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%s cut to %d bytes: %q does not say where", name, n, err)
			}
		}
	}
}

// A compressed file that is cut short says so.
func TestTruncatedCompressed(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin")
	dir := t.TempDir()
	for _, f := range []Format{W2V, FastText, Word2Vec, Text, GloVe} {
		for _, ext := range []string{".gz", ".zst"} {
			path := filepath.Join(dir, string(f)+ext)
			if err := Write(t.Context(), path, s, f); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()*2/3); err != nil {
				t.Fatal(err)
			}
			_, err = Open(path)
			if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) ||
				!strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), "data is cut short") {
				t.Errorf("%s: got %v", path, err)
			}
		}
	}
}
