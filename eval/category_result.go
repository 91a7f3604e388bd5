package eval

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/clustering"
)

// A CategoryResult says how well clusters of words agree with the categories of a CategorySet.
// Used + OOV = Words.
type CategoryResult struct {
	Set        string `json:"set"`
	Words      int    `json:"words"`      // of the set; a word of two categories counts twice
	Used       int    `json:"used"`       // words that have a vector
	OOV        int    `json:"oov"`        // words that have none, which are not clustered
	Categories int    `json:"categories"` // of the used words; there are as many clusters

	Purity           Score    `json:"purity"`
	CI95             Interval `json:"ci95,omitzero"` // of the purity: 95 % bootstrap interval over words
	VMeasure         Score    `json:"v_measure"`
	VMeasureCI95     Interval `json:"v_measure_ci95,omitzero"`
	Homogeneity      Score    `json:"homogeneity"`
	HomogeneityCI95  Interval `json:"homogeneity_ci95,omitzero"`
	Completeness     Score    `json:"completeness"`
	CompletenessCI95 Interval `json:"completeness_ci95,omitzero"`

	// Repeats is the number of clusterings. The scores above are those of the one with the
	// smallest Inertia, the sum of squared distances of words from the means of their clusters.
	// Means and standard deviations are over all clusterings.
	Repeats           int     `json:"repeats"`
	Seed              uint64  `json:"seed"`
	Inertia           float64 `json:"inertia"`
	MeanPurity        Score   `json:"mean_purity"`
	PurityDeviation   Score   `json:"purity_deviation"`
	MeanVMeasure      Score   `json:"mean_v_measure"`
	VMeasureDeviation Score   `json:"v_measure_deviation"`

	Composed   int  `json:"composed"` // used words that were composed of their n-grams
	IgnoreCase bool `json:"ignore_case"`
	FoldVocab  bool `json:"fold_vocab,omitempty"`
	Restrict   int  `json:"restrict,omitempty"`
	// Missing lists the words without vectors, in the order of their first mention.
	Missing []string `json:"missing"`
	// Clusters lists the used words with their clusters, so that others can compute the scores.
	Clusters []ClusteredWord `json:"clusters"`

	clusters, classes []int // numbers of the used words
}

// A ClusteredWord is a word with its category in the set and its cluster, from 0.
type ClusteredWord struct {
	Word     string `json:"word"`
	Category string `json:"category"`
	Cluster  int    `json:"cluster"`
}

// Summary has the purity as its score, and V-measure, homogeneity and completeness as its parts.
func (r CategoryResult) Summary() Summary {
	part := func(name string, score Score, interval Interval) Part {
		return Part{Name: name, Metric: name, Score: score, Interval: interval, Items: r.Words, Used: r.Used}
	}
	return Summary{
		Set: r.Set, Task: TaskCategorization, Metric: "purity", Score: r.Purity, Interval: r.CI95,
		Items: r.Words, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
		Parts: []Part{
			part("v_measure", r.VMeasure, r.VMeasureCI95),
			part("homogeneity", r.Homogeneity, r.HomogeneityCI95),
			part("completeness", r.Completeness, r.CompletenessCI95),
		},
	}
}

// Sample has the used words as its items. Its score is the purity of the reported clustering,
// which does not change with the weights of words, and nor does the category that a cluster stands
// for. Otherwise words that are drawn twice would make clusters purer than they are.
func (r CategoryResult) Sample() Sample {
	if r.Categories < 2 {
		return meanSample(nil, nil)
	}
	t := clustering.Count(r.clusters, r.classes)
	pure := make([]float64, len(r.clusters))
	for i, k := range r.clusters {
		if t.Majority(k) == r.classes[i] {
			pure[i] = 1
		}
	}
	return meanSample(r.items(), pure)
}

func (r CategoryResult) items() []Item {
	items := make([]Item, len(r.Clusters))
	for i, c := range r.Clusters {
		items[i] = Item{Key: c.Category + "\t" + c.Word, Words: []string{c.Word}}
	}
	return items
}

// meanSample is a sample whose score is the mean of values.
func meanSample(items []Item, values []float64) Sample {
	return Sample{Items: items, Values: values, Score: weightedMean(values)}
}

// zero is the purity if missing words are in no cluster and so count as wrong.
func (r CategoryResult) zero() Score {
	if r.Used == 0 {
		return 0
	}
	return r.Purity * Score(r.Used) / Score(r.Words)
}

// Notes say how much the scores vary between clusterings.
func (r CategoryResult) Notes() []string {
	if r.Used > 0 && r.Categories < 2 {
		return []string{"all words with vectors are of one category, so there is nothing to tell apart: is the file a part of a set that is a folder?"}
	}
	if r.Repeats < 2 || r.Used == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d clusterings: purity %.4f ± %.4f, V-measure %.4f ± %.4f (mean and standard deviation); the one with the smallest inertia is scored",
		r.Repeats, r.MeanPurity, r.PurityDeviation, r.MeanVMeasure, r.VMeasureDeviation)}
}
