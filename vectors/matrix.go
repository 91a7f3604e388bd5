package vectors

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/internal/hugepages"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// A Matrix is a set of float32 rows of equal length. A matrix in memory has Data: row r starts at
// Data[r*Stride] and has Cols numbers; Stride ≥ Cols. Otherwise Data is nil and Storage provides the rows. If
// the set is InFile, Data may lie in a mapped file: use it within Set.Guard. The methods need no Guard.
type Matrix struct {
	Data               []float32
	Rows, Cols, Stride int
	Storage            Storage

	behind *backing.File // nil if no row lies in a mapped file
}

// Storage holds the rows of a matrix in another form than float32 in memory: in fewer bits, in a file, or
// computed from other matrices.
type Storage interface {
	// Read writes row r to dst, which has as many numbers as a row. It may be called from several goroutines.
	// Rows are read fastest in rising order.
	Read(dst []float32, r int)
}

// A rowSummer is a Storage that can sum rows faster than by reading each row.
type rowSummer interface {
	// SumRows sets dst to the sum of the weighted rows. Without weights, each row weighs 1.
	SumRows(dst []float32, rows []uint32, weights []float32)
}

// A checkable is a Storage whose rows may lie in an unchecked file.
type checkable interface {
	// CheckSizes reports sizes that do not fit a matrix of rows × cols.
	CheckSizes(rows, cols int) error
	// Check reports values that cannot be decoded.
	Check() error
}

// lane is how many float32 fill the 64 bytes of a cache line.
const lane = 16

// NewMatrix returns a matrix of zeros. Rows are padded to whole cache lines of 64 bytes. On Linux, large
// matrices ask for huge pages.
func NewMatrix(rows, cols int) Matrix {
	if rows < 0 || cols < 0 || cols > math.MaxInt-lane || cols > 0 && rows > math.MaxInt/4/(cols+lane) {
		panic(fmt.Sprintf("vectors: a matrix of %d rows of %d numbers is not possible", rows, cols))
	}
	stride := (cols + lane - 1) / lane * lane
	data := make([]float32, rows*stride)
	hugepages.Advise(data)
	return Matrix{Data: data, Rows: rows, Cols: cols, Stride: stride}
}

// Stored returns a matrix of that size with the rows of a storage.
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

// From returns the rows from row first on.
func (m Matrix) From(first int) Matrix {
	rows := m.Rows - first
	switch of := m.Storage.(type) {
	case nil:
		if rows > 0 {
			m.Data = m.Data[first*m.Stride:]
		}
	case *coded.Quantised:
		m.Storage = of.From(first)
	default:
		m.Storage = coded.Func(func(dst []float32, r int) { of.Read(dst, first+r) })
	}
	m.Rows = rows
	return m
}

// Row returns row r. A row in memory is the matrix's own; change it only if NewMatrix made the matrix. A row
// of a mapped file is a copy.
func (m Matrix) Row(r int) []float32 {
	if m.behind == nil {
		return m.row(r)
	}
	return m.View(make([]float32, m.Cols), r)
}

// row is Row for callers inside a fault guard: the result may lie in a mapped file.
func (m Matrix) row(r int) []float32 {
	if m.Storage != nil {
		return m.view(make([]float32, m.Cols), r)
	}
	start := r * m.Stride
	return m.Data[start : start+m.Cols : start+m.Cols]
}

// Read writes row r to dst, which has Cols numbers. It writes zeros if a mapped file cannot be read.
func (m Matrix) Read(dst []float32, r int) {
	fill(m.behind, dst, func() { m.read(dst, r) })
}

func (m Matrix) read(dst []float32, r int) {
	if m.Storage != nil {
		m.Storage.Read(dst, r)
	} else {
		copy(dst, m.row(r))
	}
}

// View returns row r like Row. If the row has to be computed or copied, View writes it to scratch.
func (m Matrix) View(scratch []float32, r int) []float32 {
	if m.behind == nil {
		return m.view(scratch, r)
	}
	m.Read(scratch, r)
	return scratch
}

// view is View for callers inside a fault guard. The result may lie in a mapped file, so it must not be used
// after the guard ends.
func (m Matrix) view(scratch []float32, r int) []float32 {
	if m.Storage == nil {
		return m.row(r)
	}
	m.Storage.Read(scratch, r)
	return scratch
}

// in returns m as part of the matrix of: both lie in the same file.
func (m Matrix) in(of Matrix) Matrix {
	m.behind = of.behind
	return m
}

// open returns the matrix. After its file was closed, it returns a matrix that panics when it is used.
func (m Matrix) open() Matrix {
	if m.behind.Closed() && m.Rows > 0 {
		return Stored(m.Rows, m.Cols, coded.Func(func([]float32, int) { m.behind.MustBeOpen() }))
	}
	return m
}

