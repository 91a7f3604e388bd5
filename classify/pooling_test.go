package classify

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// pooledText returns the definition of the vector of a text of known and unknown words.
func pooledText(s *vectors.Set, text string) []float64 {
	grams := s.Subword().(subword.FastText)
	runs := subword.WordNgrams{MaxN: s.Training().Int("word_ngrams"), Buckets: grams.Buckets}
	var rows []int
	var hashes []uint64
	for _, word := range append(strings.Fields(text), scorer.EndOfLine) {
		if id, ok := s.ID(word); ok {
			rows = append(rows, s.OwnRow(id))
		}
		for _, bucket := range grams.Append(nil, word) {
			rows = append(rows, s.BucketRow(bucket))
		}
		hashes = append(hashes, runs.Hash(word))
	}
	for _, bucket := range runs.Append(nil, hashes) {
		rows = append(rows, s.BucketRow(bucket))
	}
	dim := s.Dim()
	of, row := make([]float64, 3*dim), make([]float32, dim)
	for _, r := range rows {
		if r < 0 {
			continue
		}
		s.Input().Read(row, r)
		for k, x := range row {
			of[k] += float64(x) / float64(len(rows))
			if of[dim+k] == 0 || x != 0 && float64(x) > of[dim+k] {
				of[dim+k] = float64(x)
			}
			if of[2*dim+k] == 0 || x != 0 && float64(x) < of[2*dim+k] {
				of[2*dim+k] = float64(x)
			}
		}
	}
	return of
}

// A classifier of means and extremes predicts by them, from every format that keeps it, and the contributions to a score
// add up to it.
func TestPooledClassifier(t *testing.T) {
	examples := toyExamples(100, "a", "b", "c")
	for _, loss := range []sgns.Loss{sgns.Softmax, sgns.OneVersusAll, sgns.NegativeSampling, sgns.HierarchicalSoftmax} {
		o := toyOptions(func(o *Options) { o.Pooling, o.Loss, o.MinN, o.MaxN, o.Dim = sgns.PoolExtremes, loss, 3, 4, 7 })
		trained, err := Train(context.Background(), Examples(each(examples)), o, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		set := trained.Vectors
		if l := set.Labels(); l.Rows.Cols != 21 || set.Training().Text(vectors.FactPooling) != "mean+max+min" || set.Dim() != 7 {
			t.Fatalf("%s: rows of %d numbers, pooled by %q", loss, l.Rows.Cols, set.Training().Text(vectors.FactPooling))
		}
		file := filepath.Join(t.TempDir(), "m.w2v")
		if err := format.Write(context.Background(), file, set, format.W2V); err != nil {
			t.Fatal(err)
		}
		m, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, e := range examples {
			best, err := m.Predict(e.Text, 1, 0)
			if err != nil || len(best) != 1 {
				t.Fatal(best, err)
			}
			if best[0].Label == e.Labels[0] {
				right++
			}
			if i%50 != 0 {
				continue
			}
			text := e.Text + " unknownword"
			why, err := m.Explain(text, "")
			if err != nil {
				t.Fatal(err)
			}
			id := -1
			for k, name := range m.Labels() {
				if name == why.Label {
					id = k
				}
			}
			var score float64
			for k, x := range pooledText(m.Set(), text) {
				score += x * m.core.Head().Direction(id)[k]
			}
			if math.Abs(score-why.Score) > 1e-4*(1+math.Abs(score)) {
				t.Errorf("%s: contributions to %s add up to %v, the score is %v", loss, why.Label, why.Score, score)
			}
			p, err := m.Predict(text, 1, 0)
			if want := 1 / (1 + math.Exp(-score)); err != nil || loss == sgns.OneVersusAll && math.Abs(float64(p[0].Probability)-want) > 0.01 {
				t.Errorf("%s: the probability is %v, want %v, %v", loss, p, want, err)
			}
		}
		if right < 285 {
			t.Errorf("%s: %d of 300 texts are right", loss, right)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be told from other poolings is refused, and quantised rows are pooled alike.
func TestPooledFormats(t *testing.T) {
	examples := toyExamples(100, "a", "b")
	o := toyOptions(func(o *Options) { o.Pooling, o.Dim = sgns.PoolExtremes, 8 })
	trained, err := Train(context.Background(), Examples(each(examples)), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	const refused = "fastText takes the mean of the rows of a text, and this classifier pools them by mean+max+min"
	if err := format.Write(context.Background(), filepath.Join(t.TempDir(), "m.bin"), trained.Vectors, format.FastText); err == nil || !strings.Contains(err.Error(), refused) {
		t.Errorf("error %v, want %s", err, refused)
	}
	if _, err := transform.QuantizeClassifier(context.Background(), trained.Vectors, transform.ClassifierOptions{}); err == nil || !strings.Contains(err.Error(), refused) {
		t.Errorf("error %v, want %s", err, refused)
	}
	if _, err := Retrain(context.Background(), Examples(each(examples)), trained.Vectors, RetrainOptions{Epochs: 1, LearningRate: 1}); err == nil || !strings.Contains(err.Error(), "pools them by mean+max+min") {
		t.Error(err)
	}
	for training, want := range map[string]string{"": "labels of 24 dimensions, must be 8", "max": `texts are pooled by "max", which this program does not know`} {
		p := trained.Vectors.Parts()
		p.Training.Set(vectors.FactPooling, training)
		if _, err := vectors.New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	small, err := transform.Quantize(context.Background(), trained.Vectors, transform.QuantizeOptions{Method: transform.QuantizeF16})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(small)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		best, err := m.Predict(e.Text, 1, 0)
		if want := trained.best(t, e.Text); err != nil || best[0].Label != want {
			t.Fatalf("%q is %v, want %s, %v", e.Text, best, want, err)
		}
	}
	other := o
	other.Pooling = "max"
	if err := other.Validate(); err == nil || !strings.Contains(err.Error(), `pooling: "max" is not known`) {
		t.Error(err)
	}
}
