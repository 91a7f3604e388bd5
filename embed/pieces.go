package embed

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/hugepages"
	"github.com/w2v-go/w2v/internal/simd"
)

// pieces is a table of what stands between blanks in texts, with the parts of the tokens that each piece is cut into, see
// pooling.Parts. Goroutines read it without waiting for each other. It takes no more pieces once it is nearly full.
type pieces struct {
	entries []entry // a hash table with linear probing
	lists   []uint32

	mu     sync.Mutex
	n      int // entries in use
	atList int // where the next list begins
}

// An entry fills half a cache line. It is written before its hash is set.
type entry struct {
	hash   atomic.Uint64  // 0 if the entry is empty
	key    [inEntry]uint8 // the first bytes of the piece, and zeros
	length uint8          // of the piece
	tokens uint8          // those that do not count too
	parts  uint16
	list   uint32 // the part, or where parts begin if there are several
}

const (
	mostPieces   = 1 << 20 // entries; memory that is not needed is never touched
	inEntry      = 16
	longestPiece = inEntry // longer ones are not kept
	mostOfPiece  = 255     // tokens
)

func newPieces() *pieces {
	p := &pieces{entries: make([]entry, mostPieces), lists: make([]uint32, 2*mostPieces)}
	hugepages.Advise(p.entries)
	return p
}

// A piece is a part of a text between blanks.
type piece struct {
	end         int // in the text
	hash        uint64
	first, last uint64 // the first 16 bytes, with zeros behind it
}

func (p *pieces) place(hash uint64) uint32 { return uint32(hash) & uint32(len(p.entries)-1) }

// find returns the entry of a piece of so many bytes, or nil.
func (p *pieces) find(of *piece, length int) *entry {
	for at := p.place(of.hash); ; at = (at + 1) & uint32(len(p.entries)-1) {
		e := &p.entries[at]
		switch e.hash.Load() {
		case 0:
			return nil
		case of.hash:
			if int(e.length) == length && binary.LittleEndian.Uint64(e.key[:]) == of.first && binary.LittleEndian.Uint64(e.key[8:]) == of.last {
				return e
			}
		}
	}
}

// appendTo appends the parts of an entry.
func (p *pieces) appendTo(parts []uint32, e *entry) []uint32 {
	if e.parts == 1 {
		return append(parts, e.list)
	}
	return append(parts, p.lists[e.list:e.list+uint32(e.parts)]...)
}

// add adds a piece of so many bytes, unless it is long or there is no room.
func (p *pieces) add(of *piece, length int, parts []uint32, tokens int) {
	if length > longestPiece || tokens > mostOfPiece {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n >= len(p.entries)/4*3 || p.atList+len(parts) > len(p.lists) {
		return
	}
	at := p.place(of.hash)
	for ; p.entries[at].hash.Load() != 0; at = (at + 1) & uint32(len(p.entries)-1) {
		if e := &p.entries[at]; e.hash.Load() == of.hash {
			return // another goroutine has added it, or another piece has the same hash
		}
	}
	e := &p.entries[at]
	e.length, e.tokens, e.parts = uint8(length), uint8(tokens), uint16(len(parts))
	binary.LittleEndian.PutUint64(e.key[:], of.first)
	binary.LittleEndian.PutUint64(e.key[8:], of.last)
	if len(parts) == 1 {
		e.list = parts[0]
	} else {
		e.list = uint32(p.atList)
		p.atList += copy(p.lists[p.atList:], parts)
	}
	p.n++
	e.hash.Store(of.hash)
}

// prefetch brings the entries at some places near.
func (p *pieces) prefetch(places []uint32) { simd.PrefetchAt(p.entries, places) }

const (
	multiplier = 0x9e3779b97f4a7c15
	eachByte   = 0x0101010101010101
)

func mixed(hash, x uint64) uint64 {
	high, low := bits.Mul64(hash^x, multiplier)
	return high ^ low
}

// isBlank reports what separates pieces: the blanks of package corpus.
func isBlank(c byte) bool { return c <= ' ' && 1<<c&blanks != 0 }

const blanks uint64 = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t' | 1<<'\v' | 1<<'\f' | 1<<0

// nextPiece returns the piece that begins at a place of a text.
func nextPiece(text []byte, begin int) (of piece) {
	for at := begin; ; at += 8 {
		x, n := uint64(0), 0
		if len(text)-at >= 8 {
			x = binary.LittleEndian.Uint64(text[at:])
			// A bit is set at the top of each byte that is at most a blank, as in corpus.lowBytes.
			n = bits.TrailingZeros64(^(x|(x&(0x7f*eachByte)+(0x7f-' ')*eachByte))&(0x80*eachByte)) / 8
			if n < 8 && !isBlank(text[at+n]) { // another control character
				x, n = lastBytes(text, at)
			}
		} else {
			x, n = lastBytes(text, at)
		}
		if n < 8 {
			x &= 1<<(8*n) - 1
		}
		switch at - begin {
		case 0:
			of.first = x
		case 8:
			of.last = x
		}
		if of.hash = mixed(of.hash+uint64(n+1), x); n < 8 {
			of.end = at + n
			of.hash |= 1 // not 0, which is an empty entry
			return of
		}
	}
}

// lastBytes returns up to 8 bytes of a text before the next blank, and how many they are.
func lastBytes(text []byte, at int) (x uint64, n int) {
	for ; n < 8 && at+n < len(text) && !isBlank(text[at+n]); n++ {
		x |= uint64(text[at+n]) << (8 * n)
	}
	return x, n
}
