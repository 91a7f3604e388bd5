package pairs

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/simd"
)

// A batch computes the loss of some pairs and its gradients, for each of the numbers of dimensions that are trained.
type batch struct {
	stepper  *stepper
	contrast contrast
	dims     []int
	scored   bool
	cosent   bool // the loss of pairs with scores

	examples []example
	n, hard  int
	texts    []uint32 // first texts, second texts, negatives
	queue    queue

	left, right       []float32
	ofLeft, ofRight   []float32
	leftOf, rightOf   []uint32 // the texts of rows and columns
	leftBy, rightBy   []uint32 // the texts that they are paired with; none for negatives
	leftLen, rightLen []float32
	cells             []uint64 // that do not count
	cosine, ofCosine  []float64
	byScore           []int
	columnOf          map[uint32][]int32
	columnBy          map[uint32][]int32
}

// A queue has the vectors of the pairs of the batches before.
type queue struct {
	size, at, n int // at is the place of the next
	left, right []float32
	texts       [][2]uint32
}

func newBatch(s *stepper, o Options) *batch {
	b := &batch{
		stepper: s, contrast: contrast{parallel: s.parallel, temperature: float32(o.Temperature), both: !o.OneWay}, dims: o.dims(), scored: o.Scored, cosent: o.ScoreLoss == CoSENTLoss,
		queue: queue{size: o.Queue}, columnOf: map[uint32][]int32{}, columnBy: map[uint32][]int32{},
	}
	if o.Queue > 0 {
		b.queue.left, b.queue.right = make([]float32, o.Queue*o.Dim), make([]float32, o.Queue*o.Dim)
		b.queue.texts = make([][2]uint32, o.Queue)
	}
	return b
}

// take computes the vectors of the texts of the examples.
func (b *batch) take(examples []example) {
	b.examples, b.n, b.texts = examples, len(examples), b.texts[:0]
	for _, e := range examples {
		b.texts = append(b.texts, e.a)
	}
	for _, e := range examples {
		b.texts = append(b.texts, e.b)
	}
	for _, e := range examples {
		b.texts = append(b.texts, e.negatives...)
	}
	b.hard = len(b.texts) - 2*b.n
	b.stepper.forward(b.texts)
}

// loss adds the gradients of the loss to those of the stepper, and returns the loss by all dimensions.
func (b *batch) loss() float64 {
	dim := b.stepper.table.dim
	all := 0.0
	share := 1 / float64(len(b.dims))
	if b.scored {
		for i, cols := range b.dims {
			if of := b.regression(cols, share); i == 0 {
				all = of
			}
		}
		return all
	}
	n, q := b.n, b.queue.n
	b.leftOf, b.leftBy, b.rightOf, b.rightBy = b.leftOf[:0], b.leftBy[:0], b.rightOf[:0], b.rightBy[:0]
	for _, e := range b.examples {
		b.leftOf, b.leftBy, b.rightOf, b.rightBy = append(b.leftOf, e.a), append(b.leftBy, e.b), append(b.rightOf, e.b), append(b.rightBy, e.a)
	}
	for _, text := range b.texts[2*n:] {
		b.rightOf, b.rightBy = append(b.rightOf, text), append(b.rightBy, none)
	}
	for _, t := range b.queue.texts[:q] {
		b.leftOf, b.leftBy, b.rightOf, b.rightBy = append(b.leftOf, t[0]), append(b.leftBy, t[1]), append(b.rightOf, t[1]), append(b.rightBy, t[0])
	}
	b.mask()
	c := &b.contrast
	c.n, c.hard, c.rows, c.columns = n, b.hard, n+q, n+b.hard+q
	for i, cols := range b.dims {
		c.dim = cols
		v := b.stepper.vectors
		b.left, b.right = grown(b.left, c.rows*cols), grown(b.right, c.columns*cols)
		b.leftLen, b.rightLen = grown(b.leftLen, c.rows), grown(b.rightLen, c.columns)
		b.stepper.first(b.left, b.leftLen, v[:n*dim], cols)
		b.stepper.first(b.left[n*cols:], b.leftLen[n:], b.queue.left[:q*dim], cols)
		b.stepper.first(b.right, b.rightLen, v[n*dim:], cols)
		b.stepper.first(b.right[(n+b.hard)*cols:], b.rightLen[n+b.hard:], b.queue.right[:q*dim], cols)
		c.left, c.right = b.left, b.right
		b.ofLeft, b.ofRight = grown(b.ofLeft, n*cols), grown(b.ofRight, (n+b.hard)*cols)
		clear(b.ofLeft)
		clear(b.ofRight)
		loss := c.gradients(b.ofLeft, b.ofRight, func(mask func(row, column int)) {
			for _, cell := range b.cells {
				mask(int(cell>>32), int(uint32(cell)))
			}
		}, share)
		if i == 0 {
			all = loss
		}
		changes := b.stepper.changes
		b.stepper.back(changes, b.ofLeft, b.left, b.leftLen, n, cols)
		b.stepper.back(changes[n*dim:], b.ofRight, b.right, b.rightLen, n+b.hard, cols)
	}
	return all
}

