package pairs

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
)

// A table is the rows that training changes. Row i is numbers[i*dim:][:dim] times weights[i].
type table struct {
	dim     int
	numbers []float32
	weights []float32
	state   *adam
}

func (t *table) row(i uint32) []float32 { return t.numbers[int(i)*t.dim:][:t.dim] }

// lists are lists of rows: list i is rows[starts[i]:starts[i+1]], each with a weight.
type lists = simd.Lists

// texts are sequences of words by number.
type texts struct {
	starts []uint64
	words  []uint32
}

func (t *texts) of(text uint32) []uint32 { return t.words[t.starts[text]:t.starts[text+1]] }

func (t *texts) len() int { return max(0, len(t.starts)-1) }

// A stepper computes the vectors of the texts of a batch, and changes rows by the gradients of these vectors. Whatever
// it adds up is added in the order of the batch, so that its results do not depend on the number of threads.
type stepper struct {
	table *table
	texts *texts
	words lists   // the rows of each word, and how much each counts
	plain bool    // word i has row i alone
	mean  bool    // vectors of texts are means, and are not scaled
	scale float32 // rows of the model are so many times those that are trained
	parallel

	batch    []uint32 // texts
	slots    numbering
	rows     numbering
	content  lists // of each text, words by slot
	used     lists // of each word's slot, texts of the batch
	parts    lists // of each word's slot, rows
	users    lists // of each row's slot, words by slot
	composed []float32
	vectors  []float32 // of length 1, or means
	lengths  []float32 // before
	changes  []float32 // gradients of vectors
	ofWords  []float32 // gradients of words
	ids      []uint32
	scratch  [][]float32
}

// A numbering numbers what occurs in a batch in the order of first occurrence.
type numbering struct {
	slot  []uint32
	stamp []uint32
	now   uint32
	all   []uint32 // by slot
}

func (n *numbering) begin(size int) {
	if len(n.slot) < size {
		n.slot, n.stamp, n.now = make([]uint32, size), make([]uint32, size), 0
	}
	if n.now++; n.now == 0 {
		clear(n.stamp)
		n.now = 1
	}
	n.all = n.all[:0]
}

func (n *numbering) of(id uint32) uint32 {
	if n.stamp[id] != n.now {
		n.stamp[id], n.slot[id] = n.now, uint32(len(n.all))
		n.all = append(n.all, id)
	}
	return n.slot[id]
}

// grown returns a slice of n elements, whose content is arbitrary.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

func (s *stepper) identity(n int) []uint32 {
	for len(s.ids) < n {
		s.ids = append(s.ids, uint32(len(s.ids)))
	}
	return s.ids[:n]
}

// transpose sets dst to the lists of the entries of src by what they name, which are numbers below n. Weights are copied.
func transpose(dst *lists, src *lists, n int) {
	count := len(src.Starts) - 1
	dst.Starts = grown(dst.Starts, n+1)
	clear(dst.Starts)
	for _, r := range src.Rows {
		dst.Starts[r+1]++
	}
	for i := range n {
		dst.Starts[i+1] += dst.Starts[i]
	}
	dst.Rows, dst.Weights = grown(dst.Rows, len(src.Rows)), grown(dst.Weights, len(src.Rows))
	for i := range count {
		for e := src.Starts[i]; e < src.Starts[i+1]; e++ {
			r := src.Rows[e]
			at := dst.Starts[r]
			dst.Starts[r]++
			dst.Rows[at], dst.Weights[at] = uint32(i), src.Weights[e]
		}
	}
	copy(dst.Starts[1:], dst.Starts[:n])
	dst.Starts[0] = 0
}

// forward computes the vectors of texts, which have length 1, or are zeros, unless they are means.
func (s *stepper) forward(batch []uint32) {
	s.batch = batch
	s.slots.begin(len(s.words.Starts) - 1)
	c := &s.content
	c.Starts, c.Rows = append(c.Starts[:0], 0), c.Rows[:0]
	for _, text := range batch {
		for _, word := range s.texts.of(text) {
			c.Rows = append(c.Rows, s.slots.of(word))
		}
		c.Starts = append(c.Starts, uint64(len(c.Rows)))
	}
	c.Weights = grown(c.Weights, len(c.Rows))
	for i := range batch {
		of, weight := c.Weights[c.Starts[i]:c.Starts[i+1]], float32(1)
		if s.mean {
			weight = 1 / float32(len(of))
		}
		for e := range of {
			of[e] = weight
		}
	}
	dim, t := s.table.dim, s.table
	p := &s.parts
	p.Starts, p.Rows, p.Weights = append(p.Starts[:0], 0), p.Rows[:0], p.Weights[:0]
	for _, word := range s.slots.all {
		for e := s.words.Starts[word]; e < s.words.Starts[word+1]; e++ {
			r := s.words.Rows[e]
			p.Rows, p.Weights = append(p.Rows, r), append(p.Weights, s.words.Weights[e]*t.weights[r])
		}
		p.Starts = append(p.Starts, uint64(len(p.Rows)))
	}
	words := len(s.slots.all)
	s.composed = grown(s.composed, words*dim)
	ids := s.identity(max(words, len(batch)))
	s.each(words, 64, func(_, first, last int) {
		simd.GatherLists(block(s.composed[first*dim:], last-first, dim), t.numbers, dim, s.parts, ids[first:last])
	})
	s.vectors, s.lengths = grown(s.vectors, len(batch)*dim), grown(s.lengths, len(batch))
	s.each(len(batch), 32, func(_, first, last int) {
		simd.GatherLists(block(s.vectors[first*dim:], last-first, dim), s.composed, dim, s.content, ids[first:last])
		for i := first; i < last && !s.mean; i++ {
			s.lengths[i] = normalize(s.vectors[i*dim:][:dim])
		}
	})
	s.changes = grown(s.changes, len(batch)*dim)
	clear(s.changes)
}

