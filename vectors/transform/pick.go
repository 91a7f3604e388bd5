package vectors

import (
	"cmp"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Top returns the n most frequent words of s, in their order. Of words that are
// equally frequent the first ones count, and where counts are not known the first n
// words do: files begin with what is frequent. N-grams stay, all of them, those of words
// too, and so do context vectors, but for the nodes of hierarchical softmax, whose tree is
// that of all words. Rows are read when they are asked for. If s has no more than n
// words, it is s.
func (s *Set) Top(n int) *Set {
	top := s
	s.file.Guard(func() { top = s.top(n) })
	return top
}

// top is Top where faults are looked after.
func (s *Set) top(n int) *Set {
	n = max(n, 0)
	if n >= s.Len() {
		return s
	}
	ids := make([]uint32, s.Len())
	for id := range ids {
		ids[id] = uint32(id)
	}
	if s.counts != nil {
		slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(s.counts[b], s.counts[a]) })
	}
	ids = slices.Clone(ids[:n])
	slices.Sort(ids)
	return s.pick(ids)
}

// pick returns the set of the words of these ids, in their order. N-grams stay, and
// rows that none of them needs go. Where rows are read one after the other, ids rise.
func (s *Set) pick(ids []uint32) *Set {
	p := s.chosen(ids)
	p.words = s.words.pick(ids)
	p.subword, p.composition = s.subword, s.composition
	for _, m := range s.matrices {
		p.put(m.Name, kindOf(m.Name).picked(s, m.Matrix, ids))
	}
	context, made := p.madeOutput()
	switch {
	case made:
		p.output = context
	case s.output.Rows > 0 && !s.outputIsInput():
		p.output = s.output.pick(ids, 0, 0, s.file)
	}
	switch {
	case s.subword != nil && s.pieces(): // words have no rows
		p.input, p.bucketRows = s.input, s.bucketRows
	case s.subword == nil && s.wordRows == nil:
		p.input = s.input.pick(ids, 0, 0, s.file)
	case s.wordRows == nil && s.bucketRows == nil:
		p.input = s.input.pick(ids, s.firstBucket(), s.subword.Rows(), s.file)
	default:
		s.pickShared(p, ids)
	}
	if s.outputIsInput() {
		p.output = p.input
	}
	return p
}

// pickShared gives p, which has the words of these ids, the rows that they and the
// buckets share in s. What is no row of s is none of p.
func (s *Set) pickShared(p *Set, ids []uint32) {
	const unused, used = 0, 1
	number := make([]uint32, s.input.Rows) // of the row in p, and 1
	for _, id := range ids {
		if r := s.OwnRow(int(id)); r < len(number) {
			number[r] = used
		}
	}
	buckets := 0
	if s.subword != nil {
		buckets = s.subword.Rows()
	}
	for b := range buckets {
		if r := s.BucketRow(uint32(b)); r >= 0 {
			number[r] = used
		}
	}
	var rows []uint32
	for r, n := range number {
		if n != unused {
			rows = append(rows, uint32(r))
			number[r] = uint32(len(rows))
		}
	}
	p.input = s.input.pick(rows, 0, 0, s.file)
	p.wordRows = make([]uint32, len(ids))
	for i, id := range ids {
		p.wordRows[i] = math.MaxUint32
		if r := s.OwnRow(int(id)); r < len(number) {
			p.wordRows[i] = number[r] - 1
		}
	}
	if s.subword == nil {
		return
	}
	p.bucketRows = make([]int32, buckets)
	for b := range p.bucketRows {
		p.bucketRows[b] = -1
		if r := s.BucketRow(uint32(b)); r >= 0 {
			p.bucketRows[b] = int32(number[r]) - 1
		}
	}
}

// pick returns the matrix of these rows, in their order, and of n more from row first
// on.
func (m Matrix) pick(rows []uint32, first, n int, behind *backing.File) Matrix {
	switch from := m.Storage.(type) {
	case *product: // so that they stay factors
		return from.with(from.rows.pick(rows, first, n, behind))
	case rounded: // so that writing finds what is too large
		return from.source.pick(rows, first, n, behind).withDType(from.d)
	case picker: // so that rows stay as small as they are
		all := slices.Grow(slices.Clone(rows), n)
		for r := range n {
			all = append(all, uint32(first+r))
		}
		return Stored(len(all), m.Cols, from.Pick(all))
	}
	return Stored(len(rows)+n, m.Cols, pickedRows{m, rows, first, behind})
}

// A picker is a storage of which some rows can be stored in the same way.
type picker interface {
	Pick(rows []uint32) coded.Rows
}

type pickedRows struct {
	of     Matrix
	rows   []uint32
	first  int // of those behind rows
	behind *backing.File
}

func (m pickedRows) Read(dst []float32, r int) {
	m.behind.Saw(page) // they may be far apart
	if r < len(m.rows) {
		m.of.Read(dst, int(m.rows[r]))
		return
	}
	m.of.Read(dst, m.first+r-len(m.rows))
}

func (m pickedRows) DType() DType { return m.of.DType() }
