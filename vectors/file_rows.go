package vectors

import (
	"io"
	"os"
)

// fileRows are float32 rows in a plain file, which are read when they are asked for,
// in any order. A mapped file would do too, but walking all over one brings most of it
// into memory, or much of it again and again.
type fileRows struct {
	file   *os.File
	offset int64 // of row 0
	behind *backing
}

func (f *fileRows) Read(dst []float32, r int) {
	b := bytesOf(dst)
	if _, err := f.file.ReadAt(b, f.offset+int64(r)*int64(len(b))); err != nil {
		if err == io.EOF { //nolint:errorlint // ReadAt returns it as it is
			err = cut("rows")
		}
		f.behind.fail(pathless(err))
		clear(dst)
	}
}
