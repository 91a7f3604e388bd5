package classify_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

const golden = "../testdata/fasttext/"

var classifiers = strings.Fields("supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz")

func open(t testing.TB, name string) *classify.Model {
	t.Helper()
	m, err := classify.Open(golden + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// A text is predicted as the same line, however lines arrive.
func TestTextsAndLines(t *testing.T) {
	text, err := os.ReadFile(golden + "labelled.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range classifiers {
		m := open(t, name)
		for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text)), iotest.DataErrReader(bytes.NewReader(text))} {
			var lines []classify.Line
			err := m.Lines(t.Context(), r, 2, 0, func(line classify.Line) error {
				lines = append(lines, line)
				return nil
			})
			if err != nil || len(lines) != bytes.Count(text, []byte{'\n'}) {
				t.Fatalf("%s: %v, %d lines", name, err, len(lines))
			}
			for i, line := range slices.Collect(strings.Lines(string(text))) {
				best, err := m.Predict(line, 2, 0)
				if err != nil || !slices.Equal(best, lines[i].Best) {
					t.Errorf("%s: %q: %v, %v, in a stream %v", name, line, err, best, lines[i].Best)
				}
			}
		}
	}
}

// A failing reader, a failing writer and a cancelled context end a stream, and nothing hangs.
func TestStreamsThatFail(t *testing.T) {
	m := open(t, "class-hs.bin")
	broken := errors.New("broken")
	line := strings.Repeat("bread\n", 100_000)
	format := func(out []byte, _ classify.Line) []byte { return append(out, 'x') }
	if err := m.Write(t.Context(), io.Discard, io.MultiReader(strings.NewReader(line), iotest.ErrReader(broken)), 1, 0, format); !errors.Is(err, broken) {
		t.Errorf("a reader: %v", err)
	}
	if err := m.Lines(t.Context(), strings.NewReader(line), 1, 0, func(classify.Line) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a function: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Write(ctx, io.Discard, strings.NewReader(line), 1, 0, format); !errors.Is(err, context.Canceled) {
		t.Errorf("a context: %v", err)
	}
}

// What speaks for labels adds up to scores that give their probabilities.
func TestExplanationsAddUp(t *testing.T) {
	const text = "the baker 's bread is old"
	for _, name := range classifiers {
		m := open(t, name)
		all, err := m.Predict(text, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		scores := map[string]float64{}
		for _, label := range m.Labels() {
			e, err := m.Explain(text, label)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for _, part := range e.Parts {
				sum += part.Score
			}
			if math.Abs(sum-e.Score) > 1e-9 {
				t.Errorf("%s, %s: parts sum to %v, not %v", name, label, sum, e.Score)
			}
			scores[label] = e.Score
		}
		first, last := all[0], all[min(1, len(all)-1)]
		got, tolerance := math.Exp(scores[first.Label]-scores[last.Label]), 1e-3
		want := float64(first.Probability-1e-5) / float64(last.Probability-1e-5)
		switch {
		case strings.Contains(name, "-ova"), strings.Contains(name, "-ns"): // a table of logistic functions has 32 steps from one whole number to the next
			got, want, tolerance = 1/(1+math.Exp(-scores[first.Label])), float64(first.Probability), 1./128
		case strings.Contains(name, "-hs"): // "other" is the most frequent label, alone on its side of the root
			got, want = 1/(1+math.Exp(-scores["__label__other"])), 0
			for _, of := range all {
				if of.Label == "__label__other" {
					want = float64(of.Probability)
				}
			}
		}
		if math.Abs(got-want) > tolerance*max(1, want) {
			t.Errorf("%s: scores %v make %v, want %v of %v", name, scores, got, want, all)
		}
	}
	m := open(t, "class-ns.bin")
	if _, err := m.Explain("qqq", ""); err != nil {
		t.Errorf("a text of an unknown word, which ends: %v", err)
	}
	if _, err := m.Explain("bread", "sea"); !errors.Is(err, classify.ErrUnknownLabel) {
		t.Errorf("an unknown label: %v", err)
	}
}

// The scores of words and n-grams without a text are those of texts of nothing else.
func TestExplainedLabels(t *testing.T) {
	for _, name := range []string{"class-hs.bin", "class-ova.bin"} {
		m := open(t, name)
		for _, label := range m.Labels() {
			all, err := m.ExplainLabel(t.Context(), label, 1000)
			if err != nil {
				t.Fatal(err)
			}
			words := 0
			for i, part := range all.Parts {
				if i > 0 && part.Kind == all.Parts[i-1].Kind && part.Score > all.Parts[i-1].Score {
					t.Errorf("%s: %v behind %v", name, part, all.Parts[i-1])
				}
				if part.Kind != classify.PartWord || part.Text == "</s>" {
					continue
				}
				words++
				of, err := m.Explain(part.Text, label)
				if err != nil {
					t.Fatal(err)
				}
				got, n := 0.0, 0.0
				for _, p := range of.Parts {
					if p.Text == "</s>" || p.Kind == classify.PartRun || p.Of == "</s>" {
						continue
					}
					got += p.Score
				}
				if got == 0 {
					continue
				}
				if n = got / part.Score; n <= 0 || n > 1 {
					t.Errorf("%s: %q has the score %v, and %v in a text with other rows", name, part.Text, part.Score, got)
				}
			}
			few, err := m.ExplainLabel(t.Context(), label, 3)
			if err != nil || words == 0 || len(few.Parts) > 12 || few.Parts[0] != all.Parts[0] || few.Parts[len(few.Parts)-1] != all.Parts[len(all.Parts)-1] {
				t.Errorf("%s: %v of %v, %v", name, few, all, err)
			}
		}
	}
	if _, err := open(t, "class-hs.bin").ExplainLabel(t.Context(), "sea", 1); !errors.Is(err, classify.ErrUnknownLabel) {
		t.Error(err)
	}
}

// A model cuts texts as it records, and leaves labels alone.
func TestTextsAreCutAsRecorded(t *testing.T) {
	set, err := format.Open(golden + "class-ova.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	training := set.Training()
	training.Set("lowercase", true)
	m, err := classify.New(set.WithTraining(training))
	if err != nil {
		t.Fatal(err)
	}
	plain := open(t, "class-ova.bin")
	for _, text := range []string{"The BREAD of the Baker", "the bread", ""} {
		want, err := plain.Predict(strings.ToLower(text), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Predict(text, 0, 0); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, err, got, want)
		}
	}
	r, err := classify.Test{K: 1}.Lines(t.Context(), m, strings.NewReader("__label__bread BREAD\n__label__OTHER bread\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Texts != 1 || r.LeftOut() != 1 {
		t.Errorf("%d texts and %d left out", r.Texts, r.LeftOut())
	}
}

func TestSetsWithoutLabels(t *testing.T) {
	for _, name := range []string{"skipgram.bin", "words.vec"} {
		if _, err := classify.Open(golden + name); !errors.Is(err, classify.ErrNoLabels) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := classify.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Numbers that are not finite end a prediction; other damage is refused when the model is opened.
func TestModelsThatCannotPredict(t *testing.T) {
	set, err := format.Open(golden + "class-ova.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for name, change := range map[string]func(p *vectors.Parts, l *vectors.Labels){
		"nan": func(_ *vectors.Parts, l *vectors.Labels) {
			nan := float32(math.NaN())
			l.Rows = vectors.Matrix{Data: slices.Repeat([]float32{nan}, l.Rows.Rows*l.Rows.Cols), Rows: l.Rows.Rows, Cols: l.Rows.Cols, Stride: l.Rows.Cols}
		},
		"loss":   func(p *vectors.Parts, _ *vectors.Labels) { p.Training.Set("loss", "margin") },
		"counts": func(_ *vectors.Parts, l *vectors.Labels) { l.Nodes, l.Counts = true, nil },
		"many":   func(_ *vectors.Parts, l *vectors.Labels) { l.Nodes, l.Counts = true, []uint64{1e15, 2, 1} },
	} {
		p := set.Parts()
		l := *p.Labels
		p.Labels = &l
		change(&p, &l)
		s, err := vectors.New(p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := classify.New(s)
		if err == nil {
			_, err = m.Predict("bread", 1, 0)
		}
		if nan := errors.Is(err, classify.ErrNaN); err == nil || nan != (name == "nan") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Metrics of a few outcomes, worked out by hand.
func TestResults(t *testing.T) {
	m := open(t, "class-hs.bin") // predicts "other" for these
	text := "__label__other the boat\n__label__other __label__bread the boat\n__label__seventh the boat\nthe boat\n"
	r, err := classify.Test{K: 1}.Lines(t.Context(), m, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.Texts != 3 || r.LeftOut() != 1 || r.Precision() != 2./3 || r.Recall() != 2./4 || r.F1() != 4./7 || r.Accuracy() != 2./3 {
		t.Errorf("%+v", r)
	}
	// F1 of other: 2·2/(2+3); of bread and of seventh 0.
	if got := r.MacroF1(); math.Abs(got-0.8/3) > 1e-12 {
		t.Errorf("macro F1 %v", got)
	}
	best, err := m.Predict("the boat", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.CalibrationError(), math.Abs(float64(best[0].Probability)-2./3); math.Abs(got-want) > 1e-6 {
		t.Errorf("calibration error %v, want %v", got, want)
	}
}

// tested tests models on the same lines.
func tested(t *testing.T, text string, names ...string) []*labels.Result {
	t.Helper()
	var models []*classify.Model
	for _, name := range names {
		models = append(models, open(t, name))
	}
	rows := corpus.Stream("texts", strings.NewReader(text), corpus.Options{}).Rows(t.Context(), corpus.Fields{})
	results, err := classify.Test{K: 1}.Rows(t.Context(), rows, models...)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// The AUC goes by all probabilities, and changes nothing else.
func TestAreas(t *testing.T) {
	lines, err := os.ReadFile(golden + "lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"class-hs.bin", "class-ova.bin"} {
		for _, test := range []classify.Test{{K: 1}, {K: 2, Threshold: 0.3}, {Threshold: 0.2}} {
			m := open(t, name)
			plain, err := test.Lines(t.Context(), m, bytes.NewReader(lines))
			if err != nil {
				t.Fatal(err)
			}
			test.AUC = true
			r, err := test.Lines(t.Context(), m, bytes.NewReader(lines))
			if err != nil {
				t.Fatal(err)
			}
			if r.Counts != plain.Counts || r.First != plain.First || r.Bins != plain.Bins || !slices.Equal(r.Labels, plain.Labels) {
				t.Errorf("%s, %+v: %+v, want %+v", name, test, r, plain)
			}
			var pairs, right float64 // of label 0
			var with, without []float32
			err = m.Lines(t.Context(), bytes.NewReader(lines), 0, 0, func(l classify.Line) error {
				for _, p := range l.Best {
					switch {
					case len(l.Labels) == 0 || l.Empty || p.ID != 0:
					case slices.Contains(l.Labels, 0):
						with = append(with, p.Probability)
					default:
						without = append(without, p.Probability)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range with {
				for _, b := range without {
					if pairs++; a > b {
						right++
					} else if a == b {
						right += 0.5
					}
				}
			}
			if got := r.LabelAUC(0); math.Abs(got-right/pairs) > 1e-12 || math.IsNaN(r.MacroAUC()) || r.HasAUC() == plain.HasAUC() {
				t.Errorf("%s: the area is %v, want %v", name, got, right/pairs)
			}
		}
	}
}

// What does not count is counted by its reason, and labels that the model does not know by their names.
func TestTextsThatDoNotCount(t *testing.T) {
	text := "__label__other the boat\n\n__label__sea the boat\n__label__sea __label__other the boat\nthe boat\n__label__other\n"
	r := tested(t, text, "class-hs.bin")[0]
	if r.Texts != 3 || r.Unknown != 1 || r.Unlabeled != 1 || r.All() != 5 || !maps.Equal(r.UnknownLabels, map[string]uint64{"__label__sea": 2}) {
		t.Errorf("%+v", r)
	}
	if r.Own != 3 || r.Accuracy() != 1 {
		t.Errorf("labels that the model does not know count: %+v", r)
	}
}

// A model does not differ from itself, and the exact test of accuracies is that of the texts that only one has right.
func TestCompare(t *testing.T) {
	lines, err := os.ReadFile(golden + "lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"class-hs.bin", "class-hs.bin", "class-ova.bin"}
	results := tested(t, string(lines), names...)
	all, err := labels.Compare("lines", names, results, 300, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, b := results[0], results[2]
	for i, metric := range []string{"accuracy", "micro_f1", "macro_f1"} {
		same, other := all[i], all[3+i]
		if same.Metric != metric || same.PValue != 1 || same.Difference != 0 || same.Differs {
			t.Errorf("a model and itself: %+v", same)
		}
		want := []float64{b.Accuracy() - a.Accuracy(), b.F1() - a.F1(), b.MacroF1() - a.MacroF1()}[i]
		if other.Metric != metric || a.Texts != b.Texts || math.Abs(float64(other.Difference)-want) > 1e-12 || other.Items != int(a.Texts) || other.Interval.Excludes(want) {
			t.Errorf("%+v, want a difference of %v", other, want)
		}
	}
}

// Whatever is in a file, it is an error or a model that predicts without panicking.
func FuzzModel(f *testing.F) {
	for _, name := range classifiers {
		file, err := os.ReadFile(golden + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
		var native bytes.Buffer
		if err := format.Encode(&native, open(f, name).Set(), format.W2V); err != nil {
			f.Fatal(err)
		}
		f.Add(native.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		set, err := format.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		defer set.Close()
		m, err := classify.New(set)
		if err != nil {
			return
		}
		for _, text := range []string{"", "bread of the baker", "\xff </s> \x00 x"} {
			best, err := m.Predict(text, 3, 0)
			if err == nil && len(best) > 3 {
				t.Errorf("%q: %v", text, best)
			}
			_, _ = m.Explain(text, "")
		}
		_ = format.Encode(io.Discard, set, format.FastText)
		_ = format.Encode(io.Discard, set, format.W2V)
	})
}

// Every beginning of a file is an error.
func TestTruncatedModels(t *testing.T) {
	for _, name := range classifiers {
		file, err := os.ReadFile(golden + name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		for size := 0; size < len(file); size += 1 + size/7 {
			if err := os.WriteFile(path, file[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			if m, err := classify.Open(path); err == nil {
				m.Close()
				t.Errorf("%s: the first %d of %d bytes are a model", name, size, len(file))
			}
		}
	}
}
