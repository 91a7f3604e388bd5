// Package counting derives from word counts what training needs: the distribution of negative samples, and
// the tree of hierarchical softmax.
package counting

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// An Alias is a discrete distribution from which numbers are drawn in constant time by Walker's alias method.
// The table is built as in Vose (1991). An Alias is immutable.
//
// Consecutive numbers of equal weight are one outcome of the table; Draw then picks one of them uniformly.
// Most words of a vocabulary are as rare as their neighbours, so the table of even a large vocabulary fits
// into a near cache.
type Alias struct {
	columns []column
	runs    []run
}

type column struct{ cut, other uint32 }

type run struct{ first, length uint32 }

// NewAlias returns the distribution over 0…len(weights)-1 that is proportional to weights. It panics if a
// weight is negative or not finite, or if all weights are zero. Without weights, the distribution is empty:
// do not draw from it.
func NewAlias(weights []float64) *Alias {
	var sum float64
	runs := 0
	for i, w := range weights {
		if !(w >= 0) {
			panic(fmt.Sprintf("counting: weight %d of a distribution is %v, must be 0 or more", i, w))
		}
		sum += w
		if i == 0 || w != weights[i-1] {
			runs++
		}
	}
	if len(weights) > 0 && !(sum > 0 && sum <= math.MaxFloat64) {
		panic(fmt.Sprintf("counting: the weights of a distribution add up to %v, must be finite and above 0", sum))
	}
	a := &Alias{columns: make([]column, runs), runs: make([]run, 0, runs)}
	scaled := make([]float64, 0, runs) // weights of runs, with mean 1
	for i := 0; i < len(weights); {
		first := i
		for i < len(weights) && weights[i] == weights[first] {
			i++
		}
		a.runs = append(a.runs, run{uint32(first), uint32(i - first)})
		scaled = append(scaled, weights[first]*float64(i-first)/sum*float64(runs))
	}
	a.fill(scaled)
	return a
}

