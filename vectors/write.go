package vectors

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
)

// writeBuffer is how many bytes are given to the system at a time.
const writeBuffer = 1 << 20

// Write writes s to the file at path in format f, compressed if path ends in
// ".gz" or ".zst". The file takes its place when it is complete; if anything
// fails or the context ends, a file that was there before is untouched. Errors are
// one line that begins with path.
func Write(ctx context.Context, path string, s *Set, f Format) error {
	return atomicfile.Write(path, func(file io.Writer) error {
		cw, err := compression.NewWriter(writerFunc(func(p []byte) (int, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			return file.Write(p)
		}), path)
		if err != nil {
			return err
		}
		if err := Encode(cw, s, f); err != nil {
			return err
		}
		return cw.Close()
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Encode writes s to w in format f. The same set gives the same bytes every
// time. Only the native format holds all of a set: fastText's keeps subwords
// and context vectors, the others a vector a word.
func Encode(w io.Writer, s *Set, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return fmt.Errorf("not a valid set: %w", err)
	}
	if err := CheckWords(s.Words, f); err != nil {
		return err
	}
	bw := bufio.NewWriterSize(w, writeBuffer)
	if err := c.write(bw, s); err != nil {
		return err
	}
	return bw.Flush()
}

// check reports what in the set does not fit together: what the methods of Set
// rely on, whether it comes from a file or from a program.
func (s *Set) check() error {
	words, rows := len(s.Words), s.Input.Rows
	buckets := 0
	if s.Subword != nil {
		buckets = s.Subword.Rows()
	}
	if err := s.Input.check(); err != nil {
		return fmt.Errorf("input matrix: %w", err)
	}
	if err := s.Output.check(); err != nil {
		return fmt.Errorf("output matrix: %w", err)
	}
	switch {
	case words > math.MaxInt32:
		return fmt.Errorf("%d words, at most %d are possible", words, math.MaxInt32)
	case s.Input.Cols < 1:
		return fmt.Errorf("%d dimensions, must be at least 1", s.Input.Cols)
	case s.Counts != nil && len(s.Counts) != words:
		return fmt.Errorf("%d counts for %d words", len(s.Counts), words)
	case s.Output.Rows != 0 && (s.Output.Rows != words || s.Output.Cols != s.Input.Cols):
		return fmt.Errorf("output matrix of %d×%d, must be %d×%d", s.Output.Rows, s.Output.Cols, words, s.Input.Cols)
	case s.WordRow != nil && len(s.WordRow) != words:
		return fmt.Errorf("rows of %d words for %d words", len(s.WordRow), words)
	case s.BucketRow != nil && s.Subword == nil:
		return fmt.Errorf("rows of %d buckets in a set without subwords", len(s.BucketRow))
	case s.BucketRow != nil && len(s.BucketRow) != buckets:
		return fmt.Errorf("rows of %d buckets for %d buckets", len(s.BucketRow), buckets)
	case s.WordRow == nil && s.BucketRow == nil && rows != words+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	case s.WordRow == nil && rows < words:
		return fmt.Errorf("%d input rows for %d words", rows, words)
	case s.BucketRow == nil && s.Subword != nil && rows < words+buckets:
		return fmt.Errorf("%d input rows for %d words and %d buckets", rows, words, buckets)
	}
	for i, r := range s.WordRow {
		if int64(r) >= int64(rows) {
			return fmt.Errorf("word %d has input row %d of %d", i, r, rows)
		}
	}
	for b, r := range s.BucketRow {
		if r < -1 || int64(r) >= int64(rows) {
			return fmt.Errorf("bucket %d has input row %d of %d", b, r, rows)
		}
	}
	return nil
}

func (m Matrix) check() error {
	if m.Rows == 0 {
		return nil
	}
	if m.Rows < 0 || m.Cols < 0 || m.Stride < m.Cols || len(m.Data) < (m.Rows-1)*m.Stride+m.Cols {
		return fmt.Errorf("%d numbers for %d rows of %d, %d apart", len(m.Data), m.Rows, m.Cols, m.Stride)
	}
	return nil
}

// vectorOf returns the vector of word id, in scratch where it has to be
// composed.
func (s *Set) vectorOf(scratch []float32, id int) []float32 {
	if s.Subword == nil {
		return s.Input.Row(s.ownRow(id))
	}
	s.WordVector(scratch, id)
	return scratch
}

// ownRow returns the input row of word id itself.
func (s *Set) ownRow(id int) int {
	if s.WordRow == nil {
		return id
	}
	return int(s.WordRow[id])
}
