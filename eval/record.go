package eval

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
)

// A Record is a result with what others need to verify it: the checksums of the set and of the
// model, all settings, and the version of the program.
type Record struct {
	Set      string   `json:"set"`
	Task     Task     `json:"task"`
	Metric   string   `json:"metric"` // what Score is
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
	Items    int      `json:"items"`             // pairs, questions, words, … of the set
	Used     int      `json:"used"`              // items that were scored
	Composed int      `json:"composed"`          // used items with a word that was composed of n-grams
	Missing  []string `json:"missing"`           // words without vectors
	Notes    []string `json:"notes,omitempty"`   // what the score does not show: see Noted

	Conventions Conventions `json:"conventions"`
	Bands       []Band      `json:"bands"`    // by the rank of an item's rarest word
	ByWords     []Band      `json:"by_words"` // in vocabulary, composed, missing

	Settings  Settings `json:"settings"`
	SetFile   Source   `json:"set_file"`   // the content of its files, decompressed
	ModelFile Source   `json:"model_file"` // its files as they are stored
	Version   string   `json:"w2v_version"`
	Result    Result   `json:"result,omitempty"` // the whole result of the task
}

// Measure evaluates vectors on a set, as Evaluate does, and records how. The fields ModelFile and
// Version are for the caller to set.
func Measure(ctx context.Context, s *vectors.Set, set SetFile, opt Options) (Record, error) {
	if err := checkBands(opt.Bands); err != nil {
		return Record{}, err
	}
	result, err := Evaluate(ctx, s, set.Set, opt)
	if err != nil {
		return Record{}, err
	}
	sum, sample := result.Summary(), result.Sample()
	all, err := standings(s, sample, opt.Rules)
	if err != nil {
		return Record{}, err
	}
	r := Record{
		Set:      sum.Set,
		Task:     sum.Task,
		Metric:   sum.Metric,
		Score:    sum.Score,
		Interval: sum.Interval,
		Items:    sum.Items,
		Used:     sum.Used,
		Composed: sum.Composed,
		Missing:  sum.Missing,
		SetFile:  set.Source(),
		Result:   result,

		Conventions: conventions(result, sum, sample, all, opt.Rules, s.Subword() != nil),
	}
	words := s.Len()
	if opt.Restrict > 0 {
		words = min(words, opt.Restrict)
	}
	r.Bands, r.ByWords = bands(words, sum, sample, all, opt)
	if r.Settings, err = settingsOf(s, set.Set.Task(), opt); err != nil {
		return Record{}, err
	}
	if noted, ok := result.(Noted); ok {
		r.Notes = noted.Notes()
	}
	if r.Missing == nil {
		r.Missing = []string{}
	}
	return r, nil
}
