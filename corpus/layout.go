package corpus

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A LayoutKind is what a corpus looks like, if that is not sentences of tokens.
type LayoutKind string

const (
	// LayoutText is anything that does not look like one of the others.
	LayoutText LayoutKind = ""
	// LayoutJSON is a JSON object or array a line.
	LayoutJSON LayoutKind = "json-lines"
	// LayoutTable is lines of as many fields each, with tabs, commas, semicolons or bars
	// between them.
	LayoutTable LayoutKind = "table"
	// LayoutEdges is lines of two tokens, or of two and a number: the edges of a graph.
	LayoutEdges LayoutKind = "edge-list"
	// LayoutSequences is sequences of letters as bioinformatics has them: FASTA, or lines of
	// bases.
	LayoutSequences LayoutKind = "sequences"
	// LayoutSingle is lines of one token, which has no context then.
	LayoutSingle LayoutKind = "one-token-lines"
	// LayoutUnsegmented is text of a script without spaces, such as Chinese, that is not cut
	// into words.
	LayoutUnsegmented LayoutKind = "unsegmented"
)

// A Layout is what a corpus looks like.
type Layout struct {
	Kind LayoutKind
	// Fields is how many a line has, of a table and of edges.
	Fields int
	// Separator stands between the fields of a table. Of lines of one token it is the comma
	// or semicolon that most of them have, and 0 else.
	Separator rune
	// Apart says that there are empty lines among those of one token.
	Apart bool
}

const (
	fewLines  = 10   // say nothing
	someLines = 50   // say something where it is less clear
	nearlyAll = 0.95 // of the lines are like that
	longToken = 6    // code points that words of scripts without spaces have not on the average
	shortID   = 24   // bytes of the longest name of a vertex
)

// Layout returns what the lines of a sample look like, whose tokens are made with these
// options. At least 95 in a hundred lines that are not empty must be alike, and at least ten;
// fifty for edges whose ends have no digits.
func (s Sample) Layout(o Options) Layout {
	var lines []string
	empty := 0
	for _, line := range s.Lines {
		if line = strings.Trim(line, " \t\v\f\x00"); line == "" {
			empty++
			continue
		}
		lines = append(lines, line)
	}
	if isSequences(lines) {
		return Layout{Kind: LayoutSequences}
	}
	if len(lines) < fewLines {
		return Layout{}
	}
	if share(lines, isJSON) >= nearlyAll {
		return Layout{Kind: LayoutJSON}
	}
	if l := tableOf(lines); l.Kind != LayoutText {
		return l
	}
	if l := edgesOf(lines); l.Kind != LayoutText {
		return l
	}
	if o.Tokenizer == Whitespace && isUnsegmented(lines) {
		return Layout{Kind: LayoutUnsegmented}
	}
	single := func(line string) bool {
		tokens, _ := o.Tokens(line)
		return len(tokens) < 2
	}
	if share(lines, single) >= nearlyAll {
		l := Layout{Kind: LayoutSingle, Apart: empty > 0}
		for _, c := range ",;" {
			if share(lines, func(line string) bool { return strings.ContainsRune(line, c) }) > 0.5 {
				l.Separator = c
			}
		}
		return l
	}
	return Layout{}
}

// share returns the share of lines that are so.
func share(lines []string, so func(line string) bool) float64 {
	n := 0
	for _, line := range lines {
		if so(line) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(lines)))
}

func isJSON(line string) bool {
	object := line[0] == '{' && line[len(line)-1] == '}'
	array := line[0] == '[' && line[len(line)-1] == ']'
	return (object || array) && len(line) > 2 && json.Valid([]byte(line))
}

// isSequences tells whether lines are a FASTA file, or at least ten lines of bases.
func isSequences(lines []string) bool {
	letters := func(line string) bool {
		return strings.Trim(line, "ABCDEFGHIKLMNPQRSTUVWXYZabcdefghiklmnpqrstuvwxyz*-.") == ""
	}
	bases := func(line string) bool { return len(line) >= 10 && strings.Trim(line, "ACGTUNacgtun-") == "" }
	if len(lines) < 2 || lines[0][0] != '>' {
		return len(lines) >= fewLines && share(lines, bases) >= nearlyAll
	}
	var sequence []string
	for _, line := range lines {
		if line[0] != '>' && line[0] != ';' {
			sequence = append(sequence, line)
		}
	}
	return len(sequence) > 0 && share(sequence, letters) >= nearlyAll
}

