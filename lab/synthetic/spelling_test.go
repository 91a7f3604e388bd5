package synthetic

import "testing"

// Words are counted by their spelling, so no two may have the same.
func TestSpellingsDiffer(t *testing.T) {
	s := newSpelling()
	seen := map[string]uint32{}
	check := func(rank uint32) {
		word := string(s.append(nil, rank))
		if other, ok := seen[word]; ok {
			t.Fatalf("words %d and %d are both spelt %q", other, rank, word)
		}
		if len(word) < 2 || len(word) > longestWord {
			t.Fatalf("word %d is %q", rank, word)
		}
		seen[word] = rank
	}
	for rank := range uint32(300_000) {
		check(rank)
	}
	for rank := uint32(mostWords - 10_000); rank < mostWords; rank++ {
		check(rank)
	}
}
