package vocab

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math/bits"
)

// table counts distinct tokens and gives them ids 0, 1, 2 … in the order in which
// they come. It is an open-addressing hash table beside one arena of bytes.
type table struct {
	secret secret
	slots  []slot // a power of two, at most 3/4 full
	arena  []byte // the tokens one behind the other
	ends   []uint64
}

// slot is empty if its count is 0. A lookup of most tokens touches one slot, and
// nothing else.
type slot struct {
	key
	count uint64
	id    uint32
}

// key tells a token from others. In the highest byte of tail is the length of the
// token, up to longToken. Below that, a token that is shorter is in head and tail
// as a whole, with zeros behind it; of a longer one there are the first 8 bytes in
// head, and a hash in tail.
type key struct{ head, tail uint64 }

// longToken is the least length of tokens that may differ and have the same key.
const longToken = 16

func (k key) long() bool { return k.tail>>56 == longToken }

// shortKeys has what is in the key of a token, by length.
var shortKeys = func() (keys [longToken]struct{ head, tail, length uint64 }) {
	for n := range keys {
		keys[n].head = 1<<(8*n) - 1
		keys[n].tail = 1<<(8*max(n-8, 0)) - 1
		keys[n].length = uint64(n) << 56
	}
	return keys
}()

// shortKey returns the key of a token if that is shorter than longToken.
func shortKey(tok []byte) key {
	if cap(tok) < longToken {
		tok = append(make([]byte, 0, longToken), tok...)
	}
	k, tok := &shortKeys[len(tok)%longToken], tok[:longToken] // what lies behind the token is masked
	return key{
		head: binary.LittleEndian.Uint64(tok) & k.head,
		tail: binary.LittleEndian.Uint64(tok[8:])&k.tail | k.length,
	}
}

// token returns the token whose key is k, if that is short, in the bytes of into.
func (k key) token(into *[longToken]byte) []byte {
	binary.LittleEndian.PutUint64(into[:], k.head)
	binary.LittleEndian.PutUint64(into[8:], k.tail)
	return into[:k.tail>>56]
}

// secret makes hashes that cannot be foretold, so that no text can be written
// whose tokens all have the same.
type secret struct {
	head, tail uint64
	seed       maphash.Seed
}

func newSecret() secret {
	seed := maphash.MakeSeed()
	return secret{head: maphash.String(seed, "head"), tail: maphash.String(seed, "tail"), seed: seed}
}

func (s *secret) longKey(tok []byte) key {
	return key{
		head: binary.LittleEndian.Uint64(tok),
		tail: maphash.Bytes(s.seed, tok)>>8 | longToken<<56,
	}
}

func (s *secret) hash(k key) uint64 {
	high, low := bits.Mul64(k.head^s.head, k.tail^s.tail)
	return high ^ low
}

// maxTokens is the largest number of distinct tokens; ids have 31 bits.
const maxTokens = 1<<31 - 1

func newTable(tokens int, s secret) *table {
	t := &table{secret: s, slots: make([]slot, 1<<10)}
	t.reserve(tokens)
	return t
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

// tokenIn returns the token in a slot, which is in into if it is short: a look at the
// arena would cost more.
func (t *table) tokenIn(s *slot, into *[longToken]byte) []byte {
	if s.long() {
		return t.token(s.id)
	}
	return s.token(into)
}

// key returns the key of a token.
func (t *table) key(tok []byte) key {
	if len(tok) >= longToken {
		return t.secret.longKey(tok)
	}
	return shortKey(tok)
}

// home returns the index of the slot where a token belongs if no other is there.
func (t *table) home(k key) uint {
	return uint(t.secret.hash(k)) & uint(len(t.slots)-1)
}

// find returns the slot of tok, whose key is k, or the empty slot for it.
func (t *table) find(tok []byte, k key) *slot {
	for at := t.home(k); ; at = (at + 1) & uint(len(t.slots)-1) {
		s := &t.slots[at]
		if s.count == 0 || s.key == k && (!k.long() || bytes.Equal(t.token(s.id), tok)) {
			return s
		}
	}
}

// id returns the id of tok, if it has one.
func (t *table) id(tok []byte) (uint32, bool) {
	s := t.find(tok, t.key(tok))
	return s.id, s.count > 0
}

// add counts tok so many times more, at least once, and returns its id, a new one
// if it has none.
func (t *table) add(tok []byte, count uint64) (uint32, error) {
	if len(tok) >= longToken {
		return t.put(tok, t.secret.longKey(tok), count)
	}
	k := shortKey(tok)
	for at := t.home(k); ; at++ {
		s := &t.slots[at&uint(len(t.slots)-1)]
		if s.key == k {
			s.count += count
			return s.id, nil
		}
		if s.count == 0 {
			return t.insert(s, tok, k, count)
		}
	}
}

// put is add of a token whose key is k.
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
	if t.len() == maxTokens {
		return 0, errors.New("more than 2147483647 distinct tokens")
	}
	id := uint32(t.len())
	*s = slot{key: k, count: count, id: id}
	t.arena = append(t.arena, tok...)
	t.ends = append(t.ends, uint64(len(t.arena)))
	t.reserve(t.len())
	return id, nil
}

// slotsPerPage is the number of slots in a page of memory, or less. A page of new slots
// is written before it is read: to be read first would cost it a second fault, in which
// all cores are interrupted.
const slotsPerPage = 4096 / 32

// reserve makes room for so many tokens and one more.
func (t *table) reserve(tokens int) {
	size := len(t.slots)
	for size/4*3 <= tokens {
		size *= 2
	}
	if size == len(t.slots) {
		return
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
}
