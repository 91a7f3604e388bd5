package finalfusion

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// A reader takes a file apart.
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

func read(in *source.Input) (*vectors.Set, error) {
	f := reader{in: in}
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
		return nil, in.FailAt(8, "expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found %d", chunks)
	}
	if err := f.vocabulary(chunks[0]); err != nil {
		return nil, source.Within(err, "the vocabulary")
	}
	if err := f.rows(chunks[1]); err != nil {
		return nil, source.Within(err, "the rows")
	}
	norms := len(chunks) == 3
	if !norms {
		if norms, err = f.unlistedNorms(); err != nil {
			return nil, err
		}
	}
	if norms {
		if err := f.readNorms(); err != nil {
			return nil, source.Within(err, "the norms")
		}
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	s := f.set()
	if in.Mapped() {
		err = s.CheckSizes()
	} else {
		err = s.Check()
	}
	if err != nil {
		return nil, in.Fail("%w", err)
	}
	return s, nil
}

// set puts the set together.
func (f *reader) set() *vectors.Set {
	p := vectors.Parts{
		Words: f.words.Words(), Input: f.input, Subword: f.subword, Training: f.training,
		File: f.in.Behind(), Origin: vectors.Origin{Format: codec.Finalfusion, Unread: f.unread},
	}
	if f.norms != nil {
		p.Input = vectors.Normed(f.input, f.norms)
	}
	switch f.subword.(type) {
	case nil:
	case subword.Floret:
		p.Composition = subword.Pieces
	default:
		p.Composition = subword.Whole
	}
	return vectors.NewUnchecked(p)
}

// header reads what the file begins with and returns the kinds of its chunks.
func (f *reader) header() ([]uint32, error) {
	var head struct {
		Magic           [4]byte
		Version, Chunks uint32
	}
	if err := f.fields(&head, "a finalfusion file"); err != nil {
		return nil, err
	}
	if string(head.Magic[:]) != magic {
		return nil, f.in.FailAt(0, "expected %q, found %q", magic, head.Magic[:])
	}
	if head.Version != version {
		return nil, f.in.FailAt(4, "expected version %d of the %s format, found %d", version, codec.Finalfusion, head.Version)
	}
	// More than a few are never right, so that an error can show them all.
	const most = 16
	if head.Chunks > most {
		return nil, f.in.FailAt(8, "expected a few chunks, found %d", head.Chunks)
	}
	return source.ReadArray[uint32](f.in, nil, int64(head.Chunks), "the list of chunks")
}

// fields reads numbers of fixed sizes.
func (f *reader) fields(to any, expected string) error {
	b := make([]byte, binary.Size(to))
	if err := f.in.Full(b, expected); err != nil {
		return err
	}
	_, err := binary.Decode(b, binary.LittleEndian, to)
	return err
}

// chunk reads what a chunk of that kind begins with and returns its length.
func (f *reader) chunk(kind uint32) (uint64, error) {
	at := f.in.Offset()
	var head struct {
		Kind   uint32
		Length uint64
	}
	if err := f.fields(&head, "a chunk"); err != nil {
		return 0, err
	}
	if head.Kind != kind {
		return 0, f.in.FailAt(at, "expected a chunk of kind %d, as the list of chunks says, found %d", kind, head.Kind)
	}
	return head.Length, nil
}

// rows reads the matrix.
func (f *reader) rows(kind uint32) error {
	switch kind {
	case chunkArray:
	case chunkQuantised:
		return f.quantised()
	default:
		return f.in.FailAt(8, "expected a chunk of kind 2 or 4, found %d", kind)
	}
	if _, err := f.chunk(kind); err != nil {
		return err
	}
	at := f.in.Offset()
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
	f.input, err = rowio.Read(f.in, int64(head.Rows), int64(head.Cols), "the matrix")
	return err
}

// checkRows compares the number of rows, which stands at an offset, with the
// vocabulary.
func (f *reader) checkRows(at int64, rows uint64) error {
	want, what := uint64(f.words.Len()), "words"
	if f.subword != nil {
		want += uint64(f.subword.Rows())
		what = "words and n-grams"
	}
	if rows != want {
		return f.in.FailAt(at, "expected %d rows, one each for the %s, found %d", want, what, rows)
	}
	return nil
}

// numbers checks the type of the numbers that follow and passes over their padding.
func (f *reader) numbers(kind uint32) error {
	if kind != typeFloat32 {
		return f.in.FailAt(f.in.Offset()-4, "expected numbers of type %d, float32, found type %d", typeFloat32, kind)
	}
	return f.in.Skip(paddingAt(f.in.Offset()), "padding")
}

// unlistedNorms tells whether norms follow the rows although the list of chunks has
// none. Programs of 2019 wrote such files. Readers of finalfusion find norms by their
// place in the file. Anything else that follows the rows is an error.
func (f *reader) unlistedNorms() (bool, error) {
	const size = 4 // bytes of a kind
	next, err := f.in.Peek(size)
	switch {
	case len(next) == size && binary.LittleEndian.Uint32(next) == chunkNorms:
		return true, nil
	case len(next) == size:
		return false, f.in.Fail("expected the end of the file or a chunk of norms (6), found more bytes, of kind %d if they are a chunk",
			binary.LittleEndian.Uint32(next))
	case err != nil && !errors.Is(err, io.EOF):
		return false, f.in.Fail("%w", err)
	}
	return false, nil // and what is left is an error at the end
}

// readNorms reads what words' rows have been divided by.
func (f *reader) readNorms() error {
	if _, err := f.chunk(chunkNorms); err != nil {
		return err
	}
	at := f.in.Offset()
	var head struct {
		Norms uint64
		Type  uint32
	}
	if err := f.fields(&head, "the number of norms"); err != nil {
		return err
	}
	if n := f.words.Len(); head.Norms != uint64(n) {
		return f.in.FailAt(at, "expected norms of %d words, found %d", n, head.Norms)
	}
	if err := f.numbers(head.Type); err != nil {
		return err
	}
	var err error
	f.norms, err = source.Array[float32](f.in, int64(head.Norms), "norms")
	return err
}
