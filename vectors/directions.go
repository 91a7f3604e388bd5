package vectors

import (
	"math"
	"sync/atomic"
)

// Directions returns a row for the vector of every word, and what a dot product of the row with
// a unit vector is multiplied by to make a cosine: one over the row's Euclidean length. It is NaN, and so makes
// every cosine NaN, where a vector has no direction because it is zero or not finite, and where a word stands
// a second time: nobody finds it, and it is no neighbour of itself. The rows are
// those of Vectors, but for vectors so long or so short that float32 cannot hold such a product: in
// place of these stand unit vectors. Both are computed the first time that they are asked for; they must
// not be changed.
func (s *Set) Directions() (rows Matrix, inverseNorms []float32) {
	s.mustBeUsable()
	s.file.MustBeOpen()
	s.normsOnce.Do(func() {
		s.directed, s.norms = s.Vectors(), make([]float32, s.Len())
		var extreme atomic.Bool
		s.inParallel(s.Len(), func(first, last int) {
			for i := first; i < last; i++ {
				norm := normOf(s.directed.row(i))
				s.norms[i] = float32(1 / norm)
				switch {
				case !(norm > 0) || math.IsInf(norm, 0):
					s.norms[i] = float32(math.NaN())
				case !ordinary(norm):
					s.norms[i] = 1
					extreme.Store(true)
				}
			}
		})
		for id := range s.again() {
			s.norms[id] = float32(math.NaN())
		}
		if !extreme.Load() {
			return
		}
		of := s.directed
		s.directed = NewMatrix(of.Rows, of.Cols)
		s.inParallel(of.Rows, func(first, last int) {
			for i := first; i < last; i++ {
				row := s.directed.Row(i)
				copy(row, of.row(i))
				if norm := normOf(row); norm > 0 && !ordinary(norm) {
					Unit(row, row)
				}
			}
		})
	})
	return s.directed.open(), s.norms
}

// Unit sets dst to v scaled to length 1 and reports whether v has a direction.
// If not, because it is zero or not finite, dst is all zeros. Both have the
// same length and may be the same.
func Unit(dst, v []float32) bool {
	norm := normOf(v)
	switch {
	case !(norm > 0) || math.IsInf(norm, 0):
		clear(dst)
		return false
	case ordinary(norm):
		inv := float32(1 / norm)
		for i, x := range v {
			dst[i] = x * inv
		}
	default: // float32 cannot hold the reciprocal, or not all of its digits
		for i, x := range v {
			dst[i] = float32(float64(x) / norm)
		}
	}
	return true
}

// normOf returns the Euclidean length of v, which no finite numbers make infinite.
func normOf(v []float32) float64 {
	// Four sums do not wait for each other.
	var sums [4]float64
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
		sums[0] += a * a
		sums[1] += b * b
		sums[2] += c * c
		sums[3] += d * d
	}
	for i, x := range v {
		sums[i] += float64(x) * float64(x)
	}
	return math.Sqrt(sums[0] + sums[1] + (sums[2] + sums[3]))
}

// ordinary tells whether products of a vector of that length with a unit vector neither overflow nor
// lose digits in float32, nor does the reciprocal of the length.
func ordinary(norm float64) bool { return norm >= 0x1p-100 && norm <= 0x1p+120 }
