package native

import (
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// What only some models have in the native format. docs/format.md describes it.

// rowNames are the matrices of many rows, which may be in any encoding.
func rowNames() []string {
	names := []string{tensorInput, tensorOutput}
	for _, k := range vectors.MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// tableNames are the matrices of few rows, which are float32.
func (f *native) tableNames() []string {
	names := []string{tensorProjection}
	for _, k := range vectors.MatrixKinds() {
		if k.Table {
			names = append(names, k.Name)
		}
	}
	for name := range strings.SplitSeq(f.Metadata[metaMatrices], ",") {
		if f.Has(name) && !isKnown(name) {
			names = append(names, name)
		}
	}
	return names
}

// isKnown tells whether a matrix of that name is of a known kind.
func isKnown(name string) bool {
	return slices.ContainsFunc(vectors.MatrixKinds(), func(k vectors.MatrixKind) bool { return k.Name == name })
}

// namedMatrices returns the matrices that only some sets have in the order in which they
// are written: a projection comes after the weights of pieces.
func namedMatrices(s *vectors.Set, projection vectors.Matrix) []vectors.NamedMatrix {
	all := s.Matrices()
	if projection.Rows == 0 {
		return all
	}
	at := slices.IndexFunc(all, func(m vectors.NamedMatrix) bool { return m.Name != vectors.MatrixImportance })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, vectors.NamedMatrix{Name: tensorProjection, Matrix: projection})
}

// loadTable reads a matrix that vectors of all words depend on, which is in memory, or
// mapped, whatever else is left in the file.
func (f *native) loadTable(in *source.Input, t safetensors.Tensor) error {
	rows, cols, err := t.Matrix()
	if err != nil {
		return in.FailAt(safetensors.LengthSize, "%w", err)
	}
	data, err := source.Array[float32](in, t.Size()/4, "tensor "+t.Name)
	if f.tables == nil {
		f.tables = map[string]vectors.Matrix{}
	}
	f.tables[t.Name] = vectors.Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
	return err
}

// multiply makes the input matrix of p that of its rows times the projection, if there is
// one.
func (f *native) multiply(p *vectors.Parts, projected bool) error {
	if !projected {
		if f.Metadata[metaVersion] != version {
			return fmt.Errorf("expected a tensor %q in a file of version %q, found none", tensorProjection, factoredVersion)
		}
		return nil
	}
	x := f.tables[tensorProjection]
	if x.Rows < 1 || x.Cols < 1 || x.Rows != p.Input.Cols {
		return fmt.Errorf("tensor %q: expected %d rows of at least one number, as %q has columns, found %d×%d",
			tensorProjection, p.Input.Cols, tensorInput, x.Rows, x.Cols)
	}
	p.Input = vectors.Product(p.Input, x)
	return nil
}

// deriveOutput gives p context vectors that are others that it has.
func (f *native) deriveOutput(p *vectors.Parts) error {
	context, made := p.MadeOutput()
	tied := f.Metadata[metaTied] == "true"
	switch {
	case tied && (p.Subword != nil || p.WordRows != nil):
		return fmt.Errorf("metadata %q: expected only in a set of plain words, each with a row of its own", metaTied)
	case (tied || made || p.OutputIsInput()) && p.Output.Rows > 0 || tied && made:
		return fmt.Errorf("expected one of metadata %q, tensor %q and tensor %q, found several", metaTied, tensorOutput, vectors.MatrixPositionOutput)
	case tied:
		p.Training.Set("tied", true)
		p.Output = p.Input
	case made:
		if n, rows := p.Words.Len(), matrixOf(p, vectors.MatrixPositionOutput).Rows; n == 0 || rows < n {
			return fmt.Errorf("tensor %q: expected rows for each of %d words, found %d", vectors.MatrixPositionOutput, n, rows)
		}
		p.Output = context
	}
	return nil
}

// matrixOf returns the matrix of that name; it has no rows if there is none.
func matrixOf(p *vectors.Parts, name string) vectors.Matrix {
	for _, m := range p.Matrices {
		if m.Name == name {
			return m.Matrix
		}
	}
	return vectors.Matrix{}
}
