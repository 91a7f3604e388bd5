package pairs

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// A contrast is the loss of a batch of n pairs: of each text, the probability of the text that it is paired with among
// all texts of the other side, by a softmax of cosines divided by the temperature, and in the other direction.
//
// Left are the first texts of all pairs, and of those in the queue; right are the second texts, the hard negatives, and
// the second texts in the queue. Row i and column i, for i below n, are pair i.
type contrast struct {
	parallel
	n, hard     int
	temperature float32
	both        bool // directions

	left, right   []float32 // dim numbers each, of length 1
	rows, columns int
	dim           int

	scores     []float32 // rows × columns; then their gradients
	transposed []float32
	turned     []float32 // left or right, transposed
	most       []float32 // by row
	ofRow      []float64 // sums of exponentials
	ofColumn   []float64
	product    []float32
}

// never is the score of what is not compared.
var never = float32(math.Inf(-1))

// gradients adds the gradients of the loss by the first n rows of left to ofLeft, and by the first n+hard of right to
// ofRight, times share, and returns the loss. Masked calls mask with the row and the column of every cell that does not count.
func (c *contrast) gradients(ofLeft, ofRight []float32, masked func(mask func(row, column int)), share float64) float64 {
	n, m := c.n, c.columns
	c.scores = grown(c.scores, c.rows*m)
	s := c.scores
	inverse := 1 / c.temperature
	c.each(c.rows, 32, func(_, first, last int) {
		width := m
		if first >= n {
			width = n
		}
		simd.Dots(s[first*m:], m, c.left[first*c.dim:], c.dim, last-first, c.right, c.dim, width, c.dim)
		for i := first; i < last; i++ {
			row := s[i*m:][:width]
			for j := range row {
				row[j] *= inverse
			}
		}
	})
	masked(func(row, column int) { s[row*m+column] = never })
	c.most, c.ofRow, c.ofColumn = grown(c.most, c.rows), grown(c.ofRow, c.rows), grown(c.ofColumn, n)
	pair := make([]float32, n) // scores
	for i := range n {
		pair[i] = s[i*m+i]
	}
	c.each(c.rows, 32, func(_, first, last int) {
		for i := first; i < last; i++ {
			row := s[i*m:][:m]
			if i >= n {
				row = row[:n]
			}
			most := never
			for _, x := range row {
				most = max(most, x)
			}
			if most == never { // all are masked
				most = 0
			}
			c.most[i] = most
			var sum float64
			for part := range slices.Chunk(row, 256) {
				sum += float64(exponentials(part, most))
			}
			c.ofRow[i] = sum
		}
	})
	peak := never
	for i := range c.rows {
		peak = max(peak, c.most[i])
	}
	factor := make([]float64, c.rows)
	for i := range factor {
		factor[i] = math.Exp(float64(c.most[i] - peak))
	}
	c.each(n, 64, func(_, first, last int) {
		sums := c.ofColumn[first:last]
		clear(sums)
		for i := range c.rows {
			f := factor[i]
			row := s[i*m+first:][:len(sums)]
			for j, x := range row {
				sums[j] += f * float64(x)
			}
		}
	})
	var loss float64
	for i := range n {
		loss += math.Log(c.ofRow[i]) - float64(pair[i]-c.most[i])
		if c.both {
			loss += math.Log(c.ofColumn[i]) - float64(pair[i]-peak)
		}
	}
	directions := 1.0
	if c.both {
		directions = 2
	}
	scale := share / float64(c.temperature) / (directions * float64(n))
	inColumn := make([]float32, n)
	if c.both {
		for j := range inColumn {
			inColumn[j] = float32(scale / c.ofColumn[j])
		}
	}
	c.each(c.rows, 32, func(_, first, last int) {
		for i := first; i < last; i++ {
			row := s[i*m:][:m]
			f := float32(factor[i])
			var own float32
			if i < n {
				own = float32(scale / c.ofRow[i])
				for j := n; j < m; j++ {
					row[j] *= own
				}
			}
			for j, x := range inColumn {
				row[j] *= own + float32(f*x)
			}
			if i < n {
				row[i] -= float32(scale * directions)
			}
		}
	})
	c.multiply(ofLeft, n, s, m, c.right)
	// The gradients by right, from the transposed gradients of scores.
	kept := n + c.hard
	c.transposed = grown(c.transposed, kept*c.rows)
	rows := c.rows
	if !c.both {
		rows = n
	}
	c.each(kept, 16, func(_, first, last int) {
		for i := range rows {
			row := s[i*m:]
			for j := first; j < last; j++ {
				x := row[j]
				if i >= n && j >= n { // texts of the queue are not compared with negatives
					x = 0
				}
				c.transposed[j*rows+i] = x
			}
		}
	})
	c.multiply(ofRight, kept, c.transposed, rows, c.left)
	return loss / (directions * float64(n))
}

// multiply adds the product of the first n rows of a, which have inner numbers, and of b, which has inner rows, to dst.
func (c *contrast) multiply(dst []float32, n int, a []float32, inner int, b []float32) {
	dim := c.dim
	c.turned, c.product = grown(c.turned, dim*inner), grown(c.product, n*dim)
	c.each(inner, 64, func(_, first, last int) {
		for k := range dim {
			to := c.turned[k*inner:]
			for j := first; j < last; j++ {
				to[j] = b[j*dim+k]
			}
		}
	})
	c.each(n, 32, func(_, first, last int) {
		part := c.product[first*dim : last*dim]
		for from := 0; from < inner; from += depth {
			simd.Dots(part, dim, a[first*inner+from:], inner, last-first, c.turned[from:], inner, dim, min(depth, inner-from))
			to := dst[first*dim:][:len(part)]
			for k, x := range part {
				to[k] += x
			}
		}
	})
}

// depth is how many products are added up at a time, so that rows stay in the processor's cache.
const depth = 512

// exponentials replaces each score by the exponential of its difference from the largest, and returns the sum.
func exponentials(row []float32, most float32) (sum float32) {
	for j, x := range row {
		e := exp32(x - most)
		row[j] = e
		sum += e
	}
	return sum
}

// exp32 is the exponential of a number of at most 0, which is accurate to 2 units in the last place. Below -87, it is 0 for
// infinity, and otherwise the exponential of -87.
func exp32(x float32) float32 {
	if x < -87 {
		if x < -math.MaxFloat32 {
			return 0
		}
		x = -87
	}
	const (
		log2e  = 1.44269504088896341
		high   = 0.693359375
		low    = -2.12194440e-4
		magic  = 12582912 // 1.5·2^23
		oneBit = 23
	)
	n := float32(x*log2e) + magic
	n -= magic
	r := float32(x-float32(n*high)) - float32(n*low)
	p := float32(r*1.9875691500e-4) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	y := float32(float32(p*r)*r) + r + 1
	return math.Float32frombits(math.Float32bits(y) + uint32(int32(n))<<oneBit)
}
