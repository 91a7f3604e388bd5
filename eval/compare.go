package eval

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// A Comparison says by how much two models differ on a set, and whether the difference is more than
// noise.
type Comparison struct {
	Set    string `json:"set"`
	Task   Task   `json:"task"`
	Metric string `json:"metric"` // of the scores
	A      string `json:"a"`      // the models' names
	B      string `json:"b"`
	ScoreA Score  `json:"score_a"` // over the compared items
	ScoreB Score  `json:"score_b"`
	// Difference is ScoreB − ScoreA. Interval is its 95 % interval, and PValue the two-sided p-value
	// of the hypothesis that it is 0. Both come from one paired bootstrap: items are drawn for both
	// models together. Tests of bias have neither, because their target words share all attributes,
	// and PValue is then NaN, or null in JSON.
	Difference Score    `json:"difference"`
	Interval   Interval `json:"interval,omitzero"`
	PValue     Score    `json:"p_value"`
	// HolmPValue is PValue after the correction for the number of comparisons (Holm 1979), and
	// Differs says that it is below 0.05. Interval and PValue are about this comparison alone, so
	// Interval may exclude 0 although Differs is false.
	HolmPValue Score `json:"p_holm"`
	Differs    bool  `json:"differs"`
	// Items is the number of compared items. ItemsA and ItemsB are the numbers of items that each
	// model can score, SetItems is the number of items of the set.
	Items    int `json:"items"`
	ItemsA   int `json:"items_a"`
	ItemsB   int `json:"items_b"`
	SetItems int `json:"set_items"`
	// OwnVocabulary says that each model was scored on all items that it can score.
	OwnVocabulary bool `json:"own_vocabulary"`

	Settings Settings `json:"settings"`
	// SettingsB are the settings of the second model if they differ from the first model's, for
	// example in case or in composed words; else nil.
	SettingsB *Settings `json:"settings_b,omitempty"`
	SetFile   Source    `json:"set_file"`
	ModelA    Source    `json:"model_a"`
	ModelB    Source    `json:"model_b"`
	Version   string    `json:"w2v_version,omitempty"`
}

// Measured is a model and its records, one per set.
type Measured struct {
	Name    string
	Records []Record
}

// CompareOptions are the settings of Compare. The zero value works.
type CompareOptions struct {
	// Resamples and Seed are as in Options; Resamples must not be negative.
	Resamples int
	Seed      uint64
	// AllPairs compares every two models. Otherwise the first model is compared with each of the
	// others.
	AllPairs bool
	// OwnVocabulary scores each model on all items that it can score. Otherwise scores are over the
	// items that both models can score.
	OwnVocabulary bool
}

// Compare compares models that were measured on the same sets with the same options. The result
// has the comparisons of the first two models on every set, then those of the next two. Holm's
// correction is over all of them.
//
// Compare does not treat items that share words as independent. Otherwise two models that differ by
// their seeds alone would often be found to differ on analogies.
func Compare(models []Measured, opt CompareOptions) ([]Comparison, error) {
	if len(models) < 2 {
		return nil, fmt.Errorf("eval: %d models to compare, must be 2 or more", len(models))
	}
	if opt.Resamples < 0 {
		return nil, fmt.Errorf("eval: %d resamples, must be 0 (%d) or more", opt.Resamples, DefaultResamples)
	}
	if err := sameSets(models); err != nil {
		return nil, err
	}
	var all []Comparison
	for i, a := range models[:len(models)-1] {
		if i > 0 && !opt.AllPairs {
			break
		}
		for _, b := range models[i+1:] {
			for k := range a.Records {
				c := compare(a.Records[k], b.Records[k], opt)
				c.A, c.B = a.Name, b.Name
				all = append(all, c)
			}
		}
	}
	Holm(all)
	return all, nil
}

func compare(a, b Record, opt CompareOptions) Comparison {
	of := newPaired(a.Result.Sample, b.Result.Sample, opt.OwnVocabulary)
	scoreA, scoreB := of.scores(ones(len(of.items)))
	settings, other := a.Settings, b.Settings
	for _, s := range []*Settings{&settings, &other} {
		s.Seed, s.Resamples = opt.Seed, cmp.Or(opt.Resamples, DefaultResamples)
	}
	c := Comparison{
		Set: a.Set, Task: a.Task, Metric: a.Metric,
		ScoreA: Score(scoreA), ScoreB: Score(scoreB), Difference: Score(scoreB - scoreA),
		Items: len(of.items), ItemsA: len(of.a.Items), ItemsB: len(of.b.Items), SetItems: a.Items,
		OwnVocabulary: opt.OwnVocabulary,
		Settings:      settings, SetFile: a.SetFile, ModelA: a.ModelFile, ModelB: b.ModelFile, Version: a.Version,
	}
	if !reflect.DeepEqual(settings, other) {
		c.SettingsB = &other
	}
	if c.Task == TaskBias {
		// All target words of a test are compared with the same attributes, so they are not a sample:
		// models with different seeds would be found to differ in a fifth of all cases.
		c.PValue = Score(math.NaN())
		return c
	}
	difference := func(weights []float64) float64 {
		a, b := of.scores(weights)
		return b - a
	}
	r := resampling{items: of.items, score: difference, values: of.values(), difference: true}
	d := r.draw(Options{Resamples: opt.Resamples, Seed: opt.Seed})
	c.Interval, c.PValue = d.interval(), Score(d.pValue())
	return c
}

