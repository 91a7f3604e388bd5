package native

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

type native struct {
	rowio.TensorFile
	in     *source.Input
	arrays map[string]array // tensors of the format, by name

	// Arrays of the file are not nil if the file has them.
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

func read(in *source.Input) *vectors.Set {
	begin := in.Offset
	f := &native{TensorFile: rowio.TensorHeader(in), in: in, tables: map[string]vectors.Matrix{}, stateRows: map[int]vectors.Matrix{}}
	f.check()
	f.sum(begin)
	for _, t := range f.Tensors {
		if array, ok := f.arrays[t.Name]; ok {
			array.read(in, t)
		} else { // later versions may add tensors
			in.Skip(t.Size(), "a tensor")
		}
	}
	in.End()
	return f.set()
}

func (f *native) fail(format string, args ...any) { rowio.Header(f.in, fmt.Errorf(format, args...)) }

// check checks that the header is one of ours, and sets f.arrays.
func (f *native) check() {
	if f.Metadata[metaFormat] != codec.W2V {
		f.fail("expected a safetensors file with %q: %q in its metadata", metaFormat, codec.W2V)
	}
	if v := f.Metadata[metaVersion]; v != version && v != factoredVersion {
		f.fail("expected version %q or %q of the %s format, found %.20q", version, factoredVersion, codec.W2V, v)
	}
	f.arrays = map[string]array{
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
	for _, name := range rowNames() {
		m := &matrix{name: name}
		f.rows = append(f.rows, m)
		maps.Copy(f.arrays, m.arrays())
	}
	for _, name := range f.tableNames() {
		if _, taken := f.arrays[name]; taken {
			f.fail("metadata %q: the tensor %q has another meaning", metaMatrices, name)
		}
		f.arrays[name] = array{"F32", f.loadTable}
	}
	for _, t := range f.Tensors {
		if i, ok := stateMatrix(t.Name); ok && f.arrays[t.Name].read == nil {
			f.arrays[t.Name] = array{"F32", func(in *source.Input, t safetensors.Tensor) { f.stateRows[i] = rowio.TensorRows(in, t) }}
		}
		array, known := f.arrays[t.Name]
		_, err := rowio.RowType(t)
		switch {
		case !known:
		case array.dtype == anyRows && err != nil && !isCoded(t):
			f.fail("tensor %q: expected dtype F32, F16, BF16, I8 or U8, found %.20q", t.Name, t.DType)
		case array.dtype != anyRows && array.dtype != t.DType:
			f.fail("tensor %q: expected dtype %s, found %.20q", t.Name, array.dtype, t.DType)
		case t.Name == tensorChecksum && (len(t.Shape) != 1 || t.Shape[0] != 1):
			f.fail("tensor %q: expected the shape [1], found %v", t.Name, t.Shape)
		}
	}
}

type array struct {
	dtype string
	read  func(in *source.Input, t safetensors.Tensor)
}

// anyRows stands for the types that rows of a matrix may have.
const anyRows = ""

// arrayOf returns an array whose numbers are read into memory or aliased.
func arrayOf[T endian.Number](dtype string, to *[]T) array {
	return array{dtype, func(in *source.Input, t safetensors.Tensor) {
		if *to = source.Array[T](in, t.Size()/int64(t.ItemSize()), "tensor "+t.Name); *to == nil {
			*to = []T{}
		}
	}}
}

// set makes the set. For a mapped file it checks only sizes: see Set.Check.
func (f *native) set() *vectors.Set {
	for _, name := range []string{tensorOffsets, tensorWords, tensorInput} {
		if !f.Has(name) {
			f.fail("expected a tensor %q, found none", name)
		}
	}
	if len(f.offsets) == 0 {
		f.fail("tensor %q: expected at least one offset, found none", tensorOffsets)
	}
	if n := len(f.slots); n&(n-1) != 0 {
		f.fail("tensor %q: expected a power of two, found %d slots", tensorSlots, n)
	}
	p := vectors.Parts{
		Source: f.in.Behind, Origin: vectors.Origin{Format: codec.W2V},
		Counts: f.counts, WordRows: f.wordRows, State: f.state,
	}
	for _, name := range f.tableNames() {
		if m, ok := f.tables[name]; ok && name != tensorProjection {
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: name, Matrix: m})
		}
	}
	for _, rows := range f.rows {
		switch m := f.matrix(rows); rows.name {
		case tensorInput:
			p.Input = m
		case tensorOutput:
			p.Output = m
		default:
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: rows.name, Matrix: m})
		}
	}
	f.multiply(&p)
	p.Words = vectors.WordsOf(vectors.WordTable{Text: f.words, Offsets: f.offsets, Slots: f.slots, Mapped: f.in.Mapped()})
	f.putSubword(&p)
	for i := range len(f.stateRows) {
		m, ok := f.stateRows[i]
		if !ok {
			f.fail("expected a tensor %q beside the other %d of the kind, found none", tensorRows+strconv.Itoa(i), len(f.stateRows))
		}
		p.StateRows = append(p.StateRows, m)
	}
	var known bool
	if p.Composition, known = subword.CompositionNamed(f.Metadata[metaCompose]); !known {
		f.fail("unknown composition %q", f.Metadata[metaCompose])
	}
	if text, ok := f.Metadata[metaTraining]; ok {
		if err := json.Unmarshal([]byte(text), &p.Training); err != nil {
			f.fail("metadata %q: %w", metaTraining, err)
		}
	}
	f.deriveOutput(&p)
	s := codec.Made(p, nil, f.verifier(p.State != nil))
	if f.in.Mapped() {
		rowio.Header(f.in, s.CheckSizes())
		return s
	}
	if err := p.Words.Check(); err != nil {
		f.fail("tensor %q: %w", tensorOffsets, err)
	}
	rowio.Header(f.in, s.Check())
	return s
}

// putSubword sets p's n-grams and bucket rows.
func (f *native) putSubword(p *vectors.Parts) {
	p.Subword = f.subword()
	for _, name := range []string{tensorKept, tensorBucketSet} {
		if f.Has(name) && p.Subword == nil {
			f.fail("tensor %q: expected only with metadata %q", name, metaSubword)
		}
	}
	p.BucketRows = f.bucketRows
	if f.bucketSet != nil {
		var err error
		p.BucketRows, err = expandBuckets(f.bucketSet, f.bucketRows, p.Subword.Rows())
		rowio.Header(f.in, err)
	}
}
