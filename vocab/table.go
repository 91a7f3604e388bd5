package vocab

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/hugepages"
)

// table is a hash table with open addressing. It counts tokens, and numbers them as they are added.
type table struct {
	secret secret
	slots  []slot // number is a power of two, at most 3/4 are used
	tokens int    // number of used slots
	long   arena  // the long tokens
	budget *budget
	most   int  // maximum size of slots and long tokens in bytes; 0 for no limit
	full   bool // the next new token would exceed most
}

// A slot holds a token, or nothing if its count is 0. It is half a cache line, and has short tokens as a whole.
type slot struct {
	key
	count uint64
	id    uint32
	long  uint32 // index of the token in the arena if it is long
}

// maxTokens is the largest number of distinct tokens; ids have 31 bits.
const maxTokens = 1<<31 - 1

func newTable(tokens int, s secret) *table {
	t := &table{secret: s, slots: make([]slot, leastSlots), budget: new(budget)}
	_ = t.reserve(tokens) // an unlimited budget has no errors
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

func (t *table) longIn(s *slot) []byte {
	if s.key.long() {
		return t.long.token(s.long)
	}
	return nil
}

func (t *table) home(k key) uint {
	return uint(t.secret.hash(k)) & uint(len(t.slots)-1)
}

// find returns the slot of tok, or the empty slot for it. tok may be nil if it is not long.
func (t *table) find(tok []byte, k key) *slot {
	for at := t.home(k); ; at = (at + 1) & uint(len(t.slots)-1) {
		s := &t.slots[at]
		if s.count == 0 || s.key == k && (!k.long() || bytes.Equal(t.long.token(s.long), tok)) {
			return s
		}
	}
}

func (t *table) id(tok []byte) (uint32, bool) {
	s := t.find(tok, t.secret.key(tok))
	return s.id, s.count > 0
}

// add adds to the count of tok, which must be above 0, and returns its id.
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

// addAny is the slow path of add. It is a single call, so that add need not save registers.
func (t *table) addAny(tok []byte, count uint64) (uint32, error) {
	return t.put(tok, t.secret.key(tok), count)
}

func (t *table) put(tok []byte, k key, count uint64) (uint32, error) {
	s := t.find(tok, k)
	if s.count == 0 {
		return t.insert(s, tok, k, count)
	}
	s.count += count
	return s.id, nil
}

func (t *table) insert(s *slot, tok []byte, k key, count uint64) (uint32, error) {
	if t.full || t.most > 0 && k.long() && t.tokens > 0 && len(t.long.bytes)+endBytes*len(t.long.ends)+len(tok) > t.most/longShare {
		return 0, errFull
	}
	if t.tokens == maxTokens {
		return 0, errors.New("more than 2147483647 distinct tokens")
	}
	t.budget.tokens.Add(1)
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

// slotsPerPage is for reserve, which writes to new pages: reading them first would fault twice.
const slotsPerPage = 4096 / 32

const slotBytes = int(unsafe.Sizeof(slot{}))

func (s *slot) length(t *table) int {
	if s.key.long() {
		return len(t.long.token(s.long))
	}
	return int(s.key.tail >> 56)
}

// In a table with a limit, long tokens may take one part in longShare of the memory. Each long token takes
// endBytes besides its text. A full arena grows by arenaGrowth.
const (
	longShare   = 4
	endBytes    = 8
	arenaGrowth = 2
)

const leastSlots = 1 << 10

func tableSize(tokens int) int { return grownSize(leastSlots, tokens) }

func grownSize(size, tokens int) int {
	for size/4*3 <= tokens {
		size *= 2
	}
	return size
}

// reserve makes room for so many tokens and one more.
func (t *table) reserve(tokens int) error {
	size := grownSize(len(t.slots), tokens)
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
	hugepages.Advise(t.slots)
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

// A key identifies a token in a table. The highest byte of tail is the length of the token, at most
// longToken. A shorter token is stored in head and the rest of tail, padded with zeros. For a longer token,
// head is the first 8 bytes and tail is a hash.
type key struct{ head, tail uint64 }

// longToken is the minimum length at which different tokens may have the same key.
const longToken = 16

func (k key) long() bool { return k.tail>>56 == longToken }

func (k key) token(into *[longToken]byte) []byte {
	binary.LittleEndian.PutUint64(into[:], k.head)
	binary.LittleEndian.PutUint64(into[8:], k.tail)
	return into[:k.tail>>56]
}

// shortKeys has masks of the bytes in a short key, and the bits of its length, for each length.
var shortKeys = [longToken]struct{ head, tail, length uint64 }{
	{0, 0, 0 << 56},
	{1<<8 - 1, 0, 1 << 56},
	{1<<16 - 1, 0, 2 << 56},
	{1<<24 - 1, 0, 3 << 56},
	{1<<32 - 1, 0, 4 << 56},
	{1<<40 - 1, 0, 5 << 56},
	{1<<48 - 1, 0, 6 << 56},
	{1<<56 - 1, 0, 7 << 56},
	{1<<64 - 1, 0, 8 << 56},
	{1<<64 - 1, 1<<8 - 1, 9 << 56},
	{1<<64 - 1, 1<<16 - 1, 10 << 56},
	{1<<64 - 1, 1<<24 - 1, 11 << 56},
	{1<<64 - 1, 1<<32 - 1, 12 << 56},
	{1<<64 - 1, 1<<40 - 1, 13 << 56},
	{1<<64 - 1, 1<<48 - 1, 14 << 56},
	{1<<64 - 1, 1<<56 - 1, 15 << 56},
}

func shortKey(tok []byte) key {
	k := &shortKeys[len(tok)%longToken]
	if cap(tok) < longToken {
		tok = append(make([]byte, 0, longToken), tok...)
	}
	tok = tok[:longToken] // bytes after the token are masked below
	return key{
		head: binary.LittleEndian.Uint64(tok) & k.head,
		tail: binary.LittleEndian.Uint64(tok[8:])&k.tail | k.length,
	}
}

// secret is a random seed, so that nobody can prepare a text whose tokens have the same hash.
type secret struct {
	head, tail uint64
	seed       maphash.Seed
}

func newSecret() secret {
	seed := maphash.MakeSeed()
	return secret{head: maphash.String(seed, "head"), tail: maphash.String(seed, "tail"), seed: seed}
}

func (s *secret) key(tok []byte) key {
	if len(tok) < longToken {
		return shortKey(tok)
	}
	return s.longKey(tok)
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

type arena struct {
	bytes []byte
	ends  []uint64
}

func (a *arena) len() int { return len(a.ends) }

func (a *arena) add(tok []byte) {
	a.bytes = append(a.bytes, tok...)
	a.ends = append(a.ends, uint64(len(a.bytes)))
}

func (a *arena) token(i uint32) []byte {
	var start uint64
	if i > 0 {
		start = a.ends[i-1]
	}
	return a.bytes[start:a.ends[i]]
}

// choose returns the slots of the tokens that the options select, in the order of a vocabulary.
func (t *table) choose(o Options) ([]slot, error) {
	const twice = 2 // sorting needs a copy
	if err := t.budget.take(twice * slotBytes * t.frequentEnough(o.MinCount)); err != nil {
		return nil, err
	}
	if o.Known != nil {
		return t.grown(o.Known, o.MinCount, o.MaxVocab)
	}
	return t.frequent(o.MinCount, o.MaxVocab), nil
}

func (t *table) frequentEnough(minCount int) int {
	n := 0
	for i := range t.slots {
		if t.slots[i].count >= uint64(max(minCount, 1)) {
			n++
		}
	}
	return n
}

// frequent returns the slots of the most frequent tokens, in the order of a vocabulary.
func (t *table) frequent(minCount, maxVocab int) []slot {
	least := uint64(max(minCount, 1))
	kept := make([]slot, 0, t.frequentEnough(minCount))
	for i := range t.slots {
		if s := &t.slots[i]; s.count >= least {
			kept = append(kept, *s)
		}
	}
	kept = t.sorted(kept)
	if maxVocab > 0 && len(kept) > maxVocab {
		kept = kept[:maxVocab]
	}
	return kept
}

// grown returns the slots of all tokens of known, whose counts it adds to those of t, and of
// new tokens that were counted at least minCount times. If maxVocab is above 0, it takes the
// most frequent new tokens, as long as there are no more than maxVocab tokens in all.
func (t *table) grown(known *Vocab, minCount, maxVocab int) ([]slot, error) {
	var kept []slot
	var short [longToken]byte
	for _, s := range t.frequent(minCount, 0) {
		if maxVocab > 0 && len(kept)+known.Len() >= maxVocab {
			break
		}
		if _, ok := known.ID(t.token(&s, &short)); !ok {
			kept = append(kept, s)
		}
	}
	for id, count := range known.counts {
		token := known.tokens.token(uint32(id))
		k := t.secret.key(token)
		if _, err := t.put(token, k, count); err != nil {
			return nil, err
		}
		kept = append(kept, *t.find(token, k))
	}
	return t.sorted(kept), nil
}

// sharedBucket is the smallest count without a bucket of its own in sorted.
const sharedBucket = 1 << 10

// sorted returns slots of t by falling count, and slots of equal count by the bytes of their tokens. Most
// tokens of a text are rare, and many have the same count. So sorted first puts slots into buckets by count,
// and those of rare tokens by first byte too, and then compares only slots of the same bucket.
func (t *table) sorted(slots []slot) []slot {
	const rare, firsts = 32, 1 << 8
	bucketOf := func(s *slot) int {
		if s.count >= rare {
			return int(sharedBucket - min(s.count, sharedBucket))
		}
		return sharedBucket + int(rare-s.count)*firsts + int(byte(s.head))
	}
	ends := make([]int, sharedBucket+(rare+1)*firsts)
	for i := range slots {
		ends[bucketOf(&slots[i])]++
	}
	end := 0
	for b, n := range ends {
		end, ends[b] = end+n, end // ends[b] is now the start of the bucket, where filling begins
	}
	into := make([]slot, len(slots))
	for i := range slots {
		e := &ends[bucketOf(&slots[i])]
		into[*e] = slots[i]
		*e++
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	start := 0
	for _, end := range ends {
		bucket := into[start:end]
		if start = end; len(bucket) > 1 {
			g.Go(func() error {
				slices.SortFunc(bucket, t.compare)
				return nil
			})
		}
	}
	_ = g.Wait() // there are no errors
	return into
}

func (t *table) compare(a, b slot) int {
	if a.count != b.count {
		return cmp.Compare(b.count, a.count)
	}
	return t.compareTokens(a, b)
}

func (t *table) compareTokens(a, b slot) int {
	if a.head != b.head {
		return cmp.Compare(bits.ReverseBytes64(a.head), bits.ReverseBytes64(b.head))
	}
	var shortA, shortB [longToken]byte
	return bytes.Compare(t.token(&a, &shortA), t.token(&b, &shortB))
}

func (t *table) each(use func(token []byte, count uint64) error) error {
	var short [longToken]byte
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			if err := use(t.token(s, &short), s.count); err != nil {
				return err
			}
		}
	}
	return nil
}
