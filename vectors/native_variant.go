package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// What only some models have in the native format. docs/format.md describes it.

// nativeRows are the matrices of many rows, which may be in any encoding.
func nativeRows() []string {
	names := []string{tensorInput, tensorOutput}
	for _, k := range MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// tableNames are the matrices of few rows, which are float32.
func (f *native) tableNames() []string {
	names := []string{tensorProjection}
	for _, k := range MatrixKinds() {
		if k.Table {
			names = append(names, k.Name)
		}
	}
	for name := range strings.SplitSeq(f.Metadata[metaMatrices], ",") {
		if f.Has(name) && !known(name) {
			names = append(names, name)
		}
	}
	return names
}

// nativeMatrices returns the matrices that only some sets have in the order in which they
// are written: a projection comes after the weights of pieces.
func (s *Set) nativeMatrices(projection Matrix) []NamedMatrix {
	all := s.Matrices()
	if projection.Rows == 0 {
		return all
	}
	at := slices.IndexFunc(all, func(m NamedMatrix) bool { return m.Name != MatrixImportance })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, NamedMatrix{tensorProjection, projection})
}

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
	if p.Rows < 1 || p.Cols < 1 || p.Rows != s.input.Cols {
		return fmt.Errorf("tensor %q: expected %d rows of at least one number, as %q has columns, found %d×%d",
			tensorProjection, s.input.Cols, tensorInput, p.Rows, p.Cols)
	}
	s.input = Product(s.input, p)
	return nil
}

// deriveOutput gives s context vectors that are others that it has.
func (f *native) deriveOutput(s *Set) error {
	context, made := s.madeOutput()
	tied := f.Metadata[metaTied] == "true"
	switch {
	case tied && (s.subword != nil || s.wordRows != nil):
		return fmt.Errorf("metadata %q: expected only in a set of plain words, each with a row of its own", metaTied)
	case (tied || made || s.outputIsInput()) && s.output.Rows > 0 || tied && made:
		return fmt.Errorf("expected one of metadata %q, tensor %q and tensor %q, found several", metaTied, tensorOutput, MatrixPositionOutput)
	case tied:
		s.training.Tied = true
		s.output = s.input
	case made:
		if n := s.Len(); n == 0 || s.Matrix(MatrixPositionOutput).Rows < n {
			return fmt.Errorf("tensor %q: expected rows for each of %d words, found %d", MatrixPositionOutput, n, s.Matrix(MatrixPositionOutput).Rows)
		}
		s.output = context
	}
	return nil
}
