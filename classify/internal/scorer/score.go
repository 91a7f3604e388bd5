package scorer

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/temperature"
	"github.com/w2v-go/w2v/internal/topk"
	"github.com/w2v-go/w2v/vectors"
)

// Names of losses of labels without a tree, as models record them.
const (
	lossSoftmax  = "softmax"
	lossOneVsAll = "ova"
	lossNegative = "ns"
)

// A Head finds the labels with the best scores of a text whose vector is p.Vector. It rounds as fastText does. Source: loss.cc.
type Head interface {
	// Best sets p.Best, which must be empty, to the k best labels of at least a probability.
	Best(p *Predictor, k int, threshold float32) error
	// Direction is what the vector of a text is multiplied by for a label's score.
	Direction(label int) []float64
	// Loss is that of a text with labels of its own, at scores that are multiplied by a number.
	Loss(p *Predictor, own []int, by float64) (temperature.Loss, error)
}

// NewHead returns the head of a loss, as models record it, for the rows of labels.
func NewHead(loss string, l *vectors.Labels) (Head, error) {
	side := lanes
	if l.Nodes { // which are multiplied one at a time
		side = 1
	}
	of := outputOf(l.Rows, side)
	switch {
	case l.Nodes:
		if len(l.Counts) != l.Names.Len() {
			return nil, fmt.Errorf("%d counts of %d labels, which the tree of labels is made of", len(l.Counts), l.Names.Len())
		}
		if most := slices.Max(l.Counts); most >= unset {
			return nil, fmt.Errorf("a label has the count %d, must be less than %d", most, int64(unset))
		}
		t := &tree{output: of, nodes: newTree(l.Counts), labels: l.Names.Len()}
		t.slack = slackOf(t.nodes)
		return t, nil
	case loss == lossSoftmax:
		return flat{of, l.Names.Len(), softmax, false}, nil
	case loss == lossOneVsAll || loss == lossNegative:
		return flat{of, l.Names.Len(), logistic, true}, nil
	}
	return nil, fmt.Errorf("the loss %q is not known: softmax, hs, ova and ns are", loss)
}

// output are rows that a text's vector is multiplied by. Some rows lie side by side, so that a block of them
// is multiplied at once and each product is still summed from its first number to its last.
type output struct {
	cols    int
	side    int       // how many rows lie side by side
	blocks  []float32 // see place
	factors []float32 // of rows; nil if all are 1
	quiet   bool      // a score may be NaN
}

const lanes = simd.Interleaved

func outputOf(m vectors.Matrix, side int) output {
	rows, factor := m.Unscaled()
	of := output{cols: m.Cols, side: side, blocks: make([]float32, (m.Rows+side-1)/side*side*m.Cols), quiet: m.Coded() != nil}
	row := make([]float32, m.Cols)
	for r := range m.Rows {
		rows.Read(row, r)
		for k, x := range row {
			of.blocks[of.place(r, k)] = x
		}
		if factor != nil {
			of.factors = append(of.factors, factor(r))
		}
	}
	return of
}

// place is where number k of row r is.
func (o *output) place(r, k int) int { return (r/o.side*o.cols+k)*o.side + r%o.side }

// multiply sets scores to the products of the first rows and h. Scores have room for whole blocks.
func (o *output) multiply(scores, h []float32) error {
	simd.MultiplyInterleaved(scores[:(len(scores)+lanes-1)/lanes*lanes], h, o.blocks)
	var nan bool
	for r, s := range scores {
		if o.factors != nil {
			s *= o.factors[r]
			scores[r] = s
		}
		nan = nan || s != s
	}
	if nan && !o.quiet {
		return ErrNaN
	}
	return nil
}

// dot returns the product of row r and h.
func (o *output) dot(h []float32, r int) (sum float32) {
	row := o.blocks[o.place(r, 0):]
	for k, x := range h {
		sum += float32(x * row[k*o.side])
	}
	if o.factors != nil {
		sum *= o.factors[r]
	}
	return sum
}

// flat has a probability for each label.
type flat struct {
	output
	labels        int
	probabilities func(scores []float32)
	each          bool // each label has a probability of its own
}

func (f flat) Best(p *Predictor, k int, threshold float32) error {
	if err := f.products(p, f.labels); err != nil {
		return err
	}
	f.probabilities(p.scores)
	skip := float32(-1) // less than this is certainly less than the front of the heap
	for id, x := range p.scores {
		if x < threshold || x < skip {
			continue
		}
		score := logOf(x)
		if len(p.Best) == k && score < p.Best[0].Score {
			continue
		}
		p.Best.Offer(topk.Entry{Score: score, ID: id}, k)
		if len(p.Best) == k {
			front := exp32(p.Best[0].Score)
			skip = front - logSlack*front - 1e-5
		}
	}
	p.Best.Sort()
	return nil
}

