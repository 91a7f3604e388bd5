package sgns

import "github.com/w2v-go/w2v/vocab"

// The loss of hierarchical softmax (Morin and Bengio 2005): a true word is the leaf of a
// Huffman tree, and each inner node on the way to it is an output row that says which way
// to go.

// labelNodes has the nodes on the way to each true word say yes or no to the inputs that
// predict it.
func (b *pairing) labelNodes(rate float32) {
	yes, no := &b.positive, &b.negative
	yes.rows, yes.with = yes.rows[:0], yes.with[:0]
	no.rows, no.with = no.rows[:0], no.with[:0]
	add := func(s *side, nodes []uint32, by uint16) {
		for _, node := range nodes {
			s.rows = append(s.rows, node)
			s.with = append(s.with, by)
		}
	}
	for i, word := range b.true {
		ones, zeros := b.tree.Sides(word)
		add(yes, ones, b.by[i])
		add(no, zeros, b.by[i])
	}
	for i := range b.ids {
		yes.weights[i], no.weights[i] = rate, rate
	}
}

// depth returns the most nodes on one side on the way to any of so many words.
func depth(tree *vocab.Tree, words int) (most int) {
	for w := range words {
		ones, zeros := tree.Sides(uint32(w))
		most = max(most, len(ones), len(zeros))
	}
	return most
}
