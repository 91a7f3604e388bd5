package finalfusion

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

type reader struct {
	in *source.Input

	words   vectors.WordsBuilder
	subword subword.Indexer
	input   vectors.Matrix
	norms   []float32

	training vectors.Training
	unread   []string
	text     []byte // the last string read
}

func read(in *source.Input) *vectors.Set {
	f := reader{in: in}
	chunks := f.header()
	if len(chunks) > 0 && chunks[0] == chunkMetadata {
		f.metadata()
		chunks = chunks[1:]
	}
	if len(chunks) < 2 || len(chunks) > 3 || len(chunks) == 3 && chunks[2] != chunkNorms {
		in.FailAt(8, "expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found %d", chunks)
	}
	f.vocabulary(chunks[0])
	f.rows(chunks[1])
	if len(chunks) == 3 || f.unlistedNorms() {
		f.readNorms()
	}
	in.End()
	p := vectors.Parts{
		Words: f.words.Words(), Input: f.input, Subword: f.subword, Training: f.training,
		Source: in.Behind, Origin: vectors.Origin{Format: codec.Finalfusion, Unread: f.unread},
	}
	if f.norms != nil {
		p.Input = vectors.Normed(f.input, f.norms)
	}
	if subword.CompositionOf(f.subword).OwnRows() && f.subword != nil {
		p.Composition = subword.Whole
	}
	s := codec.Unchecked(p)
	check := s.Check
	if in.Mapped() {
		check = s.CheckSizes
	}
	if err := check(); err != nil {
		in.Fail("%w", err)
	}
	return s
}

// header reads the beginning of the file and returns the kinds of its chunks.
func (f *reader) header() []uint32 {
	var head struct {
		Magic           [4]byte
		Version, Chunks uint32
	}
	f.in.Decode(&head, "a finalfusion file")
	const most = 16 // Larger numbers are always wrong. With this limit, an error can list all kinds.
	switch {
	case string(head.Magic[:]) != magic:
		f.in.FailAt(0, "expected %q, found %q", magic, head.Magic[:])
	case head.Version != version:
		f.in.FailAt(4, "expected version %d of the %s format, found %d", version, codec.Finalfusion, head.Version)
	case head.Chunks > most:
		f.in.FailAt(8, "expected a few chunks, found %d", head.Chunks)
	}
	return source.ReadArray[uint32](f.in, nil, int64(head.Chunks), "the list of chunks")
}

// chunk reads the beginning of a chunk of that kind. It returns its length and the offset behind it.
func (f *reader) chunk(kind uint32) (length uint64, at int64) {
	at = f.in.Offset
	var head struct {
		Kind   uint32
		Length uint64
	}
	f.in.Decode(&head, "a chunk")
	if head.Kind != kind {
		f.in.FailAt(at, "expected a chunk of kind %d, as the list of chunks says, found %d", kind, head.Kind)
	}
	return head.Length, f.in.Offset
}

func (f *reader) rows(kind uint32) {
	defer source.Within(func() string { return "the rows" })
	switch kind {
	case chunkArray:
		_, at := f.chunk(kind)
		var head struct {
			Rows       uint64
			Cols, Type uint32
		}
		f.in.Decode(&head, "the size of the matrix")
		f.checkRows(at, head.Rows)
		f.numbers(head.Type)
		f.input = rowio.Read(f.in, int64(head.Rows), int64(head.Cols), "the matrix")
	case chunkQuantised:
		f.quantised()
	default:
		f.in.FailAt(8, "expected a chunk of kind 2 or 4, found %d", kind)
	}
}

// checkRows compares the number of rows, which was read at an offset, with the vocabulary.
func (f *reader) checkRows(at int64, rows uint64) {
	want, what := uint64(f.words.Len()), "words"
	if f.subword != nil {
		want += uint64(f.subword.Rows())
		what = "words and n-grams"
	}
	if rows != want {
		f.in.FailAt(at, "expected %d rows, one each for the %s, found %d", want, what, rows)
	}
}

