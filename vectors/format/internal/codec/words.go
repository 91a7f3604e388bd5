package codec

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

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

// checkBeginning reports words whose list would be read as something else.
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