// mask finds the cells of texts that are not wrong answers: those that are equal to a text of the pair, or paired with it.
func (b *batch) mask() {
	clear(b.columnOf)
	clear(b.columnBy)
	b.cells = b.cells[:0]
	for j, text := range b.rightOf {
		b.columnOf[text] = append(b.columnOf[text], int32(j))
		if by := b.rightBy[j]; by != none {
			b.columnBy[by] = append(b.columnBy[by], int32(j))
		}
	}
	add := func(row int, columns []int32, below int) {
		for _, j := range columns {
			if int(j) != row && int(j) < below {
				b.cells = append(b.cells, uint64(row)<<32|uint64(j))
			}
		}
	}
	for i, text := range b.leftOf {
		below := len(b.rightOf)
		if i >= b.n { // of the queue, compared with the second texts of pairs only
			below = b.n
		}
		add(i, b.columnOf[text], below)
		add(i, b.columnBy[text], below)
		add(i, b.columnOf[b.leftBy[i]], below)
	}
}

// remember puts the pairs into the queue.
func (b *batch) remember() {
	q, dim := &b.queue, b.stepper.table.dim
	if q.size == 0 {
		return
	}
	for i, e := range b.examples {
		copy(q.left[q.at*dim:][:dim], b.stepper.vectors[i*dim:])
		copy(q.right[q.at*dim:][:dim], b.stepper.vectors[(b.n+i)*dim:])
		q.texts[q.at] = [2]uint32{e.a, e.b}
		q.at, q.n = (q.at+1)%q.size, min(q.n+1, q.size)
	}
}

// regression is loss for pairs with scores.
func (b *batch) regression(cols int, share float64) (loss float64) {
	n, dim := b.n, b.stepper.table.dim
	b.left, b.right = grown(b.left, n*cols), grown(b.right, n*cols)
	b.leftLen, b.rightLen = grown(b.leftLen, n), grown(b.rightLen, n)
	b.stepper.first(b.left, b.leftLen, b.stepper.vectors[:n*dim], cols)
	b.stepper.first(b.right, b.rightLen, b.stepper.vectors[n*dim:2*n*dim], cols)
	b.ofLeft, b.ofRight = grown(b.ofLeft, n*cols), grown(b.ofRight, n*cols)
	b.cosine, b.ofCosine = grown(b.cosine, n), grown(b.ofCosine, n)
	for i := range n {
		b.cosine[i] = float64(dot(b.left[i*cols:][:cols], b.right[i*cols:][:cols]))
	}
	if b.cosent {
		loss = b.order()
	} else {
		loss = b.differences()
	}
	for i, of := range b.ofCosine {
		x, y := b.left[i*cols:][:cols], b.right[i*cols:][:cols]
		by := float32(of * share)
		for k := range cols {
			b.ofLeft[i*cols+k], b.ofRight[i*cols+k] = by*y[k], by*x[k]
		}
	}
	b.stepper.back(b.stepper.changes, b.ofLeft, b.left, b.leftLen, n, cols)
	b.stepper.back(b.stepper.changes[n*dim:], b.ofRight, b.right, b.rightLen, n, cols)
	return loss
}

// differences is CosineLoss by cosines, and sets its gradients by them.
func (b *batch) differences() (loss float64) {
	n := float64(b.n)
	for i, e := range b.examples {
		off := b.cosine[i] - float64(e.score)
		loss += off * off / n
		b.ofCosine[i] = 2 * off / n
	}
	return loss
}

