package pairs

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/npy"
)

// A Teacher is the vectors of texts, in the order of these. VectorFiles and Vectors make one.
type Teacher struct {
	column  string
	names   []string
	vectors iter.Seq2[[]float32, error]
}

// VectorFiles is the vectors of files in the order given: .npy files with a row a vector, of float32, float16 or float64, or
// Parquet files with a column of lists of numbers. Rows of .npy files are read where they stand; those of Parquet are
// copied into a temporary file.
func VectorFiles(column string, names ...string) Teacher {
	return Teacher{column: column, names: names}
}

// Vectors is the vectors of an iterator, which is called once, and may reuse a vector's memory. They are copied into a
// temporary file. Its first error ends the reading.
func Vectors(of iter.Seq2[[]float32, error]) Teacher { return Teacher{vectors: of} }

// A rowSource has rows of numbers that are read where they stand.
type rowSource interface {
	Read(dst []float32, first int64) error
}

// A shelf is some rows of a teacher: those of a file, or of an iterator.
type shelf struct {
	name  string // of the file, or nothing
	first int64  // row of all
	rows  int64
	rowSource
	close func() error
}

// A taught is the teacher's vectors while they are used.
type taught struct {
	shelves []shelf
	n       int64
	dim     int
	name    string // of all, for messages

	mean      []float32
	basis     []float32 // principal components, row after row; nil for all dimensions
	explained float64
	length    float64 // of what vectors become, as root of the mean square
}

func (t *taught) Close() (err error) {
	for _, s := range t.shelves {
		err = errors.Join(err, s.close())
	}
	return err
}

// place names a row for messages.
func (s *shelf) place(row int64) string {
	where := fmt.Sprintf("row %d", row-s.first+1)
	if s.name != "" {
		return s.name + ": " + where
	}
	return "vectors: " + where
}

// read sets dst to the rows from first on.
func (t *taught) read(dst []float32, first int64) error {
	for i := range t.shelves {
		s := &t.shelves[i]
		if first >= s.first+s.rows || len(dst) == 0 {
			continue
		}
		n := min(int64(len(dst)/t.dim), s.first+s.rows-first)
		if err := s.Read(dst[:n*int64(t.dim)], first-s.first); err != nil {
			return fmt.Errorf("%s: %w", s.place(first), scratch.Cause(err))
		}
		dst, first = dst[n*int64(t.dim):], first+n
	}
	if len(dst) > 0 {
		return fmt.Errorf("pairs: %s has no row %d", t.name, first+1)
	}
	return nil
}

// add adds the rows of a shelf.
func (t *taught) add(s shelf, dim int) error {
	if s.rows > 0 && t.dim > 0 && dim != t.dim {
		return fmt.Errorf("%s: its vectors have %d dimensions, and those before %d", s.name, dim, t.dim)
	}
	if s.rows > 0 {
		t.dim = dim
	}
	s.first = t.n
	t.n += s.rows
	t.shelves = append(t.shelves, s)
	return nil
}

// open opens the teacher's files. What cannot be read where it stands goes into temporary files.
func (of Teacher) open(ctx context.Context) (t *taught, err error) {
	t = &taught{name: "the teacher"}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Close())
			t = nil
		}
	}()
	if of.vectors != nil {
		c := new(copier)
		for v, err := range of.vectors {
			if err = errors.Join(err, ctx.Err()); err == nil {
				err = c.add(v)
			}
			if err != nil {
				return t, errors.Join(err, c.close())
			}
		}
		s, err := c.shelf("")
		if err != nil {
			return t, err
		}
		return t, t.add(s, c.dim)
	}
	for _, name := range of.names {
		s, dim, err := of.openFile(ctx, name)
		if err != nil {
			return t, fmt.Errorf("%s: %w", name, err)
		}
		if err := t.add(s, dim); err != nil {
			return t, errors.Join(err, s.close())
		}
	}
	t.name = strings.Join(of.names, ", ")
	return t, nil
}

