package vectors

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/w2v-go/w2v/subword"
)

// The native format. docs/format.md describes it; keep the two together.
const (
	nativeVersion = "1"
	// nativeAlign is where the input matrix begins a multiple of: a cache line.
	nativeAlign = 64
)

// Tensors of the native format.
const (
	tensorOffsets   = "word_offsets" // U64 [V+1]
	tensorCounts    = "counts"       // U64 [V]
	tensorInput     = "input"        // F32 [R, D]
	tensorOutput    = "output"       // F32 [V, D]
	tensorWordRow   = "word_rows"    // U32 [V]
	tensorBucketRow = "bucket_rows"  // I32 [B]
	tensorSlots     = "word_slots"   // U32 [a power of two, or 0 without words]
	tensorWords     = "words"        // U8 [word_offsets[V]]
)

// Keys of its metadata.
const (
	metaFormat   = "format"
	metaVersion  = "version"
	metaTraining = "training"
	metaSubword  = "subword"
	metaCompose  = "composition"
	metaMinN     = "minn"
	metaMaxN     = "maxn"
	metaBuckets  = "buckets"
)

// subwordFastText is what metaSubword says of subword.FastText.
const subwordFastText = "fasttext"

func sniffNative(head []byte) bool { return sniffSafetensors(head) }

func writeNative(w *bufio.Writer, s *Set) error {
	metadata := map[string]string{metaFormat: string(FormatW2V), metaVersion: nativeVersion}
	training, err := json.Marshal(s.Training)
	if err != nil {
		return err
	}
	metadata[metaTraining] = string(training)
	if s.Subword != nil && s.Composition != ComposeMean {
		metadata[metaCompose] = string(s.Composition)
	}
	switch sub := s.Subword.(type) {
	case nil:
	case subword.FastText:
		metadata[metaSubword] = subwordFastText
		metadata[metaMinN] = strconv.Itoa(sub.MinN)
		metadata[metaMaxN] = strconv.Itoa(sub.MaxN)
		metadata[metaBuckets] = strconv.Itoa(sub.Buckets)
	default:
		return fmt.Errorf("subwords of type %T cannot be written as %s", sub, FormatW2V)
	}

	offsets := s.Words.offsets()
	var slots []uint32
	if s.Len() > 0 {
		slots = s.Words.slots()
	}
	// Eight-byte numbers come first, so that everything is aligned without
	// holes, and bytes last.
	words, dim := uint64(s.Len()), uint64(s.Dim())
	tensors := []tensor{{name: tensorOffsets, dtype: "U64", shape: []uint64{words + 1}}}
	if s.Counts != nil {
		tensors = append(tensors, tensor{name: tensorCounts, dtype: "U64", shape: []uint64{words}})
	}
	tensors = append(tensors, tensor{name: tensorInput, dtype: "F32", shape: []uint64{uint64(s.Input.Rows), dim}})
	if s.Output.Rows > 0 {
		tensors = append(tensors, tensor{name: tensorOutput, dtype: "F32", shape: []uint64{words, dim}})
	}
	if s.WordRow != nil {
		tensors = append(tensors, tensor{name: tensorWordRow, dtype: "U32", shape: []uint64{words}})
	}
	if s.BucketRow != nil {
		tensors = append(tensors, tensor{name: tensorBucketRow, dtype: "I32", shape: []uint64{uint64(len(s.BucketRow))}})
	}
	tensors = append(tensors,
		tensor{name: tensorSlots, dtype: "U32", shape: []uint64{uint64(len(slots))}},
		tensor{name: tensorWords, dtype: "U8", shape: []uint64{offsets[words]}})

	header, err := appendSafetensorsHeader(nil, tensors, metadata, tensorInput, nativeAlign)
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	if err := writeArray(w, offsets); err != nil {
		return err
	}
	if err := writeArray(w, s.Counts); err != nil {
		return err
	}
	if err := s.writeRows(w, s.Input); err != nil {
		return err
	}
	if err := s.writeRows(w, s.Output); err != nil {
		return err
	}
	if err := writeArray(w, s.WordRow); err != nil {
		return err
	}
	if err := writeArray(w, s.BucketRow); err != nil {
		return err
	}
	if err := writeArray(w, slots); err != nil {
		return err
	}
	for _, word := range s.Words.All() {
		if _, err := w.WriteString(word); err != nil {
			return err
		}
	}
	return nil
}

