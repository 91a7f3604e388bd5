package align

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Pair is the ids of two words that mean the same: A in the set that is rotated, B in the set
// that it is rotated onto.
type Pair struct{ A, B int }

// errNoSet is what functions say of a nil set.
var errNoSet = errors.New("align: there is no set: it is nil, as what Open and Train return together with an error")

// SharedOptions say which of the words of two sets are anchors. The zero value takes all that
// both sets have.
type SharedOptions struct {
	// Top takes that many of the shared words, those most frequent in both sets: of a word's two
	// ranks the larger one counts. 0 takes all.
	Top int
	// MinCount leaves out words that either set has seen less often. It needs counts of both sets,
	// unless it is 0.
	MinCount uint64
	// Exclude are words that are no anchors, such as those that are studied.
	Exclude []string
}

// Shared returns the words that are spelt alike in both sets, in the order of A. Special tokens
// are left out.
func Shared(a, b *vectors.Set, o SharedOptions) (pairs []Pair, err error) {
	switch {
	case a == nil || b == nil:
		return nil, errNoSet
	case o.Top < 0:
		return nil, fmt.Errorf("align: Top is %d, must be 0 (all) or more", o.Top)
	case o.MinCount > 0 && (a.Counts() == nil || b.Counts() == nil):
		return nil, &CountsError{First: a.Counts() == nil}
	}
	exclude := make(map[string]bool, len(o.Exclude))
	for _, word := range o.Exclude {
		exclude[word] = true
	}
	err = guarded(a, b, func() error {
		for id := a.SharedParts().Specials; id < a.Len(); id++ {
			word := a.Words().At(id)
			if exclude[word] {
				continue
			}
			other, ok := b.ID(word)
			if first, _ := a.ID(word); !ok || first != id || other < b.SharedParts().Specials {
				continue
			}
			if o.MinCount > 0 && min(a.Counts()[id], b.Counts()[other]) < o.MinCount {
				continue
			}
			pairs = append(pairs, Pair{id, other})
		}
		if o.Top > 0 && len(pairs) > o.Top {
			rankA, rankB := ranks(a), ranks(b)
			slices.SortStableFunc(pairs, func(x, y Pair) int {
				return cmp.Compare(max(rankA[x.A], rankB[x.B]), max(rankA[y.A], rankB[y.B]))
			})
			pairs = slices.Clone(pairs[:o.Top])
			slices.SortFunc(pairs, func(x, y Pair) int { return x.A - y.A })
		}
		return nil
	})
	return pairs, err
}

// A CountsError says that counts are asked for that a set does not know.
type CountsError struct {
	First bool // of the two sets it is the first one that has none; else the second
}

func (e *CountsError) Error() string {
	which := "second"
	if e.First {
		which = "first"
	}
	return fmt.Sprintf("align: a least count is asked for, and the %s set does not know how often words were seen", which)
}

// ranks returns the rank of each word by its count, equal ones in their order. Without counts a
// word's id is its rank: files begin with what is frequent.
func ranks(s *vectors.Set) []int {
	ids := make([]int, s.Len())
	for id := range ids {
		ids[id] = id
	}
	if counts := s.Counts(); counts != nil {
		slices.SortStableFunc(ids, func(x, y int) int { return cmp.Compare(counts[y], counts[x]) })
	}
	rank := make([]int, len(ids))
	for r, id := range ids {
		rank[id] = r
	}
	return rank
}

// guarded calls read, which takes rows, words or counts of both sets.
func guarded(a, b *vectors.Set, read func() error) error {
	return a.Guard(func() error { return b.Guard(read) })
}
