// Package vectors holds a set of named vectors: its formats in and out, nearest
// neighbours and analogies.
package vectors

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
)

// A Set is a vocabulary and its vectors. A set of plain words has one input
// row a word. In a set with subwords the vector of a word is the mean of its
// own row and the rows of its n-grams' buckets, and words that are not in the
// vocabulary are the mean of their n-grams' rows alone, as in fastText.
//
// The fields are read-only once a method has been called. Methods may be called
// from several goroutines.
type Set struct {
	Words  []string
	Counts []uint64 // how often each word was seen; nil where the file did not say

	Input  Matrix // the rows that word vectors are made of
	Output Matrix // context vectors, a row a word; no rows where there are none

	// Subword cuts words into n-grams; nil for a set of plain words.
	Subword subword.Indexer
	// WordRow is the input row of each word's own vector; nil where word i has
	// row i.
	WordRow []uint32
	// BucketRow is the input row of each n-gram bucket, -1 for a bucket that
	// was never trained and stands for zeros; nil where bucket b has row
	// len(Words)+b. Buckets may share a row with each other and with words.
	BucketRow []int32

	// Training says how the vectors were made, as far as is known.
	Training Training
	// Format is what the set was read from; empty for a set that was not read.
	Format Format

	indexOnce sync.Once
	index     map[string]int32
	rowsOnce  sync.Once
	rows      Matrix
	normsOnce sync.Once
	norms     []float32    // inverse norms of rows, see InverseNorms
	release   func() error // unmaps the file behind the set, if there is one
}

// Training is what is known of how a set was trained. Zero fields are unknown.
type Training struct {
	Architecture string  `json:"arch,omitempty"`        // "skipgram"
	Window       int     `json:"window,omitempty"`      // largest distance of a context
	Epochs       int     `json:"epochs,omitempty"`      // passes over the corpus
	Negatives    int     `json:"negatives,omitempty"`   // negative samples a pair
	NSExponent   float64 `json:"ns_exponent,omitempty"` // noise distribution: count to this power
	MinCount     int     `json:"min_count,omitempty"`   // rarer tokens were dropped
	Sample       float64 `json:"sample,omitempty"`      // subsampling threshold
	LearningRate float64 `json:"lr,omitempty"`          // at the start
	Seed         uint64  `json:"seed,omitempty"`        // of all random numbers
	Tokens       uint64  `json:"tokens,omitempty"`      // in-vocabulary tokens of the corpus
	Trained      uint64  `json:"trained,omitempty"`     // tokens trained, of all epochs; fewer than Tokens·Epochs if stopped
	Lowercase    bool    `json:"lowercase,omitempty"`   // tokens were lower-cased
	Tokenizer    string  `json:"tokenizer,omitempty"`   // "whitespace" or "unicode"
}

// Len returns the number of words.
func (s *Set) Len() int { return len(s.Words) }

// Dim returns the number of dimensions.
func (s *Set) Dim() int { return s.Input.Cols }

// Close gives back the file that backs the set, if one does. The set and every
// row and count taken from it must not be used afterwards; its words may.
func (s *Set) Close() error {
	if s.release == nil {
		return nil
	}
	release := s.release
	s.release = nil
	return release()
}

// ID returns the position of word in Words. Of a word that stands there twice
// the first one counts.
func (s *Set) ID(word string) (int, bool) {
	s.indexOnce.Do(func() {
		s.index = make(map[string]int32, len(s.Words))
		for i, w := range s.Words {
			if _, dup := s.index[w]; !dup {
				s.index[w] = int32(i)
			}
		}
	})
	id, ok := s.index[word]
	return int(id), ok
}

// Vector writes the vector of word to dst, which has Dim numbers, and reports
// whether there is one. A word that is not in the vocabulary is composed from
// its n-grams; it has a vector if it has an n-gram at all. If the result is
// false, dst is all zeros.
func (s *Set) Vector(dst []float32, word string) bool {
	if id, ok := s.ID(word); ok {
		s.WordVector(dst, id)
		return true
	}
	if s.Subword == nil {
		clear(dst)
		return false
	}
	var c composer
	return c.compose(dst, s, nil, word) > 0
}

// WordVector writes the vector of word id to dst, which has Dim numbers.
func (s *Set) WordVector(dst []float32, id int) {
	var c composer
	c.word(dst, s, id)
}

// A composer is the memory that composing vectors takes.
type composer struct {
	buckets, rows []uint32
	ones          []float32 // the weight of each row
}

// word writes the vector of word id to dst.
func (c *composer) word(dst []float32, s *Set, id int) {
	own := uint32(id)
	if s.WordRow != nil {
		own = s.WordRow[id]
	}
	if s.Subword == nil {
		copy(dst, s.Input.Row(int(own)))
		return
	}
	c.compose(dst, s, []uint32{own}, s.Words[id])
}

// compose writes the mean of the given rows and those of the word's n-grams to
// dst, and returns of how many. Buckets that were never trained count, and add
// nothing.
func (c *composer) compose(dst []float32, s *Set, rows []uint32, word string) int {
	c.buckets = s.Subword.Append(c.buckets[:0], word)
	c.rows = append(c.rows[:0], rows...)
	for _, b := range c.buckets {
		if r := s.bucketRow(b); r >= 0 {
			c.rows = append(c.rows, uint32(r))
		}
	}
	for len(c.ones) < len(c.rows) {
		c.ones = append(c.ones, 1)
	}
	simd.Gather(dst, s.Input.Data, s.Input.Stride, c.rows, c.ones[:len(c.rows)])
	n := len(rows) + len(c.buckets)
	if n > 0 { // the sum first: so fastText rounds
		mean := 1 / float32(n)
		for k := range dst {
			dst[k] *= mean
		}
	}
	return n
}

// bucketRow is the input row of bucket b, -1 if it was never trained.
func (s *Set) bucketRow(b uint32) int {
	if s.BucketRow == nil {
		return len(s.Words) + int(b)
	}
	return int(s.BucketRow[b])
}

// BucketVector returns the row of n-gram bucket b, which is not copied, or nil
// if the bucket was never trained and stands for zeros.
func (s *Set) BucketVector(b uint32) []float32 {
	if r := s.bucketRow(b); r >= 0 {
		return s.Input.Row(r)
	}
	return nil
}

// Vectors returns the vector of every word, row i for word i. For a set of
// plain words that is Input; otherwise it is composed, on all cores, the first
// time that it is asked for.
func (s *Set) Vectors() Matrix {
	if s.Subword == nil && s.WordRow == nil {
		return s.Input
	}
	s.rowsOnce.Do(func() {
		m := NewMatrix(s.Len(), s.Dim())
		inParallel(s.Len(), func(first, last int) {
			var c composer
			for id := first; id < last; id++ {
				c.word(m.Row(id), s, id)
			}
		})
		s.rows = m
	})
	return s.rows
}

// inParallel cuts 0…n-1 into runs and calls work for each, on all cores.
func inParallel(n int, work func(first, last int)) {
	workers := runtime.GOMAXPROCS(0)
	run := max(1, (n+4*workers-1)/(4*workers))
	var g errgroup.Group
	g.SetLimit(workers)
	for first := 0; first < n; first += run {
		g.Go(func() error {
			work(first, min(n, first+run))
			return nil
		})
	}
	_ = g.Wait() // work cannot fail
}
