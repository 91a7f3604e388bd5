package vectors

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// What a caller gets wrong is an error that says so.
func TestFormatsMisuse(t *testing.T) {
	var nobody context.Context
	const nil1, nil2 = "vectors: there is no set: it is nil, as what Open and Train return together with an error", "vectors: there is no context to work in: it is nil"
	path := filepath.Join(t.TempDir(), "model")
	plain := func() *Set { return newSet(Parts{Words: NewWords("a", "b", "c"), Input: NewMatrix(3, 4)}) }
	unknown := func(f Format) string { _, err := codecOf(f); return err.Error() }
	_, extension := FormatOf("", true)
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"reading nothing", func() error { _, err := Read(nil); return err }, "vectors: there is no reader of the set: it is nil"},
		{"reading a nil buffer", func() error { _, err := Read((*bytes.Buffer)(nil)); return err }, "vectors: there is no reader of the set: it is nil"},
		{"reading no bytes", func() error { _, err := Read(strings.NewReader("")); return err }, "byte 0: expected a model, but the file is empty: unexpected EOF"},
		{"writing nothing", func() error { return Write(t.Context(), path, nil, FormatW2V) }, path + ": " + nil1},
		{"writing without a context", func() error { return Write(nobody, path, plain(), FormatW2V) }, path + ": " + nil2},
		{"writing in no format", func() error { return Write(t.Context(), path, plain(), "") }, unknown("")},
		{"writing a set of nothing", func() error { return Write(t.Context(), path, newSet(Parts{}), FormatW2V) }, path + ": not a valid set: 0 dimensions, must be at least 1"},
		{"encoding nothing", func() error { return Encode(&bytes.Buffer{}, nil, FormatW2V) }, "not a valid set: " + nil1},
		{"encoding to nothing", func() error { return Encode(nil, plain(), FormatW2V) }, "vectors: there is no writer for the set: it is nil"},
		{"encoding to a nil buffer", func() error { return Encode((*bytes.Buffer)(nil), plain(), FormatW2V) }, "vectors: there is no writer for the set: it is nil"},
		{"the size of nothing", func() error { _, err := EncodedSize(nil, FormatW2V); return err }, "not a valid set: " + nil1},
		{"a place for no format", func() error { return CheckTarget(path, "") }, unknown("")},
		{"words in no format", func() error { return CheckWords(nil, "zip") }, unknown("zip")},
		{"n-grams in no format", func() error { return CheckSubword(nil, "", "zip") }, unknown("zip")},
		{"no file", func() error { _, err := Open(""); return err }, "vectors: there is no path to open: it is empty"},
		{"no format", func() error { _, err := Describe(""); return err }, unknown("")},
		{"no extension", func() error { _, err := FormatOf("", false); return err }, extension.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}
