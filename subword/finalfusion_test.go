package subword_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

func readLines(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

// The n-grams and buckets that finalfusion-python prints, in its order.
func TestFinalfusionGolden(t *testing.T) {
	var f subword.Finalfusion
	var word string
	var ngrams []string
	var buckets []uint32
	blocks := 0
	check := func() {
		if blocks == 0 {
			return
		}
		if got := f.Ngrams(word); !slices.Equal(got, ngrams) {
			t.Errorf("%+v: %q has %q, finalfusion prints %q", f, word, got, ngrams)
		}
		if got := f.Append(nil, word); !slices.Equal(got, buckets) {
			t.Errorf("%+v: %q has %d, finalfusion prints %d", f, word, got, buckets)
		}
	}
	for _, line := range readLines(t, "finalfusion/ngrams.txt") {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			check()
			blocks++
			ngrams, buckets = nil, nil
			fields := strings.SplitN(rest, " ", 4)
			word = fields[3]
			if _, err := fmt.Sscan(rest, &f.MinN, &f.MaxN, &f.Exponent); err != nil {
				t.Fatal(err)
			}
			continue
		}
		ngram, number, _ := strings.Cut(line, " ")
		var bucket uint32
		if _, err := fmt.Sscan(number, &bucket); err != nil {
			t.Fatal(err)
		}
		ngrams, buckets = append(ngrams, ngram), append(buckets, bucket)
	}
	check()
	if blocks < 40 {
		t.Errorf("%d words test too little", blocks)
	}
}

func TestFinalfusionNgrams(t *testing.T) {
	for _, tt := range []struct {
		word       string
		minn, maxn int
		want       []string
	}{
		{"ab", 1, 2, []string{"<a", "<", "ab", "a", "b>", "b", ">"}},
		{"", 1, 3, []string{"<>", "<", ">"}},
		{"a", 4, 6, nil},
		{"日本", 3, 6, []string{"<日本>", "<日本", "日本>"}},
		{"\xff\x80", 2, 2, []string{"<\xff", "\xff\x80", "\x80>"}}, // each is a code point
	} {
		f := subword.Finalfusion{MinN: tt.minn, MaxN: tt.maxn, Exponent: 5}
		if got := f.Ngrams(tt.word); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.word, got, tt.want)
		}
		consistent(t, f, tt.word)
	}
}

// consistent fails the test unless Append gives a row for each of Ngrams.
func consistent(t *testing.T, f subword.Indexer, word string) {
	t.Helper()
	kept := []uint32{7, 7}
	rows := f.Append(kept, word)
	if !slices.Equal(rows[:2], kept) {
		t.Fatalf("Append changed what was there to %v", rows[:2])
	}
	ngrams := f.Ngrams(word)
	if len(rows)-2 != len(ngrams) {
		t.Fatalf("%d rows for %d n-grams", len(rows)-2, len(ngrams))
	}
	for i, r := range rows[2:] {
		if int64(r) >= int64(f.Rows()) {
			t.Errorf("%q: row %d of %d", ngrams[i], r, f.Rows())
		}
	}
}

func TestFinalfusionValidate(t *testing.T) {
	for _, tt := range []struct {
		f    subword.Finalfusion
		want string
	}{
		{subword.Finalfusion{MinN: 1, MaxN: 1}, ""},
		{subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 30}, ""},
		{subword.Finalfusion{MaxN: 6, Exponent: 21}, "subword: minn is 0, must be at least 1"},
		{subword.Finalfusion{MinN: 3, MaxN: 2, Exponent: 21}, "subword: maxn is 2, must be from minn, 3, to 255"},
		{subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 31}, "subword: the exponent of buckets is 31, must be from 0 to 30"},
	} {
		if got := textOf(tt.f.Validate()); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.f, got, tt.want)
		}
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestExplicit(t *testing.T) {
	e, err := subword.NewExplicit(2, 3, []string{"<t", "the", "th", "日本"}, []uint32{1, 0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if e.Rows() != 3 || e.MinN() != 2 || e.MaxN() != 3 {
		t.Errorf("%d rows, n-grams of %d to %d", e.Rows(), e.MinN(), e.MaxN())
	}
	if got, want := e.Ngrams("the"), []string{"<t", "the", "th"}; !slices.Equal(got, want) {
		t.Errorf("n-grams %q, want %q", got, want)
	}
	if got, want := e.Append(nil, "the日本"), []uint32{1, 0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("rows %d, want %d", got, want)
	}
	if got := e.Append(nil, "x"); got != nil {
		t.Errorf("rows %d, want none", got)
	}
	consistent(t, e, "the")
	for _, tt := range []struct {
		minn, maxn int
		ngrams     []string
		rows       []uint32
		want       string
	}{
		{0, 1, nil, nil, "subword: minn is 0, must be at least 1"},
		{2, 1, nil, nil, "subword: maxn is 1, must be from minn, 2, to 255"},
		{1, 1, []string{"a"}, nil, "subword: 1 n-grams and 0 rows"},
		{1, 1, []string{"a", "a"}, []uint32{0, 1}, `subword: the n-gram "a" stands there twice`},
		{1, 1, []string{"a"}, []uint32{1}, `subword: the n-gram "a" has row 1, which is too large for 1 n-grams`},
		{1, 1, []string{"a", "b", "c"}, []uint32{0, 2, 2}, "subword: no n-gram has row 1, though higher ones are in use"},
	} {
		_, err := subword.NewExplicit(tt.minn, tt.maxn, tt.ngrams, tt.rows)
		if got := textOf(err); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func FuzzFinalfusion(f *testing.F) {
	for _, word := range []string{"", "the", "</s>", "日本語", "caf\xe9", "\x80", "🙂🙁", "\x00"} {
		f.Add(word, uint8(3), uint8(6), uint8(5))
	}
	f.Fuzz(func(t *testing.T, word string, minn, maxn, exponent uint8) {
		if len(word) > 200 {
			return // their number is the product of word and maxn
		}
		consistent(t, subword.Finalfusion{MinN: int(minn), MaxN: int(maxn), Exponent: int(exponent % 31)}, word)
		shortest := max(1, int(minn))
		e, err := subword.NewExplicit(shortest, min(shortest+int(maxn), subword.MaxLength), []string{"<t", "th", "日"}, []uint32{0, 0, 1})
		if err != nil {
			t.Fatal(err)
		}
		consistent(t, e, word)
	})
}

func ExampleFinalfusion() {
	f := subword.Finalfusion{MinN: 3, MaxN: 6, Exponent: 21}
	fmt.Println(f.Ngrams("the"))
	fmt.Println(f.Append(nil, "the"))
	// Output:
	// [<the> <the <th the> the he>]
	// [1527803 2026900 1046758 753606 95631 2069461]
}

func ExampleNewExplicit() {
	e, err := subword.NewExplicit(3, 6, []string{"<the>", "he>"}, []uint32{0, 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Ngrams("she"), e.Append(nil, "she"))
	// Output: [he>] [1]
}