type paired struct {
	a, b     Sample
	items    []Item
	inA, inB []int     // index of each item in a and b; -1 if absent
	buffers  sync.Pool // of *[2][]float64, weights for a and b
}

func newPaired(a, b Sample, all bool) *paired {
	p := &paired{a: a, b: b}
	p.buffers.New = func() any {
		return &[2][]float64{make([]float64, len(a.Items)), make([]float64, len(b.Items))}
	}
	at := make(map[string][]int, len(b.Items)) // a set may have an item twice
	for i, item := range b.Items {
		at[item.Key] = append(at[item.Key], i)
	}
	taken := make([]bool, len(b.Items))
	for i, item := range a.Items {
		found := at[item.Key]
		if len(found) == 0 {
			if all {
				p.add(item, i, -1)
			}
			continue
		}
		p.add(item, i, found[0])
		taken[found[0]], at[item.Key] = true, found[1:]
	}
	for i, item := range b.Items {
		if all && !taken[i] {
			p.add(item, -1, i)
		}
	}
	return p
}

func (p *paired) add(item Item, a, b int) {
	p.items, p.inA, p.inB = append(p.items, item), append(p.inA, a), append(p.inB, b)
}

func (p *paired) scores(weights []float64) (a, b float64) {
	buffers := p.buffers.Get().(*[2][]float64)
	defer p.buffers.Put(buffers)
	return score(p.a, buffers[0], p.inA, weights), score(p.b, buffers[1], p.inB, weights)
}

// score returns a sample's score. The weights are in another order than the sample's items.
func score(s Sample, own []float64, at []int, weights []float64) float64 {
	if len(own) == 0 || len(weights) == 0 {
		return math.NaN()
	}
	clear(own)
	for i, w := range weights {
		if at[i] >= 0 {
			own[at[i]] = w
		}
	}
	return s.Score(own)
}

// values returns −1, 0 or 1 for each item if the difference is the mean of such values; else nil.
func (p *paired) values() []float64 {
	if !zeroOrOne(p.a.Values) || !zeroOrOne(p.b.Values) {
		return nil
	}
	values := make([]float64, len(p.items))
	for i := range values {
		if p.inA[i] < 0 || p.inB[i] < 0 {
			return nil
		}
		values[i] = p.b.Values[p.inB[i]] - p.a.Values[p.inA[i]]
	}
	return values
}

// Holm sets HolmPValue and Differs of comparisons. The smallest p-value is multiplied by the number of
// comparisons, the next by one less, and so on; no corrected value is smaller than the one before
// it. Comparisons without a p-value do not count.
func Holm(all []Comparison) {
	var order []int
	for i := range all {
		all[i].HolmPValue = all[i].PValue
		if all[i].PValue.Defined() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[i].PValue, all[j].PValue) })
	largest := Score(0)
	for k, i := range order {
		largest = max(largest, min(1, all[i].PValue*Score(len(order)-k)))
		all[i].HolmPValue, all[i].Differs = largest, largest < 0.05
	}
}

// maxSharing is the largest number of words of an item for which shared words count. Longer items
// are sentences, whose shared words say nothing.
const maxSharing = 10

// shared returns the words by which an item may depend on others.
func (i Item) shared() []string {
	if i.Independent || len(i.Words) > maxSharing {
		return nil
	}
	return i.Words
}

func shareWords(items []Item) bool {
	in := make(map[string]int)
	for i, item := range items {
		for _, word := range item.shared() {
			if last, ok := in[word]; ok && last != i {
				return true
			}
			in[word] = i
		}
	}
	return false
}

