package transform

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Who needs a row.
const (
	ownerNone uint8 = iota
	ownerBucket
	ownerWord // and perhaps buckets
)

// Rows of the source that are none of the result.
const (
	rowUnused int32 = -2 // nothing that is kept refers to it
	rowZeros  int32 = -1 // only buckets do, and it is zeros
)

// compact returns s with the rows that words and buckets need. In a set with subwords
// equal ones are one, and zeros of buckets are none. It tells whether there are zeros
// of words.
func compact(ctx context.Context, s *vectors.Set, opt QuantizeOptions) (kept *vectors.Set, zeros bool, err error) {
	if s.Composition() == subword.Weighted { // rows are where their hashes say
		zeros, err := inspect(ctx, s, s.Input(), opt, "input row")
		return made(withMatrices(s, s.Input(), s.Output())), zeros, err
	}
	if s.Subword() == nil && s.SharedParts().WordRows == nil {
		zeros, err := inspect(ctx, s, s.Input(), opt, "vector")
		return made(withMatrices(s, s.Input(), s.Output())), zeros, err
	}
	used := usedBuckets(s, opt.KeepUnused)
	owners := owners(s, used)
	became := make([]int32, len(owners))
	var rows []uint32 // of the source
	// A new row by what it holds. Two hashes of 128 bits are not equal by chance.
	same := map[[2]uint64]int32{}
	row := make([]float32, s.Input().Cols)
	for r, owner := range owners {
		if r%runRows == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		became[r] = rowUnused
		if owner == ownerNone {
			continue
		}
		s.Input().Read(row, r)
		behind(s).Saw(page)
		switch {
		case isZero(row) && owner == ownerBucket:
			became[r] = rowZeros
			continue
		case isZero(row):
			zeros = true
		case !opt.holds(row):
			return nil, false, fmt.Errorf("input row %d %w: choose the method %s", r, coded.ErrInfinite, QuantizeF16)
		}
		if s.Subword() != nil {
			first, second := hashing.Murmur3(endian.Bytes(row), 0)
			hash := [2]uint64{first, second}
			if other, ok := same[hash]; ok {
				became[r] = other
				continue
			}
			same[hash] = int32(len(rows))
		}
		became[r] = int32(len(rows))
		rows = append(rows, uint32(r))
	}
	if err := s.Err(); err != nil {
		return nil, false, err
	}
	p := withMatrices(s, vectors.Stored(len(rows), s.Input().Cols, picked{s.Input(), rows}), s.Output())
	p.WordRows, p.BucketRows = newWordRows(s, became), newBucketRows(s, became, used)
	kept, err = vectors.New(p)
	return kept, zeros, err
}

// usedBuckets tells of each bucket whether a word of the vocabulary has an n-gram in
// it, or of all that they count as used. A table without words is for any word.
func usedBuckets(s *vectors.Set, all bool) []bool {
	if s.Subword() == nil {
		return nil
	}
	used := make([]bool, s.Subword().Rows())
	if all || s.Len() == 0 {
		for b := range used {
			used[b] = true
		}
		return used
	}
	var buckets []uint32
	for _, word := range s.Words().All() {
		buckets = s.Subword().Append(buckets[:0], word)
		for _, b := range buckets {
			used[b] = true
		}
	}
	return used
}

// owners tells who needs each input row.
func owners(s *vectors.Set, used []bool) []uint8 {
	owners := make([]uint8, s.Input().Rows)
	for b, used := range used {
		if r := s.BucketRow(uint32(b)); used && r >= 0 {
			owners[r] = ownerBucket
		}
	}
	if !ownRows(s) {
		return owners
	}
	for id := range s.Len() {
		if r := s.OwnRow(id); r < len(owners) {
			owners[r] = ownerWord
		}
	}
	return owners
}

// newWordRows returns the row of each word, nil if word i has row i.
func newWordRows(s *vectors.Set, became []int32) []uint32 {
	if !ownRows(s) {
		return nil
	}
	rows := make([]uint32, s.Len())
	same := s.Subword() != nil // without, as many rows as words would have to be there too
	for id := range rows {
		if r := s.OwnRow(id); r < len(became) {
			rows[id] = uint32(became[r])
		}
		same = same && rows[id] == uint32(id)
	}
	if same {
		return nil
	}
	return rows
}

// newBucketRows returns the row of each bucket.
func newBucketRows(s *vectors.Set, became []int32, used []bool) []int32 {
	if s.Subword() == nil {
		return nil
	}
	rows := make([]int32, len(used))
	for b := range rows {
		rows[b] = -1
		if r := s.BucketRow(uint32(b)); used[b] && r >= 0 {
			rows[b] = max(became[r], -1)
		}
	}
	return rows
}

// picked is some rows of a matrix.
type picked struct {
	from vectors.Matrix
	rows []uint32
}

func (p picked) Read(dst []float32, r int) { p.from.Read(dst, int(p.rows[r])) }

func (p picked) DType() vectors.DType { return p.from.DType() }
