package native

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// A native is a file in the native format while it is read.
type native struct {
	rowio.TensorFile
	in *source.Input

	offsets, counts []uint64
	rows            []*matrix                 // in the order of rowNames
	tables          map[string]vectors.Matrix // in float32, small enough for memory
	wordRows        []uint32
	bucketRows      []int32
	bucketSet       []uint8
	kept            []uint32
	ngramAt         []uint64
	ngramRow        []uint32
	slots           []uint32
	ngrams, words   []byte
	state           []byte
	stateRows       map[int]vectors.Matrix
	checksum        checksum
}

func read(in *source.Input) (*vectors.Set, error) {
	begin := in.Offset
	header, err := rowio.TensorHeader(in)
	if err != nil {
		return nil, err
	}
	f := &native{TensorFile: header, in: in}
	if err := f.check(); err != nil {
		return nil, in.FailAt(safetensors.LengthSize, "%w", err)
	}
	f.sum(in, begin)
	for _, t := range f.Tensors {
		if err := f.load(in, t); err != nil {
			return nil, err
		}
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	s, err := f.set(in.Mapped())
	if err != nil {
		return nil, in.FailAt(safetensors.LengthSize, "%w", err)
	}
	return s, nil
}

// check returns an error if the header is not one of ours.
func (f *native) check() error {
	if f.Metadata[metaFormat] != codec.W2V {
		return fmt.Errorf("expected a safetensors file with %q: %q in its metadata", metaFormat, codec.W2V)
	}
	if v := f.Metadata[metaVersion]; v != version && v != factoredVersion {
		return fmt.Errorf("expected version %q or %q of the %s format, found %.20q", version, factoredVersion, codec.W2V, v)
	}
	ours := map[string]string{}
	for name, a := range f.arrays() {
		ours[name] = a.dtype
	}
	rows := rowNames()
	for _, name := range rows {
		m := &matrix{name: name}
		f.rows = append(f.rows, m)
		for suffix, a := range m.arrays() {
			ours[name+suffix] = a.dtype
		}
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
			if _, err := rowio.RowType(t); err != nil {
				return fmt.Errorf("tensor %q: expected dtype F32, F16, BF16, I8 or U8, found %.20q", t.Name, t.DType)
			}
		}
		if err := checkStateTensor(t); err != nil {
			return err
		}
	}
	return nil
}

// load reads a tensor. It skips unknown tensors, which later versions may add.
func (f *native) load(in *source.Input, t safetensors.Tensor) error {
	if array, ok := f.arrays()[t.Name]; ok {
		return array.read(in, t)
	}
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
	return in.Skip(t.Size(), "a tensor")
}

// An array is a tensor whose numbers are read into memory or aliased.
type array struct {
	dtype string
	read  func(in *source.Input, t safetensors.Tensor) error
}

func arrayOf[T endian.Number](dtype string, to *[]T) array {
	return array{dtype, func(in *source.Input, t safetensors.Tensor) (err error) {
		*to, err = source.Array[T](in, t.Size()/int64(t.ItemSize()), "tensor "+t.Name)
		return err
	}}
}

// arrays returns the arrays of the file.
func (f *native) arrays() map[string]array {
	return map[string]array{
		tensorOffsets:   arrayOf("U64", &f.offsets),
		tensorCounts:    arrayOf("U64", &f.counts),
		tensorWordRow:   arrayOf("U32", &f.wordRows),
		tensorBucketRow: arrayOf("I32", &f.bucketRows),
		tensorBucketSet: arrayOf("U8", &f.bucketSet),
		tensorKept:      arrayOf("U32", &f.kept),
		tensorSlots:     arrayOf("U32", &f.slots),
		tensorNgramAt:   arrayOf("U64", &f.ngramAt),
		tensorNgramRow:  arrayOf("U32", &f.ngramRow),
		tensorNgrams:    arrayOf("U8", &f.ngrams),
		tensorWords:     arrayOf("U8", &f.words),
		tensorState:     arrayOf("U8", &f.state),
		tensorChecksum:  arrayOf("U32", &f.checksum.number),
	}
}

// set makes the set. For a mapped file it checks only sizes: see Set.Check.
func (f *native) set(mapped bool) (*vectors.Set, error) {
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
	p := vectors.Parts{Source: f.in.Behind, Origin: vectors.Origin{Format: codec.W2V}}
	for _, name := range f.tableNames() {
		if m, ok := f.tables[name]; ok && name != tensorProjection {
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: name, Matrix: m})
		}
	}
	for _, rows := range f.rows {
		m, err := rows.matrix(f.Metadata)
		if err != nil {
			return nil, err
		}
		switch rows.name {
		case tensorInput:
			p.Input = m
		case tensorOutput:
			p.Output = m
		default:
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: rows.name, Matrix: m})
		}
	}
	if err := f.multiply(&p, there[tensorProjection]); err != nil {
		return nil, err
	}
	p.Words = vectors.WordsOf(vectors.WordTable{Text: f.words, Offsets: f.offsets, Slots: f.slots, Mapped: mapped})
	// An existing array is not nil, even if it is empty.
	if there[tensorCounts] {
		p.Counts = orEmpty(f.counts)
	}
	if there[tensorWordRow] {
		p.WordRows = orEmpty(f.wordRows)
	}
	if err := f.putSubword(&p, there); err != nil {
		return nil, err
	}
	if err := f.putState(&p); err != nil {
		return nil, err
	}
	var known bool
	if p.Composition, known = subword.CompositionNamed(f.Metadata[metaCompose]); !known {
		return nil, fmt.Errorf("unknown composition %q", f.Metadata[metaCompose])
	}
	if text, ok := f.Metadata[metaTraining]; ok {
		if err := json.Unmarshal([]byte(text), &p.Training); err != nil {
			return nil, fmt.Errorf("metadata %q: %w", metaTraining, err)
		}
	}
	if err := f.deriveOutput(&p); err != nil {
		return nil, err
	}
	s := codec.Read{Parts: p, Verify: f.verifier(p.State != nil)}.Set()
	if mapped {
		return s, s.CheckSizes()
	}
	if err := p.Words.Check(); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorOffsets, err)
	}
	return s, s.Check()
}

// putSubword sets p's n-grams and bucket rows.
func (f *native) putSubword(p *vectors.Parts, there map[string]bool) (err error) {
	if p.Subword, err = f.subword(); err != nil {
		return err
	}
	if there[tensorKept] && p.Subword == nil {
		return fmt.Errorf("tensor %q: expected only with metadata %q", tensorKept, metaSubword)
	}
	switch {
	case there[tensorBucketSet]:
		if p.Subword == nil {
			return fmt.Errorf("tensor %q: expected only with metadata %q", tensorBucketSet, metaSubword)
		}
		p.BucketRows, err = expandBuckets(f.bucketSet, f.bucketRows, p.Subword.Rows())
	case there[tensorBucketRow]:
		p.BucketRows = orEmpty(f.bucketRows)
	}
	return err
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
