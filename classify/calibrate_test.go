package classify

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// lossAt is the mean log loss of examples of one label, from what the model predicts.
func lossAt(t *testing.T, m *Model, examples []Example) (sum float64) {
	for _, e := range examples {
		all, err := m.Predict(e.Text, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			right := p.Label == e.Labels[0]
			each := slices.Contains([]string{"ova", "ns"}, m.set.Training().Text("loss"))
			switch x := float64(p.Probability) - 1e-5; {
			case right:
				sum -= math.Log(max(x, 1e-7))
			case each:
				sum -= math.Log(max(1-x, 1e-7))
			}
		}
	}
	return sum / float64(len(examples))
}

// A calibrated model has the least loss of all temperatures, and predicts what it did, in files too.
func TestCalibrate(t *testing.T) {
	for _, loss := range []sgns.Loss{sgns.Softmax, sgns.OneVersusAll, sgns.NegativeSampling, sgns.HierarchicalSoftmax} {
		t.Run(string(loss), func(t *testing.T) {
			noisy := slices.Concat(toyExamples(60, "a", "b", "c"), toyExamples(6, "b", "c", "a"))
			trained, err := Train(t.Context(), Examples(each(noisy)), toyOptions(func(o *Options) { o.Loss, o.Epochs = loss, 60 }), Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := New(trained.Vectors)
			if err != nil {
				t.Fatal(err)
			}
			heldOut := slices.Concat(toyExamples(50, "a", "b", "c"), toyExamples(15, "b", "c", "a"))
			set, c, err := m.Calibrate(t.Context(), Examples(each(heldOut)), corpus.Fields{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if c.Texts != 195 || c.Temperature == 1 || !(c.Loss < c.LossBefore) || !(c.Error < c.ErrorBefore) {
				t.Errorf("%+v", c)
			}
			calibrated, err := New(set)
			if err != nil {
				t.Fatal(err)
			}
			if got := lossAt(t, calibrated, heldOut); math.Abs(got-c.Loss) > 0.01 {
				t.Errorf("loss %v of predictions, %v measured", got, c.Loss)
			}
			if got := lossAt(t, m, heldOut); loss == sgns.Softmax && math.Abs(got-c.LossBefore) > 0.02*c.LossBefore {
				t.Errorf("loss %v of predictions, %v measured before", got, c.LossBefore)
			}
			again, d, err := calibrated.Calibrate(t.Context(), Examples(each(heldOut)), corpus.Fields{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if !(d.Temperature > 1 && d.Temperature < 1.06) || again.Training().Float("temperature") != d.Temperature*c.Temperature {
				t.Errorf("temperature %v again, %v recorded, %v at first", d.Temperature, again.Training().Float("temperature"), c.Temperature)
			}
			for _, name := range []string{"m.w2v", "m.bin"} {
				path := filepath.Join(t.TempDir(), name)
				f, err := format.ForPath(path, true)
				if err != nil {
					t.Fatal(err)
				}
				if err := format.Write(t.Context(), path, set, f); err != nil {
					t.Fatal(err)
				}
				read, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				for _, e := range heldOut[:20] {
					want, _ := calibrated.Predict(e.Text, 0, 0)
					got, err := read.Predict(e.Text, 0, 0)
					// fastText's file is summed in fastText's order
					near := slices.EqualFunc(got, want, func(a, b Prediction) bool {
						return a.ID == b.ID && (a == b || name == "m.bin" && math.Abs(float64(a.Probability-b.Probability)) < 1e-6)
					})
					if err != nil || !near {
						t.Fatalf("%s: %v, %v, want %v", name, got, err, want)
					}
					if before, _ := m.Predict(e.Text, 1, 0); loss == sgns.Softmax && before[0].Label != want[0].Label {
						t.Errorf("%q is now %v, was %v", e.Text, want[0], before[0])
					}
				}
			}
		})
	}
}

// A model with a threshold says what it does not know.
func TestUnknown(t *testing.T) {
	o := toyOptions(func(o *Options) { o.Epochs, o.HeldOut, o.Seed = 40, 0, 3 })
	trained, err := Train(t.Context(), Examples(each(toyExamples(60, "a", "b"))), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(trained.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	heldOut := toyExamples(60, "a", "b", "c") // the model does not know c
	set, c, err := m.Calibrate(t.Context(), Examples(each(heldOut)), corpus.Fields{}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	known, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	var given, right int
	for _, e := range heldOut {
		best, err := known.Predict(e.Text, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		plain, _ := known.Predict(e.Text, 2, 0.999)
		switch {
		case best[0].Label == Unknown:
			if len(best) != 1 || best[0].ID != -1 || !slices.Equal(plain, best) {
				t.Fatalf("%v, above 0.999 %v", best, plain)
			}
		default:
			given++
			if float64(best[0].Probability) < c.Threshold {
				t.Errorf("%v below %v", best, c.Threshold)
			}
			if best[0].Label == e.Labels[0] {
				right++
			}
			if best[0].Probability < 0.999 && len(plain) > 0 {
				t.Errorf("%v, above 0.999 %v", best, plain)
			}
		}
	}
	if p, cover := float64(right)/float64(given), float64(given)/180; p != c.Precision || cover != c.Coverage || p < 0.9 || cover < 0.2 {
		t.Errorf("precision %v and coverage %v, learned %+v", p, cover, c)
	}
	if best, err := known.Predict("words nobody has seen", 1, 0); err != nil || len(best) != 1 || best[0].Label != Unknown {
		// The end of a line is known.
		t.Errorf("%v, %v", best, err)
	}
	r, err := labels.NewResult(known.labels, labels.Metric{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(slices.Clone(heldOut[:120]), Example{"words nobody has seen", []string{"a"}}) {
		best, err := known.Predict(e.Text, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		r.Add(labels.NewOutcome([]int{known.core.LabelID(e.Labels[0])}, []labels.Guess{{Label: best[0].ID, Probability: best[0].Probability}}))
	}
	var binned uint64
	for _, b := range r.Bins {
		binned += b.Texts
	}
	if r.Texts != 121 || r.Doubtful == 0 || r.Predicted != 121-r.Doubtful || binned != r.Predicted {
		t.Errorf("%d texts, %d unknown, %d predicted, %d in bins", r.Texts, r.Doubtful, r.Predicted, binned)
	}
	if e, err := known.Explain("words nobody has seen", ""); err != nil || e.Label == Unknown {
		t.Errorf("%+v, %v", e, err)
	}
	if _, _, err := m.Calibrate(t.Context(), Examples(each(toyExamples(60, "b", "a"))), corpus.Fields{}, 0.99); !errors.Is(err, ErrNoThreshold) {
		t.Errorf("a model that is mostly wrong: %v", err)
	}
}

// Few texts without an error do not make a model more certain than they show, and one label has nothing to calibrate. What is
// not a number is an error.
func TestCalibrateFewTexts(t *testing.T) {
	for _, names := range [][]string{{"a"}, {"a", "b", "c"}} {
		for _, loss := range []sgns.Loss{sgns.Softmax, sgns.HierarchicalSoftmax, sgns.OneVersusAll} {
			trained, err := Train(t.Context(), Examples(each(toyExamples(60, names...))), toyOptions(func(o *Options) { o.Loss, o.Epochs = loss, 40 }), Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := New(trained.Vectors)
			if err != nil {
				t.Fatal(err)
			}
			_, c, err := m.Calibrate(t.Context(), Examples(each(toyExamples(2, names...))), corpus.Fields{}, 0)
			if err != nil || c.Loss > c.LossBefore || c.Temperature < 0.5 || c.Temperature > 1.2 || len(names) == 1 && loss != sgns.OneVersusAll && c.Temperature != 1 {
				t.Errorf("%s, %d labels: %+v, %v", loss, len(names), c, err)
			}
			p := trained.Vectors.Parts()
			l := *p.Labels
			l.Rows = scorer.InMemory(l.Rows)
			if l.Rows.Rows == 0 {
				continue // one label has no nodes
			}
			l.Rows.Data[0] = float32(math.Inf(1))
			p.Labels = &l
			broken, err := vectors.New(p)
			if err != nil {
				t.Fatal(err)
			}
			if m, err = New(broken); err != nil {
				t.Fatal(err)
			}
			if _, c, err := m.Calibrate(t.Context(), Examples(each(toyExamples(2, names...))), corpus.Fields{}, 0); !errors.Is(err, ErrNaN) {
				t.Errorf("%s, %d labels, a row that is infinite: %+v", loss, len(names), c)
			}
		}
	}
}

// Training calibrates on the texts that it holds out.
func TestTrainCalibrated(t *testing.T) {
	noisy := slices.Concat(toyExamples(80, "a", "b", "c"), toyExamples(15, "b", "c", "a"))
	g := rand.New(rand.NewPCG(1, 2)) // the texts that are held out are the last ones
	g.Shuffle(len(noisy), func(i, j int) { noisy[i], noisy[j] = noisy[j], noisy[i] })
	train := func(change func(*Options)) *Trained {
		trained, err := Train(t.Context(), Examples(each(noisy)), toyOptions(change), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return trained
	}
	plain := train(func(o *Options) { o.HeldOut, o.Epochs = 0.3, 60 })
	calibrated := train(func(o *Options) { o.HeldOut, o.Epochs, o.UnknownPrecision = 0.3, 60, 0.7 })
	c := calibrated.Calibration
	if plain.Calibration != nil || c == nil || c.Texts == 0 || !(c.Temperature > 1) || !(c.Loss < c.LossBefore) || c.Threshold == 0 {
		t.Fatalf("%+v", c)
	}
	before, after := plain.Vectors.Labels().Rows, calibrated.Vectors.Labels().Rows
	for i, x := range before.Data {
		if want := float32(float64(x) * (1 / c.Temperature)); math.Abs(float64(after.Data[i]-want)) > 1e-6 {
			t.Fatalf("number %d is %v, want %v", i, after.Data[i], want)
		}
	}
	for _, o := range []Options{
		toyOptions(func(o *Options) { o.Calibrate = true }),
		toyOptions(func(o *Options) { o.UnknownPrecision = 0.9 }),
		toyOptions(func(o *Options) { o.HeldOut, o.UnknownPrecision = 0.1, 1.5 }),
	} {
		if _, err := Train(t.Context(), Examples(each(noisy)), o, Hooks{}); err == nil {
			t.Errorf("trained: %+v", o)
		}
	}
}
