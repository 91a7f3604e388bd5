package tokenizerfile

// A trie finds the tokens that a text begins with.
type trie struct {
	children map[edge]uint32
	ids      []int64 // of the token that ends at a node; -1 for none
}

type edge struct {
	node uint32
	next byte
}

func newTrie(tokens []string) *trie {
	t := &trie{children: map[edge]uint32{}, ids: []int64{-1}}
	for id, token := range tokens {
		at := uint32(0)
		for i := range len(token) {
			next, ok := t.children[edge{at, token[i]}]
			if !ok {
				next = uint32(len(t.ids))
				t.children[edge{at, token[i]}] = next
				t.ids = append(t.ids, -1)
			}
			at = next
		}
		if token != "" {
			t.ids[at] = int64(id)
		}
	}
	return t
}

// prefixes calls with for each token that a text begins with, the shortest first, with its length.
func (t *trie) prefixes(text string, with func(n int, id uint32)) {
	at := uint32(0)
	for i := range len(text) {
		next, ok := t.children[edge{at, text[i]}]
		if !ok {
			return
		}
		if at = next; t.ids[at] >= 0 {
			with(i+1, uint32(t.ids[at]))
		}
	}
}
