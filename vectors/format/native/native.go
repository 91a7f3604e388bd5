// Package native reads and writes the native format of w2v: a safetensors file with everything that a set
// holds, which is mapped into memory and not read. Training states of checkpoints are native files too, with
// a checksum of the whole file. docs/format.md describes the format; keep it in sync with this package.
// Source of the container: github.com/huggingface/safetensors.
package native

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Versions of the format.
const (
	version = "1"
	// factoredVersion is the version of files with a projection. Readers that do not know projections would
	// take their rows for vectors.
	factoredVersion = "2"
	// align is the alignment of the input matrix: a cache line.
	align = 64
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

// Tensors of a classifier.
const (
	tensorLabelAt     = "label_offsets"     // U64 [L+1]
	tensorLabelCounts = "label_counts"      // U64 [L]
	tensorLabels      = "labels"            // F32, or as input, [L, D]
	tensorLabelNodes  = "label_nodes"       // the same in place of labels with hierarchical softmax, [L-1 or L, D]
	tensorLabelRuns   = "label_runs"        // as input: rows of word n-grams of a pruned classifier
	tensorRunBuckets  = "label_run_buckets" // U32: the bucket of each of them
	tensorLabelNames  = "label_names"       // U8 [label_offsets[L]]
)

// attachments are the tensors of attachments of Training, each U8 [its bytes].
var attachments = []struct{ name, tensor string }{
	{vectors.AttachedTokenizer, "tokenizer_json"},
	{vectors.AttachedPhrases, "phrase_table"},
}

// Suffixes of a matrix's name for the tensors that belong to its codes.
const (
	tensorScales    = "_scales"     // F32 [R], scales of I8 rows
	tensorCentroids = "_centroids"  // F32 [at most 256, D], for U8 rows
	tensorNorms     = "_norms"      // F32 [R], or one per distinct norm code
	tensorNormCodes = "_norm_codes" // U8 [R]
	tensorRotation  = "_rotation"   // F32 [D, D]
)

const (
	metaFormat     = "format"
	metaVersion    = "version"
	metaTraining   = "training"
	metaSubword    = "subword"
	metaCompose    = "composition"
	metaTied       = "tied"        // the output matrix is the input matrix
	metaMatrices   = "matrices"    // additional matrices, which are kept unchanged
	metaRunBuckets = "run_buckets" // of how many buckets label_runs are
	metaPart       = "_part"       // suffix of a matrix's name for the length of its parts
)

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.W2V,
	Extensions: []codec.Extension{{Name: ".w2v", Sets: codec.AnySets}, {Name: ".safetensors", Sets: codec.AnySets}},
	Sniff:      sniff,
	Decode:     read,
	Maps:       true,
	Write:      write,
	Size:       sizeOf,
	Subword:    checkSubword,
	DTypes:     vectors.DTypes(),
	Keeps: codec.Kept{
		Subwords: true, Context: true, Nodes: true, Rest: true, Labels: true, Counts: true, State: true, Words: true,
		Training: vectors.TrainingNames(), Attached: vectors.Attachments(),
	},
	Programs: "whatever reads safetensors, numpy",
}

func sizeOf(s vectors.Shape) float64 {
	bytes := codec.WordSize(s, 8) + 4*float64(s.Listed) + float64(s.State)
	if s.Counts {
		bytes += 8 * float64(s.Words)
	}
	if s.Words > 0 {
		bytes += 4 * float64(uint64(1)<<bits.Len(uint(s.Words+s.Words/2)))
	}
	bytes += float64(s.Attached) + float64(s.Labels)
	row := s.RowBytes
	if row == 0 {
		row = 4 * s.Dim
	}
	if !s.ContextMade {
		bytes += float64(s.ContextBytes) * float64(s.Words)
	}
	return bytes + float64(row)*float64(s.Rows) + float64(s.Beside)
}

// sniff recognizes our safetensors files by their metadata or, if another program has dropped the metadata,
// by their tensors.
func sniff(head []byte) bool { return is(head, codec.W2V, tensorOffsets) }

// is reports whether a file is of safetensors and has metadata of a format, or a tensor that only this format has.
func is(head []byte, format, tensor string) bool {
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
		if key == tensor {
			return true
		}
		var value struct{ Format string }
		err = d.Decode(&value)
		if key == "__metadata__" && value.Format == format {
			return true
		}
		if _, ok := errors.AsType[*json.SyntaxError](err); ok || errors.Is(err, io.ErrUnexpectedEOF) {
			return false
		}
	}
	return false
}

