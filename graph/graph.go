// Package graph reads edge lists of any size and walks over them at random: DeepWalk, node2vec
// and node2vec+. Vectors that are trained on walks place nodes near each other that are near in
// the graph.
//
//	source, err := corpus.Files([]string{"edges.tsv.gz"}, nil, corpus.Options{})
//	…
//	g, err := graph.Read(ctx, source, graph.ReadOptions{})
//	…
//	defer g.Close()
//	stats, err := g.WriteWalks(ctx, w, graph.WalkOptions{P: 0.5, Q: 2})
//
// A [Graph] is a file in compressed sparse rows that is mapped into memory. A neighbour takes as
// many bits as the number of nodes asks for, and its weight about 20 bits more: a weighted graph of
// a million nodes takes 5 to 6 bytes for each direction of an edge. [Read] makes that file by sorting
// on disk, so that it needs memory for the nodes only. [Open] opens it again, without reading the
// edges.
//
// Walks of one seed are the same on any number of threads.
package graph

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"sort"

	"github.com/edsrzf/mmap-go"
	"github.com/w2v-go/w2v/internal/scratch"
)

// A Graph is a graph in compressed sparse rows, mapped from a file. An arc is one direction of an edge. In an
// undirected graph an edge has two arcs, and an edge from a node to itself has one. Methods may be called
// from several goroutines until Close.
type Graph struct {
	head    header
	records []byte    // bits of all arcs' records, and 8 bytes of padding
	offsets []uint64  // where the arcs of each node begin, and where the last ones end
	totals  []float32 // sum of the weights of each node's arcs
	blocks  []uint32  // see blockEnds
	ends    []uint64  // end of each node's name in text
	text    []byte

	width  uint64 // number of bits of a record
	idMask uint64

	mapped mmap.MMap
	file   *scratch.File // Close removes it; nil if the file is kept
}

// An arc's record is the neighbour, in as many bits as the largest neighbour needs, and above it the weight.
// Of a weight's float32, the record keeps the exponent and 16 bits of the mantissa, minus the smallest of all
// weights. So a weight has a relative error of at most 2^-17, and takes no bits if all weights are the same.
// A record has at most 56 bits, and one load reads it.
const (
	droppedBits = 7 // of a float32's mantissa
	recordSlack = 8 // bytes after the records, which the last load may read
)

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return int(g.head.Nodes) }

// Edges returns the number of distinct edges.
func (g *Graph) Edges() uint64 { return g.head.Edges }

// Arcs returns the number of arcs.
func (g *Graph) Arcs() uint64 { return g.head.Arcs }

// Lines returns the number of edges that were read. An edge on several lines counts once for each line.
func (g *Graph) Lines() uint64 { return g.head.Lines }

// Directed reports whether edges have a direction.
func (g *Graph) Directed() bool { return g.head.Flags&flagDirected != 0 }

// Weighted reports whether weights differ.
func (g *Graph) Weighted() bool { return g.head.WeightBits > 0 }

// Bytes returns the size of the mapped file.
func (g *Graph) Bytes() uint64 { return g.head.size() }

// Name returns the name of a node.
func (g *Graph) Name(node int) string { return string(g.name(uint32(node))) }

func (g *Graph) name(node uint32) []byte {
	begin := uint64(0)
	if node > 0 {
		begin = g.ends[node-1]
	}
	return g.text[begin:g.ends[node]]
}

// Degree returns the number of arcs that begin at a node.
func (g *Graph) Degree(node int) int { return int(g.offsets[node+1] - g.offsets[node]) }

// Neighbours yields the neighbours of a node in ascending order, with the weights of the arcs.
func (g *Graph) Neighbours(node int) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		for i := g.offsets[node]; i < g.offsets[node+1]; i++ {
			record := g.record(i)
			if !yield(int(record&g.idMask), g.weight(record)) {
				return
			}
		}
	}
}

// Weight returns the weight of the arc between two nodes, and whether there is one.
func (g *Graph) Weight(from, to int) (weight float32, ok bool) {
	weight = g.between(uint32(from), uint32(to))
	return weight, weight > 0
}

// record returns an arc's record, with bits of the following records above it.
func (g *Graph) record(arc uint64) uint64 {
	bit := arc * g.width
	return binary.LittleEndian.Uint64(g.records[bit>>3:]) >> (bit & 7) & (1<<g.width - 1)
}

func (g *Graph) weight(record uint64) float32 {
	return math.Float32frombits((uint32(record>>g.head.IDBits) + g.head.LeastWeight) << droppedBits)
}

// between returns the weight of the arc between two nodes, or 0 if there is none.
func (g *Graph) between(from, to uint32) float32 {
	first, n := g.offsets[from], g.offsets[from+1]-g.offsets[from]
	for n > 0 {
		half := n / 2
		switch record := g.record(first + half); {
		case uint32(record&g.idMask) == to:
			return g.weight(record)
		case uint32(record&g.idMask) < to:
			first, n = first+half+1, n-half-1
		default:
			n = half
		}
	}
	return 0
}

// A node with more than blockArcs arcs has a block for every blockArcs arcs. Its entry is the share of the
// node's weight up to the end of the block, in units of 2^-32. Arcs after the last whole block have no entry.
// The entries of a node begin at the number of its first arc divided by blockArcs, rounded down, in one
// array. So the entries of two nodes never overlap.
const blockArcs = 32

// blockEnds returns the ends of a node's whole blocks.
func (g *Graph) blockEnds(first, degree uint64) []uint32 {
	return g.blocks[first/blockArcs:][:degree/blockArcs]
}

// Find returns the number of the node with that name, and whether there is one. It searches all names: in
// loops, use node numbers.
func (g *Graph) Find(name string) (node int, ok bool) {
	for i := range g.Nodes() {
		if string(g.name(uint32(i))) == name {
			return i, true
		}
	}
	return 0, false
}

// Close releases the file. The graph must not be used afterwards. Closing again does nothing.
func (g *Graph) Close() error {
	var errs []error
	if g.mapped != nil {
		errs = append(errs, g.mapped.Unmap())
	}
	g.mapped, g.records, g.offsets, g.totals, g.blocks, g.ends, g.text = nil, nil, nil, nil, nil, nil, nil
	if g.file != nil {
		errs = append(errs, g.file.Close())
		g.file = nil
	}
	return errors.Join(errs...)
}

// valid reports whether offsets and ends are ascending and every neighbour is a node. Walks rely on that.
func (g *Graph) valid() bool {
	rising := func(x []uint64, last uint64) bool {
		return len(x) > 0 && x[len(x)-1] == last && sort.SliceIsSorted(x, func(i, j int) bool { return x[i] < x[j] })
	}
	if g.offsets[0] != 0 || !rising(g.offsets, g.head.Arcs) || !rising(g.ends, g.head.TextBytes) {
		return false
	}
	for arc := range g.head.Arcs {
		if g.record(arc)&g.idMask >= g.head.Nodes {
			return false
		}
	}
	return true
}
