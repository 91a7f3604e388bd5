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

// Sequence returns the matrix of rows that next reads from an input that Rereads, one after
// the other, from an offset on. Size is how many bytes a row has, 0 if not all have the same.
func Sequence(in *source.Input, offset int64, rows, cols int, size int64, next func(in *source.Input, dst []float32) error) vectors.Matrix {
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

// A sequence is rows in a file that is not held in memory: they are read when
// they are asked for, one after the other. To go back it begins again.
type sequence struct {
	// open returns the file at the first row.
	open func() (*source.Input, error)
	// next reads the row at in to dst.
	next func(in *source.Input, dst []float32) error
	// size is how many bytes a row has, 0 if not all have the same.
	size int64
	// behind is told of errors.
	behind *backing.File

	mu  sync.Mutex
	in  *source.Input
	row int   // that in is at
	err error // why no row can be read any more
}

func (s *sequence) Read(dst []float32, r int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		if s.err = s.read(dst, r); s.err != nil && s.in != nil && s.in.Path != "" {
			s.err = source.WithPath(s.in.Path, s.err)
		}
	}
	if s.err != nil {
		s.behind.Fail(s.err)
		clear(dst)
	}
}

func (s *sequence) read(dst []float32, r int) error {
	if s.in == nil || r < s.row {
		if err := s.close(); err != nil {
			return err
		}
		in, err := s.open()
		if err != nil {
			return err
		}
		s.in, s.row = in, 0
	}
	if s.size > 0 && r > s.row {
		if err := s.in.Skip(int64(r-s.row)*s.size, "rows"); err != nil {
			return err
		}
		s.row = r
	}
	for ; s.row <= r; s.row++ {
		if err := s.next(s.in, dst); err != nil {
			return err
		}
	}
	return nil
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
	return atomicfile.Cause(err)
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
