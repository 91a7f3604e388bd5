// Package npy reads and writes a numpy matrix, a .npy file, with the words in a second file, one per line,
// whose name has the suffix ".vocab.txt". Sources: numpy/lib/format.py, and
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
package npy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	magic     = "\x93NUMPY"
	align     = 64
	maxHeader = 1 << 16
)

var dtypes = []vectors.DType{vectors.F32, vectors.F16}

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.Npy,
	Extensions: []codec.Extension{{Name: ".npy", Sets: codec.AnySets}},
	Sniff:      sniff,
	Decode:     read,
	Maps:       true,
	Parts:      parts,
	Size:       func(s vectors.Shape) float64 { return codec.WordSize(s, 1) + codec.VectorSize(s, dtypes) },
	Word:       codec.LineRules(),
	DTypes:     dtypes,
	Programs:   "numpy",
}

func sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

func read(in *source.Input) *vectors.Set {
	m := readRows(in, readHeader(in))
	in.End()
	return source.Must(vectors.New(vectors.Parts{
		Words: codec.ReadWords(in, m.Rows), Input: m, Source: in.Behind, Origin: vectors.Origin{Format: codec.Npy},
	}))
}

func readHeader(in *source.Input) array {
	var start [len(magic) + 2]byte // magic and version
	in.Full(start[:], "a numpy matrix")
	major, minor := start[len(magic)], start[len(magic)+1]
	switch {
	case !sniff(start[:]):
		in.FailAt(0, "expected a numpy matrix, found %q", start[:len(magic)])
	case minor != 0 || major < 1 || major > 3:
		in.FailAt(int64(len(magic)), "expected version 1.0 to 3.0 of numpy's format, found %d.%d", major, minor)
	}
	var length [4]byte
	digits := 4
	if major == 1 {
		digits = 2
	}
	in.Full(length[:digits], "the length of the header")
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxHeader {
		in.Fail("expected a header of at most %d bytes, found %d", maxHeader, n)
	}
	at := in.Offset
	text := make([]byte, n)
	in.Full(text, "the header")
	a, err := parseHeader(string(text))
	if err != nil {
		in.FailAt(at, "header: %w", err)
	}
	return a
}

func readRows(in *source.Input, a array) vectors.Matrix {
	rows, cols := a.shape[0], a.shape[1]
	order := binary.ByteOrder(binary.LittleEndian)
	if a.descr[0] == '>' {
		order = binary.BigEndian
	}
	switch {
	case a.byColumn || order == binary.BigEndian:
		return rowio.Arranged(in, int64(a.descr[2]-'0'), order, a.byColumn, rows, cols, "the matrix")
	case a.descr[1:] == "f2":
		return rowio.Typed(in, vectors.F16, rows, cols, "the matrix")
	case a.descr[1:] == "f8":
		return rowio.Doubles(in, rows, cols, "the matrix")
	}
	return rowio.Read(in, rows, cols, "the matrix")
}

type array struct {
	descr    string // "<f4"
	byColumn bool   // "Fortran order"
	shape    [2]int64
}

// item matches the first item of a Python dictionary with the comma after it: a name, and a string, a boolean
// or a tuple of numbers, which end in L in files of Python 2.
var item = regexp.MustCompile(`^\s*['"](\w*)['"]\s*:\s*(?:'([^']*)'|"([^"]*)"|(True|False)|\(((?:\s*\d+L?\s*,)*\s*(?:\d+L?\s*)?)\))\s*(,|$)`)

func parseHeader(text string) (array, error) {
	var a array
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{")
	rest, closed := strings.CutSuffix(rest, "}")
	if !ok || !closed {
		return a, fmt.Errorf("expected a dictionary in braces, found %.40q", text)
	}
	seen := map[string]bool{}
	var shape []int64
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		m := item.FindStringSubmatch(rest)
		switch {
		case m == nil && strings.Contains(rest, "["):
			return a, errors.New("expected numbers, found a matrix of records")
		case m == nil:
			return a, fmt.Errorf("expected a name with a string, True, False or a tuple of numbers, found %.40q", rest)
		}
		rest = rest[len(m[0]):]
		key, text := m[1], m[2]+m[3]
		if seen[key] {
			return a, fmt.Errorf("%q stands there twice", key)
		}
		seen[key] = true
		switch {
		case key == "descr":
			a.descr = text
		case key == "fortran_order" && m[4] != "":
			a.byColumn = m[4] == "True"
		case key == "shape":
			for _, field := range strings.FieldsFunc(m[5], func(r rune) bool { return r < '0' || r > '9' }) {
				n, err := strconv.ParseInt(field, 10, 64)
				if err != nil {
					return a, fmt.Errorf("expected a number, found %.20q", field)
				}
				shape = append(shape, n)
			}
		default:
			return a, fmt.Errorf("expected descr, fortran_order or shape, found %.40q", m[0])
		}
	}
	switch {
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

func parts(s *vectors.Set) ([]codec.Part, error) {
	d := rowio.DType(s, dtypes)
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
		w.Write(append(start, header+"\n"...))
		return rowio.WriteVectors(w, s, d)
	}
	return codec.WithWords(s, matrix), nil
}
