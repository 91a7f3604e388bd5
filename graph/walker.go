package graph

import "math"

// A walker walks on one goroutine. It moves a group of walks in turn, a stage of a step at a time:
// what one walk waits for from memory, the processor fetches for the others meanwhile.
type walker struct {
	g       *Graph
	options WalkOptions
	bias    bias
	order   order
	round   uint64 // that order is of
	ordered bool   // order is of any

	paths   []uint32 // of the group, Length nodes each
	walks   []walk
	pending []int32 // walks whose step is not decided
	asked   []int32 // see bias.decide

	nodes []uint32 // of the batch
	ends  []int
}

// A walk is the state of one walk.
type walk struct {
	random       generator
	first        uint64 // arc of the node
	degree       uint64
	arc          uint64  // that may be the next, or from which it is looked for
	mass         float64 // of weights, before the next node's
	extra, draw  float64 // see bias.decideEarly
	total        float32
	node, before uint32
	next         uint32
	length       int32
	tries        int32
}

// groupWalks is how many walks are moved in turn. More need more cache, and fewer wait longer.
const groupWalks = 128

func newWalker(g *Graph, o WalkOptions) *walker {
	return &walker{
		g: g, options: o, bias: newBias(o),
		paths:   make([]uint32, groupWalks*o.Length),
		walks:   make([]walk, groupWalks),
		pending: make([]int32, 0, groupWalks),
		asked:   make([]int32, 0, groupWalks),
	}
}

// batch walks a batch.
func (w *walker) batch(number int) Batch {
	w.nodes, w.ends = w.nodes[:0], w.ends[:0]
	first := number * batchWalks
	end := min(first+batchWalks, w.options.PerNode*w.g.Nodes())
	for ; first < end; first += groupWalks {
		w.group(first, min(first+groupWalks, end))
	}
	return Batch{Number: number, Nodes: w.nodes, Ends: w.ends}
}

// start returns the node at which a walk begins.
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

// noNode is before a walk's first node.
const noNode = math.MaxUint32

// step finds the next node of all walks. It returns false if none has one. A walk at a node
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
		touched += g.record(walks[i].arc) // fetches all of these at once
	}
	w.bias.touched += touched
	for _, i := range pending {
		g.findArc(&walks[i])
	}
}

// findBlock moves a walk's arc to the block of arcs that has the share of all weights, and
// subtracts the weights before.
func (g *Graph) findBlock(k *walk, share uint32) {
	ends := g.blockEnds(k.first, k.degree)
	base, n := 0, len(ends)
	for n > 0 { // base is the number of ends that are at most share
		half := (n + 1) / 2
		if ends[base+half-1] <= share {
			base += half
		}
		n -= half
	}
	if uint64(base)*blockArcs == k.degree {
		base-- // the last end is 2^32, which is not stored
	}
	if base > 0 {
		k.mass -= float64(ends[base-1]) * 0x1p-32 * float64(k.total)
		k.arc += uint64(base) * blockArcs
	}
}

// findArc moves a walk from the first arc of a block to the one at which the weights pass its mass.
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
