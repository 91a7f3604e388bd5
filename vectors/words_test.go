package vectors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	w := NewWords("b", "", "日本", "b", "\xff\x00")
	if w.Len() != 5 || w.At(2) != "日本" || w.String() != "[b  日本 b \xff\x00]" {
		t.Errorf("%d words, %q", w.Len(), w.String())
	}
	for word, want := range map[string]int{"b": 0, "": 1, "日本": 2, "\xff\x00": 4, "a": -1, "日": -1, "b日本": -1} {
		id, ok := w.Find(word)
		if ok != (want >= 0) || id != want {
			t.Errorf("Find(%q) = %d, %v; want %d", word, id, ok, want)
		}
	}
	var none Words
	if _, ok := none.Find("a"); ok || none.Len() != 0 || none.String() != "[]" {
		t.Errorf("no words: %q", none.String())
	}
	for range none.All() {
		t.Error("no words have a word")
	}
}

// Of many words, some there twice, each one is found, with a table of the file and
// with one that is made.
func TestWordsFindAll(t *testing.T) {
	var words []string
	first := map[string]int{}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 5000 {
		word := fmt.Sprint(r.IntN(4000))
		words = append(words, word)
		if _, ok := first[word]; !ok {
			first[word] = i
		}
	}
	made := NewWords(words...)
	given := NewWords(words...)
	given.list.given = made.slots()
	for word, want := range first {
		for _, w := range []Words{made, given} {
			if id, ok := w.Find(word); !ok || id != want {
				t.Fatalf("Find(%q) = %d, %v; want %d", word, id, ok, want)
			}
		}
	}
	if err := given.checkTable(); err != nil {
		t.Error(err)
	}
	if _, ok := made.Find("4000"); ok {
		t.Error("found what is not there")
	}
}

// A table that lies may hide words but never gives another one, and Check says that
// it lies.
func TestWordsTableLies(t *testing.T) {
	words := []string{"a", "b", "c", "a"}
	honest := NewWords(words...).slots()
	full := slices.Repeat([]uint32{4}, 8)
	for name, slots := range map[string][]uint32{
		"empty":        make([]uint32, 8),
		"full":         full,
		"out of range": slices.Repeat([]uint32{5}, 8),
		"far out":      slices.Repeat([]uint32{math.MaxUint32}, 8),
		"half of 32":   slices.Repeat([]uint32{math.MaxInt32 + 1}, 8),
		"one slot":     {1},
		"turned":       append(slices.Clone(honest[3:]), honest[:3]...),
	} {
		w := NewWords(words...)
		w.list.given = slots
		for _, word := range append(words, "z", "") {
			if id, ok := w.Find(word); ok && w.At(id) != word {
				t.Errorf("%s: Find(%q) = %d, which is %q", name, word, id, w.At(id))
			}
		}
		if err := w.checkTable(); err == nil || !strings.Contains(err.Error(), "the table of words") {
			t.Errorf("%s: %v", name, err)
		}
	}

	// All words are there, behind each other at the wrong place.
	const n = 1 << 12
	var many []string
	slow := make([]uint32, 2*n)
	for i := range n {
		many = append(many, fmt.Sprint(i))
		slow[i] = uint32(i + 1)
	}
	for i := n; i < 2*n; i++ {
		slow[i] = math.MaxUint32
	}
	w := NewWords(many...)
	w.list.given = slow
	if err := w.checkTable(); err == nil || err.Error() != "the table of words takes too long to search" {
		t.Error(err)
	}
}

// Offsets that lie give empty words, and Check says that they lie.
func TestWordsOffsetsLie(t *testing.T) {
	for name, offsets := range map[string][]uint64{
		"falling":   {0, 3, 2, 4},
		"too large": {0, 1, 1 << 40, 4},
		"huge":      {0, math.MaxUint64, 3, 4},
		"begin":     {1, 2, 3, 4},
		"end":       {0, 1, 2, 3},
		"late":      {9, 9, 9, 9},
	} {
		w := Words{&wordList{text: "abcd", offsets: offsets}}
		for id, word := range w.All() {
			if from, to := offsets[id], offsets[id+1]; len(word) > 4 || (from > to || to > 4) && word != "" {
				t.Errorf("%s: word %d is %q", name, id, word)
			}
		}
		for _, word := range []string{"a", "", "abcd", "ab"} {
			if id, ok := w.Find(word); ok && w.At(id) != word {
				t.Errorf("%s: Find(%q) = %d, which is %q", name, word, id, w.At(id))
			}
		}
		if err := w.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
