package tokenizerfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A span is a part of a text.
type span struct{ start, end int }

// A pattern finds parts of a text.
type pattern interface {
	// find appends the matches in a text, from left to right. They are not empty.
	find(dst []span, text string) ([]span, error)
}

// readPattern reads a pattern: a text, or a regular expression.
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

// literal finds a text.
type literal string

func (l literal) find(dst []span, text string) ([]span, error) {
	for at := 0; ; {
		i := strings.Index(text[at:], string(l))
		if i < 0 {
			return dst, nil
		}
		dst = append(dst, span{at + i, at + i + len(l)})
		at += i + len(l)
	}
}

// characterPattern finds each character for which it is true.
type characterPattern func(r rune) bool

func (is characterPattern) find(dst []span, text string) ([]span, error) {
	for i, r := range text {
		if is(r) {
			dst = append(dst, span{i, i + utf8.RuneLen(r)})
		}
	}
	return dst, nil
}

// expression finds matches of a regular expression.
type expression struct{ regexp *regexp2.Regexp }

// longestMatch is how long the search of a text may take. Some expressions take exponential time.
const longestMatch = 10 * time.Second

// longestExpression is more bytes than any regular expression of a tokenizer has.
const longestExpression = 16 << 10

// newExpression returns the pattern of a regular expression. The usual ones have scanners of their
// own, which are much faster.
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
	r.MatchTimeout = longestMatch
	return expression{r}, nil
}

// translate returns an expression of Oniguruma in the syntax of regexp2, in which \w is less.
func translate(text string) (string, error) {
	const word = `\p{L}\p{M}\p{Nl}\p{Nd}\p{Pc}²³¹¼-¾Ⓐ-ⓩ🄰-🅉🅐-🅩🅰-🆉` // what is neither letter nor mark and yet part of words
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

var errSlow = errors.New("too slow") // which find words as it words the engine's own error

func (e expression) find(dst []span, text string) ([]span, error) {
	runes := []rune(text)
	began := time.Now()
	m, err := e.regexp.FindRunesMatch(runes)
	at, seen := 0, 0 // bytes, and characters that they are
	to := func(n int) int {
		for ; seen < n; seen++ {
			at += utf8.RuneLen(runes[seen])
		}
		return at
	}
	for ; m != nil && err == nil; m, err = e.regexp.FindNextMatch(m) {
		if m.Length > 0 {
			start := to(m.Index)
			dst = append(dst, span{start, to(m.Index + m.Length)})
		}
		if time.Since(began) > longestMatch {
			err = errSlow
			break
		}
	}
	if err != nil {
		return dst, fmt.Errorf("a regular expression of the tokenizer takes longer than %v for a text of %d bytes", longestMatch, len(text))
	}
	return dst, nil
}
