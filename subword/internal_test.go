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

// An indexer of a kind is made again of its settings alone.
func TestKinds(t *testing.T) {
	none := func(string) bool { return false }
	for _, k := range Kinds() {
		usual, err := k.Complete(k.Usual, none)
		if err != nil {
			t.Fatalf("%s: what is usual: %v", k.Name, err)
		}
		if of, ok := KindOf(usual); !ok || of.Name != k.Name {
			t.Errorf("%s: its indexer is of kind %q", k.Name, of.Name)
		}
		other := usual
		for i, s := range k.Settings {
			other, err = s.With(other, func(field any) error {
				switch field := field.(type) {
				case *int:
					*field = 3 + min(i, 1)
				case *bool:
					*field = !*field
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := Validate(other); err != nil {
			t.Fatalf("%s: %v", k.Name, err)
		}
		again := usual
		for _, s := range k.Settings {
			if again, err = s.With(again, func(field any) error {
				switch field := field.(type) {
				case *int:
					*field = s.Field(other).(int)
				case *bool:
					*field = s.Field(other).(bool)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if again != other {
			t.Errorf("%s: %+v of the settings of %+v", k.Name, again, other)
		}
	}
	if k, ok := KindOf(Finalfusion{}); ok {
		t.Errorf("finalfusion's n-grams are trained as %s", k.Name)
	}
	if k, ok := KindOf(nil); ok {
		t.Errorf("plain words are trained as %s", k.Name)
	}
	if k, ok := KindOf(&Hash{}); !ok || k.Name != "hash" {
		t.Errorf("a pointer to a Hash is of kind %q", k.Name)
	}
}

// What follows from other settings follows only where nothing else was said.
func TestKindComplete(t *testing.T) {
	all := func(string) bool { return true }
	none := func(string) bool { return false }
	hash, _ := KindOf(Hash{})
	got, err := hash.Complete(Hash{MinN: 3, Buckets: 7, Hashes: 2}, none)
	if want := (Hash{Buckets: 7, Hashes: 2, Importances: 70}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, test := range []struct {
		indexer Indexer
		given   func(string) bool
		want    string
	}{
		{Hash{MinN: 3, Buckets: 7, Hashes: 2}, all, "subword: minn needs n-grams, and maxn 0 takes words whole"},
		{Hash{MinN: 3, MaxN: 4, Buckets: 7, Hashes: 2}, all, "subword: importances is 0, must be from 1 to 536870911"},
		{Floret{MinN: 3, Buckets: 7, Hashes: 2}, all, "subword: minn needs n-grams, and maxn 0 takes words whole"},
		{FastText{MinN: 3, Buckets: 7}, none, "subword: maxn must be at least 1 with subwords fasttext, is 0"},
		{FastText{MinN: 3, MaxN: 2, Buckets: 7}, none, "subword: maxn is 2, must be from minn, 3, to 255"},
	} {
		k, _ := KindOf(test.indexer)
		if _, err := k.Complete(test.indexer, test.given); err == nil || err.Error() != test.want {
			t.Errorf("%+v: %v; want %q", test.indexer, err, test.want)
		}
	}
}