func (of Teacher) openFile(ctx context.Context, name string) (s shelf, dim int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return s, 0, scratch.Cause(err)
	}
	keep := false
	defer func() {
		if !keep {
			err = errors.Join(err, file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return s, 0, scratch.Cause(err)
	}
	head := make([]byte, len(parquet.Magic)+1)
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return s, 0, scratch.Cause(err)
	}
	if !parquet.Begins(head) {
		if of.column != "" {
			return s, 0, errors.New("is not a Parquet file, and only Parquet has a column of vectors")
		}
		a, err := npy.NewArray(file, info.Size())
		if err != nil {
			return s, 0, err
		}
		keep = true
		return shelf{name: name, rows: a.Rows, rowSource: a, close: file.Close}, a.Dim, nil
	}
	if of.column == "" {
		return s, 0, errors.New("is a Parquet file: the column of its vectors must be named")
	}
	table, err := parquet.Open(file, info.Size())
	if err != nil {
		return s, 0, err
	}
	rows, err := table.Vectors(of.column)
	if err != nil {
		return s, 0, err
	}
	c := new(copier)
	for {
		v, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case err != nil:
			err = fmt.Errorf("row %d: %w", c.rows+1, err)
		case v == nil:
			err = fmt.Errorf("row %d: has no vector", c.rows+1)
		default:
			err = errors.Join(c.add(v), ctx.Err())
		}
		if err != nil {
			return s, 0, errors.Join(err, c.close())
		}
	}
	s, err = c.shelf(name)
	return s, c.dim, err
}

// A copier writes vectors into a temporary file.
type copier struct {
	file *scratch.File
	to   *bufio.Writer
	rows int64
	dim  int
	raw  []byte
}

func (c *copier) add(v []float32) (err error) {
	if c.file == nil {
		if c.file, err = scratch.Create("", "w2v-vectors-"); err != nil {
			return fmt.Errorf("a temporary file for vectors: %w", err)
		}
		c.to, c.dim = bufio.NewWriterSize(c.file, 1<<20), len(v)
	}
	c.rows++
	if len(v) != c.dim || len(v) == 0 {
		return fmt.Errorf("row %d: the vector has %d dimensions, and the first %d", c.rows, len(v), c.dim)
	}
	c.raw = c.raw[:0]
	for _, x := range v {
		c.raw = binary.LittleEndian.AppendUint32(c.raw, math.Float32bits(x))
	}
	if _, err = c.to.Write(c.raw); err != nil {
		return fmt.Errorf("a temporary file for vectors in %s: %w", c.file.Folder, scratch.Cause(err))
	}
	return nil
}

func (c *copier) close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

func (c *copier) shelf(name string) (s shelf, err error) {
	if c.file == nil {
		return shelf{name: name, close: c.close}, nil
	}
	if err := c.to.Flush(); err != nil {
		return s, errors.Join(fmt.Errorf("a temporary file for vectors in %s: %w", c.file.Folder, scratch.Cause(err)), c.close())
	}
	return shelf{name: name, rows: c.rows, rowSource: &spooled{c.file, c.dim, c.raw}, close: c.close}, nil
}

// A spooled is vectors in a temporary file.
type spooled struct {
	file *scratch.File
	dim  int
	raw  []byte
}

func (c *spooled) Read(dst []float32, first int64) error {
	c.raw = grown(c.raw, 4*len(dst))
	if _, err := c.file.ReadAt(c.raw, 4*first*int64(c.dim)); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(c.raw[4*i:]))
	}
	return nil
}

// componentRows is about the number of vectors that principal components are computed from. If there are more, those of every
// n-th block are.
const componentRows = 1 << 18

