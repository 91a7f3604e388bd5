package vectors

// Whole returns s with words whose rows are their whole vectors, n-grams and all, as
// finalfusion has them: n-grams are for other words alone. Every word keeps its
// vector. Rows are made when they are asked for. A set in which words have no rows of
// their own with n-grams to put into them is s.
func (s *Set) Whole() *Set {
	if s.Subword == nil || s.Composition != ComposeMean || s.Len() == 0 {
		return s
	}
	words := s.wordVectors()
	w := s.plainWith(stored(s.Len()+s.Input.Rows, s.Dim(), wholeRows{words, s.Input}), s.Output)
	w.Subword, w.Composition = s.Subword, ComposeWhole
	w.WordNgrams, w.PositionOutput, w.Nodes = s.wordNgramVectors(), s.PositionOutput, s.Nodes
	w.BucketRow = make([]int32, s.Subword.Rows())
	for b := range w.BucketRow {
		w.BucketRow[b] = -1
		if r := s.bucketRow(uint32(b)); r >= 0 {
			w.BucketRow[b] = int32(s.Len() + r)
		}
	}
	return w
}

// wholeRows are the vectors of words, and behind them the rows that they and n-grams
// are made of.
type wholeRows struct{ words, rows Matrix }

func (m wholeRows) Read(dst []float32, r int) {
	if r < m.words.Rows {
		m.words.Read(dst, r)
		return
	}
	m.rows.Read(dst, r-m.words.Rows)
}
