package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

type native struct {
	rowio.TensorFile
	in       *source.Input
	types    map[string]string         // dtypes of the format's tensors, or anyRows or stateRows
	arrays   map[string]any            // numbers of tensors of the file: a slice that is not nil
	rows     map[string]vectors.Matrix // matrices that may be large: rows of numbers
	checksum checksum
	index    bool // the file is of an index, and not of a set
}

const (
	anyRows   = "rows"       // any type that rows of a matrix may have
	stateRows = "state rows" // F32
)

func read(in *source.Input) *vectors.Set {
	f := readTensors(in, false)
	return f.set()
}

func readTensors(in *source.Input, index bool) *native {
	begin := in.Offset
	f := &native{TensorFile: rowio.TensorHeader(in), in: in, arrays: map[string]any{}, rows: map[string]vectors.Matrix{}, index: index}
	f.check()
	f.sum(begin)
	for _, t := range f.Tensors {
		switch want := f.types[t.Name]; {
		case want == "": // later versions may add tensors
			in.Skip(t.Size(), "a tensor")
		case want == stateRows, want == anyRows && !isCoded(t):
			f.rows[t.Name] = rowio.TensorRows(in, t)
		default:
			f.arrays[t.Name] = map[string]func(*source.Input, safetensors.Tensor) any{
				"U8": array[uint8], "I8": array[uint8], "I32": array[int32], "U32": array[uint32], "U64": array[uint64], "F32": array[float32],
			}[t.DType](in, t)
		}
	}
	in.End()
	return f
}

// array reads the numbers of a tensor into memory, or returns those of a mapped file.
func array[T endian.Number](in *source.Input, t safetensors.Tensor) any {
	if numbers := source.Array[T](in, t.Size()/int64(t.ItemSize()), "tensor "+t.Name); numbers != nil {
		return numbers
	}
	return []T{}
}

func numbers[T endian.Number](f *native, name string) []T {
	n, _ := f.arrays[name].([]T)
	return n
}

func (f *native) fail(format string, args ...any) { rowio.Header(f.in, fmt.Errorf(format, args...)) }

func (f *native) check() {
	format := codec.W2V
	if f.index {
		format = indexFormat
	}
	if f.Metadata[metaFormat] != format {
		f.fail("expected a safetensors file with %q: %q in its metadata", metaFormat, format)
	}
	if v := f.Metadata[metaVersion]; v != version && v != factoredVersion {
		f.fail("expected version %q or %q of the %s format, found %.20q", version, factoredVersion, codec.W2V, v)
	}
	f.types = map[string]string{
		tensorOffsets: "U64", tensorCounts: "U64", tensorWordRow: "U32", tensorBucketRow: "I32", tensorBucketSet: "U8", tensorKept: "U32",
		tensorSlots: "U32", tensorNgramAt: "U64", tensorNgramRow: "U32", tensorNgrams: "U8", tensorWords: "U8", tensorState: "U8", tensorChecksum: "U32",
		tensorLabelAt: "U64", tensorLabelCounts: "U64", tensorLabelNames: "U8", tensorRunBuckets: "U32",
	}
	if f.index {
		for _, name := range []string{tensorLinks, tensorEntries, tensorSame} {
			f.types[name] = "U32"
		}
	}
	for _, a := range attachments {
		f.types[a.tensor] = "U8"
	}
	for _, name := range append(rowNames(), labelRows...) {
		f.types[name] = anyRows
		for _, suffix := range []string{tensorScales, tensorCentroids, tensorNorms, tensorRotation} {
			f.types[name+suffix] = "F32"
		}
		f.types[name+tensorNormCodes] = "U8"
	}
	for _, name := range f.tableNames() {
		if f.types[name] != "" {
			f.fail("metadata %q: the tensor %q has another meaning", metaMatrices, name)
		}
		f.types[name] = "F32"
	}
	for _, t := range f.Tensors {
		dtype := f.types[t.Name]
		if dtype == "" && isStateRows(t.Name) {
			dtype, f.types[t.Name] = "F32", stateRows
		}
		_, err := rowio.RowType(t)
		switch {
		case dtype == anyRows && err != nil && !isCoded(t):
			f.fail("tensor %q: expected dtype F32, F16, BF16, I8 or U8, found %.20q", t.Name, t.DType)
		case dtype != "" && dtype != anyRows && dtype != t.DType:
			f.fail("tensor %q: expected dtype %s, found %.20q", t.Name, dtype, t.DType)
		case t.Name == tensorChecksum && (len(t.Shape) != 1 || t.Shape[0] != 1):
			f.fail("tensor %q: expected the shape [1], found %v", t.Name, t.Shape)
		}
	}
}

