package native

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

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
	d := m.DType()
	return []safetensors.Section{safetensors.Written(name, rowio.TensorType(d), []uint64{rows, cols}, func(w *bufio.Writer) error { return rowio.WriteTyped(w, s, m, d) })}
}

// A matrix is a matrix's tensors while they are read.
type matrix struct {
	name string
	rows vectors.Matrix // rows of numbers

	codes                              []uint8
	scales, centroids, norms, rotation []float32
	normCodes                          []uint8

	tensors map[string]safetensors.Tensor // present tensors by suffix
}

// arrays returns the optional tensors beside the rows of a matrix.
func (m *matrix) arrays() map[string]array {
	return map[string]array{
		tensorScales:    arrayOf("F32", &m.scales),
		tensorCentroids: arrayOf("F32", &m.centroids),
		tensorNorms:     arrayOf("F32", &m.norms),
		tensorRotation:  arrayOf("F32", &m.rotation),
		tensorNormCodes: arrayOf("U8", &m.normCodes),
	}
}

// load reads a tensor if it belongs to the matrix, and reports whether it does.
func (m *matrix) load(in *source.Input, t safetensors.Tensor) (is bool, err error) {
	suffix, ok := strings.CutPrefix(t.Name, m.name)
	array, beside := m.arrays()[suffix]
	switch {
	case !ok || suffix != "" && !beside:
		return false, nil
	case beside:
		err = array.read(in, t)
	case t.DType == "U8" || t.DType == "I8":
		m.codes, err = source.Array[uint8](in, t.Size(), "tensor "+t.Name)
	default:
		m.rows, err = rowio.TensorRows(in, t)
	}
	if m.tensors == nil {
		m.tensors = map[string]safetensors.Tensor{}
	}
	m.tensors[suffix] = t
	return true, err
}

// matrix makes the matrix. A missing matrix has no rows.
func (m *matrix) matrix(metadata map[string]string) (vectors.Matrix, error) {
	t, ok := m.tensors[""]
	if !ok || t.DType != "U8" && t.DType != "I8" {
		return m.rows, nil
	}
	rows, _, err := t.Matrix()
	if err != nil {
		return vectors.Matrix{}, err
	}
	var s interface {
		vectors.Storage
		CheckSizes(rows, cols int) error
	}
	var cols int
	if t.DType == "I8" {
		if err := m.needs(tensorScales); err != nil {
			return vectors.Matrix{}, err
		}
		_, cols, _ = t.Matrix()
		s = &coded.Int8s{Codes: m.codes, Scales: orEmpty(m.scales), Cols: cols}
	} else {
		var q *coded.Quantised
		if q, cols, err = m.quantised(metadata); err != nil {
			return vectors.Matrix{}, err
		}
		s = q
	}
	if rows == 0 {
		return vectors.Matrix{Cols: cols, Stride: cols}, nil
	}
	if err := s.CheckSizes(rows, cols); err != nil {
		return vectors.Matrix{}, fmt.Errorf("tensor %q: %w", m.name, err)
	}
	return vectors.Stored(rows, cols, s), nil
}

// needs returns an error if a tensor is missing.
func (m *matrix) needs(suffix string) error {
	if _, ok := m.tensors[suffix]; !ok {
		return fmt.Errorf("expected a tensor %q beside %q of %s, found none", m.name+suffix, m.name, m.tensors[""].DType)
	}
	return nil
}

// quantised makes the rows of codes.
func (m *matrix) quantised(metadata map[string]string) (*coded.Quantised, int, error) {
	if err := m.needs(tensorCentroids); err != nil {
		return nil, 0, err
	}
	size, cols, err := m.tensors[tensorCentroids].Matrix()
	if err != nil {
		return nil, 0, err
	}
	part, err := strconv.ParseInt(metadata[m.name+metaPart], 10, 32)
	if err != nil || part < 1 || part > int64(cols) {
		return nil, 0, fmt.Errorf("metadata %q: expected a number from 1 to %d, found %.20q", m.name+metaPart, cols, metadata[m.name+metaPart])
	}
	if size > pq.MaxSize {
		return nil, 0, fmt.Errorf("tensor %q: expected at most %d rows, found %d", m.name+tensorCentroids, pq.MaxSize, size)
	}
	if size == 0 && m.tensors[""].Size() > 0 {
		return nil, 0, fmt.Errorf("tensor %q: expected at least one row, found none", m.name+tensorCentroids)
	}
	q := &coded.Quantised{Book: pq.BookOf(m.centroids, cols, int(part)), Codes: m.codes, Rotation: m.rotation}
	if _, ok := m.tensors[tensorNorms]; ok {
		q.Norms = orEmpty(m.norms)
	}
	if _, ok := m.tensors[tensorNormCodes]; ok {
		if err := m.needs(tensorNorms); err != nil {
			return nil, 0, err
		}
		q.NormCodes = orEmpty(m.normCodes)
	}
	return q, cols, nil
}
