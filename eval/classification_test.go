package eval_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

func TestReadLabelled(t *testing.T) {
	want := []eval.LabelledText{{Label: "a", Text: "one two three four five"}, {Label: "b", Text: "six, seven eight nine ten"}}
	many := ""
	for range 9 {
		many += "a\tone two three four five\nb\tsix, seven eight nine ten\n"
	}
	for _, test := range []struct {
		name, text string
	}{
		{"fastText", "__label__a one two three four five\n\n__label__b\tsix, seven eight nine ten\n"},
		{"a header", "text\tlabel\none two three four five\ta\nsix, seven eight nine ten\tb\n"},
		{"CSV with a header", "Label,Text\na,one two three four five\nb,\"six, seven eight nine ten\"\n"},
		{"JSON", `{"text": "one two three four five", "label": "a"}` + "\n" + `{"label_text": "b", "text": "six, seven eight nine ten"}` + "\n"},
		{"columns", many},
	} {
		set, err := eval.ReadSet(strings.NewReader(test.text), "test", "")
		if err != nil || set.Task != eval.TaskClustering || len(set.Texts) < 2 || !slices.Equal(set.Texts[:2], want) {
			t.Errorf("%s: %+v, %v", test.name, set, err)
		}
	}
	for text, want := range map[string]string{
		"__label__a one\n__label__b\n":                                "test:2: want a text after the label \"b\"",
		"__label__a one\n__label__a __label__b two\n":                 "test:2: want one label, not \"__label__b\" too",
		"__label__a one\n__label__a x\n__label__ y\n":                 "test:3: want a label",
		"__label__a 1\n__label__a 2\n__label__a 3\n__label__b 4\nx y": "test:5: want __label__LABEL before the text, not \"x\"",
		"label\ttext\na\tone\nb\n":                                    "test:3: want a label and a text in columns",
		`{"text": 3, "label": "a"}`:                                   "test:1: want {\"text\"",
	} {
		if _, err := eval.ReadSet(strings.NewReader(text), "test", eval.TaskClustering); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestReadClassification(t *testing.T) {
	const lines = "__label__a one\n__label__b two\n"
	folder := write(t, map[string]string{
		"news.train.txt": lines + lines, "news.test.txt": lines, "alone.txt": lines,
		"other/train.tsv": "label\ttext\na\tone\n", "other/test.tsv": "label\ttext\nb\ttwo\n",
		"sts-train.tsv": "5\ta b c\td e f\n", "sts-test.tsv": "5\ta b c\td e f\n",
	})
	sets, skipped, err := eval.ReadSets([]string{folder}, eval.ReadOptions{})
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	var got []string
	for _, s := range sets {
		got = append(got, fmt.Sprintf("%s %s %d %d", s.Set.Name, s.Set.Task, len(s.Set.Training), len(s.Set.Texts)))
	}
	if want := []string{"alone clustering 0 2", "news.test classification 4 2", "test classification 1 1", "sts-test sentences 0 0", "sts-train sentences 0 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	both := []string{filepath.Join(folder, "news.train.txt"), filepath.Join(folder, "news.test.txt")}
	sets, skipped, err = eval.ReadSets(both, eval.ReadOptions{Task: eval.TaskClassification})
	if err != nil || len(sets) != 1 || len(sets[0].Set.Training) != 4 || len(skipped) != 1 || sets[0].Files[0].Path != both[1] {
		t.Errorf("%+v, %v, %v", sets, skipped, err)
	}
	sets, _, err = eval.ReadSets(both, eval.ReadOptions{Task: eval.TaskClustering})
	if err != nil || len(sets) != 2 || sets[0].Set.Task != eval.TaskClustering {
		t.Errorf("%+v, %v", sets, err)
	}
	if _, _, err := eval.ReadSets([]string{filepath.Join(folder, "alone.txt")}, eval.ReadOptions{Task: eval.TaskClassification}); err == nil || !strings.Contains(err.Error(), "NAME.train.EXT") {
		t.Error(err)
	}
}

// labelledWords are vectors of words in three directions, which tell labels apart, but those of noise.
func labelledWords() *vectors.Set {
	var words []string
	var rows [][]float32
	for i := range 60 {
		at := float64(i%3)*2*math.Pi/3 + 0.01*float64(i)
		words, rows = append(words, fmt.Sprintf("w%d", i)), append(rows, []float32{float32(3 * math.Cos(at)), float32(3 * math.Sin(at))})
	}
	return wordSet(words, rows...)
}

func labelledTexts(task eval.Task) eval.Set {
	set := eval.Set{Name: "texts", Task: task}
	for i := range 60 {
		text := eval.LabelledText{Label: fmt.Sprintf("label%d", i%3), Text: fmt.Sprintf("w%d nothing", i)}
		if i < 30 || task == eval.TaskClustering {
			set.Texts = append(set.Texts, text)
		} else {
			set.Training = append(set.Training, text)
		}
	}
	return set
}

func TestClassification(t *testing.T) {
	s, set := labelledWords(), labelledTexts(eval.TaskClassification)
	set.Texts = append(set.Texts, eval.LabelledText{Label: "label1", Text: "w0"}, eval.LabelledText{Label: "other", Text: "w1"}, eval.LabelledText{Label: "label2", Text: "nothing"})
	set.Training = append(set.Training, eval.LabelledText{Label: "label2", Text: "nothing"})
	r, err := eval.Evaluate(t.Context(), s, set, eval.Options{Resamples: 200})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Details.(eval.ClassificationResult)
	if c.Texts != 33 || c.Used != 32 || c.OOV != 1 || c.Training != 31 || c.Unknown != 1 || c.Untrained != 1 || c.Labels != 3 || c.Samples != eval.DefaultSamples || c.Repeats != eval.DefaultRepeats {
		t.Errorf("%+v", c)
	}
	// Of 32 texts 30 are right. label0 has 11 of which one is wrong, label1 has one more that is given.
	f1 := (2*10.0/(10+11) + 2*10.0/(11+11) + 1 + 0) / 4
	if math.Abs(float64(c.Accuracy)-30.0/32) > 1e-12 || math.Abs(float64(c.MacroF1)-f1) > 1e-12 || c.AccuracyDeviation > 1e-12 || !c.CI95.Known || !c.MacroF1CI95.Known {
		t.Errorf("accuracy %v, macro F1 %v (want %v), %+v", c.Accuracy, c.MacroF1, f1, c)
	}
	if r.Summary.Metric != "accuracy" || r.Summary.Score != c.Accuracy || len(r.Summary.Notes) < 2 {
		t.Errorf("%+v", r.Summary)
	}
	again, err := eval.Evaluate(t.Context(), s, set, eval.Options{Resamples: 200, Samples: -1})
	if c := again.Details.(eval.ClassificationResult); err != nil || c.Samples != 0 || c.Repeats != 1 || math.Abs(float64(c.Accuracy)-30.0/32) > 1e-12 {
		t.Errorf("of all: %+v, %v", c, err)
	}
	one := set
	one.Training = one.Training[:1]
	if r, err := eval.Evaluate(t.Context(), s, one, eval.Options{}); err != nil || r.Summary.Score.Defined() {
		t.Errorf("one label: %+v, %v", r.Summary, err)
	}
	if _, err := eval.Evaluate(t.Context(), s, set, eval.Options{SentenceMethod: eval.SentenceSIFSet}); err == nil {
		t.Error("sif-set is no error")
	}
}

func TestClusteringOfTexts(t *testing.T) {
	s, set := labelledWords(), labelledTexts(eval.TaskClustering)
	set.Texts = slices.Insert(set.Texts, 1, eval.LabelledText{Label: "label1", Text: "nothing"})
	r, err := eval.Evaluate(t.Context(), s, set, eval.Options{Resamples: 200})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Details.(eval.ClusteringResult)
	if c.Texts != 61 || c.Used != 60 || c.Labels != 3 || c.VMeasure != 1 || c.Purity != 1 || len(c.Clusters) != 61 || c.Clusters[1] != -1 || c.Clusters[0] != c.Clusters[4] || c.Clusters[0] == c.Clusters[2] || r.Summary.Metric != "v_measure" {
		t.Errorf("%+v", c)
	}
	for i := range set.Texts {
		set.Texts[i].Label = "same"
	}
	if r, err := eval.Evaluate(t.Context(), s, set, eval.Options{}); err != nil || r.Summary.Score.Defined() {
		t.Errorf("one label: %+v, %v", r.Summary, err)
	}
}

func TestCompareLabelled(t *testing.T) {
	for _, task := range []eval.Task{eval.TaskClassification, eval.TaskClustering} {
		set := labelledTexts(task)
		worse := labelledWords()
		input := worse.Input()
		for i := range worse.Len() { // every fourth word says nothing of its label
			if i%4 == 0 {
				copy(input.Row(i), input.Row((i+1)%60))
			}
		}
		var models []eval.Measured
		for _, m := range []*vectors.Set{labelledWords(), worse} {
			r, err := eval.Measure(t.Context(), m, eval.SetFile{Set: set}, eval.Options{Resamples: 100})
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, eval.Measured{Name: "m", Records: []eval.Record{r}})
		}
		all, err := eval.Compare(models, eval.CompareOptions{Resamples: 1000})
		if err != nil || len(all) != 1 || !all[0].PValue.Defined() || !all[0].Interval.Known || !(all[0].Difference < 0) {
			t.Errorf("%s: %+v, %v", task, all, err)
			continue
		}
		if c := all[0]; math.Abs(float64(c.Difference-(c.ScoreB-c.ScoreA))) > 1e-9 {
			t.Errorf("%s: %+v", task, c)
		}
	}
}

func FuzzReadLabelled(f *testing.F) {
	for _, text := range []string{"__label__a one\n", "text\tlabel\none\ta\n", `{"text": "one", "label": 3}`, "a\tone two three four\na\tone two three four\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "fuzz", eval.TaskClustering)
		if _, known := errors.AsType[*eval.ParseError](err); err != nil && !known {
			t.Fatalf("%T: %v", err, err)
		}
		for _, of := range set.Texts {
			if of.Label == "" || of.Text == "" {
				t.Fatalf("%q", of)
			}
		}
	})
}
