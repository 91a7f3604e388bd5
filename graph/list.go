package graph

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wording"
)

const lineBuffer = 1 << 19 // the largest size of a line of an edge list in bytes, more than two names have

type list struct {
	name string
	use  func(edge) error // names are valid until use returns
	line int              // number of the line that is being read, from 1

	held    []heldEdge // the first lines, until it is known whether a header is among them
	decided bool
	header  string // describes the header, for messages
	edges   int
	known   bool // an edge was read, so weighted is known
	weights bool

	separator, or rune   // of CSV, and another one that fits equally well
	like          rune   // a CSV separator that occurs in the names of a list that is not CSV
	first         fields // copy of the first edge

	comments, signed, blanks, tabs places  // lines of each kind
	quoted, decimals               places  // names in quotation marks, and weights with a decimal comma
	least, most                    float32 // weights
}

// A heldEdge is a line that waits until the header is decided.
type heldEdge struct {
	line   int
	fields fields // copied
	edge   edge
	err    error
}

// places count lines of a kind.
type places struct{ n, first int }

func (p *places) add(line int) {
	if p.n++; p.n == 1 {
		p.first = line
	}
}

// readEdges calls use for each edge of a list. If comma is not 0, the list is CSV. Names are valid
// until use returns.
func readEdges(name string, r io.Reader, comma rune, use func(edge) error) (*list, error) {
	l := &list{name: name, use: use}
	text := bufio.NewReaderSize(plaintext.NewReader(r), lineBuffer)
	head, err := text.Peek(headSize)
	if err := refuse(name, head); err != nil {
		return l, err
	}
	head = sampleOf(head, errors.Is(err, io.EOF))
	if comma != 0 {
		l.separator, l.or, _ = separatorOf(head, comma)
		err = l.readRows(text, l.separator)
	} else {
		like, sure := likeCSV(head)
		if sure {
			return l, fmt.Errorf("%s: %s seem to separate the fields: give the file a name that ends in .csv, or put tabs between the fields", name, areFields(like))
		}
		l.like = like
		err = l.readLines(text)
	}
	if first := l.decide(); first != nil {
		err = first
	}
	return l, err
}

func (l *list) readLines(r *bufio.Reader) error {
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return l.lineError(l.line+1, fmt.Errorf("the line has more than %d bytes: this is not an edge list", len(line)))
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("%s: %w", l.name, err)
		case len(line) == 0:
			return nil
		}
		l.line++
		if err := l.add(split(bytes.TrimSuffix(line, []byte("\n")))); err != nil {
			return err
		}
	}
}

func (l *list) readRows(r io.Reader, comma rune) error {
	limit := &rowLimit{src: r}
	rows := csv.NewReader(limit)
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = comma, -1, true
	for {
		limit.left = longest
		row, err := rows.Read()
		if e, ok := errors.AsType[*csv.ParseError](err); ok {
			return l.lineError(e.StartLine, fmt.Errorf("the row is not CSV: %w", e.Err))
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongRow):
			return l.lineError(l.line+1, err)
		case err != nil:
			return fmt.Errorf("%s: %w", l.name, err)
		}
		l.line, _ = rows.FieldPos(0)
		if err := l.add(fieldsOf(row, comma)); err != nil {
			return err
		}
	}
}

// heldLines is how many lines with edges are read before it is decided whether the first is a header.
const heldLines = 10

func (l *list) add(f fields) error {
	if f.n == 0 {
		return nil
	}
	e, err := f.edge()
	// Node names such as #go are possible. So a line that begins with a sign but is a valid edge is not a
	// comment.
	if len(f.at[0]) > 0 && isSign(f.at[0][0]) {
		if bare(f.at[0]) || err != nil || l.known && e.weighted != l.weights {
			l.comments.add(l.line)
			return nil
		}
		l.signed.add(l.line)
	}
	if f.blanks {
		l.blanks.add(l.line)
	} else {
		l.tabs.add(l.line)
	}
	if err == nil {
		l.known, l.weights = true, e.weighted
		if l.separator == 0 && (isQuoted(e.from) || isQuoted(e.to)) {
			l.quoted.add(l.line)
		}
		if f.decimalComma && bytes.IndexByte(f.at[most-1], ',') >= 0 {
			l.decimals.add(l.line)
		}
	}
	if l.decided {
		return l.take(l.line, e, err)
	}
	for i := range f.at {
		f.at[i] = slices.Clone(f.at[i])
	}
	if err == nil {
		e.from, e.to = f.at[0], f.at[1]
	}
	if l.held = append(l.held, heldEdge{l.line, f, e, err}); len(l.held) < heldLines {
		return nil
	}
	return l.decide()
}

