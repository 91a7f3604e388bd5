package subword

import (
	"slices"
	"testing"
)

// Of the n-grams of a word, those are left whose buckets are.
func TestPruned(t *testing.T) {
	whole := FastText{MinN: 2, MaxN: 3, Buckets: 40}
	all, ngrams := whole.Append(nil, "naïveté"), whole.Ngrams("naïveté")
	buckets := []uint32{all[7], 39, all[2], all[0]}
	p, err := Prune(whole, buckets)
	if err != nil {
		t.Fatal(err)
	}
	if p.Rows() != 4 || p.Whole() != whole || !slices.Equal(p.Buckets(), buckets) {
		t.Errorf("%d rows of %+v with %v", p.Rows(), p.Whole(), p.Buckets())
	}
	want, wantNgrams := []uint32{77}, []string(nil)
	for i, b := range all {
		if row := slices.Index(buckets, b); row >= 0 {
			want, wantNgrams = append(want, uint32(row)), append(wantNgrams, ngrams[i])
		}
	}
	if len(want) < 4 || len(want) == len(all)+1 {
		t.Fatalf("%d of %d n-grams are left, which tests too little", len(want)-1, len(all))
	}
	if got := p.Append([]uint32{77}, "naïveté"); !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if got := p.Ngrams("naïveté"); !slices.Equal(got, wantNgrams) {
		t.Errorf("n-grams %q, want %q", got, wantNgrams)
	}
	none, err := Prune(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := none.Append(nil, "naïveté"); len(got) != 0 || none.Rows() != 0 || none.Ngrams("naïveté") != nil {
		t.Errorf("without buckets: %v", got)
	}
	// Rows need no order of buckets, but one bucket has one row.
	for want, buckets := range map[string][]uint32{
		"subword: bucket 40 of 40":       {1, 40},
		"subword: bucket 3 has two rows": {3, 1, 3},
	} {
		if _, err := Prune(whole, buckets); err == nil || err.Error() != want {
			t.Errorf("%v: got %v, want %s", buckets, err, want)
		}
	}
}

// A table of pruned n-grams has the buckets that words have without the dropped ones.
func TestTableOfPruned(t *testing.T) {
	whole := FastText{MinN: 3, MaxN: 4, Buckets: 1000}
	words := []string{"train", "rain", "plain", "ran"}
	all := whole.Append(nil, "rain")
	pruned, err := Prune(whole, all[:3])
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable(words, pruned, TableOptions{Separate: true})
	for w, word := range words {
		want := []uint32{table.WordRow[w]}
		for _, row := range pruned.Append(nil, word) {
			want = append(want, uint32(table.BucketRow[row]))
		}
		slices.Sort(want)
		if got, _ := table.Of(uint32(w)); !slices.Equal(got, want) {
			t.Errorf("%q is made of rows %v, want %v", word, got, want)
		}
	}
}
