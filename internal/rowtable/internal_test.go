package rowtable

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Members whose signatures are equal by accident, which a mark brings about here, get rows of their own.
func TestEqualSignaturesOfOtherUsers(t *testing.T) {
	words, indexer := []string{"one", "two"}, subword.FastText{MinN: 2, MaxN: 3, Buckets: 10}
	marks := make([]Mark, len(words)+indexer.Rows())
	marks[0] = Mark{mix(2) - mix(0), mix(3) - mix(1)}
	got := New(words, indexer, Options{Marks: marks})
	want := New(words, indexer, Options{Marks: marks, Separate: true})
	if !slices.Equal(got.WordRow, want.WordRow) || !slices.Equal(got.BucketRow, want.BucketRow) {
		t.Errorf("rows of words are %d, of buckets %d, want %d and %d", got.WordRow, got.BucketRow, want.WordRow, want.BucketRow)
	}
	for w := range words {
		rows, _ := got.Of(uint32(w))
		if others, _ := want.Of(uint32(w)); !slices.Equal(rows, others) {
			t.Errorf("%q has the rows %d, want %d", words[w], rows, others)
		}
	}
}
