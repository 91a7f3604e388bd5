package eval

import (
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// CosAvg (3CosAvg) scores d, as an answer to c, by its cosine with c plus the mean of b − a over
// all other pairs (a, b) of a relation: Drozd, Gladkova and Matsuoka 2016.
const CosAvg vectors.AnalogyMethod = "3cosavg"

// LRCos scores d, as an answer to c, by cos(d, c) times the probability that d is an answer of
// the relation at all. A logistic regression gives the probability: Drozd, Gladkova and Matsuoka
// 2016.
const LRCos vectors.AnalogyMethod = "lrcos"

// A kind is how a method scores a candidate: methods as numbers, which are faster to compare.
type kind int

const (
	means      kind = iota // CosAvg: the cosine with row c
	sums                   // 3CosAdd
	products               // 3CosMul
	directions             // PairDirection
	classes                // LRCos
)

func kindOf(m vectors.AnalogyMethod) kind {
	switch m {
	case vectors.CosAdd:
		return sums
	case vectors.CosMul:
		return products
	case vectors.PairDirection:
		return directions
	case LRCos:
		return classes
	}
	return means
}

// improve looks for better answers to all problems among the candidates of the block.
func (b *block) improve(best answers) {
	if b.n == 0 {
		return
	}
	for _, g := range b.scan.groups {
		if g.pair.a >= 0 {
			b.combine(g.pair)
		}
		words, goals := b.scan.third[g.first:g.last], best.goal[g.first:g.last]
		switch b.scan.kind {
		case sums: // most time is spent here
			most := b.pair.whole
			for at, c := range words {
				if !(most+b.whole[c] < goals[at]) {
					b.search(best, g.first+at, int(c))
				}
			}
		default:
			for at, c := range words {
				p := &b.scan.problems[b.scan.order[g.first+at]]
				if !(b.bound(p, b.pair.whole, b.whole[c]) < goals[at]) {
					b.search(best, g.first+at, int(c))
				}
			}
		}
	}
}

// search looks for a better answer to the problem at a position of the scan's order, whose third
// word is c. Most searches read no problem: problems are many and far from the processor.
func (b *block) search(best answers, position, c int) {
	rows := b.rows[c*b.parts:][:partsOf(b.n)]
	pair := b.pair.largest[:len(rows)]
	goal, i := best.goal[position], b.scan.order[position]
	if b.scan.kind == sums {
		for at, x := range rows {
			if !(pair[at]+x < goal) {
				goal = b.look(best, i, c, at, goal)
			}
		}
	} else {
		p := &b.scan.problems[i]
		for at, x := range rows {
			if !(b.bound(p, pair[at], x) < goal) {
				goal = b.look(best, i, c, at, goal)
			}
		}
	}
	best.goal[position] = goal
}

// bound returns a number that no score of a problem exceeds, given the largest numbers of the
// words a and b and of the word c.
func (b *block) bound(p *problem, pair, row float32) float32 {
	switch b.scan.kind {
	case sums:
		return pair + row
	case products:
		return max(0, pair) * max(0, row)
	case directions:
		return max(0, pair-p.offset) * max(0, row)
	case classes:
		return max(0, row)
	}
	return row
}

// look tries the candidates of a part of the block for problem i, whose third word is c. It returns the
// larger of goal and the best score.
func (b *block) look(best answers, i, c, at int, goal float32) float32 {
	p := &b.scan.problems[i]
	first := at * part
	last := min(first+part, b.n)
	id, score := best.id[i], best.score[i]
	row := b.cosines[c*b.size:][first:last]
	pair := b.pair.scores[first:last]
	better := func(at int, x float32) {
		candidate := b.first + first + at
		if b.ids != nil {
			candidate = b.ids[first+at]
		}
		if !p.owns(b.scan.words.same(candidate)) {
			id, score = candidate, x
		}
	}
	switch b.scan.kind {
	case sums:
		for at, x := range row {
			if x += pair[at]; x > score {
				better(at, x)
			}
		}
	case products:
		for at, x := range row {
			if x *= pair[at]; x > score {
				better(at, x)
			}
		}
	case directions:
		for at, x := range b.factors[c*b.size:][first:last] {
			if x *= pair[at] - p.offset; x > score {
				better(at, x)
			}
		}
	case classes:
		class := b.cosines[p.b*b.size:][first:last]
		for at, x := range row {
			if x <= score && score >= 0 {
				continue
			}
			if x = float32(float64(x) * p.probability(float64(class[at]))); x > score {
				better(at, x)
			}
		}
	default:
		for at, x := range row {
			if x > score {
				better(at, x)
			}
		}
	}
	best.id[i], best.score[i] = id, score
	return max(goal, score)
}

// probability is that of a candidate with this cosine with the normal of the regression's plane.
func (p *problem) probability(cosine float64) float64 {
	return 1 / (1 + math.Exp(-(p.slope*cosine + p.intercept)))
}
