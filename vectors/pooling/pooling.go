// Package pooling combines the vectors of a text's words into a vector of the text. Every command, route and
// evaluation that makes vectors of texts calls it, so that a text has the same vector everywhere, to the bit.
package pooling

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Method says how the vectors of words become the vector of a text.
type Method string

const (
	// Mean is the mean of the vectors of words, and of word n-grams if the set has rows for them: see
	// vectors.Set.Sentence.
	Mean Method = "mean"
	// Weighted is 1/n · Σ a/(a + p(w)) · v(w) over the n words of a text that have vectors. p(w) is the
	// probability of a word and a is Options.Smoothing, so frequent words count less. It is the first step of
	// smooth inverse frequency (Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence
	// Embeddings", 2017). docs/explanation/texts.md has the measurements that made it the default.
	Weighted Method = "weighted"
	// SIF is Weighted, less its projection on the common component of the set. The paper takes the first
	// singular vector of some texts for that component. This one is the direction of the expected Weighted
	// vector of a text, Σ p(w) · a/(a + p(w)) · v(w) over the 10,000 most frequent words of the set, so the
	// vector of a text does not depend on other texts.
	SIF Method = "sif"
	// DBOW is the paragraph vector of PV-DBOW for a model whose words are trained: what predicts the words of the text
	// best by their context vectors. See paragraph.go.
	DBOW Method = "dbow"
)

// Methods returns every method.
func Methods() []Method { return []Method{Mean, Weighted, SIF, DBOW} }

// DefaultSmoothing is the number a of Weighted and SIF if neither Options nor the set say another one.
const DefaultSmoothing = 2e-4

// commonWords is how many words, the most frequent ones, make the common component.
const commonWords = 10_000

