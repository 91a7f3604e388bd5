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
	if m.Dense {
		return vectors.Matrix{Data: make([]float32, m.Rows*m.Cols), Rows: m.Rows, Cols: m.Cols, Stride: m.Cols}
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
		if m.SameAs == "" {
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
		if m.owned() {
			to, from := v.matrices[i].Data, other.matrices[i].Data
			inParts(len(to), func(first, last int) { copy(to[first:last], from[first:last]) })
		}
	}
}

// Initialise sets all numbers to what they are before training.
func (v *Values) Initialise(seed uint64) {
	for m, rows := range v.Owned() {
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
			from[i].Read(to.Row(r), r)
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
		if !Finite(rows.Data) {
			return false
		}
	}
	return true
}

// Finite reports whether all of x are finite.
func Finite(x []float32) bool {
	var bad atomic.Bool
	inParts(len(x), func(first, last int) {
		const exponent = 0xff << 23 // all bits of it are set in NaN and Inf
		var most uint32
		for _, v := range x[first:last] {
			most = max(most, math.Float32bits(v)&exponent)
		}
		if most == exponent {
			bad.Store(true)
		}
	})
	return !bad.Load()
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
