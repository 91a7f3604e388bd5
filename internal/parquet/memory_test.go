package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A claim is a file with a column of texts that has one dictionary and one data page, and says what is not true.
type claim struct {
	name         string
	values, rows int64
	list         bool   // each row is a list, and the first has all values
	dictionary   []byte // one text
	entries      int64  // texts of the dictionary
	size         int64  // of the dictionary page; 0 is the true size
	continued    int    // values begin as the one before, which has so many bytes; 0 is indices of the dictionary
	want         string // error
	mostMB       uint64 // allocated in all
}

var claims = []claim{
	{name: "empty items", values: 200_000_000, rows: 1, list: true, entries: 1, want: "a list has more than 64 MB", mostMB: 200},
	{name: "long items", values: 200_000, rows: 1, list: true, dictionary: bytes.Repeat([]byte("a"), 1<<19), entries: 1, want: "a list has more than 64 MB", mostMB: 400},
	{name: "items that go on", values: 8192, rows: 1, list: true, entries: 1, continued: 1 << 18, want: "a list has more than 64 MB", mostMB: 400},
	{name: "more values than a page may have", values: 1 << 40, rows: 1, list: true, entries: 1, want: "the metadata is damaged", mostMB: 1},
	{name: "texts that a dictionary lacks", values: 1, rows: 1, entries: 1 << 30, want: "its values are damaged", mostMB: 1},
	{name: "a large page of nothing", values: 1, rows: 1, entries: 1, size: 1 << 29, want: "a page has 512 MB, of which ", mostMB: 1},
	{name: "a page that is larger than it says", values: 1, rows: 1, dictionary: make([]byte, 1<<26), entries: 1, size: 100, want: "a page is damaged", mostMB: 8},
	{name: "a long text", values: 8192, rows: 8192, dictionary: make([]byte, mostCell+1), entries: 1, want: "a page has 64 MB, of which ", mostMB: 80},
	{name: "a text in many rows", values: 8192, rows: 8192, dictionary: make([]byte, 1<<20), entries: 1, mostMB: 8},
}

func (c claim) file(t testing.TB) []byte {
	t.Helper()
	var f bytes.Buffer
	f.WriteString(Magic)
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer packer.Close()
	page := func(kind int64, sub int, head message, data []byte, size int64) {
		packed := packer.EncodeAll(data, nil)
		f.Write(message{numberField(1, isInt32, kind), numberField(2, isInt32, size), numberField(3, isInt32, int64(len(packed))), messageField(sub, head)}.appendTo(nil))
		f.Write(packed)
	}
	texts := append(binary.LittleEndian.AppendUint32(nil, uint32(len(c.dictionary))), c.dictionary...)
	size := c.size
	if size == 0 {
		size = int64(len(texts))
	}
	page(dictionaryPage, 7, message{numberField(1, isInt32, c.entries), numberField(2, isInt32, encodedPlain)}, texts, size)
	var body []byte
	if c.list {
		run := func(b []byte, n int64, level byte) []byte {
			return append(binary.AppendUvarint(b, uint64(n)<<1), level)
		}
		for _, runs := range [][]byte{run(run(nil, 1, 0), c.values-1, 1), run(nil, c.values, 1)} {
			body = append(binary.LittleEndian.AppendUint32(body, uint32(len(runs))), runs...)
		}
	}
	encoding := int64(encodedIndices)
	if c.continued > 0 {
		encoding = encodedContinued
		same := func(first, then int64) {
			body = binary.AppendUvarint(binary.AppendUvarint(body, 128), 4)
			body = binary.AppendVarint(binary.AppendUvarint(body, uint64(c.values)), first)
			for n, step := c.values-1, then-first; n > 0; n, step = n-128, 0 {
				body = append(binary.AppendVarint(body, 0), 64, 0, 0, 0)
				body = append(binary.LittleEndian.AppendUint64(body, uint64(step)), make([]byte, 31*8)...)
			}
		}
		same(0, int64(c.continued))
		same(int64(c.continued), 0)
		body = append(body, make([]byte, c.continued)...)
	} else {
		body = append(binary.AppendUvarint(append(body, 1), uint64(c.values)<<1), 0)
	}
	page(dataPage, 5, message{numberField(1, isInt64, c.values), numberField(2, isInt32, encoding), numberField(3, isInt32, encodedRuns), numberField(4, isInt32, encodedRuns)}, body, int64(len(body)))
	repeats := int64(required)
	if c.list {
		repeats = repeated
	}
	root := message{textField(4, "root"), numberField(5, isInt32, 1)}.appendTo(nil)
	leaf := message{numberField(1, isInt32, byteArray), numberField(3, isInt32, repeats), textField(4, "t")}.appendTo(nil)
	meta := message{numberField(1, isInt32, byteArray), numberField(4, isInt32, zstandard), numberField(6, isInt64, 1<<60), numberField(7, isInt64, int64(f.Len()-4)), numberField(9, isInt64, 4)}
	chunk := message{numberField(2, isInt64, 4), messageField(3, meta)}.appendTo(nil)
	group := message{listField(1, isStruct, [][]byte{chunk}), numberField(2, isInt64, 1), numberField(3, isInt64, c.rows)}.appendTo(nil)
	foot := message{numberField(1, isInt32, 1), listField(2, isStruct, [][]byte{root, leaf}), numberField(3, isInt64, c.rows), listField(4, isStruct, [][]byte{group})}.appendTo(nil)
	f.Write(foot)
	f.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(foot))), Magic...))
	return f.Bytes()
}

