// Package reference is how w2v trains, in one file that is written to be read first: skip-gram and
// CBOW with negative sampling (Mikolov et al. 2013), words made of character n-grams (Bojanowski et
// al. 2017), and the step of a block, which is w2v's own. The trainer that users run has kernels in
// assembly, several workers and many variants; its tests compare it with this one.
// docs/explanation/training.md walks through this file.
package reference

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
)

// A Corpus is text as ids. Id i is the word Words[i], which occurs Counts[i] times.
type Corpus struct {
	Words     []string
	Counts    []uint64
	Sentences [][]uint32
}

// A Config says what is trained, and how.
type Config struct {
	Dim, Window, Negatives, Epochs int
	Rate                           float64 // learning rate at the beginning; it falls linearly to 0
	Sample                         float64 // words above this share of the text are dropped at times; +Inf drops none
	Seed                           uint64
	CBOW                           bool                       // contexts predict their centre; else a centre predicts its contexts
	Ngrams                         subword.FastText           // those that words are made of; no buckets, no n-grams
	Centres                        int                        // of a block
	Draws                          int                        // negatives of a block
	Span                           int                        // tokens of which the vectors are composed once
	Contexts                       float64                    // that a centre of CBOW has on the average
	Threshold                      float32                    // smaller errors of negatives are rounded to this or to 0
	Noise                          func(random uint64) uint32 // makes a negative of random bits
	Sigmoid                        func(x float32) float32    // 1/(1+e⁻ˣ)
}

// A Model has a row of Input for each word and, behind these, for each bucket. A word's vector is
// the mean of its Rows of Input. Output has the context vectors.
type Model struct {
	Input, Output [][]float32
	Rows          [][]uint32
}

// Vector returns the vector of a word.
func (m *Model) Vector(word uint32) []float32 {
	v := make([]float32, len(m.Output[0]))
	for _, row := range m.Rows[word] {
		add(v, 1/float32(len(m.Rows[word])), m.Input[row])
	}
	return v
}

// A trainer is a run of one worker.
type trainer struct {
	Config
	Model
	keep              []uint32         // for each word, the largest 32 random bits with which it is kept
	sampling, drawing random.Generator // of subsampling; of windows and negatives
	negatives         []uint32         // of the next block
	rate              float32          // of learning, now
	total             int              // tokens of an epoch
	ids               []uint32         // the text in training: subsampled sentences, one behind the other
	from, to          []int            // for each position, the bounds of its sentence

	now, before map[uint32][]float32 // vectors that are trained apart from their rows, and what these were
}

// Train trains a model.
func Train(text Corpus, c Config) *Model {
	t := &trainer{Config: c, sampling: random.Stream(c.Seed, 1), drawing: random.Stream(c.Seed, 0)}
	t.begin(text)
	read, trained, inChunk := 0, 0, 0 // tokens
	for range c.Epochs {
		for i, sentence := range text.Sentences {
			t.gather(sentence)
			read, inChunk = read+len(sentence), inChunk+len(sentence)
			if inChunk >= 8192 || i == len(text.Sentences)-1 {
				inChunk = 0
			}
			if len(t.ids) > 1024 || inChunk == 0 {
				t.rate = float32(c.Rate * max(0, 1-float64(trained)/float64(c.Epochs*t.total)))
				t.trainText()
				trained = read
			}
		}
	}
	return &t.Model
}

// begin makes the parameters, and the probabilities of subsampling, which are those of word2vec.c.
func (t *trainer) begin(text Corpus) {
	t.now, t.before = map[uint32][]float32{}, map[uint32][]float32{}
	for _, sentence := range text.Sentences {
		t.total += len(sentence)
	}
	bound := 0.5 / float32(t.Dim) // as in word2vec.c
	if t.Ngrams.Buckets > 0 {
		bound *= 2 // as in fastText
	}
	for row := range len(text.Words) + t.Ngrams.Buckets {
		g, values := random.Stream(t.Seed, uint64(row)), make([]float32, t.Dim)
		for k := range values {
			values[k] = bound * g.Uniform()
		}
		t.Input = append(t.Input, values)
	}
	for id, count := range text.Counts {
		t.Output = append(t.Output, make([]float32, t.Dim))
		t.Rows = append(t.Rows, []uint32{uint32(id)})
		for _, bucket := range t.Ngrams.Append(nil, text.Words[id]) {
			t.Rows[id] = append(t.Rows[id], uint32(len(text.Words))+bucket)
		}
		x := t.Sample * float64(t.total) / float64(count)
		t.keep = append(t.keep, uint32(min(1, math.Sqrt(x)+x)*math.MaxUint32))
	}
	t.draw()
}

// gather appends to the text the tokens of a sentence that subsampling keeps.
func (t *trainer) gather(sentence []uint32) {
	first := len(t.ids)
	for _, id := range sentence {
		if uint32(t.sampling.Next()>>32) <= t.keep[id] {
			t.ids = append(t.ids, id)
		}
	}
	n := len(t.ids) - first
	t.from, t.to = append(t.from, slices.Repeat([]int{first}, n)...), append(t.to, slices.Repeat([]int{len(t.ids)}, n)...)
}

// draw draws negatives for the next block, so that there is time to fetch their rows, and returns the last ones.
func (t *trainer) draw() (before []uint32) {
	before, t.negatives = t.negatives, nil
	for range t.Draws {
		t.negatives = append(t.negatives, t.Noise(t.drawing.Next()))
	}
	return before
}

