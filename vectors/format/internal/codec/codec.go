// Package codec defines what a family of formats provides to package format, and helpers that several
// families share: sizes, word lists beside a file, and checks of words.
package codec

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Names of the formats, so that messages of one format can refer to another.
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
	Parquet              = "parquet"
)

// WriteBuffer is the number of bytes per write.
const WriteBuffer = 1 << 20

// Made returns the set of parts without checking them: see Set.CheckSizes. notFinite counts over all rows, and
// is nil if the reader does not examine rows. verify implements Set.Verify; nil verifies nothing.
func Made(p vectors.Parts, notFinite *vectors.NotFinite, verify func() error) *vectors.Set {
	return backing.NewSet(p, notFinite, verify).(*vectors.Set)
}

// Unchecked is Made for a reader that knows only the parts.
func Unchecked(p vectors.Parts) *vectors.Set { return Made(p, nil, nil) }

// Checked is Made for valid parts. It ends reading if the parts are invalid.
func Checked(p vectors.Parts, notFinite *vectors.NotFinite) *vectors.Set {
	source.Must(vectors.New(p))
	return Made(p, notFinite, nil)
}

// A Codec is a format: how it is detected, read and written, and what it keeps.
type Codec struct {
	Name       string
	Extensions []Extension
	// Sniff reports whether a file that begins with head is in this format; nil for a folder. It may assume
	// that earlier formats in the table have rejected the file. head is the whole file if that is shorter
	// than source.SniffLen.
	Sniff func(head []byte) bool
	// Decode makes a set of a valid file, and ends reading where the file differs from one: see package source. It
	// sets the format in the set's Origin, and leaves rows in a file that can be read again. Writing reads rows in
	// order.
	Decode func(in *source.Input) *vectors.Set
	// Maps says that Decode uses the bytes of a file in place, so that mapping the file is useful.
	Maps bool
	// Write writes a format that is a single file. For other formats, Parts returns the files: a file and
	// others beside it, or those of a folder.
	Write func(w *bufio.Writer, s *vectors.Set) error
	Parts func(s *vectors.Set) ([]Part, error)
	// Uncached returns what Part has, for the file that Write writes; nil for false.
	Uncached func(s *vectors.Set) bool
	// Begins returns the beginning of the set's file, if the format is detected only by its first row and
	// could be mistaken for another; nil otherwise.
	Begins func(s *vectors.Set) ([]byte, error)
	// Known lists files each of which identifies a folder of the format; none for a file.
	Known []string
	// Size returns an upper bound for the size of a set of that shape.
	Size func(shape vectors.Shape) float64
	// Word returns why the format cannot hold a word, or nil; a nil function accepts any word.
	Word func(word string) error
	// Misread returns notes on what other programs read differently from w2v in a set's file; nil for nothing.
	Misread func(*vectors.Set) []string
	// Distinct names a program that cannot hold the same word twice, if there is one.
	Distinct string
	// Subword returns why the format cannot hold these n-grams. It is nil for a format that drops all n-grams
	// and keeps only words. If the format cannot hold n-grams of a kind that w2v trains and that has no other
	// way to be exported, the format keeps only words too.
	Subword func(sub subword.Indexer, c subword.Composition) error
	// DTypes lists the number types, if not F32 alone; none if numbers are decimal.
	DTypes []vectors.DType
	// Keeps says what survives writing and reading.
	Keeps Kept
	// Programs lists programs that read the format.
	Programs string
}

// Read reads a set.
func (c Codec) Read(in *source.Input) (s *vectors.Set, err error) {
	err = source.Try(func() { s = c.Decode(in) })
	return s, err
}

// Folder reports whether the format is a folder.
func (c Codec) Folder() bool { return len(c.Known) > 0 }

// An Extension selects a format, for any set or only for sets with or without subwords.
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

// A Part is one of the files of a set.
type Part struct {
	// Name is the name of a file in a folder, or the suffix of a file's name. The suffix of the main file is
	// empty.
	Name  string
	Write func(w *bufio.Writer) error
	// Uncached says that the file is large, and that little of it will be read soon.
	Uncached bool
}

// Kept is what a format keeps of a set, besides words and vectors. Package format has the same type.
type Kept struct {
	Subwords bool
	Context  bool
	Nodes    bool
	Rest     bool
	Labels   bool
	Counts   bool
	State    bool
	Words    bool
	Training []string
	Attached []string
}

// DecimalSize returns the minimum size of n vectors in decimal, including separators.
func DecimalSize(s vectors.Shape, n int) float64 {
	each := 2.0 // a digit and a separator
	if s.Trained {
		each = 8 // shorter numbers are a minority
	}
	return each * float64(n) * float64(s.Dim)
}

