// Package wording writes numbers, and numbers of things, as people read them, and words of command lines as shells
// read them.
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