func block(data []float32, rows, cols int) simd.Block {
	return simd.Block{Data: data, Rows: rows, Cols: cols, Stride: cols}
}

// dot returns the product of two vectors, added up in four sums, the same on all machines.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	k := 0
	for ; k+4 <= len(a); k += 4 {
		s0 += float32(a[k] * b[k])
		s1 += float32(a[k+1] * b[k+1])
		s2 += float32(a[k+2] * b[k+2])
		s3 += float32(a[k+3] * b[k+3])
	}
	for ; k < len(a); k++ {
		s0 += float32(a[k] * b[k])
	}
	return (s0 + s1) + (s2 + s3)
}

// normalize scales v to length 1 and returns its length before. A vector that is too short becomes zeros.
func normalize(v []float32) float32 {
	length := float32(math.Sqrt(float64(dot(v, v))))
	if !(length > 1e-20) {
		clear(v)
		return 0
	}
	by := 1 / length
	for k := range v {
		v[k] *= by
	}
	return length
}

// backward changes the rows of the texts of the last forward by the gradients in changes.
func (s *stepper) backward(rate float32) {
	dim, t := s.table.dim, s.table
	s.each(len(s.batch), 64, func(_, first, last int) {
		for i := first; i < last && !s.mean; i++ {
			through(s.changes[i*dim:][:dim], s.vectors[i*dim:][:dim], s.lengths[i])
		}
	})
	words := len(s.slots.all)
	transpose(&s.used, &s.content, words)
	rows, from, of, n := s.slots.all, s.changes, &s.used, words
	if !s.plain {
		s.ofWords = grown(s.ofWords, words*dim)
		ids := s.identity(words)
		s.each(words, 64, func(_, first, last int) {
			simd.GatherLists(block(s.ofWords[first*dim:], last-first, dim), s.changes, dim, s.used, ids[first:last])
		})
		s.rows.begin(len(t.weights))
		p := &s.parts
		at := 0
		for _, word := range s.slots.all {
			for e := s.words.Starts[word]; e < s.words.Starts[word+1]; e++ {
				p.Rows[at], p.Weights[at] = s.rows.of(p.Rows[at]), s.words.Weights[e]
				at++
			}
		}
		transpose(&s.users, p, len(s.rows.all))
		rows, from, of, n = s.rows.all, s.ofWords, &s.users, len(s.rows.all)
	}
	for len(s.scratch) < s.threads {
		s.scratch = append(s.scratch, nil)
	}
	ids := s.identity(n)
	t.state.begin()
	s.each(n, 64, func(worker, first, last int) {
		g := grown(s.scratch[worker], 64*dim)
		s.scratch[worker] = g
		simd.GatherLists(block(g, last-first, dim), from, dim, *of, ids[first:last])
		for i := first; i < last; i++ {
			t.state.update(t, rows[i], g[(i-first)*dim:][:dim], rate)
		}
	})
}

// first sets dst to the first cols numbers of vectors, scaled to length 1 if there are more.
func (s *stepper) first(dst, lengths, vectors []float32, cols int) {
	dim := s.table.dim
	if cols == dim {
		copy(dst, vectors)
		return
	}
	s.each(len(vectors)/dim, 64, func(_, first, last int) {
		for i := first; i < last; i++ {
			to := dst[i*cols:][:cols]
			copy(to, vectors[i*dim:])
			lengths[i] = normalize(to)
		}
	})
}

// back adds gradients by what first has set to those of the vectors. Without lengths, vectors were not scaled.
func (s *stepper) back(changes, gradients, scaled, lengths []float32, n, cols int) {
	dim := s.table.dim
	s.each(n, 64, func(_, first, last int) {
		for i := first; i < last; i++ {
			g := gradients[i*cols:][:cols]
			if cols < dim && lengths != nil {
				through(g, scaled[i*cols:][:cols], lengths[i])
			}
			to := changes[i*dim:][:cols]
			for k, x := range g {
				to[k] += x
			}
		}
	})
}

// through turns the gradient of a vector of length 1 into that of the vector before it was scaled.
func through(g, v []float32, length float32) {
	if length == 0 {
		clear(g)
		return
	}
	along, by := dot(g, v), 1/length
	for k, x := range v {
		g[k] = float32(g[k]-float32(along*x)) * by
	}
}

// A parallel divides work among threads.
type parallel struct{ threads int }

// each calls work with ranges of at most size numbers below n. What work computes may depend on the range, and not on
// the worker, which is a number below threads.
func (p parallel) each(n, size int, work func(worker, first, last int)) {
	threads := min(p.threads, (n+size-1)/size)
	if threads <= 1 {
		for first := 0; first < n; first += size {
			work(0, first, min(first+size, n))
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range threads {
		wait.Go(func() {
			for {
				first := int(next.Add(int64(size))) - size
				if first >= n {
					return
				}
				work(worker, first, min(first+size, n))
			}
		})
	}
	wait.Wait()
}

func threadsOf(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
