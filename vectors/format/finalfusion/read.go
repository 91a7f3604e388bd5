package finalfusion

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

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
	in.CheckAt(in.Offset, check())
	return s
}

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

func (f *reader) numbers(kind uint32) {
	if kind != typeFloat32 {
		f.in.FailAt(f.in.Offset-4, "expected numbers of type %d, float32, found type %d", typeFloat32, kind)
	}
	f.in.Skip(paddingAt(f.in.Offset), "padding")
}

// unlistedNorms reports whether norms follow the rows although the list of chunks omits them. Programs of 2019
// wrote such files, and finalfusion's readers find norms by position. Anything else after the rows is an error.
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
	rows  []int32   // row numbers, -1 for zeros
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
	codes := &codedRows{Quantised: q, book: equalParts(q.Book), rows: make([]int32, v.words+v.buckets), norms: q.Norms, words: words}
	for i := range codes.rows {
		if i < v.words {
			codes.rows[i] = int32(s.OwnRow(i))
		} else {
			codes.rows[i] = int32(s.BucketRow(uint32(i - v.words)))
		}
	}
	inOrder := s.SharedParts().WordRows == nil && s.SharedParts().BucketRows == nil && s.Input().Rows == len(codes.rows)
	if inOrder && q.NormCodes == nil && len(words) == v.words && (normalised || v.words == 0) {
		return codes, nil
	}
	codes.Quantised, _ = s.Input().Coded().(*coded.Quantised)
	codes.norms, codes.words = make([]float32, len(codes.rows)), nil
	for i, r := range codes.rows {
		if r >= 0 {
			codes.norms[i] = codes.Norm(int(r))
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
	head := quantisedHead{
		Parts: uint32(parts), Dim: uint32(q.book.Dim), Size: uint32(q.book.Size),
		Rows: uint64(len(q.rows)), CodeType: typeUint8, CentroidType: typeFloat32,
	}
	if q.Rotation != nil {
		head.Rotated = 1
	}
	if q.norms != nil {
		head.Norms = 1
	}
	size := 4*uint64(len(q.Rotation)+len(q.book.Centroids)+len(q.norms)) + uint64(len(q.rows))*uint64(parts)
	f.numbers(chunkQuantised, size, head)
	for _, numbers := range [][]float32{q.Rotation, q.book.Centroids, q.norms} {
		endian.Write(f.w, numbers)
	}
	codes := make([]byte, parts)
	for _, r := range q.rows {
		clear(codes) // a row of zeros has norm 0, so its codes do not matter
		if r >= 0 {
			of := q.Of(int(r))
			for p := range codes {
				codes[p] = of[p*q.book.Part/q.Quantised.Book.Part]
			}
		}
		if _, err := f.w.Write(codes); err != nil {
			return
		}
	}
}

type vocab struct {
	kind    uint32
	head    []any    // leading numbers
	words   int      // number of the set's words: all or none
	ngrams  []ngram  // listed n-grams
	marks   []string // marks of the beginning and end of a word, if they are variable
	buckets int      // number of n-gram rows
}

type ngram struct {
	text string
	row  uint32
}

func vocabOf(s *vectors.Set) vocab {
	words := uint64(s.Len())
	v := vocab{kind: chunkSimpleVocab, head: []any{words}, words: s.Len()}
	hashed := func(kind uint32, minn, maxn, buckets int) {
		v.kind, v.buckets = kind, s.Subword().Rows()
		v.head = []any{words, uint32(minn), uint32(maxn), uint32(buckets)}
	}
	switch sub := subword.Value(s.Subword()).(type) {
	case nil:
	case subword.FastText:
		// fastText treats a minn of 0 as 1, and a maxn below minn as no n-grams. finalfusion does neither.
		if minn := max(sub.MinN, 1); sub.MaxN >= minn {
			hashed(chunkFastTextVocab, minn, sub.MaxN, sub.Buckets)
		}
	case subword.Finalfusion:
		hashed(chunkBucketVocab, sub.MinN, sub.MaxN, sub.Exponent)
	case *subword.Explicit:
		v.kind, v.buckets, v.ngrams = chunkExplicitVocab, sub.Rows(), ngramsOf(sub)
		v.head = []any{words, uint64(len(v.ngrams)), uint32(sub.MinN()), uint32(sub.MaxN())}
	case subword.Floret:
		v.kind, v.words, v.buckets, v.marks = chunkFloretVocab, 0, sub.Buckets, []string{sub.BOW, sub.EOW}
		v.head = []any{uint32(sub.MinN), uint32(sub.MaxN), uint64(sub.Buckets), uint32(sub.Hashes), sub.Seed}
	}
	return v
}

// ngramsOf returns listed n-grams in an order in which their rows first occur in ascending order, as
// finalfusion-rust assumes. If the list has such an order, it is kept.
func ngramsOf(sub *subword.Explicit) []ngram {
	texts, rows := sub.List()
	ngrams := make([]ngram, len(texts))
	next, ordered := uint32(0), true
	for i, text := range texts {
		ngrams[i] = ngram{text, rows[i]}
		if rows[i] == next {
			next++
		} else if rows[i] > next {
			ordered = false
		}
	}
	if !ordered {
		slices.SortStableFunc(ngrams, func(a, b ngram) int { return int(a.row) - int(b.row) })
	}
	return ngrams
}

// vocabulary writes the chunk of the vocabulary. It is written twice, the first time only to count its bytes.
func (f *writer) vocabulary(s *vectors.Set, v vocab) {
	content := func(f *writer) {
		f.put(v.head...)
		for id := range v.words {
			f.string(s.Words().At(id))
		}
		for _, n := range v.ngrams {
			f.string(n.text)
			f.put(uint64(n.row))
		}
		for _, mark := range v.marks {
			f.string(mark)
		}
	}
	counter := &writer{w: bufio.NewWriter(io.Discard)}
	content(counter)
	f.put(v.kind, uint64(counter.at))
	content(f)
}

func (f *reader) vocabulary(kind uint32) {
	defer source.Within(func() string { return "the vocabulary" })
	if !slices.Contains([]uint32{chunkSimpleVocab, chunkBucketVocab, chunkFastTextVocab, chunkExplicitVocab, chunkFloretVocab}, kind) {
		f.in.FailAt(8, "expected a chunk of kind 1, 3, 7, 8 or 9, found %d", kind)
	}
	_, at := f.chunk(kind)
	switch kind {
	case chunkExplicitVocab:
		f.explicit(at)
		return
	case chunkFloretVocab:
		f.floret(at)
		return
	}
	var words uint64
	f.in.Decode(&words, "the number of words")
	if kind != chunkSimpleVocab {
		f.buckets(kind)
	}
	f.readWords(words)
}

func (f *reader) buckets(kind uint32) {
	at := f.in.Offset
	var head struct{ MinN, MaxN, Buckets uint32 }
	f.in.Decode(&head, "settings of n-grams")
	if max(head.MinN, head.MaxN, head.Buckets) > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and a number of buckets up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets)
	}
	minn, maxn, n := int(head.MinN), int(head.MaxN), int(head.Buckets)
	if f.subword = (subword.FastText{MinN: minn, MaxN: maxn, Buckets: n}); kind == chunkBucketVocab {
		f.subword = subword.Finalfusion{MinN: minn, MaxN: maxn, Exponent: n}
	}
	f.in.CheckAt(at, subword.Readable(f.subword))
}

