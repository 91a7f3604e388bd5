package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// A Detail is a table that only sets of one task have.
type Detail struct {
	Title   string
	Columns []string
	Rows    [][]string
	// Long tables are folded up on a page, and are not in Markdown.
	Long bool
}

func (d Detail) columns() []column {
	columns := make([]column, len(d.Columns))
	for i, name := range d.Columns {
		columns[i].Name = name
	}
	return columns
}

func (d Detail) block() block {
	b := newTable(d.Title, d.columns(), d.Rows)
	if b.Table != nil {
		b.Table.Folded = d.Long
	}
	return b
}

// wrongAnswers is how many questions of a section are shown of those that are answered wrongly.
const wrongAnswers = 10

// detailsOf returns what a result has beyond its scores.
func detailsOf(r eval.Result) []Detail {
	if asked, ok := r.(interface{ Answers() []eval.Answered }); ok {
		return answerDetails(asked.Answers())
	}
	switch r := r.(type) {
	case eval.CategoryResult:
		return clusterDetails(r.Clusters)
	case eval.OutlierResult:
		return outlierDetails(r.Detections)
	case eval.BiasResult:
		return biasDetails(r.Tests)
	}
	return nil
}

// answerDetails shows the first questions of each section whose answers are wrong.
func answerDetails(all []eval.Answered) []Detail {
	d := Detail{Title: fmt.Sprintf("Wrong answers, the first %d of each section", wrongAnswers), Columns: []string{"question", "right", "answer", "section"}, Long: true}
	shown := map[string]int{}
	for _, a := range all {
		if !a.Used || a.Correct || shown[a.Section] == wrongAnswers {
			continue
		}
		shown[a.Section]++
		question := fmt.Sprintf("%s : %s = %s : ?", a.Words[0], a.Words[1], a.Words[2])
		if a.Words[1] == "" {
			question = a.Words[0] + a.Words[2]
		}
		d.Rows = append(d.Rows, []string{question, a.Words[3], cmp.Or(a.Answer, absent), a.Section})
	}
	return []Detail{d}
}

// clusterDetails has a row for each cluster, with its words by category, the largest first.
func clusterDetails(all []eval.ClusteredWord) []Detail {
	d := Detail{Title: "Clusters and the categories of their words", Columns: []string{"cluster", "words", "of the largest category"}, Long: true}
	d.Columns = append(d.Columns, "categories")
	clusters := map[int]map[string][]string{}
	for _, w := range all {
		if clusters[w.Cluster] == nil {
			clusters[w.Cluster] = map[string][]string{}
		}
		clusters[w.Cluster][w.Category] = append(clusters[w.Cluster][w.Category], w.Word)
	}
	for i := range len(clusters) {
		var names, texts []string
		words := 0
		for name, of := range clusters[i] {
			names = append(names, name)
			words += len(of)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(clusters[i][b]), len(clusters[i][a])), strings.Compare(a, b))
		})
		for _, name := range names {
			texts = append(texts, fmt.Sprintf("%s: %s", name, strings.Join(clusters[i][name], ", ")))
		}
		if words > 0 {
			d.Rows = append(d.Rows, []string{fmt.Sprint(i + 1), wording.Thousands(words), wording.Thousands(len(clusters[i][names[0]])), strings.Join(texts, "; ")})
		}
	}
	return []Detail{d}
}

// outlierDetails has a row for each outlier that is not found.
func outlierDetails(all []eval.OutlierTest) []Detail {
	d := Detail{Title: "Outliers that are not found", Columns: []string{"cluster", "outlier", "position", "taken for it"}, Long: true}
	for _, t := range all {
		if !t.Found {
			d.Rows = append(d.Rows, []string{t.Cluster, t.Outlier, fmt.Sprintf("%d of %d", t.Position, t.Words), t.Instead})
		}
	}
	return []Detail{d}
}

// biasDetails has a row for each test with its p-value and the words that it has lost.
func biasDetails(all []eval.BiasTestResult) []Detail {
	d := Detail{Title: "Tests", Columns: []string{"test", "effect size", "95 % interval", "p", "partitions", "words of X, Y, A, B", "refused because"}}
	for _, t := range all {
		var words []string
		for _, list := range []eval.BiasList{t.X, t.Y, t.A, t.B} {
			words = append(words, fmt.Sprintf("%d of %d", list.Used, list.Words))
		}
		partitions := wording.Thousands(t.Partitions)
		if t.Exact {
			partitions = "all " + partitions
		}
		p := probability(float64(t.P))
		if t.P == 0 { // no partition is larger; few partitions cannot say more than this
			p = "< " + strings.TrimPrefix(probability(float64(t.PWithTies)), "< ")
		}
		d.Rows = append(d.Rows, []string{
			t.Name, decimals(float64(t.EffectSize)), span(t.CI95), p, partitions, strings.Join(words, ", "), cmp.Or(t.Refused, absent),
		})
	}
	return []Detail{d}
}
