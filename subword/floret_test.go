package subword_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/hashing"
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

// The numbers of 64 bits were computed with Python's integers of any length.
func TestWordNgrams(t *testing.T) {
	ngrams := subword.WordNgrams{MaxN: 3, Buckets: 1000}
	for word, want := range map[string]uint64{
		"a":   0xffffffffe40c292c, // FNV-1a is e40c292c, below zero as a number with a sign
		"foo": 0xffffffffa9f37ed7,
		"":    0xffffffff811c9dc5,
		"the": 0xffffffffb40eb21c,
	} {
		if got := ngrams.Hash(word); got != want || uint32(got) != hashing.FastText([]byte(word)) {
			t.Errorf("%q has the hash %x, want %x", word, got, want)
		}
	}
	var hashes []uint64
	for _, word := range strings.Fields("the cat sat down") {
		hashes = append(hashes, ngrams.Hash(word))
	}
	want := []uint32{411, 896, 28, 377, 850}
	if got := ngrams.Append(nil, hashes); !slices.Equal(got, want) {
		t.Errorf("runs have the buckets %v, want %v", got, want)
	}
	if got := ngrams.Append(nil, hashes[:1]); len(got) != 0 {
		t.Errorf("one word has the runs %v", got)
	}
	run := ngrams.Next(ngrams.Next(hashes[0], hashes[1]), hashes[2])
	if got := ngrams.Bucket(run); got != want[1] {
		t.Errorf("the run of three words has bucket %d, want %d", got, want[1])
	}
}

func TestWordNgramsValidate(t *testing.T) {
	for want, w := range map[string]subword.WordNgrams{
		"":                      {MaxN: 2, Buckets: 1},
		"are up to 1 words":     {MaxN: 1, Buckets: 1},
		"are up to 256 words":   {MaxN: 256, Buckets: 1},
		"of runs of words is 0": {MaxN: 2},
	} {
		if err := w.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", w, err, want)
		}
	}
}