// weights are the weights of words. Without counts, the probability of a word is p(w) = 1 / (r · Σ 1/i), where
// r is its rank in the vocabulary of n words and the sum is over i = 1…n (Zipf's law).
type weights struct {
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

func weightsOf(s *vectors.Set, smoothing float64) *weights {
	w := &weights{smoothing: smoothing, counts: s.Counts(), total: counted(s)}
	if w.total == 0 {
		for i := range s.Len() {
			w.harmonic += 1 / float64(i+1)
		}
	}
	return w
}

func (w *weights) probability(id int) float64 {
	switch {
	case id < 0:
		return 0 // a word outside the vocabulary
	case w.total > 0:
		return float64(w.counts[id]) / w.total
	}
	return 1 / (float64(id+1) * w.harmonic)
}

func (w *weights) of(id int) float64 { return w.smoothing / (w.smoothing + w.probability(id)) }

// Options override what a set says about its texts. The zero value overrides nothing.
type Options struct {
	// Method is empty for the method that Training of the set records as "pooling". If it records none, the
	// method is Weighted for a set with counts, and otherwise Mean: without counts, probabilities are those of
	// Zipf's law, for which words must be in the order of their frequency.
	Method Method
	// Smoothing is the number a of Weighted and SIF; others have none. 0 means the number that Training records as "smoothing",
	// or else DefaultSmoothing.
	Smoothing float64
}

// Validate returns an error if an option is invalid.
func (o Options) Validate() error {
	if o.Method != "" && !slices.Contains(Methods(), o.Method) {
		return fmt.Errorf("unknown pooling %q, want %s, %s, %s or %s", string(o.Method), Mean, Weighted, SIF, DBOW)
	}
	if !(o.Smoothing >= 0 && o.Smoothing <= math.MaxFloat64) {
		return fmt.Errorf("smoothing is %v, must be positive, or 0 for %v", o.Smoothing, DefaultSmoothing)
	}
	return nil
}

// A Pooler computes vectors of texts. It may be used from several goroutines.
type Pooler struct {
	set       *vectors.Set
	recorded  Method // by Training; empty if it records none
	method    Method
	weights   *weights
	common    []float64  // the common component, of length 1; nil for other methods than SIF
	predictor *predictor // nil for other methods than DBOW
	unknown   string     // token that does not count; empty for none
	limit     int        // the largest number of tokens that count; 0 for all
	unit      bool       // vectors have length 1
}

// New returns a pooler that follows Training of the set, where these names are about texts:
//
//   - "pooling" and "smoothing": see Options;
//   - "text_norm": true if vectors of texts are scaled to length 1;
//   - "text_limit": how many tokens of a text count, from its first on; the others are left out;
//   - "unknown": "drop" if the unknown token of the attached tokenizer.json (unk_token of its model) does not
//     count, also not for the limit; "row" or nothing if it counts like any other.
//
// It is an error if an option is invalid, or if Training has a value that is not listed here. Close the set
// after the pooler.
func New(s *vectors.Set, o Options) (*Pooler, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	t := s.Training()
	p := &Pooler{set: s, recorded: Method(t.Text("pooling")), limit: t.Int("text_limit"), unit: t.Bool("text_norm")}
	own := Options{Method: p.recorded, Smoothing: t.Float("smoothing")}
	if o.Method != "" {
		own.Method = o.Method
	}
	if err := own.Validate(); err != nil {
		return nil, fmt.Errorf("how the model makes vectors of texts: %w", err)
	}
	switch unknown := t.Text("unknown"); unknown {
	case "", "row":
	case "drop":
		p.unknown = unknownToken(t.Attached(vectors.AttachedTokenizer))
	default:
		return nil, fmt.Errorf("how the model makes vectors of texts: unknown tokens are said to be %q, want drop or row", unknown)
	}
	if p.method = own.Method; p.method == "" {
		if p.method = Mean; counted(s) > 0 {
			p.method = Weighted
		}
	}
	p.weights = weightsOf(s, cmp.Or(o.Smoothing, own.Smoothing, DefaultSmoothing))
	switch p.method {
	case SIF:
		p.common = commonComponent(s, p.weights)
	case DBOW:
		var err error
		if p.predictor, err = newPredictor(s, p.weights); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// unknownToken returns the unknown token that a tokenizer.json names; empty if there is none.
func unknownToken(file []byte) string {
	var tokenizer struct {
		Model struct {
			Unknown string `json:"unk_token"`
		}
	}
	_ = json.Unmarshal(file, &tokenizer) // who cuts the text reports a file that cannot be read
	return tokenizer.Model.Unknown
}

// commonComponent returns the direction that SIF removes; nil if it is zero. Words are added in the order of
// vectors.Set.ByFrequency, in float64.
func commonComponent(s *vectors.Set, w *weights) []float64 {
	common, v := make([]float64, s.Dim()), make([]float32, s.Dim())
	ids := s.ByFrequency()
	for _, id := range ids[:min(len(ids), commonWords)] {
		if s.WordVector(v, id); !vectors.Finite(v) {
			continue
		}
		share := w.probability(id) * w.of(id)
		for k, x := range v {
			common[k] += float64(share * float64(x))
		}
	}
	length := math.Sqrt(product(common, common))
	if length == 0 {
		return nil
	}
	for k := range common {
		common[k] /= length
	}
	return common
}

func product(a, b []float64) (sum float64) {
	for k, x := range a {
		sum += float64(x * b[k])
	}
	return sum
}

// Method returns the method in use.
func (p *Pooler) Method() Method { return p.method }

// Smoothing returns the number a in use by Weighted and SIF.
func (p *Pooler) Smoothing() float64 { return p.weights.smoothing }

// Probabilities returns the source of the word probabilities: "counts" or "zipf".
func (p *Pooler) Probabilities() string {
	if p.weights.total > 0 {
		return "counts"
	}
	return "zipf"
}

// Note tells users that an option overrides the method that the set records; it is empty if none does.
func (p *Pooler) Note() string {
	if p.recorded == "" || p.recorded == p.method {
		return ""
	}
	return fmt.Sprintf("the model makes vectors of texts by the pooling %s, and %s is asked for", p.recorded, p.method)
}

// Text writes the vector of a text to dst, which has Dim numbers, and returns how many tokens contribute; if
// none does, dst is all zeros. The tokens must have been looked up in the set. A token that is not in the
// vocabulary is composed of its n-grams and has the probability 0. A token without n-grams, or whose vector is
// not finite, does not contribute.
//
// Mean is vectors.Set.SentenceOf, in float32. Weighted and SIF add up, token by token, the products of weight
// and number in float64, divide by the number of tokens, remove the component (u − (u·c)·c, where u·c adds from
// the first dimension on), and round to float32. No products and sums are fused.
func (p *Pooler) Text(dst []float32, tokens []vectors.Token) (used int) {
	switch tokens = p.counting(tokens); p.method {
	case Mean:
		used = p.mean(dst, tokens)
	case DBOW:
		used = p.predictor.text(dst, tokens)
	default:
		used = p.weighted(dst, tokens)
	}
	if p.unit && !vectors.Unit(dst, dst) {
		clear(dst)
	}
	return used
}

// counting returns the tokens that count.
func (p *Pooler) counting(tokens []vectors.Token) []vectors.Token {
	if p.unknown != "" {
		tokens = slices.DeleteFunc(slices.Clone(tokens), func(t vectors.Token) bool { return t.Word == p.unknown })
	}
	if p.limit > 0 {
		tokens = tokens[:min(len(tokens), p.limit)]
	}
	return tokens
}

func (p *Pooler) mean(dst []float32, tokens []vectors.Token) (used int) {
	if used = p.set.SentenceOf(dst, tokens); vectors.Finite(dst) {
		return used
	}
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t vectors.Token) bool { return !p.vector(dst, t) })
	if used = p.set.SentenceOf(dst, tokens); !vectors.Finite(dst) { // because of a row of word n-grams
		clear(dst)
		return 0
	}
	return used
}

// vector writes the vector of a token to dst, and reports whether there is one that is finite.
func (p *Pooler) vector(dst []float32, token vectors.Token) bool {
	if token.ID >= 0 {
		p.set.WordVector(dst, token.ID)
	} else if !p.set.Vector(dst, token.Word) {
		return false
	}
	return vectors.Finite(dst)
}

func (p *Pooler) weighted(dst []float32, tokens []vectors.Token) (used int) {
	sum := make([]float64, len(dst))
	for _, token := range tokens {
		if !p.vector(dst, token) {
			continue
		}
		used++
		p.add(sum, dst, p.weights.of(token.ID))
	}
	p.finish(dst, sum, used)
	return used
}

func (p *Pooler) add(sum []float64, v []float32, weight float64) {
	for k, x := range v {
		sum[k] += float64(weight * float64(x))
	}
}

// finish writes the vector of a text to dst, of the sum of so many vectors.
func (p *Pooler) finish(dst []float32, sum []float64, used int) {
	for k := range sum {
		sum[k] /= float64(max(1, used))
	}
	if p.common != nil {
		along := product(sum, p.common)
		for k, c := range p.common {
			sum[k] -= float64(along * c)
		}
	}
	for k, x := range sum {
		dst[k] = float32(x)
	}
}
