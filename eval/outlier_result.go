package eval

import "strings"

// An OutlierResult says how many outliers of an OutlierSet were found. Used + OOV = Tests.
type OutlierResult struct {
	Set      string   `json:"set"`
	Tests    int      `json:"tests"` // outliers of all clusters
	Used     int      `json:"used"`  // tests that are scored
	OOV      int      `json:"oov"`   // tests that are not, for want of vectors
	Accuracy Score    `json:"accuracy"`
	CI95     Interval `json:"ci95,omitzero"` // of the accuracy: 95 % bootstrap interval over tests
	OPP      Score    `json:"opp"`           // outlier position percentage, 0…1
	OPPCI95  Interval `json:"opp_ci95,omitzero"`

	Composed   int  `json:"composed"`            // used tests with a word that was composed
	Published  bool `json:"published,omitempty"` // see OutlierOptions
	IgnoreCase bool `json:"ignore_case"`
	FoldVocab  bool `json:"fold_vocab,omitempty"`
	Restrict   int  `json:"restrict,omitempty"`
	// Missing lists the words and outliers without vectors, in the order of their first mention.
	Missing  []string       `json:"missing"`
	Clusters []OutlierTally `json:"clusters"`
	// Detections are the scored tests.
	Detections []OutlierTest `json:"detections"`

	items []Item
}

// An OutlierTally says how many outliers of a cluster were found.
type OutlierTally struct {
	Name      string   `json:"name"`
	Words     int      `json:"words"`
	UsedWords int      `json:"used_words"` // words of the cluster that have a vector
	Tests     int      `json:"tests"`
	Used      int      `json:"used"`
	Detected  int      `json:"detected"`
	Accuracy  Score    `json:"accuracy"`
	CI95      Interval `json:"ci95,omitzero"`
	OPP       Score    `json:"opp"`

	positions float64
}

// An OutlierTest is one outlier among the words of its cluster.
type OutlierTest struct {
	Cluster  string `json:"cluster"`
	Outlier  string `json:"outlier"`
	Words    int    `json:"words"`    // of the cluster that have a vector: n
	Position int    `json:"position"` // 0…n; n if the outlier is found
	Found    bool   `json:"found"`
	Instead  string `json:"instead,omitempty"` // the cluster's word of least compactness, if the outlier is not found
}

func (r *OutlierResult) score(rules Rules) {
	accuracy, opp := r.Sample(), r.sample(OutlierTest.percentage)
	r.Accuracy, r.CI95 = accuracy.once(), bootstrap(accuracy, rules)
	first := 0
	for i := range r.Clusters {
		c := &r.Clusters[i]
		c.CI95 = bootstrap(meanSample(accuracy.Items[first:first+c.Used], accuracy.Values[first:first+c.Used]), rules)
		first += c.Used
	}
	r.OPP, r.OPPCI95 = opp.once(), bootstrap(opp, rules)
}

func (t OutlierTest) found() float64 {
	if t.Found {
		return 1
	}
	return 0
}

func (t OutlierTest) percentage() float64 { return float64(t.Position) / float64(t.Words) }

// Summary has the accuracy as its score, and OPP and the accuracy of every cluster as its parts.
func (r OutlierResult) Summary() Summary {
	s := Summary{
		Set: r.Set, Task: TaskOutliers, Metric: "accuracy", Score: r.Accuracy, Interval: r.CI95,
		Items: r.Tests, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
		Parts: []Part{{Name: "opp", Metric: "opp", Score: r.OPP, Interval: r.OPPCI95, Items: r.Tests, Used: r.Used}},
	}
	for _, c := range r.Clusters {
		s.Parts = append(s.Parts, Part{
			Name: c.Name, Metric: "accuracy", Score: c.Accuracy, Interval: c.CI95, Items: c.Tests, Used: c.Used,
		})
	}
	return s
}

// Sample has the scored tests as its items, and the accuracy as its score.
func (r OutlierResult) Sample() Sample { return r.sample(OutlierTest.found) }

func (r OutlierResult) sample(value func(OutlierTest) float64) Sample {
	values := make([]float64, len(r.Detections))
	for i, t := range r.Detections {
		values[i] = value(t)
	}
	return meanSample(r.items, values)
}

// zero is the accuracy if tests that are not scored count as wrong.
func (r OutlierResult) zero() Score {
	return r.Accuracy.orZero() * Score(r.Used) / Score(r.Tests)
}

// orZero is the score, or 0 if it is not defined.
func (s Score) orZero() Score {
	if !s.Defined() {
		return 0
	}
	return s
}

// parts returns the parts of a word that has underscores.
func parts(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return r == '_' })
}

// withParts returns words and, if asked, the parts of those with underscores.
func withParts(words []string, asked bool) []string {
	if !asked {
		return words
	}
	all := words
	for _, word := range words {
		if p := parts(word); len(p) > 1 {
			all = append(all, p...)
		}
	}
	return all
}

// once is the score if every item counts once.
func (s Sample) once() Score {
	weights := make([]float64, len(s.Items))
	for i := range weights {
		weights[i] = 1
	}
	return Score(s.Score(weights))
}
