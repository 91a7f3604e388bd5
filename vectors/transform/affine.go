package transform

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An affineMap takes a vector x to (x − mean)·A. It takes a mean of rows to the mean of what it
// takes the rows to. So vectors that are means of rows are mapped by mapping the rows.
type affineMap struct {
	mean   []float64
	cols   int                          // dimensions of what it maps to
	linear func(dst, centred []float64) // sets dst to centred·A
	done   string                       // what is done to rows, for messages
}

// mapped returns the parts of s with every row mapped. Context vectors are left out.
func mapped(s *vectors.Set, f affineMap) vectors.Parts {
	m := sibling(s)
	composedAs(&m, s)
	m.File = errorsOf(s)
	for _, part := range partVectors(s) {
		m.Put(part.Name, f.rows(s, m.File, part.Name, part.Matrix, part.Rows))
	}
	rows := s.Input().Rows
	untrained := false
	behind(s).Guard(func() { untrained = slices.Contains(m.BucketRows, -1) })
	if untrained {
		// What stood for zeros stands for their image, a row of its own.
		m.BucketRows = slices.Clone(s.BucketRows())
		for b, r := range m.BucketRows {
			if r < 0 {
				m.BucketRows[b] = int32(rows)
			}
		}
		rows++
	}
	m.Input = f.rows(s, m.File, vectors.MatrixInput, s.Input(), rows)
	return m
}

// rows returns the mapped rows of a matrix of s, and those of zeros behind them up to n.
func (f affineMap) rows(s *vectors.Set, errors *backing.File, matrix string, of vectors.Matrix, n int) vectors.Matrix {
	return vectors.Stored(n, f.cols, &mappedRows{by: f, of: of, behind: behind(s), errors: errors,
		name: func(r int) string { return s.RowName(matrix, r) }})
}

// mappedRows are the rows of a matrix, and zeros behind them, mapped.
type mappedRows struct {
	by     affineMap
	of     vectors.Matrix
	behind *backing.File // of the rows
	errors *backing.File // is told of rows that become too large
	name   func(r int) string
	spare  sync.Pool // of *mapping
}

// A mapping is the memory that mapping a row takes.
type mapping struct {
	row            []float32
	centred, place []float64
}

func (m *mappedRows) take() *mapping {
	if x, ok := m.spare.Get().(*mapping); ok {
		return x
	}
	return &mapping{make([]float32, m.of.Cols), make([]float64, m.of.Cols), make([]float64, m.by.cols)}
}

// apply sets dst to what row, a sum of rows whose weights sum up to weight, is mapped to.
func (m *mappedRows) apply(dst []float32, x *mapping, row []float32, weight float64) {
	for k, v := range row {
		x.centred[k] = float64(v) - weight*m.by.mean[k]
	}
	m.by.linear(x.place, x.centred)
	for k, v := range x.place {
		dst[k] = float32(v)
	}
}

func (m *mappedRows) Read(dst []float32, r int) {
	x := m.take()
	defer m.spare.Put(x)
	clear(x.row)
	if r < m.of.Rows {
		m.of.Read(x.row, r)
		m.behind.Saw(4 * int64(len(x.row)))
	}
	m.apply(dst, x, x.row, 1)
	if !vectors.Finite(dst) && vectors.Finite(x.row) {
		m.errors.Fail(fmt.Errorf("%s has numbers beyond those of float32 when it is %s", m.name(r), m.by.done))
	}
}

// AddRows adds the given rows to dst. Their sum is mapped once.
func (m *mappedRows) AddRows(dst []float32, rows []uint32, weights []float32) {
	x := m.take()
	defer m.spare.Put(x)
	var total float64
	var known []uint32 // without those of zeros
	var ofKnown []float32
	for i, r := range rows {
		weight := float32(1)
		if weights != nil {
			weight = weights[i]
		}
		total += float64(weight)
		if int(r) < m.of.Rows {
			known, ofKnown = append(known, r), append(ofKnown, weight)
		}
	}
	m.of.Sum(x.row, known, ofKnown)
	sum := make([]float32, len(dst))
	m.apply(sum, x, x.row, total)
	for k, v := range sum {
		dst[k] += v
	}
}

func vectorOf(numbers []float64) blas64.Vector {
	return blas64.Vector{N: len(numbers), Data: numbers, Inc: 1}
}

// onto returns the product with axes, which are columns.
func onto(axes blas64.General) func(dst, centred []float64) {
	return func(dst, centred []float64) {
		blas64.Gemv(blas.Trans, 1, axes, vectorOf(centred), 0, vectorOf(dst))
	}
}

// without returns the map that removes what vectors have in the direction of axes, which are
// columns of length 1 at right angles.
func without(axes blas64.General) func(dst, centred []float64) {
	return func(dst, centred []float64) {
		copy(dst, centred)
		place := make([]float64, axes.Cols)
		onto(axes)(place, centred)
		blas64.Gemv(blas.NoTrans, -1, axes, vectorOf(place), 1, vectorOf(dst))
	}
}
