package transform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// errNoSet is what functions say of a nil set.
var errNoSet = errors.New("transform: there is no set: it is nil, as what Open and Train return together with an error")

// errNoCtx is what functions say of a nil context.
var errNoCtx = errors.New("transform: there is no context to work in: it is nil")

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
	return vectors.Parts{Words: p.Words, Counts: p.Counts, Training: p.Training, Specials: p.Specials, OneMatrix: p.OneMatrix, File: p.File}
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
func behind(s *vectors.Set) *backing.File { return s.SharedParts().File }

// errorsOf returns where errors of reading rows of s and of what is made of it are kept.
func errorsOf(s *vectors.Set) *backing.File {
	if file := behind(s); file != nil {
		return file
	}
	return &backing.File{}
}

// sequential tells whether rows of s are read from a stream, where going back means
// beginning again.
func sequential(s *vectors.Set) bool {
	file := behind(s)
	return file != nil && file.Sequential
}

// outputIsInput tells whether context vectors are the vectors of words themselves.
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

// ownRows tells whether words have rows of their own.
func ownRows(s *vectors.Set) bool { return s.Composition().OwnRows() }
