package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

// rowsOf joins the cells of rows.
func rowsOf(t *testing.T, details []Detail) []string {
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
		of   []Detail
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
