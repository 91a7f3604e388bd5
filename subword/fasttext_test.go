package subword_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/subword"
)

func TestFastTextNgrams(t *testing.T) {
	tests := []struct {
		name       string
		word       string
		minn, maxn int
		want       []string
	}{
		{"ASCII", "the", 3, 6, []string{"<th", "<the", "<the>", "the", "the>", "he>"}},
		{"multi-byte", "日本", 3, 6, []string{"<日本", "<日本>", "日本>"}},
		{"two and three bytes mixed", "é日", 2, 3, []string{"<é", "<é日", "é日", "é日>", "日>"}},
		{"four bytes", "🙂", 3, 6, []string{"<🙂>"}},
		{"combining marks are code points", "e\u0301", 3, 3, []string{"<e\u0301", "e\u0301>"}},
		{"minn 1 leaves out the ends", "ab", 1, 2, []string{"<a", "a", "ab", "b", "b>"}},
		{"minn 0 is minn 1", "ab", 0, 2, []string{"<a", "a", "ab", "b", "b>"}},
		{"repeated", "aaaa", 2, 2, []string{"<a", "aa", "aa", "aa", "a>"}},
		{"short word", "a", 3, 6, []string{"<a>"}},
		{"too short a word", "a", 4, 6, nil},
		{"empty word", "", 1, 6, []string{"<>"}},
		{"empty word, long n-grams", "", 3, 6, nil},
		{"end of sentence", "</s>", 1, 6, nil},
		{"no n-grams", "the", 0, 0, nil},
		{"maxn below minn", "the", 4, 3, nil},
		// A byte that continues nothing belongs to what is before it, and one
		// that begins nothing stands alone.
		{"lone continuation byte", "a\x80b", 1, 1, []string{"a\x80", "b"}},
		{"continuation byte first", "\x80a", 2, 2, []string{"<\x80a", "a>"}},
		{"bytes that begin nothing", "\xff\xfe", 1, 2, []string{"<\xff", "\xff", "\xff\xfe", "\xfe", "\xfe>"}},
		{"cut code point", "日"[:2], 1, 2, []string{"<" + "日"[:2], "日"[:2], "日"[:2] + ">"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := subword.FastText{MinN: tt.minn, MaxN: tt.maxn, Buckets: 50}
			got := f.Ngrams(tt.word)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			agree(t, f, tt.word)
		})
	}
}

// agree fails the test unless Append gives the bucket of each of Ngrams.
func agree(t *testing.T, f subword.FastText, word string) {
	t.Helper()
	ngrams := f.Ngrams(word)
	kept := []uint32{7, 7}
	buckets := f.Append(kept, word)
	if !slices.Equal(buckets[:2], kept) {
		t.Fatalf("Append changed what was there to %v", buckets[:2])
	}
	buckets = buckets[2:]
	if len(buckets) != len(ngrams) {
		t.Fatalf("%d buckets for %d n-grams", len(buckets), len(ngrams))
	}
	for i, b := range buckets {
		if int64(b) >= int64(f.Rows()) {
			t.Errorf("%q: bucket %d of %d", ngrams[i], b, f.Rows())
		}
		if want := hashing.FastText([]byte(ngrams[i])) % uint32(f.Buckets); b != want {
			t.Errorf("%q: bucket %d, want %d", ngrams[i], b, want)
		}
	}
}

// The n-grams that the real fastText prints, and the buckets it takes them
// from: n-grams of the same bucket have the same vector, those of different
// buckets have different ones. That each vector is that of its bucket's row is
// tested in package vectors, which can read the model.
func TestFastTextGolden(t *testing.T) {
	tests := []struct {
		file string
		f    subword.FastText
	}{
		{"skipgram", subword.FastText{MinN: 3, MaxN: 6, Buckets: 50}},
		{"cbow", subword.FastText{MinN: 1, MaxN: 4, Buckets: 50}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "testdata", "fasttext", tt.file+".ngrams.txt"))
			if err != nil {
				t.Fatal(err)
			}
			vec, err := os.ReadFile(filepath.Join("..", "testdata", "fasttext", tt.file+".vectors.txt"))
			if err != nil || len(vec) == 0 {
				t.Fatal(err)
			}
			vectorOf, bucketOf := map[uint32]string{}, map[string]uint32{}
			ngrams := 0
			for _, block := range strings.Split(string(text), "# ")[1:] {
				word, rest, _ := strings.Cut(block, "\n")
				var printed, vectors []string
				for line := range strings.Lines(rest) {
					ngram, vector, _ := strings.Cut(line, " ")
					printed, vectors = append(printed, ngram), append(vectors, vector)
				}
				want := tt.f.Ngrams(word)
				if len(printed) == len(want)+1 && printed[0] == word { // a word of the vocabulary
					printed, vectors = printed[1:], vectors[1:]
				}
				if !slices.Equal(printed, want) {
					t.Errorf("%q: got %q, fastText prints %q", word, want, printed)
					continue
				}
				for i, b := range tt.f.Append(nil, word) {
					ngrams++
					if v, ok := vectorOf[b]; ok && v != vectors[i] {
						t.Errorf("%q: bucket %d has two vectors", printed[i], b)
					}
					if c, ok := bucketOf[vectors[i]]; ok && c != b {
						t.Errorf("%q: buckets %d and %d have one vector", printed[i], b, c)
					}
					vectorOf[b], bucketOf[vectors[i]] = vectors[i], b
				}
			}
			if ngrams < 100 || len(vectorOf) < 40 {
				t.Errorf("%d n-grams in %d buckets test too little", ngrams, len(vectorOf))
			}
		})
	}
}

func TestFastTextValidate(t *testing.T) {
	tests := []struct {
		f    subword.FastText
		want string
	}{
		{subword.FastText{MinN: 3, MaxN: 6, Buckets: 1}, ""},
		{subword.FastText{MinN: 3, MaxN: 3, Buckets: 1<<31 - 1}, ""},
		{subword.FastText{}, ""}, // no n-grams
		{subword.FastText{MinN: 0, MaxN: 6, Buckets: 1}, "subword: minn is 0, must be at least 1"},
		{subword.FastText{MinN: 4, MaxN: 3, Buckets: 1}, "subword: maxn is 3, must be from minn, 4, to 255"},
		{subword.FastText{MinN: 3, MaxN: 6}, "subword: buckets is 0, must be from 1 to 2147483647"},
	}
	for _, tt := range tests {
		got := ""
		if err := tt.f.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.f, got, tt.want)
		}
	}
}

func FuzzFastText(f *testing.F) {
	for _, word := range []string{"", "the", "</s>", "日本語", "caf\xe9", "\x80", "a\x80b", "🙂🙁", "<", ">", "\x00"} {
		f.Add(word, uint8(3), uint8(6), uint16(50))
	}
	f.Fuzz(func(t *testing.T, word string, minn, maxn uint8, buckets uint16) {
		if len(word) > 200 {
			return // their number is the product of word and maxn
		}
		agree(t, subword.FastText{MinN: int(minn), MaxN: int(maxn), Buckets: 1 + int(buckets)}, word)
	})
}

func ExampleFastText() {
	f := subword.FastText{MinN: 3, MaxN: 4, Buckets: 2_000_000}
	fmt.Println(f.Ngrams("café"))
	fmt.Println(f.Append(nil, "café"))
	// Output:
	// [<ca <caf caf café afé afé> fé>]
	// [916747 1991831 369661 454601 960362 1966012 1609697]
}
