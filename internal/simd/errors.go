package simd

import "math/bits"

// Lanes is the largest number of rows of a block whose errors are computed together.
const Lanes = 16

// Transpose transposes h, which has at most Lanes rows, for Errors and Scores: it sets dst[k*Lanes+i] to
// number k of row i. For rows that h does not have, dst has arbitrary numbers. Kernels that do not
// need the transposed rows leave dst as it was.
func Transpose(dst []float32, h Block) {
	if chosen == portable || h.Rows == 0 || h.Cols == 0 {
		return // the portable Errors does not need it
	}
	transposeKernel(&dst[0], &h.Data[0], h.Stride*float, h.Rows, h.Cols)
}

// Scores sets s[j*Lanes+i] to the dot product of row i of h and row rows[j] of the matrix. transposed is
// the result of Transpose of h. For rows that h does not have, s gets arbitrary numbers.
func Scores(s []float32, h Block, transposed []float32, data []float32, stride int, rows []uint32) {
	if chosen == portable || len(rows) == 0 || h.Rows == 0 || h.Cols == 0 {
		scoresPortable(s, h, data, stride, rows)
		return
	}
	scoresKernel(&s[0], &transposed[0], &data[0], stride*float, &rows[0], len(rows), h.Cols)
}

// Pairs are pairs of a row of a block and a row of a matrix, all with the same label.
type Pairs struct {
	Rows []uint32 // of the matrix
	// With[j] has bit i set if Rows[j] is paired with row i of the block.
	With []uint16
	// Weights has Lanes weights, one for each row of the block.
	Weights []float32
	// Positive is the label. Positive pairs should have large dot products, negative pairs small
	// ones.
	Positive bool
	// Rounding rounds errors.
	Rounding Rounding
	// Kept is set by what finds errors, and has room for all Rows. Kept[j] has bit i set if Rows[j] is
	// paired with row i of the block and the pair's error was not rounded to 0.
	Kept []uint16
}

// Errors sets g[j*Lanes+i] to the error of logistic regression for row i of h and row p.Rows[j] of the
// matrix. With dot product s and the weight w of row i, the error is w·(1−σ(s)) for positive pairs and
// −w·σ(s) for negative ones. This is w times the negative derivative of the pair's loss by s. For rows
// that are not paired the error is 0, even if s is not finite. Errors then rounds what p.Rounding says, and
// sets p.Kept.
//
// transposed is the result of Transpose of h. If loss is set, Errors returns the sum of all pairs'
// losses times w: −log σ(s) for positive pairs, −log σ(−s) for negative ones. Otherwise it returns 0.
// Rounding does not change the loss.
func Errors(g []float32, h Block, transposed []float32, data []float32, stride int, p Pairs, loss bool) float64 {
	if chosen == portable || len(p.Rows) == 0 || h.Rows == 0 || h.Cols == 0 {
		return errorsPortable(g, h, data, stride, p, loss)
	}
	switch few := p.few(); {
	case few && !loss:
		errorsOfFew(g, h, data, stride, p, false)
		copy(p.Kept, p.With[:len(p.Rows)])
		return 0
	case few:
		errorsOfFew(g, h, data, stride, p, true)
	default:
		Scores(g, h, transposed, data, stride, p.Rows)
	}
	return p.errors(g, loss)
}

// ErrorsOfScores is Errors for given scores. The score of p.Rows[j] and row i of the block is the sum
// of so many parts, which are scores[j*Lanes+i], scores[j*Lanes+i+stride] and so on. It uses only the
// length of p.Rows.
func ErrorsOfScores(g, scores []float32, stride, parts int, p Pairs, loss bool) float64 {
	if chosen == portable || len(p.Rows) == 0 || parts == 0 {
		return errorsOfScoresPortable(g, scores, stride, parts, p, loss)
	}
	sumPartsKernel(&g[0], &scores[0], stride*float, parts, len(p.Rows))
	return p.errors(g, loss)
}

// errors makes errors of the scores in g, and returns the loss if it is wanted.
func (p Pairs) errors(g []float32, loss bool) (lost float64) {
	if loss {
		lost = float64(lossesKernel(&g[0], &p.With[0], &p.Weights[0], len(p.Rows), p.sign()))
		if !p.Positive {
			lost = -lost
		}
	}
	errorsKernel(&g[0], &p.With[0], &p.Kept[0], &p.Weights[0], len(p.Rows), p.Rounding.Threshold, p.Rounding.Seed, p.sign())
	return lost
}

// few reports whether scores are best found pair by pair.
func (p Pairs) few() bool {
	if p.Rounding.Threshold > 0 {
		return false
	}
	pairs := 0
	for _, with := range p.With[:len(p.Rows)] {
		pairs += bits.OnesCount16(with)
	}
	return pairs <= len(p.Rows)*mostOfFew()
}

// gathered are pairs whose scores are computed together.
type gathered struct {
	n                 int
	rows, own, places [Lanes]uint32 // of the matrix, of h, and in g
	weights, scores   [Lanes]float32
	with, kept        [1]uint16
}

// errorsOfGathered is errorsOfFew without a kernel of its own: it computes the errors of Lanes pairs at a
// time, as if they were pairs of one row.
func errorsOfGathered(g []float32, h Block, data []float32, stride int, p Pairs, raw bool) {
	var some gathered
	clear(g[:len(p.Rows)*Lanes])
	for j, with := range p.With[:len(p.Rows)] {
		for ; with != 0; with &= with - 1 {
			i := bits.TrailingZeros16(with)
			some.rows[some.n], some.own[some.n], some.places[some.n] = p.Rows[j], uint32(i), uint32(j*Lanes+i)
			some.weights[some.n] = p.Weights[i]
			if some.n++; some.n == Lanes {
				some.finish(g, h, data, stride, p.sign(), raw)
			}
		}
	}
	if some.n > 0 {
		some.finish(g, h, data, stride, p.sign(), raw)
	}
}

// finish sets the errors of the pairs, or their scores if raw is set, and forgets the pairs.
func (s *gathered) finish(g []float32, h Block, data []float32, stride int, sign uint32, raw bool) {
	pairsKernel(&s.scores[0], &h.Data[0], h.Stride*float, &s.own[0], &data[0], stride*float, &s.rows[0], s.n, h.Cols)
	if !raw {
		s.with[0] = uint16(1<<s.n - 1)
		errorsKernel(&s.scores[0], &s.with[0], &s.kept[0], &s.weights[0], 1, 0, 0, sign)
	}
	for k, place := range s.places[:s.n] {
		g[place] = s.scores[k]
	}
	s.n = 0
}

// sign returns the label of pairs as kernels take it.
func (p Pairs) sign() uint32 {
	if p.Positive {
		return 0
	}
	return 1 << 31
}
