package fasttext

import (
	"bufio"
	"io"
	"math"
	"strconv"
)

// Digits that fastText prints of a number of a vector, and of others.
const (
	vectorDigits = 5
	usualDigits  = 6
)

// appendNumber appends a number with so many digits, as C prints it by %g.
func appendNumber(text []byte, x float64, digits int) []byte {
	switch {
	case math.IsNaN(x) && math.Signbit(x):
		return append(text, "-nan"...)
	case math.IsNaN(x):
		return append(text, "nan"...)
	case math.IsInf(x, 1):
		return append(text, "inf"...)
	case math.IsInf(x, -1):
		return append(text, "-inf"...)
	}
	return strconv.AppendFloat(text, x, 'g', digits, 64)
}

// appendVector appends the numbers of a vector, with a space behind each.
func appendVector(text []byte, v []float32) []byte {
	for _, x := range v {
		text = append(appendNumber(text, float64(x), vectorDigits), ' ')
	}
	return text
}

// appendLine appends a line with a word and its vector.
func appendLine(text []byte, word string, v []float32) []byte {
	text = append(append(text, word...), ' ')
	return append(appendVector(text, v), '\n')
}

// white tells whether C++ takes a byte for white space.
func white(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// newWords returns a scanner of the words in r, between white space as C++ has it. Bytes that are
// not UTF-8 are part of words.
func newWords(r io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, longestLine)
	scanner.Split(func(data []byte, atEnd bool) (int, []byte, error) {
		begin := 0
		for begin < len(data) && white(data[begin]) {
			begin++
		}
		for i := begin; i < len(data); i++ {
			if white(data[i]) {
				return i, data[begin:i], nil
			}
		}
		if atEnd && begin < len(data) {
			return len(data), data[begin:], nil
		}
		return begin, nil, nil
	})
	return scanner
}

// newSentences returns a scanner of the lines in r. Unlike those of bufio they may end in \r.
func newSentences(r io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, longestLine)
	scanner.Split(func(data []byte, atEnd bool) (int, []byte, error) {
		for i, c := range data {
			if c == '\n' {
				return i + 1, data[:i], nil
			}
		}
		if atEnd && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return scanner
}

// longestLine is how many bytes of a word or a line are held in memory.
const longestLine = 16 << 20
