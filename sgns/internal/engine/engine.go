// Package engine trains texts. Its workers read a corpus, each for itself, and train it: by
// steps of their own on matrices that all share without locks (Hogwild), or by a
// column-parallel group of goroutines whose result does not depend on how many they are.
package engine

import (
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Run is what all workers share.
type Run struct {
	Variant  *variant.Variant
	Values   *params.Values
	Division step.Division
	IDs      *corpus.IDs // the corpus
	Epochs   int
	Shuffle  bool           // chunks and their sentences are in another order in each epoch
	Next     atomic.Int64   // the next chunk to take, of all epochs' chunks
	Words    int            // of the vocabulary
	Keep     []uint32       // see Thresholds
	Rate     func() float32 // the learning rate now
}

// Thresholds returns Keep for the probabilities with which words are kept: for each word, the
// number of 32 bits that a random one must not exceed for an occurrence to be kept. Words that have
// no number of their own have the last one. Only frequent words are ever dropped, so that the list is
// short, and stays in a near cache.
func Thresholds(keep []float64) []uint32 {
	n := len(keep)
	for n > 1 && keep[n-1] == keep[n-2] {
		n--
	}
	limits := make([]uint32, n)
	for id, p := range keep[:n] {
		limits[id] = uint32(p * (1<<32 - 1))
	}
	return limits
}

// An engine trains texts.
type engine interface {
	// train trains a text. It returns the pairs of some blocks, and their loss.
	train(t step.Text, rate float32) (pairs int, loss float64)
	// load must be called when something else has changed the parameters, and store before
	// something else reads them.
	load()
	store()
	// close ends what the engine started.
	close()
}

// mostSegments is the most segments of columns, and so the most goroutines of a group.
const mostSegments = 8

// Segments returns the first column of each segment of so many and, behind the last, how many
// columns there are. Scores are added up segment by segment, so that must not depend on how
// many goroutines there are. Their number is a power of two, which most numbers of goroutines
// divide evenly. Narrow ones cost time, less so where words are made of pieces: most of that
// goes to composing words.
func Segments(dim int, pieces bool) (first []int) {
	lines, least := (dim+simd.Lanes-1)/simd.Lanes, 3 // cache lines in a row, and in a segment
	if pieces {
		least = 2
	}
	n := 1
	for n < mostSegments && 2*n*least <= lines+1 {
		n *= 2
	}
	for i := range n {
		first = append(first, simd.Lanes*(lines*i/n))
	}
	return append(first, dim)
}

// Goroutines returns how many train with so many threads: as many as there are segments for,
// or one where there are none.
func Goroutines(threads int, segments []int) int {
	return max(min(threads, runtime.GOMAXPROCS(0), len(segments)-1), 1)
}

// Bytes is the size of a worker, over a vocabulary whose words are made of the rows of table.
func Bytes(v *variant.Variant, d step.Division, list params.List, words *vocab.Vocab, table *subword.Table) float64 {
	const position, rest = 4 * 4, 1024 // of a text; and what does not grow
	bytes := v.Bytes(d, list, words, table) + position*step.MaxText + rest
	if v.ColumnParallel() {
		bytes += groupBytes(v, d, words)
	}
	return bytes
}
