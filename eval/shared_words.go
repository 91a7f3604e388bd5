package eval

import (
	"math"
	"math/bits"
	"slices"
)

// maxSharing is the largest number of words of items that are looked at for words that they share.
// Longer items, which are sentences, share words that say nothing.
const maxSharing = 10

// shareWords reports whether two items have a word in common.
func shareWords(items []Item) bool {
	in := make(map[string]int)
	for i, item := range items {
		if len(item.Words) > maxSharing {
			continue
		}
		for _, word := range item.Words {
			if last, ok := in[word]; ok && last != i {
				return true
			}
			in[word] = i
		}
	}
	return false
}

// designEffect returns by which factor the variance of a score is larger than with as many
// independent items (Kish 1965). Of influences, which say by how much each item
// moves the score, the sum of squares is the variance with independent items. The sum of products
// of all two items that share a word, each with itself included, is the variance if those are
// dependent in any way: multi-way clustering by words (Cameron, Gelbach and Miller 2011; for pairs
// Aronow, Samii and Assenova 2015). Without influences the items are independent.
func designEffect(items []Item, influences []float64) float64 {
	alone := 0.0
	for _, x := range influences {
		alone += x * x
	}
	if alone == 0 || math.IsNaN(alone) {
		return 1
	}
	// Two items share at least one word: by inclusion and exclusion, that is the number of
	// words that both have, less that of pairs of words, plus that of triples, …
	numbers := make(map[string]uint64)
	at := make(map[uint64]int) // of a set of words in sums
	var sums []float64         // of the influences of items that have them
	var odd []bool
	var words []uint64
	for i, item := range items {
		words = words[:0]
		if len(item.Words) <= maxSharing {
			for _, word := range item.Words {
				number, ok := numbers[word]
				if !ok {
					number = scrambled(uint64(len(numbers)))
					numbers[word] = number
				}
				if !slices.Contains(words, number) {
					words = append(words, number)
				}
			}
		}
		if len(words) == 0 { // it is alone
			sums, odd = append(sums, influences[i]), append(odd, true)
			continue
		}
		for subset := uint(1); subset < 1<<len(words); subset++ {
			key := uint64(0)
			for k, number := range words {
				if subset>>k&1 == 1 {
					key += number
				}
			}
			to, ok := at[key]
			if !ok {
				to = len(sums)
				at[key] = to
				sums, odd = append(sums, 0), append(odd, bits.OnesCount(subset)%2 == 1)
			}
			sums[to] += influences[i]
		}
	}
	dependent := 0.0
	for i, sum := range sums {
		if odd[i] {
			dependent += sum * sum
		} else {
			dependent -= sum * sum
		}
	}
	return dependent / alone
}

// scrambled returns a random number that belongs to n; see splitmix64 of Steele, Lea and Flood
// 2014.
func scrambled(n uint64) uint64 {
	n = (n + 1) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
