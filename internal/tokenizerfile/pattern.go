package tokenizerfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

type span struct{ start, end int }

type pattern interface {
	// find appends the matches in a text, from left to right. They are not empty.
	find(s *search, dst []span, text string) ([]span, error)
}

// A search limits the time of all expressions for one text: some take exponential time.
type search struct {
	ctx   context.Context
	limit time.Duration // of all regular expressions together
	took  time.Duration // by regular expressions
}

func (s *search) check(took time.Duration, text int) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.took+took > s.limit {
		return fmt.Errorf("the regular expressions of the tokenizer take longer than %v for a text, of which one searches %d bytes", s.limit, text)
	}
	return nil
}

func readPattern(text json.RawMessage) (pattern, error) {
	var f struct{ String, Regex *string }
	if !isNull(text) {
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, err
		}
	}
	switch {
	case f.String != nil && *f.String != "":
		return literal(*f.String), nil
	case f.Regex != nil:
		return newExpression(*f.Regex)
	}
	return nil, errors.New("expected a pattern that is a String or a Regex")
}

type literal string

func (l literal) find(_ *search, dst []span, text string) ([]span, error) {
	for at := 0; ; {
		i := strings.Index(text[at:], string(l))
		if i < 0 {
			return dst, nil
		}
		dst = append(dst, span{at + i, at + i + len(l)})
		at += i + len(l)
	}
}

type characterPattern func(r rune) bool

func (is characterPattern) find(_ *search, dst []span, text string) ([]span, error) {
	for i, r := range text {
		if is(r) {
			dst = append(dst, span{i, i + utf8.RuneLen(r)})
		}
	}
	return dst, nil
}

type expression struct{ regexp *regexp2.Regexp }

const longestSearch = 10 * time.Second

const longestExpression = 16 << 10

// newExpression returns the pattern of a regular expression. Usual ones have much faster scanners.
func newExpression(text string) (pattern, error) {
	if s, ok := scanners[text]; ok {
		return s, nil
	}
	if len(text) > longestExpression {
		return nil, fmt.Errorf("the regular expression %.40q has %d bytes, at most %d are possible", text, len(text), longestExpression)
	}
	translated, err := translate(text)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %.80q %w", text, err)
	}
	// ^ and $ match at lines, as they do in Oniguruma.
	r, err := regexp2.Compile(translated, regexp2.Multiline)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %.80q is not supported: %w", text, err)
	}
	r.MatchTimeout = longestSearch
	return expression{r}, nil
}

// translate converts Oniguruma's syntax to that of regexp2, whose \w matches fewer characters.
func translate(text string) (string, error) {
	const word = `\p{L}\p{M}\p{Nl}\p{Nd}\p{Pc}²³¹¼-¾Ⓐ-ⓩ🄰-🅉🅐-🅩🅰-🆉` // characters of \w that are neither letters nor marks
	var b strings.Builder
	depth := 0 // of brackets
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			switch {
			case c == '[' && depth > 0:
				return "", errors.New("is not supported: it has brackets within brackets")
			case c == '[':
				depth++
			case c == ']':
				depth = 0
			case c == '&' && depth > 0 && strings.HasPrefix(text[i:], "&&"):
				return "", errors.New("is not supported: it has && within brackets")
			}
			b.WriteByte(c)
			continue
		}
		if i++; i == len(text) {
			return "", errors.New(`ends with \`)
		}
		switch c := text[i]; {
		case c == 'w' && depth > 0:
			b.WriteString(word)
		case c == 'w':
			b.WriteString("[" + word + "]")
		case c == 'W' && depth == 0:
			b.WriteString("[^" + word + "]")
		case strings.IndexByte("WbBhHRXKGyYOgk", c) >= 0:
			return "", fmt.Errorf(`is not supported: it has \%c`, c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

func (e expression) find(s *search, dst []span, text string) ([]span, error) {
	began := time.Now()
	defer func() { s.took += time.Since(began) }()
	if err := s.check(0, len(text)); err != nil {
		return dst, err
	}
	runes := []rune(text)
	at, seen := 0, 0 // bytes, and characters that they are
	to := func(n int) int {
		for ; seen < n; seen++ {
			at += utf8.RuneLen(runes[seen])
		}
		return at
	}
	m, err := e.regexp.FindRunesMatch(runes)
	for ; m != nil && err == nil; m, err = e.regexp.FindNextMatch(m) {
		if m.Length > 0 {
			start := to(m.Index)
			dst = append(dst, span{start, to(m.Index + m.Length)})
		}
		if err := s.check(time.Since(began), len(text)); err != nil {
			return dst, err
		}
	}
	if err != nil { // the engine returns no other errors
		return dst, fmt.Errorf("a regular expression of the tokenizer takes longer than %v for a text of %d bytes", longestSearch, len(text))
	}
	return dst, nil
}

// The regular expressions of usual byte-level tokenizers.
const (
	gpt2Expression   = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	llama3Expression = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	qwen2Expression  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var scanners = map[string]pattern{
	gpt2Expression:   scanner(gpt2Match),
	llama3Expression: scanner(func(text string) int { return llamaMatch(text, 3) }),
	qwen2Expression:  scanner(func(text string) int { return llamaMatch(text, 1) }),
}

// A scanner returns the length of the match at the beginning of a text. Matches have no gaps.
type scanner func(text string) int

func (s scanner) find(_ *search, dst []span, text string) ([]span, error) {
	for at := 0; at < len(text); {
		end := at + s(text[at:])
		dst = append(dst, span{at, end})
		at = end
	}
	return dst, nil
}

type class uint8

const (
	other class = iota
	letter
	number
	space
	none // the end of the text
)

func kindOf(r rune) class {
	switch {
	case 'a' <= r|0x20 && r|0x20 <= 'z', unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return number
	}
	return other
}

func classAt(text string, at int) (class, int) {
	if at >= len(text) {
		return none, 0
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	return kindOf(r), size
}

func run(text string, at int, of class) int {
	for {
		c, size := classAt(text, at)
		if c != of {
			return at
		}
		at += size
	}
}

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
		at := 0
		for range digits {
			if next, size := classAt(text, at); next == number {
				at += size
			}
		}
		return at
	}
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	if c, _ := classAt(text, at); c == other {
		return len(text) - len(strings.TrimLeft(text[run(text, at, other):], "\r\n"))
	}
	if i := strings.LastIndexAny(text[:run(text, 0, space)], "\r\n"); i >= 0 {
		return i + 1
	}
	return blanks(text)
}

// blanks returns the length of white space, without its last character if something follows both.
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

// contraction returns the length of a contraction at the beginning of a text, or 0. fold ignores case.
func contraction(text string, fold bool) int {
	if text[0] != '\'' {
		return 0
	}
	for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(text, c) || fold && len(text) >= len(c) && strings.EqualFold(text[:len(c)], c) {
			return len(c)
		}
	}
	if long := "'ſ"; fold && strings.HasPrefix(text, long) { // whose upper case is S, too
		return len(long)
	}
	return 0
}
