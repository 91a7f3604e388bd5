// Package random generates the random numbers of a training run. Every worker has its own generator, and
// every row starts from its own, so the seed determines all random numbers.
package random

// A Generator is a SplitMix64 generator (Steele, Lea, Flood 2014). Its value is its whole state.
type Generator uint64

// Stream returns generator n of a seed.
func Stream(seed, n uint64) Generator {
	return Generator(Mix(Mix(seed) + (n+1)*0x9e3779b97f4a7c15))
}

// Next returns the next 64 random bits.
func (g *Generator) Next() uint64 {
	*g += 0x9e3779b97f4a7c15
	return Mix(uint64(*g))
}

// Below returns a number from 0 to n-1.
func (g *Generator) Below(n int) int {
	return int(g.Next() >> 32 * uint64(n) >> 32)
}

// Uniform returns a number from -1 to 1.
func (g *Generator) Uniform() float32 { return float32(int32(g.Next()>>32)) / (1 << 31) }

// Mix is the output function of SplitMix64.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
