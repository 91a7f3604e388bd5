package tokenizerfile

import "fmt"

// A trie finds the tokens that a text begins with. The zero value has none.
type trie struct {
	children map[edge]uint32
	ids      []int64 // of the token that ends at a node; -1 for none
}

type edge struct {
	node uint32
	next byte
}

// add adds a token, unless it is empty or there already, and reports whether it did.
func (t *trie) add(token string, id uint32) bool {
	if t.children == nil {
		t.children, t.ids = map[edge]uint32{}, []int64{-1}
	}
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
	if token == "" || t.ids[at] >= 0 {
		return false
	}
	t.ids[at] = int64(id)
	return true
}

// prefixes calls with for each token that a text begins with, the shortest first, with its length. It
// returns how many bytes it looked at.
func (t *trie) prefixes(text string, with func(n int, id uint32)) int {
	at := uint32(0)
	for i := range len(text) {
		next, ok := t.children[edge{at, text[i]}]
		if !ok {
			return i
		}
		if at = next; t.ids[at] >= 0 {
			with(i+1, uint32(t.ids[at]))
		}
	}
	return len(text)
}

// A work is how often bytes of a text were looked at. Long tokens that a text nearly has make it grow
// with the square of the text.
type work struct{ bytes, done int }

// mostLooks is how often a byte may be looked at, on average. SentencePiece makes tokens of up to 16
// characters if it is not asked for longer ones.
const mostLooks = 1 << 8

func newWork(text string) work { return work{bytes: len(text)} }

func (w *work) did(steps int) error {
	if w.done += steps; w.done > mostLooks*(w.bytes+1<<12) {
		return fmt.Errorf("a piece of text of %d bytes takes too long to cut: the tokenizer's vocabulary has very long tokens that the text nearly has", w.bytes)
	}
	return nil
}