// Whatever a file claims, it takes the memory of some texts, and not of what it claims.
func TestMemoryOfClaims(t *testing.T) {
	for _, c := range claims {
		t.Run(c.name, func(t *testing.T) {
			data := c.file(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			column, err := open(t, data).Column("t")
			if err != nil {
				t.Fatal(err)
			}
			r := column.Read(0, c.rows)
			for err == nil {
				_, err = r.Next()
			}
			if runtime.ReadMemStats(&after); (after.TotalAlloc-before.TotalAlloc)>>20 > c.mostMB {
				t.Errorf("a file of %d bytes takes %d MB", len(data), (after.TotalAlloc-before.TotalAlloc)>>20)
			}
			if c.want == "" && !errors.Is(err, io.EOF) || c.want != "" && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Metadata of very many small structs, which take many times their length in memory, is refused; and so is a struct of many
// fields. Wide tables and many row groups are read.
func TestMetadataOfSmallStructs(t *testing.T) {
	element := message{{id: 4, kind: isTrue}}.appendTo(nil) // two bytes
	fields := make(message, 65)
	for i := range fields {
		fields[i] = field{id: i + 1, kind: isTrue}
	}
	column := message{numberField(1, isInt32, byteArray), numberField(3, isInt32, optional), textField(4, "c")}.appendTo(nil)
	root := func(columns int) []byte {
		return message{textField(4, ""), numberField(5, isInt32, int64(columns))}.appendTo(nil)
	}
	group := message{listField(1, isStruct, nil), numberField(2, isInt64, 0), numberField(3, isInt64, 0)}.appendTo(nil)
	for name, test := range map[string]struct {
		list  int
		first []byte
		of    []byte
		n     int
		want  string
	}{
		"elements":        {2, element, element, 1 << 21, "much more memory than its length allows"},
		"groups":          {4, element, message{{id: 1, kind: isTrue}}.appendTo(nil), 1 << 21, "much more memory than its length allows"},
		"fields":          {2, element, fields.appendTo(nil), 1, "the metadata is damaged"},
		"a wide table":    {2, root(100_000), column, 100_000, ""},
		"many row groups": {4, group, group, 100_000, ""},
	} {
		var list []byte
		list = append(binary.AppendUvarint(append(list, 15<<4|isStruct), uint64(test.n+1)), test.first...)
		list = append(list, bytes.Repeat(test.of, test.n)...)
		foot := message{numberField(1, isInt32, 1)}
		if test.list == 4 {
			foot = append(foot, listField(2, isStruct, [][]byte{root(0)}))
		}
		foot = append(foot, field{test.list, isList, list})
		data := foot.appendTo([]byte(Magic))
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(data)-4)), Magic...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Open(bytes.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		if most := uint64(64<<20 + 20*len(data)); after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("%s: %d bytes take %d MB", name, len(data), (after.TotalAlloc-before.TotalAlloc)>>20)
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// Metadata of nothing but empty structs is refused at the first.
func TestEmptyMetadata(t *testing.T) {
	for _, list := range []int{2, 4} {
		foot := message{numberField(1, isInt32, 1), listField(list, isStruct, make([][]byte, 0))}
		foot[1].value = append(binary.AppendUvarint([]byte{15<<4 | isStruct}, 1<<16), make([]byte, 1<<16)...)
		data := foot.appendTo([]byte(Magic))
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(data)-4)), Magic...)
		if _, err := Open(bytes.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), "the metadata is damaged") {
			t.Errorf("list %d: %v", list, err)
		}
	}
}
