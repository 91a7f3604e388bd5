package finalfusion

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Rows that are numbered in another order than they occur in would be read wrongly
// by finalfusion-rust.
func TestOrderOfNgrams(t *testing.T) {
	for _, tt := range []struct{ rows, want []uint32 }{
		{[]uint32{0, 1, 0, 2, 1}, []uint32{0, 1, 0, 2, 1}},
		{[]uint32{2, 0, 1, 0, 2}, []uint32{0, 0, 1, 2, 2}},
		{nil, nil},
	} {
		sub, err := subword.NewExplicit(1, 2, []string{"a", "b", "c", "d", "e"}[:len(tt.rows)], tt.rows)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint32
		for _, n := range ngramsOf(sub) {
			got = append(got, n.row)
			texts, rows := sub.List()
			if rows[slices.Index(texts, n.text)] != n.row {
				t.Errorf("%q has row %d", n.text, n.row)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("rows %d become %d, want %d", tt.rows, got, tt.want)
		}
	}
}
