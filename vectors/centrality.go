package vectors

import (
	"math"
	"slices"
)

// Centrality returns the words that have vectors by their cosine with the mean of the directions
// of all of them, the largest first: the last one matches the others least. Equal ones stay in
// the order in which they are given. Missing are the words without a vector, or with one of zeros
// or of numbers that are not finite. This is gensim's rank_by_centrality, of which doesnt_match
// returns the last word.
func (s *Set) Centrality(words []string) (ranked []Neighbor, missing []string) {
	mean := make([]float64, s.Dim())
	var units [][]float32
	ranked = []Neighbor{}
	for _, word := range words {
		v := make([]float32, s.Dim())
		if !s.Vector(v, word) || !Unit(v, v) {
			missing = append(missing, word)
			continue
		}
		id, ok := s.ID(word)
		if !ok {
			id = -1
		}
		units, ranked = append(units, v), append(ranked, Neighbor{Word: word, ID: id})
		for k, x := range v {
			mean[k] += float64(x)
		}
	}
	var squares float64
	for _, x := range mean {
		squares += x * x
	}
	for i, v := range units {
		var dot float64
		for k, x := range v {
			dot += float64(x) * mean[k]
		}
		if squares > 0 {
			dot /= math.Sqrt(squares)
		}
		ranked[i].Similarity = float32(min(1, max(-1, dot)))
	}
	slices.SortStableFunc(ranked, func(a, b Neighbor) int {
		switch {
		case a.Similarity > b.Similarity:
			return -1
		case a.Similarity < b.Similarity:
			return 1
		}
		return 0
	})
	return ranked, missing
}
