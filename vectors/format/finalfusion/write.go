package finalfusion

import (
	"bufio"
	"encoding/binary"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
)

// A writer knows where in the file it is, because of the padding.
type writer struct {
	w  *bufio.Writer
	at int64
}

// write writes words' rows as finalfusion wants them: composed of
// their n-grams and divided by their lengths, which follow as norms, and the rows
// of all n-grams as they are, zeros for those that were never trained. With
// floret's n-grams a file of finalfusion has no words, and no norms. Quantised rows
// are written as their codes if they can be, see codesOf, and otherwise
// in full.
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
	if err := f.put([]byte(magic), uint32(version), uint32(len(chunks)), chunks); err != nil {
		return err
	}
	if len(metadata) > 0 {
		if err := f.put(uint32(chunkMetadata), uint64(len(metadata)), metadata); err != nil {
			return err
		}
	}
	if err := f.vocabulary(s, v); err != nil {
		return err
	}
	var norms []float32
	if codes != nil {
		norms, err = codes.words, f.codes(codes)
	} else {
		norms, err = f.array(s, v)
	}
	if err != nil || v.kind == chunkFloretVocab {
		return err
	}
	return f.norms(norms)
}

// put writes numbers and bytes.
func (f *writer) put(parts ...any) error {
	for _, part := range parts {
		f.at += int64(binary.Size(part))
		if err := binary.Write(f.w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// string writes a text and its length.
func (f *writer) string(text string) error {
	f.at += 4 + int64(len(text))
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(text)))
	if _, err := f.w.Write(length[:]); err != nil {
		return err
	}
	_, err := f.w.WriteString(text)
	return err
}

// numbers writes what a chunk of numbers begins with: its kind, its length, what
// it says of them and the padding. They take size bytes.
func (f *writer) numbers(kind uint32, size uint64, head ...any) error {
	const start = 4 + 8
	length := int64(0)
	for _, part := range head {
		length += int64(binary.Size(part))
	}
	padding := make([]byte, paddingAt(f.at+start+length))
	length += int64(len(padding))
	if err := f.put(kind, uint64(length)+size); err != nil {
		return err
	}
	return f.put(append(head, padding)...)
}

// array writes the rows of words and of all n-grams, and returns the words' norms.
func (f *writer) array(s *vectors.Set, v vocab) ([]float32, error) {
	rows, dim := uint64(v.words)+uint64(v.buckets), uint64(s.Dim())
	if err := f.numbers(chunkArray, 4*rows*dim, rows, uint32(dim), uint32(typeFloat32)); err != nil {
		return nil, err
	}
	f.at += int64(4 * rows * dim)
	norms, err := f.wordRows(s, v.words)
	if err != nil {
		return nil, err
	}
	return norms, s.EachBucket(v.buckets, func(row []float32) error { return endian.Write(f.w, row) })
}

// wordRows writes the rows of so many words and returns their norms.
func (f *writer) wordRows(s *vectors.Set, words int) ([]float32, error) {
	if words == 0 {
		return nil, nil
	}
	if rows, norms, ok := s.Input().Norms(); ok && len(norms) == words && s.SharedParts().WordRows == nil && !s.Composes() {
		rows.Rows = words // which are as they should be
		return norms, s.EachRow(rows, func(_ int, row []float32) error { return endian.Write(f.w, row) })
	}
	norms := make([]float32, 0, words)
	unit := make([]float32, s.Dim())
	return norms, s.EachVector(func(_ int, vector []float32) error {
		norms = append(norms, normalise(unit, vector))
		return endian.Write(f.w, unit)
	})
}

// normalise writes the vector divided by its norm to dst and returns the norm. One
// that has no norm which a float32 holds in full is left as it is, with a norm of
// 1, so that row times norm is the vector whatever that is.
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

// smallestNormal is the smallest float32 of full precision.
const smallestNormal = 0x1p-126

func (f *writer) norms(norms []float32) error {
	if err := f.numbers(chunkNorms, 4*uint64(len(norms)), uint64(len(norms)), uint32(typeFloat32)); err != nil {
		return err
	}
	return endian.Write(f.w, norms)
}
