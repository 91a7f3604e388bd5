// Package hashing holds stable byte hashes that other programs also compute.
package hashing

// FastText returns fastText's hash of b: 32-bit FNV-1a in which every byte is
// sign-extended before it is mixed in, so bytes from 0x80 up differ from plain
// FNV-1a. Source: Dictionary::hash in fastText's dictionary.cc.
func FastText(b []byte) uint32 { return FastTextMore(2166136261, b) }

// FastTextMore returns FastText of the bytes whose hash h is and of b after them.
func FastTextMore(h uint32, b []byte) uint32 {
	for _, c := range b {
		h ^= uint32(int32(int8(c)))
		h *= 16777619
	}
	return h
}
