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
	pairs, err := eval.ReadPairs(strings.NewReader("north south 1\nnorth east 5\neast west 2\nup down 3\n"), "pairs")
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
	record.Result = nil
	var short strings.Builder
	if err := report.NewEvaluation("compass", []eval.Record{record}).HTML(&short); err != nil || strings.Contains(short.String(), "north – south") {
		t.Errorf("a page of a record without its result: %v", err)
	}
}
