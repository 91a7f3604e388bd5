package finalfusion

import (
	"bufio"
	"encoding/binary"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
)

// A writer tracks its offset in the file, which determines the padding.
type writer struct {
	w  *bufio.Writer
	at int64
}

// write writes words' rows as finalfusion expects them: composed with their n-grams and divided by their
// norms, which follow separately. All n-grams' rows are written unchanged, with zeros for untrained rows.
// With floret's n-grams a finalfusion file has no words and no norms. Quantised rows are written as codes if
// possible (see codesOf), otherwise in full.
func write(w *bufio.Writer, s *vectors.Set) error {
	v := vocabOf(s)
	metadata := trainingTOML(s.Training())
	codes, err := codesOf(s, v)
	if err != nil {
		return err
	}
	rows := uint32(chunkArray)
	if codes != nil {
		rows = chunkQuantised
	}
	var chunks []uint32
	if len(metadata) > 0 {
		chunks = append(chunks, chunkMetadata)
	}
	chunks = append(chunks, v.kind, rows)
	if v.kind != chunkFloretVocab {
		chunks = append(chunks, chunkNorms)
	}
	f := writer{w: w}
	f.put([]byte(magic), uint32(version), uint32(len(chunks)), chunks)
	if len(metadata) > 0 {
		f.put(uint32(chunkMetadata), uint64(len(metadata)), metadata)
	}
	f.vocabulary(s, v)
	var norms []float32
	if codes != nil {
		f.codes(codes)
		norms = codes.words
	} else {
		rows, dim := uint64(v.words)+uint64(v.buckets), uint64(s.Dim())
		f.numbers(chunkArray, 4*rows*dim, rows, uint32(dim), uint32(typeFloat32))
		if norms, err = wordRows(w, s, v.words); err == nil {
			err = rowio.WriteAll(w, s, s.Buckets(v.buckets))
		}
		if err != nil {
			return err
		}
	}
	if v.kind != chunkFloretVocab {
		f.numbers(chunkNorms, 4*uint64(len(norms)), uint64(len(norms)), uint32(typeFloat32))
		endian.Write(w, norms)
	}
	return s.Err()
}

func (f *writer) put(parts ...any) {
	for _, part := range parts {
		f.at += int64(binary.Size(part))
		binary.Write(f.w, binary.LittleEndian, part)
	}
}

func (f *writer) string(text string) {
	f.at += 4 + int64(len(text))
	f.w.Write(binary.LittleEndian.AppendUint32(f.w.AvailableBuffer(), uint32(len(text))))
	f.w.WriteString(text)
}

// numbers writes the beginning of a chunk of numbers: kind, length, head and padding. size is the size of the
// numbers in bytes.
func (f *writer) numbers(kind uint32, size uint64, head ...any) {
	const start = 4 + 8
	length := int64(0)
	for _, part := range head {
		length += int64(binary.Size(part))
	}
	padding := make([]byte, paddingAt(f.at+start+length))
	length += int64(len(padding))
	f.put(kind, uint64(length)+size)
	f.put(append(head, padding)...)
	f.at += int64(size)
}

func wordRows(w *bufio.Writer, s *vectors.Set, words int) ([]float32, error) {
	if words == 0 {
		return nil, nil
	}
	if rows, norms, ok := s.Input().Norms(); ok && len(norms) == words && s.SharedParts().WordRows == nil && !s.Composes() {
		rows.Rows = words // these rows are written unchanged
		return norms, rowio.WriteAll(w, s, s.RowsOf(rows))
	}
	norms := make([]float32, 0, words)
	unit := make([]float32, s.Dim())
	for _, vector := range s.All() {
		norms = append(norms, normalise(unit, vector))
		if err := endian.Write(w, unit); err != nil {
			return nil, err
		}
	}
	return norms, s.Err()
}

// normalise writes the vector divided by its norm to dst and returns the norm. If the norm is not a normal
// float32, it copies the vector and returns 1. So row times norm is always the vector.
func normalise(dst, vector []float32) float32 {
	sum := 0.0
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		copy(dst, vector)
		return 0
	}
	norm := math.Sqrt(sum)
	if !(norm >= smallestNormal && norm <= math.MaxFloat32) {
		copy(dst, vector)
		return 1
	}
	for k, x := range vector {
		dst[k] = x / float32(norm)
	}
	return float32(norm)
}

const smallestNormal = 0x1p-126
