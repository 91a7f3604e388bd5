package graph

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/w2v-go/w2v/corpus"
)

const headSize = 1 << 16 // how many bytes of a list are examined before it is read

// foreign lists graph formats other than edge lists, by their first bytes, or by the end of their names if
// they may begin like an edge list. Some lines of such files parse as edges, but as wrong ones.
var foreign = []struct {
	begins, ends *regexp.Regexp
	is           string
}{
	{regexp.MustCompile(`(?i)^%%MatrixMarket`), nil, "a MatrixMarket file"},
	{regexp.MustCompile(`(?i)^(%.*\s+)*\*(vertices|network|edges|edgeslist|arcs|arcslist|matrix)\b`), nil, "a Pajek file"},
	{regexp.MustCompile(`(?i)^((creator|version|comment|#).*\s+)*graph\s*\[`), nil, "a GML file"},
	{regexp.MustCompile(`(?i)^(//.*\s+)*(strict\s+)?(di)?graph(\s+("[^"]*"|\w+))?\s*\{`), nil, "a DOT file"},
	{regexp.MustCompile(`(?i)^<(\?xml|!--|!doctype|graphml|gexf)`), nil, "an XML file (GraphML, GEXF)"},
	{regexp.MustCompile(`^(\{\s*["}]|\[\s*(\[\s*("|-?\d+\s*,)|"|\{\s*"|-?\d+\s*,))`), nil, "a JSON file"},
	{regexp.MustCompile(`^(c\b.*\s+)*p\s+[a-z]+\s+\d+\s+\d+\s`), nil, "a DIMACS file"},
	{regexp.MustCompile(`(?i)^dl\s+(n|nr)\s*=`), nil, "a UCINET DL file"},
	{regexp.MustCompile(`(?i)^nodedef>`), nil, "a GDF file"},
	{nil, regexp.MustCompile(`(?i)\.mtx(\.(gz|zst|zstd|bz2|xz))?$`), "a MatrixMarket file"},
	{nil, regexp.MustCompile(`(?i)\.tgf(\.(gz|zst|zstd|bz2|xz))?$`), "a TGF file"},
}

// refuse returns an error if the beginning of a list shows another format.
func refuse(name string, head []byte) error {
	text := bytes.TrimLeft(head, " \t\r\n")
	for _, f := range foreign {
		if f.begins != nil && f.begins.Match(text) || f.ends != nil && f.ends.MatchString(name) {
			return fmt.Errorf("%s is %s and no edge list: write an edge a line, two names and perhaps a weight", name, f.is)
		}
	}
	return nil
}

// separators are the possible separators of CSV.
const separators = ",;\t|"

// areFields names the fields that the CSV separator c separates, for messages.
func areFields(c rune) string {
	return []string{"commas", "semicolons", "tabs", "bars"}[strings.IndexRune(separators, c)]
}

// separatorOf returns the separator of CSV that begins with head: the one with which the first rows are edges
// with the most fields. Of two equally good separators, c is the usual one and or is the other. If no
// separator fits, c is usual and fits is false.
func separatorOf(head []byte, usual rune) (c, or rune, fits bool) {
	c, best := usual, edgeFields(head, usual)
	for _, s := range separators {
		switch n := edgeFields(head, s); {
		case n > best:
			c, or, best = s, 0, n
		case n > 0 && n == best && s != c:
			or = s
		}
	}
	return c, or, best > 0
}

// edgeFields returns the largest number of fields in the first rows of CSV, or 0 if these rows are not edges,
// apart from a header.
func edgeFields(head []byte, comma rune) (n int) {
	rows := csv.NewReader(bytes.NewReader(head))
	rows.Comma, rows.FieldsPerRecord = comma, -1
	for read := 0; read < heldLines; {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0
		}
		f := fieldsOf(row, comma)
		if f.n == 0 {
			continue
		}
		read++
		_, err = f.edge()
		switch {
		case err == nil, f.n == most && likeNumber(f.at[most-1]): // a weight, though perhaps malformed
			n = max(n, f.n)
		case len(f.at[0]) > 0 && isSign(f.at[0][0]):
		case read > 1 || !errors.Is(err, errWeight):
			return 0
		}
	}
	return n
}

func likeNumber(field []byte) bool {
	return hasDigit(field) && len(bytes.Trim(field, "0123456789.,+-eE")) == 0
}

func fieldsOf(row []string, comma rune) (f fields) {
	f.decimalComma = comma == ';'
	for i, field := range row {
		f.set(i, bytes.TrimFunc([]byte(field), isBlank))
	}
	return f
}

// sampleOf returns the whole lines in head, without comments. all says that head is the whole list.
func sampleOf(head []byte, all bool) []byte {
	if !all {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	var sample []byte
	for line := range bytes.Lines(head) {
		if text := bytes.TrimLeft(line, " \t\r\n"); len(text) > 0 && !isSign(text[0]) {
			sample = append(sample, line...)
		}
	}
	if len(sample) == 0 { // names may begin with a sign
		return head
	}
	return sample
}

// likeCSV returns the likely separator of a list that is not named as CSV, or 0 for blanks or tabs. Names
// such as 1,2 (a place on a grid) are possible: then sure is false.
func likeCSV(sample []byte) (c rune, sure bool) {
	if lines := bytes.SplitAfterN(sample, []byte("\n"), heldLines+1); len(lines) > heldLines {
		sample = sample[:len(sample)-len(lines[heldLines])]
	}
	if bytes.IndexByte(sample, '\t') >= 0 {
		return 0, false
	}
	c, _, fits := separatorOf(sample, ',')
	if !fits { // the extra column may not be a weight
		for _, s := range separators {
			if sameNumber(sample, s) {
				return s, false
			}
		}
		return 0, false
	}
	for line := range bytes.Lines(sample) {
		f, sign := split(line), []byte(string(c))
		if f.n > 0 && (f.n != 2 || bytes.Count(f.at[0], sign) != bytes.Count(f.at[1], sign)) {
			sure = true
		}
	}
	foreign := func(r rune) bool { return r != c && !strings.ContainsRune("0123456789.- \r\n", r) }
	return c, sure || bytes.ContainsFunc(sample, foreign)
}

// sameNumber reports whether there are several lines and all contain c equally often.
func sameNumber(lines []byte, c rune) bool {
	n, read := 0, 0
	for line := range bytes.Lines(lines) {
		k := bytes.Count(line, []byte(string(c)))
		if read++; k == 0 || read > 1 && k != n {
			return false
		}
		n = k
	}
	return read > 1
}

// A rowLimit fails when a row is too long to be an edge.
type rowLimit struct {
	src  io.Reader
	left int // bytes that may be read before the row ends
}

const longest = 2*corpus.MaxToken + 1<<18 // the largest size of a row in bytes

var errLongRow = fmt.Errorf("the row has more than %d bytes: this is not an edge list, or a quotation mark is never closed", longest)

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRow
	}
	n, err := l.src.Read(p)
	l.left -= n
	return n, err
}

// columnError returns an error if a header says that the third column is not a weight, or that the first
// column is a row number.
func columnError(header fields) error {
	switch {
	case len(header.at[0]) == 0:
		return errors.New("the header has no name for the first column: cut it off if it numbers the rows")
	case header.n == most && isColumn(header.at[most-1]):
		return fmt.Errorf("the header calls the third column %q, and the third field of an edge is its weight: cut off what is none", header.at[most-1])
	}
	return nil
}
