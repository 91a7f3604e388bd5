package report

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func sampleRuns() Runs {
	return Runs{
		Models: []string{"seed|1", "seed2", "seed3"},
		Facts:  []Fact{{"restriction", "all words"}},
		Sets: []SetRuns{
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", Scores: []eval.Score{0.5, 0.6, 0.7}, Mean: 0.6, Deviation: 0.1, Interval: eval.Between(0.55, 0.65)},
			{Set: hostile, Task: eval.TaskAnalogy, Metric: "accuracy", Scores: []eval.Score{0.25, eval.Score(math.NaN()), 0.25}, Mean: 0.25, Deviation: 0},
		},
	}
}

func TestRunsAsCSV(t *testing.T) {
	r := sampleRuns()
	r.Sets = r.Sets[:1]
	want := strings.Join([]string{
		"set,task,metric,model,score,deviation,low,high,runs",
		"pairs,similarity,spearman,,0.6,0.1,0.55,0.65,3",
		"pairs,similarity,spearman,seed|1,0.5,,,,3",
		"pairs,similarity,spearman,seed2,0.6,,,,3",
		"pairs,similarity,spearman,seed3,0.7,,,,3", "",
	}, "\r\n")
	if got := written(t, r.CSV); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRunsAsMarkdown(t *testing.T) {
	r := sampleRuns()
	r.Sets = r.Sets[:1]
	want := `## Scores of 3 runs

| set | task | metric | mean | deviation | 95 % interval of the mean |
| --- | --- | --- | ---: | ---: | ---: |
| pairs | similarity | spearman | 0.600 | 0.100 | 0.550 … 0.650 |

### Runs

| model | pairs |
| --- | ---: |
| seed\|1 | 0.500 |
| seed2 | 0.600 |
| seed3 | 0.700 |

### Rules

- restriction: all words
`
	if got := written(t, r.Markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPageOfRuns(t *testing.T) {
	root := parse(t, written(t, sampleRuns().HTML))
	figures := root.all("figure")
	if len(figures) != 2 {
		t.Fatalf("%d charts", len(figures))
	}
	runs := func(of *element) (n int) {
		for _, c := range of.all("circle") {
			if c.has("run") {
				n++
			}
		}
		return n
	}
	if runs(figures[0]) != 3 || runs(figures[1]) != 2 {
		t.Errorf("%d and %d runs are drawn, want 3, and 2 of the set that one run has no score for", runs(figures[0]), runs(figures[1]))
	}
	if got := figures[0].all("title")[0].text; got != "pairs: 0.600, 95 % interval 0.550 … 0.650, standard deviation 0.100 of 3 runs" {
		t.Errorf("the title of the first row is %q", got)
	}
	parse(t, written(t, Runs{}.HTML))
}
