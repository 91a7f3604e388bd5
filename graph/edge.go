package graph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/w2v-go/w2v/internal/wordlimit"
)

// An edge is a line of an edge list.
type edge struct {
	from, to []byte
	weight   float32
	weighted bool // the line has a weight
}

// parseEdge parses a line: two names of nodes and perhaps a weight, between which there are spaces
// or tabs. It returns false for an empty line and for a comment, which begins with # or %.
func parseEdge(line []byte) (e edge, ok bool, err error) {
	first, rest := field(line)
	if len(first) == 0 || first[0] == '#' || first[0] == '%' {
		return e, false, nil
	}
	second, rest := field(rest)
	if len(second) == 0 {
		return e, false, errors.New("there is one field: an edge is two names of nodes, and perhaps a weight")
	}
	e = edge{from: first, to: second, weight: 1}
	third, rest := field(rest)
	if len(third) > 0 {
		if e.weight, err = parseWeight(third); err != nil {
			return e, false, err
		}
		e.weighted = true
		if fourth, _ := field(rest); len(fourth) > 0 {
			return e, false, errors.New("there are more than three fields: an edge is two names of nodes, and perhaps a weight")
		}
	}
	for _, name := range [][]byte{first, second} {
		if len(name) > wordlimit.Bytes {
			return e, false, fmt.Errorf("the name of a node has %d bytes, at most %d are possible", len(name), wordlimit.Bytes)
		}
	}
	return e, true, nil
}

// isSpace reports whether a byte separates fields. These are the bytes that separate tokens of a
// corpus, without the newline, so that a name is always one token.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == 0
}

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
	w, err := strconv.ParseFloat(string(text), 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax) || math.IsNaN(w):
		return 0, fmt.Errorf("the weight %.40q is not a number", text)
	case !(w > 0):
		return 0, fmt.Errorf("the weight %.40s is not above 0: walks take an edge as often as its weight says, so leave it out", text)
	case err != nil || w > math.MaxFloat32/2 || w < smallest:
		return 0, fmt.Errorf("the weight %.40s is not between %g and %g", text, float32(smallest), float32(math.MaxFloat32/2))
	}
	return float32(w), nil
}

// smallest is the smallest weight: a float32 that is not denormal.
const smallest = 0x1p-126

// edgeBuffer is the number of bytes of an edge list that are read at a time.
const edgeBuffer = 1 << 18

// A LineError says which line of an edge list is no edge.
type LineError struct {
	Name string // of the file
	Line int    // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// readEdges calls use for each edge of a list. Names are valid until use returns.
func readEdges(name string, r io.Reader, use func(edge) error) error {
	buf := make([]byte, edgeBuffer)
	begin, end, number := 0, 0, 0
	each := func(line []byte) error {
		number++
		e, ok, err := parseEdge(line)
		if ok {
			err = use(e)
		}
		if _, own := errors.AsType[*ownError](err); err != nil && !own {
			return &LineError{name, number, err}
		}
		return err
	}
	for {
		n, err := r.Read(buf[end:])
		end += n
		for {
			i := bytes.IndexByte(buf[begin:end], '\n')
			if i < 0 {
				break
			}
			if err := each(buf[begin : begin+i]); err != nil {
				return err
			}
			begin += i + 1
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("%s: %w", name, err)
			}
			if begin < end {
				return each(buf[begin:end])
			}
			return nil
		}
		end = copy(buf, buf[begin:end])
		begin = 0
		if end == len(buf) {
			const longest = 2*wordlimit.Bytes + edgeBuffer
			if len(buf) > longest {
				return &LineError{name, number + 1, fmt.Errorf("the line has more than %d bytes: this is no edge list", len(buf))}
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}

// An ownError is an error that is not about a line.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }
