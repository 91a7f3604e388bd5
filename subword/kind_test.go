package subword_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// every returns an indexer of each type, with the composition, estimate and description
// that belong to it.
func every(t *testing.T) []subword.Indexer {
	list, err := subword.NewExplicit(3, 6, []string{"<wa", "alk", "lk>"}, []uint32{1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	fast := subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
	pruned, err := subword.Prune(fast, []uint32{7, 1_999_999, 3})
	if err != nil {
		t.Fatal(err)
	}
	return []subword.Indexer{
		fast,
		pruned,
		subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 21},
		subword.Floret{MinN: 0, MaxN: 0, Buckets: 999, Hashes: 2, Seed: 4_000_000_000, BOW: "«", EOW: ""},
		subword.Hash{MinN: 3, MaxN: 6, Buckets: 50_000, Hashes: 3, Importances: 1000, AppendWeights: true},
		subword.Hash{MaxN: 0, Buckets: 1, Hashes: 1, Importances: 1},
		list,
	}
}

// What is encoded comes back, and a kind knows its own.
func TestEncode(t *testing.T) {
	for _, indexer := range every(t) {
		e, err := subword.Encode(indexer)
		if err != nil {
			t.Fatal(err)
		}
		back, err := e.Indexer()
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		if !reflect.DeepEqual(back, indexer) || !subword.Same(back, indexer) {
			t.Errorf("%#v came back as %#v", indexer, back)
		}
		if subword.NameOf(indexer) != e.Kind {
			t.Errorf("%T: a %s, encoded as %q", indexer, subword.NameOf(indexer), e.Kind)
		}
	}
	if _, err := subword.Encode(broken{3}); err == nil {
		t.Error("an indexer of somebody else's was encoded")
	}
}

func TestEncodedErrors(t *testing.T) {
	hash, err := subword.Encode(subword.Hash{MinN: 3, MaxN: 6, Buckets: 5, Hashes: 2, Importances: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ setting, value, want string }{
		{"hashes", "", `subword: metadata "hashes": invalid syntax`},
		{"hashes", "3000000000", `subword: metadata "hashes": value out of range`},
		{"hashes", "5", "subword: hashes is 5, must be from 1 to 4"},
	} {
		e := hash
		e.Settings = map[string]string{}
		for name, value := range hash.Settings {
			e.Settings[name] = value
		}
		e.Settings[test.setting] = test.value
		if _, err := e.Indexer(); fmt.Sprint(err) != test.want {
			t.Errorf("%s %q: error %v, want %s", test.setting, test.value, err, test.want)
		}
	}
	if _, err := (subword.Encoded{Kind: "other"}).Indexer(); err == nil || !strings.Contains(err.Error(), `"explicit", found "other"`) {
		t.Errorf("an unknown kind: error %v", err)
	}
}

func TestDescribe(t *testing.T) {
	want := []string{
		"of 3 to 6 code points in 2,000,000 buckets",
		"of 3 to 6 code points in 3 buckets",
		"of 3 to 6 code points in 2,097,152 buckets, hashed as finalfusion does",
		"whole words alone, in 999 rows, 2 for each, hashed as floret does",
		"of 3 to 6 code points, and whole words, in 50,000 rows, 3 for each, weighted by 1,000 rows of importances, which are the last dimensions too",
		"whole words alone, in 1 rows, 1 for each, weighted by 1 rows of importances",
		"of 3 to 6 code points, 3 of them, listed, in 2 rows",
	}
	for i, indexer := range every(t) {
		if got := subword.Describe(indexer); got != want[i] {
			t.Errorf("%T: %q, want %q", indexer, got, want[i])
		}
	}
	if subword.Describe(nil) != "" || subword.NameOf(nil) != "no" || subword.NameOf(broken{}) != "subword_test.broken" {
		t.Error("names of what is of no kind")
	}
}

// Estimates are what words come to be made of, where hashing decides nothing.
func TestEstimates(t *testing.T) {
	for _, indexer := range every(t) {
		rows := 0
		for _, word := range words {
			rows += len(indexer.Append(nil, word))
		}
		count := subword.CountPieces(indexer, words)
		switch subword.Value(indexer).(type) {
		case *subword.Pruned, *subword.Explicit:
			if count != 0 {
				t.Errorf("%T: counts %v pieces without words being cut", indexer, count)
			}
		default:
			if count < float64(rows) || count > 1.2*float64(rows)+3*float64(len(words)) {
				t.Errorf("%T: counts %v pieces of %d", indexer, count, rows)
			}
		}
	}
}

var words = []string{"walk", "walked", "walks", "talk", "naïve", "a", "ab", "aaaaa", "</s>"}