func (f *reader) explicit(at int64) {
	var head struct {
		Words, Ngrams uint64
		MinN, MaxN    uint32
	}
	f.in.Decode(&head, "numbers of words and n-grams")
	if max(head.MinN, head.MaxN) > math.MaxInt32 || head.Ngrams > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and a number of n-grams up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Ngrams)
	}
	f.readWords(head.Words)
	at = f.in.Offset
	ngrams, rows := f.ngrams(head.Ngrams)
	sub, err := subword.NewExplicit(int(head.MinN), int(head.MaxN), ngrams, rows)
	f.in.CheckAt(at, err)
	f.subword = sub
}

func (f *reader) ngrams(n uint64) (ngrams []string, rows []uint32) {
	i := uint64(0)
	defer source.Within(func() string { return fmt.Sprintf("n-gram %d of %d", i+1, n) })
	const least = 12 // minimum size of an n-gram in bytes
	room := f.in.Backed(int64(n), least)
	ngrams, rows = make([]string, 0, room), make([]uint32, 0, room)
	for ; i < n; i++ {
		ngrams = append(ngrams, string(f.string()))
		var row struct{ Index uint64 }
		f.in.Decode(&row, "the row of an n-gram")
		if row.Index >= n {
			f.in.FailAt(f.in.Offset-8, "found row %d", row.Index)
		}
		rows = append(rows, uint32(row.Index))
	}
	return ngrams, rows
}

func (f *reader) floret(at int64) {
	var head struct {
		MinN, MaxN   uint32
		Buckets      uint64
		Hashes, Seed uint32
	}
	f.in.Decode(&head, "settings of n-grams")
	if max(head.MinN, head.MaxN, head.Hashes) > math.MaxInt32 || head.Buckets > math.MaxInt32 {
		f.in.FailAt(at, "expected lengths and numbers up to %d, found n-grams of %d to %d, %d buckets and %d hashes",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets, head.Hashes)
	}
	mark := func() string {
		defer source.Within(func() string { return "the mark of the beginning or end of a word" })
		return string(f.string())
	}
	sub := subword.Floret{
		MinN: int(head.MinN), MaxN: int(head.MaxN), Buckets: int(head.Buckets),
		Hashes: int(head.Hashes), Seed: head.Seed, BOW: mark(), EOW: mark(),
	}
	f.in.CheckAt(at, sub.Validate())
	f.subword = sub
}

func (f *reader) readWords(n uint64) {
	if n > math.MaxInt32 {
		f.in.Fail("expected at most %d words, found %d", math.MaxInt32, n)
	}
	i := uint64(0)
	defer source.Within(func() string { return fmt.Sprintf("word %d of %d", i+1, n) })
	f.words.Grow(f.in.Backed(int64(n), 4))
	for ; i < n; i++ {
		f.words.Add(string(f.string()))
	}
}

// string reads a length and a text. The text is valid until the next call.
func (f *reader) string() []byte {
	at := f.in.Offset
	var length [4]byte
	f.in.Full(length[:], "the length of a text")
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > source.MaxWord {
		f.in.FailAt(at, "expected a text of at most %d bytes, found %d", source.MaxWord, n)
	}
	f.text = source.ReadArray(f.in, f.text[:0], n, "a text")
	if !utf8.Valid(f.text) {
		f.in.FailAt(at+4, "expected UTF-8, found %.40q", f.text)
	}
	return f.text
}