// logSlack is more than the rounding of a logarithm.
const logSlack = 1e-5

// softmax turns scores into probabilities that sum to 1.
func softmax(scores []float32) {
	most, sum := scores[0], float32(0)
	for _, x := range scores {
		if most < x {
			most = x
		}
	}
	for i, x := range scores {
		scores[i] = float32(math.Exp(float64(x - most)))
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// logistic turns each score into a probability of its own.
func logistic(scores []float32) {
	table := sigmoids()
	for i, x := range scores {
		scores[i] = table.at(x)
	}
}

// Scores beyond this have probability 0 or 1, and those between have that of the next lower step of a table.
const (
	sigmoidMost  = 8
	sigmoidSteps = 512
)

type sigmoidTable [sigmoidSteps + 1]float32

var sigmoids = sync.OnceValue(func() *sigmoidTable {
	var table sigmoidTable
	for i := range table {
		x := float32(i*2*sigmoidMost)/sigmoidSteps - sigmoidMost
		table[i] = float32(1 / (1 + float64(exp32(-x))))
	}
	return &table
})

func (t *sigmoidTable) at(x float32) float32 {
	switch {
	case x < -sigmoidMost:
		return 0
	case x > sigmoidMost:
		return 1
	case x != x:
		return x
	}
	return t[int(float32(float32(x+sigmoidMost)*sigmoidSteps)/sigmoidMost/2)]
}

// logOf returns the logarithm of a probability, which is never less than that of 0.00001.
func logOf(x float32) float32 { return float32(math.Log(float64(x) + 1e-5)) }

// tree has a probability for each side of each inner node of a Huffman tree of labels.
type tree struct {
	output
	nodes  []node
	labels int
	slack  float32 // by how much the score of a label may exceed that of a node above it, and more
}

// A node with an id below that of the first inner node is the label of that id.
type node struct{ left, right, parent int32 }

// unset is the count of a node that is not built yet, and more than any label may have.
const unset = 1e15

// newTree builds the tree that fastText builds, which takes counts for sorted, the largest first.
func newTree(counts []uint64) []node {
	n := len(counts)
	nodes := make([]node, 2*n-1)
	weights := make([]int64, 2*n-1)
	for i := range nodes {
		nodes[i] = node{-1, -1, -1}
		if weights[i] = unset; i < n {
			weights[i] = int64(counts[i])
		}
	}
	leaf, inner := n-1, n
	for i := n; i < 2*n-1; i++ {
		var least [2]int
		for j := range least {
			if leaf >= 0 && weights[leaf] < weights[inner] {
				least[j], leaf = leaf, leaf-1
			} else {
				least[j], inner = inner, inner+1
			}
		}
		nodes[i].left, nodes[i].right = int32(least[0]), int32(least[1])
		nodes[least[0]].parent, nodes[least[1]].parent = int32(i), int32(i)
		weights[i] = weights[least[0]] + weights[least[1]]
	}
	return nodes
}

// slackOf bounds what the steps from the root to a leaf may add to a score: logOf(1) is 0.00001, and a sum of numbers down to
// leastCertain is rounded by less than a tenth of it.
func slackOf(nodes []node) float32 {
	depths, most := make([]int32, len(nodes)), int32(0)
	for i := len(nodes) - 2; i >= 0; i-- { // parents are behind their children
		depths[i] = depths[nodes[i].parent] + 1
		most = max(most, depths[i])
	}
	return float32(most) * 1.2e-5
}

const (
	leastCertain = -16
	mostSlack    = 0.01 // of trees where it is worth a try
)

// Best finds what fastText finds, which visits the left side of a node before the right one: what it passes by then, and which
// of equal labels it keeps, depends on that order. The more probable side first leads to the same labels sooner, if they are
// better than all others by more than a step down the tree may add.
func (t *tree) Best(p *Predictor, k int, threshold float32) error {
	least := logOf(threshold)
	if k < t.labels && t.slack < mostSlack && least > leastCertain {
		other, err := t.visit(p, k, least, true)
		if err != nil {
			return err
		}
		p.Best.Sort()
		if n := len(p.Best); n == k && p.Best[n-1].Score-t.slack > max(other, least) && falls(p.Best) {
			return nil
		}
		p.Best = p.Best[:0]
	}
	_, err := t.visit(p, k, least, false)
	p.Best.Sort()
	return err
}

// falls reports whether no two scores are equal, and none is more than the one before it.
func falls(all topk.Heap) bool {
	for i := range len(all) - 1 {
		if !(all[i].Score > all[i+1].Score) {
			return false
		}
	}
	return true
}

// visit offers the labels of at least a score, and returns the largest score of a label that is not kept. It makes no call
// for each node: a tree may be as deep as it has labels.
func (t *tree) visit(p *Predictor, k int, least float32, betterFirst bool) (other float32, err error) {
	other = float32(math.Inf(-1))
	slack := float32(0)
	if betterFirst {
		slack = 2 * t.slack // the labels below what is passed by then are worse by more than the slack
	}
	p.open = append(p.open[:0], topk.Entry{ID: len(t.nodes) - 1})
	for len(p.open) > 0 {
		at := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		if at.Score < least-slack || len(p.Best) == k && at.Score < p.Best[0].Score-slack {
			continue
		}
		of := t.nodes[at.ID]
		if of.left < 0 {
			if len(p.Best) == k {
				other = max(other, min(at.Score, p.Best[0].Score))
			}
			p.Best.Offer(at, k)
			continue
		}
		f := t.dot(p.Vector, at.ID-t.labels)
		if f != f && !t.quiet {
			return other, ErrNaN
		}
		f = float32(1 / float64(1+exp32(-f)))
		first := topk.Entry{Score: at.Score + logOf(float32(1-float64(f))), ID: int(of.left)}
		then := topk.Entry{Score: at.Score + logOf(f), ID: int(of.right)}
		if betterFirst && then.Score > first.Score {
			first, then = then, first
		}
		p.open = append(p.open, then, first)
	}
	return other, nil
}

// products sets p.scores to the products of the text's vector and n rows.
func (o *output) products(p *Predictor, n int) error {
	if len(p.scores) != n {
		p.scores = make([]float32, n, n+lanes-1)
	}
	return o.multiply(p.scores, p.Vector)
}

func (f flat) Loss(p *Predictor, own []int, by float64) (l temperature.Loss, err error) {
	if err := f.products(p, f.labels); err != nil {
		return l, err
	}
	if !f.each {
		return temperature.Softmax(p.scores, own, by), nil
	}
	for id, x := range p.scores {
		l.Add(temperature.Logistic(float64(x), slices.Contains(own, id), by))
	}
	return l, nil
}

func (t *tree) Loss(p *Predictor, own []int, by float64) (l temperature.Loss, err error) {
	for _, label := range own {
		t.path(label, func(node int, right bool) {
			of := temperature.Logistic(float64(t.dot(p.Vector, node)), right, by)
			n := float64(len(own))
			l.Add(temperature.Loss{Sum: of.Sum / n, First: of.First / n, Second: of.Second / n})
		})
	}
	return l, nil
}

// Probability returns the probability whose logarithm is a score.
func Probability(score float32) float32 { return exp32(score) }

// exp32 is expf of GNU's C library, whose last bit is not always the nearest. It computes 2^(n/32) · 2^r, where
// n is the nearest whole number of x·32/ln 2 and r the small rest, with a table and a polynomial in float64.
// Source: Szabolcs Nagy's expf, in ARM's optimized routines (math/expf.c).
func exp32(x float32) float32 {
	switch {
	case x != x || x > 88.72283:
		if x > 0 {
			return float32(math.Inf(1))
		}
		return x
	case x < -103.97208:
		return 0
	}
	const perOctave = 32
	z := float64(x) * (perOctave / math.Ln2)
	n := math.RoundToEven(z)
	r := z - n
	power := math.Ldexp(powers[int(n)&(perOctave-1)], int(n)>>5)
	const (
		c3 = 0x1.c6af84b912394p-5 / perOctave / perOctave / perOctave
		c2 = 0x1.ebfce50fac4f3p-3 / perOctave / perOctave
		c1 = 0x1.62e42ff0c52d6p-1 / perOctave
	)
	return float32(((c3*r+c2)*(r*r) + (c1*r + 1)) * power)
}

var powers = [...]float64{
	0x1p0, 0x1.059b0d3158574p0, 0x1.0b5586cf9890fp0, 0x1.11301d0125b51p0,
	0x1.172b83c7d517bp0, 0x1.1d4873168b9aap0, 0x1.2387a6e756238p0, 0x1.29e9df51fdee1p0,
	0x1.306fe0a31b715p0, 0x1.371a7373aa9cbp0, 0x1.3dea64c123422p0, 0x1.44e086061892dp0,
	0x1.4bfdad5362a27p0, 0x1.5342b569d4f82p0, 0x1.5ab07dd485429p0, 0x1.6247eb03a5584p0,
	0x1.6a09e667f3bccp0, 0x1.71f75e8ec5f74p0, 0x1.7a11473eb0187p0, 0x1.82589994cce12p0,
	0x1.8ace5422aa0dcp0, 0x1.93737b0cdc5e5p0, 0x1.9c49182a3f09p0, 0x1.a5503b23e255cp0,
	0x1.ae89f995ad3aep0, 0x1.b7f76f2fb5e47p0, 0x1.c199bdd85529cp0, 0x1.cb720dcef9069p0,
	0x1.d5818dcfba487p0, 0x1.dfc97337b9b5fp0, 0x1.ea4afa2a490dap0, 0x1.f50765b6e454p0,
}
