// Package transform makes a set of vectors of another one: fewer words, fewer dimensions,
// fewer bits, another scale, vectors centred, freed of their first components, or whitened.
//
//	few := transform.Top(set, 50_000)                                   // the most frequent words
//	reduced, done, err := transform.Reduce(ctx, few, 100, transform.Computation{}) // principal components
//	small, err := transform.Quantize(ctx, reduced, transform.QuantizeOptions{})    // a byte for three numbers
//
// No function changes the set that it is given. Most results read the rows of that set when
// their own rows are asked for: they take no memory, and the first set must stay open as long
// as the last one is used. Functions that look at all rows beforehand take a context. They
// return its error within about a second after it ends, and a *MemoryError before they begin
// if the machine has too little memory.
//
// N-grams stay wherever what is made of them stays right: words outside of the vocabulary
// then have vectors in the result as well. Each function says what it leaves out.
//
// Package convert applies several of these functions in the order that makes sense, and
// writes the result.
package transform

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// made returns the set of parts that fit together, as those of a valid set do when they are
// replaced by others of the same shape.
func made(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(fmt.Errorf("transform: %w", err))
	}
	return s
}

// sibling returns the parts of a set of the same words, with the same file behind it and no
// vectors.
func sibling(s *vectors.Set) vectors.Parts {
	p := s.SharedParts()
	return vectors.Parts{Words: p.Words, Counts: p.Counts, Training: p.Training, Specials: p.Specials, OneMatrix: p.OneMatrix, Source: p.Source}
}

// chosen is sibling for the words of these ids that are to be put into it.
func chosen(s *vectors.Set, ids []uint32) vectors.Parts {
	p := sibling(s)
	specials := p.Specials
	if p.Specials = slices.IndexFunc(ids, func(id uint32) bool { return int(id) >= specials }); p.Specials < 0 {
		p.Specials = len(ids)
	}
	if counts := s.Counts(); counts != nil {
		p.Counts = make([]uint64, len(ids))
		for i, id := range ids {
			p.Counts[i] = counts[id]
		}
	}
	return p
}

// plainWith returns the parts of a set of the same words with other vectors, a row a word.
func plainWith(s *vectors.Set, input, output vectors.Matrix) vectors.Parts {
	p := sibling(s)
	p.Input, p.Output = input, output
	return p
}

// composedAs gives p what words of s are composed of, but for the numbers.
func composedAs(p *vectors.Parts, s *vectors.Set) {
	of := s.SharedParts()
	p.Subword, p.Composition, p.WordRows, p.BucketRows = of.Subword, of.Composition, of.WordRows, of.BucketRows
}

// withMatrices returns the parts of s with other numbers in these two matrices.
func withMatrices(s *vectors.Set, input, output vectors.Matrix) vectors.Parts {
	p := plainWith(s, input, output)
	composedAs(&p, s)
	p.Matrices = s.Matrices()
	return p
}

// matricesOf returns the matrices of s of which among is true.
func matricesOf(s *vectors.Set, among func(vectors.MatrixKind) bool) []vectors.NamedMatrix {
	return slices.DeleteFunc(s.Matrices(), func(m vectors.NamedMatrix) bool { return !among(m.Kind()) })
}

// drop takes the matrices from p of which these is true.
func drop(p *vectors.Parts, these func(vectors.MatrixKind) bool) {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(m vectors.NamedMatrix) bool { return these(m.Kind()) })
}

// behind returns what lies behind the rows of s; nil for nothing.
func behind(s *vectors.Set) *backing.File { return backing.Behind(s.SharedParts().Source) }

// errorsOf returns where errors of reading rows of s and of what is made of it are kept.
func errorsOf(s *vectors.Set) *backing.File {
	if file := behind(s); file != nil {
		return file
	}
	return &backing.File{}
}

// sequential reports whether rows of s are read from a stream, where going back means
// beginning again.
func sequential(s *vectors.Set) bool {
	file := behind(s)
	return file != nil && file.Sequential
}

// outputIsInput reports whether context vectors are the vectors of words themselves.
func outputIsInput(s *vectors.Set) bool { return s.SharedParts().OutputIsInput() }

// rowSpace returns the rows that vectors are sums of, and the projection that sums are
// multiplied by; without one ok is false.
func rowSpace(s *vectors.Set) (rows, projection vectors.Matrix, ok bool) {
	if rows, projection, ok = s.Input().Factors(); ok {
		return rows, projection, true
	}
	return s.Input(), vectors.Matrix{}, false
}

