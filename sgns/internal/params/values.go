package params

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/vectors"
)

// Values are the numbers of all matrices of a list. Workers share them, and change rows
// without locks.
type Values struct {
	list     List
	matrices []vectors.Matrix  // of list, in its order
	frozen   map[string][]bool // by name: the rows that stay as they are
}

// Allocate returns matrices of zeros.
func Allocate(list List) *Values {
	v := &Values{list: list, matrices: make([]vectors.Matrix, len(list))}
	for i, m := range list {
		if m.SameAs == "" {
			v.matrices[i] = allocate(m)
		}
	}
	v.share()
	return v
}

// allocate returns a matrix of zeros.
func allocate(m Matrix) vectors.Matrix {
	switch {
	case m.Dense:
		return vectors.Matrix{Data: make([]float32, m.Rows*m.Cols), Rows: m.Rows, Cols: m.Cols, Stride: m.Cols}
	case m.Halves:
		return newHalves(m.Rows, m.Cols)
	}
	return vectors.NewMatrix(m.Rows, m.Cols)
}

// share gives matrices without storage of their own that of others.
func (v *Values) share() {
	for i, m := range v.list {
		if m.SameAs != "" {
			v.matrices[i] = v.Matrix(m.SameAs)
		}
	}
}

// List describes the matrices.
func (v *Values) List() List { return v.list }

// Matrix returns the matrix of that name, one of no rows if there is none.
func (v *Values) Matrix(name string) vectors.Matrix {
	for i, m := range v.list {
		if m.Name == name {
			return v.matrices[i]
		}
	}
	return vectors.Matrix{}
}

// Owned yields every matrix that has rows in storage of its own.
func (v *Values) Owned() iter.Seq2[Matrix, vectors.Matrix] {
	return func(yield func(Matrix, vectors.Matrix) bool) {
		for i, m := range v.list {
			if m.owned() && !yield(m, v.matrices[i]) {
				return
			}
		}
	}
}

// Alike allocates matrices of the same list, none of which has frozen rows.
func (v *Values) Alike() *Values {
	other := &Values{list: v.list, matrices: make([]vectors.Matrix, len(v.list))}
	for i, m := range v.list {
		switch {
		case m.SameAs != "":
		case m.Halves:
			other.matrices[i] = newHalves(m.Rows, m.Cols)
		default:
			other.matrices[i] = v.matrices[i]
			other.matrices[i].Data = make([]float32, len(v.matrices[i].Data))
		}
	}
	other.share()
	return other
}

// CopyFrom makes all numbers those of another Values of the same list.
func (v *Values) CopyFrom(other *Values) {
	for i, m := range v.list {
		if !m.owned() {
			continue
		}
		if to, ok := HalvesOf(v.matrices[i]); ok {
			from, _ := HalvesOf(other.matrices[i])
			copyInParts(to.Data, from.Data)
			continue
		}
		copyInParts(v.matrices[i].Data, other.matrices[i].Data)
	}
}

// copyInParts copies as many numbers as there are in both.
func copyInParts[T any](to, from []T) {
	inParts(len(to), func(first, last int) { copy(to[first:last], from[first:last]) })
}

// Initialise sets all numbers to what they are before training.
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

// Read makes all numbers those of other matrices, one for each of Owned in that order, which
// may be in a file.
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

// Freeze has training leave rows of a matrix as they are; nil is none of them.
func (v *Values) Freeze(name string, rows []bool) {
	if v.frozen == nil {
		v.frozen = map[string][]bool{}
	}
	v.frozen[name] = rows
}

// Frozen returns the rows of a matrix that stay as they are, nil for none.
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
	const exponent = 0xff << 23 // all bits of it are set in NaN and Inf
	return allInParts(len(x), func(first, last int) bool {
		var most uint32
		for _, v := range x[first:last] {
			most = max(most, math.Float32bits(v)&exponent)
		}
		return most < exponent
	})
}

// allInParts is inParts for what may hold or not, and reports whether it holds for all parts.
func allInParts(n int, holds func(first, last int) bool) bool {
	var not atomic.Bool
	inParts(n, func(first, last int) {
		if !holds(first, last) {
			not.Store(true)
		}
	})
	return !not.Load()
}

// inParts cuts 0…n-1 into a part for each core, and calls work for them in parallel.
func inParts(n int, work func(first, last int)) {
	var g sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for k := range parts {
		g.Go(func() { work(n*k/parts, n*(k+1)/parts) })
	}
	g.Wait()
}