// isSign reports whether a line that begins with c may be a comment.
func isSign(c byte) bool { return c == '#' || c == '%' }

// bare reports whether no name follows a sign directly.
func bare(field []byte) bool { return len(field) == 1 || isBlank(rune(field[1])) || isSign(field[1]) }

func (l *list) take(line int, e edge, err error) error {
	if err == nil {
		if l.edges++; l.edges == 1 {
			l.least = e.weight
		}
		l.least, l.most = min(l.least, e.weight), max(l.most, e.weight)
		err = l.use(e)
	}
	if _, own := errors.AsType[*ownError](err); err != nil && !own {
		return l.lineError(line, err)
	}
	return err
}

// decide decides whether the first line is a header, and uses the other held lines.
func (l *list) decide() error {
	if l.decided {
		return nil
	}
	l.decided = true
	if l.adjacency() {
		return l.lineError(l.held[0].line, fmt.Errorf("the first field, %.40q, ends in a colon, as in adjacency lists: write an edge a line", l.held[0].fields.at[0]))
	}
	if why := headerOf(l.held); why != "" {
		if err := columnError(l.held[0].fields); err != nil {
			return l.lineError(l.held[0].line, err)
		}
		names := bytes.Join(l.held[0].fields.at[:min(l.held[0].fields.n, most)], []byte(", "))
		l.header = fmt.Sprintf("line %d (%.80s) is taken for a header and is not an edge: %s", l.held[0].line, names, why)
		l.held = l.held[1:]
	} else if len(l.held) > 0 {
		l.first = l.held[0].fields
	}
	for _, h := range l.held {
		if err := l.take(h.line, h.edge, h.err); err != nil {
			return err
		}
	}
	l.held = nil
	return nil
}

// adjacency reports whether the first field of every held line ends in a colon.
func (l *list) adjacency() bool {
	return len(l.held) > 0 && !slices.ContainsFunc(l.held, func(h heldEdge) bool {
		return !h.fields.blanks || h.fields.n < 2 || !bytes.HasSuffix(h.fields.at[0], []byte(":"))
	})
}

func isQuoted(name []byte) bool { return len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' }

// headerOf returns why the first of some lines is a header, or "" if it is an edge.
func headerOf(lines []heldEdge) string {
	if len(lines) == 0 {
		return ""
	}
	first, rest := lines[0], lines[1:]
	from, to := first.fields.at[0], first.fields.at[1]
	if errors.Is(first.err, errWeight) && !likeNumber(first.fields.at[most-1]) && len(rest) > 0 && rest[0].err == nil && rest[0].edge.weighted {
		return fmt.Sprintf("%q is not a number, and those below it are", first.fields.at[2])
	}
	again := func(h heldEdge) bool {
		return slices.ContainsFunc([][]byte{h.edge.from, h.edge.to}, func(name []byte) bool { return bytes.Equal(name, from) || bytes.Equal(name, to) })
	}
	if first.err == nil && !first.edge.weighted && isColumn(from) && isColumn(to) && !slices.ContainsFunc(rest, again) {
		return "columns of edge lists have such names"
	}
	unnumbered := func(h heldEdge) bool { return h.err != nil || !hasDigit(h.edge.from) || !hasDigit(h.edge.to) }
	if first.err == nil && len(lines) >= heldLines && !hasDigit(from) && !hasDigit(to) && !slices.ContainsFunc(rest, unnumbered) {
		return "it has no digits, and the names below it have some"
	}
	return ""
}

func hasDigit(name []byte) bool { return bytes.ContainsAny(name, "0123456789") }

// isColumn reports whether a name is a usual name of a node column.
func isColumn(name []byte) bool {
	word := strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(string(name)))
	for _, of := range []string{"name", "label", "id"} {
		word = cmp.Or(strings.TrimSuffix(word, of), word)
	}
	return slices.Contains([]string{
		"source", "target", "src", "dst", "dest", "destination", "from", "to", "fromnode", "tonode", "head", "tail", "u", "v", "i", "j",
		"node", "node1", "node2", "nodea", "nodeb", "id", "id1", "id2", "vertex", "vertex1", "vertex2", "user", "item", "product", "customer", "movie",
		"subject", "object", "start", "end", "parent", "child", "follower", "followee", "entity", "protein", "protein1", "protein2", "gene", "author",
	}, word)
}

