package embed

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Code is how the numbers of vectors are written.
type Code string

const (
	// F32 is numbers of 32 bits, as they are computed.
	F32 Code = "f32"
	// F16 is numbers of 16 bits, IEEE 754's binary16.
	F16 Code = "f16"
	// Int8 is numbers of 8 bits, of which the largest of each vector is 127 or -127. The vector is they times its scale. A .npy
	// file has no scales: cosines do not need them.
	Int8 Code = "int8"
	// UBinary is a bit for each number, 1 if the number is above 0, eight to a byte, the first one highest, as numpy.packbits
	// makes them. Sentence Transformers and FAISS compare such codes by their Hamming distance.
	UBinary Code = "ubinary"
)

// Codes returns every code.
func Codes() []Code { return []Code{F32, F16, Int8, UBinary} }

// size is how many bytes a vector of dim numbers has.
func (c Code) size(dim int) int {
	switch c {
	case F16:
		return 2 * dim
	case Int8:
		return dim
	case UBinary:
		return (dim + 7) / 8
	}
	return 4 * dim
}

// cols is how many numbers are written of a vector of dim numbers.
func (c Code) cols(dim int) int {
	if c == UBinary {
		return c.size(dim)
	}
	return dim
}

// append appends a vector, and returns its scale. Numbers are little-endian.
func (c Code) append(out []byte, v []float32) (_ []byte, scale float32) {
	at := len(out)
	out = slices.Grow(out, c.size(len(v)))[:at+c.size(len(v))]
	to := out[at:]
	switch c {
	case F32:
		for i, x := range v {
			binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(x))
		}
	case F16:
		for i, x := range v {
			binary.LittleEndian.PutUint16(to[2*i:], half.ToF16(x))
		}
	case Int8:
		var most float32
		for _, x := range v {
			most = max(most, x, -x)
		}
		if scale = most / 127; scale == 0 { // zeros, or numbers that are nearly so
			clear(to)
			return out, 0
		}
		for i, x := range v {
			to[i] = byte(int8(max(-127, min(127, math.RoundToEven(float64(x)/float64(scale))))))
		}
	case UBinary:
		clear(to)
		for i, x := range v {
			if x > 0 {
				to[i/8] |= 0x80 >> (i % 8)
			}
		}
	}
	return out, scale
}

// appendJSON appends a vector as JSON.
func (c Code) appendJSON(out []byte, v []float32) (_ []byte, scale float32) {
	switch c {
	case F16:
		v = slices.Clone(v)
		for i, x := range v {
			v[i] = half.FromF16(half.ToF16(x))
		}
		fallthrough
	case F32:
		return query.Vector(v).AppendJSON(out), 0
	}
	codes, scale := c.append(nil, v)
	for i, x := range codes {
		out = append(out, either(i == 0, byte('['), ','))
		if c == Int8 {
			out = strconv.AppendInt(out, int64(int8(x)), 10)
		} else {
			out = strconv.AppendUint(out, uint64(x), 10)
		}
	}
	return append(out, ']'), scale
}

func either[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

// A text is a text with what is written of it.
type text struct {
	row    *corpus.Row
	vector []float32
	some   bool // a token has a vector
}

// id returns the id of a text.
func (t *text) id() (string, bool) {
	if len(t.row.Labels) == 0 {
		return "", false
	}
	return t.row.Labels[0], true
}

// A form is the layout of a file. Workers append texts to blocks, and blocks are written in order.
type form interface {
	// head returns the first bytes of a file of so many rows: always as many.
	head(rows uint64) []byte
	// row appends a text to a block.
	row(b *block, t *text) error
}

// A block is the texts of a block of rows.
type block struct {
	data  []byte
	cells []cell   // of rows of a table, whose vectors are data
	sums  []uint32 // checksums of rows
	some  []bool   // rows with a vector
	left  corpus.TooLong
}

func (b *block) rows() int { return len(b.sums) }

// forms are the layouts by extension.
var forms = map[string]func(Options, int) form{
	".npy":     func(o Options, dim int) form { return npy{o.Code, dim} },
	".jsonl":   func(o Options, _ int) form { return jsonLines{o} },
	".parquet": func(o Options, _ int) form { return tabular{o} },
}

// Extensions returns the extensions of files that Write knows.
func Extensions() []string { return []string{".npy", ".jsonl", ".parquet"} }

func formOf(path string, o Options, dim int) (form, error) {
	made, ok := forms[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return nil, fmt.Errorf("%s: the extension says how vectors are written, and must be one of %s", path, strings.Join(Extensions(), ", "))
	}
	return made(o, dim), nil
}

// npy is a matrix of numpy.
type npy struct {
	as  Code
	dim int
}

func (n npy) head(rows uint64) []byte {
	const size = 128 // a multiple of 64, as numpy has it
	of := map[Code]string{F32: "<f4", F16: "<f2", Int8: "|i1", UBinary: "|u1"}[n.as]
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", of, rows, n.as.cols(n.dim))
	head := append(append([]byte("\x93NUMPY\x01\x00"), size-10, 0), text...)
	for len(head) < size-1 {
		head = append(head, ' ')
	}
	return append(head, '\n')
}

func (n npy) row(b *block, t *text) error {
	b.data, _ = n.as.append(b.data, t.vector)
	return nil
}

// jsonLines is an object on each line: of rows of JSON the row with more fields, otherwise one with id and text.
type jsonLines struct{ o Options }

func (jsonLines) head(uint64) []byte { return nil }

func (j jsonLines) row(b *block, t *text) error {
	vector, scale := []byte("null"), float32(0)
	if t.some {
		vector, scale = j.o.Code.appendJSON(nil, t.vector)
	}
	added := []corpus.Added{{Name: j.o.As, JSON: vector}}
	if j.o.Code == Int8 {
		added = append(added, corpus.Added{Name: "scale", JSON: strconv.AppendFloat(nil, float64(scale), 'g', -1, 32)})
	}
	var err error
	if t.row.IsJSON() && !j.o.NoText {
		b.data, err = t.row.Append(b.data, added)
		return err
	}
	out := append(b.data, '{')
	field := func(name string, value []byte) {
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(name)...), ':'), value...)
	}
	if j.o.hasID() {
		value := []byte("null")
		if id, ok := t.id(); ok {
			value = quoted(id)
		}
		field("id", value)
	}
	if !j.o.NoText {
		field("text", quoted(textOf(t.row)))
	}
	for _, a := range added {
		field(a.Name, a.JSON)
	}
	b.data = append(out, '}', '\n')
	return nil
}

// textOf returns the text of a row without the end of its line.
func textOf(row *corpus.Row) string { return strings.TrimSuffix(string(row.Text), "\r") }

// quoted returns a text as JSON. Bytes that are not UTF-8 become U+FFFD.
func quoted(text string) []byte {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string has no errors
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}
