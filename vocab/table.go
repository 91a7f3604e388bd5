package vocab

import (
	"bytes"
	"errors"
	"unsafe"
)

// table counts distinct tokens and gives them ids 0, 1, 2 … in the order in which they are
// added. It is a hash table with open addressing. Tokens must not be empty.
type table struct {
	secret secret
	slots  []slot // their number is a power of two, and at most 3/4 are used
	tokens int    // number of used slots
	long   arena  // the long tokens
	budget *budget
	most   int  // bytes that slots and long tokens may take; 0 for no limit
	full   bool // the next new token would need more
}

// slot holds a token; it is empty if its count is 0. For short tokens, which most tokens of a
// text are, a lookup reads nothing but slots. A slot is half a cache line.
type slot struct {
	key
	count uint64
	id    uint32
	long  uint32 // index of the token in the arena if it is long
}

// maxTokens is the largest number of distinct tokens; ids have 31 bits.
const maxTokens = 1<<31 - 1

func newTable(tokens int, s secret) *table {
	t := &table{secret: s, slots: make([]slot, leastSlots)}
	_ = t.reserve(tokens) // without a budget there is no error
	return t
}

func (t *table) len() int { return t.tokens }

// token returns the token in a slot. A token that is not long is written into the array.
func (t *table) token(s *slot, into *[longToken]byte) []byte {
	if s.key.long() {
		return t.longIn(s)
	}
	return s.key.token(into)
}

// longIn returns the token in a slot if it is long, else nil.
func (t *table) longIn(s *slot) []byte {
	if s.key.long() {
		return t.long.token(s.long)
	}
	return nil
}

// home returns the index of the first slot in which a token is looked for.
func (t *table) home(k key) uint {
	return uint(t.secret.hash(k)) & uint(len(t.slots)-1)
}

// find returns the slot of tok, or the empty slot to put it into. k is the key of tok. tok may be
// nil if it is not long.
func (t *table) find(tok []byte, k key) *slot {
	for at := t.home(k); ; at = (at + 1) & uint(len(t.slots)-1) {
		s := &t.slots[at]
		if s.count == 0 || s.key == k && (!k.long() || bytes.Equal(t.long.token(s.long), tok)) {
			return s
		}
	}
}

// id returns the id of tok, if tok is in the table.
func (t *table) id(tok []byte) (uint32, bool) {
	s := t.find(tok, t.secret.key(tok))
	return s.id, s.count > 0
}

// add adds to the count of tok and returns its id. A token that is not in the table gets a new
// id. count must be above 0.
func (t *table) add(tok []byte, count uint64) (uint32, error) {
	// Nearly all tokens of most texts are short and have been seen before.
	if len(tok) < longToken && cap(tok) >= longToken {
		k := shortKey(tok)
		for at := t.home(k); ; at++ {
			s := &t.slots[at&uint(len(t.slots)-1)]
			if s.key == k {
				s.count += count
				return s.id, nil
			}
			if s.count == 0 {
				break
			}
		}
	}
	return t.addAny(tok, count)
}

// addAny is the slow path of add. It is one call, so that add need not save registers.
func (t *table) addAny(tok []byte, count uint64) (uint32, error) {
	return t.put(tok, t.secret.key(tok), count)
}

// put does what add does, for a token with key k. tok may be nil if it is not long.
func (t *table) put(tok []byte, k key, count uint64) (uint32, error) {
	s := t.find(tok, k)
	if s.count == 0 {
		return t.insert(s, tok, k, count)
	}
	s.count += count
	return s.id, nil
}

// insert gives tok an empty slot and an id.
func (t *table) insert(s *slot, tok []byte, k key, count uint64) (uint32, error) {
	if t.full || t.most > 0 && k.long() && t.tokens > 0 && len(t.long.bytes)+endBytes*len(t.long.ends)+len(tok) > t.most/longShare {
		return 0, errFull
	}
	if t.tokens == maxTokens {
		return 0, errors.New("more than 2147483647 distinct tokens")
	}
	t.budget.counted()
	if k.long() {
		if err := t.budget.take(arenaGrowth * (len(tok) + endBytes)); err != nil {
			return 0, err
		}
	}
	id := uint32(t.tokens)
	*s = slot{key: k, count: count, id: id, long: uint32(t.long.len())}
	if k.long() {
		t.long.add(tok)
	}
	t.tokens++
	return id, t.reserve(t.tokens)
}

// slotsPerPage is at most the number of slots in a page of memory. reserve writes to each new
// page: reading it first would cost a second page fault later, which interrupts other cores.
const slotsPerPage = 4096 / 32

// slotBytes is the size of a slot.
const slotBytes = int(unsafe.Sizeof(slot{}))

// length returns the length in bytes of the token in a slot of t.
func (s *slot) length(t *table) int {
	if s.key.long() {
		return len(t.long.token(s.long))
	}
	return int(s.key.tail >> 56)
}

// Long tokens may take one part in longShare of the memory of a table that has a limit. Each has
// endBytes besides its text. The arena doubles when it is full: arenaGrowth.
const (
	longShare   = 4
	endBytes    = 8
	arenaGrowth = 2
)

// leastSlots is the number of slots of a new table.
const leastSlots = 1 << 10

// tableSize returns the number of slots of a table of so many tokens.
func tableSize(tokens int) int {
	size := leastSlots
	for size/4*3 <= tokens {
		size *= 2
	}
	return size
}

// reserve makes room for so many tokens and one more. It returns a *MemoryError if there is not
// enough memory.
func (t *table) reserve(tokens int) error {
	size := len(t.slots)
	for size/4*3 <= tokens {
		size *= 2
	}
	if size == len(t.slots) {
		return nil
	}
	if t.most > 0 && (size+len(t.slots))*slotBytes > t.most/longShare*(longShare-1) {
		t.full = true
		return nil
	}
	if err := t.budget.take(size * slotBytes); err != nil {
		return err
	}
	old := t.slots
	t.slots = make([]slot, size)
	for i := 0; i < size; i += slotsPerPage {
		t.slots[i] = slot{}
	}
	for i := range old {
		if s := &old[i]; s.count > 0 {
			at := t.home(s.key)
			for t.slots[at].count > 0 {
				at = (at + 1) & uint(size-1)
			}
			t.slots[at] = *s
		}
	}
	t.budget.give(len(old) * slotBytes)
	return nil
}
