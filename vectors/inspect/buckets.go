package inspect

import (
	"cmp"
	"context"
	"math"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A Load is how many buckets have that many n-grams of the vocabulary.
type Load struct {
	Ngrams  int `json:"ngrams"` // the last Load stands for this many or more
	Buckets int `json:"buckets"`
}

// Buckets say how the n-grams of the words of the vocabulary share the buckets of a set: rows of the
// table of subword.Indexer. An n-gram counts once, however many words have it. Indexers that cut
// the whole word as a piece have it among the n-grams. N-grams for which the indexer has no bucket,
// because a list lacks them or their bucket was pruned, are none.
type Buckets struct {
	Kind    string `json:"kind"`    // of the indexer
	Buckets int    `json:"buckets"` // that there are
	Ngrams  int    `json:"ngrams"`  // different ones, of all words of the vocabulary
	Hashes  int    `json:"hashes"`  // buckets of an n-gram, at most
	// Reached is how many buckets an n-gram of the vocabulary has, and Dead how many none has. A
	// dead bucket was never trained if the vocabulary is that of the training: what is in it is how it
	// began.
	Reached int `json:"reached"`
	Dead    int `json:"dead"`
	// Expected is how many buckets random hashes reach on average, B·(1 − (1 − 1/B)^m) for m
	// different pairs of an n-gram and one of its hashes; 0 where n-grams are listed.
	Expected float64 `json:"expected,omitempty"`
	// Colliding is how many n-grams share each of their buckets with other n-grams, so that none is
	// theirs alone; Most is how many n-grams the fullest bucket has.
	Colliding int    `json:"colliding"`
	Most      int    `json:"most"`
	Loads     []Load `json:"loads"` // from no n-gram on
	// Untrained is how many buckets the set has no row for, because the training did not reach
	// them; of a file that has rows for all it is 0, and Dead says what can be known.
	Untrained int `json:"untrained"`
	// Rows is how many different rows the buckets have. It is less than the buckets with rows where
	// rows that always learn the same are stored once.
	Rows int `json:"rows"`
}

// A piece is an n-gram, by a hash of its text, and one of its buckets.
type piece struct {
	text   uint64
	bucket uint32
}

// maxLoad is the n-grams of the last Load.
const maxLoad = 5

// buckets measures the n-grams of s; nil if it has none.
func buckets(ctx context.Context, s *vectors.Set, o Options) (*Buckets, error) {
	if s.Subword() == nil {
		return nil, nil
	}
	b := &Buckets{Kind: subword.NameOf(s.Subword()), Buckets: s.Subword().Rows()}
	pieces, err := piecesOf(ctx, s, o)
	if err != nil {
		return nil, err
	}
	loads := make([]uint32, b.Buckets)
	for _, p := range pieces {
		loads[p.bucket]++
	}
	b.Loads = make([]Load, maxLoad+1)
	for i := range b.Loads {
		b.Loads[i].Ngrams = i
	}
	for _, n := range loads {
		b.Loads[min(int(n), maxLoad)].Buckets++
		b.Most = max(b.Most, int(n))
	}
	b.Dead = b.Loads[0].Buckets
	b.Reached = b.Buckets - b.Dead
	for first := 0; first < len(pieces); {
		last, alone := first, false
		for ; last < len(pieces) && pieces[last].text == pieces[first].text; last++ {
			alone = alone || loads[pieces[last].bucket] == 1
		}
		b.Ngrams++
		b.Hashes = max(b.Hashes, last-first)
		if !alone {
			b.Colliding++
		}
		first = last
	}
	if encoded, err := subword.Encode(s.Subword()); err == nil && len(encoded.Ngrams) == 0 && len(encoded.Kept) == 0 {
		n := float64(b.Buckets)
		b.Expected = n * -math.Expm1(float64(len(pieces))*math.Log1p(-1/n))
	}
	b.rows(s)
	return b, nil
}

// piecesOf returns the different n-grams of the words of s with their buckets, in the order of n-grams.
func piecesOf(ctx context.Context, s *vectors.Set, o Options) ([]piece, error) {
	const most = 1 << 22 // pieces that are collected before those that are there twice go
	var pieces []piece
	var rows []uint32
	limit := most
	for id := range s.Len() {
		if id%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			o.Progress("cutting words into n-grams", float64(id)/float64(s.Len()))
		}
		word := s.Words().At(id)
		rows = s.Subword().Append(rows[:0], word)
		for i, text := range s.Subword().Ngrams(word) {
			hash, _ := hashing.Murmur3(unsafe.Slice(unsafe.StringData(text), len(text)), 0)
			pieces = append(pieces, piece{hash, rows[i]})
		}
		if len(pieces) > limit {
			pieces = distinct(pieces)
			limit = max(most, 2*len(pieces))
		}
	}
	return distinct(pieces), nil
}

// distinct sorts pieces and drops those that are there already.
func distinct(pieces []piece) []piece {
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.bucket, b.bucket))
	})
	return slices.Compact(pieces)
}

// rows counts the rows of the buckets.
func (b *Buckets) rows(s *vectors.Set) {
	if s.SharedParts().BucketRows == nil {
		b.Rows = b.Buckets
		return
	}
	seen := make([]bool, s.Input().Rows)
	for bucket := range b.Buckets {
		switch r := s.BucketRow(uint32(bucket)); {
		case r < 0:
			b.Untrained++
		case !seen[r]:
			seen[r] = true
			b.Rows++
		}
	}
}
