package report

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
)

func classified(t *testing.T, models int) Classification {
	t.Helper()
	var opened []*classify.Model
	var names []string
	for _, name := range []string{"class-hs.bin", "class-ova.bin"}[:models] {
		m, err := classify.Open("../../testdata/fasttext/" + name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		opened, names = append(opened, m), append(names, name)
	}
	text := strings.Repeat("__label__other the boat\n__label__bread bread of the baker\n__label__<sea> boat\n__label__seventh the boat\n", 5)
	rows := corpus.Stream("texts", strings.NewReader(text), corpus.Options{}).Rows(t.Context(), corpus.Fields{})
	results, err := classify.Test{K: 1}.Rows(t.Context(), rows, opened...)
	if err != nil {
		t.Fatal(err)
	}
	var all []Classifier
	for i, r := range results {
		all = append(all, Classifier{Name: names[i], Result: r, Metrics: r.Bootstrap(100, 1)})
	}
	differences, err := labels.Compare("texts", names, results, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	return NewClassification(all, differences, []Fact{{"seed", "1"}})
}

func TestClassificationPage(t *testing.T) {
	for models := 1; models <= 2; models++ {
		var page strings.Builder
		if err := classified(t, models).HTML(&page); err != nil {
			t.Fatal(err)
		}
		root := parse(t, page.String())
		cells, points := 0, 0
		for _, e := range root.all("rect") {
			if e.has("right") || e.has("wrong") {
				cells++
			}
		}
		for _, e := range root.all("circle") {
			if e.has("point") {
				points++
			}
		}
		if cells != 9*models || points < models {
			t.Errorf("%d models: %d cells, %d points", models, cells, points)
		}
		if !strings.Contains(page.String(), "__label__&lt;sea&gt;") {
			t.Error("the page does not have the label that the model does not know")
		}
	}
}

func TestClassificationForms(t *testing.T) {
	c := classified(t, 2)
	var text, table strings.Builder
	if err := c.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### class-ova.bin against class-hs.bin", "| accuracy | 0.333 |", `| \_\_label\_\_&lt;sea&gt; | 5 |`, "- seed: 1"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\nlacks %s", text.String(), want)
		}
	}
	if err := c.CSV(&table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, row := range rows[1:] {
		kinds[row[1]]++
	}
	if kinds["metric"] != 12 || kinds["label"] != 18 || kinds["unknown"] != 2 || kinds["difference"] < 4 || kinds["confusion"] == 0 || kinds["probability"] == 0 {
		t.Errorf("%v", kinds)
	}
}
