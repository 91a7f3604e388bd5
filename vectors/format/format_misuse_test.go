package format

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// What a caller gets wrong is an error that says so.
func TestFormatsMisuse(t *testing.T) {
	var nobody context.Context
	const nil1, nil2 = "format: there is no set: it is nil, as what Open and Train return together with an error", "format: there is no context to work in: it is nil"
	path := filepath.Join(t.TempDir(), "model")
	plain := func() *vectors.Set {
		return vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4)})
	}
	unknown := func(f Format) string { _, err := codecOf(f); return err.Error() }
	_, extension := ForPath("", true)
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"reading nothing", func() error { _, err := Read(nil); return err }, "format: there is no reader of the set: it is nil"},
		{"reading a nil buffer", func() error { _, err := Read((*bytes.Buffer)(nil)); return err }, "format: there is no reader of the set: it is nil"},
		{"reading no bytes", func() error { _, err := Read(strings.NewReader("")); return err }, "byte 0: expected a model, but the file is empty: unexpected EOF"},
		{"writing nothing", func() error { return Write(t.Context(), path, nil, W2V) }, path + ": " + nil1},
		{"writing without a context", func() error { return Write(nobody, path, plain(), W2V) }, path + ": " + nil2},
		{"writing in no format", func() error { return Write(t.Context(), path, plain(), "") }, unknown("")},
		{"writing a set of nothing", func() error { return Write(t.Context(), path, vectors.NewUnchecked(vectors.Parts{}), W2V) }, path + ": not a valid set: 0 dimensions, must be at least 1"},
		{"encoding nothing", func() error { return Encode(&bytes.Buffer{}, nil, W2V) }, "not a valid set: " + nil1},
		{"encoding to nothing", func() error { return Encode(nil, plain(), W2V) }, "format: there is no writer for the set: it is nil"},
		{"encoding to a nil buffer", func() error { return Encode((*bytes.Buffer)(nil), plain(), W2V) }, "format: there is no writer for the set: it is nil"},
		{"the size of nothing", func() error { _, err := EncodedSize(nil, W2V); return err }, "not a valid set: " + nil1},
		{"a place for no format", func() error { return CheckTarget(path, "") }, unknown("")},
		{"words in no format", func() error { return CheckWords(nil, "zip") }, unknown("zip")},
		{"n-grams in no format", func() error { return CheckSubword(nil, "", "zip") }, unknown("zip")},
		{"no file", func() error { _, err := Open(""); return err }, "format: there is no path to open: it is empty"},
		{"no format", func() error { _, err := Describe(""); return err }, unknown("")},
		{"no extension", func() error { _, err := ForPath("", false); return err }, extension.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}
