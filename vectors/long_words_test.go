package vectors

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Words of MaxWord bytes are read as they were written, wherever they stand, and what is
// longer is written in no format.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("a", MaxWord)
	accents, controls := strings.Repeat("é", MaxWord/2), strings.Repeat("\x01", MaxWord)
	for _, f := range Formats() {
		for _, dim := range []int{1, 3, 300} {
			for first, words := range [][]string{{long, "b", accents, controls}, {"b", accents, controls, long}} {
				s := newSet(Parts{Words: NewWords(words...), Input: NewMatrix(len(words), dim), Counts: []uint64{4, 3, 2, 1}})
				for i := range words {
					for k := range dim {
						s.input.Row(i)[k] = 0.5 + float32(i) + float32(k)/8
					}
				}
				if f == FormatFloret { // holds no words
					s.subword, s.composition, s.input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, NewMatrix(9, dim)
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
				if got := read.words.Strings(); read.Check() != nil || f != FormatFloret && !slices.Equal(got, words) {
					t.Errorf("%s, dimension %d: %d words, %v", f, dim, len(got), read.Check())
				}
				if err := read.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		s := newSet(Parts{Words: NewWords("a", long+"a"), Input: NewMatrix(2, 3)})
		if f == FormatFloret {
			s.subword, s.composition, s.input = subword.Floret{MinN: 2, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "<", EOW: ">"}, subword.Pieces, NewMatrix(9, 3)
		}
		want := fmt.Sprintf(`word 1, %q, has %d bytes, at most %d are possible`, long[:40], MaxWord+1, MaxWord)
		if err := Write(t.Context(), filepath.Join(t.TempDir(), "model"), s, f); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
		if err := CheckWords(s.words.Strings(), f); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", f, err, want)
		}
	}
}
