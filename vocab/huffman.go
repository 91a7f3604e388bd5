package vocab

import (
	"cmp"
	"iter"
	"slices"
)

// A Tree is a binary tree that has the words of a vocabulary for leaves, as hierarchical
// softmax goes down it: at each inner node on the way to a word one side is to be taken. It
// does not change once made and may be used from several goroutines.
type Tree struct {
	nodes []uint32 // of all words: those where side 1 is taken, then those where side 0 is
	// starts has for each word where its nodes begin, then where those of side 0 do.
	starts []uint64
}

// Huffman returns the tree of the shortest ways: with words by their counts, their mean length
// is the least that there is. It is the tree that word2vec.c and fastText make, and inner nodes
// have the numbers that they have there, from 0 in the order in which they are made. Words need
// not be sorted; of equal counts, the one with the higher id comes first, and so lower.
//
// Those programs have no word of count 0. Here these are far less than a word of count 1,
// but more the more they are, as ways would else be as long as they are many.
func Huffman(counts []uint64) *Tree {
	words := len(counts)
	parents, sides := link(counts)
	t := &Tree{starts: make([]uint64, 2*words+1)}
	// length returns how many nodes are on the way, of which so many have side 1.
	length := func(word int) (all, ones uint64) {
		for at := word; parents[at] != 0; at = int(parents[at]) {
			all++
			if sides[at] {
				ones++
			}
		}
		return all, ones
	}
	for w := range words {
		all, ones := length(w)
		t.starts[2*w+1] = t.starts[2*w] + ones
		t.starts[2*w+2] = t.starts[2*w] + all
	}
	t.nodes = make([]uint32, t.starts[2*words])
	for w := range words {
		next := [2]uint64{t.starts[2*w+1], t.starts[2*w]} // by side
		for at := w; parents[at] != 0; at = int(parents[at]) {
			side := 0
			if sides[at] {
				side = 1
			}
			t.nodes[next[side]] = parents[at] - uint32(words)
			next[side]++
		}
	}
	return t
}

// link returns for every word, and behind them for every inner node, its parent, which is 0
// for the root, and whether it is on that one's side 1.
func link(counts []uint64) (parents []uint32, sides []bool) {
	words := len(counts)
	order := make([]uint32, words) // by rising count
	for i := range order {
		order[i] = uint32(words - 1 - i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(counts[a], counts[b]) })
	total := max(0, 2*words-1)
	parents, sides = make([]uint32, total), make([]bool, total)
	weights := make([]weight, 0, words) // of inner nodes, which rise
	leaf, node := 0, 0                  // the least of each that have no parent
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

// weight is how often the words below a node were seen, and how many never were.
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

// Nodes returns the number of inner nodes, which is one less than there are words.
func (t *Tree) Nodes() int { return max(0, len(t.starts)/2-1) }

// Sides returns the inner nodes on the way to a word, by the side that is taken there: what
// is 1 in the code of a word is the positive label in fastText (in word2vec.c it is the
// negative one). Both rise. They must not be changed.
func (t *Tree) Sides(word uint32) (ones, zeros []uint32) {
	starts := t.starts[2*word:][:3]
	return t.nodes[starts[0]:starts[1]:starts[1]], t.nodes[starts[1]:starts[2]:starts[2]]
}

// Path returns the inner nodes on the way from a word up to the root, and whether their side
// 1 is the one that the word is on.
func (t *Tree) Path(word uint32) iter.Seq2[uint32, bool] {
	return func(yield func(node uint32, one bool) bool) {
		ones, zeros := t.Sides(word) // nodes have lower numbers than their parents
		for len(ones)+len(zeros) > 0 {
			list, one := &zeros, false
			if len(zeros) == 0 || len(ones) > 0 && ones[0] < zeros[0] {
				list, one = &ones, true
			}
			if !yield((*list)[0], one) {
				return
			}
			*list = (*list)[1:]
		}
	}
}