func isCoded(t safetensors.Tensor) bool { return t.DType == "U8" || t.DType == "I8" }

// set makes the set. For a mapped file it checks only sizes: see Set.Check.
func (f *native) set() *vectors.Set {
	for _, name := range []string{tensorOffsets, tensorWords, tensorInput} {
		if !f.Has(name) {
			f.fail("expected a tensor %q, found none", name)
		}
	}
	table := vectors.WordTable{
		Text: numbers[uint8](f, tensorWords), Offsets: numbers[uint64](f, tensorOffsets), Slots: numbers[uint32](f, tensorSlots), Mapped: f.in.Mapped(),
	}
	if len(table.Offsets) == 0 {
		f.fail("tensor %q: expected at least one offset, found none", tensorOffsets)
	}
	if n := len(table.Slots); n&(n-1) != 0 {
		f.fail("tensor %q: expected a power of two, found %d slots", tensorSlots, n)
	}
	p := vectors.Parts{
		Source: f.in.Behind, Origin: vectors.Origin{Format: codec.W2V},
		Counts: numbers[uint64](f, tensorCounts), WordRows: numbers[uint32](f, tensorWordRow), State: numbers[uint8](f, tensorState),
	}
	for _, name := range f.tableNames() {
		if f.Has(name) && name != tensorProjection {
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: name, Matrix: f.table(name)})
		}
	}
	for _, name := range rowNames() {
		switch m := f.matrix(name); name {
		case tensorInput:
			p.Input = m
		case tensorOutput:
			p.Output = m
		default:
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: name, Matrix: m})
		}
	}
	f.multiply(&p)
	p.Words = vectors.WordsOf(table)
	f.putSubword(&p)
	f.putLabels(&p)
	f.putStateRows(&p)
	var known bool
	if p.Composition, known = subword.CompositionNamed(f.Metadata[metaCompose]); !known {
		f.fail("unknown composition %q", f.Metadata[metaCompose])
	}
	if text, ok := f.Metadata[metaTraining]; ok {
		if err := json.Unmarshal([]byte(text), &p.Training); err != nil {
			f.fail("metadata %q: %w", metaTraining, err)
		}
	}
	for _, a := range attachments {
		data := numbers[uint8](f, a.tensor)
		if len(data) > vectors.MaxAttached {
			f.fail("tensor %q: expected at most %d bytes, found %d", a.tensor, vectors.MaxAttached, len(data))
		}
		p.Training.Attach(a.name, bytes.Clone(data)) // also used when the file is closed
	}
	f.deriveOutput(&p)
	s := codec.Made(p, nil, f.verifier(p.State != nil || f.index))
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

// table returns a matrix that all words' vectors depend on. It is always in memory or mapped, even if other
// rows stay in the file.
func (f *native) table(name string) vectors.Matrix {
	t, _ := f.Tensor(name)
	rows, cols, err := t.Matrix()
	rowio.Header(f.in, err)
	return vectors.Matrix{Data: numbers[float32](f, name), Rows: rows, Cols: cols, Stride: cols}
}

