package vectors

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
)

// A finalfusionReader takes a file apart.
type finalfusionReader struct {
	in *input

	words   WordsBuilder
	subword subword.Indexer
	input   Matrix
	norms   []float32

	training Training
	unread   []string
	text     []byte // the last string read
}

func readFinalfusion(in *input) (*Set, error) {
	f := finalfusionReader{in: in}
	chunks, err := f.header()
	if err != nil {
		return nil, err
	}
	if len(chunks) > 0 && chunks[0] == chunkMetadata {
		if err := f.metadata(); err != nil {
			return nil, err
		}
		chunks = chunks[1:]
	}
	if len(chunks) < 2 || len(chunks) > 3 || len(chunks) == 3 && chunks[2] != chunkNorms {
		return nil, in.failAt(8, "expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found %d", chunks)
	}
	if err := f.vocabulary(chunks[0]); err != nil {
		return nil, within(err, "the vocabulary")
	}
	if err := f.rows(chunks[1]); err != nil {
		return nil, within(err, "the rows")
	}
	norms := len(chunks) == 3
	if !norms {
		if norms, err = f.unlistedNorms(); err != nil {
			return nil, err
		}
	}
	if norms {
		if err := f.readNorms(); err != nil {
			return nil, within(err, "the norms")
		}
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	s := f.set()
	if in.whole != nil {
		err = s.checkSizes()
	} else {
		err = s.Check()
	}
	if err != nil {
		return nil, in.fail("%w", err)
	}
	return s, nil
}

// set puts the set together.
func (f *finalfusionReader) set() *Set {
	s := &Set{words: f.words.Words(), input: f.input, subword: f.subword, training: f.training, origin: Origin{Unread: f.unread}}
	if f.norms != nil {
		s.input = Stored(f.input.Rows, f.input.Cols, &normed{f.input, f.norms})
	}
	switch f.subword.(type) {
	case nil:
	case subword.Floret:
		s.composition = ComposePieces
	default:
		s.composition = ComposeWhole
	}
	return s
}

// header reads what the file begins with and returns the kinds of its chunks.
func (f *finalfusionReader) header() ([]uint32, error) {
	var head struct {
		Magic           [4]byte
		Version, Chunks uint32
	}
	if err := f.fields(&head, "a finalfusion file"); err != nil {
		return nil, err
	}
	if string(head.Magic[:]) != finalfusionMagic {
		return nil, f.in.failAt(0, "expected %q, found %q", finalfusionMagic, head.Magic[:])
	}
	if head.Version != finalfusionVersion {
		return nil, f.in.failAt(4, "expected version %d of the %s format, found %d", finalfusionVersion, FormatFinalfusion, head.Version)
	}
	// More than a few are never right, so that an error can show them all.
	const most = 16
	if head.Chunks > most {
		return nil, f.in.failAt(8, "expected a few chunks, found %d", head.Chunks)
	}
	return readArray[uint32](f.in, nil, int64(head.Chunks), "the list of chunks")
}

// fields reads numbers of fixed sizes.
func (f *finalfusionReader) fields(to any, expected string) error {
	b := make([]byte, binary.Size(to))
	if err := f.in.full(b, expected); err != nil {
		return err
	}
	_, err := binary.Decode(b, binary.LittleEndian, to)
	return err
}

// chunk reads what a chunk of that kind begins with and returns its length.
func (f *finalfusionReader) chunk(kind uint32) (uint64, error) {
	at := f.in.offset
	var head struct {
		Kind   uint32
		Length uint64
	}
	if err := f.fields(&head, "a chunk"); err != nil {
		return 0, err
	}
	if head.Kind != kind {
		return 0, f.in.failAt(at, "expected a chunk of kind %d, as the list of chunks says, found %d", kind, head.Kind)
	}
	return head.Length, nil
}

// vocabulary reads the words and what is to be known of n-grams.
func (f *finalfusionReader) vocabulary(kind uint32) error {
	switch kind {
	case chunkSimpleVocab, chunkBucketVocab, chunkFastTextVocab, chunkExplicitVocab, chunkFloretVocab:
	default:
		return f.in.failAt(8, "expected a chunk of kind 1, 3, 7, 8 or 9, found %d", kind)
	}
	if _, err := f.chunk(kind); err != nil {
		return err
	}
	switch kind {
	case chunkExplicitVocab:
		return f.explicit()
	case chunkFloretVocab:
		return f.floret()
	}
	var head struct{ Words uint64 }
	if err := f.fields(&head, "the number of words"); err != nil {
		return err
	}
	if kind != chunkSimpleVocab {
		if err := f.buckets(kind); err != nil {
			return err
		}
	}
	return f.readWords(head.Words)
}

// buckets reads how n-grams are hashed.
func (f *finalfusionReader) buckets(kind uint32) error {
	at := f.in.offset
	var head struct{ MinN, MaxN, Buckets uint32 }
	if err := f.fields(&head, "settings of n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN, head.Buckets) > math.MaxInt32 {
		return f.in.failAt(at, "expected lengths and a number of buckets up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets)
	}
	minn, maxn, n := int(head.MinN), int(head.MaxN), int(head.Buckets)
	var err error
	if kind == chunkBucketVocab {
		sub := subword.Finalfusion{MinN: minn, MaxN: maxn, Exponent: n}
		f.subword, err = sub, sub.Validate()
	} else {
		sub := subword.FastText{MinN: minn, MaxN: maxn, Buckets: n}
		f.subword, err = sub, subword.Readable(sub)
	}
	if err != nil {
		return f.in.failAt(at, "%w", err)
	}
	return nil
}

// explicit reads words and n-grams that are listed with their rows.
func (f *finalfusionReader) explicit() error {
	at := f.in.offset
	var head struct {
		Words, Ngrams uint64
		MinN, MaxN    uint32
	}
	if err := f.fields(&head, "numbers of words and n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN) > math.MaxInt32 || head.Ngrams > math.MaxInt32 {
		return f.in.failAt(at, "expected lengths and a number of n-grams up to %d, found %d, %d and %d",
			math.MaxInt32, head.MinN, head.MaxN, head.Ngrams)
	}
	if err := f.readWords(head.Words); err != nil {
		return err
	}
	at = f.in.offset
	const least = 12 // bytes of an n-gram
	room := f.in.backed(int64(head.Ngrams), least)
	ngrams, rows := make([]string, 0, room), make([]uint32, 0, room)
	for i := range head.Ngrams {
		text, err := f.string()
		if err != nil {
			return within(err, "n-gram %d of %d", i+1, head.Ngrams)
		}
		var row struct{ Index uint64 }
		if err := f.fields(&row, "the row of an n-gram"); err != nil {
			return within(err, "n-gram %d of %d", i+1, head.Ngrams)
		}
		if row.Index >= head.Ngrams {
			return f.in.failAt(f.in.offset-8, "n-gram %d of %d: found row %d", i+1, head.Ngrams, row.Index)
		}
		ngrams, rows = append(ngrams, string(text)), append(rows, uint32(row.Index))
	}
	var err error
	if f.subword, err = subword.NewExplicit(int(head.MinN), int(head.MaxN), ngrams, rows); err != nil {
		return f.in.failAt(at, "%w", err)
	}
	return nil
}

// floret reads how words are hashed; there are none.
func (f *finalfusionReader) floret() error {
	at := f.in.offset
	var head struct {
		MinN, MaxN   uint32
		Buckets      uint64
		Hashes, Seed uint32
	}
	if err := f.fields(&head, "settings of n-grams"); err != nil {
		return err
	}
	if max(head.MinN, head.MaxN, head.Hashes) > math.MaxInt32 || head.Buckets > math.MaxInt32 {
		return f.in.failAt(at, "expected lengths and numbers up to %d, found n-grams of %d to %d, %d buckets and %d hashes",
			math.MaxInt32, head.MinN, head.MaxN, head.Buckets, head.Hashes)
	}
	sub := subword.Floret{
		MinN: int(head.MinN), MaxN: int(head.MaxN), Buckets: int(head.Buckets),
		Hashes: int(head.Hashes), Seed: head.Seed,
	}
	for _, mark := range []*string{&sub.BOW, &sub.EOW} {
		text, err := f.string()
		if err != nil {
			return within(err, "the mark of the beginning or end of a word")
		}
		*mark = string(text)
	}
	if err := sub.Validate(); err != nil {
		return f.in.failAt(at, "%w", err)
	}
	f.subword = sub
	return nil
}

func (f *finalfusionReader) readWords(n uint64) error {
	if n > math.MaxInt32 {
		return f.in.fail("expected at most %d words, found %d", math.MaxInt32, n)
	}
	f.words.Grow(f.in.backed(int64(n), 4))
	for i := range n {
		word, err := f.string()
		if err != nil {
			return within(err, "word %d of %d", i+1, n)
		}
		f.words.Add(string(word))
	}
	return nil
}

// string reads a text and its length. It is valid until the next one.
func (f *finalfusionReader) string() ([]byte, error) {
	at := f.in.offset
	var length [4]byte
	if err := f.in.full(length[:], "the length of a text"); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > MaxWord {
		return nil, f.in.failAt(at, "expected a text of at most %d bytes, found %d", MaxWord, n)
	}
	text, err := readArray(f.in, f.text[:0], n, "a text")
	if err != nil {
		return nil, err
	}
	f.text = text
	if !utf8.Valid(text) {
		return nil, f.in.failAt(at+4, "expected UTF-8, found %.40q", text)
	}
	return text, nil
}

// rows reads the matrix.
func (f *finalfusionReader) rows(kind uint32) error {
	switch kind {
	case chunkArray:
	case chunkQuantised:
		return f.quantised()
	default:
		return f.in.failAt(8, "expected a chunk of kind 2 or 4, found %d", kind)
	}
	if _, err := f.chunk(kind); err != nil {
		return err
	}
	at := f.in.offset
	var head struct {
		Rows       uint64
		Cols, Type uint32
	}
	if err := f.fields(&head, "the size of the matrix"); err != nil {
		return err
	}
	if err := f.checkRows(at, head.Rows); err != nil {
		return err
	}
	if err := f.numbers(head.Type); err != nil {
		return err
	}
	var err error
	f.input, err = f.in.rows(int64(head.Rows), int64(head.Cols), "the matrix")
	return err
}

// checkRows compares the number of rows, which stands at an offset, with the
// vocabulary.
func (f *finalfusionReader) checkRows(at int64, rows uint64) error {
	want, what := uint64(f.words.Len()), "words"
	if f.subword != nil {
		want += uint64(f.subword.Rows())
		what = "words and n-grams"
	}
	if rows != want {
		return f.in.failAt(at, "expected %d rows, one each for the %s, found %d", want, what, rows)
	}
	return nil
}

// numbers checks the type of the numbers that follow and passes over their padding.
func (f *finalfusionReader) numbers(kind uint32) error {
	if kind != typeFloat32 {
		return f.in.failAt(f.in.offset-4, "expected numbers of type %d, float32, found type %d", typeFloat32, kind)
	}
	return f.in.skip(paddingAt(f.in.offset), "padding")
}

// unlistedNorms tells whether norms follow the rows although the list of chunks has
// none. Programs of 2019 wrote such files. Readers of finalfusion find norms by their
// place in the file. Anything else that follows the rows is an error.
func (f *finalfusionReader) unlistedNorms() (bool, error) {
	const size = 4 // bytes of a kind
	next, err := f.in.r.Peek(size)
	switch {
	case len(next) == size && binary.LittleEndian.Uint32(next) == chunkNorms:
		return true, nil
	case len(next) == size:
		return false, f.in.fail("expected the end of the file or a chunk of norms (6), found more bytes, of kind %d if they are a chunk",
			binary.LittleEndian.Uint32(next))
	case err != nil && !errors.Is(err, io.EOF):
		return false, f.in.fail("%w", err)
	}
	return false, nil // and what is left is an error at the end
}

// readNorms reads what words' rows have been divided by.
func (f *finalfusionReader) readNorms() error {
	if _, err := f.chunk(chunkNorms); err != nil {
		return err
	}
	at := f.in.offset
	var head struct {
		Norms uint64
		Type  uint32
	}
	if err := f.fields(&head, "the number of norms"); err != nil {
		return err
	}
	if n := f.words.Len(); head.Norms != uint64(n) {
		return f.in.failAt(at, "expected norms of %d words, found %d", n, head.Norms)
	}
	if err := f.numbers(head.Type); err != nil {
		return err
	}
	var err error
	f.norms, err = array[float32](f.in, int64(head.Norms), "norms")
	return err
}
