package fasttext

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Whatever is in a file, its rows are as many and as long as the file says, or there is an error.
func FuzzContents(f *testing.F) {
	paths, err := filepath.Glob("../../../testdata/fasttext/*.[bf][it][nz]")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%v, %d files to begin with", err, len(paths))
	}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, name := range []string{vectors.MatrixInput, vectors.MatrixOutput} {
			c, err := contentsOf(source.New(bytes.NewReader(file), int64(len(file))))
			if err != nil {
				return
			}
			if len(c.Entries) > len(file) {
				t.Fatalf("%d entries of %d bytes", len(c.Entries), len(file))
			}
			var rows, cols, read int64
			shape := func(r, c int64) error {
				rows, cols = r, c
				return nil
			}
			err = c.Matrix(name, shape, func(row []float32) error {
				if read++; int64(len(row)) != cols || 4*read*cols > int64(len(file)) {
					t.Fatalf("row %d has %d numbers of %d", read, len(row), cols)
				}
				return nil
			})
			if err == nil && read != rows {
				t.Fatalf("%d rows of %d", read, rows)
			}
		}
	})
}
