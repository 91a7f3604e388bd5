package simd

// Interleaved is how many rows lie side by side for MultiplyInterleaved.
const Interleaved = 8

// MultiplyInterleaved sets out to the products of h and rows of len(h) numbers, of which each Interleaved ones lie side by
// side: number k of row r is rows[(r/Interleaved*len(h)+k)*Interleaved+r%Interleaved]. Out and rows have whole blocks of
// them. Each sum goes from the first number to the last, and each product is rounded before it is added: so the bits are the
// same with any kernel.
func MultiplyInterleaved(out, h, rows []float32) {
	n := len(out) / Interleaved
	rows = rows[:n*Interleaved*len(h)]
	if n == 0 || len(h) == 0 || !multiplyInterleaved(out, h, rows) {
		multiplyInterleavedPortable(out, h, rows)
	}
}

func multiplyInterleavedPortable(out, h, rows []float32) {
	for ; len(out) >= Interleaved; out = out[Interleaved:] {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		for _, x := range h {
			w := rows[:Interleaved:Interleaved]
			rows = rows[Interleaved:]
			// The conversions forbid the compiler to round a product and a sum at once.
			s0 += float32(x * w[0])
			s1 += float32(x * w[1])
			s2 += float32(x * w[2])
			s3 += float32(x * w[3])
			s4 += float32(x * w[4])
			s5 += float32(x * w[5])
			s6 += float32(x * w[6])
			s7 += float32(x * w[7])
		}
		copy(out, []float32{s0, s1, s2, s3, s4, s5, s6, s7})
	}
}
