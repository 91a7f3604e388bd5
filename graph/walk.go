package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"golang.org/x/sync/errgroup"
)

// WalkOptions say how Walk walks. The zero value is DeepWalk (Perozzi, Al-Rfou and Skiena 2014): each step
// follows an arc with a probability in proportion to its weight.
type WalkOptions struct {
	Length  int // nodes in a walk, at most MaxLength; 0 means 80. A walk ends early at a node without arcs
	PerNode int // walks that begin at each node, at most MaxPerNode; 0 means 10

	// P and Q make second-order walks, which depend on the previous node (node2vec; Grover and Leskovec
	// 2016). The weight of the arc back to the previous node is divided by P. The weight of an arc to a node
	// without an arc from the previous node is divided by Q. 0 means 1, which changes nothing. Other values
	// must be from 1/MaxFactor to MaxFactor.
	P, Q float64
	// Plus makes weights count for P and Q, too (node2vec+; Liu, Hirn and Krishnan 2023). An arc is strong if
	// its weight is at least the average of its node's arcs. If the previous node has a strong arc to the
	// next node, the weight does not change. If the previous node has a weak arc to it or no arc, the weight
	// is multiplied by a factor between 1 and 1/Q. The factor is nearer to 1 if that arc is stronger. If the
	// arc to the next node is weak itself, the factor is 1/Q or 1, whichever is less.
	Plus bool

	// Arrays makes WriteWalks write JSON arrays, in which names may have spaces.
	Arrays  bool
	Seed    uint64
	Threads int // number of workers; 0 means GOMAXPROCS
	// Progress, if not nil, is called now and then with the number of nodes walked so far, from
	// several goroutines.
	Progress func(nodes uint64)
}

// Limits of WalkOptions. A worker holds a batch of 1,024 walks in memory.
const (
	MaxLength  = 1 << 16
	MaxPerNode = 1 << 24
	MaxFactor  = 1e100 // for P, Q, 1/P and 1/Q, so that products with weights do not overflow
)

// Defaults, which are those of DeepWalk and node2vec.
const (
	DefaultLength  = 80
	DefaultPerNode = 10
)

func (o WalkOptions) orDefaults() WalkOptions {
	o.Length, o.PerNode = cmp.Or(o.Length, DefaultLength), cmp.Or(o.PerNode, DefaultPerNode)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.P, o.Q = cmp.Or(o.P, 1), cmp.Or(o.Q, 1)
	return o
}

// Validate returns an error if an option has an invalid value.
func (o WalkOptions) Validate() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"P", o.P}, {"Q", o.Q}} {
		switch {
		case f.value == 0: // means the default, 1
		case !(f.value > 0):
			return fmt.Errorf("walks: %s is %v, must be above 0", f.name, f.value)
		case f.value < 1/MaxFactor || f.value > MaxFactor:
			return fmt.Errorf("walks: %s is %v, must be from %v to %v", f.name, f.value, 1/MaxFactor, MaxFactor)
		}
	}
	for _, f := range []struct {
		name        string
		value, most int
	}{{"Length", o.Length, MaxLength}, {"PerNode", o.PerNode, MaxPerNode}, {"Threads", o.Threads, math.MaxInt}} {
		switch {
		case f.value < 0:
			return fmt.Errorf("walks: %s is %d, must not be negative", f.name, f.value)
		case f.value > f.most:
			return fmt.Errorf("walks: %s is %d, at most %d is possible", f.name, f.value, f.most)
		}
	}
	return nil
}

// batchWalks is the number of walks in a batch. The last batch may have fewer.
const batchWalks = 1 << 10

// Batches returns the number of batches of a walk with these options.
func (g *Graph) Batches(o WalkOptions) int {
	o = o.orDefaults()
	return (o.PerNode*g.Nodes() + batchWalks - 1) / batchWalks
}

