package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vocab"
)

// tuning searches for settings on the demo's text.
func tuning(t *testing.T, o TuneOptions, given ...string) (*Tuned, []TunedTrial, error) {
	t.Helper()
	o.Base = train.Defaults()
	for _, setting := range append([]string{"dim=8", "threads=1"}, given...) {
		name, value, _ := strings.Cut(setting, "=")
		if err := o.Base.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if reflect.ValueOf(o.Corpus).IsZero() {
		o.Corpus = train.Reader("the demo", demo.Corpus(1500, demo.DefaultSeed))
	}
	o.Cache = t.TempDir()
	var tried []TunedTrial
	found, err := Tune(t.Context(), o, TuneHooks{Tried: func(trial TunedTrial, _ bool) { tried = append(tried, trial) }})
	return found, tried, err
}

func demoSets(t *testing.T) []eval.Set {
	t.Helper()
	var sets []eval.Set
	for _, of := range []struct {
		name, text string
		task       eval.Task
	}{{"similarity", demo.Similarities(), eval.TaskSimilarity}, {"analogy", demo.Analogies(), eval.TaskAnalogy}} {
		set, err := eval.ReadSet(strings.NewReader(of.text), of.name, of.task)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	return sets
}

// A number of trials gives the same result each time, whatever the number of threads is, and train.Run the same vectors.
func TestTuneIsReproducible(t *testing.T) {
	given := []string{"subwords=none", "arch=skipgram"}
	unknown := eval.Set{Name: "pairs", Task: eval.TaskSimilarity, Pairs: []eval.Pair{{A: "x1", B: "x2", Score: 1}, {A: "x3", B: "x4", Score: 2}}} // left out
	first, tried, err := tuning(t, TuneOptions{Sets: append(demoSets(t), unknown), Trials: 14}, given...)
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) > 14 || len(tried) < 10 || len(first.Trials) != len(tried) || len(tried[0].Settings) > 0 || math.IsNaN(tried[0].Score) {
		t.Fatalf("%d trials, the first one %+v", len(tried), tried[0])
	}
	if first.Gain == nil || first.Gain.StartSeeds < 2 || first.Gain.BestSeeds < 2 || !first.Gain.Interval.Known || len(first.Gain.Sets) != 2 {
		t.Errorf("gain %+v", first.Gain)
	}
	if first.Gain.Found() == (len(first.Changed) == 0) {
		t.Errorf("found %v, and the settings are %s", first.Gain.Found(), first.Changed)
	}
	second, _, err := tuning(t, TuneOptions{Sets: demoSets(t), Trials: 14}, append(given, "threads=3")...)
	if err != nil || !reflect.DeepEqual(first.Gain, second.Gain) || !slices.Equal(first.Best, second.Best) {
		t.Errorf("again: %+v and %s, %v, want %+v and %s", second.Gain, second.Best, err, first.Gain, first.Best)
	}
	again := first.Settings
	run, err := train.Run(t.Context(), train.Reader("the demo", demo.Corpus(1500, demo.DefaultSeed)), train.Options{Settings: again}, train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{0, 7, 100} {
		want, got := make([]float32, 8), make([]float32, 8)
		first.Vectors.WordVector(want, id)
		if run.Vectors.WordVector(got, id); !slices.Equal(got, want) {
			t.Errorf("train.Run gives word %d the vector %v, the search %v", id, got, want)
		}
	}
}

// No settings are trained twice with the same seed, the gain is that of two seeds that no trial had before, and a search ends when
// nothing is left to try.
func TestTuneTriesSettingsOnce(t *testing.T) {
	given := strings.Fields("subwords=none window=2 epochs=1 lr=0.1 sample=0 ns-exponent=1 draws=16 arch=cbow")
	found, tried, err := tuning(t, TuneOptions{Sets: demoSets(t), Trials: 70}, given...)
	if err != nil {
		t.Fatal(err)
	}
	seeds := map[string][]uint64{}
	for _, trial := range tried {
		key := assignments(trial.Settings)
		if slices.Contains(seeds[key], trial.Seed) {
			t.Errorf("trial %d: %q again with seed %d", trial.Number, key, trial.Seed)
		}
		seeds[key] = append(seeds[key], trial.Seed)
	}
	if g := found.Gain; len(seeds) != 20 || len(found.Best) == 0 || g == nil || g.StartSeeds != 2 || g.BestSeeds != 2 || !g.Interval.Known {
		t.Fatalf("%d numbers of negatives, the best %s, gain %+v", len(seeds), found.Best, g)
	}
	for _, of := range []Settings{nil, found.Best} {
		all := seeds[assignments(of)]
		if fresh := all[len(all)-2:]; slices.Min(fresh) != 4 || slices.Max(fresh) != 5 {
			t.Errorf("%q: seeds %v, want 4 and 5 last", assignments(of), all)
		}
	}
	last := tried[len(tried)-4:]
	var best []eval.Score
	for _, trial := range last {
		if len(trial.Settings) > 0 {
			best = append(best, trial.Mean)
		}
	}
	if len(best) != 2 || math.Abs(float64(best[0]+best[1])/2-float64(found.Gain.Best)) > 1e-9 {
		t.Errorf("mean scores %v after the search, and the gain has %v", best, found.Gain.Best)
	}

	found, _, err = tuning(t, TuneOptions{Sets: demoSets(t), Trials: 5}, given...)
	if err != nil || found.Gain != nil && len(found.Best) > 0 && found.Gain.Interval.Known {
		t.Errorf("too few trials for other seeds: gain %+v, %v", found.Gain, err)
	}
}

// Points that a rounding makes the same have the same key.
func TestTunedKey(t *testing.T) {
	base := settingsOf(t, "subwords=none arch=skipgram")
	all, start := axes(base, Range{}, true)
	search := &tuner{base: base, axes: all, start: start, levels: []level{{[]*vocab.IDs{{}}}}}
	for name, test := range map[string]struct {
		change float64
		same   bool
	}{"window": {0.2, true}, "epochs": {0.001, true}, "lr": {0.0001, true}, "negatives": {1, false}, "draws": {-0.3, true}, "ns-exponent": {1, false}} {
		point := slices.Clone(start)
		for i, axis := range all {
			if axis.name == name {
				point[i] += test.change
			}
		}
		if same := search.key(point, 0) == search.key(start, 0); same != test.same {
			t.Errorf("%s changed by %v: the same settings: %v, want %v", name, test.change, same, test.same)
		}
	}
}

// Dimensions to try are in their range, and multiples of 8 if it has any.
func TestTunedDims(t *testing.T) {
	for _, test := range []struct{ low, high, x, want float64 }{
		{50, 60, 50, 56}, {50, 60, 60, 56}, {50, 55, 50, 50}, {50, 55, 53.4, 53}, {50, 300, 50, 56}, {50, 300, 300, 296},
		{50, 300, 100, 104}, {8, 32, 8, 8}, {8, 32, 30, 32}, {2, 20, 5.2, 5}, {2, 20, 20, 16}, {9, 15, 15, 15},
	} {
		axis := tuned{name: "dim", Axis: halving.Axis{Low: test.low, High: test.high}}
		if got := axis.text(test.x); got != fmt.Sprint(test.want) {
			t.Errorf("%v-%v: %v is %s dimensions, want %v", test.low, test.high, test.x, got, test.want)
		}
	}
}

// What is given stays, and points are settings that can be trained.
func TestTunedSettings(t *testing.T) {
	for _, test := range []struct {
		given  string // settings
		dims   Range
		want   string // axes
		halves bool   // of the text are the judge
	}{
		{"", Range{}, "subwords minn maxn window epochs lr sample ns-exponent negatives draws arch", false},
		{"window=3 lr=0.1 arch=cbow", Range{}, "subwords minn maxn epochs sample ns-exponent negatives draws", false},
		{"subwords=none", Range{Min: 8, Max: 200}, "window epochs lr sample ns-exponent negatives draws arch dim", false},
		{"subwords=fasttext minn=2", Range{}, "maxn window epochs lr sample ns-exponent negatives draws arch", false},
		{"loss=hs", Range{}, "subwords minn maxn window epochs lr sample arch", false},
		{"loss=directional", Range{}, "subwords minn maxn window epochs lr sample ns-exponent negatives draws", false},
		{"loss=glove", Range{}, "window epochs lr x-max", false},
		{"", Range{}, "window epochs lr sample ns-exponent negatives draws arch", true},
		{"subwords=fasttext", Range{}, "window epochs lr sample ns-exponent negatives draws arch", true},
	} {
		base := settingsOf(t, test.given)
		all, start := axes(base, test.dims, !test.halves)
		var names []string
		for _, axis := range all {
			names = append(names, axis.name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%q: axes %s, want %s", test.given, got, test.want)
		}
		search := &tuner{base: base, axes: all, start: start}
		if _, changed, err := search.settings(start, 1e6); err != nil || len(changed) > 0 {
			t.Errorf("%q: the start changes %s, %v", test.given, changed, err)
		}
		for _, ends := range []func(tuned) float64{func(a tuned) float64 { return a.Low }, func(a tuned) float64 { return a.High }} {
			point := slices.Clone(start)
			for i, axis := range all {
				point[i] = ends(axis)
			}
			if s, changed, err := search.settings(point, 1e6); err != nil || len(changed) < len(all)/2 {
				t.Errorf("%q: %v changes %s, %v", test.given, point, changed, err)
			} else if want := settingsOf(t, test.given+" "+assignments(changed)); s.Value("lr") != want.Value("lr") || s.Value("subwords") != want.Value("subwords") {
				t.Errorf("%q: %s are other settings", test.given, changed)
			}
		}
	}
}

func assignments(s Settings) string {
	var all []string
	for _, set := range s {
		all = append(all, set.Name+"="+set.Value)
	}
	return strings.Join(all, " ")
}

func settingsOf(t *testing.T, assigned string) train.Settings {
	t.Helper()
	s := train.Defaults()
	for _, setting := range strings.Fields(assigned) {
		name, value, _ := strings.Cut(setting, "=")
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Complete(); err != nil {
		t.Fatal(err)
	}
	return s
}

// A point's epochs and rate are factors of what is usual for the tokens of its level.
func TestTunedFactors(t *testing.T) {
	base := settingsOf(t, "subwords=none arch=skipgram")
	all, start := axes(base, Range{}, true)
	search := &tuner{base: base, axes: all, start: start}
	point := slices.Clone(start)
	for i, axis := range all {
		if axis.factor {
			point[i] = 2
		}
	}
	for _, tokens := range []uint64{1e6, 1e9} {
		s, changed, err := search.settings(point, tokens)
		if err != nil {
			t.Fatal(err)
		}
		if usual := s.Model.EpochsFor(tokens); s.Model.Epochs != 2*usual || usual == base.Model.EpochsFor(1e7) {
			t.Errorf("%d tokens: %d epochs, usually %d", tokens, s.Model.Epochs, usual)
		}
		want := 2 * s.Model.RateFor(tokens*uint64(s.Model.Epochs))
		if math.Abs(s.Model.LearningRate/want-1) > 0.05 || changed.value("lr") == "" {
			t.Errorf("%d tokens: rate %v, want %v; changed %s", tokens, s.Model.LearningRate, want, changed)
		}
	}
}

func TestSampledSentences(t *testing.T) {
	const n = 10000
	small, large, rest := sampled(0, 0.1), sampled(0, 0.3), sampled(0.3, 1)
	var counts [3]int
	for range n {
		in := [3]bool{small(nil), large(nil), rest(nil)}
		for i, is := range in {
			if is {
				counts[i]++
			}
		}
		if in[0] && !in[1] || in[1] == in[2] {
			t.Fatal("a smaller part is not in the larger one, or parts overlap")
		}
	}
	for i, want := range []float64{0.1, 0.3, 0.7} {
		if math.Abs(float64(counts[i])/n-want) > 0.02 {
			t.Errorf("%d of %d sentences, want a share of %v", counts[i], n, want)
		}
	}
}

// The interval has the differences between items and between seeds.
func TestGain(t *testing.T) {
	records := func(right ...float64) []eval.Record {
		var items []eval.Item
		for i := range right {
			items = append(items, eval.Item{Key: fmt.Sprint(i)})
		}
		score := func(weights []float64) (sum float64) {
			all := 0.0
			for i, w := range weights {
				sum, all = sum+w*right[i], all+w
			}
			return sum / all
		}
		return []eval.Record{{Summary: eval.Summary{Set: "set", Used: len(right), Score: eval.Score(score(slices.Repeat([]float64{1}, len(right))))}, Result: eval.Result{Sample: eval.Sample{Items: items, Score: score, Values: right}}}}
	}
	of := func(share float64) []eval.Record {
		right := make([]float64, 1000)
		for i := range right {
			if float64(i) < share*1000 {
				right[i] = 1
			}
		}
		return records(right...)
	}
	// A standard error is 0.01.
	unit := yardstick(of(0.5))
	unit[0].Interval = eval.Between(0.5-0.0196, 0.5+0.0196)
	start := []measured{{0, of(0.5)}, {1, of(0.5)}}
	for _, test := range []struct {
		best      []measured
		deviation float64
		score     float64
		found     bool
	}{
		{[]measured{{4, of(0.515)}, {3, of(0.515)}}, 0.01, 1.5, true},
		{[]measured{{0, of(0.6)}}, 0.01, 2 + 0.1*math.Log(5), true},
		{[]measured{{0, of(0.515)}, {1, of(0.515)}}, 3, 1.5, false}, // seeds differ as much
		{[]measured{{0, of(0.502)}, {1, of(0.502)}}, 0, 0.2, false},
		{[]measured{{0, of(0.4)}}, 0.01, -2 - 0.1*math.Log(5), false},
	} {
		g, err := gainOf(unit, start, test.best, test.deviation, 4)
		if err != nil || math.Abs(g.Score-test.score) > 1e-4 || g.Found() != test.found || !g.Interval.Known {
			t.Errorf("%+v, %v, want %v, found %v", g, err, test.score, test.found)
		}
	}
	if g, err := gainOf(unit, start, start[:1], math.NaN(), 0); err != nil || g.Interval.Known || g.Found() {
		t.Errorf("without a second seed: %+v, %v", g, err)
	}
	if g, err := gainOf(unit, start, nil, 1, 1); g != nil || err != nil || g.Found() {
		t.Errorf("without a model: %+v, %v", g, err)
	}

	// Sets that disagree say nothing of other sets, however sure each is.
	several := func(shares ...float64) (all []eval.Record) {
		for i, share := range shares {
			r := of(share)[0]
			r.Set, r.Interval = fmt.Sprint(i), eval.Between(0.5-0.0196, 0.5+0.0196)
			all = append(all, r)
		}
		return all
	}
	start = []measured{{1, several(0.5, 0.5, 0.5)}}
	for _, test := range []struct {
		best  []float64
		score float64
		found bool
	}{
		{[]float64{0.515, 0.518, 0.512}, 1.5, true},
		{[]float64{0.9, 0.476, 0.5}, (0.1*math.Log(40./2) - 0.1*math.Log(2.4/2)) / 3, false},
		{[]float64{0.9, 0.9, 0.479}, (2 + 0.2*math.Log(40./2) - 0.1*math.Log(2.1/2)) / 3, false},
	} {
		g, err := gainOf(several(0.5, 0.5, 0.5), start, []measured{{1, several(test.best...)}}, 0.01, 4)
		if err != nil || math.Abs(g.Score-test.score) > 1e-4 || g.Found() != test.found {
			t.Errorf("%v: %+v, %v, want %v, found %v", test.best, g, err, test.score, test.found)
		}
	}
	if deviation, freedom := pooled([][]float64{{1}, {1, 3}, {2, 2, 2}}); math.Abs(deviation-math.Sqrt(2./3)) > 1e-12 || freedom != 3 {
		t.Errorf("pooled deviation %v of %d", deviation, freedom)
	}
}

func TestTuneErrors(t *testing.T) {
	unknown := eval.Set{Name: "pairs", Task: eval.TaskSimilarity, Pairs: []eval.Pair{{A: "x1", B: "x2", Score: 1}, {A: "x3", B: "x4", Score: 2}}}
	bias := eval.Set{Name: "weat", Task: eval.TaskBias}
	all := "subwords=none window=2 epochs=1 lr=0.1 sample=0 ns-exponent=1 negatives=1 draws=16 arch=cbow"
	for _, test := range []struct {
		o     TuneOptions
		given string
		want  string
	}{
		{TuneOptions{}, "", "the search needs a number of trials or a time, and not both"},
		{TuneOptions{Trials: 1, Budget: 1}, "", "the search needs a number of trials or a time, and not both"},
		{TuneOptions{Trials: 2, Sets: []eval.Set{bias}}, "", "the set weat is about bias, and a larger score of it is not better"},
		{TuneOptions{Trials: 2, Sets: []eval.Set{unknown}}, "", "the set pairs has no score: the vocabulary has all words of 0 of its 2 items"},
		{TuneOptions{Trials: 2, Dims: Range{Min: 5, Max: 5}}, "", "dimensions to try are from a number above 0 to a larger one, not from 5 to 5"},
		{TuneOptions{Trials: 2, Dims: Range{Min: 4, Max: 8}}, "nested=2,4 dim=4", "the dimensions are not searched for, because the settings that are given allow no others"},
		{TuneOptions{Trials: 2, Sets: demoSets(t)}, all, "every setting is given, so that there is nothing to search for"},
		{TuneOptions{Trials: 2, Sets: demoSets(t)}, "early-stop=2", "settings are searched for by a score at the end of training, without early stopping"},
		{TuneOptions{Budget: time.Millisecond, Sets: demoSets(t)}, "", "the time of 1ms is too short: "},
		{TuneOptions{Trials: 2, Corpus: train.Sentences([][]string{slices.Repeat([]string{"a", "b"}, 9)})}, "", errSmall.Error()},
	} {
		if _, _, err := tuning(t, test.o, strings.Fields(test.given)...); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v, %s: %v, want %s", test.o, test.given, err, test.want)
		}
	}
}

// When the search is to end, the best settings so far are the result.
func TestTuneEndsEarly(t *testing.T) {
	enough := make(chan struct{})
	o := TuneOptions{Trials: 100, Base: settingsOf(t, "dim=8 threads=1"), Enough: enough, Corpus: train.Reader("the demo", demo.Corpus(1500, demo.DefaultSeed))}
	trials := 0
	found, err := Tune(t.Context(), o, TuneHooks{Tried: func(TunedTrial, bool) {
		if trials++; trials == 2 {
			close(enough)
		}
	}})
	if err != nil || found.Vectors == nil || found.Vectors.Dim() != 8 || len(found.Trials) > 3 {
		t.Errorf("%+v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Corpus, o.Enough = train.Reader("the demo", demo.Corpus(1500, demo.DefaultSeed)), nil
	if _, err := Tune(ctx, o, TuneHooks{Tried: func(TunedTrial, bool) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}
