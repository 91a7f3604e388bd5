package fasttext

import (
	"encoding/binary"
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
func read(in *source.Input) *vectors.Set {
	args, sizes := readHead(in)
	p := vectors.Parts{
		Subword: args.subwords(), Source: in.Behind, Origin: vectors.Origin{Format: codec.FastText},
	}
	readDictionary(in, sizes, &p)
	p.Training = args.training(sizes.Tokens)
	words := int64(p.Words.Len())
	rows := words + int64(args.Buckets)
	if sizes.Pruned >= 0 {
		readKept(in, &p, sizes, args)
		rows = words + sizes.Pruned
	}

	coded := readFlag(in, "the input matrix")
	if sizes.Pruned >= 0 && !coded {
		in.FailAt(in.Offset-1, "the input matrix: expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText")
	}
	p.Input = readMatrix(in, "the input matrix", coded, rows, int64(args.Dim), true)
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
	outputCoded := readFlag(in, "the output matrix")
	p.Output = readMatrix(in, "the output matrix", coded && outputCoded, rows, int64(args.Dim), !classifies)
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
	in.End()
	return source.Must(vectors.New(p))
}

// readFlag reads the byte that says whether a matrix is quantised.
func readFlag(in *source.Input, name string) bool {
	var b [1]byte
	in.Full(b[:], "what "+name+" is")
	return b[0] != 0
}

func readHead(in *source.Input) (args settings, sizes dictionarySizes) {
	var signature struct{ Magic, Version int32 }
	in.Decode(&signature, "the magic number and the version")
	if signature.Magic != magic {
		in.FailAt(0, "expected the magic number %d, found %d", magic, signature.Magic)
	}
	if v := signature.Version; v != version && v != oldVersion {
		in.FailAt(4, "expected version %d or %d, found %d", oldVersion, version, v)
	}
	start := in.Offset
	in.Decode(&args, "the settings")
	// Source: loadModel in fasttext.cc.
	if signature.Version == oldVersion && args.Model == modelSupervised {
		args.MaxN = 0
	}
	if err := args.check(); err != nil {
		in.FailAt(start, "settings: %w", err)
	}
	start = in.Offset
	in.Decode(&sizes, "the sizes of the dictionary")
	switch z := sizes; {
	case z.Words < 0 || z.Labels < 0 || int64(z.Entries) != int64(z.Words)+int64(z.Labels):
		in.FailAt(start, "dictionary: expected as many entries as words and labels, found %d, %d and %d", z.Entries, z.Words, z.Labels)
	case z.Tokens < 0:
		in.FailAt(start, "dictionary: expected at least 0 tokens, found %d", z.Tokens)
	}
	return args, sizes
}

func readDictionary(in *source.Input, sizes dictionarySizes, p *vectors.Parts) {
	const smallest = 1 + 8 + 1 // minimum size of an entry: end of the word, count, kind
	room := in.Backed(int64(sizes.Words), smallest)
	var words vectors.WordsBuilder
	words.Grow(room)
	p.Counts = make([]uint64, 0, room)
	eachEntry(in, sizes, func(word string, count uint64, label bool) {
		if !label {
			words.Add(word)
			p.Counts = append(p.Counts, count)
		}
	})
	p.Words = words.Words()
	if sizes.Tokens == 0 { // without a corpus, counts are made up: see write
		p.Counts = nil
	}
}

// eachEntry reads the dictionary: words, and then labels.
func eachEntry(in *source.Input, sizes dictionarySizes, visit func(word string, count uint64, label bool)) {
	i := int32(0)
	defer source.Within(func() string { return fmt.Sprintf("entry %d of %d of the dictionary", i+1, sizes.Entries) })
	for ; i < sizes.Entries; i++ {
		entry := in.Offset
		name := string(in.Word(0))
		var tail [9]byte
		in.Full(tail[:], "a count and a kind")
		count, kind := binary.LittleEndian.Uint64(tail[:]), tail[8]
		want := byte(entryWord)
		if i >= sizes.Words {
			want = entryLabel
		}
		if kind != want {
			in.FailAt(entry, "expected kind %d, found %d", want, kind)
		}
		if count > math.MaxInt64 {
			in.FailAt(entry, "expected a count, found %d", int64(count))
		}
		visit(name, count, kind == entryLabel)
	}
}

// readMatrix reads a matrix of that size, with any number of rows if rows is negative. coded says that it
// consists of codes. If keep is false, the matrix is skipped and not returned.
func readMatrix(in *source.Input, name string, coded bool, rows, cols int64, keep bool) vectors.Matrix {
	start := in.Offset - 1 // includes the flag
	var norms [1]byte
	if coded {
		in.Full(norms[:], "the size of "+name)
	}
	var head struct{ Rows, Cols int64 }
	in.Decode(&head, "the size of "+name)
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if coded {
		return readCodes(in, start, name, rows, cols, norms[0] != 0, keep)
	}
	if rows > endian.MaxBytes/4/cols {
		in.FailAt(start, "%s: %d rows of %d are more than fit into memory", name, rows, cols)
	}
	if keep {
		return rowio.Read(in, rows, cols, name)
	}
	if left, known := in.Left(); known && 4*rows*cols > left {
		in.Fail("%s: expected %d bytes: %w", name, 4*rows*cols, source.Cut(fmt.Sprintf("%d more", 4*rows*cols-left)))
	}
	in.Skip(4*rows*cols, name)
	return vectors.Matrix{}
}

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

// readCodes reads a matrix of codes for readMatrix, which begins at start, after its number of columns.
func readCodes(in *source.Input, start int64, name string, rows, cols int64, norms, keep bool) vectors.Matrix {
	var codes int32
	in.Decode(&codes, "the size of "+name)
	rowio.Fits(in, rows, cols, 1, name)
	if codes < 0 {
		in.FailAt(start, "%s: expected its number of codes, found %d", name, codes)
	}
	q := &coded.Quantised{Codes: source.Array[uint8](in, int64(codes), "the codes of "+name)}
	q.Book = readCodebook(in, cols, "the codebook of "+name)
	if want := rows * int64(q.Book.Parts()); int64(codes) != want {
		in.FailAt(start, "%s: expected %d codes for %d rows of %d, found %d", name, want, rows, q.Book.Parts(), codes)
	}
	if norms {
		q.NormCodes = source.Array[uint8](in, rows, "the norms of "+name)
		q.Norms = readCodebook(in, 1, "the codebook of the norms of "+name).Centroids
	}
	if !keep || rows == 0 {
		return vectors.Matrix{Cols: int(cols)}
	}
	return vectors.Stored(int(rows), int(cols), q)
}

func readCodebook(in *source.Input, cols int64, expected string) pq.Codebook {
	start := in.Offset
	var head struct{ Dim, Parts, Part, Last int32 }
	in.Decode(&head, "the size of "+expected)
	b := pq.Codebook{Dim: int(head.Dim), Part: int(head.Part), Size: pq.MaxSize}
	// fastText allows a part that is longer than the row.
	if b.Part > b.Dim && head.Parts == 1 && head.Last == head.Dim {
		b.Part = b.Dim
	}
	if int64(b.Dim) != cols || b.Part < 1 || b.Part > b.Dim || int(head.Parts) != b.Parts() || int(head.Last) != b.Dim-(b.Parts()-1)*b.Part {
		in.FailAt(start, "%s: expected the size of parts of %d numbers, found %d in %d parts of %d and %d",
			expected, cols, head.Dim, head.Parts, head.Part, head.Last)
	}
	b.Centroids = source.Array[float32](in, int64(b.Dim)*pq.MaxSize, expected)
	return b
}

// readKept reads which buckets remain, and changes p accordingly.
func readKept(in *source.Input, p *vectors.Parts, sizes dictionarySizes, args settings) {
	start := in.Offset
	if sizes.Pruned > int64(args.Buckets) {
		in.Fail("expected at most %d n-grams that are kept, found %d", args.Buckets, sizes.Pruned)
	}
	pairs := source.Array[int32](in, 2*sizes.Pruned, "the n-grams that are kept")
	buckets := make([]uint32, sizes.Pruned)
	taken := make([]bool, sizes.Pruned)
	for i := range buckets {
		bucket, row := pairs[2*i], pairs[2*i+1]
		if row < 0 || int64(row) >= sizes.Pruned || taken[row] {
			in.FailAt(start+8*int64(i), "n-grams that are kept: expected a row of its own below %d, found %d", sizes.Pruned, row)
		}
		if bucket < 0 || bucket >= args.Buckets {
			in.FailAt(start+8*int64(i), "n-grams that are kept: expected a bucket from 0 to %d, found %d", args.Buckets-1, bucket)
		}
		taken[row] = true
		buckets[row] = uint32(bucket)
	}
	if whole, ok := subword.Value(p.Subword).(subword.FastText); ok { // otherwise the buckets belong to word n-grams
		kept, err := subword.Prune(whole, buckets)
		if err != nil {
			in.FailAt(start, "n-grams that are kept: %w", err)
		}
		p.Subword = kept
	}
}
