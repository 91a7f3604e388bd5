package tokenizerfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter cuts a piece of text into smaller ones.
type splitter interface {
	// split appends the pieces of a piece. First says that it begins the whole text.
	split(w *workspace, dst []string, piece string, first bool) ([]string, error)
}

// A workspace is memory that an encoder cuts in.
type workspace struct {
	pieces, next []string
	spans        []span
	search       search
}

// checkEvery is how many pieces are cut between two looks at the context.
const checkEvery = 1 << 10

// apply cuts all pieces, of which the first may begin the whole text, and returns errTooLong if they
// have more than most bytes afterwards.
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

// readPreTokenizer reads a pre-tokenizer, or the steps of a sequence of them, which is within depth
// others.
func readPreTokenizer(text json.RawMessage, depth int) ([]splitter, error) {
	if isNull(text) {
		return nil, nil
	}
	if err := checkSteps(0, depth); err != nil {
		return nil, err
	}
	var f struct {
		PreTokenizers []json.RawMessage
		Prefix        *bool `json:"add_prefix_space"`
		Regex         *bool `json:"use_regex"`
		Replacement   *string
		Scheme        *string `json:"prepend_scheme"`
		Split         *bool
		Pattern       json.RawMessage
		Behavior      string
		Invert        bool
		Individual    bool `json:"individual_digits"`
		Delimiter     string
	}
	kind, err := kindOf(text, &f)
	if err != nil {
		return nil, err
	}
	yes := func(v *bool) bool { return v == nil || *v }
	switch kind {
	case "Sequence":
		var all []splitter
		for _, step := range f.PreTokenizers {
			steps, err := readPreTokenizer(step, depth+1)
			if err == nil {
				all = append(all, steps...)
				err = checkSteps(len(all), depth)
			}
			if err != nil {
				return nil, err
			}
		}
		return all, nil
	case "ByteLevel":
		return []splitter{byteLevel{prefix: yes(f.Prefix), regex: yes(f.Regex)}}, nil
	case metaspaceKind:
		return readMetaspace(f.Replacement, f.Scheme, f.Prefix, yes(f.Split))
	case "Whitespace":
		return []splitter{cut{pattern: scanner(wordMatch), behavior: "Isolated"}, cut{pattern: characterPattern(unicode.IsSpace), behavior: "Removed"}}, nil
	case "WhitespaceSplit":
		return []splitter{cut{pattern: characterPattern(unicode.IsSpace), behavior: "Removed"}}, nil
	case "BertPreTokenizer":
		return []splitter{
			cut{pattern: characterPattern(unicode.IsSpace), behavior: "Removed"},
			cut{pattern: characterPattern(isPunctuation), behavior: "Isolated"},
		}, nil
	case "Punctuation":
		if f.Behavior == "" {
			f.Behavior = "Isolated"
		}
		return newCut(kind, characterPattern(isPunctuation), f.Behavior, false)
	case "Digits":
		if f.Individual {
			return []splitter{cut{pattern: characterPattern(unicode.IsNumber), behavior: "Isolated"}}, nil
		}
		return []splitter{cut{pattern: characterPattern(unicode.IsNumber), behavior: "Contiguous"}}, nil
	case "CharDelimiterSplit":
		if utf8.RuneCountInString(f.Delimiter) != 1 {
			return nil, fmt.Errorf("%s: expected a delimiter of one character, found %.40q", kind, f.Delimiter)
		}
		return []splitter{cut{pattern: literal(f.Delimiter), behavior: "Removed"}}, nil
	case "Split":
		p, err := readPattern(f.Pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		return newCut(kind, p, f.Behavior, f.Invert)
	}
	return nil, unknownPart(kind)
}

const metaspaceKind = "Metaspace"

// readMetaspace returns the Metaspace of these fields.
func readMetaspace(replacement, scheme *string, prefix *bool, cuts bool) ([]splitter, error) {
	m := metaspace{replacement: "▁", prepend: "always", cuts: cuts}
	if replacement != nil {
		m.replacement = *replacement
	}
	if utf8.RuneCountInString(m.replacement) != 1 {
		return nil, fmt.Errorf("%s: expected a replacement of one character, found %.40q", metaspaceKind, m.replacement)
	}
	if prefix != nil && !*prefix {
		m.prepend = "never"
	}
	if scheme != nil {
		m.prepend = *scheme
	}
	if !slices.Contains([]string{"always", "first", "never"}, m.prepend) {
		return nil, fmt.Errorf("%s: prepend_scheme %.40q is not supported", metaspaceKind, m.prepend)
	}
	return []splitter{m}, nil
}

// byteLevel cuts as GPT-2 does, and maps each byte to a character.
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

// metaspace replaces spaces by a character that is seen, and cuts before it.
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
	return cut{pattern: literal(m.replacement), behavior: "MergedWithNext"}.split(w, dst, piece, first)
}

