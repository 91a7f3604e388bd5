package vocab

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// key tells a token from others. In the highest byte of tail is the length of the
// token, up to longToken. Below that, a token that is shorter is in head and tail as
// a whole, with zeros behind it; of a longer one there are the first 8 bytes in head,
// and a hash in tail.
type key struct{ head, tail uint64 }

// longToken is the least length of tokens that may differ and have the same key.
const longToken = 16

// long says that the token is not shorter than longToken.
func (k key) long() bool { return k.tail>>56 == longToken }

// token returns a token that is not long, in the bytes of into.
func (k key) token(into *[longToken]byte) []byte {
	binary.LittleEndian.PutUint64(into[:], k.head)
	binary.LittleEndian.PutUint64(into[8:], k.tail)
	return into[:k.tail>>56]
}

// shortKeys has the bits of a key that hold bytes of the token, and the length, by
// length.
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
	tok = tok[:longToken] // what lies behind the token is masked
	return key{
		head: binary.LittleEndian.Uint64(tok) & k.head,
		tail: binary.LittleEndian.Uint64(tok[8:])&k.tail | k.length,
	}
}

// secret makes hashes that cannot be foretold, so that nobody can write a text whose
// tokens all have the same.
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

// hash returns a hash of a key, and so of a token.
func (s *secret) hash(k key) uint64 {
	high, low := bits.Mul64(k.head^s.head, k.tail^s.tail)
	return high ^ low
}
