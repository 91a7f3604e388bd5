package fasttext

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
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
	l, buckets := s.Labels(), int(args.Buckets)
	var kept []uint32
	if l != nil {
		if err := checkLabels(s, l); err != nil {
			return err
		}
		sizes.Labels = int32(l.Names.Len())
		sizes.Entries += sizes.Labels
		if kept = keptBuckets(s); kept != nil {
			sizes.Pruned = int64(len(kept))
			buckets = len(kept)
		}
	}
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
	if l != nil {
		for i, name := range l.Names.All() {
			count := uint64(1)
			if l.Counts != nil {
				count = l.Counts[i] // also 0, as the tree is made of these
			}
			entry = append(append(entry[:0], name...), 0)
			entry = append(binary.LittleEndian.AppendUint64(entry, count), entryLabel)
			if _, err := w.Write(entry); err != nil {
				return err
			}
		}
		for row, bucket := range kept {
			binary.Write(w, binary.LittleEndian, [2]int32{int32(bucket), int32(row)})
		}
		return writeClassifier(w, s, l, buckets)
	}
	if err := writeInput(w, s, buckets); err != nil {
		return err
	}
	return writeOutput(w, s)
}

// mostlyEmpty reports whether the set is a classifier with a large table of n-grams. Texts have trained few of its rows, as a
// rule, and what is predicted needs few of these.
func mostlyEmpty(s *vectors.Set) bool {
	const large = 64 << 20 // bytes
	l := s.Labels()
	if l == nil || isCoded(s.Input()) {
		return false
	}
	rows := s.Matrix(vectors.MatrixWordNgrams).Rows
	if s.Subword() != nil {
		rows = s.Subword().Rows()
	}
	return 4*float64(rows)*float64(s.Dim()) >= large
}

// keptBuckets returns the bucket of each row of n-grams of a pruned classifier; nil if it is not pruned.
func keptBuckets(s *vectors.Set) []uint32 {
	if _, kept, _ := subword.HashedBuckets(s.Subword()); kept != nil {
		return kept
	}
	if l := s.Labels(); l != nil && l.Buckets > 0 {
		return append([]uint32{}, l.RunBuckets...)
	}
	return nil
}

// checkLabels reports labels that fastText would not find again, and rows that its files have no place for.
func checkLabels(s *vectors.Set, l *vectors.Labels) error {
	if pooling := s.Training().Text(vectors.FactPooling); pooling != "" {
		return fmt.Errorf("fastText takes the mean of the rows of a text, and this classifier pools them by %s", pooling)
	}
	for i, name := range l.Names.All() {
		_, word := s.ID(name)
		first, _ := l.Names.Find(name)
		switch {
		case name == "" || strings.ContainsRune(name, 0):
			return fmt.Errorf("label %d, %q, is empty or contains a zero byte, which fastText cannot hold", i, name)
		case strings.ContainsRune(name, '\n'):
			return fmt.Errorf("label %d, %q, contains a newline, and fastText predicts a label a line: w2v's own format holds it", i, name)
		case word:
			return fmt.Errorf("label %q is a word too, and fastText keeps both in one list: give labels a prefix such as __label__", name)
		case first != i:
			return fmt.Errorf("label %q is listed twice, which fastText cannot hold", name)
		}
		if l.Counts != nil && l.Counts[i] > math.MaxInt64 {
			return fmt.Errorf("label %q has count %d, at most %d is possible", name, l.Counts[i], int64(math.MaxInt64))
		}
	}
	runs := s.Matrix(vectors.MatrixWordNgrams)
	switch pruned := keptBuckets(s) != nil; {
	case s.Subword() != nil && runs.Rows > 0:
		return errors.New("fastText shares buckets between n-grams of characters and runs of words, and this classifier has rows for both")
	case pruned && !isCoded(s.Input()):
		return errors.New("some n-grams were left out when the model was quantised, which fastText takes in quantised models alone")
	case s.SharedParts().WordRows != nil || s.SharedParts().BucketRows != nil || s.Subword() != nil && !s.Composes():
		if isCoded(s.Input()) {
			return errors.New("fastText has a row for each word and n-gram, and in this quantised classifier they share rows")
		}
	}
	return nil
}

