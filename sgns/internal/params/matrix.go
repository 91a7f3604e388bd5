// Package params holds the matrices that a run trains. Each is described once, by a Matrix.
// Whatever is done to all of them is a loop over such descriptions: to allocate, plan, copy,
// check, save and restore them, and to start them from other vectors.
package params

import (
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vectors"
)

// A Matrix describes a matrix of a run.
type Matrix struct {
	Name  string // of its tensor in a native file and in a checkpoint
	Title string // what messages call it
	Role  Role
	Rows  int
	Cols  int

	// Dense matrices have rows without padding between them: number k of row r is
	// Data[r*Cols+k]. Rows of others begin at cache lines.
	Dense bool
	// Halves are rows of float16, which are read as float32 (see HalvesOf).
	Halves bool
	// Replicated matrices are so small that every block of every worker changes all of
	// them. Each worker trains a copy, and adds its changes to the matrix after every text.
	// Rows of others are changed in place, without locks.
	Replicated bool
	// SameAs names the matrix whose storage this one shares. It is empty for a matrix with
	// storage of its own.
	SameAs string
	// Projects tells that input rows are multiplied by the matrix, and are vectors only then.
	Projects bool
	// Keys say which rows of the same matrix of other vectors these rows may start as.
	Keys Keys
	// Fits reports whether other vectors, whose matrix has the same shape, have the same use
	// for it. Nil is for yes.
	Fits func(from *vectors.Set) bool
	// SkipZeros says that zero rows are not used as a warm start.
	SkipZeros bool
	// Touched returns how often each row is expected to change for each token that is trained. Of rows that
	// change often between two exchanges, ranks add up less. Nil is for rows that every token changes: so
	// of changes to a matrix that does not say, ranks take the mean.
	Touched func(Words) []float32
	// Init sets the rows, which are zeros, to what they are before training. Nil leaves
	// zeros.
	Init func(rows vectors.Matrix, seed uint64)
}

// Words are how often training uses each word, for each token.
type Words struct {
	Kept  []float64 // as a centre or a context
	Drawn []float64 // as a negative, counted as often as it moves a row as far as a context does
	Sum   float64   // of Kept
}

// A Role says what the rows of a matrix are for.
type Role int

// Matrices are in the order of their roles, and of one role in the order in which they are
// declared. Checkpoints depend on that order.
const (
	Input  Role = iota // words' vectors are composed of these rows
	Output             // rows that inputs are scored against
	Other              // anything else
)

// Keys say what rows are those of.
type Keys int

const (
	// ByNumber: row i means the same in every matrix of the same shape.
	ByNumber Keys = iota
	// ByWord: there is a row for each word, or several times a row for each word.
	ByWord
	// ByVocabulary: row i means the same for the same vocabulary with the same counts.
	ByVocabulary
)

// owned reports whether the matrix has rows in storage of its own.
func (m Matrix) owned() bool { return m.SameAs == "" && m.Rows > 0 }

// RowBytes returns what a row takes in memory.
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

// Owned yields every matrix that has rows in storage of its own.
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

// Uniform returns an Init of rows that stand for members, words and buckets. Every member
// has initial numbers uniform in ±bound, which depend on the seed and on that member's number
// and on nothing else. A row that stands for several members starts as their mean.
func Uniform(members iter.Seq2[int, uint32], bound float32) func(rows vectors.Matrix, seed uint64) {
	return func(rows vectors.Matrix, seed uint64) {
		size := make([]uint32, rows.Rows)
		for _, row := range members {
			size[row]++
		}
		var g sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for part := range workers {
			first, last := rows.Rows*part/workers, rows.Rows*(part+1)/workers
			g.Go(func() {
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
		g.Wait()
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

// UniformRow adds to a row a member's random numbers up to bound.
func UniformRow(row []float32, seed, member uint64, bound float32) {
	r := random.Stream(seed, member)
	for k := range row {
		row[k] += bound * r.Uniform()
	}
}
