package graph

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wordlimit"
)

// An edge is a line of an edge list.
type edge struct {
	from, to []byte
	weight   float32
	weighted bool // the line has a weight
}

// most is the number of fields of an edge: two names and a weight.
const most = 3

// fields are the fields of a line.
type fields struct {
	at [most][]byte // those behind are counted only
	n  int          // up to the last one that is not empty
	// blanks says that blanks separate the fields, so that names have none.
	blanks bool
	// decimalComma says that a weight may have a comma for a point, as where semicolons separate fields.
	decimalComma bool
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

// set sets field i, from 0.
func (f *fields) set(i int, field []byte) {
	if i < most {
		f.at[i] = field
	}
	if len(field) > 0 {
		f.n = i + 1
	}
}

// What an edge is, for messages.
const (
	edgeIs    = "an edge is two names of nodes, and perhaps a weight"
	tabsAllow = "; names may have blanks if there are tabs between the fields"
)

// errWeight is the error of a third field that is no number.
var errWeight = errors.New("not a number")

// edge makes an edge of the fields.
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
		case len(name) > wordlimit.Bytes:
			return e, fmt.Errorf("the name of a node has %d bytes, at most %d are possible", len(name), wordlimit.Bytes)
		case !f.blanks && bytes.ContainsAny(name, "\x00\t\n\v\f\r"):
			return e, fmt.Errorf("the name %.40q has a control character within: spaces alone may be within names", name)
		}
	}
	return e, nil
}

// isSpace reports whether a byte separates fields in a line without tabs. These are the bytes that
// separate tokens of a corpus, without the newline.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0
}

func isBlank(r rune) bool { return r < 0x80 && (isSpace(byte(r)) || r == '\n') }

// field cuts the first field off a line.
func field(line []byte) (first, rest []byte) {
	at := 0
	for at < len(line) && isSpace(line[at]) {
		at++
	}
	begin := at
	for at < len(line) && !isSpace(line[at]) {
		at++
	}
	return line[begin:at], line[at:]
}

// parseWeight parses a weight, which is a finite number above 0.
func parseWeight(text []byte) (float32, error) {
	const fewDigits = 7 // are exact
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
	case errors.Is(err, strconv.ErrSyntax) || math.IsNaN(w) || bytes.ContainsAny(text, "xX_"): // 0x10 is a name
		return 0, errWeight
	case !(w > 0):
		return 0, fmt.Errorf("the weight %.40s is not above 0: walks take an edge as often as its weight says, so leave it out", text)
	case err != nil || w > math.MaxFloat32/2 || w < smallest:
		return 0, fmt.Errorf("the weight %.40s is not between %g and %g", text, float32(smallest), float32(math.MaxFloat32/2))
	}
	return float32(w), nil
}

// smallest is the smallest weight: a float32 that is not denormal.
const smallest = 0x1p-126

// A LineError says which line of an edge list is no edge.
type LineError struct {
	Name string // of the file
	Line int    // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// An ownError is an error that is not about a line.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }
