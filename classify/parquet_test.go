package classify_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
)

// tableAsLines writes the golden table, which has three row groups, as lines of JSON.
func tableAsLines(t *testing.T) (table, lines string) {
	t.Helper()
	var out bytes.Buffer
	for i := range 300 {
		body := "null"
		if i%7 != 3 {
			body = fmt.Sprintf(`"the river %d runs past mill %d"`, i, i%5)
		}
		tokens := "null"
		switch i % 5 {
		case 0:
			tokens = "[]"
		case 1, 2, 3:
			tokens = fmt.Sprintf(`["a%d","b%d","sea"]`, i, i%4)
		}
		fmt.Fprintf(&out, "{\"id\":%d,\"body\":%s,\"tokens\":%s,\"kind\":\"k%d\",\"good\":%t}\n", i, body, tokens, i%3, i%2 == 0)
	}
	lines = filepath.Join(t.TempDir(), "table.jsonl")
	if err := os.WriteFile(lines, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join("..", "testdata", "parquet", "duckdb-v2.parquet"), lines
}

func rowsIn(t *testing.T, path string, f corpus.Fields) *corpus.Rows {
	t.Helper()
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return src.Rows(context.Background(), f)
}

// Parquet trains the model of lines of JSON with the same texts and labels: of texts and lists of texts, and labels that are
// texts, numbers, truth values and lists.
func TestParquetTrainsAsJSONLines(t *testing.T) {
	table, lines := tableAsLines(t)
	for _, test := range []struct{ text, label, inTable string }{
		{"body", "kind", "meta.kind"}, {"body,tokens", "good", "good"}, {"tokens", "id", "id"}, {"body", "tokens", "tokens"},
	} {
		var models [2][]byte
		for i, of := range []struct {
			path   string
			fields corpus.Fields
		}{
			{table, corpus.Fields{TextColumn: test.text, LabelColumn: test.inTable}},
			{lines, corpus.Fields{TextField: test.text, LabelField: test.label}},
		} {
			o := classify.Defaults()
			o.Fields, o.Dim, o.Buckets, o.Epochs, o.Threads = of.fields, 4, 500, 1, 1
			trained, err := classify.Train(context.Background(), classify.Files(nil, of.path), o, classify.Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			input := trained.Vectors.Input()
			models[i] = fmt.Appendf(nil, "%q %v", trained.Vectors.Labels().Names.Strings(), input.Data)
		}
		if !bytes.Equal(models[0], models[1]) || len(models[0]) < 100 {
			t.Errorf("%v: other models", test)
		}
	}
}

// What is predicted for rows of Parquet is what is predicted for lines of JSON, and all other columns stay.
func TestParquetIsPredictedAsJSONLines(t *testing.T) {
	table, lines := tableAsLines(t)
	o := classify.Defaults()
	o.Fields, o.Dim, o.Buckets, o.Threads, o.Epochs = corpus.Fields{TextColumn: "body", LabelColumn: "meta.kind"}, 4, 500, 1, 3
	trained, err := classify.Train(context.Background(), classify.Files(nil, table), o, classify.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := classify.New(trained.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	var second []float32 // probabilities, of which half reach the threshold
	err = m.Rows(context.Background(), rowsIn(t, lines, corpus.Fields{TextField: "body"}), 2, 0, func(_ *corpus.Row, line classify.Line) error {
		second = append(second, line.Best[1].Probability)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(second)
	threshold := second[len(second)/2]
	var want [2][]string
	err = m.Rows(context.Background(), rowsIn(t, lines, corpus.Fields{TextField: "body"}), 2, threshold, func(_ *corpus.Row, line classify.Line) error {
		for i := range want {
			label := ""
			if i < len(line.Best) {
				label = line.Best[i].Label
			}
			want[i] = append(want[i], label)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := m.WriteRows(context.Background(), out, rowsIn(t, table, corpus.Fields{TextColumn: "body"}), classify.Output{K: 2, Threshold: threshold, As: "best"}); err != nil {
		t.Fatal(err)
	}
	for i, column := range []string{"best", "best_2"} {
		var got []string
		n := 0
		for row, err := range rowsIn(t, path, corpus.Fields{TextColumn: column, LabelColumn: "id"}).All() {
			if err != nil {
				t.Fatal(err)
			}
			if row.Labels[0] != fmt.Sprint(n) || row.Line != uint64(n+1) {
				t.Fatalf("row %d is %q, on line %d", n, row.Labels, row.Line)
			}
			got = append(got, string(row.Text))
			n++
		}
		if !slices.Equal(got, want[i]) || len(got) != 300 {
			t.Errorf("%s: %d labels, want %d", column, len(got), len(want[i]))
		}
	}
	if labels := slices.Compact(slices.Sorted(slices.Values(want[1]))); len(labels) < 2 || labels[0] != "" {
		t.Errorf("the threshold leaves %q", labels)
	}
	for _, test := range []struct {
		path   string
		fields corpus.Fields
		as     string
		want   string
	}{
		{table, corpus.Fields{TextColumn: "body"}, "good", `the table has a column "good" already`},
		{table, corpus.Fields{TextColumn: "price"}, "", `column "price" has fractions, and no texts`},
		{table, corpus.Fields{TextColumn: "id"}, "", `column "id" has no texts`},
		{table, corpus.Fields{TextField: "body"}, "", `is a Parquet table, whose columns are id, body, `},
		{table, corpus.Fields{}, "", `is a Parquet table, whose columns are id, body, `},
		{filepath.Dir(table), corpus.Fields{TextColumn: "body"}, "", `is a Parquet table, and what is written is one table: take files one by one`},
	} {
		var out bytes.Buffer
		err := m.WriteRows(context.Background(), &out, rowsIn(t, test.path, test.fields), classify.Output{K: 1, As: test.as})
		if out.Len() > 0 {
			t.Errorf("%q is written before an error", out.Bytes())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.fields, err, test.want)
		}
	}
	// Tests read folders of tables, and the labels that were predicted are all right.
	tested, err := classify.Test{K: 1}.Rows(context.Background(), rowsIn(t, path, corpus.Fields{TextColumn: "body", LabelColumn: "best"}), m)
	if err != nil {
		t.Fatal(err)
	}
	predicted := len(slices.DeleteFunc(want[0], func(label string) bool { return label == "" }))
	if r := tested[0]; r.Texts != uint64(predicted) || r.Accuracy() != 1 {
		t.Errorf("%d texts, accuracy %v", r.Texts, r.Accuracy())
	}
}
