package transform

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Top returns the n most frequent words of s, in their order. Of equal counts, and without counts, the first
// words count as more frequent. All n-grams stay, and so do context vectors, except the nodes of hierarchical
// softmax, whose tree covers all words. If s has at most n words, Top returns s.
func Top(s *vectors.Set, n int) *vectors.Set {
	n = max(n, 0)
	if n >= s.Len() {
		return s
	}
	ids := make([]uint32, n)
	for i, id := range s.ByFrequency()[:n] {
		ids[i] = uint32(id)
	}
	slices.Sort(ids)
	top, _ := within(s, func() (*vectors.Set, []string) { return Pick(s, ids), nil })
	return top
}

// Pick returns the set of the words with these ids, in their order. N-grams stay. Rows that neither a word
// nor an n-gram needs are dropped. If rows are streamed, ids must rise.
func Pick(s *vectors.Set, ids []uint32) *vectors.Set {
	p := sibling(s)
	specials := p.Specials
	if p.Specials = slices.IndexFunc(ids, func(id uint32) bool { return int(id) >= specials }); p.Specials < 0 {
		p.Specials = len(ids)
	}
	if counts := s.Counts(); counts != nil {
		p.Counts = make([]uint64, len(ids))
		for i, id := range ids {
			p.Counts[i] = counts[id]
		}
	}
	var words vectors.WordsBuilder
	words.Grow(int64(len(ids)))
	for _, id := range ids {
		words.Add(s.Words().At(int(id)))
	}
	p.Words = words.Words()
	shared := s.SharedParts()
	p.Subword, p.Composition = shared.Subword, shared.Composition
	for _, m := range s.Matrices() {
		switch kind := m.Kind(); {
		case kind.Tree: // the tree covers all words
		case kind.ByWord: // row position·Len+word
			var rows []uint32
			for first := 0; s.Len() > 0 && first < m.Rows; first += s.Len() {
				for _, id := range ids {
					rows = append(rows, uint32(first)+id)
				}
			}
			p.Put(m.Name, pickRows(m.Matrix, rows, behind(s)))
		default:
			p.Put(m.Name, m.Matrix)
		}
	}
	context, derived := p.MadeOutput()
	switch {
	case derived:
		p.Output = context
	case s.Output().Rows > 0 && !outputIsInput(s):
		p.Output = pickRows(s.Output(), ids, behind(s))
	}
	switch {
	case s.Subword() != nil && !s.OwnRows(): // words have no rows
		p.Input, p.BucketRows = s.Input(), shared.BucketRows
	case s.Subword() == nil && shared.WordRows == nil:
		p.Input = pickRows(s.Input(), ids, behind(s))
	case shared.WordRows == nil && shared.BucketRows == nil:
		rows := slices.Grow(slices.Clone(ids), s.Subword().Rows())
		for b := range s.Subword().Rows() {
			rows = append(rows, uint32(s.Len()+b))
		}
		p.Input = pickRows(s.Input(), rows, behind(s))
	default:
		pickShared(s, &p, ids)
	}
	if outputIsInput(s) {
		p.Output = p.Input
	}
	return made(p)
}

// pickShared gives p, of these words, the rows that words and buckets share in s, except those out of range.
func pickShared(s *vectors.Set, p *vectors.Parts, ids []uint32) {
	needed := make([]bool, s.Input().Rows)
	need := func(r int) {
		if r >= 0 && r < len(needed) {
			needed[r] = true
		}
	}
	for _, id := range ids {
		need(s.OwnRow(int(id)))
	}
	for b := range bucketsOf(s) {
		need(s.BucketRow(uint32(b)))
	}
	became := make([]int32, len(needed)) // the row in p
	var rows []uint32
	for r := range became {
		if needed[r] {
			became[r] = int32(len(rows))
			rows = append(rows, uint32(r))
		}
	}
	p.Input = pickRows(s.Input(), rows, behind(s))
	p.WordRows = make([]uint32, len(ids))
	for i, id := range ids {
		p.WordRows[i] = math.MaxUint32
		if r := s.OwnRow(int(id)); r < len(became) {
			p.WordRows[i] = uint32(became[r])
		}
	}
	p.BucketRows = newBucketRows(s, became, nil)
}

func bucketsOf(s *vectors.Set) int {
	if s.Subword() == nil {
		return 0
	}
	return s.Subword().Rows()
}

func pickRows(m vectors.Matrix, rows []uint32, behind *backing.File) vectors.Matrix {
	if of, projection, ok := m.Factors(); ok { // keeps the factors
		return vectors.Product(pickRows(of, rows, behind), projection)
	}
	switch from := m.Storage.(type) {
	case rounded: // lets writing find numbers that are too large
		return withDType(pickRows(from.source, rows, behind), from.d)
	case interface {
		Pick(rows []uint32) coded.Rows
	}: // keeps rows as small as they are
		return vectors.Stored(len(rows), m.Cols, from.Pick(rows))
	}
	return vectors.Stored(len(rows), m.Cols, pickedRows{m, rows, behind})
}

type pickedRows struct {
	of     vectors.Matrix
	rows   []uint32
	behind *backing.File
}

func (m pickedRows) Read(dst []float32, r int) {
	m.behind.Saw(backing.Page) // rows may be far apart
	m.of.Read(dst, int(m.rows[r]))
}

func (m pickedRows) DType() vectors.DType { return m.of.DType() }
