package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vocab"
)

func TestPermuted(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 5, 64, 100, 1000, 4097} {
		for key := range uint64(3) {
			seen := make([]bool, n)
			for i := range n {
				seen[permuted(i, n, key)] = true
			}
			if slices.Contains(seen, false) {
				t.Errorf("key %d permutes 0 to %d so that some are missing", key, n-1)
			}
		}
	}
}

// ordered returns the sentences of each epoch as a run reads them.
func ordered(t *testing.T, ids *vocab.IDs, shuffle bool, seed uint64, epochs int) [][]string {
	t.Helper()
	s := newSequence(&Run{IDs: ids, Shuffle: shuffle, Variant: &variant.Variant{Run: settings.Run{Seed: seed}}})
	all := make([][]string, epochs)
	for e := range epochs {
		for i := range ids.Chunks() {
			var sentence strings.Builder
			for _, piece := range s.chunk(int64(e*ids.Chunks() + i)) {
				for _, id := range piece {
					sentence.WriteRune(rune(id &^ vocab.EndOfSentence))
					if id&vocab.EndOfSentence != 0 {
						all[e] = append(all[e], sentence.String())
						sentence.Reset()
					}
				}
			}
			if sentence.Len() > 0 {
				t.Fatal("a chunk ends within a sentence")
			}
		}
	}
	return all
}

// Each epoch has all sentences as they are, in an order of its own that only the seed changes.
func TestShuffledEpochs(t *testing.T) {
	var text strings.Builder
	for i := range 9000 {
		text.WriteString(strings.Repeat("word ", i%13+1) + strings.Repeat("x", i%97+1) + "\n")
	}
	_, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(text.String()), corpus.Options{}), vocab.Options{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	if ids.Chunks() < 5 {
		t.Fatalf("%d chunks", ids.Chunks())
	}
	sorted := func(s []string) []string { return slices.Sorted(slices.Values(s)) }
	plain := ordered(t, ids, false, 1, 2)
	epochs := ordered(t, ids, true, 1, 3)
	again, other := ordered(t, ids, true, 1, 3), ordered(t, ids, true, 2, 1)
	if !slices.Equal(plain[0], plain[1]) {
		t.Error("epochs differ that are not shuffled")
	}
	for e, got := range epochs {
		if !slices.Equal(sorted(got), sorted(plain[0])) {
			t.Errorf("epoch %d has other sentences", e)
		}
		if !slices.Equal(got, again[e]) {
			t.Errorf("epoch %d is in another order the second time", e)
		}
		same := 0
		for i := range got {
			if got[i] == plain[0][i] {
				same++
			}
		}
		if same > len(got)/10 {
			t.Errorf("epoch %d has %d of %d sentences where they were", e, same, len(got))
		}
	}
	if slices.Equal(epochs[0], epochs[1]) || slices.Equal(epochs[0], other[0]) {
		t.Error("two epochs, or two seeds, have the same order")
	}
}
