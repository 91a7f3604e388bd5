package tokenizerfile

import (
	"bytes"
	"cmp"
	"slices"
)

// A Trie finds the tokens that a text begins with. The zero value has none.
//
// Nodes are numbered level by level, so that the children of a node are next to each other. Node 0 is the root.
type Trie struct {
	labels []byte   // the byte that leads to a node
	first  []uint32 // where the children of a node begin; they end where those of the next node begin
	ids    []int32  // index of the token that ends at a node; -1 for none
	root   [256]uint32
}

// NewTrie returns the trie of tokens, with their indices as ids. Of equal tokens it has the first, and no empty one.
func NewTrie(tokens []string) Trie {
	order := make([]int32, 0, len(tokens))
	for i, token := range tokens {
		if token != "" {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(tokens[a], tokens[b]), cmp.Compare(a, b)) })
	t := Trie{labels: []byte{0}, ids: []int32{-1}}
	type span struct{ from, to, depth int }
	level := []span{{0, len(order), 0}} // of order, by node
	for node := 0; node < len(level); node++ {
		s := level[node]
		t.first = append(t.first, uint32(len(level)))
		for at := s.from; at < s.to; {
			c := tokens[order[at]][s.depth]
			child := span{at, at, s.depth + 1}
			id := int32(-1)
			for ; at < s.to && tokens[order[at]][s.depth] == c; at++ {
				if len(tokens[order[at]]) == child.depth {
					if id < 0 {
						id = order[at]
					}
					child.from = at + 1
				}
			}
			child.to = at
			if node == 0 {
				t.root[c] = uint32(len(level))
			}
			level, t.labels, t.ids = append(level, child), append(t.labels, c), append(t.ids, id)
		}
	}
	t.first = append(t.first, uint32(len(level)))
	return t
}

// Next returns the node that a byte leads to, or 0 for none. A text begins at node 0.
func (t *Trie) Next(node uint32, c byte) uint32 {
	if node == 0 {
		return t.root[c]
	}
	begin, end := t.first[node], t.first[node+1]
	if i := bytes.IndexByte(t.labels[begin:end], c); i >= 0 {
		return begin + uint32(i)
	}
	return 0
}

// ID returns the id of the token that ends at a node other than 0; -1 for none.
func (t *Trie) ID(node uint32) int32 { return t.ids[node] }

// prefixes calls with for each token that a text begins with, the shortest first, and returns its steps.
func (t *Trie) prefixes(text string, with func(n int, id uint32)) int {
	at := uint32(0)
	for i := range len(text) {
		if at = t.Next(at, text[i]); at == 0 {
			return i
		}
		if id := t.ids[at]; id >= 0 {
			with(i+1, uint32(id))
		}
	}
	return len(text)
}
