package report

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func sampleComparison() Comparison {
	none := eval.Score(math.NaN())
	return Comparison{
		Facts: []Fact{{"vocabulary", "words of all models"}},
		Differences: []Difference{
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "b", ScoreA: 0.4, ScoreB: 0.5, Difference: 0.1, Interval: eval.Between(0.02, 0.18), P: 0.004, Holm: 0.012, Differs: true, Items: 300},
			{Set: "more pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "b", ScoreA: 0.5, ScoreB: 0.45, Difference: -0.05, Interval: eval.Between(-0.15, 0.05), P: 0.3, Holm: 0.6, Items: 50},
			{Set: hostile, Task: eval.TaskAnalogy, Metric: "accuracy", A: "a|1", B: "b", ScoreA: 0.5, ScoreB: 0.25, Difference: -0.25, Interval: eval.Between(-0.3, -0.2), P: 0.0001, Holm: 0.0003, Differs: true, Items: 4000},
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "c", ScoreA: none, ScoreB: none, Difference: none, P: none, Holm: none},
		},
	}
}

func TestComparisonAsCSV(t *testing.T) {
	want := strings.Join([]string{
		"set,task,metric,a,b,score_a,score_b,difference,low,high,p_value,p_holm,differs,items",
		"pairs,similarity,spearman,a|1,b,0.4,0.5,0.1,0.02,0.18,0.004,0.012,true,300",
		"more pairs,similarity,spearman,a|1,b,0.5,0.45,-0.05,-0.15,0.05,0.3,0.6,false,50",
		`"<script>alert(""x"")</script>|*a*&amp;` + "`" + `",analogy,accuracy,a|1,b,0.5,0.25,-0.25,-0.3,-0.2,0.0001,0.0003,true,4000`,
		"pairs,similarity,spearman,a|1,c,,,,,,,,false,0", "",
	}, "\r\n")
	if got := written(t, sampleComparison().CSV); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestComparisonAsMarkdown(t *testing.T) {
	c := sampleComparison()
	c.Differences = c.Differences[:2]
	want := `## Comparison of models

### b against a\|1

Of 2 sets, b scores higher on 1 and lower on 0. On 1 the difference is noise.

| set | metric | items | a\|1 | b | difference | 95 % interval | p | p (Holm) | result |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| pairs | spearman | 300 | 0.400 | 0.500 | +0.100 | +0.020 … +0.180 | 0.004 | 0.012 | differs |
| more pairs | spearman | 50 | 0.500 | 0.450 | −0.050 | −0.150 … +0.050 | 0.30 | 0.60 | noise |

### Rules

- vocabulary: words of all models
`
	if got := written(t, c.Markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A row never says noise beside an interval that excludes 0.
func TestVerdictAgreesWithTheInterval(t *testing.T) {
	c := Comparison{Differences: []Difference{
		{Set: "alone", Metric: "spearman", A: "a", B: "b", Difference: 0.1, Interval: eval.Between(0.01, 0.19), P: 0.03, Holm: 0.06},
		{Set: "below", Metric: "spearman", A: "a", B: "b", Difference: -0.1, Interval: eval.Between(-0.19, -0.01), P: 0.03, Holm: 0.06},
		{Set: "none", Metric: "spearman", A: "a", B: "b", Difference: 0.1, Interval: eval.Between(-0.01, 0.21), P: 0.08, Holm: 0.08},
	}}
	text, page := written(t, c.Markdown), written(t, c.HTML)
	for _, want := range []string{
		"higher on 0 and lower on 0. On 1 the difference is noise. On 2 the interval excludes 0, and the difference is not significant after Holm’s correction.",
		"| +0.010 … +0.190 | 0.030 | 0.060 | not significant after Holm |", "| −0.190 … −0.010 | 0.030 | 0.060 | not significant after Holm |", "| 0.080 | 0.080 | noise |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if !strings.Contains(page, "p after Holm 0.060, not significant after Holm") {
		t.Error("the page says something else")
	}
}

// Differences of WEAT have no p-value: they are neither noise nor more than noise.
func TestComparisonWithoutPValue(t *testing.T) {
	none := eval.Score(math.NaN())
	c := Comparison{Differences: []Difference{
		{Set: "flowers", Task: eval.TaskBias, Metric: "effect_size", A: "a", B: "b", ScoreA: 1, ScoreB: 1.5, Difference: 0.5, P: none, Holm: none, Items: 16},
	}}
	text, page := written(t, c.Markdown), written(t, c.HTML)
	for _, want := range []string{
		"Of 1 set, b scores higher on 0 and lower on 0. On 0 the difference is noise. On 1 the difference has no p-value.",
		"| flowers | effect\\_size | 16 | 1.000 | 1.500 | +0.500 | – | – | – | – |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("Markdown has no %q:\n%s", want, text)
		}
	}
	if !strings.Contains(page, "0.500, no p-value</title>") {
		t.Errorf("the page does not say that there is no p-value:\n%s", page)
	}
}

func TestPageOfAComparison(t *testing.T) {
	root := parse(t, written(t, sampleComparison().HTML))
	sections := root.all("section")
	if len(sections) != 3 || sections[0].all("h2")[0].text != "b against a|1" || sections[1].all("h2")[0].text != "c against a|1" {
		t.Fatalf("%d sections", len(sections))
	}
	figures := sections[0].all("figure")
	if len(figures) != 2 {
		t.Fatalf("%d forest plots, want one of correlations and one of accuracies", len(figures))
	}
	var rows []*element
	for _, div := range figures[0].all("div") {
		if div.has("row") && !div.has("axis") {
			rows = append(rows, div)
		}
	}
	if len(rows) != 2 || rows[0].has("noise") || !rows[1].has("noise") {
		t.Errorf("%d rows, of which the second should be noise", len(rows))
	}
	if got := rows[0].all("title")[0].text; got != "pairs: +0.100, 95 % interval 0.020 … 0.180, p after Holm 0.012, differs" {
		t.Errorf("the title of the first row is %q", got)
	}
	zero := 0
	for _, line := range rows[0].all("line") {
		if line.has("zero") {
			zero++
		}
	}
	if zero != 1 {
		t.Errorf("%d lines at zero", zero)
	}
	if got := sections[1].all("p")[0].text; !strings.Contains(got, "Of 1 set,") {
		t.Errorf("the verdict is %q", got)
	}
	parse(t, written(t, Comparison{}.HTML))
}

func TestShortNames(t *testing.T) {
	for _, test := range []struct{ paths, want []string }{
		{[]string{"/models/a.w2v", "b.w2v"}, []string{"a.w2v", "b.w2v"}},
		{[]string{"/models/a/x.w2v", "/models/b/x.w2v", "y.w2v"}, []string{"a/x.w2v", "b/x.w2v", "y.w2v"}},
		{[]string{"x.w2v", "./x.w2v"}, []string{"x.w2v", "./x.w2v"}},
		{[]string{`C:\models\a.w2v`, `C:\models\b.w2v`}, []string{"a.w2v", "b.w2v"}},
		{[]string{"a/x", `a\x`}, []string{"a/x", "a/x"}},
		{[]string{"x", "x"}, []string{"x", "x"}},
	} {
		short := shortNames(test.paths)
		for i, path := range test.paths {
			if short[path] != test.want[i] {
				t.Errorf("of %q: %s is called %s, want %s", test.paths, path, short[path], test.want[i])
			}
		}
	}
}
