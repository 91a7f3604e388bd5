package corpus

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// Ids are packed by fours: a byte with the length of each, from 1 to 4 bytes in two bits, and then
// the bytes. EndOfSentence becomes the lowest bit of an id, so that frequent words, which have low
// ids, take one byte. A decoder reads four ids without a branch that depends on them.

// packGroup is the largest number of bytes of four packed ids.
const packGroup = 1 + 4*4

var packMask = [4]uint32{0xff, 0xffff, 0xffffff, 0xffffffff}

// appendPacked appends packed ids to b. The last group is filled up with zeros.
func appendPacked(b []byte, ids []uint32) []byte {
	for len(ids) > 0 {
		at := len(b)
		b = append(b, make([]byte, packGroup)...)
		end := at + 1
		var lengths byte
		for k := range 4 {
			var v uint32
			if k < len(ids) {
				v = bits.RotateLeft32(ids[k], 1)
			}
			n := (bits.Len32(v|1) + 7) / 8
			binary.LittleEndian.PutUint32(b[end:], v)
			end += n
			lengths |= byte(n-1) << (2 * k)
		}
		b[at] = lengths
		b = b[:end]
		ids = ids[min(4, len(ids)):]
	}
	return b
}

var errPacked = errors.New("the packed ids are damaged")

// unpack fills ids from their packed form, which must be all of b.
func unpack(ids []uint32, b []byte) error {
	for len(ids) >= 4 && len(b) >= packGroup {
		g := (*[packGroup]byte)(b)
		c := g[0]
		n0 := 2 + uint(c&3)
		n1 := n0 + 1 + uint(c>>2&3)
		n2 := n1 + 1 + uint(c>>4&3)
		n3 := n2 + 1 + uint(c>>6)
		ids[0] = bits.RotateLeft32(binary.LittleEndian.Uint32(g[1:])&packMask[c&3], -1)
		ids[1] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n0:])&packMask[c>>2&3], -1)
		ids[2] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n1:])&packMask[c>>4&3], -1)
		ids[3] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n2:])&packMask[c>>6], -1)
		ids, b = ids[4:], b[n3:]
	}
	for len(ids) > 0 {
		if len(b) == 0 {
			return errPacked
		}
		c := b[0]
		b = b[1:]
		for k := range 4 {
			n := int(c>>(2*k)&3) + 1
			if len(b) < n {
				return errPacked
			}
			var v uint32
			for i, x := range b[:n] {
				v |= uint32(x) << (8 * i)
			}
			b = b[n:]
			if k < len(ids) {
				ids[k] = bits.RotateLeft32(v, -1)
			}
		}
		ids = ids[min(4, len(ids)):]
	}
	if len(b) > 0 {
		return errPacked
	}
	return nil
}
