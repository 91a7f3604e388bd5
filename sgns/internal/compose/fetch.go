package compose

import "github.com/w2v-go/w2v/internal/simd"

// With many words neither rows nor the lists of rows are in a near cache. A row takes three reads, of
// where its word's list starts, of the list, and of the row, and each waits for the one before. So each
// is asked for one step before the next.

// fetch asks, before step k is trained, for what words of later steps are composed of.
func (s *cache) fetch(k int) {
	s.fetchRows(s.composed(k+1, k+2))
	s.fetchLists(s.composed(k+2, k+3))
	simd.PrefetchAt(s.lists.Starts, s.composed(k+3, k+4))
}

// fetchFirst asks for the lists of the words of the first steps.
func (s *cache) fetchFirst() {
	simd.PrefetchAt(s.lists.Starts, s.composed(0, 3))
	s.fetchLists(s.composed(0, 2))
}

// fetchLists asks for the lists of words.
func (s *cache) fetchLists(words []uint32) {
	simd.PrefetchLists(s.lists, words)
	if s.weighing != nil {
		simd.PrefetchLists(simd.Lists{Starts: s.lists.Starts, Rows: s.weighing.table.Cells()}, words)
	}
}

// fetchRows asks for the rows of words, and for the weights that these have.
func (s *cache) fetchRows(words []uint32) {
	for _, w := range words {
		rows := s.lists.Rows[s.lists.Starts[w]:s.lists.Starts[w+1]]
		if s.halves.Data != nil {
			simd.PrefetchHalves(s.halves, rows, s.values.Cols)
		} else {
			simd.Prefetch(s.input.Data, s.input.Stride, rows, s.values.Cols)
		}
		if s.weighing != nil {
			simd.PrefetchAt(s.weighing.weights, s.weighing.of(w))
		}
	}
}
