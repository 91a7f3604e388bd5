// Package hashing holds the hash functions by which fastText, floret and finalfusion find the
// rows of n-grams. Their results never change, because they are part of model files.
//
// Most programs do not need this package: package subword calls it.
package hashing

// FastText returns fastText's hash of b. It is 32-bit FNV-1a, except that every byte is
// sign-extended before it is mixed in, so that bytes from 0x80 up give other results. Source:
// Dictionary::hash in fastText's dictionary.cc.
func FastText(b []byte) uint32 { return FastTextMore(2166136261, b) }

// FastTextMore continues a hash: if h is the hash of some bytes, it returns the hash of these
// bytes followed by b.
func FastTextMore(h uint32, b []byte) uint32 {
	for _, c := range b {
		h ^= uint32(int32(int8(c)))
		h *= 16777619
	}
	return h
}
