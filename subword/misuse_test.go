package subword_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/subword"
)

// broken is an indexer of somebody else's that gives rows which it does not have.
type broken struct{ rows int }

func (b broken) Rows() int                            { return b.rows }
func (broken) Append(dst []uint32, _ string) []uint32 { return append(dst, 7) }
func (broken) Ngrams(string) []string                 { return []string{"x"} }

// What a caller gets wrong is an error that says so, or a panic of the caller's own
// goroutine in functions that return none.
func TestMisuse(t *testing.T) {
	for _, test := range []struct {
		name    string
		indexer subword.Indexer
		want    string
	}{
		{"buckets without n-grams", subword.FastText{MaxN: 0, Buckets: -5}, "subword: buckets is -5, must be from 0 to 2147483647"},
		{"a minn without n-grams", subword.FastText{MinN: -1}, "subword: minn is -1, must be at least 0 where maxn is 0"},
		{"negative buckets", subword.FastText{MinN: 3, MaxN: 6, Buckets: -1}, "subword: buckets is -1, must be from 1 to 2147483647"},
		{"no buckets", subword.FastText{MinN: 3, MaxN: 6}, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"a negative maxn", subword.FastText{MinN: 3, MaxN: -6, Buckets: 5}, "subword: maxn is -6, must be from minn, 3, to 255"},
		{"no finalfusion", subword.Finalfusion{}, "subword: minn is 0, must be at least 1"},
		{"a negative exponent", subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: -1}, "subword: the exponent of buckets is -1, must be from 0 to 30"},
		{"a large exponent", subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 64}, "subword: the exponent of buckets is 64, must be from 0 to 30"},
		{"no floret", subword.Floret{}, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"five hashes", subword.Floret{MaxN: 3, Buckets: 9, Hashes: 5}, "subword: hashes is 5, must be from 1 to 4"},
		{"no hash embeddings", subword.Hash{}, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"minus one hash", subword.Hash{Buckets: 9, Hashes: -1, Importances: 3}, "subword: hashes is -1, must be from 1 to 4"},
		{"no importances", subword.Hash{Buckets: 9, Hashes: 2}, "subword: importances is 0, must be from 1 to 536870911"},
		{"a pointer to wrong settings", &subword.Hash{Buckets: 9, Hashes: 2}, "subword: importances is 0, must be from 1 to 536870911"},
		{"an empty list", &subword.Explicit{}, "subword: the Explicit is empty: NewExplicit makes one"},
		{"an empty pruning", &subword.Pruned{}, "subword: the Pruned is empty: Prune makes one"},
		{"minus three rows", broken{-3}, "subword: the indexer, a subword_test.broken, has -3 rows, must be from 0 to 2147483647"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := subword.Validate(test.indexer); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"no buckets", func() { subword.FastText{MinN: 3, MaxN: 6}.Append(nil, "word") }, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"five hashes", func() { subword.Floret{Buckets: 9, Hashes: 5}.Append(nil, "word") }, "subword: hashes is 5, must be from 1 to 4"},
		{"five weighted hashes", func() { subword.Hash{Buckets: 9, Hashes: 5, Importances: 1}.Append(nil, "word") }, "subword: hashes is 5, must be from 1 to 4"},
		{"weights of nothing", func() { subword.Hash{Buckets: 9, Hashes: 2}.AppendImportances(nil, "word") }, "subword: importances is 0, must be from 1 to 536870911"},
		{"a negative exponent", func() { subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: -1}.Append(nil, "word") }, "subword: the exponent of buckets is -1, must be from 0 to 30"},
		{"rows of a negative exponent", func() { _ = subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: -1}.Rows() }, "subword: the exponent of buckets is -1, must be from 0 to 30"},
		{"runs of no buckets", func() { subword.WordNgrams{MaxN: 2}.Append(nil, []uint64{1, 2}) }, "subword: buckets of runs of words is 0, must be from 1 to 2147483647"},
		{"runs of one word", func() { subword.WordNgrams{MaxN: 1, Buckets: 3}.Append(nil, []uint64{1, 2}) }, "subword: runs of words are up to 1 words long, must be from 2 to 255"},
	} {
		t.Run(test.name, func(t *testing.T) { panics(t, test.name, test.do, test.want) })
	}
}

func panics(t *testing.T, name string, do func(), want string) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); got != want {
			t.Errorf("%s: panic %s\nwant  %s", name, got, want)
		}
	}()
	do()
}

// A pointer to settings is those settings.
func TestPointersAreTheirSettings(t *testing.T) {
	fast, final := subword.FastText{MinN: 3, MaxN: 6, Buckets: 50}, subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 4}
	floret := subword.Floret{MinN: 3, MaxN: 6, Buckets: 50, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: 50, Hashes: 2, Importances: 9}
	list, err := subword.NewExplicit(3, 3, []string{"<a>"}, []uint32{0})
	if err != nil {
		t.Fatal(err)
	}
	var nobody *subword.Hash
	for _, test := range []struct{ indexer, want subword.Indexer }{
		{&fast, fast}, {&final, final}, {&floret, floret}, {&hash, hash},
		{fast, fast}, {hash, hash}, {list, list}, {nil, nil}, {nobody, nobody}, {broken{3}, broken{3}},
	} {
		if got := subword.Value(test.indexer); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%#v is %#v, want %#v", test.indexer, got, test.want)
		}
	}
}

// Settings and tables of nothing have no n-grams and no words.
func TestZeroValues(t *testing.T) {
	var fast subword.FastText
	var list subword.Explicit
	var pruned subword.Pruned
	for _, indexer := range []subword.Indexer{fast, &list, &pruned} {
		if n := indexer.Rows() + len(indexer.Append(nil, "word")) + len(indexer.Ngrams("word")); n != 0 {
			t.Errorf("%T has %d n-grams", indexer, n)
		}
	}
	if err := subword.Validate(nil); err != nil {
		t.Error(err)
	}
	first, second := hashing.Murmur3(nil, 0)
	if hashing.FastText(nil) != hashing.FastTextMore(2166136261, nil) || first != 0 || second != 0 || hashing.Finalfusion(nil) == 0 {
		t.Error("hashes of nothing")
	}
}
