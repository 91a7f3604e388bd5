package transform

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// openGolden opens a file that a real program made; see testdata/README.md.
func openGolden(t testing.TB, name string) *vectors.Set {
	t.Helper()
	s, err := format.Open(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// encoded returns what a file of the set is.
func encoded(t testing.TB, s *vectors.Set, f format.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := format.Encode(&b, s, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
