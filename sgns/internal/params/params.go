// Package params holds the matrices that a run trains. A Matrix describes each. Every operation on all
// matrices is a loop over these descriptions: allocating, planning, copying, checking, saving, restoring, and
// starting from other vectors.
package params

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// A Matrix describes a matrix of a run.
type Matrix struct {
	Name  string // of the tensor in native files and checkpoints
	Title string // name in messages
	Role  Role
	Rows  int
	Cols  int

	// Dense matrices have no padding between rows: number k of row r is Data[r*Cols+k]. Rows of other
	// matrices begin at cache lines.
	Dense bool
	// Halves says that rows are float16, and are read as float32 (see HalvesOf).
	Halves bool
	// Replicated matrices are so small that every block of every worker changes all of them. Each worker
	// trains a copy, and adds its changes to the matrix after every text. Rows of other matrices are changed
	// in place, without locks.
	Replicated bool
	// SameAs names the matrix whose storage this matrix shares; empty for a matrix with its own storage.
	SameAs string
	// Behind names the output matrix behind whose rows these rows lie, so that a step reads both by number; empty
	// for a matrix in memory of its own.
	Behind string
	// Labels says that rows belong to the labels of texts.
	Labels bool
	// Passing says that the matrix belongs to the run and is no part of its model: only checkpoints have it.
	Passing bool
	// Projects says that this matrix multiplies input rows to make vectors.
	Projects bool
	// Keys says how rows correspond to rows of the same matrix in other vectors, for a warm start.
	Keys Keys
	// Fits reports whether the matrix of other vectors, of the same shape, has the same meaning. Nil means
	// that it always has.
	Fits func(from *vectors.Set) bool
	// SkipZeros says that zero rows are not used as a warm start.
	SkipZeros bool
	// Touched returns how often each row is expected to change for each trained token. If a row changes often
	// between two exchanges, ranks apply a smaller part of the sum of its changes. Nil means that every token
	// changes every row: ranks then apply the mean.
	Touched func(Words) []float32
	// Copied has the rows of which every group of workers has a copy; nil if there are none. They may be rows
	// behind the matrix.
	Copied *Copied
	// Init sets the rows, which are zeros, to their initial values. Nil leaves zeros.
	Init func(rows vectors.Matrix, seed uint64)

	behind int // number of rows of the matrices behind this one
	first  int // number of the first row among those of the matrix that this one is behind
}

// Copied says of which rows of a matrix every group of workers has a copy, behind the rows of the matrix: see
// step.Copies.
type Copied struct {
	Rows   []uint32 // by number of the copy
	Slots  []uint32 // for each row of the matrix and behind it, the number of its copy; len(Rows) for none
	Groups int
	Every  int  // number of changes after which a worker lets copy and row meet
	Apart  bool // groups draw different words without copies
}

// NewCopied returns Copied for some of so many rows.
func NewCopied(of []uint32, rows, groups, every int) *Copied {
	c := &Copied{Rows: of, Slots: make([]uint32, rows), Groups: groups, Every: every}
	for row := range c.Slots {
		c.Slots[row] = uint32(len(of))
	}
	for slot, row := range of {
		c.Slots[row] = uint32(slot)
	}
	return c
}

// places returns how many rows the copies of all groups take: each has two of a row.
func (c *Copied) places() int {
	if c == nil {
		return 0
	}
	return 2 * len(c.Rows) * c.Groups
}

// Words says how often training uses each word, per token.
type Words struct {
	Kept  []float64 // as a centre or a context
	Drawn []float64 // as a negative, weighted by how far it moves a row compared with a context
	Sum   float64   // of Kept
}

// A Role is the use of a matrix.
type Role int

// Matrices are ordered by role, and within a role by declaration. Checkpoints depend on this order.
const (
	Input  Role = iota // words' vectors are composed of these rows
	Output             // rows that inputs are scored against
	Other              // anything else
)

// Keys say what rows belong to.
type Keys int

const (
	// ByNumber: row i means the same in every matrix of the same shape.
	ByNumber Keys = iota
	// ByWord: there is one row for each word, or several times one row for each word.
	ByWord
	// ByVocabulary: row i means the same for the same vocabulary with the same counts.
	ByVocabulary
)

func (m Matrix) owned() bool { return m.SameAs == "" && m.Rows > 0 }

// ownMemory reports whether rows are not in the memory of another matrix.
func (m Matrix) ownMemory() bool { return m.SameAs == "" && m.Behind == "" }

// RowBytes returns the size of a row in memory.
func (m Matrix) RowBytes() float64 {
	switch {
	case m.Dense:
		return float64(m.NumberBytes()) * float64(m.Cols)
	case m.Halves:
		return float64(m.NumberBytes()) * float64(simd.HalvesStride(m.Cols))
	}
	return math.Ceil(float64(m.Cols)/16) * 64
}

