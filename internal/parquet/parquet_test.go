package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const golden = "../../testdata/parquet"

func open(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// cells returns rows of a column: a list's items between bars, and what is null as "-".
func cells(f *File, column string, first, end int64) (all []string, err error) {
	c, err := f.Column(column)
	if err != nil {
		return nil, err
	}
	for r := c.Read(first, end); ; {
		cell, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, shown(c, cell))
	}
}

func shown(c *Column, cell Cell) string {
	switch {
	case cell.Null:
		return "-"
	case !c.List:
		return string(cell.Text)
	}
	text, at := "", 0
	for _, end := range cell.Ends {
		text, at = text+"|"+string(cell.Text[at:end]), end
	}
	return text + "|"
}

// want says what all files in testdata/parquet have in a row.
var want = map[string]func(i int) string{
	"id":   func(i int) string { return fmt.Sprint(i) },
	"good": func(i int) string { return fmt.Sprint(i%2 == 0) },
	"body": func(i int) string {
		if i%7 == 3 {
			return "-"
		}
		return fmt.Sprintf("the river %d runs past mill %d", i, i%5)
	},
	"tokens": func(i int) string {
		switch i % 5 {
		case 4:
			return "-"
		case 0:
			return "|"
		}
		return fmt.Sprintf("|a%d|b%d|sea|", i, i%4)
	},
	"meta.kind":      func(i int) string { return fmt.Sprintf("k%d", i%3) },
	"meta.deep.text": func(i int) string { return fmt.Sprintf("deep %d", i) },
	"items":          func(i int) string { return fmt.Sprintf("|%d|%d|", i, 2*i) },
	"long":           func(i int) string { return fmt.Sprintf("the river %d", i/10) },
}

// Files of other programs: versions of pages, encodings and codecs.
func TestFilesOfOthers(t *testing.T) {
	basic := []string{"id", "body", "tokens", "good"}
	nested := append(slices.Clone(basic), "meta.kind", "meta.deep.text", "items")
	for _, test := range []struct {
		name    string
		columns []string
	}{
		{"duckdb-v1", nested}, {"duckdb-v2", nested}, {"duckdb-gzip", nested}, {"duckdb-lz4", nested},
		{"arrow-rs", basic}, {"parquet-go-v1", append(slices.Clone(nested), "long")}, {"parquet-go-v2", append(slices.Clone(nested), "long")},
	} {
		f := open(t, read(t, test.name+".parquet"))
		if f.Rows() != 300 {
			t.Errorf("%s: %d rows", test.name, f.Rows())
		}
		for _, column := range test.columns {
			for _, part := range [][2]int64{{0, 300}, {1, 2}, {7, 120}, {127, 129}, {149, 300}, {299, 300}, {300, 300}} {
				got, err := cells(f, column, part[0], part[1])
				var all []string
				for i := part[0]; i < part[1]; i++ {
					all = append(all, want[column](int(i)))
				}
				if err != nil || !slices.Equal(got, all) {
					t.Errorf("%s: column %s, rows %v: %.300s, %v", test.name, column, part, strings.Join(got, " "), err)
				}
			}
		}
	}
}

func TestColumnsThatAreRefused(t *testing.T) {
	f := open(t, read(t, "duckdb-v1.parquet"))
	for column, want := range map[string]string{
		"text":  `no column is called "text": the table has id, body, tokens, meta.kind, meta.deep.text, good, items, price`,
		"meta":  `column "meta" is a struct, and one of its fields is needed: meta.kind, meta.deep.text`,
		"price": `column "price" has fractions, and no texts`,
		"9":     `no column is called "9": the table has id, body, tokens, meta.kind, meta.deep.text, good, items, price`,
	} {
		if _, err := f.Column(column); err == nil || err.Error() != want {
			t.Errorf("column %s: %v", column, err)
		}
	}
	if c, err := f.Column("2"); err != nil || c.Name != "body" {
		t.Errorf("column 2: %v, %v", c, err)
	}
}

