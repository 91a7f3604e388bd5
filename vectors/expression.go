package vectors

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
)

// A Term is a word of an expression and the factor of its direction.
type Term struct {
	Word   string  `json:"word"`
	Weight float64 `json:"weight"`
}

// An Expression is a sum of words' directions, as "king - man + woman" is.
type Expression []Term

// An ExpressionError says why a text cannot be parsed as an expression.
type ExpressionError struct {
	Text   string
	Reason string
}

func (e *ExpressionError) Error() string {
	return fmt.Sprintf("%.80q is not an expression: %s", e.Text, e.Reason)
}

// ParseExpression parses an expression: words, added and subtracted by + and − between white space. A word
// may have a factor before it, as in "0.5*king" or "0.5 * king", and may contain white space. Known reports
// whether a text is a word; such a text is taken as a word even if it could be parsed otherwise. Text between
// double quotation marks is always a word. A text without operators and factors is one word of weight 1,
// known or not. The error is an *ExpressionError.
func ParseExpression(text string, known func(word string) bool) (Expression, error) {
	text = trimSpace(text)
	_, isOperator := operators[text]
	if text == "" {
		return nil, &ExpressionError{text, "there is no word"}
	}
	if isOperator || known(text) {
		return Expression{{text, 1}}, nil
	}
	var e Expression
	var term []string
	sign, operator := 1.0, ""
	end := func() error {
		if len(term) == 0 {
			return &ExpressionError{text, fmt.Sprintf("no word stands behind the last %s", operator)}
		}
		t, err := parseTerm(strings.Join(term, " "), known)
		if err != nil {
			return &ExpressionError{text, err.Error()}
		}
		t.Weight *= sign
		e, term = append(e, t), nil
		return nil
	}
	for i, field := range expressionFields(text) {
		s, isOperator := operators[field]
		switch {
		case !isOperator:
			term = append(term, field)
			continue
		case i > 0 && len(term) == 0:
			return nil, &ExpressionError{text, fmt.Sprintf("no word stands between %s and %s", operator, field)}
		case i > 0:
			if err := end(); err != nil {
				return nil, err
			}
		}
		sign, operator = s, field
	}
	if err := end(); err != nil {
		return nil, err
	}
	return e, nil
}

// operators of expressions, with the sign of the term that follows.
var operators = map[string]float64{"+": 1, "-": -1, "−": -1}

// expressionFields splits a text at white space outside quotation marks.
func expressionFields(text string) (fields []string) {
	for text = trimSpace(text); text != ""; text = trimSpace(text) {
		n := strings.IndexFunc(text, isSpace)
		factor, quoted, ok := strings.Cut(text, "*")
		if _, err := decimal.Float(factor); !ok || err != nil {
			quoted = text
		}
		if end := closingQuote(quoted); end > 0 {
			n = len(text) - len(quoted) + end
		}
		if n < 0 {
			n = len(text)
		}
		fields, text = append(fields, text[:n]), text[n:]
	}
	return fields
}

// space separates the terms of an expression. Other white space, such as no-break spaces, is part of words.
const space = " \t\r\n\v\f"

func isSpace(r rune) bool { return strings.ContainsRune(space, r) }

func trimSpace(text string) string { return strings.Trim(text, space) }

// closingQuote returns the end of a word in quotation marks, or 0 if the text does not begin with one.
func closingQuote(text string) int {
	for i := 2; i < len(text) && text[0] == '"'; i++ {
		if text[i] == '"' && (i+1 == len(text) || isSpace(rune(text[i+1]))) {
			return i + 1
		}
	}
	return 0
}

func parseTerm(text string, known func(word string) bool) (Term, error) {
	if known(text) {
		return Term{text, 1}, nil
	}
	if closingQuote(text) == len(text) {
		return Term{text[1 : len(text)-1], 1}, nil
	}
	factor, word, ok := strings.Cut(text, "*")
	factor, word = trimSpace(factor), trimSpace(word)
	weight, err := decimal.Float(factor)
	if tooLarge := errors.Is(err, strconv.ErrRange); !ok || err != nil && !tooLarge || word == "" {
		return Term{text, 1}, nil
	}
	if math.IsNaN(weight) || math.IsInf(weight, 0) {
		return Term{}, fmt.Errorf("%s is not a factor", factor)
	}
	if !known(word) && closingQuote(word) == len(word) {
		word = word[1 : len(word)-1]
	}
	return Term{word, weight}, nil
}

// Parse is ParseExpression, with the spellings by which the set knows the words.
func (l *Lookup) Parse(text string) (Expression, error) {
	e, err := ParseExpression(text, func(word string) bool {
		_, id := l.Find(word)
		return id >= 0
	})
	for i := range e {
		e[i].Word, _ = l.Find(e[i].Word)
	}
	return e, err
}

// IsWord reports whether the expression is one word as it is.
func (e Expression) IsWord() bool { return len(e) == 1 && e[0].Weight == 1 }

// Express writes the vector of an expression to dst, which has Dim numbers: of a single word of weight 1 the
// word's vector, otherwise the weighted sum of the words' directions, which have length 1. The word nearest
// to "b - a + c" answers "a is to b as c is to ?" by CosAdd. The error is a *MissingWordError with the first
// word that has no vector, or in a sum no direction. If the file of s cannot be read, the error is that of
// Err.
func (s *Set) Express(dst []float32, e Expression) error {
	missing := func(word string) error {
		if err := s.Err(); err != nil {
			return err
		}
		return &MissingWordError{Word: word}
	}
	if e.IsWord() {
		if !s.Vector(dst, e[0].Word) {
			return missing(e[0].Word)
		}
		return nil
	}
	sum, unit := make([]float64, len(dst)), make([]float32, len(dst))
	clear(dst)
	for _, t := range e {
		if !s.Vector(unit, t.Word) || !Unit(unit, unit) {
			return missing(t.Word)
		}
		for k, x := range unit {
			sum[k] += t.Weight * float64(x)
		}
	}
	for k, x := range sum {
		dst[k] = float32(x)
	}
	return nil
}