// Walk walks and calls use with batches of walks, from several goroutines and in any order. In each of
// PerNode rounds, a walk begins at every node, in random order. The walks depend only on the graph and the
// options, but not on Threads. An error of use ends Walk with that error. Walk panics if use is nil.
func (g *Graph) Walk(ctx context.Context, o WalkOptions, use func(worker int, b corpus.Batch) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if ctx == nil || g == nil || g.mapped == nil {
		return errors.New("graph: walking needs a context and a graph that is open")
	}
	if use == nil {
		panic("graph: Walk with a nil function")
	}
	o = o.orDefaults()
	var next, done atomic.Int64
	batches := g.Batches(o)
	tasks, ctx := errgroup.WithContext(ctx)
	for worker := range min(o.Threads, batches) {
		tasks.Go(func() error {
			w := &walker{
				g: g, options: o, bias: newBias(o),
				paths: make([]uint32, groupWalks*o.Length), walks: make([]walk, groupWalks),
				pending: make([]int32, 0, groupWalks), asked: make([]int32, 0, groupWalks),
			}
			for {
				number := int(next.Add(1)) - 1
				if number >= batches {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := use(worker, w.batch(number)); err != nil {
					return err
				}
				if total := done.Add(int64(len(w.nodes))); o.Progress != nil {
					o.Progress(uint64(total))
				}
			}
		})
	}
	return tasks.Wait()
}

// A walker walks on one goroutine. It advances a group of walks in turn, one stage of a step at a time: while
// one walk waits for memory, the processor loads data for the others.
type walker struct {
	g       *Graph
	options WalkOptions
	bias    bias
	order   order
	round   uint64 // the round that order belongs to
	ordered bool   // order is set

	paths   []uint32 // paths of the group, Length nodes each
	walks   []walk
	pending []int32 // walks whose step is undecided
	asked   []int32 // see bias.decide

	nodes []uint32 // of the batch
	ends  []int
}

type walk struct {
	random       generator
	first        uint64 // arc of the node
	degree       uint64
	arc          uint64  // candidate for the next arc, or where the search for it begins
	mass         float64 // weight before the next node's arc
	extra, draw  float64 // see bias.decideEarly
	total        float32
	node, before uint32
	next         uint32
	length       int32
	tries        int32
}

// groupWalks is how many walks are advanced in turn. More walks need more cache; fewer walks wait longer.
const groupWalks = 128

func (w *walker) batch(number int) corpus.Batch {
	w.nodes, w.ends = w.nodes[:0], w.ends[:0]
	first := number * batchWalks
	end := min(first+batchWalks, w.options.PerNode*w.g.Nodes())
	for ; first < end; first += groupWalks {
		w.group(first, min(first+groupWalks, end))
	}
	return corpus.Batch{Number: number, Tokens: w.nodes, Ends: w.ends}
}

func (w *walker) start(walk int) uint32 {
	nodes := w.g.Nodes()
	if round := uint64(walk / nodes); !w.ordered || round != w.round {
		w.order, w.round, w.ordered = newOrder(nodes, uint64(of(w.options.Seed, math.MaxUint64-round))), round, true
	}
	return uint32(w.order.at(uint64(walk % nodes)))
}

// group walks the walks of these numbers, and adds them to the batch.
func (w *walker) group(first, end int) {
	walks, length := w.walks[:end-first], w.options.Length
	for i := range walks {
		node := w.start(first + i)
		walks[i] = walk{random: of(w.options.Seed, uint64(first+i)), node: node, before: noNode, length: 1}
		w.paths[i*length] = node
	}
	for step := 1; step < length; step++ {
		if !w.step(walks) {
			break
		}
		for i := range walks {
			k := &walks[i]
			if int(k.length) == step && k.degree > 0 {
				k.before, k.node = k.node, k.next
				w.paths[i*length+step] = k.next
				k.length++
			}
		}
	}
	for i := range walks {
		w.nodes = append(w.nodes, w.paths[i*length:i*length+int(walks[i].length)]...)
		w.ends = append(w.ends, len(w.nodes))
	}
}

// noNode stands before the first node of a walk.
const noNode = math.MaxUint32

// step finds the next node of all walks. It returns false if no walk has a next node. A walk at a node
// without arcs stays there, with a degree of 0.
func (w *walker) step(walks []walk) bool {
	g := w.g
	pending := w.pending[:0]
	for i := range walks {
		k := &walks[i]
		k.first = g.offsets[k.node]
		k.degree = g.offsets[k.node+1] - k.first
		k.tries = 0
		if g.head.WeightBits > 0 {
			k.total = g.totals[k.node]
		}
	}
	for i := range walks {
		if walks[i].degree > 0 {
			pending = append(pending, int32(i))
		}
	}
	moved := len(pending) > 0
	for len(pending) > 0 {
		w.propose(walks, pending)
		if !w.bias.any {
			break
		}
		pending = w.bias.decide(g, walks, pending, w.asked)
	}
	return moved
}

// propose draws a next node for each of these walks, by the weights of arcs alone.
func (w *walker) propose(walks []walk, pending []int32) {
	g := w.g
	if g.head.WeightBits == 0 {
		for _, i := range pending {
			k := &walks[i]
			k.arc = k.first + k.random.below(k.degree)
		}
		for _, i := range pending {
			k := &walks[i]
			k.next = uint32(g.record(k.arc) & g.idMask)
		}
		return
	}
	for _, i := range pending {
		k := &walks[i]
		unit := k.random.unit()
		k.arc, k.mass = k.first, unit*float64(k.total)
		if k.degree >= blockArcs {
			g.findBlock(k, uint32(unit*(1<<32)))
		}
	}
	touched := uint64(0)
	for _, i := range pending {
		touched += g.record(walks[i].arc) // prefetches for all walks
	}
	w.bias.touched += touched
	for _, i := range pending {
		g.findArc(&walks[i])
	}
}

// findBlock moves a walk's arc to the block that contains the share of all weights, and subtracts the weights
// before the block.
func (g *Graph) findBlock(k *walk, share uint32) {
	ends := g.blocks[k.first/blockArcs:][:k.degree/blockArcs] // of whole blocks
	base, n := 0, len(ends)
	for n > 0 { // base is the number of ends that are at most share
		half := (n + 1) / 2
		if ends[base+half-1] <= share {
			base += half
		}
		n -= half
	}
	if uint64(base)*blockArcs == k.degree {
		base-- // the last end would be 2^32, which is not stored
	}
	if base > 0 {
		k.mass -= float64(ends[base-1]) * 0x1p-32 * float64(k.total)
		k.arc += uint64(base) * blockArcs
	}
}

// findArc moves a walk from the first arc of a block to the arc at which the sum of weights passes its mass.
func (g *Graph) findArc(k *walk) {
	last := min(k.first+k.degree, k.arc+blockArcs) - 1
	mass := float32(k.mass)
	for arc := k.arc; ; arc++ {
		record := g.record(arc)
		if mass -= g.weight(record); mass < 0 || arc == last {
			k.arc, k.next = arc, uint32(record&g.idMask)
			return
		}
	}
}

// A generator draws the random numbers of one walk (SplitMix64: Steele, Lea and Flood 2014).
type generator uint64

const golden = 0x9e3779b97f4a7c15

func (g *generator) next() uint64 {
	*g += golden
	return mix(uint64(*g))
}

// unit returns a random number in [0, 1).
func (g *generator) unit() float64 { return float64(g.next()>>11) * 0x1p-53 }

func (g *generator) below(n uint64) uint64 {
	high, _ := bits.Mul64(g.next(), n)
	return high
}

// mix hashes x: one changed bit of x changes half of the result's bits on average.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func of(seed, walk uint64) generator { return generator(mix(mix(seed+golden) + walk*golden)) }

// An order is a random permutation of the numbers below n. It stores no table: it is a Feistel network of
// four rounds over the smallest sufficient even number of bits, repeated until the result is below n.
type order struct {
	n    uint64
	half uint // bits of a half
	keys [4]uint64
}

func newOrder(n int, seed uint64) order {
	o := order{n: uint64(n), half: uint(bits.Len64(uint64(max(n-1, 1)))+1) / 2}
	for i := range o.keys {
		o.keys[i] = mix(seed + uint64(i+1)*golden)
	}
	return o
}

// at returns the number at a position.
func (o *order) at(place uint64) uint64 {
	mask := uint64(1)<<o.half - 1
	for {
		left, right := place>>o.half, place&mask
		for _, key := range o.keys {
			left, right = right, left^mix(right^key)&mask
		}
		if place = left<<o.half | right; place < o.n {
			return place
		}
	}
}

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
	least, most := min(1, b.away), max(1, b.away)
	if k.next == k.before {
		least, most = b.back, b.back
	}
	switch {
	case k.draw < least:
		return accepts
	case k.draw < most:
		return undecided
	case b.giveUp(g, k):
		return accepts
	}
	return rejects
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
