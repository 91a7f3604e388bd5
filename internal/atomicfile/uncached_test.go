package atomicfile_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// A file that bypasses the page cache has what was written, whatever the sizes of writes are, where it begins, and where
// zeros are.
func TestUncached(t *testing.T) {
	const mega = 1 << 20
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	sparse := func(n int, every int) []byte {
		b := make([]byte, n)
		for i := 0; i < n; i += every {
			b[i] = 1
		}
		return b
	}
	for name, test := range map[string]struct {
		before  int // bytes that are written as usual
		content []byte
	}{
		"empty":              {0, nil},
		"short":              {0, noise(100)},
		"whole blocks":       {0, noise(2 * mega)},
		"with an end":        {0, noise(3*mega + 4096 + 17)},
		"zeros":              {0, make([]byte, 3*mega)},
		"zeros and an end":   {0, make([]byte, 3*mega+5)},
		"zeros in between":   {0, append(append(noise(mega+77), make([]byte, 5*mega+1)...), noise(mega)...)},
		"zeros at the end":   {0, append(noise(mega+77), make([]byte, 5*mega-77)...)},
		"few bytes":          {0, sparse(9*mega+3, 200_000)},
		"first byte of each": {0, sparse(4*mega, 1<<16)},
		"not from a block":   {13, append(noise(3*mega+5), make([]byte, 2*mega)...)}, // which is refused
	} {
		for _, size := range []int{mega, mega + 4096, 400, 65_537} {
			path := filepath.Join(t.TempDir(), "file")
			err := atomicfile.Write(path, func(w io.Writer) error {
				if _, err := w.Write(test.content[:test.before]); err != nil {
					return err
				}
				atomicfile.Uncached(w)
				for rest := test.content[test.before:]; len(rest) > 0; {
					n, err := w.Write(rest[:min(size, len(rest))])
					if err != nil {
						return err
					}
					rest = rest[n:]
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%s in writes of %d: %v", name, size, err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, test.content) {
				t.Errorf("%s in writes of %d: %d bytes, want %d, or other ones", name, size, len(got), len(test.content))
			}
		}
	}
}

// A writer that is no file, and a device, are written as usual.
func TestUncachedElsewhere(t *testing.T) {
	var b bytes.Buffer
	atomicfile.Uncached(&b)
	if err := atomicfile.Write(os.DevNull, func(w io.Writer) error {
		atomicfile.Uncached(w)
		_, err := w.Write(make([]byte, 3<<20))
		return err
	}); err != nil {
		t.Error(err)
	}
}
