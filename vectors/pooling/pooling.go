// Package pooling combines the vectors of a text's words into a vector of the text.
package pooling

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Method says how words are weighted.
type Method string

const (
	// Mean is the mean of the vectors of words, and of word n-grams if the set has rows for them: see
	// vectors.Set.Sentence.
	Mean Method = "mean"
	// SIF is smooth inverse frequency: the mean of a/(a + p(w)) · v(w), which gives frequent words less weight
	// (Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings", 2017), without the
	// paper's second step: the vector of a text does not depend on other texts.
	SIF Method = "sif"
)

// Methods returns every method.
func Methods() []Method { return []Method{Mean, SIF} }

// DefaultSmoothing is the default of the number a of SIF.
const DefaultSmoothing = 1e-3

// Weights are the weights of words in SIF.
type Weights struct {
	smoothing float64
	counts    []uint64
	total     float64 // sum of all counts; 0 without counts
	harmonic  float64 // Σ 1/i over the vocabulary
}

func counted(s *vectors.Set) (total float64) {
	for _, n := range s.Counts() {
		total += float64(n)
	}
	return total
}

// NewWeights computes the weights of words from the counts of a set. Without counts, the probability of a
// word is p(w) = 1 / (r · Σ 1/i), where r is its rank in the vocabulary of n words and the sum is over i =
// 1…n (Zipf's law). Smoothing is the number a, above 0. Close the set after the weights.
func NewWeights(s *vectors.Set, smoothing float64) *Weights {
	w := &Weights{smoothing: smoothing, counts: s.Counts(), total: counted(s)}
	if w.total == 0 {
		for i := range s.Len() {
			w.harmonic += 1 / float64(i+1)
		}
	}
	return w
}

// Probabilities returns the source of the word probabilities: "counts" or "zipf".
func (w *Weights) Probabilities() string {
	if w.total > 0 {
		return "counts"
	}
	return "zipf"
}

// Of returns the weight of the word with that id; 1 for a negative id, of words outside the vocabulary.
func (w *Weights) Of(id int) float64 {
	if id < 0 {
		return 1
	}
	p := 1 / (float64(id+1) * w.harmonic)
	if w.total > 0 {
		p = float64(w.counts[id]) / w.total
	}
	return w.smoothing / (w.smoothing + p)
}

// Options are the settings of a Pooler. The zero value works.
type Options struct {
	Method    Method  // empty means SIF for a set with counts, and otherwise Mean
	Smoothing float64 // the number a of SIF; 0 means DefaultSmoothing
}

// Validate returns an error if an option is invalid.
func (o Options) Validate() error {
	if o.Method != "" && !slices.Contains(Methods(), o.Method) {
		return fmt.Errorf("unknown pooling %q, want %s or %s", string(o.Method), Mean, SIF)
	}
	if !(o.Smoothing >= 0 && o.Smoothing <= math.MaxFloat64) {
		return fmt.Errorf("smoothing is %v, must be positive, or 0 for %v", o.Smoothing, DefaultSmoothing)
	}
	return nil
}

// A Pooler computes vectors of texts. It may be used from several goroutines.
type Pooler struct {
	set     *vectors.Set
	method  Method
	weights *Weights // nil for Mean
}

// New returns a pooler. It is an error if an option is invalid. Close the set after the pooler.
func New(s *vectors.Set, o Options) (*Pooler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Method == "" {
		if o.Method = Mean; counted(s) > 0 {
			o.Method = SIF
		}
	}
	p := &Pooler{set: s, method: o.Method}
	if p.method == SIF {
		p.weights = NewWeights(s, cmp.Or(o.Smoothing, DefaultSmoothing))
	}
	return p, nil
}

// Method returns how words are weighted.
func (p *Pooler) Method() Method { return p.method }

// Text writes the vector of a text to dst, which has Dim numbers, and returns how many tokens contribute; if
// none does, dst is all zeros. The tokens must have been looked up in the set. A token that is not in the
// vocabulary is composed of its n-grams. A token without n-grams, or whose vector is not finite, does not
// contribute.
func (p *Pooler) Text(dst []float32, tokens []vectors.Token) (used int) {
	if p.method == Mean {
		used = p.set.SentenceOf(dst, tokens)
		if !vectors.Finite(dst) {
			used = 0
			clear(dst)
		}
		return used
	}
	sum := make([]float64, len(dst))
	for _, token := range tokens {
		if token.ID >= 0 {
			p.set.WordVector(dst, token.ID)
		} else if !p.set.Vector(dst, token.Word) {
			continue
		}
		if !vectors.Finite(dst) {
			continue
		}
		used++
		weight := p.weights.Of(token.ID)
		for k, x := range dst {
			sum[k] += weight * float64(x)
		}
	}
	for k, x := range sum {
		dst[k] = float32(x / float64(max(1, used)))
	}
	return used
}
