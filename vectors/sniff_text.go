package vectors

import (
	"bytes"
	"math"
	"strconv"
)

// longestHeader is more than the longest line "words dimensions" that could be
// meant.
const longestHeader = 128

// parseHeader reads a line "words dimensions", which may have spaces and tabs
// around and between its numbers.
func parseHeader(line []byte) (words, dim int, ok bool) {
	if len(line) > longestHeader {
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

// claimsHeader tells whether a line is two whole numbers, whatever they are: it is
// meant as "words dimensions".
func claimsHeader(line []byte) bool {
	fields := bytes.Fields(line)
	if len(line) > longestHeader || len(fields) != 2 {
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

// cutHeader cuts the line "words dimensions" off head.
func cutHeader(head []byte) (rest []byte, words, dim int, ok bool) {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	words, dim, ok = parseHeader(line)
	return rest, words, dim, ok
}

// sniffText tells a text with a header from a word2vec binary, which begins
// with the same line. It is text if its first row is a word and numbers, or
// else if nothing in head is a control character: then the text is broken, and
// the text reader can say in which line. That a binary of more than a number or
// two has none is next to impossible.
func sniffText(head []byte) bool {
	rest, words, dim, ok := cutHeader(head)
	if !ok {
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		return claimsHeader(line) // and reading says what is wrong with it
	}
	if words == 0 {
		return len(bytes.TrimSpace(rest)) == 0
	}
	row, _, whole := bytes.Cut(rest, []byte{'\n'})
	whole = whole || len(head) < sniffLen
	if looksLikeRow(row, dim, whole) {
		return true
	}
	return isText(rest) && !fitsBinary(rest, dim)
}

// fitsBinary tells whether rest begins with a row of a binary that ends in a
// newline or with the file. A short one may have no control characters.
func fitsBinary(rest []byte, dim int) bool {
	_, row, ok := bytes.Cut(rest, []byte{' '})
	n := 4 * int64(dim)
	return ok && (int64(len(row)) == n || int64(len(row)) > n && row[n] == '\n')
}

// sniffWord2Vec takes what has a header and is no text.
func sniffWord2Vec(head []byte) bool {
	_, words, _, ok := cutHeader(head)
	return ok && words > 0
}

// sniffGloVe takes what begins with a word and at least one number.
func sniffGloVe(head []byte) bool {
	row, _, whole := bytes.Cut(head, []byte{'\n'})
	whole = whole || len(head) < sniffLen
	return countNumbers(row, math.MaxInt, whole) > 0
}

// looksLikeRow tells whether row ends in dim numbers or, if it is cut short,
// in any.
func looksLikeRow(row []byte, dim int, whole bool) bool {
	n := countNumbers(row, dim, whole)
	return n == dim || !whole && n > 0
}

// countNumbers returns how many numbers, but at most limit, the line ends in
// after a word. The last field of a line that is cut short does not count.
func countNumbers(line []byte, limit int, whole bool) int {
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
		if _, ok := parseFloat(line[i+1:]); !ok {
			break
		}
		line = bytes.TrimRight(line[:i], " \t")
		n++
	}
	return n
}