// notes returns what users should know about how the list was read.
func (l *list) notes() (all []string) {
	add := func(format string, args ...any) { all = append(all, l.name+": "+fmt.Sprintf(format, args...)) }
	count := func(n places, one, many, format string) {
		if n.n > 0 {
			add("%s"+format, wording.Count(n.n, one, many), n.first)
		}
	}
	if l.header != "" {
		add("%s", l.header)
	}
	if l.or != 0 {
		add("%s are taken to separate the fields, but %s could: put names with either into quotation marks", areFields(l.separator), areFields(l.or))
	}
	if l.like != 0 {
		add("blanks separate the fields, and names have %s: if these separate fields, give the file a name that ends in .csv", areFields(l.like))
	}
	count(l.quoted, "line has quotation marks around a name", "lines have quotation marks around a name", ", which are a part of the name, the first of them line %d: in a file whose name ends in .csv they are none")
	count(l.decimals, "weight has a decimal comma", "weights have decimal commas", ", the first of them line %d: 0,5 is read as 0.5")
	if f := l.first; l.edges > 2 && hasSize(f, l.edges-1) {
		add("the first edge (%.80s) has the number of the edges below it: cut it off if it is the size of the graph", bytes.Join(f.at[:f.n], []byte(" ")))
	}
	count(l.comments, "line that begins with # or % is skipped as a comment", "lines that begin with # or % are skipped as comments", ", the first of them line %d")
	count(l.signed, "line that begins with # or % is taken for an edge", "lines that begin with # or % are taken for edges", ", the first of them line %d; a blank behind the sign would make a comment of it")
	if l.blanks.n > 0 && l.tabs.n > 0 {
		add("%s tabs between the fields, so that names may have blanks, and %s none, so that blanks separate its fields: see lines %d and %d",
			wording.Count(l.tabs.n, "line has", "lines have"), wording.Count(l.blanks.n, "line has", "lines have"), l.tabs.first, l.blanks.first)
	}
	if l.edges > 1 && l.weights && areTimes(l.least, l.most) {
		add("the third field is taken for a weight, from %.0f to %.0f, but looks like a time: cut it off if it is one", l.least, l.most)
	}
	return all
}

// areTimes reports whether all numbers from least to most are times since 1970, in seconds or milliseconds,
// from 1998 to 2036.
func areTimes(least, most float32) bool {
	const from, to = 0.9e9, 2.1e9
	return least > from && most < to || least > 1e3*from && most < 1e3*to
}

// hasSize reports whether an edge has only numbers, and the last one is n.
func hasSize(f fields, n int) bool {
	for _, field := range f.at[:min(f.n, most)] {
		if len(bytes.Trim(field, "0123456789")) > 0 {
			return false
		}
	}
	return f.n > 1 && string(f.at[min(f.n, most)-1]) == strconv.Itoa(n)
}

type edge struct {
	from, to []byte
	weight   float32
	weighted bool // the line has a weight
}

const most = 3 // the number of fields of an edge: two names and a weight

type fields struct {
	at           [most][]byte // fields after these are only counted
	n            int          // up to the last field that is not empty
	blanks       bool         // blanks separate the fields, so that names have none
	decimalComma bool         // weights may have a decimal comma, as when semicolons separate fields
}

