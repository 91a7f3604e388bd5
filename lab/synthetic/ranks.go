package synthetic

import (
	"iter"
	"math"
	"math/rand/v2"

	"github.com/w2v-go/w2v/internal/counting"
)

// Words of English by falling frequency, from rank 1, have about the frequency of
//
//	(rank + offset)^-head · (1 + rank/bend)^-(tail-head)
//
// It is the law of Zipf and Mandelbrot with a steeper fall behind the bend. Offset, head and bend
// are the least squares fit of the logarithms of frequencies at 120 ranks from 1 to 60,000, evenly
// spaced by logarithm, to the mean of both texts. Frequencies are off by 8 %.
const (
	offset = 0.25
	head   = 0.967
	bend   = 12_000
	tail   = 2.0
)

// mostWords is the largest number of different words.
const mostWords = 1 << 30

// single is how many of the first words are drawn each by its own probability. Others are drawn
// by cells: all words of a cell are equally frequent. An octave has perOctave cells.
const (
	single    = 1 << 12
	perOctave = 64
)

// ranks is the distribution of words.
type ranks struct {
	alias *counting.Alias // of single words and then of cells
	cells []cell
	all   []float64 // see weights
	words uint32
}

// A cell is words of consecutive ranks.
type cell struct{ first, length uint32 }

// frequency is the frequency of a word, without a factor that all words have.
func frequency(rank, tail float64) float64 {
	return math.Pow(rank+offset, -head) * math.Pow(1+rank/bend, head-tail)
}

func newRanks(o Options) *ranks {
	r := &ranks{words: uint32(o.Words)}
	if o.Words == 0 {
		r.words = mostWords
	}
	for first := uint32(single); first < r.words; {
		length := max(1, uint32(math.Round(float64(first)*(math.Exp2(1.0/perOctave)-1))))
		length = min(length, r.words-first)
		r.cells = append(r.cells, cell{first, length})
		first += length
	}
	r.all = r.weights(r.exponent(o))
	r.alias = counting.NewAlias(r.all)
	return r
}

// exponent returns the exponent of the tail: that of English, or a smaller one with which the
// last word is expected once.
func (r *ranks) exponent(o Options) float64 {
	expected := func(tail float64) float64 {
		var sum float64
		for _, w := range r.weights(tail) {
			sum += w
		}
		return float64(o.Tokens) * frequency(float64(r.words), tail) / sum
	}
	low, high := head, tail
	if o.Words == 0 || expected(high) >= 1 {
		return high
	}
	for range 40 {
		if middle := (low + high) / 2; expected(middle) > 1 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// weights returns the frequency of every single word, and of all words of a cell together.
func (r *ranks) weights(tail float64) []float64 {
	n := min(single, int(r.words))
	all := make([]float64, 0, n+len(r.cells))
	for i := range n {
		all = append(all, frequency(float64(i+1), tail))
	}
	for _, c := range r.cells {
		middle := float64(c.first) + float64(c.length+1)/2
		all = append(all, float64(c.length)*frequency(middle, tail))
	}
	return all
}

// expected yields every word by rank, and how many of so many tokens it is expected to be.
func (r *ranks) expected(tokens float64) iter.Seq2[uint32, float64] {
	return func(yield func(uint32, float64) bool) {
		sum := 0.0
		for _, w := range r.all {
			sum += w
		}
		first := min(single, r.words)
		for rank, w := range r.all[:first] {
			if !yield(uint32(rank), w/sum*tokens) {
				return
			}
		}
		for i, c := range r.cells {
			each := r.all[int(first)+i] / sum * tokens / float64(c.length)
			for k := range c.length {
				if !yield(c.first+k, each) {
					return
				}
			}
		}
	}
}

// draw draws a word: its rank, from 0.
func (r *ranks) draw(random *rand.PCG) uint32 {
	i := r.alias.Draw(random.Uint64())
	if i < single {
		return i
	}
	c := r.cells[i-single]
	return c.first + below(uint32(random.Uint64()>>32), c.length)
}
