package vocab

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math/bits"
)

// table gives ids 0, 1, 2 … to distinct tokens in the order in which they come.
// It is an open-addressing hash table over one arena of bytes.
type table struct {
	seed  maphash.Seed
	salt  uint64
	slots []slot // a power of two, at most 3/4 full
	arena []byte // the tokens one behind the other
	ends  []uint64
}

// slot holds the id of a token plus one, 0 if the slot is empty, the upper half of
// the token's hash, and its first 8 bytes. A token has no zero bytes, so these are
// all of a token that is shorter, and most lookups end without a look at the arena.
type slot struct {
	head     uint64
	hash, id uint32
}

// headOf returns the first 8 bytes of a token, zeros behind a shorter one.
func headOf(tok []byte) uint64 {
	if cap(tok) >= 8 { // what lies behind the token is masked
		head := binary.LittleEndian.Uint64(tok[:8])
		if len(tok) < 8 {
			head &= 1<<(8*len(tok)) - 1
		}
		return head
	}
	var head uint64
	for i, c := range tok {
		head |= uint64(c) << (8 * i)
	}
	return head
}

// hash returns a hash of tok, which begins with head.
func (t *table) hash(tok []byte, head uint64) uint64 {
	if len(tok) > 8 {
		return maphash.Bytes(t.seed, tok)
	}
	high, low := bits.Mul64(head^t.salt, 0x9e3779b97f4a7c15)
	return (high ^ low) * 0xbf58476d1ce4e5b9
}

// maxTokens is the largest number of distinct tokens; ids have 31 bits.
const maxTokens = 1<<31 - 1

func newTable(tokens int) *table {
	size := 1 << 10
	for size*3/4 <= tokens {
		size *= 2
	}
	seed := maphash.MakeSeed()
	return &table{seed: seed, salt: maphash.Bytes(seed, nil), slots: make([]slot, size)}
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

// find returns the slot of tok, or the empty slot where it belongs, and what
// belongs there but for the id.
func (t *table) find(tok []byte) (at int, want slot) {
	want.head = headOf(tok)
	h := t.hash(tok, want.head)
	want.hash = uint32(h >> 32)
	mask := len(t.slots) - 1
	for at = int(h) & mask; ; at = (at + 1) & mask {
		s := &t.slots[at]
		if s.id == 0 {
			return at, want
		}
		if s.hash == want.hash && s.head == want.head && (len(tok) < 8 || bytes.Equal(t.token(s.id-1), tok)) {
			return at, want
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
	at, new := t.find(tok)
	if id := t.slots[at].id; id != 0 {
		return id - 1, nil
	}
	if t.len() == maxTokens {
		return 0, errors.New("more than 2147483647 distinct tokens")
	}
	t.arena = append(t.arena, tok...)
	t.ends = append(t.ends, uint64(len(t.arena)))
	new.id = uint32(t.len())
	t.slots[at] = new
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
		at := int(t.hash(t.token(s.id-1), s.head)) & mask
		for t.slots[at].id != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
	}
}
