package vectors

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// A .npy file is a matrix of numpy. Source: numpy/lib/format.py, and
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.

const (
	npyMagic = "\x93NUMPY"
	// npyAlign is where the numbers begin a multiple of.
	npyAlign = 64
	// maxNpyHeader is more than any matrix of numbers needs.
	maxNpyHeader = 1 << 16
)

func sniffNpy(head []byte) bool { return bytes.HasPrefix(head, []byte(npyMagic)) }

func readNpy(in *input) (*Set, error) {
	header, err := in.npyHeader()
	if err != nil {
		return nil, err
	}
	m, err := in.npyRows(header)
	if err != nil {
		return nil, err
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	words, err := in.wordsBeside(m.Rows)
	if err != nil {
		return nil, err
	}
	return &Set{words: words, input: m}, nil
}

// npyHeader reads everything before the numbers and returns the text of it.
func (in *input) npyHeader() (npyArray, error) {
	var start [len(npyMagic) + 2]byte // and the version
	if err := in.full(start[:], "a numpy matrix"); err != nil {
		return npyArray{}, err
	}
	major, minor := start[len(npyMagic)], start[len(npyMagic)+1]
	var n uint32
	switch {
	case !sniffNpy(start[:]):
		return npyArray{}, in.failAt(0, "expected a numpy matrix, found %q", start[:len(npyMagic)])
	case minor != 0 || major < 1 || major > 3:
		return npyArray{}, in.failAt(int64(len(npyMagic)), "expected version 1.0 to 3.0 of numpy's format, found %d.%d", major, minor)
	case major == 1:
		var b [2]byte
		if err := in.full(b[:], "the length of the header"); err != nil {
			return npyArray{}, err
		}
		n = uint32(binary.LittleEndian.Uint16(b[:]))
	default:
		var b [4]byte
		if err := in.full(b[:], "the length of the header"); err != nil {
			return npyArray{}, err
		}
		n = binary.LittleEndian.Uint32(b[:])
	}
	if n > maxNpyHeader {
		return npyArray{}, in.fail("expected a header of at most %d bytes, found %d", maxNpyHeader, n)
	}
	at := in.offset
	text := make([]byte, n)
	if err := in.full(text, "the header"); err != nil {
		return npyArray{}, err
	}
	array, err := parseNpyHeader(string(text))
	if err != nil {
		return npyArray{}, in.failAt(at, "header: %w", err)
	}
	return array, nil
}

// npyRows reads the numbers.
func (in *input) npyRows(a npyArray) (Matrix, error) {
	rows, cols := a.shape[0], a.shape[1]
	switch a.descr[1:] {
	case "f2":
		return in.typedRows(F16, rows, cols, "the matrix")
	case "f8":
		return in.doubleRows(rows, cols, "the matrix")
	}
	return in.rows(rows, cols, "the matrix")
}

// A npyArray is what the header of a .npy says.
type npyArray struct {
	descr string // "<f4"
	shape [2]int64
}

// parseNpyHeader reads a dictionary as Python writes it.
func parseNpyHeader(text string) (npyArray, error) {
	var a npyArray
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
			if p.boolean() {
				p.fail("the matrix lies column by column: save it with numpy.ascontiguousarray")
			}
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
	case "<f4", "<f2", "<f8", "|f4", "|f2", "|f8", "=f4", "=f2", "=f8":
		return a, nil
	case ">f4", ">f2", ">f8":
		return a, fmt.Errorf("numbers of type %s have their bytes the other way round: save them with .astype('<f4')", a.descr)
	}
	return a, fmt.Errorf("expected numbers of type <f4, <f2 or <f8, found %.40q: save them with .astype('<f4')", a.descr)
}

// writeNpy returns the files of s as a .npy.
func writeNpy(s *Set) ([]part, error) {
	d := s.dtypeFor(FormatNpy)
	descr := "<f4"
	if d == F16 {
		descr = "<f2"
	}
	matrix := func(w *bufio.Writer) error {
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", descr, s.Len(), s.Dim())
		const fixed = len(npyMagic) + 2 + 2
		for (fixed+len(header)+1)%npyAlign != 0 {
			header += " "
		}
		start := append([]byte(npyMagic), 1, 0)
		start = binary.LittleEndian.AppendUint16(start, uint16(len(header)+1))
		if _, err := w.Write(append(start, header+"\n"...)); err != nil {
			return err
		}
		return s.writeVectors(w, d)
	}
	return []part{{"", matrix}, {besideSuffix, s.writeWordLines}}, nil
}
