// Package transform makes new sets of vectors from a set: with fewer words, dimensions or bits, another
// scale, or vectors that are centred, whitened, or without their first components.
//
//	few := transform.Top(set, 50_000)                                   // the most frequent words
//	reduced, done, err := transform.Reduce(ctx, few, 100, transform.Computation{}) // principal components
//	small, err := transform.Quantize(ctx, reduced, transform.QuantizeOptions{})    // a byte for three numbers
//
// No function changes its input. Most results read the rows of the input on demand: they take no memory, and
// the input must stay open while the result is used. Functions that read all rows first take a context, whose
// error they return within about a second after it ends, and return a *MemoryError if there is too little
// memory.
//
// Results keep n-grams wherever composed vectors stay correct, so words outside the vocabulary have vectors
// in the result, too. Each function says what it leaves out. Package convert applies several of these
// functions in a sensible order, and writes the result.
package transform

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// made returns a set from parts that fit together, as those of a set and others of their shape do.
func made(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(fmt.Errorf("transform: %w", err))
	}
	return s
}

// sibling returns the parts of a set with the words and the file of s, without vectors.
func sibling(s *vectors.Set) vectors.Parts {
	p := s.SharedParts()
	return vectors.Parts{Words: p.Words, Counts: p.Counts, Training: p.Training, Specials: p.Specials, OneMatrix: p.OneMatrix, Source: p.Source}
}

// wholeRows is the composition of words whose rows are already the vectors that they had with their n-grams.
var wholeRows = subword.Whole

// plainWith returns the parts of a set with the same words and other vectors, one row per word.
func plainWith(s *vectors.Set, input, output vectors.Matrix) vectors.Parts {
	p := sibling(s)
	p.Input, p.Output = input, output
	return p
}

// withMatrices returns the parts of s with new numbers in these two matrices, and without labels, which belong to
// the old ones.
func withMatrices(s *vectors.Set, input, output vectors.Matrix) vectors.Parts {
	p := s.SharedParts()
	p.Input, p.Output = input, output
	p.State, p.StateRows, p.Labels, p.Origin = nil, nil, nil, vectors.Origin{}
	return p
}

func matricesOf(s *vectors.Set, among func(vectors.MatrixKind) bool) []vectors.NamedMatrix {
	return slices.DeleteFunc(s.Matrices(), func(m vectors.NamedMatrix) bool { return !among(m.Kind()) })
}

func drop(p *vectors.Parts, these func(vectors.MatrixKind) bool) {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(m vectors.NamedMatrix) bool { return these(m.Kind()) })
}

// behind returns the file behind the rows of s, or nil.
func behind(s *vectors.Set) *backing.File { return backing.Behind(s.SharedParts().Source) }

// errorsOf returns what keeps errors of reading the rows of s and rows computed from them.
func errorsOf(s *vectors.Set) *backing.File {
	if file := behind(s); file != nil {
		return file
	}
	return &backing.File{}
}

func outputIsInput(s *vectors.Set) bool { return s.SharedParts().OutputIsInput() }

// partVectors returns the other rows that are added to input rows, as parts of vectors.
func partVectors(s *vectors.Set) []vectors.NamedMatrix {
	parts := matricesOf(s, func(k vectors.MatrixKind) bool { return k.RowSpace && !k.Table })
	if _, projection, factored := s.Input().Factors(); factored {
		for i, m := range parts {
			parts[i].Matrix = vectors.Product(m.Matrix, projection)
		}
	}
	return parts
}

// A Computation controls work that takes more time and memory than its result. The zero value works.
type Computation struct {
	// Force runs computations that seem to need more memory than there is.
	Force bool
	// Progress, if not nil, receives a short name of the current step, and the share of it that is done, from
	// 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// A MemoryError says that a computation needs more memory than there is. Nothing has been allocated for it.
type MemoryError struct {
	What       string // the computation, such as "a rotation of 3000 dimensions"
	Need, Have uint64 // bytes
	Limit      string // the source of Have: "this machine's memory", or a limit of the process
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

// slack is by how much allocated memory exceeds used memory: garbage is not collected at once.
const slack = 1.25

// affords returns an error if bytes exceed what the process can ever get.
func (c Computation) affords(bytes float64, what, instead string) error {
	if need, have, limit, lacks := sysinfo.Lacks(slack*bytes, c.Force); lacks {
		return &MemoryError{What: what, Need: need, Have: have, Limit: limit, Instead: instead}
	}
	return nil
}

// step returns a function that reports the progress of a part of the work, from one share to another.
func (c Computation) step(what string, from, to float64) func(done float64) {
	return func(done float64) {
		if c.Progress != nil {
			c.Progress(what, from+(to-from)*done)
		}
	}
}

// guarded returns m, whose rows are computed from the rows of the matrices of. If a row of m is not finite
// although its sources are, the computation has overflowed: behind fails. Matrix is the name of m in s.
func guarded(s *vectors.Set, behind *backing.File, m vectors.Matrix, matrix, done string, of ...vectors.Matrix) vectors.Matrix {
	if m.Rows == 0 {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, coded.Func(func(dst []float32, r int) {
		m.Read(dst, r)
		if !vectors.Finite(dst) && !slices.ContainsFunc(of, func(m vectors.Matrix) bool { return r < m.Rows && !vectors.Finite(m.Row(r)) }) {
			behind.Fail(overflow(s, matrix, r, done))
		}
	}))
}

func overflow(s *vectors.Set, matrix string, r int, done string) error {
	return fmt.Errorf("%s has numbers beyond those of float32 when it is %s", s.RowName(matrix, r), done)
}

// WithDType returns s with the numbers of its matrices rounded to a type, on demand, for files in this type. A
// number that is too large for the type becomes infinite, and cannot be written. Small matrices that all words
// depend on stay unchanged: projections, weights of pieces and position weights.
func WithDType(s *vectors.Set, d vectors.DType) *vectors.Set {
	if _, err := vectors.ParseDType(string(d)); err != nil {
		panic(fmt.Errorf("transform: %w", err))
	}
	t := s.MapRows(func(m vectors.Matrix) vectors.Matrix { return withDType(m, d) })
	if s.Labels() == nil {
		return t
	}
	p := t.SharedParts()
	p.Labels = s.Labels() // few rows, which stay what they are
	return made(p)
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

type rounded struct {
	source vectors.Matrix
	d      vectors.DType
}

func (m rounded) Read(dst []float32, r int) {
	m.source.Read(dst, r)
	m.d.Round(dst)
}

func (m rounded) DType() vectors.DType { return m.d }

// Unrounded returns the rows before rounding: see vectors.Matrix.Exact.
func (m rounded) Unrounded() vectors.Matrix { return m.source }
