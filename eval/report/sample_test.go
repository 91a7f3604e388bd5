package report

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/eval"
)

// hostile is a word that would be markup in every form, if it were not escaped.
const hostile = `<script>alert("x")</script>|*a*&amp;` + "`"

// pair returns a judgement about two words.
func pair(a, b string, human, model float64) eval.Judgement {
	return eval.Judgement{Item: eval.Item{Key: a + " " + b, Words: []string{a, b}}, Human: human, Model: model}
}

// sampleEvaluation has a set of pairs, one of questions in sections, and one of which nothing
// could be scored.
func sampleEvaluation() Evaluation {
	return Evaluation{
		Model: "rivers.w2v", Checksum: "0a1b", Facts: []Fact{{"model", "SHA-256 0a1b"}, {"case", "as written, then in lower case"}, {"restriction", "all words"}},
		ListMissing: true,
		Entries: []Entry{
			{
				Summary: eval.Summary{
					Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", Score: 0.5, Interval: eval.Between(-0.2, 0.87654),
					Items: 5, Used: 4, Composed: 1, Missing: []string{hostile},
				},
				Judgements: []eval.Judgement{
					pair("boat", "ship", 9, 0.25), pair("river", "stone", 2.5, 0.75),
					pair("ferry", "bridge", 5, 0.5), pair(hostile, "stream", 1, -0.125),
				},
				Checksum: "9f8e",
				Bands:    []eval.Band{{Name: "1-1000", Items: 1, Score: eval.Score(math.NaN())}, {Name: "1001-5000", Items: 2, Score: -0.5}},
				ByWords:  []eval.Band{{Name: "composed", Items: 1, Score: 0.25}},
				Scores:   []Scored{{"zero", "missing pairs counted as zero", 0.4, eval.Interval{}, 5}},
			},
			{
				Summary: eval.Summary{
					Set: "questions", Task: eval.TaskAnalogy, Metric: "accuracy", Score: 2. / 3, Interval: eval.Between(0.4, 0.9), Items: 1500, Used: 1200,
					Parts: []eval.Part{
						{Name: "mouths of rivers", Metric: "accuracy", Score: 1, Interval: eval.Between(0.8, 1), Items: 700, Used: 600},
						{Name: "a|b", Metric: "accuracy", Score: 0.25, Items: 800, Used: 600},
						{Name: "mean rank", Metric: "mrr", Score: 0.7, Items: 1500, Used: 1200},
					},
				},
				Facts: []Fact{{"method", "3cosadd"}}, Notes: []string{"no <b>answers</b>"},
			},
			{Summary: eval.Summary{Set: "nothing", Task: eval.TaskSimilarity, Metric: "spearman", Score: eval.Score(math.NaN()), Items: 3, Missing: []string{"x", "y"}}},
		},
	}
}

// crowded is an evaluation with many sets and many pairs.
func crowded() Evaluation {
	e := Evaluation{Model: "crowd"}
	for s := range 12 {
		var all []eval.Judgement
		for i := range 400 {
			human, model := float64(i)/40, float64((i*37+s*11)%400)/400
			all = append(all, pair(fmt.Sprintf("left%d", i), fmt.Sprintf("right%d", i), human, model))
		}
		e.Entries = append(e.Entries, Entry{Judgements: all, Summary: eval.Summary{
			Set: fmt.Sprintf("set%d", s), Task: eval.TaskSimilarity, Metric: "spearman",
			Score: eval.Score(float64(s)/12 - 0.1), Interval: eval.Between(float64(s)/12-0.2, float64(s)/12), Items: 400, Used: 400,
		}})
	}
	return e
}