// A native file is a file in the native format while it is taken apart.
type native struct {
	tensors  []tensor // in the order of the file
	metadata map[string]string

	offsets, counts []uint64
	input, output   Matrix
	wordRow         []uint32
	bucketRow       []int32
	slots           []uint32
	words           []byte
}

func readNative(in *input) (*Set, error) {
	var length [lengthSize]byte
	if err := in.full(length[:], "the length of the header"); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return nil, in.failAt(0, "expected a header of at most %d bytes, found %d", maxHeader, n)
	}
	header, err := array[byte](in, int64(n), "the header")
	if err != nil {
		return nil, err
	}
	f, err := parseNative(header)
	if err != nil {
		return nil, in.failAt(lengthSize, "%w", err)
	}
	if left, known := in.left(); known {
		if err := f.checkSize(left); err != nil {
			return nil, in.fail("%w", err)
		}
	}
	for _, t := range f.tensors {
		if err := f.load(in, t); err != nil {
			return nil, err
		}
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	s, err := f.set(in.whole != nil)
	if err != nil {
		return nil, in.failAt(lengthSize, "%w", err)
	}
	return s, nil
}

// parseNative reads a header and checks that it is one of ours.
func parseNative(header []byte) (*native, error) {
	tensors, metadata, err := parseSafetensors(header)
	if err != nil {
		return nil, err
	}
	if metadata[metaFormat] != string(FormatW2V) {
		return nil, fmt.Errorf("expected a safetensors file with %q: %q in its metadata; files of other programs cannot be read",
			metaFormat, FormatW2V)
	}
	if v := metadata[metaVersion]; v != nativeVersion {
		return nil, fmt.Errorf("expected version %q of the %s format, found %.20q", nativeVersion, FormatW2V, v)
	}
	ours := map[string]string{
		tensorOffsets: "U64", tensorCounts: "U64", tensorInput: "F32", tensorOutput: "F32",
		tensorWordRow: "U32", tensorBucketRow: "I32", tensorSlots: "U32", tensorWords: "U8",
	}
	for _, t := range tensors {
		if dtype, ok := ours[t.name]; ok && dtype != t.dtype {
			return nil, fmt.Errorf("tensor %q: expected dtype %s, found %.20q", t.name, dtype, t.dtype)
		}
	}
	return &native{tensors: tensors, metadata: metadata}, nil
}

// checkSize compares the tensors with the bytes that follow the header.
func (f *native) checkSize(left int64) error {
	var want int64
	if n := len(f.tensors); n > 0 {
		want = f.tensors[n-1].end
	}
	switch {
	case left < want:
		return fmt.Errorf("expected %d bytes of tensors, but %d are left: %w", want, left, io.ErrUnexpectedEOF)
	case left > want:
		return fmt.Errorf("expected %d bytes of tensors and the end of the file, found %d bytes", want, left)
	}
	return nil
}

// load reads a tensor. Those that this version does not know are passed over,
// for what later ones add.
func (f *native) load(in *input, t tensor) error {
	var err error
	expected := "tensor " + t.name
	switch t.name {
	case tensorOffsets:
		f.offsets, err = array[uint64](in, t.size()/8, expected)
	case tensorCounts:
		f.counts, err = array[uint64](in, t.size()/8, expected)
	case tensorInput:
		f.input, err = f.matrix(in, t)
	case tensorOutput:
		f.output, err = f.matrix(in, t)
	case tensorWordRow:
		f.wordRow, err = array[uint32](in, t.size()/4, expected)
	case tensorBucketRow:
		f.bucketRow, err = array[int32](in, t.size()/4, expected)
	case tensorSlots:
		f.slots, err = array[uint32](in, t.size()/4, expected)
	case tensorWords:
		f.words, err = array[byte](in, t.size(), expected)
	default:
		err = in.skip(t.size(), "a tensor")
	}
	return err
}

