package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	want := strings.Join([]string{
		"model,set,task,kind,part,metric,score,low,high,items,used,composed,missing,model_sha256,set_sha256",
		"rivers.w2v,pairs,similarity,set,,spearman,0.5,-0.2,0.87654,5,4,1,1,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,convention,zero,spearman,0.4,,,5,5,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,band,1-1000,spearman,,,,1,,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,band,1001-5000,spearman,-0.5,,,2,,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,words,composed,spearman,0.25,,,1,,,,0a1b,9f8e",
		"rivers.w2v,questions,analogy,set,,accuracy,0.6666666666666666,0.4,0.9,1500,1200,0,0,0a1b,",
		"rivers.w2v,questions,analogy,part,mouths of rivers,accuracy,1,0.8,1,700,600,,,0a1b,",
		"rivers.w2v,questions,analogy,part,a|b,accuracy,0.25,,,800,600,,,0a1b,",
		"rivers.w2v,questions,analogy,part,mean rank,mrr,0.7,,,1500,1200,,,0a1b,",
		"rivers.w2v,nothing,similarity,set,,spearman,,,,3,0,0,2,0a1b,", "",
	}, "\r\n")
	if got := written(t, sampleEvaluation().CSV); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Names with commas, quotes and lines come back as they were.
func TestCSVReadsBack(t *testing.T) {
	e := sampleEvaluation()
	e.model = "a,b \"c\"\nd; =1+1"
	rows, err := csv.NewReader(strings.NewReader(written(t, e.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		if row[0] != e.model || len(row) != len(rows[0]) {
			t.Errorf("row %d is %q", i+1, row)
		}
	}
}

func TestMarkdown(t *testing.T) {
	want := `## Evaluation of rivers.w2v

| set | task | metric | score | 95 % interval | items | used | composed | missing words |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| pairs | similarity | spearman | 0.500 | −0.200 … 0.877 | 5 | 4 | 1 | 1 |
| questions | analogy | accuracy | 0.667 | 0.400 … 0.900 | 1,500 | 1,200 | 0 | 0 |
| nothing | similarity | spearman | – | – | 3 | 0 | 0 | 2 |

### pairs

| convention | score | 95 % interval | used |
| --- | ---: | ---: | ---: |
| missing pairs counted as zero | 0.400 | – | 5 |

| rank of the rarest word | items | score |
| --- | ---: | ---: |
| 1-1000 | 1 | – |
| 1001-5000 | 2 | −0.500 |

| items whose words are | items | score |
| --- | ---: | ---: |
| composed | 1 | 0.250 |

Words without vectors: &lt;script&gt;alert("x")&lt;/script&gt;\|\*a\*&amp;amp;\` + "`" + `

- set: SHA-256 9f8e

### questions

no &lt;b&gt;answers&lt;/b&gt;

| part | metric | score | 95 % interval | items | used |
| --- | --- | ---: | ---: | ---: | ---: |
| mouths of rivers | accuracy | 1.000 | 0.800 … 1.000 | 700 | 600 |
| a\|b | accuracy | 0.250 | – | 800 | 600 |
| mean rank | mrr | 0.700 | – | 1,500 | 1,200 |

- method: 3cosadd

### nothing

Words without vectors: x, y

### Rules

- model: SHA-256 0a1b
- case: as written, then in lower case
- restriction: all words
`
	if got := written(t, sampleEvaluation().Markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e := sampleEvaluation()
	e.ListMissing = false
	if got := written(t, e.Markdown); strings.Contains(got, "script") || strings.Contains(got, "### nothing") {
		t.Errorf("missing words are listed, and nobody asked for them:\n%s", got)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"a|b": `a\|b`, "_a_": `\_a\_`, "a\nb\t": "a b ", "[x](http://y)": `\[x\](http://y)`, `\`: `\\`, "<b>&": "&lt;b&gt;&amp;", "$x$": `\$x\$`, "naïve 日本": "naïve 日本",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

type full struct{ after int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWritersThatFail(t *testing.T) {
	e := sampleEvaluation()
	for name, write := range map[string]func(io.Writer) error{"CSV": e.CSV, "Markdown": e.Markdown, "HTML": e.HTML} {
		if err := write(&full{after: 10}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v, want %v", name, err, errFull)
		}
	}
}

// A report of nothing is a report.
func TestEmptyEvaluation(t *testing.T) {
	var e Evaluation
	if got := written(t, e.CSV); strings.Count(got, "\n") != 1 {
		t.Errorf("CSV: %q", got)
	}
	if got := written(t, e.Markdown); got != "## Evaluation\n\nThere are no sets.\n" {
		t.Errorf("Markdown: %q", got)
	}
	parse(t, written(t, e.HTML))
}

// rowsOf joins the cells of rows.
func rowsOf(t *testing.T, details []detail) []string {
	t.Helper()
	if len(details) != 1 {
		t.Fatalf("%d tables, want 1", len(details))
	}
	var rows []string
	for _, cells := range details[0].Rows {
		if len(cells) != len(details[0].Columns) {
			t.Errorf("%q has %d cells below %d headings", cells, len(cells), len(details[0].Columns))
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return rows
}

func TestDetails(t *testing.T) {
	list := eval.BiasList{Words: 8, Used: 7}
	none := eval.Score(math.NaN())
	for _, test := range []struct {
		name string
		of   []detail
		want []string
	}{
		{"wrong answers", answerDetails([]eval.Answered{
			{Section: "s", Words: [4]string{"a", "b", "c", "d"}, Used: true, Answer: "x"},
			{Section: "s", Words: [4]string{"a", "b", "c", "e"}, Used: true, Answer: "e", Correct: true},
			{Section: "s", Words: [4]string{"a", "b", "c", "f"}},
			{Section: "t", Words: [4]string{"a", "", "", "g/h"}, Used: true},
		}), []string{"a : b = c : ? | d | x | s", "a | g/h | – | t"}},
		{"clusters", clusterDetails([]eval.ClusteredWord{
			{Word: "rain", Category: "weather", Cluster: 1}, {Word: "saw", Category: "tools"}, {Word: "axe", Category: "tools"}, {Word: "snow", Category: "weather"},
		}), []string{"1 | 3 | 2 | tools: saw, axe; weather: snow", "2 | 1 | 1 | weather: rain"}},
		{"outliers", outlierDetails([]eval.OutlierTest{
			{Cluster: "c", Outlier: "o", Words: 8, Position: 3, Instead: "w"}, {Cluster: "c", Outlier: "p", Words: 8, Position: 8, Found: true},
		}), []string{"c | o | 3 of 8 | w"}},
		{"tests of bias", biasDetails([]eval.BiasTestResult{
			{Name: "flowers", EffectSize: 1.25, CI95: eval.Between(1, 1.5), P: 0, PWithTies: 0.014, Partitions: 70, Exact: true, X: list, Y: list, A: list, B: list},
			{Name: "tools", EffectSize: 0.1, P: 0.25, Partitions: 100000, X: list, Y: list, A: list, B: list},
			{Name: "lost", EffectSize: none, P: none, PWithTies: none, Refused: "X has no words"},
		}), []string{
			"flowers | 1.250 | 1.000 … 1.500 | < 0.014 | all 70 | 7 of 8, 7 of 8, 7 of 8, 7 of 8 | –",
			"tools | 0.100 | – | 0.25 | 100,000 | 7 of 8, 7 of 8, 7 of 8, 7 of 8 | –",
			"lost | – | – | – | 0 | 0 of 0, 0 of 0, 0 of 0, 0 of 0 | X has no words",
		}},
	} {
		if got := rowsOf(t, test.of); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	many := make([]eval.Answered, 50)
	for i := range many {
		many[i] = eval.Answered{Words: [4]string{"a", "b", "c", "d"}, Used: true}
	}
	if n := len(answerDetails(many)[0].Rows); n != wrongAnswers {
		t.Errorf("%d wrong answers are shown, want %d", n, wrongAnswers)
	}
}

// A p-value of 0 is a count of partitions, and no rounded number.
func TestPValuesOfParts(t *testing.T) {
	for p, want := range map[float64]string{0: "0", 0.0004: "< 0.001", 0.0123: "0.012", math.NaN(): "–"} {
		if got := printed(eval.Part{Metric: "p_value", Score: eval.Score(p)}); got != want {
			t.Errorf("%v is printed as %s, want %s", p, got, want)
		}
	}
}

// hostile is a word that would be markup in every form, if it were not escaped.
const hostile = `<script>alert("x")</script>|*a*&amp;` + "`"

// pair returns a judgement about two words.
// ranked sets the ranks of judgements, which have no equal numbers.
func ranked(all []eval.Judgement) []eval.Judgement {
	for i := range all {
		all[i].HumanRank, all[i].ModelRank = 1, 1
		for _, other := range all {
			if other.Human < all[i].Human {
				all[i].HumanRank++
			}
			if other.Model < all[i].Model {
				all[i].ModelRank++
			}
		}
	}
	return all
}

func pair(a, b string, human, model float64) eval.Judgement {
	return eval.Judgement{Item: eval.Item{Key: a + " " + b, Words: []string{a, b}}, Human: human, Model: model}
}

// sampleEvaluation has a set of pairs, one of questions in sections, and one of which nothing
// could be scored.
func sampleEvaluation() Evaluation {
	return Evaluation{
		model: "rivers.w2v", checksum: "0a1b", facts: []Fact{{"model", "SHA-256 0a1b"}, {"case", "as written, then in lower case"}, {"restriction", "all words"}},
		ListMissing: true,
		entries: []entry{
			{
				summary: eval.Summary{
					Set: "pairs", Task: eval.TaskSimilarity, Metric: "spearman", Score: 0.5, Interval: eval.Between(-0.2, 0.87654),
					Items: 5, Used: 4, Composed: 1, Missing: []string{hostile},
				},
				judgements: ranked([]eval.Judgement{
					pair("boat", "ship", 9, 0.25), pair("river", "stone", 2.5, 0.75),
					pair("ferry", "bridge", 5, 0.5), pair(hostile, "stream", 1, -0.125),
				}),
				checksum: "9f8e",
				bands:    []eval.Band{{Name: "1-1000", Items: 1, Score: eval.Score(math.NaN())}, {Name: "1001-5000", Items: 2, Score: -0.5}},
				byWords:  []eval.Band{{Name: "composed", Items: 1, Score: 0.25}},
				scores:   []scored{{"zero", "missing pairs counted as zero", eval.Convention{Score: 0.4, Used: 5}}},
			},
			{
				summary: eval.Summary{
					Set: "questions", Task: eval.TaskAnalogy, Metric: "accuracy", Score: 2. / 3, Interval: eval.Between(0.4, 0.9), Items: 1500, Used: 1200,
					Parts: []eval.Part{
						{Name: "mouths of rivers", Metric: "accuracy", Score: 1, Interval: eval.Between(0.8, 1), Items: 700, Used: 600},
						{Name: "a|b", Metric: "accuracy", Score: 0.25, Items: 800, Used: 600},
						{Name: "mean rank", Metric: "mrr", Score: 0.7, Items: 1500, Used: 1200},
					},
					Notes: []string{"no <b>answers</b>"},
				},
				facts: []Fact{{"method", "3cosadd"}},
			},
			{summary: eval.Summary{Set: "nothing", Task: eval.TaskSimilarity, Metric: "spearman", Score: eval.Score(math.NaN()), Items: 3, Missing: []string{"x", "y"}}},
		},
	}
}

// crowded is an evaluation with many sets and many pairs.
func crowded() Evaluation {
	e := Evaluation{model: "crowd"}
	for s := range 12 {
		var all []eval.Judgement
		for i := range 400 {
			human, model := float64(i)/40, float64((i*37+s*11)%400)/400
			all = append(all, pair(fmt.Sprintf("left%d", i), fmt.Sprintf("right%d", i), human, model))
		}
		e.entries = append(e.entries, entry{judgements: ranked(all), summary: eval.Summary{
			Set: fmt.Sprintf("set%d", s), Task: eval.TaskSimilarity, Metric: "spearman",
			Score: eval.Score(float64(s)/12 - 0.1), Interval: eval.Between(float64(s)/12-0.2, float64(s)/12), Items: 400, Used: 400,
		}})
	}
	return e
}
