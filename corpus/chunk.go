package corpus

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ChunkTokens is the smallest number of tokens in a chunk of IDs. Only the last chunk may
// have fewer.
const ChunkTokens = 1 << 13

// Split divides the corpus into sentences to train on and sentences that are held out. It
// holds out the last sentences of every chunk, so many that the held-out share of all tokens
// so far is as near to the fraction as whole sentences allow. The result depends only on the
// corpus and the fraction. Both parts read from the cache of x. The cache is removed when x
// and both parts have been closed, in any order. Split returns an error if the fraction is
// not between 0 and 1, or if one part would have no sentence.
func (x *IDs) Split(fraction float64) (train, heldOut *IDs, err error) {
	if x == nil || x.from == nil {
		return nil, nil, errors.New("corpus: the ids to split are closed or nil")
	}
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("cannot hold out a fraction of %v of the corpus: it must be above 0 and below 1", fraction)
	}
	kept, held := &IDs{from: x.from, most: x.most}, &IDs{from: x.from, most: x.most}
	r := x.Reader()
	seen := 0.0
	for i := range x.Chunks() {
		chunk := r.Chunk(i)
		if err := x.Err(); err != nil {
			return nil, nil, err
		}
		length := 0
		for _, piece := range chunk {
			length += len(piece)
		}
		seen += float64(length)
		keep := length - tail(chunk, fraction*seen-float64(held.tokens))
		v := x.view(i)
		kept.add(view{v.chunk, v.from, v.from + int32(keep)})
		held.add(view{v.chunk, v.from + int32(keep), v.from + int32(length)})
	}
	if held.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens holds out no whole sentence: take a larger one, or held-out text of its own", fraction, x.tokens)
	}
	if kept.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens leaves no whole sentence to train on: take a smaller one, or held-out text of its own", fraction, x.tokens)
	}
	x.from.users.Add(2)
	return kept, held, nil
}

// tail returns the number of tokens in the last sentences of a chunk, as many whole
// sentences as come nearest to the wanted number of tokens. If two numbers are equally near,
// it returns the smaller one.
func tail(chunk [][]uint32, wanted float64) int {
	best, n := 0, 0
	for _, piece := range slices.Backward(chunk) {
		for len(piece) > 0 {
			if float64(n) >= wanted {
				return best
			}
			last := len(piece) - 1
			for last > 0 && piece[last-1]&EndOfSentence == 0 {
				last--
			}
			n += len(piece) - last
			piece = piece[:last]
			if math.Abs(float64(n)-wanted) < math.Abs(float64(best)-wanted) {
				best = n
			}
		}
	}
	return best
}
