// Package fasttext reads and writes fastText's binary model, versions 11 and 12, with both
// matrices, and reads quantised ones, .ftz files. Everything is little-endian and nothing is
// padded. Sources in fastText: signModel and saveModel in fasttext.cc, Args::save in args.cc,
// Dictionary::save in dictionary.cc, DenseMatrix::save in densematrix.cc.
package fasttext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"unsafe"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

const (
	magic      = 793712314
	version    = 12
	oldVersion = 11
)

type settings struct {
	Dim, Window, Epochs, MinCount, Negatives int32
	WordNgrams, Loss, Model                  int32
	Buckets, MinN, MaxN, LRUpdateRate        int32
	Sample                                   float64
}

// Values of settings.Loss and Model.
const (
	lossHierarchical = 1
	lossNegative     = 2
	lossSoftmax      = 3
	lossOneVsAll     = 4

	modelCBOW       = 1
	modelSkipgram   = 2
	modelSupervised = 3
)

const defaultNegatives = 5

// Kinds of entries of the dictionary.
const (
	entryWord  = 0
	entryLabel = 1
)

type dictionarySizes struct {
	Entries, Words, Labels int32
	Tokens, Pruned         int64
}

const hierarchical = "hs"

var architectures = map[int32]string{
	modelCBOW: "cbow", modelSkipgram: "skipgram", modelSupervised: "supervised",
}

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.FastText,
	Extensions: []codec.Extension{{Name: ".bin", Sets: codec.SubwordSets}},
	Sniff:      sniff,
	Decode:     read,
	Maps:       true,
	Write:      write,
	Uncached:   mostlyEmpty,
	Size:       sizeOf,
	Word:       codec.Rules("fastText", codec.Empty, codec.Containing("\x00", "contains a zero byte")),
	Distinct:   "fastText",
	Misread:    misread,
	Subword:    checkSubword,
	Keeps: codec.Kept{
		Subwords: true, Context: true, Nodes: true, Labels: true, Counts: true,
		Training: []string{"arch", "loss", "window", "epochs", "negatives", "min_count", "sample", "tokens"},
	},
	Programs: "fastText, gensim",
}

func sizeOf(s vectors.Shape) float64 {
	if s.Pieces { // such n-grams are dropped
		s.Buckets = 0
	}
	switch {
	case s.Labels > 0 && s.Encoding == vectors.EncodingPQ: // written as codes
		return codec.WordSize(s, 10) + float64(s.Rows)*float64(s.RowBytes)
	case s.Labels > 0: // no context vectors
		return codec.WordSize(s, 10) + codec.FullSize(s, s.Words+s.Buckets)
	}
	return codec.WordSize(s, 10) + codec.FullSize(s, s.Words+s.Buckets) + codec.FullSize(s, s.Words)
}

func sniff(head []byte) bool {
	return len(head) >= 4 && binary.LittleEndian.Uint32(head) == magic
}

// subwords returns how the model cuts words into n-grams, or nil if it has none.
func (a settings) subwords() subword.Indexer {
	if a.MaxN == 0 {
		return nil
	}
	return subword.FastText{MinN: int(a.MinN), MaxN: int(a.MaxN), Buckets: int(a.Buckets)}
}

func (a settings) check() error {
	switch {
	case a.Dim < 1:
		return fmt.Errorf("expected at least 1 dimension, found %d", a.Dim)
	case a.Model < modelCBOW || a.Model > modelSupervised:
		return fmt.Errorf("expected a model from %d to %d, found %d", modelCBOW, modelSupervised, a.Model)
	case a.Loss < lossHierarchical || a.Loss > lossOneVsAll:
		return fmt.Errorf("expected a loss from %d to %d, found %d", lossHierarchical, lossOneVsAll, a.Loss)
	case a.Buckets < 0:
		return fmt.Errorf("expected at least 0 buckets, found %d", a.Buckets)
	case a.MaxN == 0:
		return nil
	}
	return subword.Readable(subword.FastText{MinN: int(a.MinN), MaxN: int(a.MaxN), Buckets: int(a.Buckets)})
}

// Contents is a file as fastText wrote it, including what a set does not hold: labels and their rows, and
// settings without a meaning for words. It is read from beginning to end.
type Contents struct {
	Settings  []Setting // in the order of the file
	Entries   []Entry   // entries of the dictionary
	Quantised bool      // there are no rows to read

	in   *source.Input
	next int // the next matrix to read
}

// A Setting is a training setting, by fastText's name.
type Setting struct {
	Name  string
	Value any // an int32, a float64 or a string
}

// An Entry is a word or a label.
type Entry struct {
	Word  string
	Count uint64
	Label bool
}

// ErrQuantised says that a quantised file has codes and no rows.
var ErrQuantised = errors.New("the model is quantised: it has codes in place of rows")

