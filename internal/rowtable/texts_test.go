package rowtable

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// A word that no text uses has a row, which all such words share, and its n-grams have only the rows of those that texts
// use. All of them count.
func TestWordsThatNoTextUses(t *testing.T) {
	words := []string{"cat", "cats", "dog", "owl"}
	grams := subword.FastText{MinN: 3, MaxN: 3, Buckets: 1 << 20}
	use := Texts{Words: make([]Mark, len(words))}
	use.Words[0].Add(SignatureOf(0))
	table := NewTexts(words, grams, use, nil)
	restored, err := RestoreTexts(words, grams, table.WordRow, table.BucketRow)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []*Table{table, restored} {
		cat, untrained := table.WordRow[0], table.WordRow[2]
		for w, want := range []struct {
			rows    []uint32
			weights []float32
			pieces  int
		}{
			{[]uint32{cat}, []float32{4}, 4},               // cat <ca cat at>
			{[]uint32{cat, untrained}, []float32{2, 1}, 5}, // cats <ca cat ats ts>
			{[]uint32{untrained}, []float32{1}, 4},
			{[]uint32{untrained}, []float32{1}, 4},
		} {
			rows, weights := table.Of(uint32(w))
			if !slices.Equal(rows, want.rows) || !slices.Equal(weights, want.weights) || table.Pieces(uint32(w)) != want.pieces {
				t.Errorf("%s has rows %v, %v times, of %d, want %v, %v of %d", words[w], rows, weights, table.Pieces(uint32(w)), want.rows, want.weights, want.pieces)
			}
		}
	}
	if got := table.Untrained(); got != int(table.WordRow[3]) || restored.Untrained() != -1 {
		t.Errorf("untrained words have row %d, restored %d", got, restored.Untrained())
	}
}