// numbers checks the type of the following numbers and skips their padding.
func (f *reader) numbers(kind uint32) {
	if kind != typeFloat32 {
		f.in.FailAt(f.in.Offset-4, "expected numbers of type %d, float32, found type %d", typeFloat32, kind)
	}
	f.in.Skip(paddingAt(f.in.Offset), "padding")
}

// unlistedNorms reports whether norms follow the rows although the list of chunks omits them. Programs of
// 2019 wrote such files, and finalfusion's readers find norms by position. Anything else after the rows is an
// error.
func (f *reader) unlistedNorms() bool {
	const size = 4 // bytes of a chunk's kind
	next, err := f.in.Peek(size)
	switch {
	case len(next) == size && binary.LittleEndian.Uint32(next) == chunkNorms:
		return true
	case len(next) == size:
		f.in.Fail("expected the end of the file or a chunk of norms (6), found more bytes, of kind %d if they are a chunk",
			binary.LittleEndian.Uint32(next))
	case err != nil && !errors.Is(err, io.EOF):
		f.in.Fail("%w", err)
	}
	return false // the rest is reported as an error later
}

// readNorms reads the norms by which words' rows were divided.
func (f *reader) readNorms() {
	defer source.Within(func() string { return "the norms" })
	_, at := f.chunk(chunkNorms)
	var head struct {
		Norms uint64
		Type  uint32
	}
	f.in.Decode(&head, "the number of norms")
	if n := f.words.Len(); head.Norms != uint64(n) {
		f.in.FailAt(at, "expected norms of %d words, found %d", n, head.Norms)
	}
	f.numbers(head.Type)
	f.norms = source.Array[float32](f.in, int64(head.Norms), "norms")
}

// A quantisedHead is the beginning of a chunk of quantised rows. After the padding come, in this order: the
// optional rotation, the centroids, the optional norms of all rows, and the codes.
type quantisedHead struct {
	Rotated, Norms         uint32 // 1 if present
	Parts, Dim, Size       uint32
	Rows                   uint64
	CodeType, CentroidType uint32
}

func (f *reader) quantised() {
	in := f.in
	_, at := f.chunk(chunkQuantised)
	var head quantisedHead
	in.Decode(&head, "sizes of quantised rows")
	switch {
	case head.Dim < 1 || head.Dim > math.MaxInt32 || head.Parts < 1 || head.Dim%head.Parts != 0:
		in.FailAt(at+8, "expected rows of equal parts, found %d parts of %d dimensions", head.Parts, head.Dim)
	case head.Size < 1 || head.Size > pq.MaxSize:
		in.FailAt(at+16, "expected from 1 to %d centroids a part, found %d", pq.MaxSize, head.Size)
	case head.CodeType != typeUint8:
		in.FailAt(at+28, "expected codes of type %d, uint8, found type %d", typeUint8, head.CodeType)
	}
	f.checkRows(at+20, head.Rows)
	f.numbers(head.CentroidType)
	rows, dim := int64(head.Rows), int64(head.Dim) // there are as many rows as words and buckets
	q := &coded.Quantised{Book: pq.Codebook{Dim: int(dim), Part: int(head.Dim / head.Parts), Size: int(head.Size)}}
	if head.Rotated != 0 {
		q.Rotation = source.Array[float32](in, dim*dim, "the rotation")
	}
	q.Book.Centroids = source.Array[float32](in, int64(head.Size)*dim, "centroids")
	if head.Norms != 0 {
		q.Norms = source.Array[float32](in, rows, "norms")
	}
	if rows > math.MaxInt32 || rows > endian.MaxBytes/int64(head.Parts) {
		in.Fail("expected codes, found those of %d rows, more than fit into memory", rows)
	}
	q.Codes = source.Array[byte](in, rows*int64(head.Parts), "codes")
	f.input = vectors.Stored(int(rows), int(dim), q)
}