// Product returns the matrix product of rows and projection, which has as many rows as rows has columns.
// Products are computed on demand. A sum of rows is multiplied once, so a word of many n-grams costs little
// more than a plain word.
func Product(rows, projection Matrix) Matrix {
	if projection.Storage != nil { // every row needs all of the projection
		p := NewMatrix(projection.Rows, projection.Cols)
		for r := range p.Rows {
			projection.Read(p.Row(r), r)
		}
		projection = p
	}
	p := &product{rows: rows, projection: projection, all: make([]uint32, projection.Rows)}
	for h := range p.all {
		p.all[h] = uint32(h)
	}
	return Stored(rows.Rows, projection.Cols, p)
}

// Factors returns the factors of a matrix that Product made. For other matrices ok is false, and rows is the
// matrix itself.
func (m Matrix) Factors() (rows, projection Matrix, ok bool) {
	p, ok := m.Storage.(*product)
	if !ok {
		return m, Matrix{}, false
	}
	return p.rows.First(m.Rows).in(m), p.projection.in(m), true
}

type product struct {
	rows, projection Matrix
	all              []uint32 // 0…n-1: all rows of projection
}

func (p *product) Read(dst []float32, r int) {
	scratch := make([]float32, p.rows.Cols)
	p.multiply(dst, p.rows.View(scratch, r))
}

// SumRows sets dst to the sum of rows. It sums the rows first, and multiplies the sum once.
func (p *product) SumRows(dst []float32, rows []uint32, weights []float32) {
	sum := make([]float32, p.rows.Cols)
	new(composer).sum(sum, p.rows, rows, weights)
	p.multiply(dst, sum)
}

func (p *product) multiply(dst, row []float32) {
	simd.Gather(dst, p.projection.Data, p.projection.Stride, p.all, row)
}

func (p *product) with(rows Matrix) Matrix {
	q := *p
	q.rows = rows
	return Stored(rows.Rows, p.projection.Cols, &q)
}

func (p *product) DType() DType { return p.rows.DType() }

func (p *product) CheckSizes(rows, cols int) error {
	if err := p.rows.CheckSizes(); err != nil {
		return err
	}
	if err := p.projection.CheckSizes(); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	switch x := p.projection; {
	case rows > p.rows.Rows:
		return fmt.Errorf("%d rows are those of %d", rows, p.rows.Rows)
	case p.rows.Cols != x.Rows || x.Cols != cols || cols < 1 || x.Rows < 1:
		return fmt.Errorf("rows of %d numbers times a projection of %d×%d, must be %d×%d", p.rows.Cols, x.Rows, x.Cols, p.rows.Cols, cols)
	}
	return nil
}

func (p *product) Check() error { return p.rows.Check() }

// normed undoes a normalisation: its first rows were divided by their lengths, and are multiplied by these
// lengths when they are read. finalfusion stores words like this.
type normed struct {
	rows  Matrix
	norms []float32
}

// Normed returns a matrix whose first rows are multiplied by the norms.
func Normed(rows Matrix, norms []float32) Matrix {
	return Stored(rows.Rows, rows.Cols, &normed{rows, norms})
}

// Norms returns the arguments of the Normed call that made the matrix; ok is false for other matrices.
func (m Matrix) Norms() (rows Matrix, norms []float32, ok bool) {
	if n, ok := m.Storage.(*normed); ok {
		return n.rows.in(m), n.norms, true
	}
	return Matrix{}, nil, false
}

func (s *normed) Read(dst []float32, r int) {
	s.rows.Read(dst, r)
	if r < len(s.norms) {
		norm := s.norms[r]
		for k := range dst {
			dst[k] *= norm
		}
	}
}

// SumRows sets dst to the sum of rows. Words are composed of rows of n-grams only, which were not divided.
func (s *normed) SumRows(dst []float32, rows []uint32, weights []float32) {
	sums, ok := s.rows.Storage.(rowSummer)
	if ok && !slices.ContainsFunc(rows, func(r uint32) bool { return int(r) < len(s.norms) }) {
		sums.SumRows(dst, rows, weights)
		return
	}
	clear(dst)
	row := make([]float32, len(dst))
	for i, r := range rows {
		s.Read(row, int(r))
		weight := coded.WeightOf(weights, i)
		for k, x := range row {
			dst[k] += weight * x
		}
	}
}

func (s *normed) CheckSizes(rows, cols int) error {
	if s.rows.Rows != rows || s.rows.Cols != cols || len(s.norms) > rows {
		return fmt.Errorf("%d norms of %d×%d for %d×%d", len(s.norms), s.rows.Rows, s.rows.Cols, rows, cols)
	}
	return s.rows.CheckSizes()
}