// NumberBytes returns the size of a number, in memory and in a native file.
func (m Matrix) NumberBytes() int {
	if m.Halves {
		return 2
	}
	return 4
}

// EditBytes is what Edit allocates.
func (m Matrix) EditBytes() float64 {
	if !m.Halves {
		return 0
	}
	return float64(m.Rows) * (Matrix{Cols: m.Cols}).RowBytes()
}

// A List describes all matrices of a run.
type List []Matrix

// NewList returns the matrices of all parts of a model in the order of their roles.
func NewList(parts ...[]Matrix) List {
	list := List(slices.Concat(parts...))
	slices.SortStableFunc(list, func(a, b Matrix) int { return int(a.Role - b.Role) })
	for i, m := range list {
		if m.Behind == "" {
			continue
		}
		of := &list[list.place(m.Behind)]
		list[i].first = of.Rows + of.behind
		of.behind += m.Rows
	}
	return list
}

// place returns the place of the matrix of that name; -1 if there is none.
func (l List) place(name string) int {
	return slices.IndexFunc(l, func(m Matrix) bool { return m.Name == name })
}

// Owned yields every matrix with rows in its own storage.
func (l List) Owned() iter.Seq[Matrix] {
	return func(yield func(Matrix) bool) {
		for _, m := range l {
			if m.owned() && !yield(m) {
				return
			}
		}
	}
}

// Find returns the matrix of that name.
func (l List) Find(name string) (Matrix, bool) {
	i := l.place(name)
	if i < 0 {
		return Matrix{}, false
	}
	return l[i], true
}

// Bytes returns the memory of all matrices, in bytes. float64 avoids overflow.
func (l List) Bytes() (bytes float64) {
	for m := range l.Owned() {
		bytes += float64(m.Rows) * m.RowBytes()
	}
	return bytes
}

// CopiedBytes returns the memory of all copies, in bytes.
func (l List) CopiedBytes() (bytes float64) {
	for m := range l.Owned() {
		if m.Copied != nil {
			bytes += float64(m.Copied.places())*m.RowBytes() + 4*float64(len(m.Copied.Slots)+len(m.Copied.Rows))
		}
	}
	return bytes
}

// Touches returns how often each row of a matrix is touched for each token, also through matrices that share
// its storage; nil if every token touches all rows. It leaves out the rows behind the matrix.
func (l List) Touches(of Matrix, w Words) (all []float32) {
	for _, m := range l {
		if m.Name != of.Name && m.SameAs != of.Name {
			continue
		}
		if m.Touched == nil {
			return nil
		}
		touched := m.Touched(w)
		if all == nil {
			all = touched
			continue
		}
		for row, x := range touched {
			all[row] += x
		}
	}
	return all
}

// StepTouches is Touches of the rows that a step reads by number: those of an output matrix, and those behind it.
func (l List) StepTouches(of Matrix, w Words) []float32 {
	all := l.Touches(of, w)
	for _, m := range l {
		if m.Behind == of.Name {
			all = append(all, l.Touches(m, w)...)
		}
	}
	return all
}

// Uniform returns an Init of rows that stand for members: words and buckets. Every member has initial numbers
// uniform in ±bound, which depend only on the seed and the member's number. A row that stands for several
// members starts as their mean.
func Uniform(members iter.Seq2[int, uint32], bound float32) func(rows vectors.Matrix, seed uint64) {
	return func(rows vectors.Matrix, seed uint64) {
		size := make([]uint32, rows.Rows)
		for _, row := range members {
			size[row]++
		}
		InParts(0, rows.Rows, func(first, last int) {
			for member, row := range members {
				if int(row) < first || int(row) >= last {
					continue
				}
				Change(rows, int(row), func(numbers []float32) {
					UniformRow(numbers, seed, uint64(member), bound/float32(size[row]))
				})
			}
		})
	}
}

// Ones is an Init that sets all numbers to 1.
func Ones(rows vectors.Matrix, _ uint64) {
	for r := range rows.Rows {
		row := rows.Row(r)
		for k := range row {
			row[k] = 1
		}
	}
}

// UniformRow adds a member's random numbers, up to bound, to a row.
func UniformRow(row []float32, seed, member uint64, bound float32) {
	r := random.Stream(seed, member)
	for k := range row {
		row[k] += bound * r.Uniform()
	}
}

// Values are the numbers of all matrices of a list. Workers change rows without locks.
type Values struct {
	list     List
	matrices []vectors.Matrix  // of list, in its order
	frozen   map[string][]bool // by name: the frozen rows
}

// Allocate returns matrices of zeros.
func Allocate(list List) *Values { return allocated(list, allocate) }

