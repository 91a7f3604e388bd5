package native

import (
	"bufio"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

func checkSubword(sub subword.Indexer, _ subword.Composition) error {
	if sub == nil {
		return nil
	}
	if _, err := subword.Encode(sub); err != nil {
		return fmt.Errorf("%s cannot hold n-grams of %T", codec.W2V, sub)
	}
	return nil
}

// encodedSubword writes the parameters of sub, which may be nil, to metadata, and returns the rest of its
// encoding.
func encodedSubword(metadata map[string]string, sub subword.Indexer) (subword.Encoded, error) {
	if sub == nil {
		return subword.Encoded{}, nil
	}
	encoded, err := subword.Encode(sub)
	if err != nil {
		return encoded, err
	}
	metadata[metaSubword] = encoded.Kind
	maps.Copy(metadata, encoded.Settings)
	return encoded, nil
}

// ngramSections returns the tensors of listed n-grams; none without a list.
func ngramSections(sub subword.Encoded) []safetensors.Section {
	if sub.Ngrams == nil {
		return nil
	}
	at := make([]uint64, len(sub.Ngrams)+1)
	for i, ngram := range sub.Ngrams {
		at[i+1] = at[i] + uint64(len(ngram))
	}
	write := func(w *bufio.Writer) error {
		for _, ngram := range sub.Ngrams {
			if _, err := w.WriteString(ngram); err != nil {
				return err
			}
		}
		return nil
	}
	return []safetensors.Section{
		safetensors.List(tensorNgramAt, "U64", at),
		safetensors.List(tensorNgramRow, "U32", sub.NgramRows),
		safetensors.Written(tensorNgrams, "U8", []uint64{at[len(sub.Ngrams)]}, write),
	}
}

// subword returns the n-grams that the metadata and lists describe, or nil.
func (f *native) subword() subword.Indexer {
	kind, ok := f.Metadata[metaSubword]
	if !ok {
		return nil
	}
	encoded := subword.Encoded{Kind: kind, Settings: f.Metadata, NgramRows: slices.Clone(f.ngramRow), Kept: f.kept}
	if f.ngramAt != nil {
		list := vectors.WordsOf(vectors.WordTable{Text: slices.Clone(f.ngrams), Offsets: f.ngramAt})
		if len(f.ngramAt) == 0 {
			f.fail("n-grams: tensor %q: expected at least one offset, found none", tensorNgramAt)
		}
		if err := list.Check(); err != nil {
			f.fail("n-grams: tensor %q: %s", tensorNgramAt, err)
		}
		encoded.Ngrams = list.Strings()
	}
	sub, err := encoded.Indexer()
	if err != nil {
		f.fail("n-grams: %s", strings.TrimPrefix(err.Error(), "subword: "))
	}
	return sub
}

// bucketSections returns the tensors of bucket rows: a row for each bucket or, if that is shorter, a bit for
// each bucket that says whether it has a row, and the rows. The shorter form is not used for float32 rows: it
// saves little there, and must be expanded when the file is opened.
func bucketSections(s *vectors.Set) []safetensors.Section {
	rows := s.SharedParts().BucketRows
	if rows == nil {
		return nil
	}
	plain := []safetensors.Section{safetensors.List(tensorBucketRow, "I32", rows)}
	if s.Input().Encoding() == string(vectors.F32) {
		return plain
	}
	set := make([]uint8, (len(rows)+7)/8)
	var trained []int32
	for b, r := range rows {
		if r >= 0 {
			set[b/8] |= 1 << (b % 8)
			trained = append(trained, r)
		}
	}
	if len(set)+4*len(trained) >= 4*len(rows) {
		return plain
	}
	return []safetensors.Section{
		safetensors.List(tensorBucketRow, "I32", trained),
		safetensors.List(tensorBucketSet, "U8", set),
	}
}

// expandBuckets returns the rows of all buckets from the bits of buckets with rows and their rows.
func expandBuckets(set []uint8, trained []int32, buckets int) ([]int32, error) {
	if len(set) != (buckets+7)/8 {
		return nil, fmt.Errorf("tensor %q: expected %d bytes for %d buckets, found %d", tensorBucketSet, (buckets+7)/8, buckets, len(set))
	}
	n := 0
	for _, b := range set {
		n += bits.OnesCount8(b)
	}
	if spare := len(set)*8 - buckets; spare > 0 && set[len(set)-1]>>(8-spare) != 0 {
		return nil, fmt.Errorf("tensor %q: expected no bits after that of bucket %d, found some", tensorBucketSet, buckets-1)
	}
	if n != len(trained) {
		return nil, fmt.Errorf("tensor %q: expected a row for each of the %d bits of %q, found %d", tensorBucketRow, n, tensorBucketSet, len(trained))
	}
	rows := make([]int32, buckets)
	for b := range rows {
		if set[b/8]>>(b%8)&1 == 0 {
			rows[b] = -1
			continue
		}
		rows[b], trained = trained[0], trained[1:]
	}
	return rows, nil
}

// Parts that only some models have in the native format. See docs/format.md.

// rowNames returns the names of matrices with many rows, which may have any encoding.
func rowNames() []string {
	names := []string{tensorInput, tensorOutput}
	for _, k := range vectors.MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// tableNames returns the names of matrices with few rows, which are float32.
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

func isKnown(name string) bool {
	return slices.ContainsFunc(vectors.MatrixKinds(), func(k vectors.MatrixKind) bool { return k.Name == name })
}

// namedMatrices returns the matrices that only some sets have, in file order: a projection comes after
// learned weights of n-grams.
func namedMatrices(s *vectors.Set, projection vectors.Matrix) []vectors.NamedMatrix {
	all := s.Matrices()
	if projection.Rows == 0 {
		return all
	}
	at := slices.IndexFunc(all, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, vectors.NamedMatrix{Name: tensorProjection, Matrix: projection})
}

// loadTable reads a matrix that all words' vectors depend on. It is always in memory or mapped, even if other
// rows stay in the file.
func (f *native) loadTable(in *source.Input, t safetensors.Tensor) {
	rows, cols, err := t.Matrix()
	rowio.Header(in, err)
	data := source.Array[float32](in, t.Size()/4, "tensor "+t.Name)
	f.tables[t.Name] = vectors.Matrix{Data: data, Rows: rows, Cols: cols, Stride: cols}
}

// multiply replaces p's input matrix by its rows times the projection, if there is one.
func (f *native) multiply(p *vectors.Parts) {
	x, projected := f.tables[tensorProjection]
	switch {
	case projected && (x.Rows < 1 || x.Cols < 1 || x.Rows != p.Input.Cols):
		f.fail("tensor %q: expected %d rows of at least one number, as %q has columns, found %d×%d",
			tensorProjection, p.Input.Cols, tensorInput, x.Rows, x.Cols)
	case projected:
		p.Input = vectors.Product(p.Input, x)
	case f.Metadata[metaVersion] != version:
		f.fail("expected a tensor %q in a file of version %q, found none", tensorProjection, factoredVersion)
	}
}

// deriveOutput sets p's context vectors if they are derived from other matrices.
func (f *native) deriveOutput(p *vectors.Parts) {
	context, made := p.MadeOutput()
	tied := f.Metadata[metaTied] == "true"
	switch {
	case tied && (p.Subword != nil || p.WordRows != nil):
		f.fail("metadata %q: expected only in a set of plain words, each with a row of its own", metaTied)
	case (tied || made || p.OutputIsInput()) && p.Output.Rows > 0 || tied && made:
		f.fail("expected one of metadata %q, tensor %q and tensor %q, found several", metaTied, tensorOutput, vectors.MatrixPositionOutput)
	case tied:
		p.Training.Set("tied", true)
		p.Output = p.Input
	case made:
		if n, rows := p.Words.Len(), matrixOf(p, vectors.MatrixPositionOutput).Rows; n == 0 || rows < n {
			f.fail("tensor %q: expected rows for each of %d words, found %d", vectors.MatrixPositionOutput, n, rows)
		}
		p.Output = context
	}
}

// matrixOf returns the matrix with that name, without rows if there is none.
func matrixOf(p *vectors.Parts, name string) vectors.Matrix {
	for _, m := range p.Matrices {
		if m.Name == name {
			return m.Matrix
		}
	}
	return vectors.Matrix{}
}