// ReadContents opens the file at path, which may be compressed, and calls use with its contents.
func ReadContents(path string, use func(c *Contents) error) error {
	return source.Open(path, func(in *source.Input) error {
		return source.Try(func() { source.Check(use(contentsOf(in))) })
	})
}

func contentsOf(in *source.Input) *Contents {
	args, sizes := readHead(in)
	c := &Contents{Settings: args.named(), in: in}
	eachEntry(in, sizes, func(word string, count uint64, label bool) {
		c.Entries = append(c.Entries, Entry{strings.Clone(word), count, label})
	})
	const kept = 4 + 4 // bytes of a bucket and its row
	if sizes.Pruned > math.MaxInt32 {
		in.Fail("dictionary: expected the number of buckets that were kept, found %d", sizes.Pruned)
	}
	in.Skip(kept*max(sizes.Pruned, 0), "the buckets that were kept")
	c.Quantised = readFlag(in, "the input matrix")
	return c
}

// Matrix returns the size of the matrix of that name, vectors.MatrixInput or vectors.MatrixOutput, and its
// rows, each of which is valid until the next. The input cannot be read after the output. What is wrong with
// the file ends use: ReadContents returns the error.
func (c *Contents) Matrix(name string) (rows, cols int64, each iter.Seq[[]float32]) {
	if c.Quantised {
		source.Check(ErrQuantised)
	}
	for names := []string{vectors.MatrixInput, vectors.MatrixOutput}; c.next < len(names); {
		title, wanted := "the "+names[c.next]+" matrix", names[c.next] == name
		if c.next > 0 {
			readFlag(c.in, title)
		}
		c.next++
		var size struct{ Rows, Cols int64 }
		start := c.in.Offset
		c.in.Decode(&size, "the size of "+title)
		if size.Rows < 0 || size.Cols < 1 || size.Cols > maxCols || size.Rows > endian.MaxBytes/4/size.Cols {
			c.in.FailAt(start, "%s: expected a size, found %d rows of %d", title, size.Rows, size.Cols)
		}
		if wanted {
			return size.Rows, size.Cols, func(yield func([]float32) bool) {
				row := make([]float32, size.Cols)
				for range size.Rows {
					if rowio.Next(c.in, row, title); !yield(row) {
						return
					}
				}
			}
		}
		c.in.Skip(4*size.Rows*size.Cols, title)
	}
	source.Check(fmt.Errorf("there is no %s matrix to be read", name))
	return 0, 0, nil
}

const maxCols = 1 << 20

func (a settings) named() []Setting {
	return []Setting{
		{"dim", a.Dim},
		{"ws", a.Window},
		{"epoch", a.Epochs},
		{"minCount", a.MinCount},
		{"neg", a.Negatives},
		{"wordNgrams", a.WordNgrams},
		{"loss", map[int32]string{lossHierarchical: "hs", lossNegative: "ns", lossSoftmax: "softmax", lossOneVsAll: "one-vs-all"}[a.Loss]},
		{"model", map[int32]string{modelCBOW: "cbow", modelSkipgram: "sg", modelSupervised: "sup"}[a.Model]},
		{"bucket", a.Buckets},
		{"minn", a.MinN},
		{"maxn", a.MaxN},
		{"lrUpdateRate", a.LRUpdateRate},
		{"t", a.Sample},
	}
}