// VectorSize returns the size of words' vectors in a format with the known number types.
func VectorSize(s vectors.Shape, known []vectors.DType) float64 {
	number := 4.0
	if d := vectors.DType(s.Encoding); d != vectors.F32 && slices.Contains(known, d) {
		number = 2
	}
	return number * float64(s.Words) * float64(s.Dim)
}

// FullSize returns the size of n vectors in float32.
func FullSize(s vectors.Shape, n int) float64 { return 4 * float64(n) * float64(s.Dim) }

// WordSize returns the size of all words, with more bytes added for each.
func WordSize(s vectors.Shape, more int) float64 {
	return float64(s.Text) + float64(more)*float64(s.Words)
}

// WordsSuffix is the suffix of a word list's name, after the name of the main file.
const WordsSuffix = ".vocab.txt"

// ReadWords reads the word list beside in, one word per line. It must have n words.
func ReadWords(in *source.Input, n int) vectors.Words {
	var list vectors.WordsBuilder
	source.Check(in.ReadPart(WordsSuffix, "the words, one a line,", func(in *source.Input) {
		list.Grow(in.Backed(int64(n), 1))
		empty := false
		for line := range in.Lines(source.MaxWord + 1) {
			line = bytes.TrimSuffix(line, []byte{'\r'})
			switch {
			case len(line) > source.MaxWord:
				in.FailLine("expected a word of at most %d bytes, found one of %d", source.MaxWord, len(line))
			case len(line) == 0 && list.Len() == n:
				empty = true
				continue
			case list.Len() == n || empty:
				in.FailLine("expected the end of the words after %d, as the matrix has rows, found %.40q", n, line)
			}
			list.Add(string(line))
		}
		if list.Len() < n {
			in.FailLine("expected %d words, as the matrix has rows, but the file ends after %d: %w",
				n, list.Len(), io.ErrUnexpectedEOF)
		}
	}))
	return list.Words()
}

// SumWords returns the CRC-32C, in hexadecimal, of the words with a newline after each.
func SumWords(words vectors.Words) string {
	sum := uint32(0)
	var line []byte
	for _, word := range words.All() {
		line = append(append(line[:0], word...), '\n')
		sum = crc32.Update(sum, rowio.Castagnoli, line)
	}
	return fmt.Sprintf("%08x", sum)
}

// WithWords returns the parts of s: the main file, which write writes, and the words beside it.
func WithWords(s *vectors.Set, write func(w *bufio.Writer) error) []Part {
	return []Part{{Write: write}, {Name: WordsSuffix, Write: func(w *bufio.Writer) error { return WriteWords(w, s.Words()) }}}
}

// WriteWords writes the words, one per line.
func WriteWords(w *bufio.Writer, words vectors.Words) error {
	if err := checkBeginning(words); err != nil {
		return err
	}
	for _, word := range words.All() {
		w.WriteString(word)
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

func checkBeginning(words vectors.Words) error {
	var head []byte
	for _, word := range words.All() {
		if head = append(append(head, word...), '\n'); len(head) >= source.SniffLen {
			head = head[:source.SniffLen]
			break
		}
	}
	is := ""
	switch {
	case compression.Sniff(head) != compression.Plain:
		is = "the beginning of compressed data"
	case bytes.HasPrefix(head, []byte("\ufeff")):
		is = "a byte order mark, which does not count, and a word"
	case plaintext.Check(head) != nil:
		is = "the beginning of a text that is not in UTF-8"
	default:
		return nil
	}
	return fmt.Errorf("the first word, %.40q, would be read as %s", words.At(0), is)
}

// A Rule says which words something cannot hold: those for which Is is true. Text says what such a word is.
type Rule struct {
	Is   func(word string) bool
	Text string
}

// Rules of several formats.
var (
	Empty   = Rule{func(word string) bool { return word == "" }, "is empty"}
	Newline = Containing("\n", "contains a newline")
)

// Containing is the rule for words that contain one of these characters.
func Containing(chars, text string) Rule {
	return Rule{func(word string) bool { return strings.ContainsAny(word, chars) }, text}
}

// Rules returns the function for Codec.Word of a format whose files, or another part of it, cannot hold words.
func Rules(holder string, rules ...Rule) func(word string) error {
	return func(word string) error {
		for _, r := range rules {
			if r.Is(word) {
				return fmt.Errorf("%s, which %s cannot hold", r.Text, holder)
			}
		}
		return nil
	}
}

// LineRules are the rules for words one a line.
func LineRules() func(word string) error {
	return Rules("a list of one word a line", Empty, Newline,
		Rule{func(word string) bool { return strings.HasSuffix(word, "\r") }, "ends in a carriage return"})
}
