package fasttext

import (
	"bytes"
	"iter"
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
			var c *Contents
			if source.Try(func() { c = contentsOf(source.New(bytes.NewReader(file), int64(len(file)))) }) != nil {
				return
			}
			if len(c.Entries) > len(file) {
				t.Fatalf("%d entries of %d bytes", len(c.Entries), len(file))
			}
			var rows, cols, read int64
			err = source.Try(func() {
				var each iter.Seq[[]float32]
				rows, cols, each = c.Matrix(name)
				for row := range each {
					if read++; int64(len(row)) != cols || 4*read*cols > int64(len(file)) {
						t.Fatalf("row %d has %d numbers of %d", read, len(row), cols)
					}
				}
			})
			if err == nil && read != rows {
				t.Fatalf("%d rows of %d", read, rows)
			}
		}
	})
}
