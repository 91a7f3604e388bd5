package eval

import (
	"fmt"
	"math"
	"strings"
)

// A BiasResult has the scores of the tests of a BiasSet.
type BiasResult struct {
	Set string `json:"set"`
	// EffectSize is the mean of the effect sizes of the tests that have one.
	EffectSize Score    `json:"effect_size"`
	CI95       Interval `json:"ci95,omitzero"` // 95 % bootstrap interval over target words
	Scored     int      `json:"scored"`        // tests that have scores; the others are refused

	MaxLost      float64 `json:"max_lost"`     // see BiasOptions
	Permutations int     `json:"permutations"` // see BiasOptions
	Seed         uint64  `json:"seed"`
	IgnoreCase   bool    `json:"ignore_case"`
	FoldVocab    bool    `json:"fold_vocab,omitempty"`
	Restrict     int     `json:"restrict,omitempty"`
	// Missing lists the words of all tests without vectors, in the order of their first mention.
	Missing []string         `json:"missing"`
	Tests   []BiasTestResult `json:"tests"`
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
	Partitions int    `json:"partitions"` // that the p-values look at
	Exact      bool   `json:"exact"`      // these are all partitions
	Complete   bool   `json:"complete"`   // no list has lost a word
	Unbalanced bool   `json:"unbalanced"` // X and Y have lost different numbers of words
	Refused    string `json:"refused,omitempty"`

	X BiasList `json:"x"`
	Y BiasList `json:"y"`
	A BiasList `json:"a"`
	B BiasList `json:"b"`

	// Targets are the used words of X, and then of Y, with their associations, of which effect
	// sizes and p-values are made.
	Targets []Target `json:"targets"`

	associations []float64 // of the targets
}

// A Target is a target word and its association with A less that with B.
type Target struct {
	Word        string  `json:"word"`
	List        string  `json:"list"` // "x" or "y"
	Association float64 `json:"association"`
}

// A BiasList says what is left of a list.
type BiasList struct {
	Name     string   `json:"name"`
	Words    int      `json:"words"`
	Used     int      `json:"used"`     // words that have a vector
	Composed int      `json:"composed"` // used words that were composed of their n-grams
	Missing  []string `json:"missing"`
	RND      *RND     `json:"rnd,omitempty"` // of attributes
}

// An RND is the relative norm distance of a list of attributes.
type RND struct {
	Sum  Score `json:"sum"`
	Mean Score `json:"mean"` // the sum divided by the number of words
}

func (r *BiasTestResult) lists() [4]*BiasList { return [4]*BiasList{&r.X, &r.Y, &r.A, &r.B} }

func (r *BiasResult) score(rules Rules) {
	sum := 0.0
	for i := range r.Tests {
		t := &r.Tests[i]
		if t.EffectSize.Defined() {
			r.Scored++
			sum += float64(t.EffectSize)
			t.CI95 = bootstrap(Sample{Items: t.items(), Score: t.effectSize}, rules)
		}
	}
	r.EffectSize = Score(sum / float64(r.Scored))
	if r.Scored > 0 {
		r.CI95 = bootstrap(r.Sample(), rules)
	}
}

// Summary has the mean effect size as its score. Its items are the target words of all tests. Its
// parts are the effect size and the p-value of every test, and the RND of its attributes per word.
func (r BiasResult) Summary() Summary {
	s := Summary{Set: r.Set, Task: TaskBias, Metric: "effect_size", Score: r.EffectSize, Interval: r.CI95, Missing: r.Missing}
	for _, t := range r.Tests {
		words, used := t.X.Words+t.Y.Words, 0
		if t.EffectSize.Defined() {
			used = t.X.Used + t.Y.Used
			for _, list := range t.lists() {
				s.Composed += list.Composed
			}
		}
		s.Items, s.Used = s.Items+words, s.Used+used
		s.Parts = append(s.Parts,
			Part{Name: t.Name, Metric: "effect_size", Score: t.EffectSize, Interval: t.CI95, Items: words, Used: used},
			Part{Name: t.Name, Metric: "p_value", Score: t.P, Items: words, Used: used})
		for _, list := range []BiasList{t.A, t.B} {
			if list.RND != nil {
				s.Parts = append(s.Parts, Part{Name: t.Name + ": " + list.Name, Metric: "rnd", Score: list.RND.Mean, Items: list.Words, Used: list.Used})
			}
		}
	}
	return s
}

// Sample has the target words of the tests with scores as its items, and the mean of the tests'
// effect sizes as its score.
func (r BiasResult) Sample() Sample {
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

// Notes say of every test that lost words which ones, and whether it is refused for that.
func (r BiasResult) Notes() []string {
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

// firstOf names so many words that a note stays readable; the JSON has them all.
func firstOf(words []string) string {
	const shown = 5
	if len(words) <= shown {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], ", "), len(words)-shown)
}