// order is CoSENTLoss by cosines, and sets its gradients by them. With e(c) = exp(c/temperature), the sum over all two pairs is
// that of 1/e(c) of each pair times the e(c) of all pairs with a lower score, so that sorting by score is enough.
// Cosines are up to 1 and temperatures at least LeastTemperature, so that exponentials fit into 64 bits.
func (b *batch) order() float64 {
	b.byScore = grown(b.byScore, b.n)
	for i := range b.byScore {
		b.byScore[i] = i
	}
	slices.SortStableFunc(b.byScore, func(i, j int) int { return cmp.Compare(b.examples[i].score, b.examples[j].score) })
	inverse := 1 / float64(b.contrast.temperature)
	clear(b.ofCosine)
	// along adds to the gradient of each pair that of its terms with the pairs before it in order, less those of its score.
	along := func(order iter.Seq2[int, int], sign float64) (sum float64) {
		before, same := 0.0, 0.0
		score := float32(math.NaN())
		for _, i := range order {
			if s := b.examples[i].score; s != score {
				before, same, score = before+same, 0, s
			}
			term := math.Exp(-sign*b.cosine[i]*inverse) * before
			sum += term
			b.ofCosine[i] -= sign * term * inverse
			same += math.Exp(sign * b.cosine[i] * inverse)
		}
		return sum
	}
	sum := along(slices.All(b.byScore), 1)
	along(slices.Backward(b.byScore), -1)
	for i := range b.ofCosine {
		b.ofCosine[i] /= 1 + sum
	}
	return math.Log1p(sum)
}

// cosines returns the cosine of each pair.
func (b *batch) cosines() []float64 {
	dim := b.stepper.table.dim
	all := make([]float64, b.n)
	for i := range all {
		all[i] = float64(dot(b.stepper.vectors[i*dim:][:dim], b.stepper.vectors[(b.n+i)*dim:][:dim]))
	}
	return all
}

// RetrievedPairs is the largest number of held-out pairs among which second texts are sought.
const RetrievedPairs = 10_000

// measure measures held-out pairs.
func (b *batch) measure(held []example, size int) (e Evaluation) {
	var cosines, scores []float64
	queue := b.queue
	b.queue = queuedNothing(queue)
	for first := 0; first < len(held); first += size {
		last := min(first+size, len(held))
		b.take(held[first:last])
		e.Loss += b.loss() * float64(last-first) / float64(len(held))
		if b.scored {
			cosines = append(cosines, b.cosines()...)
			for _, of := range held[first:last] {
				scores = append(scores, float64(of.score))
			}
		}
	}
	b.queue = queue
	if b.scored {
		if r := eval.Spearman(cosines, scores); !math.IsNaN(r) {
			e.Spearman = r
		}
		return e
	}
	e.NDCG10, e.MRR = b.retrieve(held[:min(len(held), RetrievedPairs)])
	return e
}

func queuedNothing(q queue) queue { return queue{left: q.left, right: q.right, texts: q.texts} }

// retrieve sorts the distinct second texts of pairs for each first text. Texts that are equal to the first one, or
// paired with it elsewhere, are left out.
func (b *batch) retrieve(held []example) (ndcg, mrr float64) {
	dim := b.stepper.table.dim
	column := map[uint32]int{}
	var answers []uint32
	paired := map[[2]uint32]bool{}
	for _, e := range held {
		if _, ok := column[e.b]; !ok {
			column[e.b] = len(answers)
			answers = append(answers, e.b)
		}
		paired[[2]uint32{e.a, e.b}] = true
	}
	matrix := b.vectorsOf(answers)
	const block = 64
	ndcgs, mrrs := make([]float64, len(held)), make([]float64, len(held))
	var questions []uint32
	for _, e := range held {
		questions = append(questions, e.a)
	}
	asked := b.vectorsOf(questions)
	b.stepper.each(len(held), block, func(_, first, last int) {
		scores := make([]float32, (last-first)*len(answers))
		simd.Dots(scores, len(answers), asked[first*dim:], dim, last-first, matrix, dim, len(answers), dim)
		for i := first; i < last; i++ {
			row, e := scores[(i-first)*len(answers):][:len(answers)], held[i]
			own := column[e.b]
			rank := 1
			for j, x := range row {
				if j != own && (x > row[own] || x == row[own] && j < own) && answers[j] != e.a && !paired[[2]uint32{e.a, answers[j]}] {
					rank++
				}
			}
			mrrs[i] = 1 / float64(rank)
			if rank <= 10 {
				ndcgs[i] = 1 / math.Log2(float64(rank)+1)
			}
		}
	})
	for i := range held {
		ndcg += ndcgs[i] / float64(len(held))
		mrr += mrrs[i] / float64(len(held))
	}
	return ndcg, mrr
}

// vectorsOf returns the vectors of texts.
func (b *batch) vectorsOf(texts []uint32) []float32 {
	dim := b.stepper.table.dim
	all := make([]float32, 0, len(texts)*dim)
	for first := 0; first < len(texts); first += 1024 {
		b.stepper.forward(texts[first:min(first+1024, len(texts))])
		all = append(all, b.stepper.vectors...)
	}
	return all
}
