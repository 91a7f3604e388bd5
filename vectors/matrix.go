package vectors

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/internal/simd"
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

// Product returns the matrix whose rows are those of rows times projection, which has as
// many rows as they have numbers: row r is the sum over h of number h of rows' row r times
// row h of projection. Products are made when they are asked for. A sum of rows takes one
// product, not one a row, so a word of many n-grams costs little more than a plain one.
func Product(rows, projection Matrix) Matrix {
	if projection.Storage != nil { // all of it is needed for every row
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

// Factors takes a product apart: ok is false if the matrix is not one that Product made.
func (m Matrix) Factors() (rows, projection Matrix, ok bool) {
	p, ok := m.Storage.(*product)
	if !ok {
		return Matrix{}, Matrix{}, false
	}
	return p.rows.First(m.Rows).in(m), p.projection.in(m), true
}

// product is rows times a projection.
type product struct {
	rows, projection Matrix
	all              []uint32 // the rows of projection
}

func (p *product) Read(dst []float32, r int) {
	scratch := make([]float32, p.rows.Cols)
	p.multiply(dst, p.rows.View(scratch, r))
}

// AddRows adds the given rows to dst: their sum is multiplied once.
func (p *product) AddRows(dst []float32, rows []uint32, weights []float32) {
	sum, times := make([]float32, p.rows.Cols), make([]float32, len(dst))
	var c composer
	c.sum(sum, p.rows, rows, weights)
	p.multiply(times, sum)
	for k, x := range times {
		dst[k] += x
	}
}

// multiply sets dst to a row times the projection.
func (p *product) multiply(dst, row []float32) {
	simd.Gather(dst, p.projection.Data, p.projection.Stride, p.all, row)
}

// with returns the product of other rows and the same projection.
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

// normed is rows of which the first have been divided by their lengths, and are
// given back as they were: finalfusion keeps words so.
type normed struct {
	rows  Matrix
	norms []float32
}

// Normed returns the rows of a matrix, of which the first have been divided by these norms,
// as they were.
func Normed(rows Matrix, norms []float32) Matrix {
	return Stored(rows.Rows, rows.Cols, &normed{rows, norms})
}

// Norms takes apart what Normed made: ok is false if the matrix is not one of these.
func (m Matrix) Norms() (rows Matrix, norms []float32, ok bool) {
	n, ok := m.Storage.(*normed)
	if !ok {
		return Matrix{}, nil, false
	}
	return n.rows.in(m), n.norms, true
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

// AddRows adds the given rows to dst. Words are composed of n-grams' rows alone,
// which are as they were.
func (s *normed) AddRows(dst []float32, rows []uint32, weights []float32) {
	adds, ok := s.rows.Storage.(rowAdder)
	for _, r := range rows {
		ok = ok && int(r) >= len(s.norms)
	}
	if ok {
		adds.AddRows(dst, rows, weights)
		return
	}
	row := make([]float32, len(dst))
	for i, r := range rows {
		s.Read(row, int(r))
		weight := weightOf(weights, i)
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

// Coded returns the storage of a matrix, or one of the same rows where norms are
// beside codes, with the norms among those of the codes.
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

// Names of what rows are stored as in fewer bits than numbers have: see Matrix.Encoding.
const (
	EncodingInt8 = "int8" // whole numbers of 8 bits, and a scale a row
	EncodingPQ   = "pq"   // product quantisation
	EncodingOPQ  = "opq"  // the same of rows that were rotated
)

// Encoding returns what rows, of a product those that are multiplied, are stored as: the name of a DType, or EncodingInt8, EncodingPQ or EncodingOPQ.
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

// RowBytes returns how many bytes a row takes where it is stored.
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

// A DType is the type of the numbers that a matrix has in a file. Its value is the
// name that the command line knows it by. In memory and in all that is computed,
// numbers are float32.
type DType string

// The types. F32 is what vectors are trained in. F16 and BF16 take half of the
// room: F16 keeps three decimal digits of numbers from 0.00006 to 65504, BF16
// keeps two of any.
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

// bytes returns the size of a number.
func (d DType) bytes() int64 {
	if d == F32 {
		return 4
	}
	return 2
}

// Round replaces numbers by the nearest ones of the type.
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

// DType returns the type that the matrix was read as or WithDType gave it: what
// formats that know several types write it as.
func (m Matrix) DType() DType {
	if s, ok := m.Storage.(interface{ DType() DType }); ok {
		return s.DType()
	}
	return F32
}

// Exact returns s without what only rounds its numbers to d.
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