// study reads all vectors, to check them and for their checksum. If dim is less than theirs, it computes as many
// principal components, by their covariance: Pearson, "On Lines and Planes of Closest Fit to Systems of Points in Space", 1901.
func (t *taught) study(ctx context.Context, dim int, force bool, sum io.Writer, progress func(done, all uint64)) error {
	d := t.dim
	t.explained = 1
	var square, mean, wide []float64
	if dim < d {
		bytes := 8*(3*float64(d)*float64(d)+blockTexts*float64(d)) + eigen.Bytes(d)
		if need, have, limit, lacks := sysinfo.Lacks(bytes, force); lacks {
			return &MemoryError{need, have, limit}
		}
		square, mean, wide = make([]float64, d*d), make([]float64, d), make([]float64, blockTexts*d)
	}
	blocks := (t.n + blockTexts - 1) / blockTexts
	every := max(1, (t.n+componentRows-1)/componentRows)
	block := make([]float32, blockTexts*d)
	raw := make([]byte, 0, 4*len(block))
	used, squares := 0.0, 0.0
	for b := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := b * blockTexts
		n := int(min(blockTexts, t.n-first))
		rows := block[:n*d]
		if err := t.read(rows, first); err != nil {
			return err
		}
		raw = raw[:0]
		for i := range n {
			v := rows[i*d:][:d]
			zero := true
			for _, x := range v {
				zero = zero && x == 0
				squares += float64(x) * float64(x)
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
			}
			if zero || !vectors.Finite(v) {
				at := first + int64(i)
				why := "the vector has a number that is not finite"
				if zero {
					why = "the vector is zeros, which have no direction"
				}
				for k := range t.shelves {
					if s := &t.shelves[k]; at < s.first+s.rows {
						return fmt.Errorf("%s: %s", s.place(at), why)
					}
				}
			}
		}
		_, _ = sum.Write(raw) // a hash has no errors
		if square != nil && b%every == 0 {
			for i, x := range rows {
				wide[i] = float64(x)
				mean[i%d] += float64(x)
			}
			if err := eigen.AddSquare(ctx, square, wide[:n*d], n, d); err != nil {
				return err
			}
			used += float64(n)
		}
		if progress != nil {
			progress(uint64(first)+uint64(n), uint64(t.n))
		}
	}
	if square == nil {
		t.length = math.Sqrt(squares / float64(max(t.n, 1)))
		return nil
	}
	t.mean = make([]float32, d)
	for k := range mean {
		mean[k] /= used
		t.mean[k] = float32(mean[k])
	}
	for i := range d {
		for j := i; j < d; j++ {
			square[i*d+j] = square[i*d+j]/used - mean[i]*mean[j]
		}
	}
	values, axes, err := eigen.Symmetric(ctx, square, d, nil)
	if err != nil {
		return err
	}
	t.basis = make([]float32, dim*d)
	var all, kept float64
	for c, value := range values {
		value = max(value, 0)
		if all += value; c >= dim {
			continue
		}
		kept += value
		for k := range d {
			t.basis[c*d+k] = float32(axes[k*d+c])
		}
	}
	if t.explained = 0; all > 0 {
		t.explained = kept / all
	}
	t.length = math.Sqrt(kept)
	return nil
}

// targets sets dst to what the vectors of some texts become, which have dim numbers: the teacher's vectors, or their principal
// components. It overwrites vectors.
func (t *taught) targets(work parallel, dst, vectors []float32, dim int) {
	if t.basis == nil {
		copy(dst, vectors)
		return
	}
	d := t.dim
	work.each(len(vectors)/d, 64, func(_, first, last int) {
		for i := first; i < last; i++ {
			for k, x := range vectors[i*d:][:d] {
				vectors[i*d+k] = x - t.mean[k]
			}
		}
		simd.Dots(dst[first*dim:last*dim], dim, vectors[first*d:], d, last-first, t.basis, d, dim, d)
	})
}

// Texts are the texts that a teacher has vectors of, in the order of these. TextFiles and TextsOf make one.
type Texts struct {
	names  []string
	stdin  io.Reader
	fields corpus.Fields
	texts  iter.Seq2[string, error]
}

// TextFiles is the texts of files, folders and globs, in the order given; "-" is stdin. Without a column or a field, a text is a line,
// also a blank one. Several columns or fields are one text.
func TextFiles(stdin io.Reader, fields corpus.Fields, names ...string) Texts {
	return Texts{names: names, stdin: stdin, fields: fields}
}

// TextsOf is the texts of an iterator, which is called once. Its first error ends the reading.
func TextsOf(of iter.Seq2[string, error]) Texts { return Texts{texts: of} }

// Tables returns the vectors in a column of the same Parquet files.
func (of Texts) Tables(column string) (Teacher, error) {
	src, err := corpus.Files(of.names, nil, corpus.Options{})
	if err != nil {
		return Teacher{}, err
	}
	return VectorFiles(column, src.Files()...), nil
}

func (of Texts) name() string {
	if of.texts != nil {
		return "the iterator of texts"
	}
	names := make([]string, len(of.names))
	for i, name := range of.names {
		if names[i] = filepath.ToSlash(name); name == "-" {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// read yields the texts.
func (of Texts) read(ctx context.Context) iter.Seq2[string, error] {
	if of.texts != nil {
		return of.texts
	}
	return func(yield func(string, error) bool) {
		src, err := corpus.FilesContext(ctx, of.names, of.stdin, corpus.Options{})
		if err != nil {
			yield("", err)
			return
		}
		rows := src.Rows(ctx, of.fields)
		defer rows.Close()
		for row, err := range rows.All() {
			switch {
			case err != nil:
				yield("", err)
				return
			case row.IsLine():
				if !yield(strings.TrimSuffix(string(row.Raw), "\r"), nil) {
					return
				}
			case !row.Blank:
				if !yield(string(row.Text), nil) {
					return
				}
			}
		}
	}
}