// A codedRows is quantised rows in finalfusion's layout: rows of words, then rows of n-grams, cut into equal
// parts.
type codedRows struct {
	*coded.Quantised
	book  pq.Codebook
	rows  []int32   // row numbers, -1 for zeros; nil for all rows in order
	norms []float32 // factors of rows; nil for none
	words []float32 // additional factors of words' rows
}

// codesOf returns the rows of s if they are quantised and can be written as codes. That is possible if every
// word has a row that includes its n-grams. Otherwise it returns nil.
func codesOf(s *vectors.Set, v vocab) (*codedRows, error) {
	inner, words, normalised := s.Input().Norms()
	if !normalised {
		inner = s.Input()
	}
	q, ok := inner.Storage.(*coded.Quantised)
	if !ok || v.words > 0 && s.Composes() {
		return nil, nil
	}
	book := equalParts(q.Book)
	n := v.words + v.buckets
	inOrder := s.SharedParts().WordRows == nil && s.SharedParts().BucketRows == nil && s.Input().Rows == n
	if inOrder && q.NormCodes == nil && len(words) == v.words && (normalised || v.words == 0) {
		return &codedRows{Quantised: q, book: book, norms: q.Norms, words: words}, nil
	}
	q, _ = s.Input().Coded().(*coded.Quantised)
	codes := &codedRows{Quantised: q, book: book, norms: make([]float32, n)}
	if !inOrder {
		codes.rows = make([]int32, n)
	}
	for i := range n {
		r := i
		switch {
		case inOrder:
		case i < v.words:
			r = s.OwnRow(i)
		default:
			r = s.BucketRow(uint32(i - v.words))
		}
		if !inOrder {
			codes.rows[i] = int32(r)
		}
		if r >= 0 {
			codes.norms[i] = q.Norm(r)
		}
	}
	if v.words == 0 {
		return codes, nil
	}
	// finalfusion expects words' rows of length 1.
	unit := make([]float32, s.Dim())
	for id, vector := range s.All() {
		norm := normalise(unit, vector)
		if norm != 0 {
			codes.norms[id] /= norm
		}
		codes.words = append(codes.words, norm)
	}
	return codes, s.Err()
}

// equalParts returns an equivalent codebook with equal parts: b itself, or a codebook with smaller parts,
// several of which share a code.
func equalParts(b pq.Codebook) pq.Codebook {
	part, rest := b.Part, b.Dim%b.Part
	if rest == 0 {
		return b
	}
	for rest > 0 { // Euclid's algorithm
		part, rest = rest, part%rest
	}
	return pq.BookOf(b.Rows(), b.Dim, part)
}

func (f *writer) codes(q *codedRows) {
	parts := q.book.Parts()
	rows := len(q.Quantised.Codes) / q.Quantised.Book.Parts()
	if q.rows != nil {
		rows = len(q.rows)
	}
	head := quantisedHead{
		Parts: uint32(parts), Dim: uint32(q.book.Dim), Size: uint32(q.book.Size),
		Rows: uint64(rows), CodeType: typeUint8, CentroidType: typeFloat32,
	}
	if q.Rotation != nil {
		head.Rotated = 1
	}
	if q.norms != nil {
		head.Norms = 1
	}
	size := 4*uint64(len(q.Rotation)+len(q.book.Centroids)+len(q.norms)) + uint64(rows)*uint64(parts)
	f.numbers(chunkQuantised, size, head)
	for _, numbers := range [][]float32{q.Rotation, q.book.Centroids, q.norms} {
		endian.Write(f.w, numbers)
	}
	if q.rows == nil && q.book.Part == q.Quantised.Book.Part {
		f.w.Write(q.Quantised.Codes)
		return
	}
	codes := make([]byte, parts)
	for i := range rows {
		r := i
		if q.rows != nil {
			r = int(q.rows[i])
		}
		clear(codes) // a row of zeros has norm 0, so its codes do not matter
		if r >= 0 {
			for p := range codes {
				codes[p] = q.Of(r)[p*q.book.Part/q.Quantised.Book.Part]
			}
		}
		if _, err := f.w.Write(codes); err != nil {
			return
		}
	}
}
