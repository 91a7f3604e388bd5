package tokenizerfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

type splitter interface {
	// split appends the pieces of a piece. First says that it begins the whole text.
	split(w *workspace, dst []string, piece string, first bool) ([]string, error)
}

type workspace struct {
	pieces, next []string
	spans        []span
	search       search
}

const checkEvery = 1 << 10

// apply cuts all pieces. The result may have up to most bytes. first says that they begin the whole text.
func (w *workspace) apply(s splitter, first bool, most int) (err error) {
	w.next = w.next[:0]
	size, counted := 0, 0
	for i, piece := range w.pieces {
		if piece == "" {
			continue
		}
		if i%checkEvery == 0 {
			if err := w.search.check(0, len(piece)); err != nil {
				return err
			}
		}
		if w.next, err = s.split(w, w.next, piece, first && i == 0); err != nil {
			return err
		}
		for ; counted < len(w.next); counted++ {
			size += len(w.next[counted])
		}
		if size > most {
			return errTooLong
		}
	}
	w.pieces, w.next = w.next, w.pieces
	return nil
}

func readPreTokenizer(kind string, text json.RawMessage) ([]splitter, error) {
	var f struct {
		Prefix      *bool `json:"add_prefix_space"`
		Regex       *bool `json:"use_regex"`
		Replacement *string
		Scheme      *string `json:"prepend_scheme"`
		Split       *bool
		Pattern     json.RawMessage
		Behavior    *string
		Invert      bool
		Individual  bool `json:"individual_digits"`
		Delimiter   string
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	spaces := cut{pattern: characterPattern(unicode.IsSpace), behavior: behaviors["Removed"], spaces: true}
	switch kind {
	case "ByteLevel":
		return []splitter{byteLevel{prefix: or(f.Prefix, true), regex: or(f.Regex, true)}}, nil
	case "Metaspace":
		m := metaspace{replacement: or(f.Replacement, "▁"), prepend: "always", cuts: or(f.Split, true)}
		if utf8.RuneCountInString(m.replacement) != 1 {
			return nil, fmt.Errorf("expected a replacement of one character, found %.40q", m.replacement)
		}
		if !or(f.Prefix, true) {
			m.prepend = "never"
		}
		if m.prepend = or(f.Scheme, m.prepend); !slices.Contains([]string{"always", "first", "never"}, m.prepend) {
			return nil, fmt.Errorf("prepend_scheme %.40q is not supported", m.prepend)
		}
		return []splitter{m}, nil
	case "Whitespace":
		return []splitter{cut{pattern: scanner(wordMatch), spaces: true}, spaces}, nil
	case "WhitespaceSplit":
		return []splitter{spaces}, nil
	case "BertPreTokenizer":
		return []splitter{spaces, cut{pattern: characterPattern(isPunctuation)}}, nil
	case "Punctuation":
		return newCut(characterPattern(isPunctuation), or(f.Behavior, "Isolated"), false)
	case "Digits":
		behavior := "Contiguous"
		if f.Individual {
			behavior = "Isolated"
		}
		return newCut(characterPattern(unicode.IsNumber), behavior, false)
	case "CharDelimiterSplit":
		if utf8.RuneCountInString(f.Delimiter) != 1 {
			return nil, fmt.Errorf("expected a delimiter of one character, found %.40q", f.Delimiter)
		}
		return newCut(literal(f.Delimiter), "Removed", false)
	case "Split":
		p, err := readPattern(f.Pattern)
		if err != nil {
			return nil, err
		}
		return newCut(p, or(f.Behavior, ""), f.Invert)
	}
	return nil, errUnknown
}

type byteLevel struct {
	prefix bool // a space is put before a piece that begins with none
	regex  bool
	mapped bool // bytes are mapped later
}

func (b byteLevel) split(_ *workspace, dst []string, piece string, _ bool) ([]string, error) {
	if b.prefix && piece[0] != ' ' {
		piece = " " + piece
	}
	start := len(dst)
	if !b.regex {
		dst = append(dst, piece)
	} else {
		for len(piece) > 0 {
			n := gpt2Match(piece)
			dst = append(dst, piece[:n])
			piece = piece[n:]
		}
	}
	if !b.mapped {
		var text strings.Builder
		for i := start; i < len(dst); i++ {
			dst[i] = byteCharacters(&text, dst[i])
		}
	}
	return dst, nil
}

type metaspace struct {
	replacement string
	prepend     string // always, first or never
	cuts        bool
}

func (m metaspace) split(w *workspace, dst []string, piece string, first bool) ([]string, error) {
	piece = strings.ReplaceAll(piece, " ", m.replacement)
	if (m.prepend == "always" || m.prepend == "first" && first) && !strings.HasPrefix(piece, m.replacement) {
		piece = m.replacement + piece
	}
	if !m.cuts {
		return append(dst, piece), nil
	}
	return cut{pattern: literal(m.replacement), behavior: behaviors["MergedWithNext"]}.split(w, dst, piece, first)
}

type cut struct {
	pattern pattern
	behavior
	invert bool // what is between matches counts as matches
	spaces bool // no piece has white space and other characters
}

// A behavior is what becomes of matches. By the zero value, each is a piece.
type behavior struct {
	removes bool
	joins   func(before, match bool) bool // whether a part joins the one before it; nil for no parts
}

var behaviors = map[string]behavior{
	"Removed":            {removes: true},
	"Isolated":           {},
	"Contiguous":         {joins: func(before, match bool) bool { return before == match }},
	"MergedWithPrevious": {joins: func(before, match bool) bool { return !before && match }},
	"MergedWithNext":     {joins: func(before, match bool) bool { return before && !match }},
}

func newCut(p pattern, name string, invert bool) ([]splitter, error) {
	b, ok := behaviors[name]
	if !ok {
		return nil, fmt.Errorf("behavior %.40q is not supported", name)
	}
	return []splitter{cut{pattern: p, behavior: b, invert: invert}}, nil
}

func (c cut) split(w *workspace, dst []string, piece string, _ bool) ([]string, error) {
	matches, err := c.pattern.find(&w.search, w.spans[:0], piece)
	w.spans = matches
	if err != nil {
		return dst, err
	}
	first, from, last, before := len(dst), 0, 0, false // from is where the last piece begins
	add := func(start, end int, match bool) {
		if start == end {
			return
		}
		last, match = end, match != c.invert
		switch n := len(dst); {
		case match && c.removes:
		case c.joins != nil && n > first && c.joins(before, match):
			dst[n-1] = piece[from:end]
		default:
			dst, from = append(dst, piece[start:end]), start
		}
		before = match
	}
	for _, m := range matches {
		add(last, m.start, false)
		add(m.start, m.end, true)
	}
	add(last, len(piece), false)
	return dst, nil
}

func wordMatch(text string) int {
	kind := func(r rune) int {
		switch {
		case isWordCharacter(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	r, at := utf8.DecodeRuneInString(text)
	for first := kind(r); at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if kind(r) != first {
			break
		}
		at += size
	}
	return at
}

// isPunctuation reports what BERT takes for punctuation: Unicode's, and ASCII's symbols.
func isPunctuation(r rune) bool {
	if 'a' <= r && r <= 'z' { // most of them
		return false
	}
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~' || unicode.IsPunct(r)
}
