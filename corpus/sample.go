package corpus

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/decimal"
)

const (
	sampledInputs = 8       // inputs in a sample, spread over the corpus
	sampledBytes  = 1 << 16 // bytes taken from each input
)

// A Sample holds some whole lines of a corpus's text before tokenization: the first lines of up to eight
// inputs and, of plain files, some lines from the middle.
type Sample struct {
	Lines []string // without the newlines

	name string // name of the first input, which decides how a table is read
}

// Sample returns a sample of the corpus. The sample is always the same. Inputs that are read as a stream,
// such as standard input and compressed files, are in the sample only after they have been read. Inputs that
// cannot be read are left out.
func (s *Source) Sample() Sample {
	var sample Sample
	if len(s.inputs) > 0 {
		sample.name = s.inputs[0].name
	}
	for _, in := range s.sampled() {
		if in.size < 0 {
			kept := in.beginning
			if in.sentences != nil {
				kept = beginningOf(in.sentences)
			}
			if kept != nil { // a part may have other samples than the corpus, which keeps beginnings
				sample.add(kept.text, false, len(kept.text) < sampledBytes)
			}
			continue
		}
		_ = sample.addFile(*in, s.options) // on failure, the other inputs make the sample
	}
	return sample
}

func (s *Source) sampled() (some []*input) {
	n := min(len(s.inputs), sampledInputs)
	for i := range n {
		some = append(some, &s.inputs[i*(len(s.inputs)-1)/max(n-1, 1)])
	}
	return some
}

func (s *Sample) addFile(in input, o Options) error {
	file, err := os.Open(in.name)
	if err != nil {
		return err
	}
	defer file.Close()
	if in.table != nil {
		return s.addTable(in, o)
	}
	half := int64(sampledBytes / 2)
	places := []int64{in.text}
	from := len(s.Lines)
	if in.size-in.text > 4*sampledBytes {
		places = append(places, in.text+(in.size-in.text)/2)
	} else {
		half = sampledBytes
	}
	for _, at := range places {
		text := make([]byte, min(half, in.size-at))
		n, err := file.ReadAt(text, at)
		if err != nil && err != io.EOF { //nolint:errorlint // as ReadAt returns it
			return err
		}
		s.add(text[:n], at > in.text, at+int64(n) >= in.size)
	}
	if o.hasRecords() {
		lines := s.Lines[from:]
		s.Lines = s.Lines[:from]
		for _, line := range lines {
			if text, ok := o.textOf(line, in.column); ok {
				s.Lines = append(s.Lines, text)
			}
		}
	}
	return nil
}

