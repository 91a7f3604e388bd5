package rowio

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Sequence returns a matrix whose rows next reads one after the other, from an offset of an input that
// Rereads. size is the size of a row in bytes, or 0 if rows differ in size.
func Sequence(in *source.Input, offset int64, rows, cols int, size int64, next func(in *source.Input, dst []float32)) vectors.Matrix {
	reopen := in.Reopen
	s := &sequence{
		open:   func() (*source.Input, error) { return reopen(offset) },
		next:   next,
		size:   size,
		behind: in.Behind,
	}
	s.behind.Sequential = true
	s.behind.OnClose(s.Close)
	return vectors.Stored(rows, cols, s)
}

// A sequence is rows in a file that stay out of memory: they are read on use, one after the other. Going back
// starts again.
type sequence struct {
	open func() (*source.Input, error)
	next func(in *source.Input, dst []float32)
	// size is the size of a row in bytes, or 0 if rows differ in size.
	size   int64
	behind *backing.File

	mu  sync.Mutex
	in  *source.Input
	row int   // row at which in is
	err error // why rows can no longer be read
}

func (s *sequence) Read(dst []float32, r int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = source.Try(func() { s.read(dst, r) })
		if s.err != nil && s.in != nil && s.in.Path != "" {
			s.err = source.WithPath(s.in.Path, s.err)
		}
	}
	if s.err != nil {
		s.behind.Fail(s.err)
		clear(dst)
	}
}

func (s *sequence) read(dst []float32, r int) {
	if s.in == nil || r < s.row {
		source.Check(s.close())
		s.in, s.row = source.Must(s.open()), 0
	}
	if s.size > 0 && r > s.row {
		s.in.Skip(int64(r-s.row)*s.size, "rows")
		s.row = r
	}
	for ; s.row <= r; s.row++ {
		s.next(s.in, dst)
	}
}

func (s *sequence) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = fs.ErrClosed
	return s.close()
}

func (s *sequence) close() error {
	if s.in == nil {
		return nil
	}
	in := s.in
	s.in = nil
	return in.Close()
}

// fileRows are float32 rows in a plain file, which are read on use, in any order. Mapping the file would work
// too, but a random walk over the map loads most of the file into memory, or much of it repeatedly.
type fileRows struct {
	file   *os.File
	offset int64 // offset of row 0
	behind *backing.File
}

func (f *fileRows) Read(dst []float32, r int) {
	b := endian.Bytes(dst)
	if err := f.readAt(b, int64(r)*int64(len(b))); err != nil {
		f.behind.Fail(err)
		clear(dst)
	}
}

// Unmapped says that reading rows loads no pages of a mapped file.
func (f *fileRows) Unmapped() {}

func (f *fileRows) readAt(b []byte, at int64) error {
	_, err := f.file.ReadAt(b, f.offset+at)
	if err == io.EOF { //nolint:errorlint // ReadAt returns it as it is
		err = source.Cut("rows")
	}
	return atomicfile.Cause(err)
}

const copyBuffer = 1 << 20

// copy writes the first bytes of the rows to w. Only read errors count as errors of the file.
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
