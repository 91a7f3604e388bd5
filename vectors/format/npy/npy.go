// Package npy reads and writes a matrix of numpy, a .npy file, with the words, one a line, in a
// file beside it whose name has ".vocab.txt" after the name of the matrix. Sources:
// numpy/lib/format.py, and
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
package npy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	magic = "\x93NUMPY"
	// align is where the numbers begin a multiple of.
	align = 64
	// maxHeader is more than any matrix of numbers needs.
	maxHeader = 1 << 16
)

// dtypes are the types of numbers that are written.
func dtypes() []vectors.DType { return []vectors.DType{vectors.F32, vectors.F16} }

// Codec returns the format.
func Codec() codec.Codec {
	return codec.Codec{
		Name:       codec.Npy,
		Extensions: []codec.Extension{{Name: ".npy", Sets: codec.AnySets}},
		Sniff:      sniff,
		Read:       read,
		Maps:       true,
		Parts:      parts,
		Size:       func(s vectors.Shape) float64 { return codec.WordSize(s, 1) + codec.VectorSize(s, dtypes()) },
		Word:       codec.CheckLine,
		DTypes:     dtypes(),
		Streams:    true,
		Programs:   "numpy",
	}
}

func sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

func read(in *source.Input) (*vectors.Set, error) {
	header, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	m, err := readRows(in, header)
	if err != nil {
		return nil, err
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	words, err := codec.ReadWords(in, m.Rows)
	if err != nil {
		return nil, err
	}
	return vectors.New(vectors.Parts{
		Words: words, Input: m, Source: in.Behind(), Origin: vectors.Origin{Format: codec.Npy},
	})
}

// readHeader reads everything before the numbers and returns the text of it.
func readHeader(in *source.Input) (array, error) {
	var start [len(magic) + 2]byte // and the version
	if err := in.Full(start[:], "a numpy matrix"); err != nil {
		return array{}, err
	}
	major, minor := start[len(magic)], start[len(magic)+1]
	var n uint32
	switch {
	case !sniff(start[:]):
		return array{}, in.FailAt(0, "expected a numpy matrix, found %q", start[:len(magic)])
	case minor != 0 || major < 1 || major > 3:
		return array{}, in.FailAt(int64(len(magic)), "expected version 1.0 to 3.0 of numpy's format, found %d.%d", major, minor)
	case major == 1:
		var b [2]byte
		if err := in.Full(b[:], "the length of the header"); err != nil {
			return array{}, err
		}
		n = uint32(binary.LittleEndian.Uint16(b[:]))
	default:
		var b [4]byte
		if err := in.Full(b[:], "the length of the header"); err != nil {
			return array{}, err
		}
		n = binary.LittleEndian.Uint32(b[:])
	}
	if n > maxHeader {
		return array{}, in.Fail("expected a header of at most %d bytes, found %d", maxHeader, n)
	}
	at := in.Offset()
	text := make([]byte, n)
	if err := in.Full(text, "the header"); err != nil {
		return array{}, err
	}
	a, err := parseHeader(string(text))
	if err != nil {
		return array{}, in.FailAt(at, "header: %w", err)
	}
	return a, nil
}

// readRows reads the numbers.
func readRows(in *source.Input, a array) (vectors.Matrix, error) {
	rows, cols := a.shape[0], a.shape[1]
	if order, size := a.order(), int64(a.descr[2]-'0'); a.byColumn || order == binary.BigEndian {
		return rowio.Arranged(in, size, order, a.byColumn, rows, cols, "the matrix")
	}
	switch a.descr[1:] {
	case "f2":
		return rowio.Typed(in, vectors.F16, rows, cols, "the matrix")
	case "f8":
		return rowio.Doubles(in, rows, cols, "the matrix")
	}
	return rowio.Read(in, rows, cols, "the matrix")
}

// An array is what the header of a .npy says.
type array struct {
	descr    string // "<f4"
	byColumn bool   // "Fortran order"
	shape    [2]int64
}

// order is that of the bytes of a number.
func (a array) order() binary.ByteOrder {
	if a.descr[0] == '>' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// parseHeader reads a dictionary as Python writes it.
func parseHeader(text string) (array, error) {
	var a array
	p := literal{rest: text}
	seen := map[string]bool{}
	var shape []int64
	p.expect("{")
	for p.err == nil && !p.has("}") {
		key := p.quoted()
		p.expect(":")
		if seen[key] {
			p.fail("%q stands there twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek() == '[' {
				p.fail("expected numbers, found a matrix of records")
			}
			a.descr = p.quoted()
		case "fortran_order":
			a.byColumn = p.boolean()
		case "shape":
			shape = p.tuple()
		default:
			p.fail("expected descr, fortran_order or shape, found %.40q", key)
		}
		if !p.has(",") && p.peek() != '}' {
			p.fail("expected a comma or }, found %.20q", p.rest)
		}
	}
	if p.err == nil && strings.Trim(p.rest, " \n") != "" {
		p.fail("expected spaces after the dictionary, found %.20q", p.rest)
	}
	switch {
	case p.err != nil:
		return a, p.err
	case len(seen) != 3:
		return a, fmt.Errorf("expected descr, fortran_order and shape, found %d of them", len(seen))
	case len(shape) != 2:
		return a, fmt.Errorf("expected a matrix of rows and columns, found a shape of %d dimensions", len(shape))
	case shape[1] < 1 && shape[0] > 0:
		return a, fmt.Errorf("expected at least one column, found %d", shape[1])
	}
	a.shape = [2]int64(shape)
	switch a.descr {
	case "<f4", "<f2", "<f8", "|f4", "|f2", "|f8", "=f4", "=f2", "=f8", ">f4", ">f2", ">f8":
		return a, nil
	}
	return a, fmt.Errorf("expected numbers of type f4, f2 or f8, found %.40q: save them with .astype('<f4')", a.descr)
}

// parts returns the files of s as a .npy.
func parts(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, dtypes())
	descr := "<f4"
	if d == vectors.F16 {
		descr = "<f2"
	}
	matrix := func(w *bufio.Writer) error {
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, s.Len(), s.Dim())
		const fixed = len(magic) + 2 + 2
		for (fixed+len(header)+1)%align != 0 {
			header += " "
		}
		start := append([]byte(magic), 1, 0)
		start = binary.LittleEndian.AppendUint16(start, uint16(len(header)+1))
		if _, err := w.Write(append(start, header+"\n"...)); err != nil {
			return err
		}
		return rowio.WriteVectors(w, s, d)
	}
	return []codec.Part{{Write: matrix}, {Name: codec.WordsSuffix, Write: func(w *bufio.Writer) error { return codec.WriteWords(w, s.Words()) }}}, nil
}

