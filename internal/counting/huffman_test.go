package counting_test

import (
	"container/heap"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/counting"
)

// The trees of a few counts, worked out by hand: for each word the nodes from it up to the
// root, each with the side that the word is on.
func TestHuffman(t *testing.T) {
	for _, test := range []struct {
		name   string
		counts []uint64
		paths  []string
	}{
		{"no words", nil, nil},
		{"one word", []uint64{7}, []string{""}},
		// The rarer of two is side 0.
		{"two words", []uint64{5, 3}, []string{"0:1", "0:0"}},
		{"two words of one count", []uint64{5, 5}, []string{"0:1", "0:0"}},
		// 2+4 make node 0 of 6, which comes before a word of 6: 5 and that make node 1 of 11,
		// 6 and that node 2.
		{"four words", []uint64{6, 5, 4, 2}, []string{"2:0", "1:0 2:1", "0:1 1:1 2:1", "0:0 1:1 2:1"}},
		// 1+1 twice, then 2+2.
		{"ties", []uint64{1, 1, 1, 1}, []string{"1:1 2:1", "1:0 2:1", "0:1 2:0", "0:0 2:0"}},
		// 1+1 make node 0 of 2, which comes before a word of 2: these make node 1 of 4, and the
		// word of 3 comes before that.
		{"a word and a node that tie", []uint64{3, 2, 1, 1}, []string{"2:0", "1:1 2:1", "0:1 1:0 2:1", "0:0 1:0 2:1"}},
		{"not sorted", []uint64{2, 6, 4, 5}, []string{"0:0 1:1 2:1", "2:0", "0:1 1:1 2:1", "1:0 2:1"}},
		// 0+0 twice, the pairs, and then the word that was seen.
		{"words that were never seen", []uint64{9, 0, 0, 0, 0}, []string{"3:1", "1:1 2:1 3:0", "1:0 2:1 3:0", "0:1 2:0 3:0", "0:0 2:0 3:0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := counting.Huffman(test.counts)
			if want := max(0, len(test.counts)-1); tree.Nodes() != want {
				t.Errorf("%d nodes, want %d", tree.Nodes(), want)
			}
			for word, want := range test.paths {
				got := ""
				for node, one := range pathOf(tree, word) {
					side := 0
					if one {
						side = 1
					}
					if got != "" {
						got += " "
					}
					got += fmt.Sprintf("%d:%d", node, side)
				}
				if got != want {
					t.Errorf("word %d: path %q, want %q", word, got, want)
				}
			}
		})
	}
}

// Sides are the nodes of a path.
func TestSidesOfHuffman(t *testing.T) {
	tree := counting.Huffman([]uint64{6, 5, 4, 2})
	ones, zeros := tree.Sides(1)
	if !slices.Equal(ones, []uint32{2}) || !slices.Equal(zeros, []uint32{1}) {
		t.Errorf("ones %v and zeros %v, want [2] and [1]", ones, zeros)
	}
	if n := testing.AllocsPerRun(1, func() { tree.Sides(2) }); n > 0 {
		t.Errorf("Sides allocates %v times", n)
	}
}

// Every tree is full, its sides are taken once each, and no tree is shorter.
func TestHuffmanIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for words := 1; words <= 200; words++ {
		counts := make([]uint64, words)
		for i := range counts {
			switch words % 4 {
			case 0:
				counts[i] = r.Uint64N(3)
			case 1:
				counts[i] = 1 << (r.Uint64() % 40)
			case 2:
				counts[i] = uint64(10000 / (i + 1))
			case 3:
				counts[i] = r.Uint64N(1000)
			}
		}
		tree := counting.Huffman(counts)
		var kraft float64
		var total uint64
		below := make([]map[bool]uint64, tree.Nodes()) // words by side
		for i := range below {
			below[i] = map[bool]uint64{}
		}
		for word, count := range counts {
			share, previous := 1.0, -1
			for node, one := range pathOf(tree, word) {
				if int(node) <= previous {
					t.Fatalf("counts %v: node %d comes after %d", counts, node, previous)
				}
				below[node][one] += count
				share, previous, total = share/2, int(node), total+count
			}
			if words > 1 && previous != tree.Nodes()-1 {
				t.Fatalf("counts %v: the way to word %d ends at %d, which is not the root", counts, word, previous)
			}
			kraft += share
		}
		if kraft != 1 && words < 50 {
			t.Errorf("counts %v: Kraft's sum is %v, want 1", counts, kraft)
		}
		for node, sides := range below {
			if len(sides) != 2 || sides[false] > sides[true] {
				t.Errorf("counts %v: node %d has %v below it", counts, node, sides)
			}
		}
		if want := leastLength(counts); total != want {
			t.Errorf("counts %v: the ways are %d long, want %d", counts, total, want)
		}
	}
}

// What was never seen makes no way long: there may be many such words in a vocabulary that
// was given.
func TestHuffmanOfManyUnseenWords(t *testing.T) {
	counts := make([]uint64, 1<<12+2)
	counts[0], counts[1] = 2, 1
	tree := counting.Huffman(counts)
	for word := range counts {
		if ones, zeros := tree.Sides(uint32(word)); len(ones)+len(zeros) > 14 {
			t.Fatalf("the way to word %d has %d nodes", word, len(ones)+len(zeros))
		}
	}
}

// leastLength is the least sum of counts times the lengths of their ways, found with a heap.
func leastLength(counts []uint64) (total uint64) {
	h := least(slices.Clone(counts))
	heap.Init(&h)
	for len(h) > 1 {
		sum := heap.Pop(&h).(uint64) + heap.Pop(&h).(uint64)
		total += sum
		heap.Push(&h, sum)
	}
	return total
}

// least is a heap of counts.
type least []uint64

func (h least) Len() int           { return len(h) }
func (h least) Less(i, j int) bool { return h[i] < h[j] }
func (h least) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *least) Push(x any)        { *h = append(*h, x.(uint64)) }
func (h *least) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// pathOf yields the inner nodes on the path from a word up to the root, and whether the word is on side 1 of each.
func pathOf(t *counting.Tree, word int) iter.Seq2[uint32, bool] {
	ones, zeros := t.Sides(uint32(word))
	return func(yield func(node uint32, one bool) bool) {
		for _, node := range slices.Sorted(slices.Values(slices.Concat(ones, zeros))) { // parents have higher numbers
			if !yield(node, slices.Contains(ones, node)) {
				return
			}
		}
	}
}