func write(w *bufio.Writer, s *vectors.Set) error { return writeWith(w, s, nil) }

// writeWith writes a set or, if it has a graph, an index.
func writeWith(w *bufio.Writer, s *vectors.Set, g *Graph) error {
	metadata := map[string]string{metaFormat: codec.W2V, metaVersion: version}
	training, err := json.Marshal(s.Training())
	if err != nil {
		return err
	}
	metadata[metaTraining] = string(training)
	rows, projection, factored := s.Input().Factors()
	if factored {
		metadata[metaVersion] = factoredVersion
	} else {
		rows = s.Input()
	}
	if name := s.Composition().Name(); s.Subword() != nil && name != "" {
		metadata[metaCompose] = name
	}
	sub, err := encodedSubword(metadata, s.Subword())
	if err != nil {
		return err
	}

	table := s.Words().Table()
	offsets, slots := table.Offsets, table.Slots
	words := uint64(s.Len())
	var sections []safetensors.Section
	add := func(s safetensors.Section) { sections = append(sections, s) }
	add(safetensors.Array(tensorOffsets, "U64", []uint64{words + 1}, offsets))
	parts := s.SharedParts()
	if parts.Counts != nil {
		add(safetensors.Array(tensorCounts, "U64", []uint64{words}, parts.Counts))
	}
	sections = append(sections, ngramSections(sub)...)
	sections = append(sections, matrixSections(s, tensorInput, rows, metadata)...)
	_, made := parts.MadeOutput()
	switch {
	case s.Output().Rows == 0 || made: // no output rows, or rows that others make
	case parts.OutputIsInput():
		metadata[metaTied] = "true"
	default:
		sections = append(sections, matrixSections(s, tensorOutput, s.Output(), metadata)...)
	}
	var further []string
	for _, m := range namedMatrices(s, projection) {
		sections = append(sections, matrixSections(s, m.Name, m.Matrix, metadata)...)
		if m.Name != tensorProjection && !isKnown(m.Name) {
			further = append(further, m.Name)
		}
	}
	if len(further) > 0 {
		metadata[metaMatrices] = strings.Join(further, ",")
	}
	sections = append(sections, labelSections(s, metadata)...)
	if parts.WordRows != nil {
		add(safetensors.Array(tensorWordRow, "U32", []uint64{words}, parts.WordRows))
	}
	sections = append(sections, bucketSections(s)...)
	if sub.Kept != nil {
		add(safetensors.List(tensorKept, "U32", sub.Kept))
	}
	add(safetensors.List(tensorSlots, "U32", slots))
	add(safetensors.Array(tensorWords, "U8", []uint64{offsets[words]}, table.Text))
	for _, a := range attachments {
		if data := s.Training().Attached(a.name); data != nil {
			add(safetensors.List(a.tensor, "U8", data))
		}
	}
	sections = append(sections, stateSections(s)...)
	if g != nil {
		sections = append(sections, g.sections(s.Len(), metadata)...)
	}
	// Larger item sizes come first, so that everything is aligned without gaps.
	slices.SortStableFunc(sections, func(a, b safetensors.Section) int { return cmp.Compare(b.ItemSize(), a.ItemSize()) })
	aligned := tensorInput
	if s.Input().Encoding() != string(vectors.F32) {
		aligned = tensorOffsets
	}
	if parts.State != nil || g != nil {
		return writeChecked(w, sections, metadata, aligned)
	}
	return safetensors.Write(w, sections, metadata, aligned, align)
}

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

// labelSections returns the tensors of a classifier.
func labelSections(s *vectors.Set, metadata map[string]string) []safetensors.Section {
	l := s.Labels()
	if l == nil {
		return nil
	}
	table := l.Names.Table()
	name := tensorLabels
	if l.Nodes {
		name = tensorLabelNodes
	}
	sections := append(matrixSections(s, name, l.Rows, metadata),
		safetensors.List(tensorLabelAt, "U64", table.Offsets),
		safetensors.List(tensorLabelNames, "U8", []byte(table.Text)))
	if l.Counts != nil {
		sections = append(sections, safetensors.List(tensorLabelCounts, "U64", l.Counts))
	}
	if l.Buckets > 0 {
		metadata[metaRunBuckets] = strconv.Itoa(l.Buckets)
		sections = append(sections, safetensors.List(tensorRunBuckets, "U32", l.RunBuckets))
		sections = append(sections, matrixSections(s, tensorLabelRuns, l.Runs, metadata)...)
	}
	return sections
}

