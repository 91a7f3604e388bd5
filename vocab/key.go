package vocab

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// key identifies a token in a table. The highest byte of tail is the length of the token, at
// most longToken. A shorter token is stored in head and the rest of tail, padded with zeros. Of
// a longer token, head has the first 8 bytes and tail has a hash.
type key struct{ head, tail uint64 }

// longToken is the length from which on different tokens may have the same key.
const longToken = 16

// long reports whether the token has at least longToken bytes.
func (k key) long() bool { return k.tail>>56 == longToken }

// token returns a token that is not long. It is written into the array.
func (k key) token(into *[longToken]byte) []byte {
	binary.LittleEndian.PutUint64(into[:], k.head)
	binary.LittleEndian.PutUint64(into[8:], k.tail)
	return into[:k.tail>>56]
}

// shortKeys holds, for each length of a short token, masks of the bits of a key that hold the
// token's bytes, and the bits that hold its length.
var shortKeys = func() (keys [longToken]struct{ head, tail, length uint64 }) {
	for n := range keys {
		keys[n].head = 1<<(8*n) - 1
		keys[n].tail = 1<<(8*max(n-8, 0)) - 1
		keys[n].length = uint64(n) << 56
	}
	return keys
}()

// shortKey returns the key of a token that is not long.
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

// secret is a random seed of hashes, so that nobody can prepare a text whose tokens all have the
// same hash.
type secret struct {
	head, tail uint64
	seed       maphash.Seed
}

func newSecret() secret {
	seed := maphash.MakeSeed()
	return secret{head: maphash.String(seed, "head"), tail: maphash.String(seed, "tail"), seed: seed}
}

// key returns the key of a token.
func (s *secret) key(tok []byte) key {
	if len(tok) < longToken {
		return shortKey(tok)
	}
	return s.longKey(tok)
}

// longKey returns the key of a long token.
func (s *secret) longKey(tok []byte) key {
	return key{
		head: binary.LittleEndian.Uint64(tok),
		tail: maphash.Bytes(s.seed, tok)>>8 | longToken<<56,
	}
}

// hash returns the hash of a token with this key.
func (s *secret) hash(k key) uint64 {
	high, low := bits.Mul64(k.head^s.head, k.tail^s.tail)
	return high ^ low
}
