package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

func checkBias(o *Options) error {
	if math.IsNaN(o.MaxLost) || o.MaxLost > 1 {
		return fmt.Errorf("eval: the share of words that a list may lose is %v, must be at most 1", o.MaxLost)
	}
	if o.Permutations < 0 {
		return fmt.Errorf("eval: permutations is %d, must be 0 (%d) or more", o.Permutations, DefaultPermutations)
	}
	o.MaxLost = max(0, cmp.Or(o.MaxLost, DefaultMaxLost))
	o.Permutations = cmp.Or(o.Permutations, DefaultPermutations)
	return nil
}

// scoreBias measures how target words X and Y are associated with attributes A and B, by the Word
// Embedding Association Test (WEAT; Caliskan, Bryson and Narayanan 2017) and the relative norm
// distance (RND; Garg, Schiebinger, Jurafsky and Zou 2018). A test is refused, and has no scores, if a
// list loses more words than Options.MaxLost, or keeps too few.
func scoreBias(_ context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	r := BiasResult{Set: set.Name, MaxLost: opt.MaxLost, Permutations: opt.Permutations, Seed: opt.Seed, Tests: []BiasTestResult{}}
	for i, test := range set.Tests {
		a := association{words, rand.New(rand.NewPCG(opt.Seed, uint64(i)))}
		r.Tests = append(r.Tests, a.test(test))
	}
	r.LookedUp = words.lookedUp()
	sum, effects := Summary{Metric: "effect_size", Missing: r.Missing, Notes: r.notes()}, 0.0
	for i := range r.Tests {
		t := &r.Tests[i]
		words, used := t.X.Words+t.Y.Words, 0
		if t.EffectSize.Defined() {
			r.Scored++
			effects += float64(t.EffectSize)
			t.CI95 = bootstrap(Sample{Items: t.items(), Score: t.effectSize}, opt)
			used = t.X.Used + t.Y.Used
			for _, list := range t.lists() {
				sum.Composed += list.Composed
			}
		}
		sum.Items, sum.Used = sum.Items+words, sum.Used+used
		sum.Parts = append(sum.Parts,
			Part{Name: t.Name, Metric: "effect_size", Score: t.EffectSize, Interval: t.CI95, Items: words, Used: used},
			Part{Name: t.Name, Metric: "p_value", Score: t.P, Items: words, Used: used})
		for _, list := range []BiasList{t.A, t.B} {
			if list.RND != nil {
				sum.Parts = append(sum.Parts, Part{Name: t.Name + ": " + list.Name, Metric: "rnd", Score: list.RND.Mean, Items: list.Words, Used: list.Used})
			}
		}
	}
	r.EffectSize = Score(effects / float64(r.Scored))
	sample := r.sample()
	if r.Scored > 0 {
		r.CI95 = bootstrap(sample, opt)
	}
	sum.Score, sum.Interval = r.EffectSize, r.CI95
	return Result{Summary: sum, Sample: sample, Details: r}, nil
}

type association struct {
	*lookup
	random *rand.Rand
}

