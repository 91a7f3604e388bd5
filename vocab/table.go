package vocab

import (
	"bytes"
	"errors"
	"hash/maphash"
)

// table gives ids 0, 1, 2 … to distinct tokens in the order in which they come.
// It is an open-addressing hash table over one arena of bytes.
type table struct {
	seed  maphash.Seed
	slots []slot // a power of two, at most 3/4 full
	arena []byte // the tokens one behind the other
	ends  []uint64
}

// slot holds the upper half of a token's hash, so that most other tokens are
// told apart without a look at the arena, and its id plus one.
type slot struct{ hash, id uint32 }

// maxTokens is the largest number of distinct tokens; ids have 31 bits.
const maxTokens = 1<<31 - 1

func newTable(tokens int) *table {
	size := 1 << 10
	for size*3/4 <= tokens {
		size *= 2
	}
	return &table{seed: maphash.MakeSeed(), slots: make([]slot, size)}
}

func (t *table) len() int { return len(t.ends) }

// token returns the token with an id.
func (t *table) token(id uint32) []byte {
	var start uint64
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.arena[start:t.ends[id]]
}

// find returns the slot of tok, or the empty slot where it belongs.
func (t *table) find(tok []byte) (at int, hash uint32) {
	h := maphash.Bytes(t.seed, tok)
	hash = uint32(h >> 32)
	mask := len(t.slots) - 1
	for at = int(h) & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.id == 0 || s.hash == hash && bytes.Equal(t.token(s.id-1), tok) {
			return at, hash
		}
	}
}

// id returns the id of tok, if it has one.
func (t *table) id(tok []byte) (uint32, bool) {
	at, _ := t.find(tok)
	id := t.slots[at].id
	return id - 1, id != 0
}

// add returns the id of tok, a new one if it has none.
func (t *table) add(tok []byte) (uint32, error) {
	at, hash := t.find(tok)
	if id := t.slots[at].id; id != 0 {
		return id - 1, nil
	}
	if t.len() == maxTokens {
		return 0, errors.New("more than 2147483647 distinct tokens")
	}
	t.arena = append(t.arena, tok...)
	t.ends = append(t.ends, uint64(len(t.arena)))
	t.slots[at] = slot{hash: hash, id: uint32(t.len())}
	if t.len() > len(t.slots)/4*3 {
		t.grow()
	}
	return uint32(t.len() - 1), nil
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	mask := len(t.slots) - 1
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		at := int(maphash.Bytes(t.seed, t.token(s.id-1))) & mask
		for t.slots[at].id != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
	}
}
