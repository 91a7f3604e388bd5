package format

import (
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/transform"
)

// alter returns s with some of its parts changed, whether they fit together or not.
func alter(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return vectors.NewUnchecked(p)
}

// mustQuantize returns s quantised.
func mustQuantize(t testing.TB, s *vectors.Set, o transform.QuantizeOptions) *vectors.Set {
	t.Helper()
	q, err := transform.Quantize(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// read reads a set from r, which holds size bytes or, if size is negative, who knows.
func read(r io.Reader, size int64) (*vectors.Set, error) {
	in, err := source.Decompress(r, size)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readFile(in)
}

// writable returns s without the words that a format cannot hold, and these.
func writable(t *testing.T, s *vectors.Set, f Format) (*vectors.Set, []*UnwritableWord, error) {
	t.Helper()
	others, err := Unwritable(s, f)
	if err != nil || len(others) == 0 {
		return s, others, err
	}
	var ids []uint32
	for id := range s.Len() {
		if !slices.ContainsFunc(others, func(w *UnwritableWord) bool { return w.ID == id }) {
			ids = append(ids, uint32(id))
		}
	}
	return transform.Pick(s, ids), others, nil
}

// nativeRows are the matrices of many rows in a native file.
func nativeRows() []string {
	names := []string{"input", "output"}
	for _, k := range vectors.MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// withDType returns a matrix whose numbers are rounded to a type.
func withDType(m vectors.Matrix, d vectors.DType) vectors.Matrix {
	s := vectors.NewUnchecked(vectors.Parts{Input: m})
	return transform.WithDType(s, d).Input()
}

// A forward storage tells how often it was begun anew, as one reads rows.
type forward struct {
	of    vectors.Matrix
	last  atomic.Int64
	begun atomic.Int64
}

func (f *forward) Read(dst []float32, r int) {
	if int64(r) < f.last.Swap(int64(r)) || f.begun.Load() == 0 {
		f.begun.Add(1)
	}
	f.of.Read(dst, r)
}

// isZero tells whether all numbers of a row are 0.
func isZero(row []float32) bool {
	return !slices.ContainsFunc(row, func(x float32) bool { return x != 0 })
}

// scale multiplies a row by a number.
func scale(row []float32, by float32) {
	for k := range row {
		row[k] *= by
	}
}

// methods are those of Quantize, with and without choices.
var methods = map[string]transform.QuantizeOptions{
	"f16":              {Method: transform.QuantizeF16},
	"int8":             {Method: transform.QuantizeInt8, KeepOutput: true},
	"pq":               {},
	"pq, two bytes":    {Method: transform.QuantizePQ, Bytes: 2, KeepOutput: true},
	"opq":              {Method: transform.QuantizeOPQ, Seed: 3},
	"opq, all buckets": {Method: transform.QuantizeOPQ, KeepUnused: true, KeepOutput: true},
}
