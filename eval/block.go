package eval

import (
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A block is what a worker knows of some consecutive candidates: their cosines
// with the distinct words of all questions, a row of size numbers a word.
type block struct {
	size int // room for so many candidates
	n    int // so many there are

	words *lookup

	cosines []float32
	// inverted has, for 3CosMul alone, one over the shifted cosine plus ε:
	// dividing once a word and candidate is cheaper than once a question.
	inverted []float32
}

func newBlock(words, size int, method vectors.AnalogyMethod, found *lookup) *block {
	b := &block{size: size, words: found, cosines: make([]float32, words*size)}
	if method == vectors.CosMul {
		b.inverted = make([]float32, words*size)
	}
	return b
}

// prepare makes cosines of the dot products with unit vectors, given the inverse
// norms of the candidates, and for 3CosMul what that needs of them.
func (b *block) prepare(inverseNorms []float32) {
	b.n = len(inverseNorms)
	nan := float32(math.NaN())
	for start := 0; start < len(b.cosines); start += b.size {
		row := b.cosines[start:][:b.n]
		for i, inv := range inverseNorms {
			x := row[i] * inv
			if x > 2 || x < -2 { // the dot product overflowed
				x = nan
			}
			row[i] = x
		}
		if b.inverted == nil {
			continue
		}
		inverted := b.inverted[start:][:b.n]
		for i, x := range row {
			shifted := (x + 1) / 2
			row[i] = shifted
			inverted[i] = 1 / (shifted + vectors.CosMulEpsilon)
		}
	}
}

// improve looks among the candidates, the first of which has id first, for a
// better answer to problem number i.
func (b *block) improve(best *sheet, i int, p *problem, first int) {
	if b.inverted != nil {
		best.id[i], best.score[i] = b.largestProduct(best.id[i], best.score[i], p, first)
	} else {
		best.id[i], best.score[i] = b.largestSum(best.id[i], best.score[i], p, first)
	}
}

// largestSum is improve for 3CosAdd. A candidate without direction has NaN for
// cosines, which is larger than nothing.
func (b *block) largestSum(id int, score float32, p *problem, first int) (int, float32) {
	ca := b.cosines[p.a*b.size:][:b.n]
	cb := b.cosines[p.b*b.size:][:len(ca)]
	cc := b.cosines[p.c*b.size:][:len(ca)]
	for i, x := range ca {
		if sum := cb[i] - x + cc[i]; sum > score && !p.owns(b.words.same(first+i)) {
			id, score = first+i, sum
		}
	}
	return id, score
}

// largestProduct is improve for 3CosMul.
func (b *block) largestProduct(id int, score float32, p *problem, first int) (int, float32) {
	ia := b.inverted[p.a*b.size:][:b.n]
	cb := b.cosines[p.b*b.size:][:len(ia)]
	cc := b.cosines[p.c*b.size:][:len(ia)]
	for i, x := range ia {
		if product := cb[i] * cc[i] * x; product > score && !p.owns(b.words.same(first+i)) {
			id, score = first+i, product
		}
	}
	return id, score
}

// owns reports whether the word with this id, see lookup.same, is one of the question's own.
func (p *problem) owns(id int) bool {
	return id == p.own[0] || id == p.own[1] || id == p.own[2]
}