func (a association) test(test BiasTest) BiasTestResult {
	nan := Score(math.NaN())
	r := BiasTestResult{Name: test.Name, EffectSize: nan, EffectSizeSample: nan, Statistic: nan, P: nan, PWithTies: nan}
	r.Targets = []Target{}
	var units [4][][]float64
	var used [4][]string
	for i, list := range test.lists() {
		units[i], used[i], *r.lists()[i] = a.list(*list)
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
	all := len(r.associations)
	r.EffectSize = Score(r.effectSize(ones(all)))
	r.EffectSizeSample = r.EffectSize * Score(math.Sqrt(float64(all-1)/float64(all)))
	sum := 0.0
	for i, x := range r.associations {
		if i < n {
			sum += x
		} else {
			sum -= x
		}
	}
	p := permute(r.associations, n, a.opt.Permutations, a.random)
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

func (a association) list(list WordList) (units [][]float64, used []string, of BiasList) {
	of = BiasList{Name: list.Name, Words: len(list.Words), Missing: []string{}}
	for _, word := range list.Words {
		e, ok := a.use(word)
		if !ok {
			of.Missing = append(of.Missing, word)
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

func (a association) refusal(r BiasTestResult) string {
	var why []string
	for i, list := range r.lists() {
		role, least := "XYAB"[i:i+1], 1
		if i < 2 {
			least = 2
		}
		lost := list.Words - list.Used
		switch {
		case float64(lost) > a.opt.MaxLost*float64(list.Words):
			why = append(why, fmt.Sprintf("%s (%s) lost more than %.4g %% of its words", role, list.Name, 100*a.opt.MaxLost))
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

func norm(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64((x - b[i]) * (x - b[i]))
	}
	return math.Sqrt(sum)
}

// A BiasResult has the scores of the tests of a set.
type BiasResult struct {
	Set string `json:"set"`
	// EffectSize is the mean of the effect sizes of the tests that have one.
	EffectSize Score    `json:"effect_size"`
	CI95       Interval `json:"ci95,omitzero"` // 95 % bootstrap interval over target words
	Scored     int      `json:"scored"`        // tests that have scores; the others are refused

	MaxLost      float64 `json:"max_lost"`     // see Options
	Permutations int     `json:"permutations"` // see Options
	Seed         uint64  `json:"seed"`
	LookedUp
	Tests []BiasTestResult `json:"tests"`
}

// A BiasTestResult has the scores of one test, or says why it is refused.
type BiasTestResult struct {
	Name       string   `json:"name"`
	EffectSize Score    `json:"effect_size"` // with the standard deviation of a population: by n
	CI95       Interval `json:"ci95,omitzero"`
	// EffectSizeSample is the effect size with the standard deviation of a sample: by n − 1.
	EffectSizeSample Score `json:"effect_size_sample"`
	Statistic        Score `json:"statistic"` // sum of associations over X minus that over Y
	P                Score `json:"p_value"`   // share of partitions with a larger statistic
	// PWithTies is the share of partitions with a statistic as large or larger. The given
	// partition is one of them, so it is never 0.
	PWithTies  Score  `json:"p_value_with_ties"`
	Partitions int    `json:"partitions"` // examined for the p-values
	Exact      bool   `json:"exact"`      // the p-values use all partitions
	Complete   bool   `json:"complete"`   // no list lost a word
	Unbalanced bool   `json:"unbalanced"` // X and Y lost different numbers of words
	Refused    string `json:"refused,omitempty"`

	X BiasList `json:"x"`
	Y BiasList `json:"y"`
	A BiasList `json:"a"`
	B BiasList `json:"b"`

	// Targets are the used words of X, then those of Y, with their associations. Effect sizes and
	// p-values are computed from these.
	Targets []Target `json:"targets"`

	associations []float64 // of the targets
}

// A Target is a target word and its association: the mean cosine with A minus the mean cosine with
// B.
type Target struct {
	Word        string  `json:"word"`
	List        string  `json:"list"` // "x" or "y"
	Association float64 `json:"association"`
}

// A BiasList says which words of a list were used.
type BiasList struct {
	Name     string   `json:"name"`
	Words    int      `json:"words"`
	Used     int      `json:"used"`     // words that have a vector
	Composed int      `json:"composed"` // used words composed of their n-grams
	Missing  []string `json:"missing"`
	RND      *RND     `json:"rnd,omitempty"` // only for attribute lists
}

// An RND is the relative norm distance of a list of attributes.
type RND struct {
	Sum  Score `json:"sum"`
	Mean Score `json:"mean"` // the sum divided by the number of words
}

func (r *BiasTestResult) lists() [4]*BiasList { return [4]*BiasList{&r.X, &r.Y, &r.A, &r.B} }

func (r BiasResult) sample() Sample {
	var s Sample
	var scored []BiasTestResult
	for _, t := range r.Tests {
		if t.EffectSize.Defined() {
			scored = append(scored, t)
			s.Items = append(s.Items, t.items()...)
		}
	}
	s.Score = func(weights []float64) float64 {
		sum, tests := 0.0, 0
		for _, t := range scored {
			n := len(t.associations)
			if d := t.effectSize(weights[:n]); !math.IsNaN(d) {
				sum += d
				tests++
			}
			weights = weights[n:]
		}
		return sum / float64(tests)
	}
	return s
}

func (r *BiasTestResult) items() []Item {
	items := make([]Item, len(r.Targets))
	for i, t := range r.Targets {
		items[i] = Item{Key: r.Name + "\t" + strings.ToUpper(t.List) + "\t" + t.Word, Words: []string{t.Word}}
	}
	return items
}

func (r BiasResult) notes() []string {
	var notes []string
	for _, t := range r.Tests {
		var lost []string
		for i, list := range t.lists() {
			if len(list.Missing) > 0 {
				lost = append(lost, fmt.Sprintf("%s (%s) lost %d of %d words: %s", "XYAB"[i:i+1], list.Name, len(list.Missing), list.Words, firstOf(list.Missing)))
			}
		}
		note := strings.Join(lost, "; ")
		if t.Unbalanced {
			note += fmt.Sprintf("; X and Y now have %d and %d words", t.X.Used, t.Y.Used)
		}
		switch {
		case t.Refused != "":
			note = strings.TrimSuffix(fmt.Sprintf("refused, because %s: %s", t.Refused, note), ": ")
		case !t.EffectSize.Defined():
			note = strings.TrimPrefix(note+"; all associations are the same, so there is no effect size", "; ")
		}
		if note != "" {
			notes = append(notes, t.Name+": "+note)
		}
	}
	return notes
}

func firstOf(words []string) string {
	const shown = 5
	if len(words) <= shown {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], ", "), len(words)-shown)
}

type permutationTest struct {
	Partitions int  // examined
	Exact      bool // all partitions were examined
	Larger     int  // partitions with a larger sum than the given one
	Equal      int  // partitions with the same sum, up to rounding
}

func (t permutationTest) P() float64 { return float64(t.Larger) / float64(t.Partitions) }

// PWithTies returns the share of partitions with a sum that is as large or larger. The given
// partition counts as one of the drawn partitions (Phipson and Smyth 2010), so the share is never
// 0.
func (t permutationTest) PWithTies() float64 {
	if t.Exact {
		return float64(t.Larger+t.Equal) / float64(t.Partitions)
	}
	return float64(t.Larger+t.Equal+1) / float64(t.Partitions+1)
}

// permute compares the sum of the first n values with the sums of all choices of n values. If there
// are more than most choices, it draws most of them at random.
func permute(values []float64, n, most int, r *rand.Rand) permutationTest {
	given, scale := 0.0, 0.0
	for i, x := range values {
		if i < n {
			given += x
		}
		scale += math.Abs(x)
	}
	t := permutationTest{Exact: choices(len(values), n, most) <= most}
	near := 1e-13 * scale // equal sums, added in another order, differ by rounding
	count := func(sum float64) {
		t.Partitions++
		switch {
		case sum > given+near:
			t.Larger++
		case sum >= given-near:
			t.Equal++
		}
	}
	if t.Exact {
		eachSum(values, n, 0, count)
		return t
	}
	drawn := append([]float64(nil), values...)
	for range most {
		sum := 0.0
		for i := range n {
			j := i + r.IntN(len(drawn)-i)
			drawn[i], drawn[j] = drawn[j], drawn[i]
			sum += drawn[i]
		}
		count(sum)
	}
	return t
}

func eachSum(values []float64, n int, sum float64, visit func(sum float64)) {
	if n == 0 {
		visit(sum)
		return
	}
	for i := 0; i+n <= len(values); i++ {
		eachSum(values[i+1:], n-1, sum+values[i], visit)
	}
}

// choices returns the number of ways to choose k of n things, or most + 1 if the number is larger
// than most.
func choices(n, k, most int) int {
	k = min(k, n-k)
	count := 1.0
	for i := 1; i <= k; i++ {
		count = count * float64(n-k+i) / float64(i)
		if count > float64(most) {
			return most + 1
		}
	}
	return int(math.Round(count))
}