// A cut cuts at the matches of a pattern.
type cut struct {
	pattern  pattern
	behavior string // what becomes of matches
	invert   bool   // what is between matches counts as matches
}

func newCut(kind string, p pattern, behavior string, invert bool) ([]splitter, error) {
	if !slices.Contains([]string{"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"}, behavior) {
		return nil, fmt.Errorf("%s: behavior %.40q is not supported", kind, behavior)
	}
	return []splitter{cut{p, behavior, invert}}, nil
}

func (c cut) split(w *workspace, dst []string, piece string, _ bool) ([]string, error) {
	matches, err := c.pattern.find(&w.search, w.spans[:0], piece)
	w.spans = matches
	if err != nil {
		return dst, err
	}
	last := 0
	if isolated := c.behavior == "Isolated"; isolated || c.behavior == "Removed" && !c.invert { // the usual ones
		for _, m := range matches {
			if last < m.start {
				dst = append(dst, piece[last:m.start])
			}
			if isolated {
				dst = append(dst, piece[m.start:m.end])
			}
			last = m.end
		}
		if last < len(piece) {
			dst = append(dst, piece[last:])
		}
		return dst, nil
	}
	type part struct {
		span
		match bool
	}
	var parts []part
	add := func(start, end int, match bool) {
		if start < end {
			parts = append(parts, part{span{start, end}, match != c.invert})
		}
	}
	for _, m := range matches {
		add(last, m.start, false)
		add(m.start, m.end, true)
		last = m.end
	}
	add(last, len(piece), false)
	var pieces []span
	before := false // the part before was a match
	switch c.behavior {
	case "Removed":
		for _, p := range parts {
			if !p.match {
				pieces = append(pieces, p.span)
			}
		}
	case "Contiguous":
		for _, p := range parts {
			if n := len(pieces); p.match == before && n > 0 {
				pieces[n-1].end = p.end
			} else {
				pieces = append(pieces, p.span)
			}
			before = p.match
		}
	case "MergedWithPrevious":
		for _, p := range parts {
			if n := len(pieces); p.match && !before && n > 0 {
				pieces[n-1].end = p.end
			} else {
				pieces = append(pieces, p.span)
			}
			before = p.match
		}
	case "MergedWithNext":
		for _, p := range slices.Backward(parts) {
			if n := len(pieces); p.match && !before && n > 0 {
				pieces[n-1].start = p.start
			} else {
				pieces = append(pieces, p.span)
			}
			before = p.match
		}
		slices.Reverse(pieces)
	}
	for _, s := range pieces {
		dst = append(dst, piece[s.start:s.end])
	}
	return dst, nil
}

// wordMatch is the length of characters of a word, of white space, or of others.
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

// isPunctuation reports what BERT takes for punctuation: that of Unicode, and all of ASCII that is
// printed and neither a letter nor a digit.
func isPunctuation(r rune) bool {
	if 'a' <= r && r <= 'z' { // most of them
		return false
	}
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~' || unicode.IsPunct(r)
}
