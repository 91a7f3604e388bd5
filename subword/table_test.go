package subword_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

var words = []string{"walk", "walked", "walks", "talk", "naïve", "a", "ab", "aaaaa", "</s>"}

func TestPlainWordsAreTheirOwnRows(t *testing.T) {
	table := subword.Plain(3)
	for w := range uint32(3) {
		rows, weights := table.Of(w)
		if len(rows) != 1 || rows[0] != w || weights[0] != 1 || table.WordRow[w] != w {
			t.Errorf("word %d is made of rows %v, weights %v", w, rows, weights)
		}
	}
	if table.Rows() != 3 || table.BucketRow != nil {
		t.Errorf("%d rows, buckets %v", table.Rows(), table.BucketRow)
	}
}

// members returns how much of each member (word, or bucket behind the words) is in
// a word, by the table: each member of a row has an equal part of its weight.
func members(table *subword.Table, word uint32) map[int]float64 {
	sharing := make(map[uint32][]int)
	for member, row := range table.Members {
		sharing[row] = append(sharing[row], member)
	}
	parts := make(map[int]float64)
	rows, weights := table.Of(word)
	for i, row := range rows {
		for _, member := range sharing[row] {
			parts[member] += float64(weights[i]) / float64(len(sharing[row]))
		}
	}
	return parts
}

// However rows are shared, a word is the mean of its own row and its n-grams'.
func TestTableIsTheMeanOfOwnRowAndNgrams(t *testing.T) {
	for _, buckets := range []int{1, 7, 50, 100000} {
		indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: buckets}
		for _, share := range []bool{false, true} {
			table := subword.NewTable(words, indexer, subword.TableOptions{Separate: !share})
			for w, word := range words {
				want := map[int]float64{}
				ngrams := indexer.Append(nil, word)
				part := 1 / float64(1+len(ngrams))
				want[w] += part
				for _, b := range ngrams {
					want[len(words)+int(b)] += part
				}
				got := members(table, uint32(w))
				if len(got) != len(want) {
					t.Errorf("%d buckets, share %v: %q has %d members, want %d", buckets, share, word, len(got), len(want))
				}
				for member, part := range want {
					if math.Abs(got[member]-part) > 1e-6 {
						t.Errorf("%d buckets, share %v: %q has %v of member %d, want %v", buckets, share, word, got[member], member, part)
					}
				}
			}
		}
	}
}

// Members that the same words use equally often share a row, and no others do.
func TestRowsAreSharedByTheSameUsers(t *testing.T) {
	indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: 50}
	users := make(map[int]string) // of a member, as text
	for w, word := range words {
		times := map[int]int{w: 1}
		for _, b := range indexer.Append(nil, word) {
			times[len(words)+int(b)]++
		}
		for member, n := range times {
			users[member] += fmt.Sprint(w, "×", n, " ")
		}
	}
	table := subword.NewTable(words, indexer, subword.TableOptions{})
	usersOf := make(map[uint32]string)
	rowOf := make(map[string]uint32)
	seen := 0
	for member, row := range table.Members {
		seen++
		if known, ok := usersOf[row]; ok && known != users[member] {
			t.Errorf("row %d has members used by %sand by %s", row, known, users[member])
		}
		usersOf[row] = users[member]
		if known, ok := rowOf[users[member]]; ok && known != row {
			t.Errorf("rows %d and %d are both used by %s", known, row, users[member])
		}
		rowOf[users[member]] = row
	}
	if seen != len(users) || len(usersOf) != table.Rows() {
		t.Errorf("%d members in %d rows, want %d in %d", seen, len(usersOf), len(users), table.Rows())
	}
	if apart := subword.NewTable(words, indexer, subword.TableOptions{Separate: true}); apart.Rows() != len(users) {
		t.Errorf("%d rows when nothing is shared, want %d", apart.Rows(), len(users))
	}
}

func TestRowsOfFrequentWordsComeFirst(t *testing.T) {
	table := subword.NewTable(words, subword.FastText{MinN: 3, MaxN: 3, Buckets: 1000}, subword.TableOptions{})
	next := uint32(0)
	for w := range words {
		rows, _ := table.Of(uint32(w))
		for _, r := range rows {
			if r > next {
				t.Fatalf("word %d uses row %d, of which %d have been used", w, r, next)
			}
			if r == next {
				next++
			}
		}
	}
}

func BenchmarkTable(b *testing.B) {
	words := make([]string, 20_000)
	for i := range words {
		words[i] = fmt.Sprintf("word%dword", i*7919%100003)
	}
	for b.Loop() {
		subword.NewTable(words, subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}, subword.TableOptions{})
	}
}
