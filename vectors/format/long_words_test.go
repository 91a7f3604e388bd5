package format

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Words of vectors.MaxWord bytes are read as they were written, wherever they stand, and what is
// longer is written in no format.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("a", vectors.MaxWord)
	accents, controls := strings.Repeat("é", vectors.MaxWord/2), strings.Repeat("\x01", vectors.MaxWord)
	for _, f := range All() {
		for _, dim := range []int{1, 3, 300} {
			for first, words := range [][]string{{long, "b", accents, controls}, {"b", accents, controls, long}} {
				s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), dim), Counts: []uint64{4, 3, 2, 1}})
				for i := range words {
					for k := range dim {
						s.Input().Row(i)[k] = 0.5 + float32(i) + float32(k)/8
					}
				}
				if f == Floret { // holds no words
					s = alter(s, func(p *vectors.Parts) {
						p.Subword, p.Composition, p.Input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, vectors.NewMatrix(9, dim)
					})
				}
				path := filepath.Join(t.TempDir(), "model")
				if err := Write(t.Context(), path, s, f); err != nil {
					t.Errorf("%s: %v", f, err)
					continue
				}
				read, err := Open(path)
				if err != nil {
					t.Errorf("%s, dimension %d, %d: %v", f, dim, first, err)
					continue
				}
				if got := read.Words().Strings(); read.Check() != nil || f != Floret && !slices.Equal(got, words) {
					t.Errorf("%s, dimension %d: %d words, %v", f, dim, len(got), read.Check())
				}
				if err := read.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("a", long+"a"), Input: vectors.NewMatrix(2, 3)})
		if f == Floret {
			s = alter(s, func(p *vectors.Parts) {
				p.Subword, p.Composition, p.Input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, vectors.NewMatrix(9, 3)
			})
		}
		want := fmt.Sprintf(`word 1, %q, has %d bytes, at most %d are possible`, long[:40], vectors.MaxWord+1, vectors.MaxWord)
		if err := Write(t.Context(), filepath.Join(t.TempDir(), "model"), s, f); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
		if err := CheckWords(s.Words().Strings(), f); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
	}
}