// add adds the lines of a text, but not those cut off where it begins within a line or ends before the end.
func (s *Sample) add(text []byte, within, end bool) {
	if len(text) == 0 {
		return
	}
	if within {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	if !end {
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		s.Lines = append(s.Lines, strings.TrimSuffix(line, "\r"))
	}
}

// A beginning keeps the first bytes of an input while it is read.
type beginning struct {
	left int // bytes that may still be kept
	text []byte
}

func (b *beginning) of(r io.Reader) io.Reader {
	if b == nil || b.left == 0 {
		return r
	}
	return io.TeeReader(r, b)
}

func (b *beginning) Write(p []byte) (int, error) {
	kept := p[:min(len(p), b.left)]
	b.text = append(b.text, kept...)
	b.left -= len(kept)
	return len(p), nil
}

// A LayoutKind names a layout of text other than sentences of tokens.
type LayoutKind string

const (
	// LayoutText is any other text.
	LayoutText LayoutKind = ""
	// LayoutJSON is lines of JSON, each an object or an array.
	LayoutJSON LayoutKind = "json-lines"
	// LayoutTable is lines with the same number of fields, separated by tabs, commas, semicolons or bars.
	LayoutTable LayoutKind = "table"
	// LayoutEdges is lines of two tokens, or of two and a number: the edges of a graph.
	LayoutEdges LayoutKind = "edge-list"
	// LayoutSequences is sequences of letters as in bioinformatics: FASTA, or lines of bases.
	LayoutSequences LayoutKind = "sequences"
	// LayoutSingle is lines of one token. Such a token has no context.
	LayoutSingle LayoutKind = "one-token-lines"
	// LayoutUnsegmented is text in a script without spaces, such as Chinese, in which words
	// have not been separated.
	LayoutUnsegmented LayoutKind = "unsegmented"
)

// A Layout describes what a corpus looks like.
type Layout struct {
	Kind LayoutKind
	// Fields is the number of fields in a line of a table or of edges.
	Fields int
	// Separator separates the fields of a table. For lines of one token it is the comma or semicolon that
	// most lines contain. Otherwise it is 0.
	Separator rune
	// Apart reports whether empty lines separate groups of one-token lines.
	Apart bool
}

const (
	fewLines  = 10   // fewer lines allow no conclusion
	someLines = 50   // number of lines for less certain conclusions
	nearlyAll = 0.95 // the share of lines that must be alike
	longToken = 6    // in scripts without spaces, average words have fewer code points
	shortID   = 24   // maximum length of a vertex name in bytes
)

// Layout returns what the lines of the sample look like. The options say how lines are cut
// into tokens. At least 95 % of the lines that are not empty must be alike, and there must be
// at least ten of them, or fifty for edges between names without digits.
func (s Sample) Layout(o Options) Layout {
	if o.lists() {
		return Layout{} // whatever its tokens look like
	}
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
	if o.Tokenizer == Whitespace && o.File == nil && isUnsegmented(lines) {
		return Layout{Kind: LayoutUnsegmented}
	}
	single := func(line string) bool {
		tokens, _, err := o.Tokens(line)
		return err == nil && len(tokens) < 2 // reading the file reports the error
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

// isSequences reports whether lines are a FASTA file, or at least ten lines of bases.
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

// tableOf looks for a separator that occurs equally often in every line.
func tableOf(lines []string) Layout {
	for _, separator := range "\t,;|" {
		counts, most := map[int]int{}, 0
		for _, line := range lines {
			n, _ := countSeparators(line, separator)
			counts[n]++
		}
		for n := range counts {
			if counts[n] > counts[most] || counts[n] == counts[most] && n < most {
				most = n
			}
		}
		ends := func(line string) bool { return strings.HasSuffix(line, string(separator)) }
		spaced := func(line string) bool {
			_, spaced := countSeparators(line, separator)
			return spaced
		}
		switch {
		case most == 0 || float64(counts[most]) < nearlyAll*float64(len(lines)):
		case separator != '\t' && (share(lines, ends) > 0.5 || share(lines, spaced) > 0.5):
			// In text, commas are followed by spaces. In code, lines end in semicolons.
		case separator == '\t' && most < 3 && edgesOf(lines).Kind == LayoutEdges:
			return Layout{}
		default:
			return Layout{Kind: LayoutTable, Fields: most + 1, Separator: separator}
		}
	}
	return Layout{}
}

// countSeparators counts separators outside quotation marks, and reports whether a space follows one.
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

// edgesOf looks for lines of two names, or of two names and a number. # and % begin comments.
func edgesOf(lines []string) Layout {
	var edges [4][][]string // by the number of fields
	all := 0.0
	for _, line := range lines {
		if line[0] == '#' || line[0] == '%' {
			continue
		}
		all++
		fields := strings.Fields(line)
		if n := len(fields); n < len(edges) && !slices.ContainsFunc(fields, func(field string) bool { return len(field) > shortID }) {
			edges[n] = append(edges[n], fields)
		}
	}
	n := 2
	if len(edges[3]) > len(edges[2]) {
		n = 3
	}
	most := nearlyAll * float64(len(edges[n]))
	if all < fewLines || float64(len(edges[n])) < nearlyAll*all {
		return Layout{}
	}
	ids, weights := 0.0, 0.0
	for _, fields := range edges[n] {
		if hasDigit(fields[0]) && hasDigit(fields[1]) {
			ids++
		}
		if w, err := decimal.Float(fields[n-1]); err == nil && w > 0 && !isTime(w) {
			weights++
		}
	}
	if n == 3 && weights < most || ids < most && all < someLines {
		return Layout{}
	}
	return Layout{Kind: LayoutEdges, Fields: n}
}

// isTime reports whether a number may be a time since 1970 in this century, in seconds or milliseconds.
func isTime(n float64) bool { return n > 0.9e9 && n < 2.1e9 || n > 0.9e12 && n < 2.1e12 }

func hasDigit(field string) bool { return strings.ContainsAny(field, "0123456789") }

func isNumber(field string) bool {
	return hasDigit(field) && strings.Trim(field, "0123456789+-.eE") == ""
}

// isUnsegmented reports whether most letters are of scripts without spaces, and tokens are longer than words.
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