// A literal reads what Python prints of dictionaries, strings, tuples of numbers
// and truth, as the header of a .npy consists of. After an error everything is
// empty.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

// peek returns the next character that is no space, 0 at the end.
func (p *literal) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

// has passes over text if it comes next.
func (p *literal) has(text string) bool {
	p.peek()
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest = rest
	return ok
}

func (p *literal) expect(text string) {
	if !p.has(text) {
		p.fail("expected %s, found %.20q", text, p.rest)
	}
}

// quoted reads a string, of which those that matter have no escapes.
func (p *literal) quoted() string {
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		p.fail("expected a string, found %.20q", p.rest)
		return ""
	}
	text, rest, ok := strings.Cut(p.rest[1:], string(quote))
	if !ok {
		p.fail("expected the end of the string %.20q", p.rest)
		return ""
	}
	p.rest = rest
	return text
}

func (p *literal) boolean() bool {
	if p.has("True") {
		return true
	}
	p.expect("False")
	return false
}

// tuple reads numbers that are not negative, in brackets.
func (p *literal) tuple() []int64 {
	var numbers []int64
	p.expect("(")
	for p.err == nil && !p.has(")") {
		p.peek()
		end := 0
		for end < len(p.rest) && p.rest[end]-'0' <= 9 {
			end++
		}
		n, err := strconv.ParseInt(p.rest[:end], 10, 64)
		if err != nil {
			p.fail("expected a number, found %.20q", p.rest)
			break
		}
		p.rest = p.rest[end:]
		p.has("L") // of Python 2
		numbers = append(numbers, n)
		if !p.has(",") && p.peek() != ')' {
			p.fail("expected a comma or ), found %.20q", p.rest)
		}
	}
	return numbers
}
