// Package lines reads and writes vectors as lines of text: a word and its numbers, or
// numbers alone, and the line "words dimensions" that some files begin with.
package lines

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/w2v-go/w2v/internal/decimal"
)

// LongestHeader is more than the longest line "words dimensions" that could be
// meant.
const LongestHeader = 128

// ParseHeader reads a line "words dimensions", which may have spaces and tabs
// around and between its numbers.
func ParseHeader(line []byte) (words, dim int, ok bool) {
	if len(line) > LongestHeader {
		return 0, 0, false
	}
	fields := bytes.Fields(line)
	if len(fields) != 2 {
		return 0, 0, false
	}
	w, err := strconv.ParseUint(string(fields[0]), 10, 31)
	if err != nil {
		return 0, 0, false
	}
	d, err := strconv.ParseUint(string(fields[1]), 10, 31)
	if err != nil || d == 0 {
		return 0, 0, false
	}
	return int(w), int(d), true
}

// ClaimsHeader tells whether a line is two whole numbers, whatever they are: it is
// meant as "words dimensions".
func ClaimsHeader(line []byte) bool {
	fields := bytes.Fields(line)
	if len(line) > LongestHeader || len(fields) != 2 {
		return false
	}
	for _, f := range fields {
		digits := bytes.TrimLeft(f, "-+")
		if len(digits) == 0 || len(f)-len(digits) > 1 || len(bytes.Trim(digits, "0123456789")) > 0 {
			return false
		}
	}
	return true
}

// CutHeader cuts the line "words dimensions" off head.
func CutHeader(head []byte) (rest []byte, words, dim int, ok bool) {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	words, dim, ok = ParseHeader(line)
	return rest, words, dim, ok
}

// LooksLikeRow tells whether row ends in dim numbers or, if it is cut short,
// in any.
func LooksLikeRow(row []byte, dim int, whole bool) bool {
	n := CountNumbers(row, dim, whole)
	return n == dim || !whole && n > 0
}

// CountNumbers returns how many numbers, but at most limit, the line ends in
// after a word. The last field of a line that is cut short does not count.
func CountNumbers(line []byte, limit int, whole bool) int {
	if !whole {
		line = line[:max(bytes.LastIndexAny(line, " \t"), 0)]
	}
	line = bytes.Trim(line, " \t\r")
	n := 0
	for n < limit {
		i := bytes.LastIndexAny(line, " \t")
		if i < 0 { // the first field is the word, number or not
			break
		}
		if _, ok := decimal.Parse(line[i+1:]); !ok {
			break
		}
		line = bytes.TrimRight(line[:i], " \t")
		n++
	}
	return n
}

// EndsInNumber tells whether a word ends in a number after a space, and whether that is one with a point
// or an exponent, as those of vectors are, and that of "part 7" is not.
func EndsInNumber(word []byte) (number, fraction bool) {
	i := bytes.LastIndexAny(word, " \t")
	if i < 0 {
		return false, false
	}
	_, number = decimal.Parse(word[i+1:])
	return number, number && bytes.ContainsAny(word[i+1:], ".eE")
}

// Wider tells whether most words end in what seems to be a number of a vector, and which does so first.
func Wider(words iter.Seq2[int, string]) (first string, most bool) {
	n, wider := 0, 0
	for _, word := range words {
		n++
		if _, fraction := EndsInNumber([]byte(word)); fraction {
			if wider++; wider == 1 {
				first = word
			}
		}
	}
	return first, 2*wider > n
}

// IsText tells whether head has no control characters but those of text.
func IsText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			return false
		}
	}
	return true
}
