package report_test

import (
	"fmt"
	"os"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
)

func ExampleEvaluation_Markdown() {
	var r eval.Record // which eval.Measure returns
	r.Summary = eval.Summary{
		Set: "ships", Task: eval.TaskSimilarity, Metric: "spearman", Score: 0.61234, Interval: eval.Between(0.5, 0.7), Items: 100, Used: 96, Missing: []string{"brigantine"},
	}
	if err := report.NewEvaluation("rivers.w2v", []eval.Record{r}).Markdown(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ## Evaluation of rivers.w2v
	//
	// | set | task | metric | score | 95 % interval | items | used | composed | missing words |
	// | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
	// | ships | similarity | spearman | 0.612 | 0.500 … 0.700 | 100 | 96 | 0 | 1 |
	//
	// ### ships
	//
	// | convention | score | 95 % interval | used |
	// | --- | ---: | ---: | ---: |
	// | items with all words in the vocabulary | 0.000 | – | 0 |
	//
	// ### Rules
	//
	// - words: looked up as they are
	// - vocabulary: all words of the model
	// - words outside it: left out
	// - similarity: spearman
	// - intervals: none
}