func checkSubword(sub subword.Indexer, _ subword.Composition) error {
	if sub == nil {
		return nil
	}
	if _, err := subword.Encode(sub); err != nil {
		return fmt.Errorf("%s cannot hold n-grams of %T", codec.W2V, sub)
	}
	return nil
}

// encodedSubword writes the parameters of sub, which may be nil, to metadata, and returns the rest of its
// encoding.
func encodedSubword(metadata map[string]string, sub subword.Indexer) (subword.Encoded, error) {
	if sub == nil {
		return subword.Encoded{}, nil
	}
	encoded, err := subword.Encode(sub)
	if err != nil {
		return encoded, err
	}
	metadata[metaSubword] = encoded.Kind
	maps.Copy(metadata, encoded.Settings)
	return encoded, nil
}

func ngramSections(sub subword.Encoded) []safetensors.Section {
	if sub.Ngrams == nil {
		return nil
	}
	at := make([]uint64, len(sub.Ngrams)+1)
	for i, ngram := range sub.Ngrams {
		at[i+1] = at[i] + uint64(len(ngram))
	}
	write := func(w *bufio.Writer) error {
		for _, ngram := range sub.Ngrams {
			if _, err := w.WriteString(ngram); err != nil {
				return err
			}
		}
		return nil
	}
	return []safetensors.Section{
		safetensors.List(tensorNgramAt, "U64", at),
		safetensors.List(tensorNgramRow, "U32", sub.NgramRows),
		safetensors.Written(tensorNgrams, "U8", []uint64{at[len(sub.Ngrams)]}, write),
	}
}

// bucketSections returns the tensors of bucket rows: a row for each bucket or, if that is shorter, a bit for
// each bucket that says whether it has a row, and the rows. The shorter form is not used for float32 rows unless the list is
// larger than the rows: it saves little there, and must be expanded when the file is opened.
func bucketSections(s *vectors.Set) []safetensors.Section {
	rows := s.SharedParts().BucketRows
	if rows == nil {
		return nil
	}
	plain := []safetensors.Section{safetensors.List(tensorBucketRow, "I32", rows)}
	if in := s.Input(); in.Encoding() == string(vectors.F32) && in.Rows*in.Cols >= len(rows) {
		return plain
	}
	n, bits := 0, (len(rows)+7)/8
	for _, r := range rows {
		if r >= 0 {
			n++
		}
	}
	if bits+4*n >= 4*len(rows) {
		return plain
	}
	set, trained := make([]uint8, bits), make([]int32, 0, n)
	for b, r := range rows {
		if r >= 0 {
			set[b/8] |= 1 << (b % 8)
			trained = append(trained, r)
		}
	}
	return []safetensors.Section{
		safetensors.List(tensorBucketRow, "I32", trained),
		safetensors.List(tensorBucketSet, "U8", set),
	}
}

// namedMatrices returns the matrices that only some sets have, in file order: a projection comes after
// learned weights of n-grams.
func namedMatrices(s *vectors.Set, projection vectors.Matrix) []vectors.NamedMatrix {
	all := s.Matrices()
	if projection.Rows == 0 {
		return all
	}
	at := slices.IndexFunc(all, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, vectors.NamedMatrix{Name: tensorProjection, Matrix: projection})
}

// The state of a training run in a native file, and the checksum of such a file. See docs/format.md.

const (
	tensorState    = "state"         // U8 [n]
	tensorRows     = "state_rows_"   // plus a number from 0: F32 [R, D]
	tensorPadding  = "state_padding" // U8 [1 to 3], aligns the checksum
	tensorChecksum = "state_crc32c"  // U32 [1], after everything else
)

const checksumSize = 4

func stateSections(s *vectors.Set) []safetensors.Section {
	state := s.SharedParts().State
	if state == nil {
		return nil
	}
	var sections []safetensors.Section
	for i, m := range s.StateRows() {
		sections = append(sections, rowio.Section(tensorRows+strconv.Itoa(i), s, m, vectors.F32))
	}
	return append(sections, safetensors.List(tensorState, "U8", state))
}

