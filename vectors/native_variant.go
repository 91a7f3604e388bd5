package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// What only some models have in the native format. docs/format.md describes it.

// nativeRows are the matrices of many rows, which may be in any encoding.
var nativeRows = []string{tensorInput, tensorOutput, tensorRuns, tensorPositionOutput, tensorNodes}

// loadTable reads a matrix that vectors of all words depend on, which is in memory, or
// mapped, whatever else is left in the file.
func (f *native) loadTable(in *input, t safetensors.Tensor) error {
	rows, cols, err := t.Matrix()
	if err != nil {
		return in.failAt(safetensors.LengthSize, "%w", err)
	}
	data, err := array[float32](in, t.Size()/4, "tensor "+t.Name)
	if f.tables == nil {
		f.tables = map[string]Matrix{}
	}
	f.tables[t.Name] = Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
	return err
}

// multiply makes the input matrix of s that of its rows times the projection, if there is
// one.
func (f *native) multiply(s *Set, projected bool) error {
	if !projected {
		if f.Metadata[metaVersion] != nativeVersion {
			return fmt.Errorf("expected a tensor %q in a file of version %q, found none", tensorProjection, factoredVersion)
		}
		return nil
	}
	p := f.tables[tensorProjection]
	if p.Rows < 1 || p.Cols < 1 || p.Rows != s.Input.Cols {
		return fmt.Errorf("tensor %q: expected %d rows of at least one number, as %q has columns, found %d×%d",
			tensorProjection, s.Input.Cols, tensorInput, p.Rows, p.Cols)
	}
	s.Input = Product(s.Input, p)
	return nil
}

// deriveOutput gives s context vectors that are others that it has.
func (f *native) deriveOutput(s *Set) error {
	tied, byPosition := f.Metadata[metaTied] == "true", s.PositionOutput.Rows > 0
	switch {
	case tied && (s.Subword != nil || s.WordRow != nil):
		return fmt.Errorf("metadata %q: expected only in a set of plain words, each with a row of its own", metaTied)
	case (tied || byPosition || s.outputIsInput()) && s.Output.Rows > 0 || tied && byPosition:
		return fmt.Errorf("expected one of metadata %q, tensor %q and tensor %q, found several", metaTied, tensorOutput, tensorPositionOutput)
	case tied:
		s.Training.Tied = true
		s.Output = s.Input
	case byPosition:
		if n := s.Len(); n == 0 || s.PositionOutput.Rows < n {
			return fmt.Errorf("tensor %q: expected rows for each of %d words, found %d", tensorPositionOutput, n, s.PositionOutput.Rows)
		}
		s.Output = MeanOverPositions(s.PositionOutput, s.Len())
	}
	return nil
}
