package report_test

import (
	"context"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
)

// What eval.Compare finds is in every form, with the rules and the checksums of the models.
func TestReportOfAComparison(t *testing.T) {
	pairs, err := eval.ReadPairs(strings.NewReader("north south 1\nnorth east 5\neast west 2\nsouth west 3\n"), "pairs")
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
	pairs, err := eval.ReadPairs(strings.NewReader("north south 1\nnorth east 5\neast west 2\nsouth west 3\n"), "pairs")
	if err != nil {
		t.Fatal(err)
	}
	var models []eval.Measured
	for _, name := range []string{"one.w2v", "two.w2v"} {
		record, err := eval.Measure(context.Background(), directions(t), eval.SetFile{Set: pairs}, eval.Options{Rules: eval.Rules{Resamples: -1}})
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