// trainText trains the text, span by span and block by block, and empties it. With n-grams, a vector is
// composed for the block that first needs it in the span, and trained. After the block that last needs it,
// each of its rows gets all of its change, as in fastText.
func (t *trainer) trainText() {
	pieces, margin := t.Ngrams.Buckets > 0, 0
	if t.CBOW {
		margin = t.Window // a block needs the words around its centres
	}
	for first := 0; first < len(t.ids); first += t.Span {
		end := min(first+t.Span, len(t.ids))
		from, to := max(first-margin, 0), min(end+margin, len(t.ids))
		last := map[uint32]int{} // of the positions of each word
		for p := from; p < to; p++ {
			last[t.ids[p]] = p
		}
		composed, scattered := from, from // positions that have been passed
		for block := first; block < end; block += t.Centres {
			next := block + t.Centres
			for ; pieces && composed < min(next+margin, to); composed++ {
				if id := t.ids[composed]; t.now[id] == nil {
					t.now[id], t.before[id] = t.Vector(id), t.Vector(id)
				}
			}
			t.trainBlock(block, min(next, end))
			until := next - margin
			if next >= end {
				until = to
			}
			for ; pieces && scattered < until; scattered++ {
				if id := t.ids[scattered]; last[id] == scattered {
					add(t.now[id], -1, t.before[id])
					for _, row := range t.Rows[id] {
						add(t.Input[row], 1, t.now[id])
					}
					delete(t.now, id)
				}
			}
		}
	}
	t.ids, t.from, t.to = t.ids[:0], t.from[:0], t.to[:0]
}

// vectorAt returns the vector of the word at a position, to be read and trained.
func (t *trainer) vectorAt(position int) []float32 {
	if v := t.now[t.ids[position]]; v != nil {
		return v
	}
	return t.Input[t.ids[position]]
}

// A pair moves its input by error times its row of Output, and this row by error times the input.
type pair struct {
	input int
	row   uint32
	error float32
}

// trainBlock takes one step with consecutive centres, which share a window and negatives. All errors
// are those of the vectors as they are before the step.
func (t *trainer) trainBlock(first, last int) {
	window := 1 + t.drawing.Below(t.Window)
	rounding := uint32(t.drawing.Next())
	negatives := t.draw()

	// An input is a centre's vector, which predicts its contexts, or their mean, which predicts the centre.
	var contexts, targets [][]int // positions
	var inputs, changes [][]float32
	for c := first; c < last; c++ {
		var around []int
		for p := max(c-window, t.from[c]); p < min(c+window+1, t.to[c]); p++ {
			if p != c {
				around = append(around, p)
			}
		}
		input, change, predicted := slices.Clone(t.vectorAt(c)), t.vectorAt(c), around
		if t.CBOW {
			input, change, predicted = make([]float32, t.Dim), make([]float32, t.Dim), []int{c}[:min(len(around), 1)]
			for _, p := range around {
				add(input, 1/float32(len(around)), t.vectorAt(p))
			}
		}
		contexts, targets = append(contexts, around), append(targets, predicted)
		inputs, changes = append(inputs, input), append(changes, change)
	}
	// An input and its target should score high.
	var positives, others []pair
	for p := max(first-window, 0); p < min(last+window, len(t.ids)); p++ {
		for i, input := range inputs {
			if row := t.ids[p]; slices.Contains(targets[i], p) {
				positives = append(positives, pair{i, row, t.rate * t.Sigmoid(-dot(input, t.Output[row]))})
			}
		}
	}
	// An input and a negative should score low. word2vec draws Negatives words for each target. Here all
	// inputs share Draws words, with weights that make the gradient the same on the average. A negative
	// which is a target of the input counts for the other targets only, as in word2vec.c.
	for j, row := range negatives {
		for i, input := range inputs {
			number, same := float32(len(targets[i])), float32(0)
			for _, p := range targets[i] {
				if t.ids[p] == row {
					same++
				}
			}
			if number > same {
				weight := t.rate * float32(t.Negatives) / float32(t.Draws) * number
				q := t.round(t.Sigmoid(dot(input, t.Output[row])), rounding, j, i)
				others = append(others, pair{i, row, -weight * q * (1 - same/number)})
			}
		}
	}
	// The step. Contexts share the change of their mean, times what docs/variants.md explains.
	for _, p := range slices.Concat(others, positives) {
		add(changes[p.input], p.error, t.Output[p.row])
	}
	for i, around := range contexts {
		for _, p := range around {
			if t.CBOW {
				add(t.vectorAt(p), float32(max(t.Contexts, 1))/float32(len(around)), changes[i])
			}
		}
	}
	for _, p := range slices.Concat(positives, others) {
		add(t.Output[p.row], p.error, inputs[p.input])
	}
}

// round makes a small error the threshold or 0, at random, so that its mean stays what it was and most updates
// can be left out. The random number of negative j and input i is made of that of the block.
func (t *trainer) round(q float32, block uint32, j, i int) float32 {
	x := block + uint32(i+1)*0x9e3779b9
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	x ^= x >> 16
	for range j {
		x = x*0x93d765dd + 0x9e3779b9
	}
	if q > float32(x>>8)*(t.Threshold*(1.0/(1<<24))) {
		return max(q, t.Threshold)
	}
	return 0
}

// add adds w times x to a vector.
func add(to []float32, w float32, x []float32) {
	for k := range to {
		to[k] += w * x[k]
	}
}

// dot is a scalar product. It has four sums because the portable kernels have: for the same bits.
func dot(a, b []float32) float32 {
	var s [4]float32
	for k := range a {
		s[k%4] += a[k] * b[k]
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}
