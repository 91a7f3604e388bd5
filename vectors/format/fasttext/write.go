package fasttext

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// write writes a model as fastText would have trained it.
//
//   - Rows that words or n-grams share are written for each of them, one at a time.
//   - Untrained buckets and a missing output matrix are zeros. The nodes of a tree are one fewer than
//     words; the remaining row is zeros too.
//   - A count of 0 or an unknown count is written as 1, because gensim drops words without a count. A
//     corpus of 0 tokens says that all counts are unknown.
//   - An unknown number of negatives is written as fastText's default, because gensim drops the output
//     matrix without negatives.
//   - Fields of Training without a place in the file are dropped.
//   - Nothing follows the output matrix, because gensim rejects files with more.
func write(w *bufio.Writer, s *vectors.Set) error {
	args, err := argsOf(s)
	if err != nil {
		return err
	}
	words := int32(s.Len()) // check has verified the size
	sizes := dictionarySizes{Entries: words, Words: words, Pruned: -1, Tokens: int64(s.Training().Uint("tokens"))}
	counts := s.SharedParts().Counts
	for i, n := range counts {
		if n > math.MaxInt64 {
			return fmt.Errorf("word %d has count %d, at most %d is possible", i, n, int64(math.MaxInt64))
		}
	}
	switch {
	case counts == nil:
		sizes.Tokens = 0
	case sizes.Tokens <= 0: // unknown, or too large
		sizes.Tokens = max(1, sumCounts(counts))
	}
	for _, part := range []any{[2]int32{magic, version}, args, sizes} {
		binary.Write(w, binary.LittleEndian, part)
	}
	var entry []byte
	for i, word := range s.Words().All() {
		count := uint64(1)
		if counts != nil {
			count = max(count, counts[i])
		}
		entry = append(append(entry[:0], word...), 0)
		entry = append(binary.LittleEndian.AppendUint64(entry, count), entryWord)
		if _, err := w.Write(entry); err != nil {
			return err
		}
	}
	if err := writeInput(w, s, int(args.Buckets)); err != nil {
		return err
	}
	return writeOutput(w, s)
}

func writeShape(w *bufio.Writer, rows, cols int) {
	const notQuantised = 0
	w.WriteByte(notQuantised)
	binary.Write(w, binary.LittleEndian, [2]int64{int64(rows), int64(cols)})
}

func writeInput(w *bufio.Writer, s *vectors.Set, buckets int) error {
	writeShape(w, s.Len()+buckets, s.Dim())
	p := s.SharedParts()
	if p.WordRows == nil && p.BucketRows == nil && s.OwnRows() && (s.Composes() || s.Subword() == nil) {
		return rowio.Write(w, s, s.Input())
	}
	file, vectorsOf := backing.Behind(p.Source), s.Rows()
	row := make([]float32, s.Dim())
	for id, word := range s.Words().All() {
		switch {
		case !s.OwnRows(): // another row equal to the mean does not change the mean
			vectorsOf.Read(row, id)
		case s.Subword() != nil && !s.Composes(): // the row already includes the n-grams
			s.Input().Read(row, s.OwnRow(id))
			takeOut(row, s, word)
		default:
			s.Input().Read(row, s.OwnRow(id))
		}
		if err := endian.Write(w, row); err != nil {
			return err
		}
		file.Saw(backing.Page)
	}
	return rowio.WriteAll(w, s, s.Buckets(buckets))
}

// takeOut turns the vector of a word into a row: the mean of this row and the word's n-grams is the vector.
func takeOut(vector []float32, s *vectors.Set, word string) {
	ngrams := make([]float32, len(vector))
	n := float32(s.NgramVector(ngrams, word))
	for k, x := range ngrams { // x is a mean over n rows
		vector[k] = vector[k]*(n+1) - x*n
	}
}

func writeOutput(w *bufio.Writer, s *vectors.Set) error {
	writeShape(w, s.Len(), s.Dim())
	output := s.Output()
	if s.Matrix(vectors.MatrixNodes).Rows > 0 {
		output = s.Matrix(vectors.MatrixNodes)
	}
	if err := rowio.Write(w, s, output); err != nil {
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

func argsOf(s *vectors.Set) (settings, error) {
	t := s.Training()
	args := settings{
		WordNgrams: 1, Loss: lossNegative, Model: modelSkipgram,
		LRUpdateRate: 100, Sample: t.Float("sample"),
	}
	if t.Text("arch") == architectures[modelCBOW] {
		args.Model = modelCBOW
	}
	if s.Matrix(vectors.MatrixNodes).Rows > 0 || t.Text("loss") == hierarchical && s.Output().Rows == 0 {
		args.Loss = lossHierarchical
	}
	sub, _ := subword.Value(s.Subword()).(subword.FastText) // zero value without fastText's n-grams
	for _, field := range []struct {
		name string
		from int
		to   *int32
	}{
		{"dimensions", s.Dim(), &args.Dim},
		{"window", t.Int("window"), &args.Window},
		{"epochs", t.Int("epochs"), &args.Epochs},
		{"negatives", cmp.Or(t.Int("negatives"), defaultNegatives), &args.Negatives},
		{"min count", t.Int("min_count"), &args.MinCount},
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
		if sum += n; sum > math.MaxInt64 {
			return math.MaxInt64
		}
	}
	return int64(sum)
}

func checkSubword(sub subword.Indexer, _ subword.Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText:
		return nil
	case *subword.Pruned:
		return errors.New("some n-grams were left out when the model was quantised, which fastText does not take in a .bin")
	}
	return fmt.Errorf("%s cannot hold n-grams that are hashed otherwise (%s): write %s, or %s for the words alone",
		codec.FastText, subword.NameOf(sub), codec.W2V, codec.Text)
}
