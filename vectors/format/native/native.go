package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// The native format. docs/format.md describes it; keep the two together.
const (
	nativeVersion = "1"
	// factoredVersion is that of files with a projection, whose rows are no vectors to
	// readers that know nothing of it.
	factoredVersion = "2"
	// nativeAlign is where the input matrix begins a multiple of: a cache line.
	nativeAlign = 64
)

// Tensors of the native format.
const (
	tensorOffsets    = "word_offsets"  // U64 [V+1]
	tensorCounts     = "counts"        // U64 [V]
	tensorInput      = "input"         // F32, F16, BF16 or I8 [R, D], or U8 [R, parts]
	tensorOutput     = "output"        // the same with V rows
	tensorProjection = "projection"    // F32 [H, D], with H columns of input
	tensorWordRow    = "word_rows"     // U32 [V]
	tensorBucketRow  = "bucket_rows"   // I32 [B], or of the buckets in bucket_set
	tensorBucketSet  = "bucket_set"    // U8 [B/8]
	tensorKept       = "ngram_buckets" // U32 [B]
	tensorNgramAt    = "ngram_offsets" // U64 [N+1]
	tensorNgramRow   = "ngram_rows"    // U32 [N]
	tensorSlots      = "word_slots"    // U32 [a power of two, or 0 without words]
	tensorNgrams     = "ngrams"        // U8 [ngram_offsets[N]]
	tensorWords      = "words"         // U8 [word_offsets[V]]
)

// Keys of its metadata.
const (
	metaFormat   = "format"
	metaVersion  = "version"
	metaTraining = "training"
	metaSubword  = "subword"
	metaCompose  = "composition"
	metaMatrices = "matrices" // further ones, which are kept as they are
)

// sniffNative tells a safetensors file of ours by its metadata, or, should another
// program have dropped these, by its tensors.
func sniffNative(head []byte) bool {
	if !safetensors.Sniff(head) {
		return false
	}
	n := min(binary.LittleEndian.Uint64(head), uint64(len(head)-safetensors.LengthSize))
	d := json.NewDecoder(bytes.NewReader(head[safetensors.LengthSize:][:n]))
	if _, err := d.Token(); err != nil {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		if key == tensorOffsets {
			return true
		}
		var value struct{ Format string }
		err = d.Decode(&value)
		if key == "__metadata__" && value.Format == string(FormatW2V) {
			return true
		}
		if _, ok := errors.AsType[*json.SyntaxError](err); ok || errors.Is(err, io.ErrUnexpectedEOF) {
			return false
		}
	}
	return false
}

func writeNative(w *bufio.Writer, s *Set) error {
	metadata := map[string]string{metaFormat: string(FormatW2V), metaVersion: nativeVersion}
	training, err := json.Marshal(s.training)
	if err != nil {
		return err
	}
	metadata[metaTraining] = string(training)
	rows, projection, factored := s.input.Factors()
	if factored {
		metadata[metaVersion] = factoredVersion
	} else {
		rows = s.input
	}
	if s.subword != nil && s.composition != ComposeMean {
		metadata[metaCompose] = string(s.composition)
	}
	sub, err := encodedSubword(metadata, s.subword)
	if err != nil {
		return err
	}

	table := s.words.Table()
	offsets, slots := table.Offsets, table.Slots
	words := uint64(s.Len())
	var sections []safetensors.Section
	add := func(s safetensors.Section) { sections = append(sections, s) }
	add(safetensors.Array(tensorOffsets, "U64", []uint64{words + 1}, offsets))
	if s.counts != nil {
		add(safetensors.Array(tensorCounts, "U64", []uint64{words}, s.counts))
	}
	sections = append(sections, ngramSections(sub)...)
	sections = append(sections, s.nativeMatrix(tensorInput, rows, metadata)...)
	_, made := s.madeOutput()
	switch {
	case s.output.Rows == 0 || made: // of others
	case s.outputIsInput():
		metadata[metaTied] = "true"
	default:
		sections = append(sections, s.nativeMatrix(tensorOutput, s.output, metadata)...)
	}
	var further []string
	for _, m := range s.nativeMatrices(projection) {
		sections = append(sections, s.nativeMatrix(m.Name, m.Matrix, metadata)...)
		if m.Name != tensorProjection && !known(m.Name) {
			further = append(further, m.Name)
		}
	}
	if len(further) > 0 {
		metadata[metaMatrices] = strings.Join(further, ",")
	}
	if s.wordRows != nil {
		add(safetensors.Array(tensorWordRow, "U32", []uint64{words}, s.wordRows))
	}
	sections = append(sections, s.bucketSections()...)
	if sub.Kept != nil {
		add(safetensors.List(tensorKept, "U32", sub.Kept))
	}
	add(safetensors.List(tensorSlots, "U32", slots))
	add(safetensors.Array(tensorWords, "U8", []uint64{offsets[words]}, table.Text))
	sections = append(sections, s.stateSections()...)
	// Larger numbers come first, so that everything is aligned without holes.
	slices.SortStableFunc(sections, func(a, b safetensors.Section) int { return cmp.Compare(b.ItemSize(), a.ItemSize()) })
	aligned := tensorInput
	if s.input.Encoding() != string(F32) {
		aligned = tensorOffsets
	}
	if s.state != nil {
		return writeChecked(w, sections, metadata, aligned)
	}
	return safetensors.Write(w, sections, metadata, aligned, nativeAlign)
}