// partVectors returns the further rows that are added to input rows, as parts of vectors.
func partVectors(s *vectors.Set) []vectors.NamedMatrix {
	parts := matricesOf(s, func(k vectors.MatrixKind) bool { return k.RowSpace && !k.Table })
	if _, projection, ok := rowSpace(s); ok {
		for i, m := range parts {
			parts[i].Matrix = vectors.Product(m.Matrix, projection)
		}
	}
	return parts
}

// inParallel is parallel.Do for work that reads the rows or words of s.
func inParallel(s *vectors.Set, n int, work func(first, last int)) {
	file := behind(s)
	parallel.Do(n, func(first, last int) { file.Guard(func() { work(first, last) }) })
}

// page is what looking at a row somewhere in a mapped file brings into memory: Linux
// maps up to 16 pages at a time of what is cached.
const page = 32 << 10

// A Computation controls work that takes more time and memory than its result does. The zero value
// works.
type Computation struct {
	// Force does what seems to need more memory than there is.
	Force bool
	// Progress, if not nil, is told what is being computed, in a few words, and how much of
	// that is done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// A MemoryError says that a computation needs more memory than there is. Nothing of it has been
// allocated.
type MemoryError struct {
	What       string // is computed, as "a rotation of 3000 dimensions"
	Need, Have uint64 // bytes
	Limit      string // what Have is: "this machine's memory", or what allows the process less
	Instead    string // what to do
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs about %s of memory, and %s is %s: %s", e.What, gigabytes(e.Need), e.Limit, gigabytes(e.Have), e.Instead)
}

func gigabytes(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// slack is by how much a computation takes more than it uses: garbage that is not collected
// yet.
const slack = 1.25

// affords returns an error if so many bytes, beside what the process has already, are more than it can
// ever have.
func (c Computation) affords(bytes float64, what, instead string) error {
	have, limit := sysinfo.MemoryLimit()
	if c.Force || have == 0 {
		have, limit = min(math.MaxInt, 1<<46), "all that a program can address"
	}
	if bytes = slack*bytes + float64(sysinfo.MemoryInUse()); bytes > float64(have) {
		return &MemoryError{What: what, Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit, Instead: instead}
	}
	return nil
}

// step returns what tells Progress of a part of the work, from one share of it to another.
func (c Computation) step(what string, from, to float64) func(done float64) {
	return func(done float64) {
		if c.Progress != nil {
			c.Progress(what, from+(to-from)*done)
		}
	}
}

// guarded returns m, rows that are made of those of others with the same numbers, such that rows that are not
// finite where the others are become an error of what is behind: what was done has made them so.
// Matrix is the name of m in s, to which the others belong.
func guarded(s *vectors.Set, behind *backing.File, m vectors.Matrix, matrix, done string, of ...vectors.Matrix) vectors.Matrix {
	if m.Rows == 0 {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, guardedRows{m, of, behind, func(r int) error {
		name := s.RowName(matrix, r)
		return fmt.Errorf("%s has numbers beyond those of float32 when it is %s", name, done)
	}})
}

type guardedRows struct {
	rows   vectors.Matrix
	of     []vectors.Matrix
	behind *backing.File
	made   func(r int) error
}

func (g guardedRows) Read(dst []float32, r int) {
	g.rows.Read(dst, r)
	if vectors.Finite(dst) {
		return
	}
	for _, m := range g.of {
		if r < m.Rows && !vectors.Finite(m.Row(r)) {
			return
		}
	}
	g.behind.Fail(g.made(r))
}

// WithDType returns s with the numbers of its matrices rounded to a type, which is
// done when they are asked for, and with files in mind that are written in it. A
// number that is too large for the type is infinite, and cannot be written. What few
// rows depend on for all words, the projection of a product, the weights of pieces and
// those of positions, stays as it is. The set needs s: close s after it.
func WithDType(s *vectors.Set, d vectors.DType) *vectors.Set {
	if _, err := vectors.ParseDType(string(d)); err != nil {
		panic(fmt.Errorf("transform: %w", err))
	}
	return s.MapRows(func(m vectors.Matrix) vectors.Matrix { return withDType(m, d) })
}

func withDType(m vectors.Matrix, d vectors.DType) vectors.Matrix {
	if rows, projection, ok := m.Factors(); ok {
		return vectors.Product(withDType(rows, d), projection)
	}
	if m.Rows == 0 || m.Encoding() == string(d) {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, rounded{m, d})
}

// rounded is the rows of a matrix, rounded.
type rounded struct {
	source vectors.Matrix
	d      vectors.DType
}

func (m rounded) Read(dst []float32, r int) {
	m.source.Read(dst, r)
	m.d.Round(dst)
}

func (m rounded) DType() vectors.DType { return m.d }

// Unrounded returns the rows that are rounded: see vectors.Matrix.Exact.
func (m rounded) Unrounded() vectors.Matrix { return m.source }
