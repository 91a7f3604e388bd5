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

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	magic      = 793712314
	version    = 12
	oldVersion = 11
)

// settings are the training settings, in file order.
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

// hierarchical is Training's name for hierarchical softmax.
const hierarchical = "hs"

// architectures maps fastText's models to Training's names.
var architectures = map[int32]string{
	modelCBOW: "cbow", modelSkipgram: "skipgram", modelSupervised: "supervised",
}

// Codec returns the format.
func Codec() codec.Codec {
	return codec.Codec{
		Name:       codec.FastText,
		Extensions: []codec.Extension{{Name: ".bin", Sets: codec.SubwordSets}},
		Sniff:      sniff,
		Read:       source.Reader(read),
		Maps:       true,
		Write:      write,
		Size:       sizeOf,
		Word:       codec.Rules("fastText", codec.Empty, codec.Containing("\x00", "contains a zero byte")),
		Distinct:   "fastText",
		Subword:    checkSubword,
		Streams:    true,
		Keeps: codec.Kept{
			Subwords: true, Context: true, Nodes: true, Counts: true,
			Training: []string{"arch", "loss", "window", "epochs", "negatives", "min_count", "sample", "tokens"},
		},
		Programs: "fastText, gensim",
	}
}

func sizeOf(s vectors.Shape) float64 {
	if s.Pieces { // such n-grams are dropped
		s.Buckets = 0
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
		c.Entries = append(c.Entries, Entry{word, count, label})
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
