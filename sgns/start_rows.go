package sgns

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// An inputRows takes the input rows of a run from the vectors that it starts from.
type inputRows struct {
	*start
	table *subword.Table
	rows  vectors.Matrix // of the run
}

// take takes them.
func (s inputRows) take() error {
	switch {
	case s.table.Cells() != nil: // rows are those of a pool, whatever the words are
		return s.pool()
	case s.table.WordRow == nil: // words are made of pieces alone
		return s.buckets()
	case s.own:
		if err := s.ownRows(); err != nil {
			return err
		}
		return s.buckets()
	}
	if err := s.composed(); err != nil || s.table.Identity() {
		return err
	}
	if !s.share {
		s.means()
	} else if err := s.buckets(); err != nil {
		return err
	}
	s.differences()
	return nil
}

// pool takes all rows.
func (s inputRows) pool() error {
	for r := range s.rows.Rows {
		if err := s.read(s.rows.Row(r), r, func() string { return fmt.Sprintf("row %d of the pool", r) }); err != nil {
			return err
		}
	}
	return nil
}

// ownRows takes the rows of known words themselves.
func (s inputRows) ownRows() error {
	return s.known(func(w, id int) error {
		return s.read(s.rows.Row(int(s.table.WordRow[w])), s.wordRow(id), func() string { return s.word(id) })
	})
}

// composed makes the rows of known words themselves the vectors of these words.
func (s inputRows) composed() error {
	return s.known(func(w, id int) error {
		row := s.rows.Row(int(s.table.WordRow[w]))
		s.unprojected.WordVector(row, id)
		return s.readable(row, "vector", func() string { return s.word(id) })
	})
}

// buckets takes the rows of buckets. Those of one row are all alike.
func (s inputRows) buckets() error {
	done := make([]bool, s.rows.Rows)
	for b, row := range s.table.BucketRow {
		if row < 0 || done[row] {
			continue
		}
		done[row] = true
		to := s.rows.Row(int(row))
		r := s.bucketRow(b)
		if r < 0 {
			clear(to)
			continue
		}
		if err := s.read(to, r, func() string { return fmt.Sprintf("n-gram bucket %d", b) }); err != nil {
			return err
		}
	}
	return nil
}

// means makes every row of n-grams the mean of the known words that have them, whose
// vectors are in their own rows. Those of new words alone stay.
func (s inputRows) means() {
	users := make([]float32, s.rows.Rows)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := s.table.WordRow[w]
		vector := s.rows.Row(int(own))
		rows, _ := s.table.Of(uint32(w))
		for _, r := range rows {
			if r == own {
				continue
			}
			sum := s.rows.Row(int(r))
			if users[r] == 0 {
				clear(sum)
			}
			users[r]++
			for k, x := range vector {
				sum[k] += x
			}
		}
	}
	for r, n := range users {
		if n == 0 {
			continue
		}
		row := s.rows.Row(r)
		for k := range row {
			row[k] /= n
		}
	}
}

// differences gives the own row of every known word, in which its vector is, what this
// lacks of the vector being that of the word. No other word has that row.
func (s inputRows) differences() {
	rest := make([]float64, s.rows.Cols)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := s.table.WordRow[w]
		row := s.rows.Row(int(own))
		for k, x := range row {
			rest[k] = float64(x)
		}
		var times float64
		rows, weights := s.table.Of(uint32(w))
		for i, r := range rows {
			weight := float64(weights[i])
			if r == own {
				times += weight
				continue
			}
			for k, x := range s.rows.Row(int(r)) {
				rest[k] -= weight * float64(x)
			}
		}
		for k, x := range rest {
			row[k] = float32(x / times)
		}
	}
}
