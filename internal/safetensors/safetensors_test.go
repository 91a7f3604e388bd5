package safetensors

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What is written is parsed again, and the aligned tensor begins where it should.
func TestWriteAndParse(t *testing.T) {
	metadata := map[string]string{"format": "test", "note": `"quoted"`}
	sections := []Section{
		List("counts", "U64", []uint64{1, 2, 3}),
		Array("rows", "F32", []uint64{2, 3}, []float32{1, 2, 3, 4, 5, 6}),
		List("none", "F32", []float32(nil)),
		Written("text", "U8", []uint64{5}, func(w *bufio.Writer) error { _, err := w.WriteString("words"); return err }),
	}
	for _, align := range []int64{1, 8, 64} {
		var file bytes.Buffer
		w := bufio.NewWriter(&file)
		if err := Write(w, sections, metadata, "rows", align); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if !Sniff(file.Bytes()) {
			t.Error("not known by its beginning")
		}
		n := int(binary.LittleEndian.Uint64(file.Bytes()))
		header, data := file.Bytes()[LengthSize:LengthSize+n], file.Bytes()[LengthSize+n:]
		tensors, found, err := Parse(header)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(found, metadata) {
			t.Errorf("metadata %q", found)
		}
		h := Header{Tensors: tensors, Metadata: found}
		if err := h.CheckSize(int64(len(data))); err != nil || int64(len(data)) != Size(sections) {
			t.Errorf("%d bytes of data: %v", len(data), err)
		}
		for _, change := range []int64{-1, 1} {
			if h.CheckSize(int64(len(data))+change) == nil {
				t.Errorf("%d bytes more are right, too", change)
			}
		}
		at := slices.IndexFunc(tensors, func(t Tensor) bool { return t.Name == "rows" })
		if rows, cols, err := tensors[at].Matrix(); rows != 2 || cols != 3 || err != nil {
			t.Errorf("%d×%d, %v", rows, cols, err)
		}
		if begin := int64(LengthSize+n) + tensors[at].Begin; begin%align != 0 {
			t.Errorf("the rows begin at byte %d, want a multiple of %d", begin, align)
		}
		if !h.Has("none") || h.Has("nothing") || h.Names() != `"counts", "none", "rows", "text"` && !strings.Contains(h.Names(), "text") {
			t.Errorf("tensors %s", h.Names())
		}
	}
}

// What does not fit together is an error that says what.
func TestParseErrors(t *testing.T) {
	for header, want := range map[string]string{
		``:       "expected a JSON object",
		`[]`:     "expected a JSON object",
		`{"a":1`: "header: tensor \"a\"",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}`:                       "expected two data_offsets, found 1",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`:                     "are not a range",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`:                     "takes 8 bytes, data_offsets give it 4",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`:                     "begins at byte 4 of the data, expected 0",
		`{"a":{"dtype":"X","shape":[1],"data_offsets":[0,4]}} x`:                     "expected spaces after the JSON object",
		`{"__metadata__":{"a":1}}`:                                                   "header: metadata",
		`{"__metadata__":{},"__metadata__":{}}`:                                      "stands there twice",
		`{"a":{"dtype":"U8","shape":[18446744073709551615,9],"data_offsets":[0,4]}}`: "is too large",
	} {
		if _, _, err := Parse([]byte(header)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", header, err, want)
		}
	}
}
