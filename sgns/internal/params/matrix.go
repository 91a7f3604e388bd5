// Package params holds the matrices that a run trains. A Matrix describes each. Every operation on all
// matrices is a loop over these descriptions: allocating, planning, copying, checking, saving, restoring, and
// starting from other vectors.
package params

import (
	"iter"
	"math"
	"slices"

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
	// Init sets the rows, which are zeros, to their initial values. Nil leaves zeros.
	Init func(rows vectors.Matrix, seed uint64)
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

// A List describes all matrices of a run.
type List []Matrix

// NewList returns the matrices of all parts of a model in the order of their roles.
func NewList(parts ...[]Matrix) List {
	list := List(slices.Concat(parts...))
	slices.SortStableFunc(list, func(a, b Matrix) int { return int(a.Role - b.Role) })
	return list
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
	i := slices.IndexFunc(l, func(m Matrix) bool { return m.Name == name })
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
