package vectors

import (
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A composer is the memory that composing vectors takes.
type composer struct {
	buckets, rows []uint32
	weights       []float32 // of rows, in hash embeddings
	appended      []float32 // the dimensions that are means of weights
	cells         []float32 // the weights of a piece
	own           [1]uint32
	ones          []float32 // the weight of each row elsewhere
	read          []float32 // rows, one after the other
	all           []uint32  // the numbers of these
}

// word writes the vector of word id to dst.
func (c *composer) word(dst []float32, s *Set, id int) {
	if v := c.view(dst, s, id); len(v) > 0 && &v[0] != &dst[0] {
		copy(dst, v)
	}
}

// view returns the vector of word id, in scratch where it has to be made.
func (c *composer) view(scratch []float32, s *Set, id int) []float32 {
	if s.composition == subword.Weighted {
		c.composeWeighted(scratch, s, s.words.At(id), true)
		return scratch
	}
	if s.Composes() {
		c.compose(scratch, s, c.ownRow(s, id), s.words.At(id))
		return scratch
	}
	if r := s.ownRow(id); r < s.input.Rows {
		return s.input.view(scratch, r)
	}
	clear(scratch)
	return scratch
}

// ownRow returns the row of word id itself, none if words have none.
func (c *composer) ownRow(s *Set, id int) []uint32 {
	if s.composition == subword.Pieces {
		return nil
	}
	c.own[0] = uint32(s.ownRow(id))
	return c.own[:]
}

// unknown writes the vector of a word that is not in the vocabulary to dst, and returns
// of how many pieces it is made: none if all have weights of 0.
func (c *composer) unknown(dst []float32, s *Set, word string) int {
	if s.composition != subword.Weighted {
		return c.compose(dst, s, nil, word)
	}
	n := c.composeWeighted(dst, s, word, false)
	if !slices.ContainsFunc(c.weights, func(x float32) bool { return x != 0 }) {
		return 0 // of pieces that nobody trained
	}
	return n
}

// compose writes the mean of the given rows and those of the word's n-grams to
// dst, and returns of how many. Buckets that were never trained count, and add
// nothing.
func (c *composer) compose(dst []float32, s *Set, rows []uint32, word string) int {
	n := c.list(s, rows, word)
	c.sum(dst, s.input, c.rows, nil)
	if n > 0 { // the sum first: so fastText rounds
		scale(dst, 1/float32(n))
		if !isFinite(dst) {
			carefully(dst, s.input, c.rows, nil, nil, n)
		}
	}
	return n
}

// NgramVector writes the mean of the rows of a word's n-grams to dst, as if the word were in no
// vocabulary, and returns how many n-grams there are; without any, dst is all zeros.
func (s *Set) NgramVector(dst []float32, word string) (n int) {
	s.file.Guard(func() {
		if s.subword != nil {
			var c composer
			n = c.compose(dst, s, nil, word)
		}
	})
	if n == 0 {
		clear(dst)
	}
	return n
}

// list makes c.rows the given rows and those of the word's n-grams, as far as there
// are any, and returns of how many their mean is the mean.
func (c *composer) list(s *Set, rows []uint32, word string) int {
	c.rows = c.rows[:0]
	return c.listMore(s, rows, word)
}

// listMore is list that leaves what is in c.rows.
func (c *composer) listMore(s *Set, rows []uint32, word string) int {
	c.buckets = s.subword.Append(c.buckets[:0], word)
	for _, r := range rows {
		if int64(r) < int64(s.input.Rows) {
			c.rows = append(c.rows, r)
		}
	}
	for _, b := range c.buckets {
		if r := s.bucketRow(b); r >= 0 {
			c.rows = append(c.rows, uint32(r))
		}
	}
	return len(rows) + len(c.buckets)
}

// composeWeighted writes the vector of a word of hash embeddings to dst, and returns of
// how many pieces.
func (c *composer) composeWeighted(dst []float32, s *Set, word string, known bool) int {
	c.rows, c.weights, c.appended = c.rows[:0], c.weights[:0], c.appended[:0]
	n := c.listWeighted(s, word, known)
	c.sum(dst[:s.input.Cols], s.input, c.rows, c.weights)
	copy(dst[s.input.Cols:], c.appended)
	return n
}

// listWeighted adds to c.rows and c.weights the rows of the pieces of a word of hash
// embeddings, and to c.appended, which is made if it is empty, the means of their weights.
// It returns how many pieces there are. A word that is not known and has n-grams is made
// of these alone: nobody trained the weights of the whole of it.
func (c *composer) listWeighted(s *Set, word string, known bool) int {
	weigher, _ := s.subword.(subword.Weigher) // as has been checked
	matrix := s.Matrix(MatrixImportance)
	each := matrix.Cols // rows of a piece
	c.buckets = weigher.Append(c.buckets[:0], word)
	rows := len(c.buckets)
	c.buckets = weigher.AppendImportances(c.buckets, word)
	pieces, importances := c.buckets[:rows], c.buckets[rows:]
	if !known && len(importances) > 1 {
		pieces, importances = pieces[each:], importances[1:]
	}
	appends := weigher.Appended() > 0
	if len(c.appended) == 0 && appends {
		c.appended = append(c.appended, make([]float32, each)...)
	}
	c.cells = slices.Grow(c.cells[:0], each)[:each]
	mean := 1 / float32(len(importances))
	for i, r := range importances {
		for j, x := range matrix.view(c.cells, int(r)) {
			c.rows = append(c.rows, pieces[i*each+j])
			c.weights = append(c.weights, mean*x)
			if appends {
				c.appended[j] += mean * x
			}
		}
	}
	return len(importances)
}

// sum writes the sum of rows of m, each times its weight, to dst; without weights as they
// are.
func (c *composer) sum(dst []float32, m Matrix, rows []uint32, weights []float32) {
	if adds, ok := m.Storage.(rowAdder); ok {
		clear(dst)
		adds.AddRows(dst, rows, weights)
		return
	}
	if weights == nil {
		for len(c.ones) < len(rows) {
			c.ones = append(c.ones, 1)
		}
		weights = c.ones[:len(rows)]
	}
	if m.Storage == nil {
		simd.Gather(dst, m.Data, m.Stride, rows, weights)
		return
	}
	c.sumRead(dst, m, rows[:min(readRows, len(rows))], weights)
	for first := readRows; first < len(rows); first += readRows {
		last := min(first+readRows, len(rows))
		more := make([]float32, len(dst))
		c.sumRead(more, m, rows[first:last], weights[first:last])
		for k, x := range more {
			dst[k] += x
		}
	}
}

// Sum writes the sum of rows of m, each times its weight, to dst; without weights as they
// are.
func (m Matrix) Sum(dst []float32, rows []uint32, weights []float32) {
	summed := false
	m.behind.Guard(func() {
		var c composer
		c.sum(dst, m, rows, weights)
		summed = true
	})
	if !summed {
		clear(dst)
	}
}

// AppendRows appends the numbers of the input rows of which the vector of word id is the mean,
// or the sum of which it is made.
func (s *Set) AppendRows(rows []uint32, id int) []uint32 {
	c := composer{rows: rows}
	s.file.Guard(func() { c.listMore(s, c.ownRow(s, id), s.words.At(id)) })
	return c.rows
}

// readRows is how many rows are read before they are added up: all of a word, but for
// words that are no words.
const readRows = 1024

// sumRead is sum for rows that have to be read, which are added up by the same kernel as
// those in memory are, so that vectors do not depend on where their rows are.
func (c *composer) sumRead(dst []float32, m Matrix, rows []uint32, weights []float32) {
	n := len(dst)
	c.read, c.all = slices.Grow(c.read[:0], n*len(rows))[:n*len(rows)], c.all[:0]
	for i, r := range rows {
		m.Storage.Read(c.read[i*n:(i+1)*n], int(r))
		c.all = append(c.all, uint32(i))
	}
	simd.Gather(dst, c.read, n, c.all, weights[:len(rows)])
}

// scale multiplies a row by a number.
func scale(row []float32, by float32) {
	for k := range row {
		row[k] *= by
	}
}

// Composes tells whether words' vectors are made of several rows.
func (s *Set) Composes() bool { return s.subword != nil && s.composition != subword.Whole }

// OwnRow returns the input row of word id itself, which in a file that was not
// checked may be none of the matrix: then it is the number of its rows.
func (s *Set) OwnRow(id int) (row int) {
	if s.wordRows == nil {
		return id
	}
	s.file.Guard(func() { row = s.ownRow(id) })
	return row
}

// ownRow is OwnRow where faults are looked after.
func (s *Set) ownRow(id int) int {
	if s.wordRows == nil {
		return id
	}
	return int(min(int64(s.wordRows[id]), int64(s.input.Rows))) // 32 bits may not hold it
}

// firstBucket is the row of bucket 0 where BucketRow does not say.
func (s *Set) firstBucket() int {
	if !s.composition.OwnRows() {
		return 0
	}
	return s.Len()
}

// BucketRow is the input row of bucket b, -1 if it was never trained.
func (s *Set) BucketRow(b uint32) (row int) {
	if s.bucketRows == nil {
		return s.firstBucket() + int(b)
	}
	row = -1
	s.file.Guard(func() { row = s.bucketRow(b) })
	return row
}

// bucketRow is BucketRow where faults are looked after.
func (s *Set) bucketRow(b uint32) int {
	if s.bucketRows == nil {
		return s.firstBucket() + int(b)
	}
	if r := int(s.bucketRows[b]); r < s.input.Rows {
		return max(r, -1)
	}
	return -1 // in a file that was not checked
}

// Sentence writes the vector of a sentence to dst, which has Dim numbers, and returns how
// many of the tokens have a part in it; if none has, dst is all zeros. The vector is what
// CBOW predicts from when all of the tokens are contexts: the mean of their vectors and,
// in a set with rows of word n-grams, of the rows of its runs of tokens.
//
// A token that is not in the vocabulary is composed of its n-grams, and has no part in the
// mean if there are none. It is in no run, and those before and behind it are neighbours:
// so training sees sentences too. Position weights have no part, for no position is the
// centre's.
func (s *Set) Sentence(dst []float32, tokens []string) (used int) {
	found := make([]Token, len(tokens))
	for i, token := range tokens {
		found[i] = s.Token(token)
	}
	return s.SentenceOf(dst, found)
}

// A Token is a word and where it is in the vocabulary of a set: who looks words up for other reasons
// has SentenceOf look them up no more.
type Token struct {
	Word string
	ID   int // -1 if it is not in the vocabulary
}

// Token returns a word with its place in the vocabulary.
func (s *Set) Token(word string) Token {
	if id, known := s.ID(word); known {
		return Token{word, id}
	}
	return Token{word, -1}
}

// SentenceOf is Sentence for tokens that have been looked up in this set.
func (s *Set) SentenceOf(dst []float32, tokens []Token) (used int) {
	s.file.Guard(func() { used = s.sentence(dst, tokens) })
	if used == 0 {
		clear(dst)
	}
	return used
}

// sentence is Sentence where faults are looked after.
func (s *Set) sentence(dst []float32, tokens []Token) (used int) {
	c := composer{weights: []float32{}} // not nil: every row has a weight
	runs := s.wordNgrams(s.Matrix(MatrixWordNgrams))
	var hashes []uint64
	for _, token := range tokens {
		known := token.ID >= 0
		if c.add(s, token.Word, token.ID, known) {
			used++
		}
		if known && runs.Buckets > 0 {
			hashes = append(hashes, runs.Hash(token.Word))
		}
	}
	clear(dst)
	if used == 0 {
		return 0
	}
	rows, projection := s.rowSpace()
	sum := dst
	if projection != nil {
		sum = make([]float32, rows.Cols)
	}
	c.sum(sum[:rows.Cols], rows, c.rows, c.weights)
	copy(sum[rows.Cols:], c.appended)
	parts := used
	var ofRuns []uint32
	if runs.Buckets > 0 {
		ofRuns = runs.Append(nil, hashes)
		of := make([]float32, s.Matrix(MatrixWordNgrams).Cols)
		c.sum(of, s.Matrix(MatrixWordNgrams), ofRuns, nil)
		for k, x := range of {
			sum[k] += x
		}
		parts += len(ofRuns)
	}
	scale(sum, 1/float32(parts))
	if !isFinite(sum) {
		more := make([]float64, len(sum))
		for _, r := range ofRuns {
			for k, x := range s.Matrix(MatrixWordNgrams).row(int(r)) {
				more[k] += float64(x)
			}
		}
		for k, x := range c.appended {
			more[rows.Cols+k] += float64(x)
		}
		carefully(sum, rows, c.rows, c.weights, more, parts)
	}
	if projection != nil {
		projection.multiply(dst, sum)
	}
	return used
}

// rowSpace returns the rows that vectors are sums of, and what the sums are multiplied by,
// nil for nothing.
func (s *Set) rowSpace() (Matrix, *product) {
	if p, ok := s.input.Storage.(*product); ok {
		return p.rows, p
	}
	return s.input, nil
}

// add adds to c.rows and c.weights what the vector of a token is the sum of, and tells
// whether it has one.
func (c *composer) add(s *Set, token string, id int, known bool) bool {
	var rows []uint32
	if known {
		rows = c.ownRow(s, id)
	}
	n := len(rows)
	switch first := len(c.rows); {
	case s.composition == subword.Weighted:
		n = c.listWeighted(s, token, known)
		if !known && !slices.ContainsFunc(c.weights[first:], func(x float32) bool { return x != 0 }) {
			c.rows, c.weights = c.rows[:first], c.weights[:first]
			n = 0 // of pieces that nobody trained, as for Vector
		}
	case s.subword != nil && (!known || s.Composes()):
		n = c.listMore(s, rows, token)
		for range c.rows[first:] {
			c.weights = append(c.weights, 1/float32(n))
		}
	case known && int64(rows[0]) < int64(s.input.Rows):
		c.rows, c.weights = append(c.rows, rows[0]), append(c.weights, 1)
	}
	return n > 0
}

// EachRow calls visit with every row of m, which belongs to s. It is valid during
// the call. A row that cannot be read ends it with the error.
func (s *Set) EachRow(m Matrix, visit func(r int, row []float32) error) error {
	return s.file.Guarded(func() error {
		if m.Rows == 0 {
			return nil // whatever the number of columns is claimed to be
		}
		scratch := make([]float32, m.Cols)
		for r := range m.Rows {
			row := m.view(scratch, r)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(r, row); err != nil {
				return err
			}
			s.file.Saw(4 * int64(m.Cols))
		}
		return nil
	})
}

// EachVector calls visit with the vector of every word, as EachRow does.
func (s *Set) EachVector(visit func(id int, vector []float32) error) error {
	return s.file.Guarded(func() error {
		scratch := make([]float32, s.Dim())
		var c composer
		for id := range s.Len() {
			vector := c.view(scratch, s, id)
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(id, vector); err != nil {
				return err
			}
			s.file.Saw(c.looked(s))
		}
		return nil
	})
}

// EachBucket calls visit with the rows of the first n buckets of n-grams, zeros for
// one that was never trained, as EachRow does.
func (s *Set) EachBucket(n int, visit func(row []float32) error) error {
	return s.file.Guarded(func() error {
		scratch := make([]float32, s.input.Cols)
		for b := range n {
			row := scratch
			if r := s.bucketRow(uint32(b)); r >= 0 {
				row = s.input.view(scratch, r)
			} else {
				clear(scratch)
			}
			if err := s.Err(); err != nil {
				return err
			}
			if err := visit(row); err != nil {
				return err
			}
			if s.bucketRows == nil {
				s.file.Saw(4 * int64(s.Dim()))
			} else {
				s.file.Saw(backing.Page)
			}
		}
		return nil
	})
}

// looked is about how many bytes of a mapped file have come into memory for the last
// vector of s that was made.
func (c *composer) looked(s *Set) int64 {
	if _, ok := s.input.Storage.(interface{ Unmapped() }); ok { // reading brings nothing of a mapped file into memory
		return 0
	}
	return max(4*int64(s.Dim()), int64(len(c.rows))*backing.Page)
}
