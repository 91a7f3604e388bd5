package subword_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// The pieces that floret prints, in its order. That each has the right rows is
// tested in package vectors, which can read the tables.
func TestFloretGolden(t *testing.T) {
	for name, f := range map[string]subword.Floret{
		"two":   {MinN: 2, MaxN: 3, Buckets: 50, Hashes: 2},
		"four":  {MinN: 1, MaxN: 6, Buckets: 70, Hashes: 4},
		"words": {MinN: 0, MaxN: 0, Buckets: 30, Hashes: 1},
	} {
		f.Seed, f.BOW, f.EOW = subword.FloretSeed, "<", ">"
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
		words := 0
		var word string
		var want []string
		check := func() {
			var got []string
			for i, piece := range f.Ngrams(word) {
				if i%f.Hashes == 0 {
					got = append(got, piece)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q has %q, floret prints %q", name, word, got, want)
			}
			consistent(t, f, word)
		}
		for _, line := range readLines(t, "floret/"+name+".pieces.txt") {
			next, ok := strings.CutPrefix(line, "# ")
			if !ok {
				want = append(want, line)
				continue
			}
			if words++; words > 1 {
				check()
			}
			word, want = next, nil
		}
		check()
		if words < 20 {
			t.Errorf("%d words test too little", words)
		}
	}
}

func TestFloretPieces(t *testing.T) {
	f := subword.Floret{MinN: 1, MaxN: 3, Buckets: 9, Hashes: 1, BOW: "[[", EOW: "é"}
	for word, want := range map[string][]string{
		"a":    {"[[aé", "[[", "[[a", "[", "[a", "[aé", "a", "aé"},
		"":     {"[[é", "[[", "[[é", "[", "[é"},
		"</s>": nil,
	} {
		if got := f.Ngrams(word); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
		consistent(t, f, word)
	}
	// All hashes of a piece are other numbers, of which the first few are taken.
	f = subword.Floret{Buckets: 1 << 30, Hashes: 4, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	four := f.Append(nil, "the")
	for n := 1; n < 4; n++ {
		f.Hashes = n
		if got := f.Append(nil, "the"); !slices.Equal(got, four[:n]) {
			t.Errorf("%d hashes: %d, want %d", n, got, four[:n])
		}
	}
}

func TestFloretValidate(t *testing.T) {
	good := subword.Floret{MinN: 3, MaxN: 6, Buckets: 1, Hashes: 1}
	for _, tt := range []struct {
		change func(*subword.Floret)
		want   string
	}{
		{func(f *subword.Floret) {}, ""},
		{func(f *subword.Floret) { f.MinN, f.MaxN = 0, 0 }, ""},
		{func(f *subword.Floret) { f.MinN = -1 }, "subword: minn is -1, must be at least 0"},
		{func(f *subword.Floret) { f.MaxN = 2 }, "subword: maxn is 2, must be from minn, 3, to 255"},
		{func(f *subword.Floret) { f.Buckets = 0 }, "subword: buckets is 0, must be from 1 to 2147483647"},
		{func(f *subword.Floret) { f.Hashes = 5 }, "subword: hashes is 5, must be from 1 to 4"},
		{func(f *subword.Floret) { f.EOW = "\xff" }, `subword: the marks "" and "\xff" of words' ends are not UTF-8`},
	} {
		f := good
		tt.change(&f)
		if got := textOf(f.Validate()); got != tt.want {
			t.Errorf("%+v: got %q, want %q", f, got, tt.want)
		}
	}
}

func FuzzFloret(f *testing.F) {
	for _, word := range []string{"", "the", "</s>", "日本語", "caf\xe9", "\x80", "a\x80b", "🙂🙁", "\x00"} {
		f.Add(word, "<", ">", uint8(3), uint8(6), uint8(2), uint16(50))
	}
	f.Fuzz(func(t *testing.T, word, bow, eow string, minn, maxn, hashes uint8, buckets uint16) {
		if len(word)+len(bow)+len(eow) > 200 {
			return // their number is the product of word and maxn
		}
		consistent(t, subword.Floret{
			MinN: int(minn), MaxN: int(maxn), Buckets: 1 + int(buckets), Hashes: 1 + int(hashes%4), BOW: bow, EOW: eow,
		}, word)
	})
}

func ExampleFloret() {
	f := subword.Floret{MinN: 4, MaxN: 5, Buckets: 50000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	fmt.Println(f.Ngrams("the"))
	fmt.Println(f.Append(nil, "the"))
	// Output:
	// [<the> <the> <the <the <the> <the> the> the>]
	// [41338 35178 30812 37103 41338 35178 16894 45100]
}
