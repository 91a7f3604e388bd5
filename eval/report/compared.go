package report

import (
	"strings"

	"github.com/w2v-go/w2v/eval"
)

// NewComparison returns the report of what eval.Compare found of models.
func NewComparison(models []eval.Measured, all []eval.Comparison) Comparison {
	var c Comparison
	for _, d := range all {
		c.Differences = append(c.Differences, Difference{
			Set: d.Set, Task: d.Task, Metric: d.Metric, A: d.A, B: d.B, ScoreA: d.ScoreA, ScoreB: d.ScoreB,
			Difference: d.Difference, Interval: d.Interval, P: d.PValue, Holm: d.HolmPValue, Differs: d.Differs, Items: d.Items,
		})
	}
	if len(models) == 0 || len(all) == 0 {
		return c
	}
	items := "those that both models can score"
	if all[0].OwnVocabulary {
		items = "for each model those that it can score"
	}
	c.Facts = append(c.Facts, Fact{"items", items})
	var rules []eval.Record
	for _, r := range models[0].Records {
		r.Settings.Resamples, r.Settings.Seed = all[0].Settings.Resamples, all[0].Settings.Seed
		rules = append(rules, r)
	}
	c.Facts = append(c.Facts, rulesOfModels(models, rules)...)
	return c
}

// NewRuns returns the report of what eval.Runs found of models.
func NewRuns(models []eval.Measured, all []eval.RunScores) Runs {
	var r Runs
	for _, m := range models {
		r.Models = append(r.Models, m.Name)
	}
	for _, s := range all {
		r.Sets = append(r.Sets, SetRuns{Set: s.Set, Task: s.Task, Metric: s.Metric, Scores: s.Scores, Mean: s.Mean, Deviation: s.Deviation, Interval: s.Interval})
	}
	if len(models) > 0 {
		for _, fact := range rulesOfModels(models, models[0].Records) {
			if fact.Name == "intervals" { // there, of one score
				fact.Value = "95 %, of the mean over runs, by Student’s t"
			}
			r.Facts = append(r.Facts, fact)
		}
	}
	return r
}

// rulesOfModels says how records came about, and gives the checksum of each model.
func rulesOfModels(models []eval.Measured, records []eval.Record) []Fact {
	var shared []eval.Record
	for _, r := range records {
		r.ModelFile = eval.Source{}
		shared = append(shared, r)
	}
	facts := Rules(shared)
	for _, m := range models {
		if len(m.Records) > 0 && len(records) > 0 {
			words, first := wordsOf(m.Records[0].Settings), wordsOf(records[0].Settings)
			if words != first {
				facts = append(facts, Fact{"words of " + m.Name, words})
			}
		}
		if len(m.Records) > 0 && m.Records[0].ModelFile.SHA256 != "" {
			facts = append(facts, Fact{m.Name, "SHA-256 " + m.Records[0].ModelFile.SHA256})
		}
	}
	return facts
}

// wordsOf is what models that are scored by the same flags may differ in.
func wordsOf(s eval.Settings) string {
	return lookedUp(s) + "; outside the vocabulary " + outside(s)
}

// shortNames returns the ends of paths that tell them apart: with as few folders as that takes, the
// same number for all.
func shortNames(paths []string) map[string]string {
	slashed := func(path string) string { return strings.ReplaceAll(path, `\`, "/") }
	for folders := 0; ; folders++ {
		short, taken, whole := map[string]string{}, map[string]bool{}, true
		for _, path := range paths {
			if _, ok := short[path]; ok {
				continue
			}
			parts := strings.Split(slashed(path), "/")
			whole = whole && len(parts) <= folders+1
			short[path] = strings.Join(parts[max(0, len(parts)-1-folders):], "/")
			taken[short[path]] = true
		}
		if len(taken) == len(short) || whole {
			return short
		}
	}
}
