package eval

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// part is the number of candidates in a part: parts share a largest value.
const part = simd.PeakPart

func partsOf(candidates int) int { return (candidates + part - 1) / part }

// A block holds the cosines of a range of candidates with all rows of units: size numbers per row.
// It also holds the largest number of each part of a row, and of the whole row. These bound the
// scores of a part's candidates, so most parts are never searched for most questions.
type block struct {
	scan  *scan
	size  int   // the largest number of candidates
	n     int   // the number of candidates
	first int   // id of the first candidate, if ids is nil
	ids   []int // of the candidates

	cosines []float32
	// factors is nil for methods without factors. For 3CosMul it holds 1/(shifted cosine + ε), for
	// PairDirection the inverse distances. Each is computed once per word and candidate, not once
	// per question.
	factors []float32

	parts int         // parts of a row
	ofRow []bool      // whether a row is c of a problem; only these rows need the largest numbers of parts
	rows  []float32   // largest number of each part, for the rows that are multiplied or added as c
	whole []float32   // largest number of each row
	pair  pairOfWords // combined numbers of the words a and b of some problems
}

type pairOfWords struct {
	scores  []float32
	largest []float32 // of each part
	whole   float32   // of all candidates
}

func newBlock(s *scan, size int) *block {
	n, parts := s.units.Rows, partsOf(size)
	b := &block{
		scan: s, size: size, parts: parts,
		cosines: make([]float32, n*size),
		ofRow:   make([]bool, n),
		rows:    make([]float32, n*parts),
		whole:   make([]float32, n),
		pair:    pairOfWords{scores: make([]float32, size), largest: make([]float32, parts)},
	}
	if s.kind == products || s.kind == directions {
		b.factors = make([]float32, n*size)
	}
	for i := range s.problems {
		b.ofRow[s.problems[i].c] = true
	}
	return b
}

// prepare turns dot products with unit vectors into the numbers that the method needs, given the
// candidates' inverse norms. A candidate without a direction gets NaN cosines, which never compare
// as larger.
func (b *block) prepare(inverse []float32) {
	for u := range b.scan.units.Rows {
		row := b.cosines[u*b.size:][:len(inverse)]
		switch b.scan.kind {
		case products:
			factors := b.factors[u*b.size:][:len(row)]
			for i, inv := range inverse {
				row[i] = (row[i]*inv + 1) / 2
				factors[i] = 1 / (row[i] + vectors.CosMulEpsilon)
			}
		case directions:
			for i, inv := range inverse {
				row[i] *= inv
			}
			if b.ofRow[u] {
				distances(b.factors[u*b.size:][:len(row)], row)
			}
		default:
			peaks := b.rows[u*b.parts:][:partsOf(len(row))]
			simd.MultiplyPeaks(row, row, inverse, peaks)
			b.whole[u] = slices.Max(peaks)
			continue
		}
		if !b.ofRow[u] {
			continue
		}
		if b.scan.kind == directions {
			row = b.factors[u*b.size:][:len(row)]
		}
		b.whole[u] = largest(row, b.rows[u*b.parts:])
	}
}

// distances sets dst to the inverse distances of unit vectors with the given cosines. Vectors with
// the same direction get NaN: their difference has no direction.
func distances(dst, cosines []float32) {
	const same = 1e-6 // the rounding error of cosines
	for i, x := range cosines {
		dst[i] = float32(math.NaN())
		if x < 1-same {
			dst[i] = float32(1 / math.Sqrt(2-2*float64(x)))
		}
	}
}

// largest sets to[i] to the largest number of part i of a row, and returns the largest of all. The
// result may be NaN if the row contains NaN.
func largest(row, to []float32) float32 {
	all := int32(math.MinInt32)
	for at := 0; len(row) > 0; at++ {
		n := min(part, len(row))
		some := row[:n]
		// Comparing floats directly would cost unpredictable branches.
		a := int32(math.MinInt32)
		b, c, d := a, a, a
		for len(some) >= 4 {
			a, b = max(a, ordered(some[0])), max(b, ordered(some[1]))
			c, d = max(c, ordered(some[2])), max(d, ordered(some[3]))
			some = some[4:]
		}
		for _, x := range some {
			a = max(a, ordered(x))
		}
		most := max(a, b, c, d)
		to[at], all = unordered(most), max(all, most)
		row = row[n:]
	}
	return unordered(all)
}