// misread returns a note on a loss that fastText does not have, or on labels that its commands cannot tell apart from other
// words.
func misread(s *vectors.Set) []string {
	if loss := s.Training().Text("loss"); loss != "" && !slices.Contains(slices.Collect(maps.Values(lossNames)), loss) {
		return []string{fmt.Sprintf("fastText has no loss %s: the file says that its vectors were trained with negative sampling", loss)}
	}
	l := s.Labels()
	if l == nil {
		return nil
	}
	n, first := 0, ""
	for _, name := range l.Names.All() {
		if strings.ContainsAny(name, " \t\v\f\r") {
			if n++; n == 1 {
				first = name
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s blanks, such as %.40q: fastText predicts such a label, but no line of its own has it, so fasttext test does not count it, and what it prints must not be split at blanks",
		wording.Count(n, "label has", "labels have"), first)}
}

// isCoded reports whether the matrix is written as codes: fastText's own, without a rotation.
func isCoded(m vectors.Matrix) bool {
	q, ok := m.Coded().(*coded.Quantised)
	return ok && q.Rotation == nil
}

// writeClassifier writes the rows of words and n-grams, and those of labels.
func writeClassifier(w *bufio.Writer, s *vectors.Set, l *vectors.Labels, buckets int) error {
	runs := s.Matrix(vectors.MatrixWordNgrams)
	if runs.Rows == 0 {
		runs = l.Runs
	}
	quantised := isCoded(s.Input())
	switch {
	case !quantised && runs.Rows == 0:
		if err := writeInput(w, s, buckets); err != nil {
			return err
		}
	case !quantised:
		writeShape(w, s.Len()+runs.Rows, s.Dim())
		for _, m := range []vectors.Matrix{s.Input(), runs} {
			if err := rowio.WriteAll(w, s, s.RowsOf(m)); err != nil {
				return err
			}
		}
	default:
		matrices := []vectors.Matrix{s.Input()}
		if runs.Rows > 0 {
			matrices = append(matrices, runs)
		}
		if err := writeCodes(w, matrices...); err != nil {
			return err
		}
	}
	labels := l.Names.Len()
	if quantised && isCoded(l.Rows) && l.Rows.Rows == labels {
		return writeCodes(w, l.Rows)
	}
	writeShape(w, labels, s.Dim())
	if err := rowio.WriteAll(w, s, s.RowsOf(l.Rows)); err != nil {
		return err
	}
	if l.Rows.Rows < labels { // the unused row of a tree
		return endian.Write(w, make([]float32, s.Dim()))
	}
	return nil
}

// writeCodes writes matrices of one codebook as one quantised matrix. Sources in fastText: QuantMatrix::save and
// ProductQuantizer::save.
func writeCodes(w *bufio.Writer, matrices ...vectors.Matrix) error {
	var first *coded.Quantised
	var codes, normCodes []byte
	rows := 0
	for _, m := range matrices {
		q := m.Coded().(*coded.Quantised)
		if first == nil {
			first = q
		} else if !slices.Equal(first.Book.Centroids, q.Book.Centroids) || !slices.Equal(first.Norms, q.Norms) {
			return errors.New("the rows of words and of their runs have codes of their own, and fastText has one codebook for both")
		}
		if q.Norms != nil && q.NormCodes == nil {
			return errors.New("the norms of rows are no codes, as they are in fastText's files")
		}
		codes, normCodes = append(codes, q.Codes...), append(normCodes, q.NormCodes...)
		rows += m.Rows
	}
	const quantised = 1
	w.WriteByte(quantised)
	norms := byte(0)
	if first.Norms != nil {
		norms = 1
	}
	w.WriteByte(norms)
	if len(codes) > math.MaxInt32 {
		return fmt.Errorf("%d codes are more than fastText can hold", len(codes))
	}
	binary.Write(w, binary.LittleEndian, [2]int64{int64(rows), int64(first.Book.Dim)})
	binary.Write(w, binary.LittleEndian, int32(len(codes)))
	w.Write(codes)
	if err := writeCodebook(w, first.Book); err != nil || norms == 0 {
		return err
	}
	w.Write(normCodes)
	return writeCodebook(w, pq.Codebook{Dim: 1, Part: 1, Size: len(first.Norms), Centroids: first.Norms})
}

// writeCodebook writes a codebook with zeros for centroids beyond its own.
func writeCodebook(w *bufio.Writer, b pq.Codebook) error {
	if b.Size < pq.MaxSize {
		b = pq.BookOf(append(b.Rows(), make([]float32, (pq.MaxSize-b.Size)*b.Dim)...), b.Dim, b.Part)
	}
	last := b.Dim - (b.Parts()-1)*b.Part
	binary.Write(w, binary.LittleEndian, [4]int32{int32(b.Dim), int32(b.Parts()), int32(b.Part), int32(last)})
	return endian.Write(w, b.Centroids)
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
	if s.Labels() != nil {
		args.Model, args.Loss = modelSupervised, lossNamed(t.Text("loss"))
		args.WordNgrams = int32(min(max(t.Int("word_ngrams"), 1), math.MaxInt32))
	}
	if s.Labels() == nil && t.Text("loss") == lossNames[lossSoftmax] {
		args.Loss = lossSoftmax
	}
	if s.Matrix(vectors.MatrixNodes).Rows > 0 || t.Text("loss") == hierarchical && s.Output().Rows == 0 {
		args.Loss = lossHierarchical
	}
	sub, _ := subword.Value(s.Subword()).(subword.FastText) // zero value without fastText's n-grams
	if l := s.Labels(); l != nil {
		if pruned, ok := subword.Value(s.Subword()).(*subword.Pruned); ok {
			sub = pruned.Whole()
		}
		if s.Subword() == nil {
			sub.Buckets = max(l.Buckets, s.Matrix(vectors.MatrixWordNgrams).Rows)
		}
	}
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