// A copy has all columns and those that are added; and so has a copy of the copy.
func TestCopies(t *testing.T) {
	for _, name := range []string{"duckdb-v1", "duckdb-v2", "arrow-rs", "parquet-go-v2"} {
		from := open(t, read(t, name+".parquet"))
		for _, suffix := range []string{"", "_2"} {
			var out bytes.Buffer
			w, err := NewWriter(&out, from, []Field{{Name: "label" + suffix}, {Name: "p" + suffix, Numbers: true}})
			if err != nil {
				t.Fatal(err)
			}
			for g := range from.Groups() {
				first, end := from.Group(g)
				labels, numbers := Values{Texts: []string{"unused", "cat", "dog", "a \"bird\""}}, Values{}
				for i := first; i < end; i++ {
					row, p := int32(i%4), float32(i)/4
					if i%4 == 0 {
						row, p = -1, float32(math.NaN())
					}
					labels.Rows, numbers.Numbers = append(labels.Rows, row), append(numbers.Numbers, p)
				}
				if err := w.Group([]Values{labels, numbers}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			from = open(t, out.Bytes())
		}
		for column, of := range map[string]func(i int) string{"body": want["body"], "tokens": want["tokens"], "label": labelOf, "label_2": labelOf} {
			got, err := cells(from, column, 0, from.Rows())
			for i := range got {
				if got[i] != of(i) {
					t.Fatalf("%s: row %d of %s is %q", name, i, column, got[i])
				}
			}
			if err != nil || len(got) != 300 {
				t.Errorf("%s: %d rows, %v", name, len(got), err)
			}
		}
		for i, x := range numbersIn(t, from, "p_2") {
			if want := float32(i) / 4; i%4 == 0 && x == x || i%4 != 0 && x != want {
				t.Fatalf("%s: row %d has the number %v", name, i, x)
			}
		}
		if _, err := NewWriter(io.Discard, from, []Field{{Name: "body"}}); err == nil || err.Error() != `the table has a column "body" already` {
			t.Errorf("a column twice: %v", err)
		}
	}
}

// numbersIn returns the numbers of a column that a Writer has added; NaN for nulls.
func numbersIn(t *testing.T, f *File, column string) (all []float32) {
	t.Helper()
	leaf := f.root.find(column)
	for g, of := range f.groups {
		c, err := f.chunk(g, leaf.column)
		if err != nil {
			t.Fatal(err)
		}
		head, err := f.head(c.first, c.end)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.data(head, nil)
		if err != nil {
			t.Fatal(err)
		}
		levels := 4 + binary.LittleEndian.Uint32(data)
		h := hybrid{data: data[4:levels], width: 1}
		data = data[levels:]
		for range of.rows {
			x := float32(math.NaN())
			if level, err := h.next(); err != nil {
				t.Fatal(err)
			} else if level == 1 {
				x, data = math.Float32frombits(binary.LittleEndian.Uint32(data)), data[4:]
			}
			all = append(all, x)
		}
	}
	if len(all) != int(f.rows) {
		t.Errorf("%d numbers", len(all))
	}
	return all
}

func labelOf(i int) string { return []string{"-", "cat", "dog", "a \"bird\""}[i%4] }

func TestDamage(t *testing.T) {
	whole := read(t, "duckdb-v1.parquet")
	for _, test := range []struct{ name, want string }{
		{"", "is damaged or not complete: it is too short"},
		{"PAR1", "is damaged or not complete: it is too short"},
		{string(whole[:len(whole)-1]), "its metadata is missing at the end"},
		{string(whole[:len(whole)/2]), "its metadata is missing at the end"},
		{string(whole[:len(whole)-8]) + "\xff\xff\xff\x00PAR1", "its metadata has an impossible length"},
		{string(whole[:len(whole)-4]) + "PARE", "is encrypted"},
		{string(whole[:len(whole)-600]) + strings.Repeat("\xff", 592) + string(whole[len(whole)-8:]), "the Parquet table is damaged"},
	} {
		_, err := Open(strings.NewReader(test.name), int64(len(test.name)))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d bytes: %v, want %s", len(test.name), err, test.want)
		}
	}
}

// Whatever byte is changed, there is an error or a value, and no panic.
func TestChangedBytes(t *testing.T) {
	for _, name := range []string{"duckdb-v1", "duckdb-v2", "parquet-go-v2", "arrow-rs"} {
		whole := read(t, name+".parquet")
		for i := 0; i < len(whole); i += 7 {
			changed := slices.Clone(whole)
			changed[i] ^= byte(1 + i*37%255)
			readAll(changed)
		}
	}
}

// readAll reads all columns of a file that may be damaged.
func readAll(data []byte) {
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil || f.Rows() > 1<<10 {
		return
	}
	for _, column := range f.root.names("") {
		if c, err := f.Column(column); err == nil {
			r := c.Read(f.Rows()/3, f.Rows())
			for size := 0; err == nil && size < mostCell; {
				var cell Cell
				cell, err = r.Next()
				size += len(cell.Text) + itemSize*(len(cell.Ends)+cell.Nulls)
			}
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, name := range []string{"duckdb-v1", "duckdb-v2", "parquet-go-v2", "arrow-rs"} {
		f.Add(read(f, name+".parquet"))
	}
	for _, c := range claims {
		if len(c.dictionary) < 1<<20 {
			f.Add(c.file(f))
		}
	}
	f.Fuzz(func(_ *testing.T, data []byte) { readAll(data) })
}

// Numbers of all widths come back from runs and packed bits.
func TestHybrid(t *testing.T) {
	for width := 1; width <= 32; width++ {
		var numbers []uint32
		for i := range 50 {
			numbers = append(numbers, uint32(uint64(i)*0x9e3779b97f4a7c15>>32)&uint32(1<<width-1))
		}
		h := hybrid{data: appendHybrid(nil, numbers, width), width: width}
		for i, x := range numbers {
			if got, err := h.next(); err != nil || got != x {
				t.Fatalf("width %d: number %d is %d, %v, want %d", width, i, got, err, x)
			}
		}
	}
}

// Differences of up to 64 bits, of any sign, as their packed form says.
func TestDeltas(t *testing.T) {
	numbers := []int64{7, math.MaxInt64, math.MinInt64, -1, 0, 3, 3, 3, 3}
	b := binary.AppendUvarint(nil, 128)                            // numbers of a block
	b = binary.AppendUvarint(b, 4)                                 // its parts
	b = binary.AppendUvarint(b, uint64(len(numbers)))              // all numbers
	b = binary.AppendVarint(b, numbers[0])                         // the first
	b = append(binary.AppendVarint(b, math.MinInt64), 64, 0, 0, 0) // the least difference, and widths
	for i := range 32 {
		x := uint64(0)
		if i+1 < len(numbers) {
			x = uint64(numbers[i+1]-numbers[i]) - 1<<63
		}
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	d, err := newDeltas(append(b, "rest"...), 9)
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := d.rest(); err != nil || string(rest) != "rest" {
		t.Errorf("what follows is %q, %v", rest, err)
	}
	for i, x := range numbers {
		if got, err := d.next(); err != nil || got != x {
			t.Errorf("number %d is %d, %v, want %d", i, got, err, x)
		}
	}
	if _, err := d.next(); err == nil {
		t.Error("a number behind the last")
	}
}

func TestLZ4(t *testing.T) {
	for _, test := range []struct {
		data string
		size int
		want string
	}{
		{"\x50hello", 5, "hello"},
		{"\x14a\x01\x00\x30xyz", 12, "aaaaaaaaaxyz"}, // a match that goes on into what it makes
		{"\x14a\x02\x00", 12, ""},                    // behind the beginning
		{"\x50hello", 4, ""},
		{"\xf0", 4, ""},
	} {
		got, err := unpackLZ4([]byte(test.data), make([]byte, 0, test.size))
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q: %q, %v", test.data, got, err)
		}
	}
}
