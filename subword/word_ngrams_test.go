package subword_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/subword"
)

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
