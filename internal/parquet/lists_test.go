package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed says what row i of a table of lists has: three numbers of 0, 1 … 255 in turn; nil in some rows.
func listed(i int) []int {
	if i%7 == 2 || i > 900 && i < 1200 {
		return nil
	}
	return []int{i % 256, (i + 1) % 256, i / 256 % 256}
}

// encoded returns a list as its type has it.
func encoded(of Number, list []int) (b []byte) {
	for _, x := range list {
		switch of {
		case Float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		case Float16: // 1024 + x
			b = binary.LittleEndian.AppendUint16(b, 0x6400|uint16(x))
		default:
			b = append(b, byte(x))
		}
	}
	return b
}

// group returns the lists and the texts of some rows.
func listsOf(of Number, first, end int) []Values {
	lists, texts := Values{Size: len(encoded(of, listed(0)))}, Values{}
	for i := first; i < end; i++ {
		list := listed(i)
		if list == nil {
			lists.Rows, texts.Rows = append(lists.Rows, -1), append(texts.Rows, -1)
			continue
		}
		lists.Rows = append(lists.Rows, int32(len(lists.Lists)/lists.Size))
		lists.Lists = append(lists.Lists, encoded(of, list)...)
		texts.Rows, texts.Texts = append(texts.Rows, int32(len(texts.Texts))), append(texts.Texts, textOfRow(i))
	}
	return []Values{lists, texts}
}

func textOfRow(i int) string { return strings.Repeat(fmt.Sprint(i), i%40) }

// Lists of all types, and texts without a dictionary, come back, also of a file that another writer has begun.
func TestLists(t *testing.T) {
	const rows, second = 70000, 66000 // several pages
	for of, want := range map[Number]func(x int) float32{
		Float32: func(x int) float32 { return float32(x) }, Float16: func(x int) float32 { return float32(1024 + x) },
		Int8: func(x int) float32 { return float32(int8(x)) }, Uint8: func(x int) float32 { return float32(x) },
	} {
		var whole, parts bytes.Buffer
		fields := []Field{{Name: "v", Lists: of}, {Name: "text", Distinct: true}}
		w, err := NewWriter(&whole, nil, fields)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Group(listsOf(of, 0, second)); err != nil {
			t.Fatal(err)
		}
		parts.Write(whole.Bytes())
		again, err := NewWriter(&parts, nil, fields)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := again.Continue(w.Size(), w.Groups()); err != nil || n != second || w.Size() != int64(parts.Len()) {
			t.Fatalf("going on behind %d rows of %d bytes: %v", n, w.Size(), err)
		}
		for _, w := range []*Writer{w, again} {
			if err := errors.Join(w.Group(listsOf(of, second, rows)), w.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(whole.Bytes(), parts.Bytes()) {
			t.Error("a writer that goes on writes other bytes")
		}
		f := open(t, whole.Bytes())
		texts, err := f.Column("text")
		if err != nil || f.Rows() != rows {
			t.Fatalf("%d rows, %v", f.Rows(), err)
		}
		text := texts.Read(0, rows)
		next := vectorsOf(t, f, of)
		for i := range rows {
			var wanted []float32
			for _, x := range listed(i) {
				wanted = append(wanted, want(x))
			}
			if got, err := next(); err != nil || !slices.Equal(got, wanted) {
				t.Fatalf("type %d, row %d: %v, %v, want %v", of, i, got, err, wanted)
			}
			if cell, err := text.Next(); err != nil || cell.Null != (wanted == nil) || !cell.Null && string(cell.Text) != textOfRow(i) {
				t.Fatalf("row %d: text %q, %v", i, cell.Text, err)
			}
		}
	}
}

// vectorsOf returns what reads column v row by row.
func vectorsOf(t *testing.T, f *File, of Number) func() ([]float32, error) {
	v, err := f.Vectors("v")
	if of == Float32 || of == Float16 {
		if err != nil {
			t.Fatal(err)
		}
		return v.Next
	}
	if err == nil || err.Error() != `column "v" has no fractions of 16, 32 or 64 bits, which vectors have` {
		t.Errorf("whole numbers as vectors: %v", err)
	}
	c, err := f.Column("v")
	if err != nil {
		t.Fatal(err)
	}
	rows := c.Read(0, f.Rows())
	return func() (all []float32, err error) {
		cell, err := rows.Next()
		at := 0
		for _, end := range cell.Ends {
			x, err := strconv.Atoi(string(cell.Text[at:end]))
			if err != nil {
				t.Fatal(err)
			}
			all, at = append(all, float32(x)), end
		}
		return all, err
	}
}

// What a writer goes on with is looked at.
func TestContinueDamaged(t *testing.T) {
	w, err := NewWriter(io.Discard, nil, []Field{{Name: "text"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Group([]Values{{Texts: []string{"a"}, Rows: []int32{0}}}); err != nil {
		t.Fatal(err)
	}
	good := w.Groups()[0]
	for what, of := range map[string]func() (int64, error){
		"other columns": func() (int64, error) {
			w, _ := NewWriter(io.Discard, nil, []Field{{Name: "a"}, {Name: "b"}})
			return w.Continue(1<<20, [][]byte{good})
		},
		"a shorter file": func() (int64, error) { return w.Continue(3, [][]byte{good}) },
		"half a group":   func() (int64, error) { return w.Continue(1<<20, [][]byte{good[:len(good)/2]}) },
		"more":           func() (int64, error) { return w.Continue(1<<20, [][]byte{append(slices.Clone(good), 0)}) },
	} {
		if _, err := of(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
