package format

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

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
				if testing.Short() && n%16 != 0 {
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
			every := 7
			if n > headers {
				every = 23
			}
			if n%every != 0 && n < len(file)-70 {
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
