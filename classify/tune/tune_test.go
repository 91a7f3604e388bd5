package tune

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/classify/internal/opinions"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func opinionated(n int, seed uint64) classify.Corpus {
	return classify.Examples(func(yield func(classify.Example, error) bool) {
		for text, label := range opinions.Texts(n, seed) {
			if !yield(classify.Example{Text: text, Labels: []string{label}}, nil) {
				return
			}
		}
	})
}

func options() Options {
	o := Options{Options: classify.Defaults(), Trials: 24}
	o.HeldOut = 0.2
	o.WordNgrams, o.MaxN, o.Dim, o.Buckets = 1, 0, 8, 1<<16
	return o
}

func TestFindsSettings(t *testing.T) {
	o := options()
	o.Fixed = []string{"minn", "maxn", "buckets", "dim", "min-count"}
	var tried []Trial
	tuned, err := Run(t.Context(), opinionated(600, 1), o, Hooks{Tried: func(of Trial, _ bool) { tried = append(tried, of) }})
	if err != nil {
		t.Fatal(err)
	}
	if tuned.Options.WordNgrams < 2 || tuned.Options.Dim != 8 || tuned.Options.MaxN != 0 || tuned.Search < 0.95 {
		t.Errorf("found %+v of score %v: runs of words tell the labels apart", tuned.Options, tuned.Search)
	}
	if len(tried) != o.Trials || len(tuned.Trials) != o.Trials || tuned.Trials[0].Score > 0.7 || tuned.Trials[0].Options.WordNgrams != 1 {
		t.Errorf("%d and %d trials, the first %+v: want %d, and first the settings that are given", len(tried), len(tuned.Trials), tuned.Trials[0], o.Trials)
	}
	// The best settings, trained again, have the score that they had.
	i := slices.IndexFunc(tuned.Trials, func(of Trial) bool {
		of.Options.HeldOut, of.Options.Threads = tuned.Options.HeldOut, tuned.Options.Threads
		return reflect.DeepEqual(of.Options, tuned.Options)
	})
	if i < 0 || tuned.Trials[i].Score != tuned.Score {
		t.Errorf("trial %d of the best settings: the model has the score %v", i, tuned.Score)
	}
	// Train makes the same model.
	again, err := classify.Train(t.Context(), opinionated(600, 1), tuned.Options, classify.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := again.Vectors.Input(), tuned.Vectors.Input(); !reflect.DeepEqual(got.Data, want.Data) {
		t.Error("Train makes another model of the best settings")
	}
	o.Threads = 3
	other, err := Run(t.Context(), opinionated(600, 1), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if other.Options.Threads = tuned.Options.Threads; !reflect.DeepEqual(other.Options, tuned.Options) || other.Score != tuned.Score {
		t.Errorf("with other threads %+v of score %v, want %+v of %v", other.Options, other.Score, tuned.Options, tuned.Score)
	}
}

// A corpus of many texts is searched on parts first, whose models are as good as those texts allow.
func TestOnParts(t *testing.T) {
	o := options()
	o.HeldOut, o.Trials, o.WordNgrams = 0, 13, 2
	o.Metric = labels.Metric{Kind: labels.F1, Label: "good"}
	tuned, err := Run(t.Context(), opinionated(10_000, 1).HoldingOut(opinionated(200, 2)), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	shares := map[float64]int{}
	for _, trial := range tuned.Trials {
		shares[math.Round(100*trial.Share)/100]++
	}
	if shares[0.33] < 4 || shares[1] < 2 || len(shares) != 2 || tuned.Score < 0.98 {
		t.Errorf("trials by share of the texts: %v; score %v", shares, tuned.Score)
	}
}

// The best model is calibrated, on what was held out, and is the one that Train makes.
func TestCalibrates(t *testing.T) {
	texts := func() classify.Corpus { return opinionated(400, 1) }
	others := func() classify.Corpus { return texts().HoldingOut(opinionated(200, 2)) }
	for share, corpus := range map[float64]func() classify.Corpus{0.2: texts, 0: others} {
		o := options()
		o.HeldOut, o.Trials, o.UnknownPrecision, o.WordNgrams = share, 3, 0.9, 2
		tuned, err := Run(t.Context(), corpus(), o, Hooks{Final: func(best *Result) {
			if best.Trained == nil {
				t.Error("the best settings were tried on all texts, and are trained again")
			}
		}})
		if err != nil || tuned.Calibration == nil {
			t.Fatalf("share %v: %v, %+v", share, err, tuned)
		}
		again, err := classify.Train(t.Context(), corpus(), tuned.Options, classify.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := *again.Calibration, *tuned.Calibration; got != want || !reflect.DeepEqual(again.Vectors.Labels().Rows.Data, tuned.Vectors.Labels().Rows.Data) {
			t.Errorf("share %v: Train calibrates by %+v, want %+v", share, got, want)
		}
	}
}

// Models of a limited size are searched for without quantising them, and the one that is written has the score that is told.
func TestSize(t *testing.T) {
	for _, size := range []uint64{20_000, 1 << 30} {
		for _, to := range []format.Format{format.FastText, format.W2V} {
			o := options()
			o.ModelSize, o.Format, o.WordNgrams, o.Trials = size, to, 2, 6
			o.Fixed = []string{"dim", "maxn", "buckets"}
			corpus := func() classify.Corpus { return opinionated(600, 1).HoldingOut(opinionated(200, 2)) }
			o.HeldOut = 0
			tuned, err := Run(t.Context(), corpus(), o, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			n, err := format.EncodedSize(tuned.Vectors, to)
			if err != nil || n > size || size < 1<<20 && n < size/2 {
				t.Errorf("%v: a model of %d bytes, %v: want at most %d, and not much less", to, n, err, size)
			}
			m, err := classify.New(tuned.Vectors)
			if err != nil {
				t.Fatal(err)
			}
			_, held, err := classify.Read(t.Context(), corpus(), o.Options, nil)
			if err != nil {
				t.Fatal(err)
			}
			if score, err := held.Score(t.Context(), m, labels.Metric{Kind: labels.F1}, 0, 1); err != nil || score != tuned.Score || score < 0.9 {
				t.Errorf("%v, %d bytes: the model has the score %v, %v; %v is told", to, size, score, err, tuned.Score)
			}
			if err := held.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// The time of making the best model smaller is kept: it is more if the model has more to train again and to quantise.
func TestTimeToShrinkIsKept(t *testing.T) {
	o := options()
	u := &tuner{Options: o, trials: map[int]Trial{}, works: map[int]work{}, pace: pace{again: 2, code: 1e-6}}
	set := func(rows, dim int) (p fit, w work) {
		model, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, dim)})
		if err != nil {
			t.Fatal(err)
		}
		p = fit{quantised: true, rows: rows, of: 40_000}
		of := o.Options
		of.Epochs = 20
		return p, workOf(model, of, p, 0.5, 0.25)
	}
	_, u.works[1] = set(40_000, 10)
	_, u.works[2] = set(10_000, 10)
	for number, want := range map[int]float64{1: 1.25 * 1e-6 * (16_384 + 2_000) * 10, 2: 1.25 * (5*2*2 + 1e-6*(10_000+500)*10), 3: 0} {
		if got := u.after(&halving.Trial{Number: number}).Seconds(); math.Abs(got-want) > 1e-6 {
			t.Errorf("trial %d: %v s are kept, want %v", number, got, want)
		}
	}
}

// The score of the settings where the search began is the mean of their trials on the most texts.
func TestStart(t *testing.T) {
	o := options()
	o.HeldOut, o.Trials = 0, 13
	tuned, err := Run(t.Context(), opinionated(10_000, 1).HoldingOut(opinionated(200, 2)), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0., 0.
	for _, trial := range tuned.Trials {
		if of := tuned.Trials[0].Options; trial.Share == 1 && trial.Options.WordNgrams == of.WordNgrams && trial.Options.LearningRate == of.LearningRate && trial.Options.Epochs == of.Epochs && trial.Options.Dim == of.Dim {
			sum, n = sum+trial.Score, n+1
		}
	}
	if start := tuned.Start; start.Share != 1 || n == 0 || math.Abs(start.Score-sum/n) > 1e-9 || start.Score > tuned.Search || start.Options.WordNgrams != 1 {
		t.Errorf("the search began at %+v, and found %v", start, tuned.Search)
	}
}

func TestEnds(t *testing.T) {
	o := options()
	o.Trials, o.Budget = 0, time.Hour
	enough := make(chan struct{})
	o.Enough = enough
	n := 0
	tuned, err := Run(t.Context(), opinionated(300, 1), o, Hooks{Tried: func(Trial, bool) {
		if n++; n == 3 {
			close(enough)
		}
	}})
	if err != nil || tuned.Trained == nil || len(tuned.Trials) < 3 || len(tuned.Trials) > 50 {
		t.Errorf("%v after %d trials that were enough", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Enough = nil
	if _, err = Run(ctx, opinionated(300, 1), o, Hooks{Tried: func(Trial, bool) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended gives %v", err)
	}
	o.Budget = 200 * time.Millisecond
	if tuned, err = Run(t.Context(), opinionated(300, 1), o, Hooks{}); err != nil || len(tuned.Trials) == 0 {
		t.Errorf("a small budget gives %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"texts to measure must be held out":    func(o *Options) { o.HeldOut = 0 },
		"less than 1":                          func(o *Options) { o.HeldOut = 1 },
		"without early stopping":               func(o *Options) { o.Patience = 2 },
		"texts are shuffled":                   func(o *Options) { o.InOrder = true },
		"calibrate it afterwards":              func(o *Options) { o.Calibrate, o.ModelSize, o.Format = true, 1000, format.FastText },
		"and not both":                         func(o *Options) { o.Budget = time.Second },
		"a number of trials or a time":         func(o *Options) { o.Trials = 0 },
		`no setting that is searched for is`:   func(o *Options) { o.Fixed = []string{"seed"} },
		"nothing to search for":                func(o *Options) { o.Fixed = Settings() },
		`label "ugly", which no text has`:      func(o *Options) { o.Metric.Label = "ugly" },
		"the number of labels of a text is -2": func(o *Options) { o.Number = -2 },
		"the minimal count of words is 0":      func(o *Options) { o.MinCount = 0 },
	} {
		o := options()
		change(&o)
		if _, err := Run(t.Context(), opinionated(60, 1), o, Hooks{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want …%s…", err, name)
		}
	}
}