// tableOf looks for a separator that each line has equally often.
func tableOf(lines []string) Layout {
	for _, separator := range "\t,;|" {
		counts := map[int]int{}
		ends, spaced := 0, 0
		for _, line := range lines {
			n, followed := countSeparators(line, separator)
			counts[n]++
			if strings.HasSuffix(line, string(separator)) {
				ends++
			}
			if followed {
				spaced++
			}
		}
		most := 0
		for n := range counts {
			if counts[n] > counts[most] || counts[n] == counts[most] && n < most {
				most = n
			}
		}
		// In text a comma has a space behind it, and code has a semicolon at the end of lines.
		if separator != '\t' && (2*ends > len(lines) || 2*spaced > len(lines)) {
			continue
		}
		if most == 0 || float64(counts[most]) < nearlyAll*float64(len(lines)) {
			continue
		}
		if separator == '\t' && most < 3 && isEdges(lines) {
			return Layout{}
		}
		return Layout{Kind: LayoutTable, Fields: most + 1, Separator: separator}
	}
	return Layout{}
}

// countSeparators returns how many separators a line has outside of quotation marks, and whether one
// is followed by a space.
func countSeparators(line string, separator rune) (n int, spaced bool) {
	quoted := false
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == separator && !quoted:
			n++
			spaced = spaced || strings.HasPrefix(line[i+1:], " ")
		}
	}
	return n, spaced
}

func isEdges(lines []string) bool { return edgesOf(lines).Kind == LayoutEdges }

// edgesOf looks for lines of two names, or of two and a number. Lines that begin with # or %
// are comments.
func edgesOf(lines []string) Layout {
	var edges [][]string
	counts := [4]int{}
	all := 0
	for _, line := range lines {
		if line[0] == '#' || line[0] == '%' {
			continue
		}
		all++
		fields := strings.Fields(line)
		if len(fields) < len(counts) && short(fields) {
			counts[len(fields)]++
			edges = append(edges, fields)
		}
	}
	n := 2
	if counts[3] > counts[2] {
		n = 3
	}
	if all < fewLines || float64(counts[n]) < nearlyAll*float64(all) {
		return Layout{}
	}
	ids, weights := 0, 0
	for _, fields := range edges {
		if len(fields) != n {
			continue
		}
		if hasDigit(fields[0]) && hasDigit(fields[1]) {
			ids++
		}
		if n == 3 && isNumber(fields[2]) {
			weights++
		}
	}
	numbered := float64(ids) >= nearlyAll*float64(counts[n])
	weighted := float64(weights) >= nearlyAll*float64(counts[n])
	if n == 3 && !weighted || !numbered && all < someLines {
		return Layout{}
	}
	return Layout{Kind: LayoutEdges, Fields: n}
}

func short(fields []string) bool {
	for _, field := range fields {
		if len(field) > shortID {
			return false
		}
	}
	return true
}

func hasDigit(field string) bool { return strings.ContainsAny(field, "0123456789") }

func isNumber(field string) bool {
	return hasDigit(field) && strings.Trim(field, "0123456789+-.eE") == ""
}

// isUnsegmented tells whether most letters are of scripts that are written without spaces, and
// tokens are much longer than words.
func isUnsegmented(lines []string) bool {
	letters, unspaced, runes, tokens := 0, 0, 0, 0
	for _, line := range lines {
		for _, field := range strings.Fields(line) {
			tokens++
			runes += utf8.RuneCountInString(field)
			for _, r := range field {
				if unicode.IsLetter(r) {
					letters++
					if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
						unspaced++
					}
				}
			}
		}
	}
	return 2*unspaced > letters && runes > longToken*tokens
}
