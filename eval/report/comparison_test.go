package report

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

func sampleComparison() Comparison {
	none := eval.Score(math.NaN())
	return Comparison{
		facts: []Fact{{"vocabulary", "words of all models"}},
		differences: []eval.Comparison{
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "b", ScoreA: 0.4, ScoreB: 0.5, Difference: 0.1, Interval: eval.Between(0.02, 0.18), PValue: 0.004, HolmPValue: 0.012, Differs: true, Items: 300},
			{Set: "more pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "b", ScoreA: 0.5, ScoreB: 0.45, Difference: -0.05, Interval: eval.Between(-0.15, 0.05), PValue: 0.3, HolmPValue: 0.6, Items: 50},
			{Set: hostile, Task: eval.TaskAnalogy, Metric: "accuracy", A: "a|1", B: "b", ScoreA: 0.5, ScoreB: 0.25, Difference: -0.25, Interval: eval.Between(-0.3, -0.2), PValue: 0.0001, HolmPValue: 0.0003, Differs: true, Items: 4000},
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", A: "a|1", B: "c", ScoreA: none, ScoreB: none, Difference: none, PValue: none, HolmPValue: none},
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
	c.differences = c.differences[:2]
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
	c := Comparison{differences: []eval.Comparison{
		{Set: "alone", Metric: "spearman", A: "a", B: "b", Difference: 0.1, Interval: eval.Between(0.01, 0.19), PValue: 0.03, HolmPValue: 0.06},
		{Set: "below", Metric: "spearman", A: "a", B: "b", Difference: -0.1, Interval: eval.Between(-0.19, -0.01), PValue: 0.03, HolmPValue: 0.06},
		{Set: "none", Metric: "spearman", A: "a", B: "b", Difference: 0.1, Interval: eval.Between(-0.01, 0.21), PValue: 0.08, HolmPValue: 0.08},
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
	c := Comparison{differences: []eval.Comparison{
		{Set: "flowers", Task: eval.TaskBias, Metric: "effect_size", A: "a", B: "b", ScoreA: 1, ScoreB: 1.5, Difference: 0.5, PValue: none, HolmPValue: none, Items: 16},
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

func TestNumbersForPeople(t *testing.T) {
	for x, want := range map[float64]string{0: "0.000", -0.0001: "0.000", 0.12345: "0.123", -0.5: "−0.500", 1: "1.000", math.NaN(): "–", math.Inf(1): "–"} {
		if got := decimals(x); got != want {
			t.Errorf("decimals(%v) = %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0.000", 0.00001: "0.000", 0.25: "+0.250", -0.25: "−0.250", math.NaN(): "–"} {
		if got := signed(x); got != want {
			t.Errorf("signed(%v) = %s, want %s", x, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("wording.Thousands(%d) = %s, want %s", n, got, want)
		}
	}
	for p, want := range map[float64]string{0.00005: "< 0.001", 0.0123: "0.012", 0.0504: "0.050", 0.5: "0.50", 1: "1.00", math.NaN(): "–"} {
		if got := probability(p); got != want {
			t.Errorf("probability(%v) = %s, want %s", p, got, want)
		}
	}
	for i, want := range map[eval.Interval]string{{}: "–", eval.Between(-0.1, 0.25): "−0.100 … 0.250", eval.Between(math.NaN(), 1): "–", eval.Between(0, 0): "0.000 … 0.000"} {
		if got := span(i); got != want {
			t.Errorf("span(%v) = %s, want %s", i, got, want)
		}
	}
	for x, want := range map[float64]string{2: "2", 2.5: "2.5", 1000000.5: "1000000.5", 1.0 / 3: "0.333", -1: "−1"} {
		if got := short(x); got != want {
			t.Errorf("short(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   []string // the ticks
	}{
		{[]float64{0, 1}, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{-0.15, 1}, []string{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{0, 10}, []string{"0", "2", "4", "6", "8", "10"}},
		{[]float64{0.3, 0.3}, []string{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8"}},
		{nil, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{math.NaN(), -120, 250}, []string{"−200", "−100", "0", "100", "200", "300"}},
	} {
		a := newAxis(7, test.values...)
		ticks := a.ticks(a.at)
		var got []string
		for _, tick := range ticks {
			got = append(got, tick.Label)
			if zero := tick.Label == "0" || tick.Label == "0.0"; zero != tick.Zero {
				t.Errorf("axis of %v: tick %s has Zero %t", test.values, tick.Label, tick.Zero)
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("axis of %v has the ticks %q, want %q", test.values, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("axis of %v has the ticks %q, want %q", test.values, got, test.want)
				break
			}
		}
		if ticks[0].At != "0.00%" || ticks[len(ticks)-1].At != "100.00%" {
			t.Errorf("axis of %v: the ticks go from %s to %s", test.values, ticks[0].At, ticks[len(ticks)-1].At)
		}
		for _, v := range test.values {
			if v < a.low || v > a.high {
				t.Errorf("axis of %v goes from %v to %v", test.values, a.low, a.high)
			}
		}
	}
}

// No label covers another one or a marked point, and all are in the field.
func TestLabelsKeepApart(t *testing.T) {
	var r room
	placed := 0
	for i := range 20 {
		r.dot(float64(i)/40, float64(i%7)/20)
	}
	for i := range 20 {
		if l := r.beside(float64(i)/40, float64(i%7)/20, "left – right"); l.Anchor != "" {
			placed++
		}
	}
	for i, a := range r.boxes[20:] {
		for _, b := range r.boxes[:20+i] {
			if a.overlaps(b) {
				t.Errorf("label %v covers %v", a, b)
			}
		}
		if a.left < 0 || a.right > fieldWidth {
			t.Errorf("label %v is outside", a)
		}
	}
	if placed < 5 {
		t.Errorf("%d of 20 points have labels", placed)
	}
}

func TestSpelledOut(t *testing.T) {
	for _, test := range []struct {
		of   any
		want string
	}{
		{nil, ""},
		{struct{}{}, ""},
		{struct {
			Method string  `json:"method"`
			Lost   float64 `json:"max_lost"`
			Strict bool    `json:"strict"`
			Few    []int   `json:"few"`
		}{`k-means "<++>"`, 0.2, false, []int{1, 2}}, `method k-means "<++>"; max_lost 0.2; strict false; few [1,2]`},
		{map[string]int{"abtt": 2}, "abtt 2"},
		{"as they are", `"as they are"`},
		{func() {}, ""},
	} {
		if got := spelledOut(test.of); got != test.want {
			t.Errorf("spelledOut(%v) = %s, want %s", test.of, got, test.want)
		}
	}
}

func sampleRuns() Runs {
	return Runs{
		models: []string{"seed|1", "seed2", "seed3"},
		facts:  []Fact{{"restriction", "all words"}},
		sets: []eval.RunScores{
			{Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", Scores: []eval.Score{0.5, 0.6, 0.7}, Mean: 0.6, Deviation: 0.1, Interval: eval.Between(0.55, 0.65)},
			{Set: hostile, Task: eval.TaskAnalogy, Metric: "accuracy", Scores: []eval.Score{0.25, eval.Score(math.NaN()), 0.25}, Mean: 0.25, Deviation: 0},
		},
	}
}

func TestRunsAsCSV(t *testing.T) {
	r := sampleRuns()
	r.sets = r.sets[:1]
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
	r.sets = r.sets[:1]
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
