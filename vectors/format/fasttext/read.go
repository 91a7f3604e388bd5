package fasttext

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// read reads a model of words, of words and n-grams, or a classifier. From a classifier it reads only word
// vectors: labels are not words, and the output matrix belongs to the labels. With hierarchical softmax, the
// output matrix holds the inner nodes of a tree, one fewer than words, and an unused row. Rows of a quantised
// model (.ftz) are decoded when they are used.
func read(in *source.Input) (*vectors.Set, error) {
	args, sizes, err := readHead(in)
	if err != nil {
		return nil, err
	}
	p := vectors.Parts{
		Subword: args.subwords(), Source: in.Behind, Origin: vectors.Origin{Format: codec.FastText},
	}
	if err := readDictionary(in, sizes, &p); err != nil {
		return nil, err
	}
	p.Training = args.training(sizes.Tokens)
	words := int64(p.Words.Len())
	rows := words + int64(args.Buckets)
	if sizes.Pruned >= 0 {
		if err := readKept(in, &p, sizes, args); err != nil {
			return nil, err
		}
		rows = words + sizes.Pruned
	}

	coded, err := readFlag(in, "the input matrix")
	if err != nil {
		return nil, err
	}
	if sizes.Pruned >= 0 && !coded {
		return nil, in.FailAt(in.Offset-1, "the input matrix: %w", errPruned)
	}
	if p.Input, err = readMatrix(in, "the input matrix", coded, rows, int64(args.Dim), true); err != nil {
		return nil, err
	}
	if p.Subword == nil {
		// All buckets belong to word n-grams, not to character n-grams.
		p.Input = p.Input.First(int(words))
	}
	rows = words
	classifies := args.Model == modelSupervised
	if classifies {
		rows = -1 // one row per label
	}
	// The byte may also be set in a model that is not quantised, where it has no meaning.
	outputCoded, err := readFlag(in, "the output matrix")
	if err != nil {
		return nil, err
	}
	if p.Output, err = readMatrix(in, "the output matrix", coded && outputCoded, rows, int64(args.Dim), !classifies); err != nil {
		return nil, err
	}
	switch {
	case classifies:
		p.Origin.Unread = append(p.Origin.Unread, "labels and their vectors")
	case args.Loss == lossHierarchical:
		p.Training.Set("loss", hierarchical)
		p.Matrices = []vectors.NamedMatrix{{Name: vectors.MatrixNodes, Matrix: p.Output.First(max(int(words)-1, 0))}}
		p.Output = vectors.Matrix{}
	}
	if args.WordNgrams > 1 {
		p.Origin.Unread = append(p.Origin.Unread, "vectors of runs of words")
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	return vectors.New(p)
}

// readFlag reads the byte that says whether a matrix is quantised.
func readFlag(in *source.Input, name string) (bool, error) {
	var b [1]byte
	err := in.Full(b[:], "what "+name+" is")
	return b[0] != 0, err
}

// readHead reads the settings and the sizes of the dictionary.
func readHead(in *source.Input) (args settings, sizes dictionarySizes, err error) {
	var signature struct{ Magic, Version int32 }
	if err := in.Decode(&signature, "the magic number and the version"); err != nil {
		return args, sizes, err
	}
	if signature.Magic != magic {
		return args, sizes, in.FailAt(0, "expected the magic number %d, found %d", magic, signature.Magic)
	}
	if v := signature.Version; v != version && v != oldVersion {
		return args, sizes, in.FailAt(4, "expected version %d or %d, found %d", oldVersion, version, v)
	}
	start := in.Offset
	if err := in.Decode(&args, "the settings"); err != nil {
		return args, sizes, err
	}
	// Source: loadModel in fasttext.cc.
	if signature.Version == oldVersion && args.Model == modelSupervised {
		args.MaxN = 0
	}
	if err := args.check(); err != nil {
		return args, sizes, in.FailAt(start, "settings: %w", err)
	}
	start = in.Offset
	if err := in.Decode(&sizes, "the sizes of the dictionary"); err != nil {
		return args, sizes, err
	}
	if err := sizes.check(); err != nil {
		return args, sizes, in.FailAt(start, "dictionary: %w", err)
	}
	return args, sizes, nil
}

// readDictionary reads the words and their counts.
func readDictionary(in *source.Input, sizes dictionarySizes, p *vectors.Parts) error {
	const smallest = 1 + 8 + 1 // minimum size of an entry: end of the word, count, kind
	room := in.Backed(int64(sizes.Words), smallest)
	var words vectors.WordsBuilder
	words.Grow(room)
	p.Counts = make([]uint64, 0, room)
	err := eachEntry(in, sizes, func(word string, count uint64, label bool) {
		if !label {
			words.Add(word)
			p.Counts = append(p.Counts, count)
		}
	})
	if err != nil {
		return err
	}
	p.Words = words.Words()
	if sizes.Tokens == 0 { // without a corpus, counts are made up: see write
		p.Counts = nil
	}
	return nil
}

// eachEntry reads the dictionary: words, and then labels.
func eachEntry(in *source.Input, sizes dictionarySizes, visit func(word string, count uint64, label bool)) error {
	for i := range sizes.Entries {
		entry := in.Offset
		word, err := in.Word(0)
		if err != nil {
			return source.Within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		name := string(word)
		var tail [9]byte
		if err := in.Full(tail[:], "a count and a kind"); err != nil {
			return source.Within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		count, kind := binary.LittleEndian.Uint64(tail[:]), tail[8]
		want := byte(entryWord)
		if i >= sizes.Words {
			want = entryLabel
		}
		if kind != want {
			return in.FailAt(entry, "entry %d of %d of the dictionary: expected kind %d, found %d", i+1, sizes.Entries, want, kind)
		}
		if count > math.MaxInt64 {
			return in.FailAt(entry, "entry %d of %d of the dictionary: expected a count, found %d", i+1, sizes.Entries, int64(count))
		}
		visit(name, count, kind == entryLabel)
	}
	return nil
}

// readMatrix reads a matrix of that size, with any number of rows if rows is negative. coded says that it
// consists of codes. If keep is false, the matrix is skipped and not returned.
func readMatrix(in *source.Input, name string, coded bool, rows, cols int64, keep bool) (vectors.Matrix, error) {
	if coded {
		return readCodes(in, name, rows, cols, keep)
	}
	start := in.Offset - 1 // includes the flag
	var head struct{ Rows, Cols int64 }
	if err := in.Decode(&head, "the size of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if rows > endian.MaxBytes/4/cols {
		return vectors.Matrix{}, in.FailAt(start, "%s: %d rows of %d are more than fit into memory", name, rows, cols)
	}
	if !keep {
		if left, known := in.Left(); known && 4*rows*cols > left {
			return vectors.Matrix{}, in.Fail("%s: expected %d bytes: %w", name, 4*rows*cols, source.Cut(fmt.Sprintf("%d more", 4*rows*cols-left)))
		}
		return vectors.Matrix{}, in.Skip(4*rows*cols, name)
	}
	return rowio.Read(in, rows, cols, name)
}

// training returns the training settings as Training.
func (a settings) training(tokens int64) vectors.Training {
	t := vectors.NewTraining(
		"arch", architectures[a.Model],
		"window", int(a.Window),
		"epochs", int(a.Epochs),
		"min_count", int(a.MinCount),
		"sample", a.Sample,
		"tokens", uint64(tokens),
	)
	t.Set("negatives", int(a.Negatives))
	return t
}

// The rest of this file reads parts that only models made by "fasttext quantize" have, .ftz files. Sources in
// fastText: QuantMatrix::load in quantmatrix.cc, ProductQuantizer::load in productquantizer.cc,
// Dictionary::load and pushHash in dictionary.cc.

// readCodes reads a matrix of codes for readMatrix, after the flag byte.
func readCodes(in *source.Input, name string, rows, cols int64, keep bool) (vectors.Matrix, error) {
	start := in.Offset - 1 // includes the flag
	var head struct {
		Norms      uint8
		Rows, Cols int64
		Codes      int32
	}
	if err := in.Decode(&head, "the size of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if err := rowio.Fits(in, rows, cols, name); err != nil {
		return vectors.Matrix{}, err
	}
	if head.Codes < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected its number of codes, found %d", name, head.Codes)
	}
	q := &coded.Quantised{}
	var err error
	if q.Codes, err = source.Array[uint8](in, int64(head.Codes), "the codes of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if q.Book, err = readCodebook(in, cols, "the codebook of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if want := rows * int64(q.Book.Parts()); int64(head.Codes) != want {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d codes for %d rows of %d, found %d", name, want, rows, q.Book.Parts(), head.Codes)
	}
	if head.Norms != 0 {
		if q.NormCodes, err = source.Array[uint8](in, rows, "the norms of "+name); err != nil {
			return vectors.Matrix{}, err
		}
		norms, err := readCodebook(in, 1, "the codebook of the norms of "+name)
		if err != nil {
			return vectors.Matrix{}, err
		}
		q.Norms = norms.Centroids
	}
	if !keep || rows == 0 {
		return vectors.Matrix{Cols: int(cols)}, nil
	}
	return vectors.Stored(int(rows), int(cols), q), nil
}

// readCodebook reads a codebook for rows of cols numbers.
func readCodebook(in *source.Input, cols int64, expected string) (pq.Codebook, error) {
	start := in.Offset
	var head struct{ Dim, Parts, Part, Last int32 }
	if err := in.Decode(&head, "the size of "+expected); err != nil {
		return pq.Codebook{}, err
	}
	b := pq.Codebook{Dim: int(head.Dim), Part: int(head.Part), Size: pq.MaxSize}
	// fastText allows a part that is longer than the row.
	if b.Part > b.Dim && head.Parts == 1 && head.Last == head.Dim {
		b.Part = b.Dim
	}
	if int64(b.Dim) != cols || b.Part < 1 || b.Part > b.Dim || int(head.Parts) != b.Parts() || int(head.Last) != b.Dim-(b.Parts()-1)*b.Part {
		return b, in.FailAt(start, "%s: expected the size of parts of %d numbers, found %d in %d parts of %d and %d",
			expected, cols, head.Dim, head.Parts, head.Part, head.Last)
	}
	var err error
	b.Centroids, err = source.Array[float32](in, int64(b.Dim)*pq.MaxSize, expected)
	return b, err
}

// readKept reads which buckets remain, and changes p accordingly.
func readKept(in *source.Input, p *vectors.Parts, sizes dictionarySizes, args settings) error {
	start := in.Offset
	if sizes.Pruned > int64(args.Buckets) {
		return in.Fail("expected at most %d n-grams that are kept, found %d", args.Buckets, sizes.Pruned)
	}
	pairs, err := source.Array[int32](in, 2*sizes.Pruned, "the n-grams that are kept")
	if err != nil {
		return err
	}
	buckets := make([]uint32, sizes.Pruned)
	taken := make([]bool, sizes.Pruned)
	for i := range buckets {
		bucket, row := pairs[2*i], pairs[2*i+1]
		if row < 0 || int64(row) >= sizes.Pruned || taken[row] {
			return in.FailAt(start+8*int64(i), "n-grams that are kept: expected a row of its own below %d, found %d", sizes.Pruned, row)
		}
		if bucket < 0 || bucket >= args.Buckets {
			return in.FailAt(start+8*int64(i), "n-grams that are kept: expected a bucket from 0 to %d, found %d", args.Buckets-1, bucket)
		}
		taken[row] = true
		buckets[row] = uint32(bucket)
	}
	whole, ok := subword.Value(p.Subword).(subword.FastText)
	if !ok { // the buckets belong to word n-grams
		return nil
	}
	kept, err := subword.Prune(whole, buckets)
	if err != nil {
		return in.FailAt(start, "n-grams that are kept: %w", err)
	}
	p.Subword = kept
	return nil
}

// errPruned is the error for a file that fastText does not accept either.
var errPruned = errors.New("expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText")
