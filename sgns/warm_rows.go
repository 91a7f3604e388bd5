package sgns

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// bucketRow returns the row of a bucket in the set, -1 if it has none.
func (s *start) bucketRow(b int) int {
	switch {
	case s.rows.BucketRows() != nil:
		return int(s.rows.BucketRows()[b])
	case s.rows.Composition() == vectors.ComposePieces:
		return b
	}
	return s.rows.Len() + b
}

// wordRow returns the row of a word's own vector in the set.
func (s *start) wordRow(id int) int {
	if s.rows.WordRows() != nil {
		return int(s.rows.WordRows()[id])
	}
	return id
}

// mark reads the rows of so many words of the run, which have rows of their own, and of
// buckets, in the order of the file as far as they are in one, so that the table of the
// run keeps apart what differs.
func (s *start) mark(words, buckets int) error {
	// A word's own row that is not one of the set's is like no bucket's.
	alone := subword.Mark{math.MaxUint64, math.MaxUint64}
	of := make([]subword.Mark, s.rows.Input().Rows)
	done := make([]bool, len(of))
	row := make([]float32, s.rows.Input().Cols)
	read := func(r int, name func() string) (subword.Mark, error) {
		if !done[r] {
			if err := s.read(row, r, name); err != nil {
				return alone, err
			}
			of[r], done[r] = markOf(row), true
		}
		return of[r], nil
	}
	s.marks = make([]subword.Mark, words+buckets)
	for w := range words {
		s.marks[w] = alone
	}
	if s.own {
		err := s.known(func(w, id int) (err error) {
			s.marks[w], err = read(s.wordRow(id), func() string { return s.word(id) })
			return err
		})
		if err != nil {
			return err
		}
	}
	for b := range buckets {
		r := s.bucketRow(b)
		if r < 0 {
			continue
		}
		mark, err := read(r, func() string { return fmt.Sprintf("n-gram bucket %d", b) })
		if err != nil {
			return err
		}
		s.marks[words+b] = mark
	}
	return s.from.Err()
}

// known calls visit with every word of the run that the set has, and its id there, by
// rising id.
func (s *start) known(visit func(w, id int) error) error {
	words := make([]int32, s.from.Len())
	for id := range words {
		words[id] = -1
	}
	for w, id := range s.id {
		if id >= 0 {
			words[id] = int32(w)
		}
	}
	for id, w := range words {
		if w < 0 {
			continue
		}
		if err := visit(int(w), id); err != nil {
			return err
		}
	}
	return nil
}

// word names a word of the set in an error.
func (s *start) word(id int) string { return fmt.Sprintf("%.40q", s.from.Words().At(id)) }

// read reads a row of the input matrix. name names it in an error.
func (s *start) read(dst []float32, r int, name func() string) error {
	s.rows.Input().Read(dst, r)
	return s.readable(dst, "vector", name)
}

// readable reports a row that could not be read, or not be trained.
func (s *start) readable(row []float32, kind string, name func() string) error {
	if err := s.from.Err(); err != nil {
		return err
	}
	if !finite(row) {
		return unfit("the %s of %s has a number that is not finite", kind, name())
	}
	return nil
}

// markOf returns a hash of a row, that of zeros if all are zeros.
func markOf(row []float32) (m subword.Mark) {
	zeros := true
	for _, x := range row {
		bits := uint64(math.Float32bits(x))
		m[0] = random.Mix(m[0] + bits + 1)
		m[1] = random.Mix(m[1] ^ bits<<32)
		zeros = zeros && x == 0
	}
	if zeros {
		return subword.Mark{}
	}
	return m
}

// fill sets the parameters, which have been initialised, to what they start as, and
// says which of them are frozen. It may be called again.
func (s *start) fill(p *parameters, freeze Freeze) error {
	for _, fill := range []func(*parameters) error{s.inputs, s.projection, s.positions, s.runs, s.outputs} {
		if err := fill(p); err != nil {
			return err
		}
	}
	if freeze == FreezeKnown {
		p.freeze(s.knownWords(), s.takes.outputs)
	}
	return nil
}

// inputs takes the input rows.
func (s *start) inputs(p *parameters) error {
	switch {
	case p.importance.Rows > 0:
		return s.pool(p)
	case p.table.WordRow == nil: // words are made of pieces alone
		return s.buckets(p)
	case s.own:
		if err := s.ownRows(p); err != nil {
			return err
		}
		return s.buckets(p)
	}
	if err := s.composed(p); err != nil || p.table.Identity() {
		return err
	}
	if !s.share {
		s.means(p)
	} else if err := s.buckets(p); err != nil {
		return err
	}
	s.differences(p)
	return nil
}

// ownRows takes the rows of known words themselves.
func (s *start) ownRows(p *parameters) error {
	return s.known(func(w, id int) error {
		return s.read(p.input.Row(int(p.table.WordRow[w])), s.wordRow(id), func() string { return s.word(id) })
	})
}

// composed makes the rows of known words themselves the vectors of these words.
func (s *start) composed(p *parameters) error {
	return s.known(func(w, id int) error {
		row := p.input.Row(int(p.table.WordRow[w]))
		s.rows.WordVector(row, id)
		return s.readable(row, "vector", func() string { return s.word(id) })
	})
}

// buckets takes the rows of buckets. Those of one row are all alike.
func (s *start) buckets(p *parameters) error {
	done := make([]bool, p.input.Rows)
	for b, row := range p.table.BucketRow {
		if row < 0 || done[row] {
			continue
		}
		done[row] = true
		to := p.input.Row(int(row))
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
func (s *start) means(p *parameters) {
	users := make([]float32, p.input.Rows)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := p.table.WordRow[w]
		vector := p.input.Row(int(own))
		rows, _ := p.table.Of(uint32(w))
		for _, r := range rows {
			if r == own {
				continue
			}
			sum := p.input.Row(int(r))
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
		row := p.input.Row(r)
		for k := range row {
			row[k] /= n
		}
	}
}

// differences gives the own row of every known word, in which its vector is, what this
// lacks of the vector being that of the word. No other word has that row.
func (s *start) differences(p *parameters) {
	rest := make([]float64, p.input.Cols)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := p.table.WordRow[w]
		row := p.input.Row(int(own))
		for k, x := range row {
			rest[k] = float64(x)
		}
		var times float64
		rows, weights := p.table.Of(uint32(w))
		for i, r := range rows {
			weight := float64(weights[i])
			if r == own {
				times += weight
				continue
			}
			for k, x := range p.input.Row(int(r)) {
				rest[k] -= weight * float64(x)
			}
		}
		for k, x := range rest {
			row[k] = float32(x / times)
		}
	}
}

// knownWords tells of each word of the run whether it is known.
func (s *start) knownWords() []bool {
	known := make([]bool, len(s.id))
	for w, id := range s.id {
		known[w] = id >= 0
	}
	return known
}

// freeze keeps the rows that these words are made of as they are, and their context
// vectors if these are to be kept too.
func (p *parameters) freeze(words []bool, contexts bool) {
	p.frozenInput = make([]bool, p.input.Rows)
	for w, frozen := range words {
		if !frozen {
			continue
		}
		rows, _ := p.table.Of(uint32(w))
		for _, r := range rows {
			p.frozenInput[r] = true
		}
	}
	if contexts {
		p.frozenOutput = words
	}
}
