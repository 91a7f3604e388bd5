package loss

import (
	"math"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// HierarchicalSoftmax predicts targets by the inner nodes on their paths in a tree (Morin and Bengio 2005). A
// word is a leaf of a Huffman tree. Each inner node on its path is an output row that predicts the side.
var HierarchicalSoftmax = Kind{
	Name: "hs",
	Help: "hierarchical softmax over a Huffman tree",
	New:  func(r settings.Run) Loss { return &hierarchical{dim: r.Hidden()} },
}

type hierarchical struct {
	dim   int
	tree  *counting.Tree
	depth int // largest number of nodes on one side of a word's path
}

func (*hierarchical) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.OutputWords: "hierarchical softmax has output vectors of the nodes of a tree, not of words",
		capability.Freezes:     "no vectors can be frozen with hierarchical softmax: all words share the nodes of the tree",
		capability.Divides:     "words share the nodes of the tree of hierarchical softmax",
		capability.Columns:     "hierarchical softmax has as many pairs as the tree has nodes on the way to a word",
	}}
}

func (*hierarchical) Draws(int) int { return 0 }

// Outputs describes the inner nodes.
func (l *hierarchical) Outputs(of params.Matrix, words int) params.Matrix {
	nodes := max(words-1, 0)
	m := params.Matrix{
		Name: "nodes", Title: "vectors of a tree's nodes", Role: params.Output, Keys: params.ByVocabulary, Rows: nodes, Cols: l.dim,
		Labels: of.Labels, Fits: of.Fits,
		Touched: func(w params.Words) []float32 {
			all := make([]float32, nodes)
			if l.tree == nil { // not prepared: nodes near the root have high numbers
				for node := range all {
					all[node] = 1 / float32(nodes-node)
				}
				return all
			}
			for word, kept := range w.Kept {
				for _, node := range l.tree.Path(uint32(word)) {
					all[node] += float32(kept)
				}
			}
			return all
		},
	}
	if of.Labels {
		m.Touched = nil // Words does not say how often labels are trained
	}
	return m
}

func (*hierarchical) Most(targets, _ int, v *vocab.Vocab) (positives, negatives float64) {
	_, longest := pathLengths(v)
	most := float64(targets) * longest
	return most, most
}

func (l *hierarchical) Prepare(v *vocab.Vocab) {
	l.tree = counting.Huffman(v.Counts())
	for word := range v.Len() {
		ones, zeros := l.tree.Sides(uint32(word))
		l.depth = max(l.depth, len(ones), len(zeros))
	}
}

func (*hierarchical) PreparedBytes(v *vocab.Vocab) float64 {
	const making = 30 // memory for making a tree
	nodes, _ := pathLengths(v)
	return (16+making)*float64(v.Len()) + 4*nodes
}

// pathLengths estimates the number of nodes on the paths to all words of a vocabulary in its Huffman tree,
// and on the longest path: each node gives one bit of information about the word.
func pathLengths(v *vocab.Vocab) (all, longest float64) {
	counts := v.Counts()
	var total float64
	for _, n := range counts {
		total += float64(n)
	}
	for _, n := range counts {
		length := min(math.Log2(total/max(float64(n), 1))+1, float64(len(counts)))
		all += length
		longest = max(longest, length)
	}
	return all, longest
}

// ZeroScore is the loss of all nodes on the path to a word.
func (l *hierarchical) ZeroScore(v *vocab.Vocab) float64 {
	var nodes, tokens float64
	for w, n := range v.Counts() {
		nodes += float64(n) * float64(len(l.tree.Path(uint32(w))))
		tokens += float64(n)
	}
	return max(nodes/tokens, 1) * math.Ln2
}

func (l *hierarchical) Worker(p step.Parts) step.Loss {
	return &hierarchicalWorker{
		tree:    l.tree,
		most:    l.depth * p.Traits.Targets,
		fetched: make([]uint32, 0, 2*l.depth*p.Division.Centres),
	}
}

func (*hierarchical) Scored() bool      { return false }
func (*hierarchical) Bytes(int) float64 { return 0 }

type hierarchicalWorker struct {
	tree    *counting.Tree
	most    int      // rows of positives, and of negatives
	fetched []uint32 // nodes
}

func (w *hierarchicalWorker) Pairs() (positives, negatives int) { return w.most, w.most }

// Fetched returns the nodes on the paths to the words, except those near the root.
func (w *hierarchicalWorker) Fetched(words []uint32) []uint32 {
	w.fetched = w.fetched[:0]
	far := uint32(max(w.tree.Nodes()-nearNodes, 0)) // parents have higher numbers
	for _, word := range words {
		ones, zeros := w.tree.Sides(word)
		for _, side := range [][]uint32{ones, zeros} {
			for _, node := range side {
				if node >= far {
					break // sides are in rising order
				}
				w.fetched = append(w.fetched, node)
			}
		}
	}
	return w.fetched
}

// nearNodes is how many nodes are assumed to stay in a near cache, because most paths contain some of them.
const nearNodes = 64

// Draw does nothing: this loss draws no words.
func (*hierarchicalWorker) Draw([]uint32, *random.Generator) {}

// Pair makes the nodes on the path to a target positives or negatives of the inputs that predict it.
func (w *hierarchicalWorker) Pair(b *step.Batch, rate float32) {
	yes, no := &b.Positives, &b.Negatives
	yes.Rows, yes.With = yes.Rows[:0], yes.With[:0]
	no.Rows, no.With = no.Rows[:0], no.With[:0]
	for i, word := range b.Words {
		ones, zeros := w.tree.Sides(word)
		add(yes, ones, b.Inputs[i])
		add(no, zeros, b.Inputs[i])
	}
	for i := range b.Centres {
		yes.Weights[i], no.Weights[i] = rate*b.Weight[i], rate*b.Weight[i]
	}
}

func add(p *step.Pairs, nodes []uint32, with uint16) {
	for _, node := range nodes {
		p.Rows = append(p.Rows, node)
		p.With = append(p.With, with)
	}
}

// Settle does nothing: no node is both a positive and a negative of a target.
func (*hierarchicalWorker) Settle(*step.Batch, bool, step.Scores) float64 {
	return 0
}

func (*hierarchicalWorker) Objective() step.Objective { return nil }
