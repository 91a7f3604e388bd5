package vectors

import "fmt"

// A Neighbor is a word of a set and how near it is to a query.
type Neighbor struct {
	Word       string  `json:"word"`
	ID         int     `json:"-"`          // position of Word in Set.Words
	Similarity float32 `json:"similarity"` // cosine, from -1 to 1, unless a method says otherwise
}

// Nearest returns the k words whose vectors have the largest cosine with query,
// which has Dim numbers, nearest first and of equal ones the lower id first.
// Words whose ids are in skip are left out, and so are words whose vectors are
// zero or not finite. There are fewer than k neighbours if the set has no more
// words, and none, though never nil, if query has no direction.
//
// Every vector is looked at, on all cores; the result does not depend on their
// number.
func (s *Set) Nearest(query []float32, k int, skip ...int) []Neighbor {
	queries := Matrix{Data: query, Rows: 1, Cols: len(query), Stride: len(query)}
	return s.NearestBatch(queries, k, [][]int{skip})[0]
}

// NearestBatch is Nearest for every row of queries: result i belongs to row i.
// The ids in skip[i] are left out of it; skip may be shorter than queries.Rows.
// Many queries at once share each pass over the vectors, which makes them
// cheaper than one after the other.
func (s *Set) NearestBatch(queries Matrix, k int, skip [][]int) [][]Neighbor {
	if err := queries.CheckSizes(); err != nil {
		panic(fmt.Sprintf("vectors: queries: %v", err))
	}
	each := make([]NearestQuery, queries.Rows)
	for i := range each {
		each[i] = NearestQuery{Vector: queries.Row(i), K: k}
		if i < len(skip) {
			each[i].Skip = skip[i]
		}
	}
	return s.NearestQueries(each)
}

// A NearestQuery asks for the words whose vectors are nearest to one.
type NearestQuery struct {
	Vector []float32 // has Dim numbers
	K      int       // how many words
	First  int       // only so many first words of the vocabulary may answer, the most frequent ones; 0 for all
	Skip   []int     // ids of words that are no answers
}

// NearestQueries is NearestBatch for queries that differ in what they ask for.
func (s *Set) NearestQueries(queries []NearestQuery) [][]Neighbor {
	s.mustBeUsable()
	k := 0
	for _, q := range queries {
		if len(q.Vector) != s.Dim() {
			panic(fmt.Sprintf("vectors: query of %d numbers in a set of %d dimensions", len(q.Vector), s.Dim()))
		}
		k = max(k, min(q.K, s.Len()))
	}
	found := make([][]Neighbor, len(queries))
	for first, n := range passes(len(queries), 1, k) {
		of := search{units: NewMatrix(n, s.Dim()), score: cosines, kept: make([]selection, n)}
		for i, q := range queries[first : first+n] {
			of.kept[i] = selection{skip: q.Skip, first: q.First}
			// A query without direction stays all zeros: every word would be
			// equally near to it, so it keeps none.
			if Unit(of.units.Row(i), q.Vector) {
				of.kept[i].k = max(0, min(q.K, s.Len()))
			}
		}
		for q, near := range s.search(of) {
			for i := range near {
				// Rounding may carry a cosine past 1. It is cut only here so that
				// the order stays that of the sums.
				near[i].Similarity = min(1, max(-1, near[i].Similarity))
			}
			found[first+q] = near
		}
	}
	return found
}

// cosines offers the words of a block to each query by their cosines with its unit vector.
func cosines(to []selection, b block) {
	for q := range to {
		best := &to[q]
		floor, inverse := best.floor, best.allowed(b)
		for i, x := range b.dots(q)[:len(inverse)] {
			if x *= inverse[i]; x > floor {
				floor = best.offer(b.first+i, x)
			}
		}
	}
}
