package native

import (
	"strconv"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// The input and output matrices of the native format: a tensor with rows of numbers or of codes, and the
// tensors that these need. See docs/format.md.

// Suffixes of a matrix's name for the tensors that belong to it.
const (
	tensorScales    = "_scales"     // F32 [R], scales of I8 rows
	tensorCentroids = "_centroids"  // F32 [at most 256, D], for U8 rows
	tensorNorms     = "_norms"      // F32 [R], or one per distinct norm code
	tensorNormCodes = "_norm_codes" // U8 [R]
	tensorRotation  = "_rotation"   // F32 [D, D]
)

// metaPart is the suffix of a matrix's name for the length of its parts, in the metadata.
const metaPart = "_part"

// matrixSections returns the tensors of a matrix, and adds to the metadata.
func matrixSections(s *vectors.Set, name string, m vectors.Matrix, metadata map[string]string) []safetensors.Section {
	rows, cols := uint64(m.Rows), uint64(m.Cols)
	floats := func(suffix string, numbers []float32, shape ...uint64) safetensors.Section {
		return safetensors.Array(name+suffix, "F32", shape, numbers)
	}
	switch x := m.Coded().(type) {
	case *coded.Int8s:
		return []safetensors.Section{
			safetensors.Array(name, "I8", []uint64{rows, cols}, x.Codes),
			floats(tensorScales, x.Scales, rows),
		}
	case *coded.Quantised:
		metadata[name+metaPart] = strconv.Itoa(x.Book.Part)
		sections := []safetensors.Section{
			safetensors.Array(name, "U8", []uint64{rows, uint64(x.Book.Parts())}, x.Codes),
			floats(tensorCentroids, x.Book.Rows(), uint64(x.Book.Size), cols),
		}
		if x.Norms != nil {
			sections = append(sections, floats(tensorNorms, x.Norms, uint64(len(x.Norms))))
		}
		if x.NormCodes != nil {
			sections = append(sections, safetensors.Array(name+tensorNormCodes, "U8", []uint64{rows}, x.NormCodes))
		}
		if x.Rotation != nil {
			sections = append(sections, floats(tensorRotation, x.Rotation, cols, cols))
		}
		return sections
	}
	return []safetensors.Section{rowio.Section(name, s, m, m.DType())}
}

// A matrix is a matrix's tensors while they are read. Those that the file has are not nil.
type matrix struct {
	name                               string
	rows                               vectors.Matrix // rows of numbers
	codes, normCodes                   []uint8
	scales, centroids, norms, rotation []float32
}

func (m *matrix) arrays() map[string]array {
	codes := arrayOf("", &m.codes)
	return map[string]array{
		m.name: {anyRows, func(in *source.Input, t safetensors.Tensor) {
			if isCoded(t) {
				codes.read(in, t)
			} else {
				m.rows = rowio.TensorRows(in, t)
			}
		}},
		m.name + tensorScales:    arrayOf("F32", &m.scales),
		m.name + tensorCentroids: arrayOf("F32", &m.centroids),
		m.name + tensorNorms:     arrayOf("F32", &m.norms),
		m.name + tensorRotation:  arrayOf("F32", &m.rotation),
		m.name + tensorNormCodes: arrayOf("U8", &m.normCodes),
	}
}

func isCoded(t safetensors.Tensor) bool { return t.DType == "U8" || t.DType == "I8" }

// matrix makes a matrix. A missing matrix has no rows.
func (f *native) matrix(m *matrix) vectors.Matrix {
	t, _ := f.Tensor(m.name)
	if !isCoded(t) {
		return m.rows
	}
	rows, cols, err := t.Matrix()
	rowio.Header(f.in, err)
	var s interface {
		vectors.Storage
		CheckSizes(rows, cols int) error
	}
	if t.DType == "I8" {
		f.needs(t, tensorScales)
		s = &coded.Int8s{Codes: m.codes, Scales: m.scales, Cols: cols}
	} else {
		s, cols = f.quantised(m, t)
	}
	if rows == 0 {
		return vectors.Matrix{Cols: cols, Stride: cols}
	}
	if err := s.CheckSizes(rows, cols); err != nil {
		f.fail("tensor %q: %w", m.name, err)
	}
	return vectors.Stored(rows, cols, s)
}

// needs returns the tensor beside the rows t with that suffix, which must be there.
func (f *native) needs(t safetensors.Tensor, suffix string) safetensors.Tensor {
	beside, ok := f.Tensor(t.Name + suffix)
	if !ok {
		f.fail("expected a tensor %q beside %q of %s, found none", t.Name+suffix, t.Name, t.DType)
	}
	return beside
}

// quantised makes the rows of codes, and returns their length.
func (f *native) quantised(m *matrix, t safetensors.Tensor) (*coded.Quantised, int) {
	size, cols, err := f.needs(t, tensorCentroids).Matrix()
	rowio.Header(f.in, err)
	part, err := strconv.ParseInt(f.Metadata[m.name+metaPart], 10, 32)
	switch {
	case err != nil || part < 1 || part > int64(cols):
		f.fail("metadata %q: expected a number from 1 to %d, found %.20q", m.name+metaPart, cols, f.Metadata[m.name+metaPart])
	case size > pq.MaxSize:
		f.fail("tensor %q: expected at most %d rows, found %d", m.name+tensorCentroids, pq.MaxSize, size)
	case size == 0 && t.Size() > 0:
		f.fail("tensor %q: expected at least one row, found none", m.name+tensorCentroids)
	case m.normCodes != nil:
		f.needs(t, tensorNorms)
	}
	return &coded.Quantised{
		Book: pq.BookOf(m.centroids, cols, int(part)), Codes: m.codes,
		Norms: m.norms, NormCodes: m.normCodes, Rotation: m.rotation,
	}, cols
}