// ordered maps numbers to integers in the same order. NaN may be larger than all numbers.
func ordered(x float32) int32 {
	i := int32(math.Float32bits(x))
	return i ^ int32(uint32(i>>31)>>1)
}

func unordered(i int32) float32 { return math.Float32frombits(uint32(i ^ int32(uint32(i>>31)>>1))) }

func (b *block) combine(p *problem) {
	to := b.pair.scores[:b.n]
	cb := b.cosines[p.b*b.size:][:len(to)]
	if b.scan.kind == products {
		for i, x := range b.factors[p.a*b.size:][:len(to)] {
			to[i] = cb[i] * x
		}
		b.pair.whole = largest(to, b.pair.largest)
		return
	}
	peaks := b.pair.largest[:partsOf(len(to))]
	simd.SubtractPeaks(to, cb, b.cosines[p.a*b.size:], peaks)
	b.pair.whole = slices.Max(peaks)
}

// CosAvg (3CosAvg) scores d, as an answer to c, by its cosine with c plus the mean of b − a over
// all other pairs (a, b) of a relation: Drozd, Gladkova and Matsuoka 2016.
const CosAvg vectors.AnalogyMethod = "3cosavg"

// LRCos scores d, as an answer to c, by cos(d, c) times the probability that d is an answer of
// the relation at all. A logistic regression gives the probability: Drozd, Gladkova and Matsuoka
// 2016.
const LRCos vectors.AnalogyMethod = "lrcos"

// A kind is the number of a scoring method; numbers compare faster than names.
type kind int

const (
	means      kind = iota // CosAvg: the cosine with row c
	sums                   // 3CosAdd
	products               // 3CosMul
	directions             // PairDirection
	classes                // LRCos
)

var kinds = map[vectors.AnalogyMethod]kind{
	CosAvg: means, vectors.CosAdd: sums, vectors.CosMul: products, vectors.PairDirection: directions, LRCos: classes,
}

func (b *block) improve(best answers) {
	if b.n == 0 {
		return
	}
	for _, g := range b.scan.groups {
		if g.pair.a >= 0 {
			b.combine(g.pair)
		}
		goals := best.goal[g.first:g.last]
		for at, c := range b.scan.third[g.first:g.last] { // most time is spent here
			if !(b.bound(b.scan.order[g.first+at], b.pair.whole, b.whole[c]) < goals[at]) {
				b.search(best, g.first+at, int(c))
			}
		}
	}
}

// search searches for a better answer to the problem at a position of the scan's order, whose third
// word is c. Most searches do not read the problem: problems are many and rarely in the cache.
func (b *block) search(best answers, position, c int) {
	rows := b.rows[c*b.parts:][:partsOf(b.n)]
	pair := b.pair.largest[:len(rows)]
	goal, i := best.goal[position], b.scan.order[position]
	for at, x := range rows {
		if !(b.bound(i, pair[at], x) < goal) {
			goal = b.look(best, i, c, at, goal)
		}
	}
	best.goal[position] = goal
}

// bound returns an upper bound of the scores of problem i, given the largest numbers of the words a and
// b and of the word c.
func (b *block) bound(i int, pair, row float32) float32 {
	switch b.scan.kind {
	case sums:
		return pair + row
	case products:
		return max(0, pair) * max(0, row)
	case directions:
		return max(0, pair-b.scan.problems[i].offset) * max(0, row)
	case classes:
		return max(0, row)
	}
	return row
}

// look tries the candidates of a part of the block for problem i, whose third word is c. It returns
// the larger of goal and the best score.
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

// probability returns the regression's probability for a candidate with this cosine to the normal
// of the decision plane.
func (p *problem) probability(cosine float64) float64 {
	return 1 / (1 + math.Exp(-(p.slope*cosine + p.intercept)))
}
