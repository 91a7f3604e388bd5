package tokenizerfile

import (
	"unicode"
	"unicode/utf8"
)

// The regular expressions of usual byte-level tokenizers.
const (
	gpt2Expression   = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	llama3Expression = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	qwen2Expression  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

// scanners are patterns for them, without an engine of regular expressions.
var scanners = map[string]pattern{
	gpt2Expression:   scanner(gpt2Match),
	llama3Expression: scanner(func(text string) int { return llamaMatch(text, 3) }),
	qwen2Expression:  scanner(func(text string) int { return llamaMatch(text, 1) }),
}

// A scanner finds matches that follow each other without a gap. It returns the length of the match at
// the beginning of a text.
type scanner func(text string) int

func (s scanner) find(dst []span, text string) ([]span, error) {
	for at := 0; at < len(text); {
		end := at + s(text[at:])
		dst = append(dst, span{at, end})
		at = end
	}
	return dst, nil
}

// A class is what the expressions tell characters apart by.
type class uint8

const (
	other class = iota
	letter
	number
	space
	none // the end of the text
)

var asciiClass = func() (of [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		of[r] = slowClass(r)
	}
	return of
}()

func slowClass(r rune) class {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return number
	}
	return other
}

// classAt returns the class and the length of the character at the beginning of a text.
func classAt(text string, at int) (class, int) {
	if at >= len(text) {
		return none, 0
	}
	if c := text[at]; c < utf8.RuneSelf {
		return asciiClass[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	return slowClass(r), size
}

// run returns where characters of a class end that begin at a place.
func run(text string, at int, of class) int {
	for {
		c, size := classAt(text, at)
		if c != of {
			return at
		}
		at += size
	}
}

// gpt2Match is the length of the match of gpt2Expression.
func gpt2Match(text string) int {
	if n := contraction(text, false); n > 0 {
		return n
	}
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	if c, _ := classAt(text, at); c == letter || c == number || c == other {
		return run(text, at, c)
	}
	return blanks(text)
}

// llamaMatch is the length of the match of llama3Expression, in which so many digits belong together.
func llamaMatch(text string, digits int) int {
	if n := contraction(text, true); n > 0 {
		return n
	}
	c, size := classAt(text, 0)
	if c == letter {
		return run(text, size, letter)
	}
	newline := text[0] == '\r' || text[0] == '\n'
	if next, _ := classAt(text, size); next == letter && c != number && !newline {
		return run(text, size, letter)
	}
	if c == number {
		at := size
		for range digits - 1 {
			next, size := classAt(text, at)
			if next != number {
				break
			}
			at += size
		}
		return at
	}
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	if c, _ := classAt(text, at); c == other {
		at = run(text, at, other)
		for at < len(text) && (text[at] == '\r' || text[at] == '\n') {
			at++
		}
		return at
	}
	end := run(text, 0, space)
	for i := end; i > 0; i-- {
		if text[i-1] == '\r' || text[i-1] == '\n' {
			return i
		}
	}
	return blanks(text)
}

// blanks returns the length of the white space at the beginning of a text, without its last character
// if something follows, unless it has no other.
func blanks(text string) int {
	end := run(text, 0, space)
	if end == len(text) {
		return end
	}
	if _, last := utf8.DecodeLastRuneInString(text[:end]); last < end {
		return end - last
	}
	return end
}

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd at the beginning of a text, also in
// upper case if fold is true. It is 0 if there is none.
func contraction(text string, fold bool) int {
	if text[0] != '\'' || len(text) < 2 {
		return 0
	}
	lower := func(i int) byte {
		if i >= len(text) {
			return 0
		}
		if c := text[i]; fold && 'A' <= c && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return text[i]
	}
	switch c, next := lower(1), lower(2); {
	case c == 's', c == 't', c == 'm', c == 'd':
		return 2
	case c == 'r' && next == 'e', c == 'v' && next == 'e', c == 'l' && next == 'l':
		return 3
	}
	if long := "'ſ"; fold && len(text) >= len(long) && text[:len(long)] == long { // whose upper case is S, too
		return len(long)
	}
	return 0
}