// designEffect returns the variance of a score divided by its variance with as many independent
// items (Kish 1965). Influences say how much each item moves the score. With independent items, the
// variance is the sum of their squares. If items that share a word may depend on each other in any
// way, the variance is the sum of the products over all pairs of such items, including each item
// with itself: multi-way clustering by words (Cameron, Gelbach and Miller 2011; for pairs Aronow,
// Samii and Assenova 2015). Without influences the items count as independent.
func designEffect(items []Item, influences []float64) float64 {
	alone := 0.0
	for _, x := range influences {
		alone += x * x
	}
	if alone == 0 || math.IsNaN(alone) {
		return 1
	}
	// Inclusion and exclusion tells whether two items share at least one word: the number of shared
	// words, minus the number of shared pairs of words, plus the number of shared triples, …
	numbers := make(map[string]uint64)
	at := make(map[uint64]int) // index in sums of a set of words
	var sums []float64         // of the influences of the items with these words
	var odd []bool
	var words []uint64
	for i, item := range items {
		words = words[:0]
		for _, word := range item.shared() {
			number, ok := numbers[word]
			if !ok {
				number = scrambled(uint64(len(numbers)))
				numbers[word] = number
			}
			if !slices.Contains(words, number) {
				words = append(words, number)
			}
		}
		if len(words) == 0 { // the item shares no word
			sums, odd = append(sums, influences[i]), append(odd, true)
			continue
		}
		for subset := uint(1); subset < 1<<len(words); subset++ {
			key := uint64(0)
			for k, number := range words {
				if subset>>k&1 == 1 {
					key += number
				}
			}
			to, ok := at[key]
			if !ok {
				to = len(sums)
				at[key] = to
				sums, odd = append(sums, 0), append(odd, bits.OnesCount(subset)%2 == 1)
			}
			sums[to] += influences[i]
		}
	}
	dependent := 0.0
	for i, sum := range sums {
		if odd[i] {
			dependent += sum * sum
		} else {
			dependent -= sum * sum
		}
	}
	return dependent / alone
}

// scrambled returns a pseudo-random number for n: splitmix64 of Steele, Lea and Flood 2014.
func scrambled(n uint64) uint64 {
	n = (n + 1) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// RunScores are the scores on one set of several models with the same settings. The models differ
// by their seeds or by the documents that they were trained on.
type RunScores struct {
	Set    string   `json:"set"`
	Task   Task     `json:"task"`
	Metric string   `json:"metric"`
	Models []string `json:"models"`
	Scores []Score  `json:"scores"` // one per model
	// Mean, Deviation (the sample standard deviation) and Runs (the number) cover the scores that
	// are defined. Interval is the 95 % interval of the mean by Student's distribution. Deviation
	// and Interval need two scores.
	Runs      int      `json:"runs"`
	Mean      Score    `json:"mean"`
	Deviation Score    `json:"deviation"`
	Interval  Interval `json:"interval,omitzero"`

	Settings   Settings `json:"settings"`
	SetFile    Source   `json:"set_file"`
	ModelFiles []Source `json:"model_files,omitempty"`
	Version    string   `json:"w2v_version,omitempty"`
}

// Runs summarises, for each set, the scores of models that were measured on the same sets.
func Runs(models []Measured) ([]RunScores, error) {
	if err := sameSets(models); err != nil || len(models) == 0 {
		return nil, err
	}
	var all []RunScores
	for i, first := range models[0].Records {
		r := RunScores{
			Set: first.Set, Task: first.Task, Metric: first.Metric,
			Settings: first.Settings, SetFile: first.SetFile, Version: first.Version,
		}
		var defined []float64
		for _, m := range models {
			r.Models, r.ModelFiles = append(r.Models, m.Name), append(r.ModelFiles, m.Records[i].ModelFile)
			score := m.Records[i].Score
			r.Scores = append(r.Scores, score)
			if score.Defined() {
				defined = append(defined, float64(score))
			}
		}
		r.Runs = len(defined)
		r.Mean, r.Deviation, r.Interval = meanInterval(defined)
		all = append(all, r)
	}
	return all, nil
}

// meanInterval returns the mean of numbers, their sample standard deviation, and the 95 % interval
// of the mean (Student 1908).
func meanInterval(x []float64) (mean, deviation Score, at Interval) {
	n := float64(len(x))
	m, s := stat.Mean(x, nil), stat.StdDev(x, nil)
	if n < 2 {
		return Score(m), Score(math.NaN()), at
	}
	half := student(n-1).Quantile(0.975) * s / math.Sqrt(n)
	return Score(m), Score(s), Between(m-half, m+half)
}

func sameSets(models []Measured) error {
	for _, m := range models {
		first := models[0]
		if len(m.Records) != len(first.Records) {
			return fmt.Errorf("eval: %s was measured on %d sets and %s on %d: they must be the same", first.Name, len(first.Records), m.Name, len(m.Records))
		}
		for i, r := range m.Records {
			of := first.Records[i]
			if r.Set != of.Set || r.Task != of.Task || r.Metric != of.Metric || r.SetFile.SHA256 != of.SetFile.SHA256 {
				return fmt.Errorf("eval: %s was measured on the set %s and %s on %s: they must be the same", first.Name, of.Set, m.Name, r.Set)
			}
		}
	}
	return nil
}