// matrix returns a matrix that may be large. A missing matrix has no rows.
func (f *native) matrix(name string) vectors.Matrix {
	t, _ := f.Tensor(name)
	if !isCoded(t) {
		return f.rows[name]
	}
	rows, cols, err := t.Matrix()
	rowio.Header(f.in, err)
	var s interface {
		vectors.Storage
		CheckSizes(rows, cols int) error
	}
	if t.DType == "I8" {
		f.needs(t, tensorScales)
		s = &coded.Int8s{Codes: numbers[uint8](f, name), Scales: numbers[float32](f, name+tensorScales), Cols: cols}
	} else {
		s, cols = f.quantised(t)
	}
	if rows == 0 {
		return vectors.Matrix{Cols: cols, Stride: cols}
	}
	if err := s.CheckSizes(rows, cols); err != nil {
		f.fail("tensor %q: %w", name, err)
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

func (f *native) quantised(t safetensors.Tensor) (*coded.Quantised, int) {
	size, cols, err := f.needs(t, tensorCentroids).Matrix()
	rowio.Header(f.in, err)
	key := t.Name + metaPart
	part, err := strconv.ParseInt(f.Metadata[key], 10, 32)
	switch {
	case err != nil || part < 1 || part > int64(cols):
		f.fail("metadata %q: expected a number from 1 to %d, found %.20q", key, cols, f.Metadata[key])
	case size > pq.MaxSize:
		f.fail("tensor %q: expected at most %d rows, found %d", t.Name+tensorCentroids, pq.MaxSize, size)
	case size == 0 && t.Size() > 0:
		f.fail("tensor %q: expected at least one row, found none", t.Name+tensorCentroids)
	}
	q := &coded.Quantised{
		Book:  pq.BookOf(numbers[float32](f, t.Name+tensorCentroids), cols, int(part)),
		Codes: numbers[uint8](f, t.Name), NormCodes: numbers[uint8](f, t.Name+tensorNormCodes),
		Norms: numbers[float32](f, t.Name+tensorNorms), Rotation: numbers[float32](f, t.Name+tensorRotation),
	}
	if q.NormCodes != nil {
		f.needs(t, tensorNorms)
	}
	return q, cols
}

func (f *native) putSubword(p *vectors.Parts) {
	if kind, ok := f.Metadata[metaSubword]; ok {
		encoded := subword.Encoded{Kind: kind, Settings: f.Metadata, NgramRows: slices.Clone(numbers[uint32](f, tensorNgramRow)), Kept: numbers[uint32](f, tensorKept)}
		if at := numbers[uint64](f, tensorNgramAt); at != nil {
			list := vectors.WordsOf(vectors.WordTable{Text: slices.Clone(numbers[uint8](f, tensorNgrams)), Offsets: at})
			if len(at) == 0 {
				f.fail("n-grams: tensor %q: expected at least one offset, found none", tensorNgramAt)
			}
			if err := list.Check(); err != nil {
				f.fail("n-grams: tensor %q: %s", tensorNgramAt, err)
			}
			encoded.Ngrams = list.Strings()
		}
		sub, err := encoded.Indexer()
		if err != nil {
			f.fail("n-grams: %s", strings.TrimPrefix(err.Error(), "subword: "))
		}
		p.Subword = sub
	}
	for _, name := range []string{tensorKept, tensorBucketSet} {
		if f.Has(name) && p.Subword == nil {
			f.fail("tensor %q: expected only with metadata %q", name, metaSubword)
		}
	}
	p.BucketRows = numbers[int32](f, tensorBucketRow)
	if set := numbers[uint8](f, tensorBucketSet); set != nil {
		var err error
		p.BucketRows, err = expandBuckets(set, p.BucketRows, p.Subword.Rows())
		rowio.Header(f.in, err)
	}
}

// labelRows are the matrices of a classifier.
var labelRows = []string{tensorLabels, tensorLabelNodes, tensorLabelRuns}

func (f *native) putLabels(p *vectors.Parts) {
	at := numbers[uint64](f, tensorLabelAt)
	if at == nil {
		for _, t := range f.Tensors {
			if f.types[t.Name] != "" && strings.HasPrefix(t.Name, "label_") || t.Name == tensorLabels {
				f.fail("tensor %q: expected only beside a tensor %q", t.Name, tensorLabelAt)
			}
		}
		return
	}
	if len(at) == 0 {
		f.fail("tensor %q: expected at least one offset, found none", tensorLabelAt)
	}
	l := &vectors.Labels{
		// Labels are few: they are copied, and looked at when the file is opened.
		Names:  vectors.WordsOf(vectors.WordTable{Text: slices.Clone(numbers[uint8](f, tensorLabelNames)), Offsets: slices.Clone(at)}),
		Counts: slices.Clone(numbers[uint64](f, tensorLabelCounts)),
		Rows:   f.matrix(tensorLabels), Runs: f.matrix(tensorLabelRuns), RunBuckets: slices.Clone(numbers[uint32](f, tensorRunBuckets)),
	}
	if f.Has(tensorLabelNodes) {
		if f.Has(tensorLabels) {
			f.fail("expected one of the tensors %q and %q, found both", tensorLabels, tensorLabelNodes)
		}
		l.Rows, l.Nodes = f.matrix(tensorLabelNodes), true
	}
	if err := l.Names.Check(); err != nil {
		f.fail("tensor %q: %w", tensorLabelAt, err)
	}
	if text, ok := f.Metadata[metaRunBuckets]; ok {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			f.fail("metadata %q: expected a number of buckets, found %.20q", metaRunBuckets, text)
		}
		l.Buckets = int(n)
		for _, b := range l.RunBuckets {
			if int64(b) >= n {
				f.fail("tensor %q: expected buckets below %d, found %d", tensorRunBuckets, n, b)
			}
		}
	}
	p.Labels = l
}

func (f *native) putStateRows(p *vectors.Parts) {
	n := 0
	for _, t := range f.types {
		if t == stateRows {
			n++
		}
	}
	for i := range n {
		name := tensorRows + strconv.Itoa(i)
		if f.types[name] != stateRows {
			f.fail("expected a tensor %q beside the other %d of the kind, found none", name, n)
		}
		p.StateRows = append(p.StateRows, f.rows[name])
	}
}

func expandBuckets(set []uint8, trained []int32, buckets int) ([]int32, error) {
	if len(set) != (buckets+7)/8 {
		return nil, fmt.Errorf("tensor %q: expected %d bytes for %d buckets, found %d", tensorBucketSet, (buckets+7)/8, buckets, len(set))
	}
	n := 0
	for _, b := range set {
		n += bits.OnesCount8(b)
	}
	if spare := len(set)*8 - buckets; spare > 0 && set[len(set)-1]>>(8-spare) != 0 {
		return nil, fmt.Errorf("tensor %q: expected no bits after that of bucket %d, found some", tensorBucketSet, buckets-1)
	}
	if n != len(trained) {
		return nil, fmt.Errorf("tensor %q: expected a row for each of the %d bits of %q, found %d", tensorBucketRow, n, tensorBucketSet, len(trained))
	}
	rows := make([]int32, buckets)
	for b := range rows {
		if set[b/8]>>(b%8)&1 == 0 {
			rows[b] = -1
			continue
		}
		rows[b], trained = trained[0], trained[1:]
	}
	return rows, nil
}

// rowNames returns the names of matrices with many rows, which may have any encoding.
func rowNames() []string {
	names := []string{tensorInput, tensorOutput}
	for _, k := range vectors.MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// tableNames returns the names of matrices with few rows, which are float32.
func (f *native) tableNames() []string {
	names := []string{tensorProjection}
	for _, k := range vectors.MatrixKinds() {
		if k.Table {
			names = append(names, k.Name)
		}
	}
	for name := range strings.SplitSeq(f.Metadata[metaMatrices], ",") {
		if f.Has(name) && !isKnown(name) {
			names = append(names, name)
		}
	}
	return names
}

func isKnown(name string) bool {
	return slices.ContainsFunc(vectors.MatrixKinds(), func(k vectors.MatrixKind) bool { return k.Name == name })
}

func (f *native) multiply(p *vectors.Parts) {
	var x vectors.Matrix
	projected := f.Has(tensorProjection)
	if projected {
		x = f.table(tensorProjection)
	}
	switch {
	case projected && (x.Rows < 1 || x.Cols < 1 || x.Rows != p.Input.Cols):
		f.fail("tensor %q: expected %d rows of at least one number, as %q has columns, found %d×%d",
			tensorProjection, p.Input.Cols, tensorInput, x.Rows, x.Cols)
	case projected:
		p.Input = vectors.Product(p.Input, x)
	case f.Metadata[metaVersion] != version:
		f.fail("expected a tensor %q in a file of version %q, found none", tensorProjection, factoredVersion)
	}
}

func (f *native) deriveOutput(p *vectors.Parts) {
	context, made := p.MadeOutput()
	tied := f.Metadata[metaTied] == "true"
	switch {
	case tied && (p.Subword != nil || p.WordRows != nil):
		f.fail("metadata %q: expected only in a set of plain words, each with a row of its own", metaTied)
	case (tied || made || p.OutputIsInput()) && p.Output.Rows > 0 || tied && made:
		f.fail("expected one of metadata %q, tensor %q and tensor %q, found several", metaTied, tensorOutput, vectors.MatrixPositionOutput)
	case tied:
		p.Training.Set("tied", true)
		p.Output = p.Input
	case made:
		if n, rows := p.Words.Len(), matrixOf(p, vectors.MatrixPositionOutput).Rows; n == 0 || rows < n {
			f.fail("tensor %q: expected rows for each of %d words, found %d", vectors.MatrixPositionOutput, n, rows)
		}
		p.Output = context
	}
}

func matrixOf(p *vectors.Parts, name string) vectors.Matrix {
	for _, m := range p.Matrices {
		if m.Name == name {
			return m.Matrix
		}
	}
	return vectors.Matrix{}
}
