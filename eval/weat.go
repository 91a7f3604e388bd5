package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/w2v-go/w2v/eval/internal/permutation"
	"github.com/w2v-go/w2v/vectors"
)

// Defaults of BiasOptions.
const (
	DefaultMaxLost      = 0.2
	DefaultPermutations = 200000
)

// BiasOptions are the settings of Bias. The zero value works.
type BiasOptions struct {
	Rules
	// MaxLost is the largest share of words that a list may lose because they have no vectors,
	// 0…1. A test with a list that loses more is refused. 0 means DefaultMaxLost; a negative
	// number refuses tests that lose any word.
	MaxLost float64
	// Permutations is the largest number of partitions of target words that a p-value looks at.
	// If there are not more, the p-value is exact; else so many are drawn. 0 means
	// DefaultPermutations.
	Permutations int
}

// Validate returns an error if an option is invalid.
func (o BiasOptions) Validate() error {
	if math.IsNaN(o.MaxLost) || o.MaxLost > 1 {
		return fmt.Errorf("eval: the share of words that a list may lose is %v, must be at most 1", o.MaxLost)
	}
	if o.Permutations < 0 {
		return fmt.Errorf("eval: permutations is %d, must be 0 (%d) or more", o.Permutations, DefaultPermutations)
	}
	return o.Rules.Validate()
}

func (o BiasOptions) orDefaults() BiasOptions {
	if o.MaxLost == 0 {
		o.MaxLost = DefaultMaxLost
	}
	if o.Permutations == 0 {
		o.Permutations = DefaultPermutations
	}
	return o
}

// Bias measures how target words X and Y are associated with attributes A and B, by the Word
// Embedding Association Test (WEAT; Caliskan, Bryson and Narayanan 2017) and the relative norm
// distance (RND; Garg, Schiebinger, Jurafsky and Zou 2018).
//
// The association of a word w is s(w) = mean cos(w, a) − mean cos(w, b) over a in A and b in B. The
// effect size is the difference of the means of s over X and over Y, divided by the standard
// deviation of s over X and Y together (of a population: by n, so that effect sizes are −2…2 for
// lists of one length). The p-value is the share of the partitions of X and Y into two lists of
// these lengths whose sum of s over the first minus that over the second is larger than that of X
// and Y.
//
// RND of an attribute list is the sum over its words w of |w − x̄| − |w − ȳ|, where all vectors
// have length 1 and x̄ and ȳ are the means of X and Y. Below 0, the words are nearer to X.
//
// Words without vectors are left out of their lists, and named in the result. A test is refused,
// and has no scores, if a list loses more words than BiasOptions allow, or keeps too few. Bias
// returns an error if an option is invalid.
func Bias(s *vectors.Set, set BiasSet, opt BiasOptions) (BiasResult, error) {
	if err := opt.Validate(); err != nil {
		return BiasResult{}, err
	}
	opt = opt.orDefaults()
	words, err := newLookup(s, opt.Spelling, set.Words())
	if err != nil {
		return BiasResult{}, err
	}
	result := BiasResult{
		Set:          set.Name,
		MaxLost:      max(0, opt.MaxLost),
		Permutations: opt.Permutations,
		Seed:         opt.Seed,
		IgnoreCase:   words.ignoresCase(),
		FoldVocab:    opt.FoldVocab,
		Restrict:     opt.Restrict,
		Tests:        []BiasTestResult{},
	}
	missing := newWordList()
	for i, test := range set.Tests {
		a := association{opt: opt, words: words, missing: missing, random: rand.New(rand.NewPCG(opt.Seed, uint64(i)))}
		result.Tests = append(result.Tests, a.test(test))
	}
	result.Missing = missing.words
	result.score(opt.Rules)
	return result, nil
}

// An association scores one test.
type association struct {
	opt     BiasOptions
	words   *lookup
	missing *wordList
	random  *rand.Rand
}

