package rowio

import (
	"io"
	"os"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// fileRows are float32 rows in a plain file, which are read when they are asked for,
// in any order. A mapped file would do too, but walking all over one brings most of it
// into memory, or much of it again and again.
type fileRows struct {
	file   *os.File
	offset int64 // of row 0
	behind *backing.File
}

func (f *fileRows) Read(dst []float32, r int) {
	b := endian.Bytes(dst)
	if err := f.readAt(b, int64(r)*int64(len(b))); err != nil {
		f.behind.Fail(err)
		clear(dst)
	}
}

// Unmapped says that reading rows brings nothing of a mapped file into memory.
func (f *fileRows) Unmapped() {}

// readAt fills b from a byte of the rows on.
func (f *fileRows) readAt(b []byte, at int64) error {
	_, err := f.file.ReadAt(b, f.offset+at)
	if err == io.EOF { //nolint:errorlint // ReadAt returns it as it is
		err = source.Cut("rows")
	}
	return source.Pathless(err)
}

// copyBuffer is how many bytes are copied at a time.
const copyBuffer = 1 << 20

// copy writes the first bytes of the rows to w. Only an error of reading them is one
// of the file.
func (f *fileRows) copy(w io.Writer, size int64) error {
	buffer := make([]byte, min(size, copyBuffer))
	for at := int64(0); at < size; at += int64(len(buffer)) {
		buffer = buffer[:min(size-at, copyBuffer)]
		if err := f.readAt(buffer, at); err != nil {
			f.behind.Fail(err)
			return f.behind.Located(err)
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}
