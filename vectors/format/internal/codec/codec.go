// Package codec has what a family of formats tells package format about itself, and what several
// families share: sizes, lists of words beside a file, and a look at words that were read.
package codec

import (
	"bufio"
	"slices"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Names of the formats, which messages of one format advise of another.
const (
	W2V                  = "w2v"
	FastText             = "fasttext"
	Word2Vec             = "word2vec"
	Text                 = "text"
	GloVe                = "glove"
	Finalfusion          = "finalfusion"
	Floret               = "floret"
	Npy                  = "npy"
	Projector            = "projector"
	Torch                = "torch"
	SentenceTransformers = "sentence-transformers"
	Model2Vec            = "model2vec"
)

// WriteBuffer is how many bytes are given to the system at a time.
const WriteBuffer = 1 << 20

// A Read is the parts of a set that a reader has found, and what it knows beside them.
type Read struct {
	vectors.Parts
	NotFinite *vectors.NotFinite // of all rows; nil if the reader does not look at them
	Verify    func() error       // what Set.Verify does; nil for nothing
}

// Set returns the set of the parts, of which nothing is checked: see Set.CheckSizes.
func (r Read) Set() *vectors.Set {
	return backing.NewSet(r.Parts, r.NotFinite, r.Verify).(*vectors.Set)
}

// Unchecked returns the set of parts, of which nothing is checked: see Set.CheckSizes.
func Unchecked(p vectors.Parts) *vectors.Set { return Read{Parts: p}.Set() }

// A Codec is a format: how it is known, read and written, and what it keeps.
type Codec struct {
	Name       string
	Extensions []Extension
	// Sniff reports whether a file that begins with head is in this format; nil for a folder.
	// It may rely on the formats before it in the table having said no. head is the whole
	// file if that is shorter than source.SniffLen.
	Sniff func(head []byte) bool
	// Read reads a set. It says the format in the set's Origin.
	Read func(in *source.Input) (*vectors.Set, error)
	// Maps tells that Read uses the bytes of a file in place, so that mapping it is worth
	// while.
	Maps bool
	// Write writes the format if it is a single file, Parts says what it consists of
	// otherwise: a file and others beside it, or those of a folder.
	Write func(w *bufio.Writer, s *vectors.Set) error
	Parts func(s *vectors.Set) ([]Part, error)
	// Begins returns what a file of the set begins with, for a format that can be known
	// by its first row alone and taken for another; nil for others.
	Begins func(s *vectors.Set) ([]byte, error)
	// Known are files of which each tells a folder of the format; none for a file.
	Known []string
	// Size is at most what a set of that shape takes.
	Size func(shape vectors.Shape) float64
	// Word says why the format cannot hold a word; nil if it holds any.
	Word func(word string) error
	// Misread says what other programs read otherwise than w2v in a file of a set; nil for nothing.
	Misread func(*vectors.Set) []string
	// Distinct is the program that cannot hold a word twice, if one cannot.
	Distinct string
	// Subword says why the format cannot hold such n-grams; nil if it leaves all n-grams
	// out and holds the words alone. If it cannot hold n-grams that are trained here and
	// have no other way out, it holds the words alone too.
	Subword func(sub subword.Indexer, c subword.Composition) error
	// DTypes are the types of numbers that it holds, if not F32 alone; none if it has
	// them in decimal.
	DTypes []vectors.DType
	// Streams tells that Read leaves rows where they are if they can be read
	// again, and that writing asks for rows in their order.
	Streams bool
	// Keeps is what reading gives back of what was written.
	Keeps Kept
	// Programs are those that read the format.
	Programs string
}

// Folder reports whether the format is a folder.
func (c Codec) Folder() bool { return len(c.Known) > 0 }

// An Extension asks for a format, of any set or only of one with subwords or
// without.
type Extension struct {
	Name string
	Sets Sets
}

// Sets are kinds of sets.
type Sets uint8

// The kinds.
const (
	PlainSets Sets = 1 << iota
	SubwordSets
	AnySets = PlainSets | SubwordSets
)

// A Part is a file of those that a set is written as.
type Part struct {
	// Name is that of a file in a folder, or what is put after the name of the
	// file itself, which has none.
	Name  string
	Write func(w *bufio.Writer) error
}

// Kept is what a format keeps of a set, besides words and their vectors. Package format
// has the same type.
type Kept struct {
	Subwords bool
	Context  bool
	Nodes    bool
	Rest     bool
	Counts   bool
	State    bool
	Words    bool
	Training []string
}

// Decimals returns the least bytes of so many vectors in decimal, the end of a number or line
// included.
func DecimalSize(s vectors.Shape, n int) float64 {
	each := 2.0 // a digit
	if s.Trained {
		each = 8 // those with fewer digits are outnumbered
	}
	return each * float64(n) * float64(s.Dim)
}

// Vectors returns the bytes of the vectors of words in a format that knows some types of
// numbers.
func VectorSize(s vectors.Shape, known []vectors.DType) float64 {
	number := 4.0
	if d := vectors.DType(s.Encoding); d != vectors.F32 && slices.Contains(known, d) {
		number = 2
	}
	return number * float64(s.Words) * float64(s.Dim)
}

// Full returns the bytes of so many vectors in float32.
func FullSize(s vectors.Shape, n int) float64 { return 4 * float64(n) * float64(s.Dim) }

// Words returns the bytes of words with so many bytes more for each.
func WordSize(s vectors.Shape, more int) float64 {
	return float64(s.Text) + float64(more)*float64(s.Words)
}