// fill builds the columns from the weights of runs, which have mean 1.
func (a *Alias) fill(scaled []float64) {
	var small, large []uint32
	for i, w := range scaled {
		if w < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.columns[s] = column{cut: uint32(scaled[s] * (1 << 32)), other: l}
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// The remaining columns have weight 1, up to rounding.
	for _, i := range slices.Concat(small, large) {
		a.columns[i] = column{cut: 1<<32 - 1, other: i}
	}
}

// Draw converts 64 random bits to a number: the upper half selects the run, the lower one its member.
func (a *Alias) Draw(random uint64) uint32 {
	at := random >> 32 * uint64(len(a.columns))
	i := at >> 32
	c := a.columns[i]
	// A branch could not be predicted here, so there is none.
	above := (at&math.MaxUint32-uint64(c.cut))>>63 - 1 // all bits are set from the cut on
	r := a.runs[i^(i^uint64(c.other))&above]
	return r.first + uint32(random&math.MaxUint32*uint64(r.length)>>32)
}

// Noise returns the distribution of negative samples. It panics if a power is not finite or all are zero.
func Noise(counts []uint64, exponent float64) *Alias { return NewAlias(Powers(counts, exponent)) }

// Powers returns counts to the power exponent.
func Powers(counts []uint64, exponent float64) []float64 {
	powers := make([]float64, len(counts))
	for id, c := range counts {
		if id > 0 && c == counts[id-1] { // most counts equal the one before; this saves the slow math.Pow
			powers[id] = powers[id-1]
			continue
		}
		powers[id] = math.Pow(float64(c), exponent)
	}
	return powers
}

// A Tree is a binary tree whose leaves are the words of a vocabulary. Hierarchical softmax follows the path
// from the root to a word, and predicts the side at each inner node. A Tree is immutable and may be used from
// several goroutines.
type Tree struct {
	nodes []uint32 // for each word: nodes where the path takes side 1, then nodes where it takes side 0
	// starts has two indices into nodes for each word: of its nodes, and of those of side 0.
	starts []uint64
}

// Huffman returns the tree with the shortest mean path to a word, weighted by counts. The tree is the same as
// in word2vec.c and fastText. As in these programs, inner nodes are numbered from 0 in the order in which
// they are made. Words need not be sorted. Of words with equal counts, the word with the higher id is merged
// first, so it is deeper in the tree.
//
// Those programs have no words of count 0. Here, any number of words of count 0 weighs less than one word of
// count 1, and more such words weigh more than fewer. Without this rule they would form a chain, and paths
// would be as long as the number of such words.
func Huffman(counts []uint64) *Tree {
	words := len(counts)
	parents, sides := link(counts)
	t := &Tree{starts: make([]uint64, 2*words+1)}
	// length returns the number of nodes on the path to a word, and how many take side 1.
	length := func(word int) (all, ones uint64) {
		for at := word; parents[at] != 0; at = int(parents[at]) {
			all++
			if sides[at] {
				ones++
			}
		}
		return all, ones
	}
	inParts(words, func(first, last int) {
		for w := first; w < last; w++ {
			t.starts[2*w+2], t.starts[2*w+1] = length(w)
		}
	})
	for w := range words { // lengths become start indices
		t.starts[2*w+1] += t.starts[2*w]
		t.starts[2*w+2] += t.starts[2*w]
	}
	t.nodes = make([]uint32, t.starts[2*words])
	inParts(words, func(first, last int) {
		for w := first; w < last; w++ {
			next := [2]uint64{t.starts[2*w+1], t.starts[2*w]} // next position by side
			for at := w; parents[at] != 0; at = int(parents[at]) {
				side := 0
				if sides[at] {
					side = 1
				}
				t.nodes[next[side]] = parents[at] - uint32(words)
				next[side]++
			}
		}
	})
	return t
}

// link returns the parent of every word, followed by the parent of every inner node, and whether the word or
// node is on side 1 of its parent. The parent of the root is 0.
func link(counts []uint64) (parents []uint32, sides []bool) {
	words := len(counts)
	order := make([]uint32, words) // by rising count
	for i := range order {
		order[i] = uint32(words - 1 - i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(counts[a], counts[b]) })
	total := max(0, 2*words-1)
	parents, sides = make([]uint32, total), make([]bool, total)
	weights := make([]weight, 0, words) // of inner nodes; they are made in rising order
	leaf, node := 0, 0                  // the lightest leaf and the lightest node without a parent
	least := func() (int, weight) {
		if leaf < words {
			w := newWeight(counts[order[leaf]])
			if node == len(weights) || w.less(weights[node]) {
				leaf++
				return int(order[leaf-1]), w
			}
		}
		node++
		return words + node - 1, weights[node-1]
	}
	for n := words; n < total; n++ {
		a, x := least()
		b, y := least()
		parents[a], parents[b], sides[b] = uint32(n), uint32(n), true
		weights = append(weights, weight{x.seen + y.seen, x.unseen + y.unseen})
	}
	return parents, sides
}

// A weight has the total count of the words below a node, and the number of words of count 0.
type weight struct{ seen, unseen uint64 }

func newWeight(count uint64) weight {
	if count == 0 {
		return weight{unseen: 1}
	}
	return weight{seen: count}
}

func (w weight) less(other weight) bool {
	return w.seen < other.seen || w.seen == other.seen && w.unseen < other.unseen
}

// Nodes returns the number of inner nodes: one less than the number of words.
func (t *Tree) Nodes() int { return max(0, len(t.starts)/2-1) }

// Sides returns the inner nodes on the path to a word: nodes where the path takes side 1, and nodes where it
// takes side 0, both in rising order. Side 1 is the positive label, as in fastText; in word2vec.c it is the
// negative label. The caller must not change the lists.
func (t *Tree) Sides(word uint32) (ones, zeros []uint32) {
	starts := t.starts[2*word:][:3]
	return t.nodes[starts[0]:starts[1]:starts[1]], t.nodes[starts[1]:starts[2]:starts[2]]
}

// Path returns the nodes of both sides. The caller must not change the list.
func (t *Tree) Path(word uint32) []uint32 { return t.nodes[t.starts[2*word]:t.starts[2*word+2]] }

// inParts divides 0…n-1 into a part for each core, and calls work for all parts in parallel.
func inParts(n int, work func(first, last int)) {
	var g sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for k := range parts {
		g.Go(func() { work(n*k/parts, n*(k+1)/parts) })
	}
	g.Wait()
}
