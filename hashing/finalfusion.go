package hashing

import "unicode/utf8"

// FNV-1a with 64 bits. Source: www.isthe.com/chongo/tech/comp/fnv.
const (
	fnv64Offset = 0xcbf29ce484222325
	fnv64Prime  = 0x100000001b3
)

// Finalfusion returns finalfusion's hash of an n-gram. It is 64-bit FNV-1a of the number of
// code points, as eight bytes, followed by each code point, as four bytes, all little-endian. A
// byte that is not UTF-8 counts as U+FFFD. Source: the Hash of StrWithCharLen in
// finalfusion-rust's subword.rs.
func Finalfusion(ngram []byte) uint64 {
	h := fnv64(fnv64Offset, uint64(utf8.RuneCount(ngram)), 8)
	for len(ngram) > 0 {
		r, size := utf8.DecodeRune(ngram)
		h = fnv64(h, uint64(r), 4)
		ngram = ngram[size:]
	}
	return h
}

// fnv64 continues the hash h with the lowest bytes of x.
func fnv64(h, x uint64, bytes int) uint64 {
	for range bytes {
		h = (h ^ x&0xff) * fnv64Prime
		x >>= 8
	}
	return h
}
