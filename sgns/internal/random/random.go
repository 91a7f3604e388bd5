package sgns

// random is a SplitMix64 generator (Steele, Lea, Flood 2014). Every worker has
// its own, and every row starts from one of its own.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	return int(r.next() >> 32 * uint64(n) >> 32)
}

// uniform returns a number from -1 to 1.
func (r *random) uniform() float32 { return float32(int32(r.next()>>32)) / (1 << 31) }

// mix is SplitMix64's output function.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// stream returns the generator number n of those that belong to a seed.
func stream(seed, n uint64) random {
	return random(mix(mix(seed) + (n+1)*0x9e3779b97f4a7c15))
}