func (s *normed) Check() error { return s.rows.Check() }

// Coded returns the storage of a matrix; of codes with norms beside them, a storage in which the codes have
// the norms.
func (m Matrix) Coded() Storage {
	s, ok := m.Storage.(*normed)
	if !ok {
		return m.Storage
	}
	q, ok := s.rows.Storage.(*coded.Quantised)
	if !ok {
		return s
	}
	folded := *q
	folded.Norms, folded.NormCodes = make([]float32, s.rows.Rows), nil
	for r := range folded.Norms {
		folded.Norms[r] = q.Norm(r)
		if r < len(s.norms) {
			folded.Norms[r] *= s.norms[r]
		}
	}
	return &folded
}

// Unscaled returns the codes of a product-quantised matrix without the factors of its rows, and the factor of
// each row; for other matrices the matrix itself and nil.
func (m Matrix) Unscaled() (rows Matrix, factor func(r int) float32) {
	q, ok := m.Coded().(*coded.Quantised)
	if !ok || q.Norms == nil || q.Rotation != nil {
		return m, nil
	}
	plain := *q
	plain.Norms, plain.NormCodes = nil, nil
	return Stored(m.Rows, m.Cols, &plain).in(m), q.Norm
}

// Names of encodings that take fewer bits than numbers: see Matrix.Encoding.
const (
	EncodingInt8 = "int8" // 8-bit integers and a scale for each row
	EncodingPQ   = "pq"   // product quantisation
	EncodingOPQ  = "opq"  // product quantisation of rotated rows
)

// Encoding returns the name of a DType, EncodingInt8, EncodingPQ or EncodingOPQ: how the rows are stored, in
// a product those that are multiplied.
func (m Matrix) Encoding() string {
	switch s := m.Storage.(type) {
	case *coded.Int8s:
		return EncodingInt8
	case *coded.Quantised:
		if s.Rotation != nil {
			return EncodingOPQ
		}
		return EncodingPQ
	case *normed:
		return s.rows.Encoding()
	case *product:
		return s.rows.Encoding()
	}
	return string(m.DType())
}

// RowBytes returns the stored size of a row in bytes.
func (m Matrix) RowBytes() int {
	switch s := m.Storage.(type) {
	case *coded.Int8s:
		return m.Cols + 4 // the scale
	case *coded.Quantised:
		n := s.Book.Parts()
		switch {
		case s.NormCodes != nil:
			n++
		case s.Norms != nil:
			n += 4
		}
		return n
	case *normed:
		return s.rows.RowBytes()
	case *product:
		return s.rows.RowBytes()
	}
	return int(m.DType().bytes()) * max(m.Cols, m.Stride)
}

// A DType is the type of a matrix's numbers in a file. Its value is the name on the command line. In memory
// and in computations, numbers are float32.
type DType string

// Vectors are trained in F32. F16 and BF16 take half the space: F16 keeps three decimal digits of numbers
// from 0.00006 to 65504, BF16 keeps two digits of any number.
const (
	F32  DType = "f32"
	F16  DType = "f16"
	BF16 DType = "bf16"
)

// DTypes returns every type.
func DTypes() []DType { return []DType{F32, F16, BF16} }

// ParseDType returns the type of that name.
func ParseDType(name string) (DType, error) {
	if d := DType(name); slices.Contains(DTypes(), d) {
		return d, nil
	}
	return "", fmt.Errorf("the type %q is not known; known are %s, %s, %s", name, F32, F16, BF16)
}

func (d DType) bytes() int64 {
	if d == F32 {
		return 4
	}
	return 2
}

// Round rounds numbers to the type.
func (d DType) Round(row []float32) {
	switch d {
	case F16:
		for i, x := range row {
			row[i] = half.FromF16(half.ToF16(x))
		}
	case BF16:
		for i, x := range row {
			row[i] = half.FromBF16(half.ToBF16(x))
		}
	}
}

// DType returns the type that the matrix was read as, or that WithDType set. Formats with several types write
// this type.
func (m Matrix) DType() DType {
	if s, ok := m.Storage.(interface{ DType() DType }); ok {
		return s.DType()
	}
	return F32
}

// Exact returns s without wrappers that only round numbers to d.
func (s *Set) Exact(d DType) *Set {
	return s.MapRows(func(m Matrix) Matrix { return m.Exact(d) })
}

func (m Matrix) Exact(d DType) Matrix {
	if p, ok := m.Storage.(*product); ok {
		return p.with(p.rows.Exact(d)).First(m.Rows)
	}
	if r, ok := m.Storage.(interface{ Unrounded() Matrix }); ok && m.DType() == d {
		return r.Unrounded()
	}
	return m
}
