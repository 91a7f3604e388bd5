package graph

// A bias makes second-order walks. A next node is proposed by the weights of arcs and accepted with a
// probability in proportion to its factor (rejection sampling, as in KnightKing; Yang et al. 2019). So
// nothing is stored per pair of arcs.
type bias struct {
	any        bool
	plus       bool
	back, away float64 // 1/p and 1/q
	apart      bool    // the arc back is drawn separately
	most       float64 // the largest factor, except that of an arc back that is drawn separately
	touched    uint64  // keeps the compiler from dropping loads that prefetch
}

// An arc back whose factor is more than farBack times the largest other factor is drawn separately. Below
// that, the arc back is an ordinary proposal. Other proposals are then rejected more often, but looking up
// the weight of the arc back takes as long as a few proposals.
const farBack = 4

func newBias(o WalkOptions) bias {
	b := bias{
		any: o.P != 1 || o.Q != 1, plus: o.Plus,
		back: 1 / o.P, away: 1 / o.Q, most: max(1, 1/o.Q),
	}
	if b.apart = b.back > farBack*b.most; !b.apart {
		b.most = max(b.most, b.back)
	}
	return b
}

// manyTries is how many proposals are rejected, beyond one for each arc, before the next node is drawn from
// the factors of all arcs. That draw costs about as much as these tries and always ends.
const manyTries = 32

// decide accepts or rejects the proposed nodes of walks and returns the walks whose proposals are rejected.
// Nodes are accepted with exactly the probabilities of the factors.
func (b *bias) decide(g *Graph, walks []walk, pending, asked []int32) (rejected []int32) {
	rejected, asked = pending[:0], asked[:0]
	for _, i := range pending {
		switch b.decideEarly(g, &walks[i]) {
		case undecided:
			asked = append(asked, i)
		case rejects:
			rejected = append(rejected, i)
		}
	}
	for _, i := range asked {
		b.touched += g.offsets[walks[i].next] // prefetches for all walks
	}
	for _, i := range asked {
		k := &walks[i]
		if k.draw >= b.factor(g, k.before, k.node, k.next, g.weight(g.record(k.arc))) && !b.giveUp(g, k) {
			rejected = append(rejected, i)
		}
	}
	return rejected
}

// A verdict is the decision on a proposal before other nodes are looked at.
type verdict int

const (
	undecided verdict = iota
	accepts
	rejects
)

// decideEarly decides on a walk's proposal if that needs no look at other nodes.
func (b *bias) decideEarly(g *Graph, k *walk) verdict {
	if k.before == noNode {
		return accepts
	}
	if b.apart {
		// Among the proposals, the arc back has the largest factor of the other arcs. The rest of its factor
		// is drawn separately, in each try.
		if k.tries == 0 {
			k.extra = (b.back - b.most) * float64(g.between(k.node, k.before))
		}
		if k.extra > 0 && k.random.unit()*(b.most*g.total(k)+k.extra) < k.extra {
			k.next = k.before
			return accepts
		}
	}
	k.draw = k.random.unit() * b.most
	switch {
	case k.next == k.before:
		if k.draw < b.back || b.giveUp(g, k) {
			return accepts
		}
		return rejects
	case k.draw < min(1, b.away):
		return accepts
	case k.draw >= max(1, b.away):
		if b.giveUp(g, k) {
			return accepts
		}
		return rejects
	}
	return undecided
}

// giveUp counts a rejected proposal. After many rejections, it draws the next node from the factors of all
// arcs and returns true.
func (b *bias) giveUp(g *Graph, k *walk) bool {
	if k.tries++; uint64(k.tries) < manyTries+k.degree {
		return false
	}
	b.drawAll(g, k)
	return true
}

// total returns the weight of all arcs of a walk's node.
func (g *Graph) total(k *walk) float64 {
	if g.head.WeightBits == 0 {
		return float64(k.degree) * float64(g.weight(0))
	}
	return float64(k.total)
}

// factor returns the factor of the arc from node to next, which has that weight. The walk visited before just
// before node.
func (b *bias) factor(g *Graph, before, node, next uint32, weight float32) float64 {
	if next == before {
		return b.back
	}
	if !b.plus {
		if g.connected(before, next) {
			return 1
		}
		return b.away
	}
	from := g.between(before, next)
	average := g.average(next)
	if from > 0 && from >= average {
		return 1
	}
	switch {
	case weight < g.average(node):
		return min(1, b.away)
	case from == 0:
		return b.away
	}
	return b.away + (1-b.away)*float64(from/average)
}

// average returns the average weight of a node's arcs, or 0 without arcs. The result is rounded down
// slightly, so that arcs of equal weight are not below their average because of rounding.
func (g *Graph) average(node uint32) float32 {
	degree := g.offsets[node+1] - g.offsets[node]
	if degree == 0 {
		return 0
	}
	const rounding = 1 - 0x1p-20
	return float32(float64(g.totals[node]) / float64(degree) * rounding)
}

// connected reports whether there is an arc between two nodes. In an undirected graph it searches the node
// with fewer arcs.
func (g *Graph) connected(from, to uint32) bool {
	if !g.Directed() && g.Degree(int(to)) < g.Degree(int(from)) {
		from, to = to, from
	}
	return g.between(from, to) > 0
}

// drawAll draws the next node from the factors of all arcs, in one pass: each arc replaces the drawn one with
// the probability of its share of the factors so far.
func (b *bias) drawAll(g *Graph, k *walk) {
	sum := 0.0
	for arc := k.first; arc < k.first+k.degree; arc++ {
		record := g.record(arc)
		next, weight := uint32(record&g.idMask), g.weight(record)
		mass := b.factor(g, k.before, k.node, next, weight) * float64(weight)
		if sum += mass; k.random.unit()*sum < mass {
			k.next = next
		}
	}
}
