package subword

import "testing"

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