// split cuts a line into fields: at tabs if it has one, else at blanks.
func split(line []byte) (f fields) {
	if bytes.IndexByte(line, '\t') < 0 {
		f.blanks = true
		for first, rest := field(line); len(first) > 0; first, rest = field(rest) {
			f.set(f.n, first)
		}
		return f
	}
	for i, more := 0, true; more; i++ {
		var one []byte
		one, line, more = bytes.Cut(line, []byte("\t"))
		f.set(i, bytes.TrimFunc(one, isBlank))
	}
	return f
}

func (f *fields) set(i int, field []byte) {
	if i < most {
		f.at[i] = field
	}
	if len(field) > 0 {
		f.n = i + 1
	}
}

// What is wrong with an edge, for messages.
const (
	edgeIs    = "an edge is two names of nodes, and perhaps a weight"
	tabsAllow = "; names may have blanks if there are tabs between the fields"
)

var errWeight = errors.New("not a number") // the error of a third field that is not a number

func (f *fields) edge() (e edge, err error) {
	hint := ""
	if f.blanks {
		hint = tabsAllow
	}
	switch {
	case f.n == 1 && bytes.ContainsAny(f.at[0], ",;|"):
		return e, fmt.Errorf("there is one field: %s, with tabs or blanks between them, or commas in a file whose name ends in .csv", edgeIs)
	case f.n == 1:
		return e, fmt.Errorf("there is one field: %s", edgeIs)
	case f.n > most:
		return e, fmt.Errorf("there are more than three fields: %s%s", edgeIs, hint)
	}
	e = edge{from: f.at[0], to: f.at[1], weight: 1}
	if f.n == most {
		weight := f.at[2]
		if f.decimalComma && bytes.IndexByte(weight, '.') < 0 {
			weight = bytes.Replace(weight, []byte(","), []byte("."), 1)
		}
		if e.weight, err = parseWeight(weight); errors.Is(err, errWeight) {
			return e, fmt.Errorf("the weight %.40q is %w%s", f.at[2], err, hint)
		} else if err != nil {
			return e, err
		}
		e.weighted = true
	}
	for i, name := range [][]byte{e.from, e.to} {
		switch {
		case len(name) == 0:
			return e, fmt.Errorf("field %d is empty: %s", i+1, edgeIs)
		case len(name) > corpus.MaxToken:
			return e, fmt.Errorf("the name of a node has %d bytes, at most %d are possible", len(name), corpus.MaxToken)
		case !f.blanks && bytes.ContainsAny(name, "\x00\t\n\v\f\r"):
			return e, fmt.Errorf("the name %.40q has a control character within: spaces alone may be within names", name)
		}
	}
	return e, nil
}

// isSpace reports whether a byte separates fields in a line without tabs. These are the separators of a
// corpus's tokens, except the newline.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0
}

func isBlank(r rune) bool { return r < 0x80 && (isSpace(byte(r)) || r == '\n') }

func field(line []byte) (first, rest []byte) {
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	at := 0
	for at < len(line) && !isSpace(line[at]) {
		at++
	}
	return line[:at], line[at:]
}

// parseWeight parses a weight, which is a finite number above 0.
func parseWeight(text []byte) (float32, error) {
	const fewDigits = 7 // so many digits are exact in a float32
	if len(text) <= fewDigits {
		n := uint32(0)
		for i, c := range text {
			if c < '0' || c > '9' {
				break
			}
			n = 10*n + uint32(c-'0')
			if i == len(text)-1 && n > 0 {
				return float32(n), nil
			}
		}
	}
	w, err := decimal.Float(string(text))
	switch {
	case errors.Is(err, strconv.ErrSyntax) || math.IsNaN(w) || bytes.ContainsAny(text, "xX_"): // for example 0x10, which is a name
		return 0, errWeight
	case !(w > 0):
		return 0, fmt.Errorf("the weight %.40s is not above 0: walks take an edge as often as its weight says, so leave it out", text)
	case err != nil || w > math.MaxFloat32/2 || w < smallest:
		return 0, fmt.Errorf("the weight %.40s is not between %g and %g", text, float32(smallest), float32(math.MaxFloat32/2))
	}
	return float32(w), nil
}

const smallest = 0x1p-126 // the smallest weight: the smallest normal float32

func (l *list) lineError(line int, err error) error {
	return fmt.Errorf("%s:%d: %w", l.name, line, err)
}

// An ownError is an error that does not come from a line.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }
