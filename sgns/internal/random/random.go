// Package random has the random numbers of training. Every worker has generators of its
// own, and every row starts from one of its own, so that results depend on a seed and on
// nothing else.
package random

// A Source is a SplitMix64 generator (Steele, Lea, Flood 2014). Its value is its state.
type Source uint64

// Next returns 64 random bits.
func (s *Source) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return Mix(uint64(*s))
}

// Below returns a number from 0 to n-1.
func (s *Source) Below(n int) int {
	return int(s.Next() >> 32 * uint64(n) >> 32)
}

// Uniform returns a number from -1 to 1.
func (s *Source) Uniform() float32 { return float32(int32(s.Next()>>32)) / (1 << 31) }

// Mix is SplitMix64's output function.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Stream returns generator number n of those that belong to a seed.
func Stream(seed, n uint64) Source {
	return Source(Mix(Mix(seed) + (n+1)*0x9e3779b97f4a7c15))
}
