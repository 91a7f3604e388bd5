package report

import "github.com/w2v-go/w2v/eval"

// NewEvaluation returns the report of what eval.Measure found of one model. Records that were read
// from JSON have neither parts nor pairs for a scatter.
func NewEvaluation(model string, records []eval.Record) Evaluation {
	e := Evaluation{Model: model, Facts: Rules(records)}
	for _, r := range records {
		e.Checksum = r.ModelFile.SHA256
		entry := Entry{Checksum: r.SetFile.SHA256, Notes: r.Notes, Scores: conventions(r), Bands: r.Bands, ByWords: r.ByWords, Summary: eval.Summary{
			Set: r.Set, Task: r.Task, Metric: r.Metric, Score: r.Score, Interval: r.Interval, Items: r.Items, Used: r.Used, Composed: r.Composed, Missing: r.Missing,
		}}
		if r.Result != nil {
			entry.Summary.Parts = r.Result.Summary().Parts
			entry.Details = detailsOf(r.Result)
		}
		if judged, ok := r.Result.(eval.Judged); ok {
			entry.Judgements = judged.Judgements()
		}
		e.Entries = append(e.Entries, entry)
	}
	return e
}

// conventions returns the scores of a record by each way to treat words outside the vocabulary.
func conventions(r eval.Record) []Scored {
	scores := []Scored{scored("in_vocabulary", "items with all words in the vocabulary", r.Conventions.InVocabulary)}
	if r.Settings.Composes {
		scores = append(scores, scored("composed", "items with composed words too", r.Conventions.Composed))
	}
	if zero := r.Conventions.Zero; zero != nil {
		scores = append(scores, scored("zero", "all items, the others counted as 0", *zero))
	}
	if zero := r.Conventions.ComposedZero; zero != nil {
		scores = append(scores, scored("composed_zero", "all items, composed words too, the others counted as 0", *zero))
	}
	return scores
}

func scored(key, name string, c eval.Convention) Scored {
	return Scored{Key: key, Name: name, Score: c.Score, Interval: c.Interval, Used: c.Used}
}
