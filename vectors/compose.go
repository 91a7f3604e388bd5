package vectors

import (
	"iter"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

type composer struct {
	terms    subword.Terms
	rows     []uint32
	weights  []float32 // of rows; empty if all weigh the same
	appended []float32 // the last dimensions, which are means of learned numbers
	cells    []float32 // a row of learned numbers
	ones     []float32 // a weight of 1 for each row
	read     []float32 // rows that were read, one after the other
	all      []uint32  // the numbers of the rows in read
}

// noWord is the id of a word that is not in the vocabulary.
const noWord = -1

func (c *composer) word(dst []float32, s *Set, id int) {
	if v := c.view(dst, s, id); len(v) > 0 && &v[0] != &dst[0] {
		copy(dst, v)
	}
}

// view returns the vector of word id. It is computed into scratch if it is not in memory.
func (c *composer) view(scratch []float32, s *Set, id int) []float32 {
	if s.Composes() {
		c.compose(scratch, s, id, s.parts.Words.At(id))
		return scratch
	}
	if r := s.ownRow(id); r < s.parts.Input.Rows {
		return s.parts.Input.view(scratch, r)
	}
	clear(scratch)
	return scratch
}

// unknown writes the vector of an unknown word to dst. It returns the number of pieces, 0 if none was trained.
func (c *composer) unknown(dst []float32, s *Set, word string) int {
	n := c.compose(dst, s, noWord, word)
	if c.untrained(s, 0) {
		return 0
	}
	return n
}

func (c *composer) untrained(s *Set, first int) bool {
	return s.Learned().Any() && !slices.ContainsFunc(c.weights[first:], func(x float32) bool { return x != 0 })
}

// compose writes the vector of a word with this id to dst, and returns the number of pieces that the vector
// is made of. Buckets that were never trained count as pieces and add nothing.
func (c *composer) compose(dst []float32, s *Set, id int, word string) int {
	c.rows, c.weights, c.appended = c.rows[:0], c.weights[:0], c.appended[:0]
	n := c.list(s, id, word)
	if s.Learned().Any() {
		c.sum(dst[:s.parts.Input.Cols], s.parts.Input, c.rows, c.weights)
		copy(dst[s.parts.Input.Cols:], c.appended)
		return n
	}
	c.sum(dst, s.parts.Input, c.rows, nil)
	if n > 0 { // fastText rounds like this: it sums first, and then divides
		scale(dst, 1/float32(n))
		if !Finite(dst) {
			carefully(dst, s.parts.Input, c.rows, nil, nil, n)
		}
	}
	return n
}

// list appends to c.rows the existing rows that the vector of a word is made of, and returns the number of
// pieces. If learned numbers multiply the rows, list appends these numbers, divided by the number of pieces,
// to c.weights, and sets c.appended to the means of their columns; it allocates c.appended if that is empty.
func (c *composer) list(s *Set, id int, word string) int {
	t := &c.terms
	s.of().Terms(t, s.parts.Subword, word, id >= 0)
	learned := s.Learned()
	if !learned.Any() {
		if t.Own {
			if r := s.ownRow(id); r < s.parts.Input.Rows {
				c.rows = append(c.rows, uint32(r))
			}
		}
		for _, b := range t.Buckets {
			if r := s.bucketRow(b); r >= 0 {
				c.rows = append(c.rows, uint32(r))
			}
		}
		return t.Pieces
	}
	if len(c.appended) == 0 {
		c.appended = append(c.appended, make([]float32, learned.Appended)...)
	}
	matrix := s.Matrix(learned.Name)
	c.cells = slices.Grow(c.cells[:0], matrix.Cols)[:matrix.Cols]
	var numbers []float32 // of the row of a cell
	mean, read := 1/float32(t.Pieces), -1
	for i, cell := range t.Cells {
		row, col := int(cell)/matrix.Cols, int(cell)%matrix.Cols
		if row != read {
			numbers, read = matrix.view(c.cells, row), row
		}
		weight := mean * numbers[col]
		c.rows, c.weights = append(c.rows, t.Buckets[i]), append(c.weights, weight)
		if learned.Appended > 0 {
			c.appended[col] += weight
		}
	}
	return t.Pieces
}

// NgramVector writes the mean of the rows of a word's n-grams to dst, as if the word were not in the
// vocabulary, and returns the number of n-grams. A word without n-grams gives all zeros.
func (s *Set) NgramVector(dst []float32, word string) (n int) {
	s.file.Guard(func() {
		if s.parts.Subword != nil {
			var c composer
			n = c.compose(dst, s, noWord, word)
		}
	})
	if n == 0 {
		clear(dst)
	}
	return n
}

// NgramWeights returns the learned weights of a word's n-grams, in the order of Subword().Ngrams. The weight
// multiplies the row of the n-gram's bucket. It returns nil if all rows weigh the same.
func (s *Set) NgramWeights(word string) (weights []float32) {
	s.file.Guard(func() {
		learned := s.Learned()
		if !learned.Any() {
			return
		}
		var t subword.Terms
		s.of().Terms(&t, s.parts.Subword, word, true)
		matrix := s.Matrix(learned.Name)
		for _, cell := range t.Cells {
			weights = append(weights, matrix.Row(int(cell) / matrix.Cols)[int(cell)%matrix.Cols])
		}
	})
	return weights
}

// sum writes the weighted sum of rows of m to dst. Without weights, each row weighs 1.
func (c *composer) sum(dst []float32, m Matrix, rows []uint32, weights []float32) {
	if sums, ok := m.Storage.(rowSummer); ok {
		sums.SumRows(dst, rows, weights)
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

// Sum writes the weighted sum of rows of m to dst. Without weights, each row weighs 1.
func (m Matrix) Sum(dst []float32, rows []uint32, weights []float32) {
	fill(m.behind, dst, func() { new(composer).sum(dst, m, rows, weights) })
}

// AppendRows appends the numbers of the input rows whose mean or sum is the vector of word id.
func (s *Set) AppendRows(rows []uint32, id int) []uint32 {
	c := composer{rows: rows}
	s.file.Guard(func() { c.list(s, id, s.parts.Words.At(id)) })
	return c.rows
}

// readRows is how many rows are read before they are added up. It is more than any real word has.
const readRows = 1024

// sumRead is sum for rows that are not in memory, by the same kernel, so that vectors are the same.
func (c *composer) sumRead(dst []float32, m Matrix, rows []uint32, weights []float32) {
	n := len(dst)
	c.read, c.all = slices.Grow(c.read[:0], n*len(rows))[:n*len(rows)], c.all[:0]
	for i, r := range rows {
		m.Storage.Read(c.read[i*n:(i+1)*n], int(r))
		c.all = append(c.all, uint32(i))
	}
	simd.Gather(dst, c.read, n, c.all, weights[:len(rows)])
}

func scale(row []float32, by float32) {
	for k := range row {
		row[k] *= by
	}
}

// of returns the set's composition, also for a Set that New did not make.
func (s *Set) of() subword.Composition {
	if s.parts.Composition == nil {
		return subword.CompositionOf(s.parts.Subword)
	}
	return s.parts.Composition
}

// Composes reports whether vectors of words in the vocabulary are made of the rows of their n-grams.
func (s *Set) Composes() bool { return s.parts.Subword != nil && s.of().Composes() }

// OwnRows reports whether each word of the vocabulary has an input row of its own.
func (s *Set) OwnRows() bool { return s.of().OwnRows() }

// Learned describes the learned numbers that multiply rows of n-grams. In a set without such numbers, vectors
// of words are plain means of rows.
func (s *Set) Learned() subword.Learned { return s.of().Learned(s.parts.Subword) }

// OwnRow returns the input row of word id. In a file that was not checked, the row number can be out of
// range; OwnRow then returns the number of rows.
func (s *Set) OwnRow(id int) int {
	if s.parts.WordRows == nil {
		return id
	}
	return guarded(s.file, func() int { return s.ownRow(id) })
}

func (s *Set) ownRow(id int) int {
	if s.parts.WordRows == nil {
		return id
	}
	return int(min(int64(s.parts.WordRows[id]), int64(s.parts.Input.Rows))) // the number may need more than 31 bits
}

// BucketRow returns the input row of bucket b, or -1 if the bucket was never trained.
func (s *Set) BucketRow(b uint32) (row int) {
	if s.parts.BucketRows == nil {
		return s.bucketRow(b)
	}
	row = -1
	s.file.Guard(func() { row = s.bucketRow(b) })
	return row
}

func (s *Set) bucketRow(b uint32) int {
	switch {
	case s.parts.BucketRows != nil:
		if r := int(s.parts.BucketRows[b]); r < s.parts.Input.Rows {
			return max(r, -1)
		}
		return -1 // out of range, in a file that was not checked
	case s.OwnRows():
		return s.Len() + int(b)
	}
	return int(b)
}

// Sentence writes the vector of a sentence to dst, which has Dim numbers, and returns how many tokens
// contribute to it; if none does, dst is all zeros. The vector is what CBOW predicts from when all tokens are
// contexts: the mean of their vectors and, in a set with rows of word n-grams, of the rows of these n-grams.
//
// A token that is not in the vocabulary is composed of its character n-grams; without n-grams it does not
// contribute. Word n-grams skip such a token: the tokens before and after it are neighbours, as in training.
// Position weights are not applied, because there is no centre word. Vectors of tokens are added in their order,
// in float32, so that a program may keep the vectors that SentenceOf returns for single tokens and add these.
func (s *Set) Sentence(dst []float32, tokens []string) (used int) {
	found := make([]Token, len(tokens))
	for i, token := range tokens {
		found[i] = s.Token(token)
	}
	return s.SentenceOf(dst, found)
}

// A Token is a word and its id. Callers that have looked a word up already pass it to SentenceOf, which does
// not look it up again.
type Token struct {
	Word string
	ID   int // -1 if it is not in the vocabulary
}

// Token looks a word up in the vocabulary.
func (s *Set) Token(word string) Token {
	id, _ := s.ID(word)
	return Token{word, id}
}

// SentenceOf is Sentence for tokens that have been looked up in this set.
func (s *Set) SentenceOf(dst []float32, tokens []Token) (used int) {
	s.file.Guard(func() { used = s.sentence(dst, tokens) })
	if used == 0 {
		clear(dst)
	}
	return used
}

func (s *Set) sentence(dst []float32, tokens []Token) (used int) {
	c := composer{weights: []float32{}} // not nil: every row gets a weight
	ngrams := s.Matrix(MatrixWordNgrams)
	runs := s.wordNgrams(ngrams)
	rows, projection := s.rowSpace()
	sum := dst
	if projection != nil {
		sum = make([]float32, rows.Cols)
	}
	clear(sum)
	together := s.parts.Subword == nil && rows.Storage == nil // each token is one row: the kernel adds them in this order
	var part []float32
	if !together {
		part = make([]float32, len(sum))
	}
	var hashes []uint64
	for _, token := range tokens {
		if !together {
			c.rows, c.weights = c.rows[:0], c.weights[:0]
			clear(c.appended)
		}
		if c.add(s, token) {
			used++
			if !together {
				c.sum(part[:rows.Cols], rows, c.rows, c.weights)
				copy(part[rows.Cols:], c.appended)
				for k, x := range part {
					sum[k] += x
				}
			}
		}
		if token.ID >= 0 && runs.Buckets > 0 {
			hashes = append(hashes, runs.Hash(token.Word))
		}
	}
	if used == 0 {
		clear(dst)
		return 0
	}
	if together {
		c.sum(sum, rows, c.rows, c.weights)
	}
	var ofRuns []uint32
	if runs.Buckets > 0 {
		ofRuns = runs.Append(nil, hashes)
		of := make([]float32, ngrams.Cols)
		c.sum(of, ngrams, ofRuns, nil)
		for k, x := range of {
			sum[k] += x
		}
	}
	parts := used + len(ofRuns)
	scale(sum, 1/float32(parts))
	if !Finite(sum) {
		s.sumCarefully(sum, tokens, ngrams, ofRuns, parts)
	}
	if projection != nil {
		projection.multiply(dst, sum)
	}
	return used
}

// sumCarefully sets sum to the mean of parts: of tokens, and of rows of word n-grams. See carefully.
func (s *Set) sumCarefully(sum []float32, tokens []Token, ngrams Matrix, ofRuns []uint32, parts int) {
	c := composer{weights: []float32{}}
	for _, token := range tokens {
		c.add(s, token)
	}
	rows, _ := s.rowSpace()
	more := make([]float64, len(sum))
	for _, r := range ofRuns {
		for k, x := range ngrams.row(int(r)) {
			more[k] += float64(x)
		}
	}
	for k, x := range c.appended {
		more[rows.Cols+k] += float64(x)
	}
	carefully(sum, rows, c.rows, c.weights, more, parts)
}

func (s *Set) rowSpace() (Matrix, *product) {
	if p, ok := s.parts.Input.Storage.(*product); ok {
		return p.rows, p
	}
	return s.parts.Input, nil
}

func (c *composer) add(s *Set, token Token) bool {
	first, known := len(c.rows), token.ID >= 0
	switch {
	case s.parts.Subword == nil && !known:
		return false
	case s.parts.Subword == nil || known && !s.Composes():
		if r := s.ownRow(token.ID); r < s.parts.Input.Rows {
			c.rows, c.weights = append(c.rows, uint32(r)), append(c.weights, 1)
		}
		return true
	}
	n := c.list(s, token.ID, token.Word)
	if !known && c.untrained(s, first) {
		c.rows, c.weights = c.rows[:first], c.weights[:first]
		return false // Vector has none either
	}
	for len(c.weights) < len(c.rows) {
		c.weights = append(c.weights, 1/float32(n))
	}
	return n > 0
}

// All yields every word's id and vector, which is valid until the next iteration. Iteration ends early if the
// file behind the set cannot be read: then Err returns the error.
func (s *Set) All() iter.Seq2[int, []float32] {
	return func(yield func(int, []float32) bool) {
		var c composer
		s.each(s.Len(), s.Dim(), func(dst []float32, id int) int64 {
			c.word(dst, s, id)
			return c.looked(s)
		})(yield)
	}
}

// RowsOf yields the rows of m, a matrix of s, in the way All yields vectors.
func (s *Set) RowsOf(m Matrix) iter.Seq2[int, []float32] {
	return s.each(m.Rows, m.Cols, func(dst []float32, r int) int64 {
		m.read(dst, r)
		return 4 * int64(m.Cols)
	})
}

// Buckets yields the rows of the first n buckets of n-grams, as All yields vectors; zeros for an untrained
// bucket.
func (s *Set) Buckets(n int) iter.Seq2[int, []float32] {
	return s.each(n, s.parts.Input.Cols, func(dst []float32, b int) int64 {
		if r := s.bucketRow(uint32(b)); r >= 0 {
			s.parts.Input.read(dst, r)
		} else {
			clear(dst)
		}
		if s.parts.BucketRows == nil {
			return 4 * int64(s.Dim())
		}
		return backing.Page
	})
}

// each yields n rows, which read writes to dst. Read returns about how many bytes of the file it has looked
// at.
func (s *Set) each(n, cols int, read func(dst []float32, r int) int64) iter.Seq2[int, []float32] {
	const block = 16 // rows that are read under one guard
	return func(yield func(int, []float32) bool) {
		rows := make([]float32, min(block, n)*cols)
		for first := 0; first < n; first += block {
			last := min(n, first+block)
			s.file.Guard(func() {
				for r := first; r < last && s.Err() == nil; r++ {
					s.file.Saw(read(rows[(r-first)*cols:][:cols], r))
				}
			})
			if s.Err() != nil {
				return
			}
			for r := first; r < last; r++ {
				if !yield(r, rows[(r-first)*cols:][:cols:cols]) {
					return
				}
			}
		}
	}
}

// looked is about how many bytes of a mapped file the last vector of s has brought into memory.
func (c *composer) looked(s *Set) int64 {
	if _, ok := s.parts.Input.Storage.(interface{ Unmapped() }); ok { // reading brings nothing of a mapped file into memory
		return 0
	}
	return max(4*int64(s.Dim()), int64(len(c.rows))*backing.Page)
}