// AllocateIn is Allocate in memory of zeros for as many numbers as Numbers says, which begins at a cache line. No matrix may
// have rows of float16.
func AllocateIn(list List, memory []float32) *Values {
	return allocated(list, func(m Matrix) vectors.Matrix {
		all, n := vectors.Matrix{Rows: m.Rows, Cols: m.Cols, Stride: m.stride()}, m.numbers()
		all.Data, memory = memory[:m.Rows*all.Stride:n], memory[wholeLines(n):]
		return all
	})
}

func allocated(list List, allocate func(Matrix) vectors.Matrix) *Values {
	v := &Values{list: list, matrices: make([]vectors.Matrix, len(list))}
	for i, m := range list {
		if m.ownMemory() {
			v.matrices[i] = allocate(m)
		}
	}
	v.share()
	return v
}

// Numbers returns how many numbers AllocateIn needs.
func (l List) Numbers() (n int) {
	for _, m := range l {
		if m.ownMemory() {
			n += wholeLines(m.numbers())
		}
	}
	return n
}

// wholeLines returns a number of float32 that fills cache lines, with so many or a few more.
func wholeLines(n int) int { return (n + 15) &^ 15 }

// stride returns how many numbers lie between the beginnings of two rows.
func (m Matrix) stride() int {
	if m.Dense {
		return m.Cols
	}
	return wholeLines(m.Cols)
}

// numbers returns how many numbers the matrix has, with those of rows behind it and of copies.
func (m Matrix) numbers() int { return (m.Rows + m.behind + m.Copied.places()) * m.stride() }

func allocate(m Matrix) vectors.Matrix {
	switch {
	case m.Dense:
		return vectors.Matrix{Data: make([]float32, m.Rows*m.Cols), Rows: m.Rows, Cols: m.Cols, Stride: m.Cols}
	case m.Halves:
		return newHalves(m.Rows, m.Cols)
	}
	all := vectors.NewMatrix(m.Rows+m.behind+m.Copied.places(), m.Cols)
	all.Rows, all.Data = m.Rows, all.Data[:m.Rows*all.Stride]
	return all
}

// share gives matrices without their own storage the storage of others, and those behind others their place there.
func (v *Values) share() {
	for i, m := range v.list {
		switch {
		case m.SameAs != "":
			v.matrices[i] = v.Matrix(m.SameAs)
		case m.Behind != "":
			rows, end := v.Matrix(m.Behind), m.first+m.Rows
			rows.Data, rows.Rows = rows.Data[m.first*rows.Stride:end*rows.Stride:end*rows.Stride], m.Rows
			v.matrices[i] = rows
		}
	}
}

// OfStep returns the rows that a step reads by number: those of the output matrix of that name, and those behind it.
func (v *Values) OfStep(name string) vectors.Matrix {
	of, _ := v.list.Find(name)
	m := v.Matrix(name)
	m.Rows += of.behind
	m.Data = m.Data[:m.Rows*m.Stride]
	return m
}

// List describes the matrices.
func (v *Values) List() List { return v.list }

// Matrix returns the matrix of a name. It has no rows if the name is unknown.
func (v *Values) Matrix(name string) vectors.Matrix {
	for i, m := range v.list {
		if m.Name == name {
			return v.matrices[i]
		}
	}
	return vectors.Matrix{}
}

// Copied returns of which rows of a matrix there are copies, which are behind the rows in its Data; nil if
// there are none.
func (v *Values) Copied(name string) *Copied {
	m, _ := v.list.Find(name)
	return m.Copied
}

// Owned yields every matrix with rows in its own storage.
func (v *Values) Owned() iter.Seq2[Matrix, vectors.Matrix] {
	return func(yield func(Matrix, vectors.Matrix) bool) {
		for i, m := range v.list {
			if m.owned() && !yield(m, v.matrices[i]) {
				return
			}
		}
	}
}

// Alike allocates matrices of the same list, without frozen rows.
func (v *Values) Alike() *Values {
	other := &Values{list: v.list, matrices: make([]vectors.Matrix, len(v.list))}
	for i, m := range v.list {
		switch {
		case !m.ownMemory():
		case m.Halves:
			other.matrices[i] = newHalves(m.Rows, m.Cols)
		default:
			other.matrices[i] = v.matrices[i]
			n := len(v.matrices[i].Data)
			other.matrices[i].Data = make([]float32, n+m.behind*m.stride())[:n]
		}
	}
	other.share()
	return other
}

// CopyFrom copies all numbers of another Values of the same list.
func (v *Values) CopyFrom(other *Values) {
	for i, m := range v.list {
		if !m.owned() {
			continue
		}
		if to, ok := HalvesOf(v.matrices[i]); ok {
			from, _ := HalvesOf(other.matrices[i])
			InParts(0, len(to.Data), func(first, last int) { copy(to.Data[first:last], from.Data[first:last]) })
			continue
		}
		to, from := v.matrices[i].Data, other.matrices[i].Data
		InParts(0, len(to), func(first, last int) { copy(to[first:last], from[first:last]) })
	}
}

