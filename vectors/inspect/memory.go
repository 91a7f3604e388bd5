package inspect

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// maxDim is the largest number of dimensions: the time of principal components grows with the third
// power of it, to a quarter of an hour at this one.
const maxDim = 1 << 13

// affords returns an error if s has too many dimensions, or if sums over its vectors, beside what the
// process has already, are more than it can ever have.
func affords(s *vectors.Set) error {
	if s.Dim() > maxDim {
		return fmt.Errorf("inspect: %d dimensions, at most %d can be measured: take the first ones, or principal components, before", s.Dim(), maxDim)
	}
	have, limit := sysinfo.MemoryLimit()
	if have == 0 {
		return nil // nothing is known
	}
	const number, sums, blocks = 8, 3, 2 // bytes of a number; matrices of Dim × Dim; blocks of vectors
	d := float64(s.Dim())
	need := number*d*(sums*d+blocks*blockRows) + eigen.Bytes(s.Dim()) + float64(sysinfo.MemoryInUse())
	if need <= float64(have) {
		return nil
	}
	return &transform.MemoryError{What: fmt.Sprintf("the covariance of %d dimensions", s.Dim()), Need: uint64(need), Have: have, Limit: limit,
		Instead: "take the first dimensions before"}
}

// A Memory is what a part of a set takes.
type Memory struct {
	Part     string `json:"part"`               // name of a matrix, or "words", "row_numbers", "composed_vectors"
	Rows     int    `json:"rows,omitempty"`     // of a matrix
	Cols     int    `json:"cols,omitempty"`     // numbers of a row
	Encoding string `json:"encoding,omitempty"` // what rows are stored as, see vectors.Matrix.Encoding
	Bytes    int64  `json:"bytes"`
	// Later says that it is made when it is first used, as vectors are that are composed.
	Later bool `json:"later,omitempty"`
}

// memory returns what the parts of s take, the same numbers that two parts share once.
func memory(s *vectors.Set) []Memory {
	var parts []Memory
	matrix := func(name string, m vectors.Matrix) {
		if m.Rows > 0 {
			parts = append(parts, Memory{Part: name, Rows: m.Rows, Cols: m.Cols, Encoding: m.Encoding(), Bytes: int64(m.Rows) * int64(m.RowBytes())})
		}
	}
	if rows, projection, ok := s.Input().Factors(); ok {
		matrix(vectors.MatrixInput, rows)
		matrix("projection", projection)
	} else {
		matrix(vectors.MatrixInput, s.Input())
	}
	p := s.SharedParts()
	if _, made := p.MadeOutput(); !made && !p.OutputIsInput() {
		matrix(vectors.MatrixOutput, s.Output())
	}
	for _, m := range s.Matrices() {
		matrix(m.Name, m.Matrix)
	}
	const number, offset = 4, 8
	text := int64(0)
	for _, word := range s.Words().All() {
		text += int64(len(word))
	}
	if s.Len() > 0 {
		parts = append(parts, Memory{Part: "words", Rows: s.Len(), Bytes: text + offset*int64(s.Len()) + offset*int64(len(p.Counts))})
	}
	if n := len(p.WordRows) + len(p.BucketRows); n > 0 {
		parts = append(parts, Memory{Part: "row_numbers", Rows: n, Bytes: number * int64(n)})
	}
	if s.Composes() && s.Len() > 0 {
		parts = append(parts, Memory{Part: "composed_vectors", Rows: s.Len(), Cols: s.Dim(), Encoding: string(vectors.F32), Bytes: number * int64(s.Len()) * int64(s.Dim()), Later: true})
	}
	return parts
}
