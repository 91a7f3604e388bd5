package vectors

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
)

// readFastText reads a model of words, of words and n-grams, or a classifier.
// Of a classifier only the vectors of words are taken: its labels are no words,
// and its output matrix is theirs. The output matrix of a model trained with
// hierarchical softmax holds the inner nodes of a tree, one fewer than words, and a row
// that means nothing. Of a quantised model (.ftz), rows are decoded when they are asked
// for.
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
	s := &Set{subword: args.subwords()}
	sizes, err := in.dictionary(s)
	if err != nil {
		return nil, err
	}
	s.training = args.training(sizes.Tokens)
	words := int64(s.Len())
	rows := words + int64(args.Buckets)
	if sizes.Pruned >= 0 {
		if err := in.pruned(s, sizes, args); err != nil {
			return nil, err
		}
		rows = words + sizes.Pruned
	}

	coded, err := in.flag("the input matrix")
	if err != nil {
		return nil, err
	}
	if sizes.Pruned >= 0 && !coded {
		return nil, in.failAt(in.offset-1, "the input matrix: %w", errPruned)
	}
	if s.input, err = in.matrix("the input matrix", coded, rows, int64(args.Dim), true); err != nil {
		return nil, err
	}
	if s.subword == nil {
		// What buckets there are belong to runs of words, not to n-grams.
		s.input = s.input.First(int(words))
	}
	rows = words
	classifies := args.Model == modelSupervised
	if classifies {
		rows = -1 // a row a label
	}
	// The byte may be set in a model that is not quantised, where it says nothing.
	outputCoded, err := in.flag("the output matrix")
	if err != nil {
		return nil, err
	}
	if s.output, err = in.matrix("the output matrix", coded && outputCoded, rows, int64(args.Dim), !classifies); err != nil {
		return nil, err
	}
	switch {
	case classifies:
		s.origin.Unread = append(s.origin.Unread, "labels and their vectors")
	case args.Loss == lossHierarchical:
		s.training.Loss = hierarchical
		s.put(MatrixNodes, s.output.First(max(int(words)-1, 0)))
		s.output = Matrix{}
	}
	if args.WordNgrams > 1 {
		s.origin.Unread = append(s.origin.Unread, "vectors of runs of words")
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

// flag reads the byte that says whether a matrix is quantised.
func (in *input) flag(name string) (bool, error) {
	var b [1]byte
	err := in.full(b[:], "what "+name+" is")
	return b[0] != 0, err
}

// dictionary reads the words and their counts.
func (in *input) dictionary(s *Set) (fastTextSizes, error) {
	var sizes fastTextSizes
	start := in.offset
	if err := in.decode(&sizes, "the sizes of the dictionary"); err != nil {
		return sizes, err
	}
	if err := sizes.check(); err != nil {
		return sizes, in.failAt(start, "dictionary: %w", err)
	}
	const smallest = 1 + 8 + 1 // of an entry: the end of its word, count, kind
	room := in.backed(int64(sizes.Words), smallest)
	var words WordsBuilder
	words.Grow(room)
	s.counts = make([]uint64, 0, room)
	for i := range sizes.Entries {
		entry := in.offset
		word, err := in.word(0)
		if err != nil {
			return sizes, within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		name := string(word)
		var tail [9]byte
		if err := in.full(tail[:], "a count and a kind"); err != nil {
			return sizes, within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		count, kind := binary.LittleEndian.Uint64(tail[:]), tail[8]
		want := byte(entryWord)
		if i >= sizes.Words {
			want = entryLabel
		}
		if kind != want {
			return sizes, in.failAt(entry, "entry %d of %d of the dictionary: expected kind %d, found %d", i+1, sizes.Entries, want, kind)
		}
		if count > math.MaxInt64 {
			return sizes, in.failAt(entry, "entry %d of %d of the dictionary: expected a count, found %d", i+1, sizes.Entries, int64(count))
		}
		if kind == entryLabel {
			continue
		}
		words.Add(name)
		s.counts = append(s.counts, count)
	}
	s.words = words.Words()
	if sizes.Tokens == 0 { // counts without a corpus are made up, as by writeFastText
		s.counts = nil
	}
	return sizes, nil
}

// matrix reads a matrix of that size, any number of rows if rows is negative, of
// codes if coded is set. It is passed over and not returned if keep is false.
func (in *input) matrix(name string, coded bool, rows, cols int64, keep bool) (Matrix, error) {
	if coded {
		return in.quantisedMatrix(name, rows, cols, keep)
	}
	start := in.offset - 1 // with the flag
	var head struct{ Rows, Cols int64 }
	if err := in.decode(&head, "the size of "+name); err != nil {
		return Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return Matrix{}, in.failAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if rows > endian.MaxBytes/4/cols {
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
