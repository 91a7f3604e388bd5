// Package wording has what messages are made of: numbers and counted things as people read them, words of command
// lines as shells read them, and the name that a misspelt name may have meant.
package wording

import (
	"strconv"
	"strings"
)

// Quoted writes a word of a command line, in quotation marks if a shell would read it as something else.
func Quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 0x80 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./,:=@%+", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Thousands writes n with a comma before every three digits.
func Thousands[N ~int | ~int64 | ~uint64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	switch {
	case n < 0:
		sign, digits = "-", digits[1:]
	default:
		digits = strconv.FormatUint(uint64(n), 10)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Count writes how many things there are: "1 word" and "2,000 words" for one word and more words. What is
// said of them may follow: "1 set is", "2 sets are".
func Count[N ~int | ~int64 | ~uint64](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + more
}

// Are says that there are so many things: "is 1 word", "are 2,000 words".
func Are[N ~int | ~int64 | ~uint64](n N, one, more string) string {
	if n == 1 {
		return "is 1 " + one
	}
	return "are " + Count(n, one, more)
}

// Of writes how many of all things have or do something: "1 of 2 words has", "2 of 2 words have", "0 of 1 word
// have" for has and have.
func Of[N ~int | ~int64 | ~uint64](n, all N, one, more, has, have string) string {
	if n != 1 {
		has = have
	}
	return Thousands(n) + " of " + Count(all, one, more) + " " + has
}

// Nearest returns the name that is nearest to a misspelt one, or nothing if none is near.
func Nearest(misspelt string, names []string) string {
	best, least := "", 1+len(misspelt)/3 // changes
	for _, name := range names {
		if n := changes(misspelt, name); n < least || n == least && best == "" {
			best, least = name, n
		}
	}
	return best
}

// changes returns how many bytes have to be added, dropped or replaced to make b of a.
func changes(a, b string) int {
	row := make([]int, len(b)+1) // from what has been seen of a to every beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // row[j] of the last round
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// Map returns what f makes of each item, such as the words of a list; nil for none.
func Map[T, U any](items []T, f func(T) U) (all []U) {
	for _, item := range items {
		all = append(all, f(item))
	}
	return all
}
