package fasttext

import (
	"io"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// nearest finds neighbours with sums in fastText's order, so that equally similar answers have fastText's
// order too.
type nearest struct {
	set        *vectors.Set
	directions vectors.Matrix
	heap       []neighbor
}

func newNearest(set *vectors.Set) (*nearest, error) {
	n := &nearest{set: set, directions: vectors.NewMatrix(set.Len(), set.Dim())}
	for id, v := range set.All() {
		if length := norm(v); length > 0 {
			row := n.directions.Row(id)
			copy(row, v)
			scale(row, 1/float64(length))
		}
	}
	return n, set.Err()
}

// find returns the k words nearest to a query, nearest first, except the words in without.
func (n *nearest) find(query []float32, k int, without []string) []neighbor {
	length := norm(query)
	if math.Abs(float64(length)) < 1e-8 {
		length = 1
	}
	var skip []int
	for _, word := range without {
		if id, known := n.set.ID(word); known {
			skip = append(skip, id)
		}
	}
	n.heap = n.heap[:0]
	for id := range n.set.Len() {
		if slices.Contains(skip, id) {
			continue
		}
		similarity := dot(n.directions.Row(id), query) / length
		if len(n.heap) == k && similarity < n.heap[0].similarity {
			continue
		}
		n.heap = push(n.heap, neighbor{similarity, id})
		if len(n.heap) > k {
			n.heap = pop(n.heap)
		}
	}
	sorted := n.heap
	for rest := sorted; len(rest) > 1; {
		rest = pop(rest)
	}
	return sorted
}

// Nearest reads words and prints the k nearest words of each, with cosines.
func (m *Model) Nearest(w io.Writer, r io.Reader, k int) error {
	if k < 1 {
		return errAnswers
	}
	return prompted(w, r, "Query word? ", 1, func(words []string) error {
		m.set.Vector(m.vector, words[0])
		return m.answer(w, m.vector, k, words)
	})
}

// Analogies reads triples of words A, B and C, and prints the k words nearest to A − B + C. path names the
// model in messages.
func (m *Model) Analogies(w io.Writer, r io.Reader, path string, k int) error {
	if k < 1 {
		return errAnswers
	}
	if _, err := io.WriteString(w, "Loading model "+path+"\n"); err != nil {
		return err
	}
	query := make([]float32, m.set.Dim())
	return prompted(w, r, "Query triplet (A - B + C)? ", 3, func(words []string) error {
		clear(query)
		for i, sign := range []float64{1, -1, 1} {
			m.set.Vector(m.vector, words[i])
			factor := float32(sign / (float64(norm(m.vector)) + 1e-8))
			for k, x := range m.vector {
				query[k] += float32(factor * x)
			}
		}
		return m.answer(w, query, k, words)
	})
}

func (m *Model) answer(w io.Writer, query []float32, k int, without []string) (err error) {
	if m.nearest == nil {
		if m.nearest, err = newNearest(m.set); err != nil {
			return err
		}
	}
	for _, found := range m.nearest.find(query, k, without) {
		line := append(append(m.line[:0], m.set.Words().At(found.id)...), ' ')
		if err := m.write(w, append(appendNumber(line, float64(found.similarity), usualDigits), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Converting each product to float32 before adding it forces rounding on every processor. fastText's products
// are rounded like that on most processors.

// dot returns the dot product of two vectors, added up from first to last.
func dot(a, b []float32) (sum float32) {
	for k, x := range a {
		sum += float32(x * b[k])
	}
	return sum
}

func norm(v []float32) float32 { return float32(math.Sqrt(float64(dot(v, v)))) }

func scale(v []float32, by float64) {
	factor := float32(by)
	for k := range v {
		v[k] *= factor
	}
}
