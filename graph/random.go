package graph

import "math/bits"

// A generator draws the random numbers of one walk (SplitMix64: Steele, Lea and Flood 2014).
type generator uint64

const golden = 0x9e3779b97f4a7c15

// next returns 64 random bits.
func (g *generator) next() uint64 {
	*g += golden
	return mix(uint64(*g))
}

// unit returns a random number of [0, 1).
func (g *generator) unit() float64 { return float64(g.next()>>11) * 0x1p-53 }

// below returns a random number below n.
func (g *generator) below(n uint64) uint64 {
	high, _ := bits.Mul64(g.next(), n)
	return high
}

// mix changes half of the bits of its result, on average, when one bit of x changes.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// of returns the generator of a walk.
func of(seed, walk uint64) generator { return generator(mix(mix(seed+golden) + walk*golden)) }

// An order is a random order of the numbers below n, of which nothing is stored: a Feistel network
// of four rounds over the least even number of bits, walked until the result is below n.
type order struct {
	n    uint64
	half uint // bits of a half
	keys [4]uint64
}

func newOrder(n int, seed uint64) order {
	o := order{n: uint64(n), half: uint(bits.Len64(uint64(max(n-1, 1)))+1) / 2}
	for i := range o.keys {
		o.keys[i] = mix(seed + uint64(i+1)*golden)
	}
	return o
}

// at returns the number at a place.
func (o *order) at(place uint64) uint64 {
	mask := uint64(1)<<o.half - 1
	for {
		left, right := place>>o.half, place&mask
		for _, key := range o.keys {
			left, right = right, left^mix(right^key)&mask
		}
		if place = left<<o.half | right; place < o.n {
			return place
		}
	}
}
