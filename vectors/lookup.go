package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wordbreak"
)

// Case says whether a word that is not in the vocabulary is looked up again in lower case.
//
// A word is first looked up as it is written and then, if case is ignored, in lower case. If neither is in
// the vocabulary, the word is composed of n-grams: those of the lower-case word if case is ignored.
type Case int

const (
	// CaseAuto ignores case if Training says that the set's text was lower-cased, or if no word of the
	// vocabulary has an upper-case or title-case letter.
	CaseAuto Case = iota
	// CaseIgnored looks words up as they are written and then in lower case.
	CaseIgnored
	// CaseKept looks words up only as they are written.
	CaseKept
)

// A Lookup finds words in the vocabulary of a set by a rule for case. It may be used from several goroutines.
type Lookup struct {
	set    *Set
	ignore func() bool
}

// Lookup returns a Lookup with that rule. The vocabulary is searched for capitals only when the answer is
// first needed. It is an error if the rule is unknown or the sizes of s do not fit together.
func (s *Set) Lookup(rule Case) (*Lookup, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	l := &Lookup{set: s}
	switch rule {
	case CaseAuto:
		l.ignore = sync.OnceValue(func() bool { return s.parts.Training.Bool("lowercase") || !s.parts.Words.hasCapitals() })
	case CaseIgnored, CaseKept:
		l.ignore = func() bool { return rule == CaseIgnored }
	default:
		return nil, fmt.Errorf("vectors: unknown case rule %d", int(rule))
	}
	return l, nil
}

// IgnoresCase reports whether words are looked up in lower case too.
func (l *Lookup) IgnoresCase() bool { return l.ignore() }

// Lower returns a word in lower case. It uses the rules of the language in which Training says that the set's
// text was lower-cased.
func (l *Lookup) Lower(word string) string {
	if language := l.set.parts.Training.Text("lowercase_language"); slices.Contains(wordbreak.Languages(), language) {
		return string(wordbreak.LowerText(language, []byte(word)))
	}
	return strings.ToLower(word)
}

// Find returns the spelling by which the set knows a word, and the word's id. For a word that is not in the
// vocabulary, it returns the spelling whose n-grams compose it, and -1.
func (l *Lookup) Find(word string) (spelling string, id int) {
	if id, ok := l.set.ID(word); ok {
		return word, id
	}
	lower := l.Lower(word)
	if lower == word || !l.ignore() {
		return word, -1
	}
	if id, ok := l.set.ID(lower); ok {
		return lower, id
	}
	return lower, -1
}

func (w Words) hasCapitals() (has bool) {
	if w.Len() == 0 {
		return false
	}
	w.list.behind.Guard(func() {
		for id := 0; id < w.Len() && !has; id++ {
			has = strings.ContainsFunc(w.list.word(id), func(r rune) bool { return unicode.IsUpper(r) || r > unicode.MaxLatin1 && unicode.IsTitle(r) })
		}
	})
	return has
}

// maxQuery is the largest number of code points of a word that gets suggestions.
const maxQuery = 64

// Suggest returns up to k words of the vocabulary whose spelling is near to word, the nearest first; of
// equally near words the most frequent first, or without counts the lower id. The distance of two words is
// the number of code points to insert, delete, replace or exchange with their neighbour to turn one word into
// the other, ignoring case. It is at most 2, for words of 3 or 4 code points 1, and for shorter words 0: they
// may differ in case only. (Optimal string alignment: Damerau 1964, Levenshtein 1966, without further edits
// between two exchanged code points.)
//
// The whole vocabulary is searched, on all cores. Words of more than 64 code points get no suggestions.
func (s *Set) Suggest(word string, k int) []string {
	q, ok := newNearSpelling(word)
	if !ok || k <= 0 {
		return nil
	}
	var mu sync.Mutex
	var found []suggestion
	s.file.Parallel(s.Len(), func(first, last int) {
		mine := *q // a copy with its own scratch space
		mine.rows, mine.other = [3][maxQuery + 1]int8{}, nil
		var near []suggestion
		for id := first; id < last; id++ {
			candidate := s.parts.Words.list.word(id)
			if d, ok := mine.distance(candidate); ok && candidate != word {
				near = append(near, suggestion{id: id, distance: d})
			}
			if len(near) >= 4*k+64 {
				near = s.nearest(near, k)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		found = s.nearest(append(found, near...), k)
	})
	words := make([]string, len(found))
	for i, f := range found {
		words[i] = s.parts.Words.At(f.id)
	}
	return words
}

type suggestion struct{ id, distance int }

func (s *Set) nearest(all []suggestion, k int) []suggestion {
	count := func(id int) uint64 {
		if id < len(s.parts.Counts) {
			return s.parts.Counts[id]
		}
		return 0
	}
	slices.SortFunc(all, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(count(b.id), count(a.id)), cmp.Compare(a.id, b.id))
	})
	return all[:min(k, len(all))]
}

type nearSpelling struct {
	word    []rune // in lower case
	letters uint64 // see lettersOf
	limit   int    // the largest distance of interest
	other   []rune
	rows    [3][maxQuery + 1]int8 // of the distance table
}

func newNearSpelling(word string) (*nearSpelling, bool) {
	if len(word) > maxQuery*utf8.UTFMax {
		return nil, false
	}
	n := &nearSpelling{word: appendLower(nil, word)}
	switch length := len(n.word); {
	case length == 0 || length > maxQuery:
		return nil, false
	case length > 4:
		n.limit = 2
	case length > 2:
		n.limit = 1
	}
	n.letters = lettersOf(n.word)
	return n, true
}

func appendLower(to []rune, word string) []rune {
	for _, r := range word {
		if r >= utf8.RuneSelf {
			r = unicode.ToLower(r)
		} else if 'A' <= r && r <= 'Z' { // without a call, which Suggest would notice
			r += 'a' - 'A'
		}
		to = append(to, r)
	}
	return to
}

func lettersOf(word []rune) uint64 {
	var letters uint64
	for _, r := range word {
		letters |= 1 << (uint32(r) & 63)
	}
	return letters
}

func (n *nearSpelling) distance(candidate string) (int, bool) {
	length := len(n.word)
	if len(candidate) < length-n.limit || len(candidate) > (length+n.limit)*utf8.UTFMax {
		return 0, false
	}
	n.other = appendLower(n.other[:0], candidate)
	if d := len(n.other) - length; d > n.limit || -d > n.limit {
		return 0, false
	}
	// One edit adds at most one code point and removes at most one.
	letters := lettersOf(n.other)
	if bits.OnesCount64(letters&^n.letters) > n.limit || bits.OnesCount64(n.letters&^letters) > n.limit {
		return 0, false
	}
	d := n.align()
	return d, d <= n.limit
}

// align returns the distance of word and other, or a number above the limit.
func (n *nearSpelling) align() int {
	before, above, row := &n.rows[0], &n.rows[1], &n.rows[2]
	for j := range n.word {
		above[j+1] = int8(j + 1)
	}
	above[0] = 0
	for i, r := range n.other {
		row[0] = int8(i + 1)
		least := row[0]
		for j, q := range n.word {
			d := min(above[j+1], row[j]) + 1
			if r == q {
				d = min(d, above[j])
			} else {
				d = min(d, above[j]+1)
			}
			if i > 0 && j > 0 && r == n.word[j-1] && n.other[i-1] == q {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if int(least) > n.limit+1 { // an exchange refers to the row before the last
			return int(least)
		}
		before, above, row = above, row, before
	}
	return int(above[len(n.word)])
}

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