// matrix reads a tensor of rows.
func (f *native) matrix(in *input, t tensor) (Matrix, error) {
	if len(t.shape) != 2 || t.shape[0] > math.MaxInt32 || t.shape[1] > math.MaxInt32 {
		return Matrix{}, in.failAt(lengthSize, "tensor %q: expected a shape of rows and columns, found %v", t.name, t.shape)
	}
	return in.rows(int64(t.shape[0]), int64(t.shape[1]), "tensor "+t.name)
}

// set puts the set together. Of a mapped file only sizes are checked, see
// Set.Check.
func (f *native) set(mapped bool) (*Set, error) {
	there := map[string]bool{}
	for _, t := range f.tensors {
		there[t.name] = true
	}
	for _, name := range []string{tensorOffsets, tensorWords, tensorInput} {
		if !there[name] {
			return nil, fmt.Errorf("expected a tensor %q, found none", name)
		}
	}
	if len(f.offsets) == 0 {
		return nil, fmt.Errorf("tensor %q: expected at least one offset, found none", tensorOffsets)
	}
	if n := len(f.slots); n&(n-1) != 0 {
		return nil, fmt.Errorf("tensor %q: expected a power of two, found %d slots", tensorSlots, n)
	}
	s := &Set{Input: f.input, Output: f.output}
	s.Words.list = &wordList{
		text:    unsafe.String(unsafe.SliceData(f.words), len(f.words)),
		offsets: f.offsets,
		given:   f.slots,
		mapped:  mapped,
	}
	// An array that is there is not nil, even without numbers.
	if there[tensorCounts] {
		s.Counts = orEmpty(f.counts)
	}
	if there[tensorWordRow] {
		s.WordRow = orEmpty(f.wordRow)
	}
	if there[tensorBucketRow] {
		s.BucketRow = orEmpty(f.bucketRow)
	}
	var err error
	if s.Subword, err = f.subword(); err != nil {
		return nil, err
	}
	s.Composition = Composition(f.metadata[metaCompose])
	if text, ok := f.metadata[metaTraining]; ok {
		if err := json.Unmarshal([]byte(text), &s.Training); err != nil {
			return nil, fmt.Errorf("metadata %q: %w", metaTraining, err)
		}
	}
	if mapped {
		return s, s.checkSizes()
	}
	if err := s.Words.check(); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorOffsets, err)
	}
	return s, s.Check()
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// subword returns what the metadata says of subwords, nil for none.
func (f *native) subword() (subword.Indexer, error) {
	kind, ok := f.metadata[metaSubword]
	if !ok {
		return nil, nil
	}
	if kind != subwordFastText {
		return nil, fmt.Errorf("metadata %q: expected %q, found %.20q", metaSubword, subwordFastText, kind)
	}
	var sub subword.FastText
	for key, field := range map[string]*int{metaMinN: &sub.MinN, metaMaxN: &sub.MaxN, metaBuckets: &sub.Buckets} {
		n, err := strconv.ParseInt(f.metadata[key], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("metadata %q: %w", key, errors.Unwrap(err))
		}
		*field = int(n)
	}
	if err := checkFastText(sub); err != nil {
		return nil, fmt.Errorf("metadata: %s", strings.TrimPrefix(err.Error(), "subword: "))
	}
	return sub, nil
}

// checkFastText is sub.Validate without the rules that fastText itself does not
// keep: it takes a minn of 0 for 1, and a maxn below minn for no n-grams.
func checkFastText(sub subword.FastText) error {
	if sub.MaxN == 0 && sub.Buckets < 0 {
		return fmt.Errorf("buckets is %d, must be at least 0", sub.Buckets)
	}
	if sub.MinN < 0 || sub.MaxN <= 0 {
		return sub.Validate()
	}
	sub.MinN = max(sub.MinN, 1)
	sub.MaxN = max(sub.MaxN, sub.MinN)
	return sub.Validate()
}