// read reads a model of words, of words and n-grams, or a classifier, whose output matrix belongs to its
// labels. With hierarchical softmax, the output matrix holds the inner nodes of a tree, one fewer than words or
// labels, and an unused row. Rows of a quantised model (.ftz) are decoded when they are used.
func read(in *source.Input) *vectors.Set {
	args, sizes := readHead(in)
	p := vectors.Parts{
		Subword: args.subwords(), Source: in.Behind, Origin: vectors.Origin{Format: codec.FastText},
	}
	readDictionary(in, sizes, &p)
	p.Training = args.training(sizes.Tokens)
	classifies := args.Model == modelSupervised
	words := int64(p.Words.Len())
	rows := words + int64(args.Buckets)
	var kept []uint32 // buckets, of a pruned model
	if sizes.Pruned >= 0 {
		kept = readKept(in, &p, sizes, args)
		rows = words + sizes.Pruned
	}

	coded := readFlag(in, "the input matrix")
	if sizes.Pruned >= 0 && !coded {
		in.FailAt(in.Offset-1, "the input matrix: expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText")
	}
	p.Input = readMatrix(in, "the input matrix", coded, rows, int64(args.Dim))
	runs := p.Input.From(int(words)) // all of them if there are no n-grams of characters
	if p.Subword == nil {
		p.Input = p.Input.First(int(words))
	}
	rows = words
	if classifies {
		rows = int64(sizes.Labels)
	}
	// The byte may also be set in a model that is not quantised, where it has no meaning.
	outputCoded := readFlag(in, "the output matrix")
	p.Output = readMatrix(in, "the output matrix", coded && outputCoded, rows, int64(args.Dim))
	switch {
	case classifies && sizes.Labels == 0:
		p.Output = vectors.Matrix{}
	case classifies:
		p.Labels.Rows, p.Labels.Nodes, p.Output = p.Output, args.Loss == lossHierarchical, vectors.Matrix{}
		p.Training.Set("loss", lossNames[args.Loss])
		if args.WordNgrams > 1 {
			p.Training.Set("word_ngrams", int(args.WordNgrams))
		}
		switch {
		case args.WordNgrams < 2 || p.Subword != nil:
		case sizes.Pruned >= 0:
			p.Labels.Runs, p.Labels.RunBuckets, p.Labels.Buckets = runs, kept, int(args.Buckets)
		default:
			p.Put(vectors.MatrixWordNgrams, runs)
		}
	case args.Loss == lossHierarchical:
		p.Training.Set("loss", hierarchical)
		p.Matrices = []vectors.NamedMatrix{{Name: vectors.MatrixNodes, Matrix: p.Output.First(max(int(words)-1, 0))}}
		p.Output = vectors.Matrix{}
	case args.Loss == lossSoftmax:
		p.Training.Set("loss", lossNames[lossSoftmax])
		p.Training.Set("negatives", 0)
	}
	in.End()
	return source.Must(vectors.New(p))
}

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
	var words, labels vectors.WordsBuilder
	words.Grow(room)
	p.Labels = &vectors.Labels{}
	p.Counts = make([]uint64, 0, room)
	eachEntry(in, sizes, func(word string, count uint64, label bool) {
		if label {
			labels.Add(word)
			p.Labels.Counts = append(p.Labels.Counts, count)
		} else {
			words.Add(word)
			p.Counts = append(p.Counts, count)
		}
	})
	p.Words = words.Words()
	if sizes.Tokens == 0 { // without a corpus, counts are made up: see write
		p.Counts = nil
	}
	if p.Labels.Names = labels.Words(); labels.Len() == 0 {
		p.Labels = nil
	}
}

// eachEntry reads the dictionary: words, and then labels. A word is valid until the next.
func eachEntry(in *source.Input, sizes dictionarySizes, visit func(word string, count uint64, label bool)) {
	i := int32(0)
	defer source.Within(func() string { return fmt.Sprintf("entry %d of %d of the dictionary", i+1, sizes.Entries) })
	var name []byte
	var tail [9]byte
	for ; i < sizes.Entries; i++ {
		entry := in.Offset
		name = append(name[:0], in.Word(0)...)
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
		visit(unsafe.String(unsafe.SliceData(name), len(name)), count, kind == entryLabel)
	}
}

// readMatrix reads a matrix of that size. coded says that it consists of codes.
func readMatrix(in *source.Input, name string, coded bool, rows, cols int64) vectors.Matrix {
	start := in.Offset - 1 // includes the flag
	var norms [1]byte
	if coded {
		in.Full(norms[:], "the size of "+name)
	}
	var head struct{ Rows, Cols int64 }
	in.Decode(&head, "the size of "+name)
	if head.Rows != rows || head.Cols != cols {
		in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, rows, cols, head.Rows, head.Cols)
	}
	if coded {
		return readCodes(in, start, name, rows, cols, norms[0] != 0)
	}
	if rows > endian.MaxBytes/4/cols {
		in.FailAt(start, "%s: %d rows of %d are more than fit into memory", name, rows, cols)
	}
	return rowio.Read(in, rows, cols, name)
}

// lossNames are the losses, as models record them.
var lossNames = map[int32]string{lossHierarchical: hierarchical, lossNegative: "ns", lossSoftmax: "softmax", lossOneVsAll: "ova"}

func lossNamed(name string) int32 {
	for loss, of := range lossNames {
		if of == name {
			return loss
		}
	}
	return lossSoftmax
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

func readCodes(in *source.Input, start int64, name string, rows, cols int64, norms bool) vectors.Matrix {
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
	if rows == 0 {
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

func readKept(in *source.Input, p *vectors.Parts, sizes dictionarySizes, args settings) (buckets []uint32) {
	start := in.Offset
	if sizes.Pruned > int64(args.Buckets) {
		in.Fail("expected at most %d n-grams that are kept, found %d", args.Buckets, sizes.Pruned)
	}
	pairs := source.Array[int32](in, 2*sizes.Pruned, "the n-grams that are kept")
	buckets = make([]uint32, sizes.Pruned)
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
	return buckets
}
