package transform

import (
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// mergedRows are rows of a merged set: those of words, and behind them those of n-grams.
type mergedRows struct {
	of       *merger
	weights  []float64
	maps     map[uint32]blas64.General // by class of words
	cols     int
	ngrams   []int          // parts whose n-grams compose other words
	buckets  [][]int32      // of each row of n-grams, the row of each of these parts, or -1
	composes blas64.General // the map of these rows
	failed   func(error)
	spare    sync.Pool
}

// addNgrams chooses the n-grams of the result, and returns their buckets and the class of the parts that have them.
func (m *mergedRows) addNgrams() (sub subword.Indexer, bucketRows []int32, class uint32) {
	for i, p := range m.of.parts {
		of := p.set.Subword()
		if of == nil || p.set.Learned().Any() || sub != nil && !subword.Same(sub, of) {
			continue
		}
		sub, class = of, class|1<<i
		m.ngrams = append(m.ngrams, i)
	}
	if sub == nil {
		return nil, nil, 0
	}
	bucketRows = make([]int32, sub.Rows())
	known := map[[2]int32]int32{} // place of a row of one part beside a row so far
	for n, i := range m.ngrams {
		clear(known)
		set, rows := m.of.parts[i].set, [][]int32(nil)
		for b := range bucketRows {
			before := bucketRows[b]
			if n == 0 {
				before = -1
			}
			row := int32(set.BucketRow(uint32(b)))
			if before < 0 && row < 0 {
				bucketRows[b] = -1
				continue
			}
			pair := [2]int32{before, row}
			at, ok := known[pair]
			if !ok {
				at = int32(len(rows))
				known[pair] = at
				of := slices.Repeat([]int32{-1}, n)
				if before >= 0 {
					copy(of, m.buckets[before])
				}
				rows = append(rows, append(of, row))
			}
			bucketRows[b] = at
		}
		m.buckets = rows
	}
	for b, row := range bucketRows {
		if row >= 0 {
			bucketRows[b] = int32(m.of.words.Len()) + row
		}
	}
	return sub, bucketRows, class
}

// A merging is the working memory of a goroutine.
type merging struct {
	row         []float32 // joined
	wide, place []float64
}

// apply sets dst to the image of the joined vector that read writes, times the length that it returns.
func (m *mergedRows) apply(dst []float32, by blas64.General, read func(row []float32) (length float64), name func() string) {
	x, ok := m.spare.Get().(*merging)
	if !ok {
		x = &merging{make([]float32, m.of.dim), make([]float64, m.of.dim), make([]float64, m.cols)}
	}
	defer m.spare.Put(x)
	length := read(x.row)
	for k, v := range x.row {
		x.wide[k] = float64(v)
	}
	blas64.Gemv(blas.Trans, 1, by, vectorOf(x.wide), 0, vectorOf(x.place))
	for k, v := range x.place {
		dst[k] = float32(length * v)
	}
	if !vectors.Finite(dst) && vectors.Finite(x.row) {
		m.failed(fmt.Errorf("%s has numbers beyond those of float32 when it is merged", name()))
	}
}

func (m *mergedRows) Read(dst []float32, r int) {
	if words := m.of.words.Len(); r >= words {
		m.SumRows(dst, []uint32{uint32(r)}, nil)
		return
	}
	m.apply(dst, m.maps[m.of.classes[r]], func(row []float32) float64 {
		var sum, total, mean float64
		known := 0
		for i, p := range m.of.parts {
			length := p.unit(row[p.first:p.first+p.dim], m.of.words, r) / p.scale
			if p.places[r] != nowhere {
				known++
				sum, total, mean = sum+m.weights[i]*length, total+m.weights[i], mean+length
			}
		}
		if total > 0 {
			return m.of.parts[0].scale * sum / total
		}
		return m.of.parts[0].scale * mean / float64(known) // only sets of weight 0 know the word
	}, func() string { return fmt.Sprintf("the vector of %.40q", m.of.words.At(r)) })
}

// SumRows sets dst to the sum of rows. Rows of n-grams are summed first, and mapped once.
func (m *mergedRows) SumRows(dst []float32, rows []uint32, weights []float32) {
	words := m.of.words.Len()
	if slices.ContainsFunc(rows, func(r uint32) bool { return int(r) < words }) {
		clear(dst)
		row := make([]float32, len(dst))
		for i, r := range rows {
			m.Read(row, int(r))
			weight := coded.WeightOf(weights, i)
			for k, x := range row {
				dst[k] += weight * x
			}
		}
		return
	}
	m.apply(dst, m.composes, func(row []float32) float64 {
		clear(row)
		for n, i := range m.ngrams {
			p := m.of.parts[i]
			var known []uint32
			var ofKnown []float32
			for k, r := range rows {
				if at := m.buckets[int(r)-words][n]; at >= 0 {
					known, ofKnown = append(known, uint32(at)), append(ofKnown, coded.WeightOf(weights, k))
				}
			}
			p.set.Input().Sum(row[p.first:p.first+p.dim], known, ofKnown)
			factor(1 / p.scale)(row[p.first : p.first+p.dim])
		}
		return m.of.parts[0].scale
	}, func() string { return "a row of n-grams" })
}
