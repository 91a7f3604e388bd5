// Package finalfusion reads and writes finalfusion's binary. A file is a list of its chunks and then the
// chunks: optional metadata, the vocabulary, the rows, and optional norms of the words. In files of 2019, the
// list omits the norms. A chunk begins with its kind and its length. The length is not trusted:
// finalfusion-python writes one that is too small for an explicit vocabulary. Everything is little-endian.
// Sources: chunks of finalfusion-rust, and finalfusion-python.
package finalfusion

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	magic   = "FiFu"
	version = 0
)

// Kinds of chunks.
const (
	chunkSimpleVocab   = 1
	chunkArray         = 2
	chunkBucketVocab   = 3 // n-grams with finalfusion's hash
	chunkQuantised     = 4
	chunkMetadata      = 5
	chunkNorms         = 6
	chunkFastTextVocab = 7 // n-grams with fastText's hash
	chunkExplicitVocab = 8
	chunkFloretVocab   = 9
)

// Types of numbers.
const (
	typeUint8   = 1
	typeFloat32 = 10
)

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.Finalfusion,
	Extensions: []codec.Extension{{Name: ".fifu", Sets: codec.AnySets}},
	Sniff:      sniff,
	Decode:     read,
	Maps:       true,
	Write:      write,
	Size:       sizeOf,
	Word:       checkWord,
	Distinct:   "finalfusion",
	Subword:    checkSubword,
	Keeps:      codec.Kept{Subwords: true, Training: vectors.TrainingNames()},
	Programs:   "finalfusion",
}

func sizeOf(s vectors.Shape) float64 {
	row := codec.FullSize(s, 1)
	if s.Encoding == vectors.EncodingPQ || s.Encoding == vectors.EncodingOPQ {
		row = min(row, float64(s.RowBytes)) // if quantised rows can be kept
	}
	if s.Weighted { // such n-grams are dropped
		s.Pieces, s.Buckets = false, 0
	}
	bytes := row * float64(s.Buckets)
	if !s.Pieces {
		bytes += codec.WordSize(s, 4+4) + row*float64(s.Words) // includes the lengths of the word and of its vector
	}
	return bytes
}

func sniff(head []byte) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

// paddingAt returns the number of padding bytes before numbers at an offset. An aligned offset gets four
// bytes too.
func paddingAt(offset int64) int64 { return 4 - offset%4 }

func checkWord(word string) error {
	if !utf8.ValidString(word) {
		return errors.New("is not UTF-8, which finalfusion insists on")
	}
	return nil
}

func checkSubword(sub subword.Indexer, c subword.Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText, subword.Finalfusion, *subword.Explicit:
		return nil
	case *subword.Pruned:
		return fmt.Errorf("some n-grams were left out when the model was quantised, which %s cannot hold: write %s, or %s for the words alone",
			codec.Finalfusion, codec.W2V, codec.Text)
	case subword.Floret:
		if !c.OwnRows() {
			return nil
		}
		return fmt.Errorf("%s holds floret n-grams only if words have no rows of their own: write %s, or %s for the words alone",
			codec.Finalfusion, codec.W2V, codec.Text)
	}
	return fmt.Errorf("%s cannot hold n-grams that are hashed as %s does: write %s, or %s for the words alone",
		codec.Finalfusion, subword.NameOf(sub), codec.W2V, codec.Text)
}

// Metadata is any TOML. Ours is a table of Training, one line per field, and is read again. Metadata of other
// programs is skipped.

const trainingTable = "[training]"

const longestMetadata = 1 << 16

func trainingTOML(t vectors.Training) (text []byte) {
	if t.Equal(vectors.Training{}) {
		return nil
	}
	text = []byte(trainingTable + "\n")
	for name, value := range t.All() { // TOML writes these values like JSON
		if !slices.Contains(vectors.TrainingNames(), name) {
			continue
		}
		if _, err := strconv.ParseInt(value, 10, 64); errors.Is(err, strconv.ErrRange) {
			value = strconv.Quote(value) // TOML integers are signed
		}
		text = fmt.Appendf(text, "%s = %s\n", name, value)
	}
	return text
}

// parseTrainingTOML parses the output of trainingTOML. It returns the zero value for other metadata.
func parseTrainingTOML(text []byte) vectors.Training {
	var t vectors.Training
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	if string(first) != trainingTable {
		return t
	}
	object := []byte{'{'}
	for line := range bytes.Lines(rest) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" = "))
		if !ok || !slices.Contains(vectors.TrainingNames(), string(name)) {
			return t
		}
		if n, err := strconv.Unquote(string(value)); err == nil {
			if _, err := strconv.ParseInt(n, 10, 64); errors.Is(err, strconv.ErrRange) {
				value = []byte(n)
			}
		}
		object = fmt.Appendf(object, "%q:%s,", name, value)
	}
	object = append(bytes.TrimSuffix(object, []byte{','}), '}')
	if err := json.Unmarshal(object, &t); err != nil {
		return vectors.Training{}
	}
	return t
}

func (f *reader) metadata() {
	length, _ := f.chunk(chunkMetadata)
	if length > longestMetadata {
		f.unread = []string{"metadata"}
		f.in.Skip(int64(min(length, 1<<63-1)), "metadata")
		return
	}
	text := source.Array[byte](f.in, int64(length), "metadata")
	f.training = parseTrainingTOML(text)
	if f.training.Equal(vectors.Training{}) && len(bytes.TrimSpace(text)) > 0 {
		f.unread = []string{"metadata"}
	}
}

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
