package subword_test

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// The vector of a word is made of its own row and those of its n-grams, which it shares with
// words that are spelt alike.
func Example() {
	ngrams := subword.FastText{MinN: 3, MaxN: 3, Buckets: 1000}
	fmt.Println(ngrams.Ngrams("walk"))

	var walk subword.Terms
	subword.CompositionOf(ngrams).Terms(&walk, ngrams, "walk", true)
	fmt.Println(walk.Own, walk.Buckets, walk.Pieces)
	// Output:
	// [<wa wal alk lk>]
	// true [319 299 713 178] 5
}

// What a program offers is the list of kinds, with their settings.
func ExampleKinds() {
	kind := subword.Kinds()[0]
	fmt.Printf("%s: %s\n", kind.Name, kind.Meaning)
	for _, s := range kind.Settings {
		fmt.Printf("  %s (%v)\n", s.Name, s.Field(kind.Usual))
	}
	// Output:
	// fasttext: of character n-grams
	//   minn (3)
	//   maxn (6)
	//   buckets (2000000)
}

// Files hold an indexer as a name, settings and lists.
func ExampleEncode() {
	encoded, err := subword.Encode(subword.FastText{MinN: 3, MaxN: 6, Buckets: 50_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(encoded.Kind, encoded.Settings)
	indexer, err := encoded.Indexer()
	fmt.Printf("%+v %v\n", indexer, err)
	// Output:
	// fasttext map[buckets:50000 maxn:6 minn:3]
	// {MinN:3 MaxN:6 Buckets:50000} <nil>
}