// A native file is a file in the native format while it is taken apart.
type native struct {
	safetensorsFile

	offsets, counts []uint64
	rows            []*nativeMatrix   // in the order of nativeRows
	tables          map[string]Matrix // in float32, and small enough for memory
	wordRows        []uint32
	bucketRows      []int32
	bucketSet       []uint8
	kept            []uint32
	ngramAt         []uint64
	ngramRow        []uint32
	slots           []uint32
	ngrams, words   []byte
	state           []byte
	stateRows       map[int]Matrix
	checksum        checksum
}

func readNative(in *input) (*Set, error) {
	begin := in.offset
	header, err := in.safetensorsHeader()
	if err != nil {
		return nil, err
	}
	f := &native{safetensorsFile: header}
	if err := f.check(); err != nil {
		return nil, in.failAt(safetensors.LengthSize, "%w", err)
	}
	f.sum(in, begin)
	for _, t := range f.Tensors {
		if err := f.load(in, t); err != nil {
			return nil, err
		}
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	s, err := f.set(in.whole != nil)
	if err != nil {
		return nil, in.failAt(safetensors.LengthSize, "%w", err)
	}
	s.verify = f.verifier(in, s)
	return s, nil
}

// check tells whether the header is one of ours.
func (f *native) check() error {
	if f.Metadata[metaFormat] != string(FormatW2V) {
		return fmt.Errorf("expected a safetensors file with %q: %q in its metadata", metaFormat, FormatW2V)
	}
	if v := f.Metadata[metaVersion]; v != nativeVersion && v != factoredVersion {
		return fmt.Errorf("expected version %q or %q of the %s format, found %.20q", nativeVersion, factoredVersion, FormatW2V, v)
	}
	ours := map[string]string{
		tensorOffsets: "U64", tensorCounts: "U64", tensorWordRow: "U32", tensorBucketRow: "I32", tensorBucketSet: "U8",
		tensorKept: "U32", tensorSlots: "U32", tensorWords: "U8",
		tensorNgramAt: "U64", tensorNgramRow: "U32", tensorNgrams: "U8",
		tensorState: "U8", tensorChecksum: "U32",
	}
	rows := nativeRows()
	for _, name := range rows {
		m := &nativeMatrix{name: name}
		f.rows = append(f.rows, m)
		maps.Copy(ours, m.dtypes())
	}
	for _, name := range f.tableNames() {
		if _, taken := ours[name]; taken || slices.Contains(rows, name) {
			return fmt.Errorf("metadata %q: the tensor %q has another meaning", metaMatrices, name)
		}
		ours[name] = "F32"
	}
	for _, t := range f.Tensors {
		if dtype, ok := ours[t.Name]; ok && dtype != t.DType {
			return fmt.Errorf("tensor %q: expected dtype %s, found %.20q", t.Name, dtype, t.DType)
		}
		if slices.Contains(rows, t.Name) && t.DType != "I8" && t.DType != "U8" {
			if _, err := rowType(t); err != nil {
				return fmt.Errorf("tensor %q: expected dtype F32, F16, BF16, I8 or U8, found %.20q", t.Name, t.DType)
			}
		}
		if err := checkStateTensor(t); err != nil {
			return err
		}
	}
	return nil
}

// load reads a tensor. Those that this version does not know are passed over,
// for what later ones add.
func (f *native) load(in *input, t safetensors.Tensor) error {
	var err error
	expected := "tensor " + t.Name
	switch t.Name {
	case tensorOffsets:
		f.offsets, err = array[uint64](in, t.Size()/8, expected)
	case tensorCounts:
		f.counts, err = array[uint64](in, t.Size()/8, expected)
	case tensorWordRow:
		f.wordRows, err = array[uint32](in, t.Size()/4, expected)
	case tensorBucketRow:
		f.bucketRows, err = array[int32](in, t.Size()/4, expected)
	case tensorBucketSet:
		f.bucketSet, err = array[uint8](in, t.Size(), expected)
	case tensorKept:
		f.kept, err = array[uint32](in, t.Size()/4, expected)
	case tensorSlots:
		f.slots, err = array[uint32](in, t.Size()/4, expected)
	case tensorNgramAt:
		f.ngramAt, err = array[uint64](in, t.Size()/8, expected)
	case tensorNgramRow:
		f.ngramRow, err = array[uint32](in, t.Size()/4, expected)
	case tensorNgrams:
		f.ngrams, err = array[byte](in, t.Size(), expected)
	case tensorWords:
		f.words, err = array[byte](in, t.Size(), expected)
	default:
		if slices.Contains(f.tableNames(), t.Name) {
			return f.loadTable(in, t)
		}
		for _, m := range f.rows {
			if is, err := m.load(in, t); is || err != nil {
				return err
			}
		}
		if is, err := f.loadState(in, t); is || err != nil {
			return err
		}
		err = in.skip(t.Size(), "a tensor")
	}
	return err
}

// set puts the set together. Of a mapped file only sizes are checked, see
// Set.Check.
func (f *native) set(mapped bool) (*Set, error) {
	there := map[string]bool{}
	for _, t := range f.Tensors {
		there[t.Name] = true
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
	s := &Set{}
	for name, m := range f.tables {
		if name != tensorProjection {
			s.put(name, m)
		}
	}
	var err error
	for _, rows := range f.rows {
		m, err := rows.matrix(f.Metadata)
		if err != nil {
			return nil, err
		}
		switch rows.name {
		case tensorInput:
			s.input = m
		case tensorOutput:
			s.output = m
		default:
			s.put(rows.name, m)
		}
	}
	if err := f.multiply(s, there[tensorProjection]); err != nil {
		return nil, err
	}
	s.words.list = &wordList{
		text:    unsafe.String(unsafe.SliceData(f.words), len(f.words)),
		offsets: f.offsets,
		given:   f.slots,
		mapped:  mapped,
	}
	// An array that is there is not nil, even without numbers.
	if there[tensorCounts] {
		s.counts = orEmpty(f.counts)
	}
	if there[tensorWordRow] {
		s.wordRows = orEmpty(f.wordRows)
	}
	if s.subword, err = f.subword(); err != nil {
		return nil, err
	}
	if there[tensorKept] && s.subword == nil {
		return nil, fmt.Errorf("tensor %q: expected only with metadata %q", tensorKept, metaSubword)
	}
	switch {
	case there[tensorBucketSet]:
		if s.subword == nil {
			return nil, fmt.Errorf("tensor %q: expected only with metadata %q", tensorBucketSet, metaSubword)
		}
		if s.bucketRows, err = expandBuckets(f.bucketSet, f.bucketRows, s.subword.Rows()); err != nil {
			return nil, err
		}
	case there[tensorBucketRow]:
		s.bucketRows = orEmpty(f.bucketRows)
	}
	if err := f.putState(s); err != nil {
		return nil, err
	}
	s.composition = Composition(f.Metadata[metaCompose])
	if text, ok := f.Metadata[metaTraining]; ok {
		if err := json.Unmarshal([]byte(text), &s.training); err != nil {
			return nil, fmt.Errorf("metadata %q: %w", metaTraining, err)
		}
	}
	if err := f.deriveOutput(s); err != nil {
		return nil, err
	}
	if mapped {
		return s, s.checkSizes()
	}
	if err := s.words.Check(); err != nil {
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