func writeChecked(w *bufio.Writer, sections []safetensors.Section, metadata map[string]string, aligned string) error {
	if n := -safetensors.Size(sections) & (checksumSize - 1); n > 0 {
		sections = append(sections, safetensors.Array(tensorPadding, "U8", []uint64{uint64(n)}, make([]byte, n)))
	}
	sum := &checksumWriter{w: w}
	sections = append(sections, safetensors.Written(tensorChecksum, "U32", []uint64{1}, func(w *bufio.Writer) error {
		if err := w.Flush(); err != nil {
			return err
		}
		return endian.Write(w, []uint32{sum.sum})
	}))
	summed := bufio.NewWriterSize(sum, checkedPiece)
	if err := safetensors.Write(summed, sections, metadata, aligned, align); err != nil {
		return err
	}
	return summed.Flush()
}

// checkedPiece is how many bytes are summed and written at a time. A piece is small enough to be still in the
// processor's cache when it is written, and larger than the next buffer, which therefore does not copy it.
const checkedPiece = codec.WriteBuffer + 4<<10

type checksumWriter struct {
	w   io.Writer
	sum uint32
}

func (c *checksumWriter) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		piece := p[:min(len(p), checkedPiece)]
		c.sum = crc32.Update(c.sum, rowio.Castagnoli, piece)
		n, err := c.w.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
		p = p[len(piece):]
	}
	return written, nil
}

type checksum struct {
	there  bool            // the file has a checksum
	last   bool            // the checksum is the last tensor
	begin  int64           // offset in the input where the file begins
	size   int64           // number of summed bytes from there
	stream *checksumWriter // computes the checksum; nil for a file in memory, mapped or not
}

// sum starts the checksum of what follows the header, if the file has a checksum. The file begins at offset
// begin of the input.
func (f *native) sum(begin int64) {
	f.checksum = checksum{begin: begin, there: f.Has(tensorChecksum)}
	if !f.checksum.there {
		return
	}
	last := f.Tensors[len(f.Tensors)-1]
	f.checksum.last = last.Name == tensorChecksum
	left := last.End - checksumSize
	f.checksum.size = f.in.Offset - begin + left
	if !f.in.Mapped() {
		f.checksum.stream = &checksumWriter{w: io.Discard, sum: f.Sum}
		f.in.Through(func(r io.Reader) io.Reader {
			return io.MultiReader(io.TeeReader(io.LimitReader(r, left), f.checksum.stream), r)
		})
	}
}

// verifier returns the Verify function of a file, or nil. state says whether the file has a training state.
func (f *native) verifier(state bool) func() error {
	c, in, number := f.checksum, f.in, numbers[uint32](f, tensorChecksum)
	at := c.begin + c.size
	fail := func(format string, args ...any) error {
		return &source.Error{Offset: at, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case !c.there && !state:
		return nil
	case !c.there:
		at = c.begin
		return func() error {
			return fail("expected a tensor %q, which tells whether a file with training state is whole, found none", tensorChecksum)
		}
	case !c.last:
		return func() error {
			return fail("expected the tensor %q after all others: another program has written this file anew, and its checksum tells nothing", tensorChecksum)
		}
	}
	sum := func() (uint32, error) { return crc32.Checksum(in.Whole[c.begin:][:c.size], rowio.Castagnoli), nil }
	switch {
	case c.stream != nil:
		found := c.stream.sum
		sum = func() (uint32, error) { return found, nil }
	case in.Again != nil:
		again := in.Again
		sum = func() (uint32, error) {
			file, err := again(c.begin)
			if err != nil {
				return 0, err
			}
			sum := &checksumWriter{w: io.Discard}
			n, err := io.CopyBuffer(sum, io.LimitReader(file, c.size), make([]byte, codec.WriteBuffer))
			if err != nil {
				err = &source.Error{Offset: c.begin + n, Err: atomicfile.Cause(err)}
			} else if n < c.size {
				err = &source.Error{Offset: c.begin + n, Err: source.Cut("tensors")}
			}
			return sum.sum, errors.Join(err, file.Close())
		}
	}
	return func() error {
		found, err := sum()
		if want := number[0]; err == nil && found != want {
			return fail("the file is damaged: expected bytes whose CRC-32C is %08x, found %08x", want, found)
		}
		return err
	}
}

func isStateRows(tensor string) bool {
	suffix, ok := strings.CutPrefix(tensor, tensorRows)
	i, err := strconv.Atoi(suffix)
	return ok && err == nil && i >= 0 && strconv.Itoa(i) == suffix
}

// IsIndex reports whether a file begins as an index.
func IsIndex(head []byte) bool { return is(head, indexFormat, tensorLinks) }
