package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// RunScores are the scores on one set of several models of one setting, which differ by their
// seeds or by the documents that they were trained on.
type RunScores struct {
	Set    string   `json:"set"`
	Task   Task     `json:"task"`
	Metric string   `json:"metric"`
	Models []string `json:"models"`
	Scores []Score  `json:"scores"` // one a model
	// Mean and Deviation, the sample standard deviation, are of the scores that are defined, and
	// Runs is their number. Interval is the 95 % interval of the mean by Student's
	// distribution. Deviation and Interval need two scores.
	Runs      int      `json:"runs"`
	Mean      Score    `json:"mean"`
	Deviation Score    `json:"deviation"`
	Interval  Interval `json:"interval,omitzero"`

	Settings   Settings `json:"settings"`
	SetFile    Source   `json:"set_file"`
	ModelFiles []Source `json:"model_files,omitempty"`
	Version    string   `json:"w2v_version,omitempty"`
}

// Runs says for each set what the scores of models have in common, which were measured on the same
// sets.
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
	if n == 0 {
		return Score(math.NaN()), Score(math.NaN()), at
	}
	m := stat.Mean(x, nil)
	if n == 1 {
		return Score(m), Score(math.NaN()), at
	}
	s := stat.StdDev(x, nil)
	half := student(n-1).Quantile(0.975) * s / math.Sqrt(n)
	return Score(m), Score(s), Between(m-half, m+half)
}

// sameSets returns an error if models were not measured on the same sets.
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
