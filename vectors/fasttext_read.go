package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// errQuantised is what is said of .ftz files.
var errQuantised = errors.New("quantised fastText models (.ftz) are not supported")

// readFastText reads a model of words, of words and n-grams, or a classifier.
// Of a classifier only the vectors of words are taken: its labels are no words,
// and its output matrix is theirs. The output matrix of a model trained with
// hierarchical softmax holds inner nodes of a tree and is dropped as well.
func readFastText(in *input) (*Set, error) {
	var signature struct{ Magic, Version int32 }
	if err := in.decode(&signature, "the magic number and the version"); err != nil {
		return nil, err
	}
	if signature.Magic != fastTextMagic {
		return nil, in.failAt(0, "expected the magic number %d, found %d", fastTextMagic, signature.Magic)
	}
	if v := signature.Version; v != fastTextVersion && v != fastTextOldVersion {
		return nil, in.failAt(4, "expected version %d or %d, found %d", fastTextOldVersion, fastTextVersion, v)
	}
	var args fastTextArgs
	start := in.offset
	if err := in.decode(&args, "the settings"); err != nil {
		return nil, err
	}
	// Source: loadModel in fasttext.cc.
	if signature.Version == fastTextOldVersion && args.Model == modelSupervised {
		args.MaxN = 0
	}
	if err := args.check(); err != nil {
		return nil, in.failAt(start, "settings: %w", err)
	}
	s := &Set{Subword: args.subwords()}
	tokens, err := in.dictionary(s)
	if err != nil {
		return nil, err
	}
	s.Training = args.training(tokens)

	rows := int64(s.Len()) + int64(args.Buckets)
	if s.Input, err = in.matrix("the input matrix", rows, int64(args.Dim), true); err != nil {
		return nil, err
	}
	if s.Subword == nil {
		// What buckets there are belong to runs of words, not to n-grams.
		words := s.Len()
		s.Input.Rows = words
	}
	context := args.Model != modelSupervised && args.Loss != lossHierarchical
	rows = int64(s.Len())
	if args.Model == modelSupervised {
		rows = -1 // a row a label
	}
	if s.Output, err = in.matrix("the output matrix", rows, int64(args.Dim), context); err != nil {
		return nil, err
	}
	return s, in.end()
}

// decode fills a struct of numbers.
func (in *input) decode(to any, expected string) error {
	b := make([]byte, binary.Size(to))
	if err := in.full(b, expected); err != nil {
		return err
	}
	_, err := binary.Decode(b, binary.LittleEndian, to)
	return err
}

// dictionary reads the words and their counts and returns the number of tokens
// of the corpus.
func (in *input) dictionary(s *Set) (tokens int64, err error) {
	var sizes fastTextSizes
	start := in.offset
	if err := in.decode(&sizes, "the sizes of the dictionary"); err != nil {
		return 0, err
	}
	if err := sizes.check(); err != nil {
		return 0, in.failAt(start, "dictionary: %w", err)
	}
	if sizes.Pruned >= 0 { // only quantising prunes, to 0 pairs too
		return 0, in.failAt(start, "%w", errQuantised)
	}
	const smallest = 1 + 8 + 1 // of an entry: the end of its word, count, kind
	room := in.backed(int64(sizes.Words), smallest)
	var words wordsBuilder
	words.grow(room)
	s.Counts = make([]uint64, 0, room)
	for i := range sizes.Entries {
		entry := in.offset
		word, err := in.word(0)
		if err != nil {
			return 0, within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		name := string(word)
		var tail [9]byte
		if err := in.full(tail[:], "a count and a kind"); err != nil {
			return 0, within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		count, kind := binary.LittleEndian.Uint64(tail[:]), tail[8]
		want := byte(entryWord)
		if i >= sizes.Words {
			want = entryLabel
		}
		if kind != want {
			return 0, in.failAt(entry, "entry %d of %d of the dictionary: expected kind %d, found %d", i+1, sizes.Entries, want, kind)
		}
		if count > math.MaxInt64 {
			return 0, in.failAt(entry, "entry %d of %d of the dictionary: expected a count, found %d", i+1, sizes.Entries, int64(count))
		}
		if kind == entryLabel {
			continue
		}
		words.add(name)
		s.Counts = append(s.Counts, count)
	}
	s.Words = words.words()
	if sizes.Tokens == 0 { // counts without a corpus are made up, as by writeFastText
		s.Counts = nil
	}
	return sizes.Tokens, nil
}

// matrix reads a matrix of that size, any number of rows if rows is negative.
// It is passed over and not returned if keep is false.
func (in *input) matrix(name string, rows, cols int64, keep bool) (Matrix, error) {
	start := in.offset
	var head struct {
		Quantised  uint8
		Rows, Cols int64
	}
	// A quantised matrix goes on differently, so look at that alone first.
	if quantised, err := in.r.Peek(1); err == nil && quantised[0] != 0 {
		return Matrix{}, in.fail("%s: %w", name, errQuantised)
	}
	if err := in.decode(&head, "the size of "+name); err != nil {
		return Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return Matrix{}, in.failAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if rows > maxBytes/4/cols {
		return Matrix{}, in.failAt(start, "%s: %d rows of %d are more than fit into memory", name, rows, cols)
	}
	if !keep {
		if left, known := in.left(); known && 4*rows*cols > left {
			return Matrix{}, in.fail("%s: expected %d bytes: %w", name, 4*rows*cols, cut(fmt.Sprintf("%d more", 4*rows*cols-left)))
		}
		return Matrix{}, in.skip(4*rows*cols, name)
	}
	return in.rows(rows, cols, name)
}

// training returns what the settings say of how the model was trained.
func (a fastTextArgs) training(tokens int64) Training {
	t := Training{
		Architecture: architectures[a.Model],
		Window:       int(a.Window),
		Epochs:       int(a.Epochs),
		MinCount:     int(a.MinCount),
		Sample:       a.Sample,
		Tokens:       uint64(tokens),
	}
	t.Negatives = int(a.Negatives)
	return t
}
