package report_test

import (
	"context"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/vectors"
)

// What eval.Compare finds is in every form, with the rules and the checksums of the models.
func TestReportOfAComparison(t *testing.T) {
	pairs, err := eval.ReadSet(strings.NewReader("north south 1\nnorth east 5\neast west 2\nsouth west 3\n"), "pairs", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	var models []eval.Measured
	for _, name := range []string{"old/compass.w2v", "new/compass.w2v"} {
		record, err := eval.Measure(context.Background(), directions(t), eval.SetFile{Set: pairs}, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		record.ModelFile.SHA256 = name[:3] + "0123"
		models = append(models, eval.Measured{Name: name, Records: []eval.Record{record}})
	}
	all, err := eval.Compare(models, eval.CompareOptions{Resamples: 100})
	if err != nil {
		t.Fatal(err)
	}
	c := report.NewComparison(models, all)
	var text, table, page strings.Builder
	for _, err := range []error{c.Markdown(&text), c.CSV(&table), c.HTML(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"### new/compass.w2v against old/compass.w2v", "- items: those that both models can score", "100 resamples", "- old/compass.w2v: SHA-256 old0123", "- new/compass.w2v: SHA-256 new0123", "| 0.000 |", "| noise |",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("Markdown has no %q:\n%s", want, text.String())
		}
	}
	if want := "\r\npairs,similarity,spearman,old/compass.w2v,new/compass.w2v,"; !strings.Contains(table.String(), want) {
		t.Errorf("CSV has no %q:\n%s", want, table.String())
	}
	if want := "old/compass.w2v is higher"; !strings.Contains(page.String(), want) {
		t.Errorf("the page has no %q", want)
	}
}

// What eval.Runs finds is in every form, with the checksum of each model.
func TestReportOfRuns(t *testing.T) {
	pairs, err := eval.ReadSet(strings.NewReader("north south 1\nnorth east 5\neast west 2\nsouth west 3\n"), "pairs", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	var models []eval.Measured
	for _, name := range []string{"one.w2v", "two.w2v"} {
		record, err := eval.Measure(context.Background(), directions(t), eval.SetFile{Set: pairs}, eval.Options{Resamples: -1})
		if err != nil {
			t.Fatal(err)
		}
		record.ModelFile.SHA256 = name[:3] + "0123"
		models = append(models, eval.Measured{Name: name, Records: []eval.Record{record}})
	}
	all, err := eval.Runs(models)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.NewRuns(models, all).Markdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Scores of 2 runs", "| pairs | similarity | spearman |", "| two.w2v |", "Student", "- one.w2v: SHA-256 one0123", "- two.w2v: SHA-256 two0123"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("Markdown has no %q:\n%s", want, text.String())
		}
	}
}

// directions is a set of four words.
func directions(t *testing.T) *vectors.Set {
	t.Helper()
	m := vectors.NewMatrix(4, 2)
	for i, row := range [][]float32{{0, 1}, {1, 0}, {0, -2}, {-3, 0}} {
		copy(m.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("north", "east", "south", "west"), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What eval.Measure records is in every form.
func TestReportOfARecord(t *testing.T) {
	pairs, err := eval.ReadSet(strings.NewReader("north south 1\nnorth east 5\neast west 2\nup down 3\n"), "pairs", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	record, err := eval.Measure(context.Background(), directions(t), eval.SetFile{Set: pairs}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := report.NewEvaluation("compass", []eval.Record{record})
	var text, table, page strings.Builder
	for _, err := range []error{e.Markdown(&text), e.CSV(&table), e.HTML(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, row := range rows[1:] {
		kinds[row[3]]++
	}
	if kinds["set"] != 1 || kinds["part"] == 0 || kinds["convention"] != 2 || kinds["band"] == 0 || kinds["words"] != 3 {
		t.Errorf("the rows of CSV are of the kinds %v", kinds)
	}
	if want := "| pairs | similarity | spearman | 0.866 |"; !strings.Contains(text.String(), want) {
		t.Errorf("Markdown has no %q:\n%s", want, text.String())
	}
	for _, want := range []string{"north – south: human 1 (rank 1 of 3), cosine −1.000 (rank 1.5)", "2 words without vectors", "<bdi>down</bdi>", "in the vocabulary"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}

	// Without the result, as from JSON, there is less to show.
	record.Result = eval.Result{}
	var short strings.Builder
	if err := report.NewEvaluation("compass", []eval.Record{record}).HTML(&short); err != nil || strings.Contains(short.String(), "north – south") {
		t.Errorf("a page of a record without its result: %v", err)
	}
}
