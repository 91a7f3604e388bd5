package vectors

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
)

// writeFastText writes a model as fastText would have trained it. Rows that
// several words or n-grams share are written for each of them, one at a time;
// buckets that were never trained and a missing output matrix are zeros, and so is the
// row that is left where it has nodes of a tree, which are one fewer than words. A
// count of 0, or one that is not known, is written as 1, because gensim loses
// words without one; that none are known is told by a corpus of 0 tokens. An
// unknown number of negatives is written as fastText's default, because without
// any gensim drops the output matrix. Of Training, what fastText has no place
// for is left out. Nothing follows the output matrix, as gensim insists.
func writeFastText(w *bufio.Writer, s *Set) error {
	args, err := fastTextArgsOf(s)
	if err != nil {
		return err
	}
	words := int32(s.Len()) // check has seen that it fits
	sizes := fastTextSizes{Entries: words, Words: words, Pruned: -1, Tokens: int64(s.training.Tokens)}
	for i, n := range s.counts {
		if n > math.MaxInt64 {
			return fmt.Errorf("word %d has count %d, at most %d is possible", i, n, int64(math.MaxInt64))
		}
	}
	switch {
	case s.counts == nil:
		sizes.Tokens = 0
	case s.training.Tokens == 0 || s.training.Tokens > math.MaxInt64:
		sizes.Tokens = max(1, sumCounts(s.counts))
	}
	head := []any{[2]int32{fastTextMagic, fastTextVersion}, args, sizes}
	for _, part := range head {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	var tail [9]byte
	tail[8] = entryWord
	for i, word := range s.words.All() {
		count := uint64(1)
		if s.counts != nil {
			count = max(count, s.counts[i])
		}
		binary.LittleEndian.PutUint64(tail[:], count)
		if _, err := w.WriteString(word); err != nil {
			return err
		}
		if err := w.WriteByte(0); err != nil {
			return err
		}
		if _, err := w.Write(tail[:]); err != nil {
			return err
		}
	}
	if err := writeFastTextInput(w, s, int(args.Buckets)); err != nil {
		return err
	}
	return writeFastTextOutput(w, s)
}

// fastTextMatrix writes what a matrix begins with.
func fastTextMatrix(w *bufio.Writer, rows, cols int) error {
	const notQuantised = 0
	if err := w.WriteByte(notQuantised); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, [2]int64{int64(rows), int64(cols)})
}

func writeFastTextInput(w *bufio.Writer, s *Set, buckets int) error {
	if err := fastTextMatrix(w, s.Len()+buckets, s.Dim()); err != nil {
		return err
	}
	if s.wordRows == nil && s.bucketRows == nil && s.composition == ComposeMean {
		return s.writeRows(w, s.input)
	}
	var c composer
	row := make([]float32, s.Dim())
	for id, word := range s.words.All() {
		switch s.composition {
		case ComposeMean:
			s.input.Read(row, s.OwnRow(id))
		case ComposeWhole:
			s.input.Read(row, s.OwnRow(id))
			c.takeOut(row, s, word)
		case ComposePieces: // one more of what the mean is does not change it
			c.word(row, s, id)
		}
		if err := endian.Write(w, row); err != nil {
			return err
		}
		s.file.Saw(page)
	}
	return s.EachBucket(buckets, func(row []float32) error { return endian.Write(w, row) })
}

// takeOut turns the vector of a word into the row whose mean with the word's
// n-grams it is.
func (c *composer) takeOut(vector []float32, s *Set, word string) {
	ngrams := make([]float32, len(vector))
	n := float32(c.compose(ngrams, s, nil, word))
	for k, x := range ngrams { // x is the mean of n
		vector[k] = vector[k]*(n+1) - x*n
	}
}

func writeFastTextOutput(w *bufio.Writer, s *Set) error {
	if err := fastTextMatrix(w, s.Len(), s.Dim()); err != nil {
		return err
	}
	output := s.output
	if s.Matrix(MatrixNodes).Rows > 0 {
		output = s.Matrix(MatrixNodes)
	}
	if err := s.writeRows(w, output); err != nil {
		return err
	}
	zeros := make([]float32, s.Dim())
	for range s.Len() - output.Rows {
		if err := endian.Write(w, zeros); err != nil {
			return err
		}
	}
	return nil
}

// fastTextArgsOf returns the settings to be written for s.
func fastTextArgsOf(s *Set) (fastTextArgs, error) {
	t := s.training
	args := fastTextArgs{
		WordNgrams: 1, Loss: lossNegative, Model: modelSkipgram,
		LRUpdateRate: 100, Sample: t.Sample,
	}
	if t.Architecture == architectures[modelCBOW] {
		args.Model = modelCBOW
	}
	if s.Matrix(MatrixNodes).Rows > 0 || t.Loss == hierarchical && s.output.Rows == 0 {
		args.Loss = lossHierarchical
	}
	sub, _ := subword.Value(s.subword).(subword.FastText) // or none
	for _, field := range []struct {
		name string
		from int
		to   *int32
	}{
		{"dimensions", s.Dim(), &args.Dim},
		{"window", t.Window, &args.Window},
		{"epochs", t.Epochs, &args.Epochs},
		{"negatives", cmp.Or(t.Negatives, fastTextNegatives), &args.Negatives},
		{"min count", t.MinCount, &args.MinCount},
		{"buckets", sub.Buckets, &args.Buckets},
		{"minn", sub.MinN, &args.MinN},
		{"maxn", sub.MaxN, &args.MaxN},
	} {
		if field.from < math.MinInt32 || field.from > math.MaxInt32 {
			return args, fmt.Errorf("%s is %d, which fastText cannot hold", field.name, field.from)
		}
		*field.to = int32(field.from)
	}
	return args, args.check()
}

func sumCounts(counts []uint64) int64 {
	var sum uint64
	for _, n := range counts {
		if sum += n; sum > math.MaxInt64 || n > math.MaxInt64 {
			return math.MaxInt64
		}
	}
	return int64(sum)
}

// checkFastTextSubword says why a set with such n-grams cannot be written to
// fastText's binary.
func checkFastTextSubword(sub subword.Indexer, _ Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText:
		return nil
	case *subword.Pruned:
		return errors.New("some n-grams were left out when the model was quantised, which fastText does not take in a .bin")
	}
	return fmt.Errorf("%s cannot hold n-grams that are hashed otherwise (%s): write %s, or %s for the words alone",
		FormatFastText, subword.NameOf(sub), FormatW2V, FormatText)
}

// checkFastTextWord says why a word cannot be written to fastText's binary.
func checkFastTextWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which fastText cannot hold")
	case strings.Contains(word, "\x00"):
		return errors.New("contains a zero byte, which fastText cannot hold")
	}
	return nil
}