// Initialise sets all numbers to their initial values.
func (v *Values) Initialise(seed uint64) {
	for m, rows := range v.Owned() {
		if h, ok := HalvesOf(rows); ok {
			clear(h.Data)
		}
		clear(rows.Data)
		if m.Init != nil {
			m.Init(rows, seed)
		}
	}
}

// Read copies the numbers of other matrices, which may be in a file: one for each matrix of Owned.
func (v *Values) Read(from []vectors.Matrix) error {
	i := 0
	for m, to := range v.Owned() {
		if i == len(from) {
			return fmt.Errorf("%d matrices of parameters, expected more", len(from))
		}
		if f := from[i]; f.Rows != to.Rows || f.Cols != to.Cols {
			return fmt.Errorf("%s of %d × %d numbers, expected %d × %d", m.Title, f.Rows, f.Cols, to.Rows, to.Cols)
		}
		for r := range to.Rows {
			Change(to, r, func(row []float32) { from[i].Read(row, r) })
		}
		i++
	}
	if i < len(from) {
		return fmt.Errorf("%d matrices of parameters, expected %d", len(from), i)
	}
	return nil
}

// Freeze marks rows of a matrix as frozen: training does not change them. Nil freezes nothing.
func (v *Values) Freeze(name string, rows []bool) {
	if v.frozen == nil {
		v.frozen = map[string][]bool{}
	}
	v.frozen[name] = rows
}

// Frozen returns the frozen rows of a matrix; nil if no row is frozen.
func (v *Values) Frozen(name string) []bool { return v.frozen[name] }

// Finite reports whether all numbers are finite.
func (v *Values) Finite() bool {
	for _, rows := range v.Owned() {
		if h, ok := HalvesOf(rows); ok && !finiteHalves(h.Data) || !Finite(rows.Data) {
			return false
		}
	}
	return true
}

// Finite reports whether all of x are finite.
func Finite(x []float32) bool {
	const exponent = 0xff << 23 // NaN and Inf have all these bits set
	return belowInParts(len(x), exponent, func(first, last int) (most uint32) {
		for _, v := range x[first:last] {
			most = max(most, math.Float32bits(v)&exponent)
		}
		return most
	})
}

// finiteHalves is Finite for float16.
func finiteHalves(x []uint16) bool {
	const exponent = 0x1f << 10
	return belowInParts(len(x), exponent, func(first, last int) (most uint32) {
		for _, v := range x[first:last] {
			most = max(most, uint32(v)&exponent)
		}
		return most
	})
}

// belowInParts reports whether most is below a limit for all parts, which it finds in parallel.
func belowInParts(n int, limit uint32, most func(first, last int) uint32) bool {
	var not atomic.Bool
	InParts(0, n, func(first, last int) {
		if most(first, last) >= limit {
			not.Store(true)
		}
	})
	return !not.Load()
}

// InParts divides 0…n-1 into parts, one for each core if parts is 0, and calls work for all parts in parallel.
func InParts(parts, n int, work func(first, last int)) {
	if parts == 0 {
		parts = runtime.GOMAXPROCS(0)
	}
	if parts = min(parts, n/64); parts <= 1 {
		work(0, n)
		return
	}
	var g sync.WaitGroup
	for k := range parts {
		g.Go(func() { work(n*k/parts, n*(k+1)/parts) })
	}
	g.Wait()
}

// Edit calls edit with all rows of a matrix as float32, and stores the edited rows, rounded if the matrix has
// float16 rows. Those need EditBytes of memory meanwhile; it is an error if edit makes a number that float16
// cannot hold.
func Edit(m vectors.Matrix, edit func(rows vectors.Matrix) error) error {
	h, ok := m.Storage.(*halves)
	if !ok {
		return edit(m)
	}
	rows := vectors.NewMatrix(m.Rows, m.Cols)
	InParts(0, m.Rows, func(first, last int) {
		for r := first; r < last; r++ {
			h.Read(rows.Row(r), r)
		}
	})
	if err := edit(rows); err != nil {
		return err
	}
	for r := range m.Rows {
		for _, x := range rows.Row(r) {
			if x > mostHalf || x < -mostHalf {
				return fmt.Errorf("row %d has the number %.6g, and float16 ends at %d: train with precision f32, or scale the vectors", r, x, mostHalf)
			}
		}
	}
	InParts(0, m.Rows, func(first, last int) {
		for r := first; r < last; r++ {
			h.write(rows.Row(r), r)
		}
	})
	return nil
}

const mostHalf = 65504