func (a association) test(test BiasTest) BiasTestResult {
	nan := Score(math.NaN())
	r := BiasTestResult{Name: test.Name, EffectSize: nan, EffectSizeSample: nan, Statistic: nan, P: nan, PWithTies: nan}
	r.Targets = []Target{}
	var units [4][][]float64
	var used [4][]string
	for i, list := range test.lists() {
		units[i], used[i], *r.lists()[i] = a.find(list)
		r.Complete = (i == 0 || r.Complete) && len(r.lists()[i].Missing) == 0
	}
	r.Unbalanced = len(test.X.Words) == len(test.Y.Words) && r.X.Used != r.Y.Used
	if r.Refused = a.refusal(r); r.Refused != "" {
		return r
	}
	for i, list := range units[:2] {
		for k, target := range list {
			s := meanDot(target, units[2]) - meanDot(target, units[3])
			r.associations = append(r.associations, s)
			r.Targets = append(r.Targets, Target{used[i][k], "xy"[i : i+1], s})
		}
	}
	n := r.X.Used
	weights := make([]float64, len(r.associations))
	for i := range weights {
		weights[i] = 1
	}
	r.EffectSize = Score(r.effectSize(weights))
	r.EffectSizeSample = r.EffectSize * Score(math.Sqrt(float64(len(weights)-1)/float64(len(weights))))
	sum := 0.0
	for i, x := range r.associations {
		if i < n {
			sum += x
		} else {
			sum -= x
		}
	}
	p := permutation.Sum(r.associations, n, a.opt.Permutations, a.random)
	r.Statistic, r.P, r.PWithTies, r.Partitions, r.Exact = Score(sum), Score(p.P()), Score(p.PWithTies()), p.Partitions, p.Exact

	x, y := meanOf(units[0]), meanOf(units[1])
	for i, attribute := range []*BiasList{&r.A, &r.B} {
		total := 0.0
		for _, u := range units[2+i] {
			total += norm(u, x) - norm(u, y)
		}
		attribute.RND = &RND{Sum: Score(total), Mean: Score(total / float64(len(units[2+i])))}
	}
	return r
}

// find returns the unit vectors of a list, their words, and what is missing of it.
func (a association) find(list WordList) (units [][]float64, used []string, of BiasList) {
	of = BiasList{Name: list.Name, Words: len(list.Words), Missing: []string{}}
	for _, word := range list.Words {
		e := a.words.find(word)
		if a.opt.lacks(e) {
			of.Missing = append(of.Missing, word)
			a.missing.add(word)
			continue
		}
		if e.composed() {
			of.Composed++
		}
		used = append(used, word)
		units = append(units, unit64(e.vector))
	}
	of.Used = len(units)
	return units, used, of
}

// refusal says why a test has no scores; it is empty if it has some.
func (a association) refusal(r BiasTestResult) string {
	var why []string
	for i, list := range r.lists() {
		role, least := "XYAB"[i:i+1], 1
		if i < 2 {
			least = 2
		}
		lost := list.Words - list.Used
		switch {
		case float64(lost) > max(0, a.opt.MaxLost)*float64(list.Words):
			why = append(why, fmt.Sprintf("%s (%s) lost more than %.4g %% of its words", role, list.Name, 100*max(0, a.opt.MaxLost)))
		case list.Used < least:
			why = append(why, fmt.Sprintf("%s (%s) has fewer than %d words with vectors", role, list.Name, least))
		}
	}
	return strings.Join(why, "; ")
}

// effectSize returns the effect size if target word i, first those of X, counts weights[i] times.
// X and Y keep their shares of all words, so that resampled effect sizes are −2…2, too.
func (r BiasTestResult) effectSize(weights []float64) float64 {
	n := r.X.Used
	x, y := weightedMean(r.associations[:n])(weights[:n]), weightedMean(r.associations[n:])(weights[n:])
	shareX := float64(n) / float64(len(weights))
	mean := shareX*x + (1-shareX)*y
	squares := make([]float64, len(weights))
	for i, s := range r.associations {
		squares[i] = (s - mean) * (s - mean)
	}
	deviation := math.Sqrt(shareX*weightedMean(squares[:n])(weights[:n]) + (1-shareX)*weightedMean(squares[n:])(weights[n:]))
	if deviation <= 1e-15 {
		return math.NaN() // all associations are the same
	}
	return (x - y) / deviation // NaN if X or Y has no weight
}

// meanDot is the mean cosine of a unit vector with others.
func meanDot(u []float64, others [][]float64) float64 {
	sum := 0.0
	for _, o := range others {
		sum += dot64(u, o)
	}
	return sum / float64(len(others))
}

func meanOf(units [][]float64) []float64 {
	mean := make([]float64, len(units[0]))
	for _, u := range units {
		for i, x := range u {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] /= float64(len(units))
	}
	return mean
}

// norm is the length of the difference of two vectors.
func norm(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64((x - b[i]) * (x - b[i]))
	}
	return math.Sqrt(sum)
}
