package trial

import (
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Definition is the vector of a word, or, without numbers, of none, straight from what the
// parts of a set mean, in float64 and with nothing shared.
func Definition(s *vectors.Set, word string) []float64 {
	rows, projection, factored := s.Input().Factors()
	if !factored {
		rows = s.Input()
	}
	id, known := s.ID(word)
	sum, n := make([]float64, rows.Cols), 0
	add := func(row []float32, weight float64) {
		for k, x := range row {
			sum[k] += weight * float64(x)
		}
	}
	var appended []float64
	switch sub := s.Subword().(type) {
	case subword.Weigher:
		pieces, importances := sub.Append(nil, word), sub.AppendImportances(nil, word)
		_, hashes := sub.ImportanceShape()
		if sub.Appended() > 0 {
			appended = make([]float64, hashes)
		}
		for i, importance := range importances {
			if i == 0 && !known && len(importances) > 1 {
				continue
			}
			n++
			for j := range hashes {
				weight := float64(s.Matrix(vectors.MatrixImportance).Row(int(importance))[j])
				add(rows.Row(int(pieces[i*hashes+j])), weight)
				if sub.Appended() > 0 {
					appended[j] += weight
				}
			}
		}
	case nil:
		if !known {
			return nil
		}
		add(rows.Row(s.OwnRow(id)), 1)
		n++
	default:
		if known && s.Composition() == subword.Mean {
			add(rows.Row(s.OwnRow(id)), 1)
			n++
		}
		for _, bucket := range sub.Append(nil, word) {
			n++
			if r := s.BucketRow(bucket); r >= 0 {
				add(rows.Row(r), 1)
			}
		}
	}
	if n == 0 && !known {
		return nil
	}
	if factored {
		all := sum
		sum = make([]float64, projection.Cols)
		for h, x := range all {
			for k, y := range projection.Row(h) {
				sum[k] += x * float64(y)
			}
		}
	}
	sum = append(sum, appended...)
	for k := range sum {
		sum[k] /= max(1, float64(n))
	}
	return sum
}
