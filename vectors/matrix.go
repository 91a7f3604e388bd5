package vectors

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// A Matrix is a set of float32 rows of equal length. Those in memory are in
// Data: row r starts at Data[r*Stride] and has Cols numbers; Stride ≥ Cols.
// Otherwise Data is nil and Rows are read from Storage. Data of a set that InFile may lie in a mapped file:
// use it within Set.Guard. The methods need no Guard.
type Matrix struct {
	Data               []float32
	Rows, Cols, Stride int
	Storage            Storage

	behind *backing.File // nil for rows that are in no mapped file
}

// Storage holds the rows of a matrix in some other form than float32 in memory:
// in fewer bits, in a file, or made of the rows of other matrices.
type Storage interface {
	// Read writes row r to dst, which has as many numbers as a row. It may be
	// called from several goroutines, but is only sure to be fast if rows are
	// asked for in rising order.
	Read(dst []float32, r int)
}

// A rowAdder is a Storage that adds rows up in less time than reading each takes.
type rowAdder interface {
	// AddRows adds the given rows to dst, each times its weight; without weights as they
	// are.
	AddRows(dst []float32, rows []uint32, weights []float32)
}

// A checkable is a Storage whose rows may lie in a file that was not checked.
type checkable interface {
	// CheckSizes reports sizes that do not make a matrix of that size.
	CheckSizes(rows, cols int) error
	// check reports numbers that stand for nothing.
	Check() error
}

// lane is how many float32 fill the 64 bytes of a cache line.
const lane = 16

// NewMatrix returns a matrix of zeros whose rows are padded to whole cache
// lines of 64 bytes. On Linux a large one asks for huge pages.
func NewMatrix(rows, cols int) Matrix {
	if rows < 0 || cols < 0 || cols > math.MaxInt-lane || cols > 0 && rows > math.MaxInt/4/(cols+lane) {
		panic(fmt.Sprintf("vectors: a matrix of %d rows of %d numbers is not possible", rows, cols))
	}
	stride := (cols + lane - 1) / lane * lane
	data := make([]float32, rows*stride)
	adviseHugePages(data)
	return Matrix{Data: data, Rows: rows, Cols: cols, Stride: stride}
}

// Stored returns the matrix of that size whose rows storage holds.
func Stored(rows, cols int, storage Storage) Matrix {
	return Matrix{Rows: rows, Cols: cols, Stride: cols, Storage: storage}
}

// First returns the first rows of the matrix.
func (m Matrix) First(rows int) Matrix {
	switch of := m.Storage.(type) {
	case *coded.Quantised:
		m.Storage = of.First(rows)
	case *coded.Int8s:
		m.Storage = of.First(rows)
	case *product:
		return of.with(of.rows.First(rows))
	}
	m.Rows = rows
	return m
}

// weightOf returns the weight of row i of those that are added up, 1 without weights.
func weightOf(weights []float32, i int) float32 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Row returns row r. It is the matrix's own if that is in memory, and must not be
// changed unless the matrix was made by NewMatrix. A row of a mapped file is copied.
func (m Matrix) Row(r int) []float32 {
	if m.behind == nil {
		return m.row(r)
	}
	row := make([]float32, m.Cols)
	m.Read(row, r)
	return row
}

// row is Row where faults are looked after: it may lie in a mapped file.
func (m Matrix) row(r int) []float32 {
	if m.Storage != nil {
		row := make([]float32, m.Cols)
		m.Storage.Read(row, r)
		return row
	}
	start := r * m.Stride
	return m.Data[start : start+m.Cols : start+m.Cols]
}

// Read writes row r to dst, which has Cols numbers: zeros if it cannot be read from a mapped file.
func (m Matrix) Read(dst []float32, r int) {
	read := false
	m.behind.Guard(func() {
		m.read(dst, r)
		read = true
	})
	if !read {
		clear(dst)
	}
}

// read is Read where faults are looked after.
func (m Matrix) read(dst []float32, r int) {
	if m.Storage != nil {
		m.Storage.Read(dst, r)
		return
	}
	copy(dst, m.row(r))
}

// View returns row r as Row does, in scratch where it has to be made or copied.
func (m Matrix) View(scratch []float32, r int) []float32 {
	if m.behind == nil {
		return m.view(scratch, r)
	}
	m.Read(scratch, r)
	return scratch
}

// view is View where faults are looked after, and ends before they are looked after no more: the row may lie
// in a mapped file.
func (m Matrix) view(scratch []float32, r int) []float32 {
	if m.Storage == nil {
		return m.row(r)
	}
	m.Storage.Read(scratch, r)
	return scratch
}

// in returns a matrix that another one is made of, which lies in the same file.
func (m Matrix) in(of Matrix) Matrix {
	m.behind = of.behind
	return m
}

// open returns the matrix, or after its file was closed one that says so when it is used.
func (m Matrix) open() Matrix {
	if m.behind.Closed() && m.Rows > 0 {
		return Stored(m.Rows, m.Cols, closedRows{m.behind})
	}
	return m
}

// closedRows are the rows of a matrix whose file was closed.
type closedRows struct{ behind *backing.File }

func (c closedRows) Read([]float32, int) { c.behind.MustBeOpen() }
