package eval

import (
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A block holds the cosines of some consecutive candidates with the distinct words of all
// questions: for each word a row of size numbers.
type block struct {
	size int // the largest number of candidates
	n    int // the number of candidates

	words *lookup

	cosines []float32
	// inverted is used only for 3CosMul. It holds 1/(shifted cosine + ε), because dividing
	// once for each word and candidate is cheaper than once for each question.
	inverted []float32
}

func newBlock(words, size int, method vectors.AnalogyMethod, found *lookup) *block {
	b := &block{size: size, words: found, cosines: make([]float32, words*size)}
	if method == vectors.CosMul {
		b.inverted = make([]float32, words*size)
	}
	return b
}

// prepare turns dot products with unit vectors into cosines, given the inverse norms of the
// candidates. For 3CosMul it also shifts and inverts them.
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

// improve looks for a better answer to problem i among the candidates. The first candidate has
// the id first.
func (b *block) improve(best *answers, i int, p *problem, first int) {
	if b.inverted != nil {
		best.id[i], best.score[i] = b.largestProduct(best.id[i], best.score[i], p, first)
	} else {
		best.id[i], best.score[i] = b.largestSum(best.id[i], best.score[i], p, first)
	}
}

// largestSum is improve for 3CosAdd. A candidate without a direction has NaN for cosines, which
// never compares as larger.
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

// owns reports whether the word with this id is one of the question's own words. The id is one
// that lookup.same returned.
func (p *problem) owns(id int) bool {
	return id == p.own[0] || id == p.own[1] || id == p.own[2]
}
