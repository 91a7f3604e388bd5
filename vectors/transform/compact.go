package vectors

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/endian"
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
func (s *Set) compact(ctx context.Context, opt QuantizeOptions) (kept *Set, zeros bool, err error) {
	if s.composition == ComposeWeighted { // rows are where their hashes say
		zeros, err := s.inspect(ctx, s.input, opt, "input row")
		return s.withMatrices(s.input, s.output), zeros, err
	}
	if s.subword == nil && s.wordRows == nil {
		zeros, err := s.inspect(ctx, s.input, opt, "vector")
		return s.withMatrices(s.input, s.output), zeros, err
	}
	used := s.usedBuckets(opt.KeepUnused)
	owners := s.owners(used)
	became := make([]int32, len(owners))
	var rows []uint32 // of the source
	// A new row by what it holds. Two hashes of 128 bits are not equal by chance.
	same := map[[2]uint64]int32{}
	row := make([]float32, s.input.Cols)
	for r, owner := range owners {
		if r%runRows == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		became[r] = rowUnused
		if owner == ownerNone {
			continue
		}
		s.input.Read(row, r)
		s.file.Saw(page)
		switch {
		case isZero(row) && owner == ownerBucket:
			became[r] = rowZeros
			continue
		case isZero(row):
			zeros = true
		case !opt.holds(row):
			return nil, false, fmt.Errorf("input row %d %w: choose the method %s", r, coded.ErrInfinite, QuantizeF16)
		}
		if s.subword != nil {
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
	kept = s.withMatrices(Stored(len(rows), s.input.Cols, picked{s.input, rows}), s.output)
	kept.wordRows, kept.bucketRows = s.newWordRows(became), s.newBucketRows(became, used)
	return kept, zeros, nil
}

// usedBuckets tells of each bucket whether a word of the vocabulary has an n-gram in
// it, or of all that they count as used. A table without words is for any word.
func (s *Set) usedBuckets(all bool) []bool {
	if s.subword == nil {
		return nil
	}
	used := make([]bool, s.subword.Rows())
	if all || s.Len() == 0 {
		for b := range used {
			used[b] = true
		}
		return used
	}
	var buckets []uint32
	for _, word := range s.words.All() {
		buckets = s.subword.Append(buckets[:0], word)
		for _, b := range buckets {
			used[b] = true
		}
	}
	return used
}

// owners tells who needs each input row.
func (s *Set) owners(used []bool) []uint8 {
	owners := make([]uint8, s.input.Rows)
	for b, used := range used {
		if r := s.BucketRow(uint32(b)); used && r >= 0 {
			owners[r] = ownerBucket
		}
	}
	if s.pieces() {
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
func (s *Set) newWordRows(became []int32) []uint32 {
	if s.pieces() {
		return nil
	}
	rows := make([]uint32, s.Len())
	same := s.subword != nil // without, as many rows as words would have to be there too
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
func (s *Set) newBucketRows(became []int32, used []bool) []int32 {
	if s.subword == nil {
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
	from Matrix
	rows []uint32
}

func (p picked) Read(dst []float32, r int) { p.from.Read(dst, int(p.rows[r])) }

func (p picked) DType() DType { return p.from.DType() }
