package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/train"
)

// A tuned is a setting that Tune searches for.
type tuned struct {
	name string
	halving.Axis
	digits int      // of the value; 0 for whole numbers
	scale  float64  // of the axis; 0 means 1
	values []string // of a setting with names: the axis is an index
	usual  float64  // where the search begins if the value does not say it
	factor bool     // the axis is a factor of what suits the text
	spelt  bool     // it says what words are composed of, which only sets can judge
}

// tunedSettings are in the order in which they are drawn. The numbers of epochs and the learning rates that suit a part of the text
// do not suit all of it, so these two are factors of what is usual for as many tokens.
var tunedSettings = []tuned{
	{name: "subwords", Axis: halving.Axis{Low: 0, High: 1, Step: 0.5}, values: []string{"none", "fasttext"}, spelt: true},
	{name: "minn", Axis: halving.Axis{Low: 2, High: 6, Step: 1}, spelt: true},
	{name: "maxn", Axis: halving.Axis{Low: 3, High: 8, Step: 1}, spelt: true},
	{name: "window", Axis: halving.Axis{Low: 1, High: 20, Step: 0.6, Log: true}},
	{name: "epochs", Axis: halving.Axis{Low: 0.25, High: 4, Step: 0.5, Log: true}, factor: true},
	{name: "lr", Axis: halving.Axis{Low: 0.1, High: 4, Step: 0.4, Log: true}, factor: true},
	{name: "sample", Axis: halving.Axis{Low: 1e-6, High: 1e-2, Step: 1.2, Log: true}, digits: 2},
	{name: "ns-exponent", Axis: halving.Axis{Low: -10, High: 20, Step: 4}, scale: 0.05, digits: 2},
	{name: "negatives", Axis: halving.Axis{Low: 1, High: 20, Step: 0.6, Log: true}},
	{name: "draws", Axis: halving.Axis{Low: 16, High: 128, Step: 0.4, Log: true}, usual: 48},
	{name: "x-max", Axis: halving.Axis{Low: 1, High: 200, Step: 0.8, Log: true}, digits: 2},
	{name: "arch", Axis: halving.Axis{Low: 0, High: 1, Step: 0.4}, values: []string{"skipgram", "cbow"}},
	{name: "dim", Axis: halving.Axis{Step: 0.6, Log: true}},
}

// text returns a value of the axis as train.Settings.Set takes it.
func (s tuned) text(x float64) string {
	if s.scale > 0 {
		x *= s.scale
	}
	switch {
	case s.values != nil:
		return s.values[int(math.Round(x))]
	case s.digits > 0:
		return strconv.FormatFloat(halving.Rounded(x, s.digits), 'g', -1, 64)
	case s.name == "dim" && x > 8: // kernels work by eights
		if least, most := 8*math.Ceil(s.Low/8), 8*math.Floor(s.High/8); least <= most {
			x = min(max(8*math.Round(x/8), least), most)
		}
	}
	return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
}

// start returns where the axis begins with these settings; ok is false if the setting cannot be searched for.
func (s *tuned) start(base train.Settings) (x float64, ok bool) {
	value := base.Value(s.name)
	switch {
	case s.factor:
		return 1, true
	case s.values != nil:
		i := slices.Index(s.values, value)
		return float64(i), i >= 0
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, false
	}
	if x == 0 && s.usual > 0 {
		x = s.usual
	}
	if s.scale > 0 {
		x = math.Round(x / s.scale)
	}
	s.Low, s.High = min(s.Low, x), max(s.High, x)
	return x, !s.Log || s.Low > 0
}

// axes returns the settings that are searched for with these settings, and where the search begins. Without evaluation sets, models are
// judged by neighbours: those of n-grams are words that are spelt alike, which are the same in both halves of any text.
func axes(base train.Settings, dims Range, sets bool) (all []tuned, start []float64) {
	ngrams := base
	if !base.Given("subwords") && ngrams.Set("subwords", "fasttext") != nil || ngrams.Complete() != nil {
		ngrams = base
	}
	for _, s := range tunedSettings {
		from := base
		switch s.name {
		case "dim":
			if s.Low, s.High = dims.Min, dims.Max; dims == (Range{}) {
				continue
			}
		case "minn", "maxn":
			from = ngrams
		}
		if s.name != "dim" && base.Given(s.name) || s.spelt && !sets {
			continue
		}
		x, ok := s.start(from)
		if !ok {
			continue
		}
		if s.name == "dim" {
			s.Low, s.High, x = dims.Min, dims.Max, min(max(x, dims.Min), dims.Max)
		}
		if !s.factor && !possible(from, s, x) {
			continue
		}
		all, start = append(all, s), append(start, x)
	}
	return all, start
}

// possible reports whether the setting can have another value, beside the settings that are given.
func possible(s train.Settings, of tuned, x float64) bool {
	other := of.High
	if x == other {
		other = of.Low
	}
	if of.name == "minn" {
		other = x // the shortest n-gram cannot be longer than the longest one
	}
	return s.Set(of.name, of.text(other)) == nil && s.Complete() == nil
}

// key returns the same text for points with the same settings at a level.
func (t *tuner) key(point []float64, level int) string {
	_, changed, err := t.settings(point, t.levels[level].trains[0].Tokens())
	if err != nil { // it fails, and not as another one
		return fmt.Sprint(point)
	}
	return fmt.Sprintf("%q", changed)
}

// settings returns the settings of a point for a text with so many tokens, and those that differ from where the search began.
func (t *tuner) settings(point []float64, tokens uint64) (train.Settings, Settings, error) {
	s := t.base
	var changed Settings
	set := func(name, value string) error {
		if value == s.Value(name) {
			return nil
		}
		changed = changed.with(name, value)
		return s.Set(name, value)
	}
	factors := map[string]float64{"epochs": 1, "lr": 1}
	at := map[string]float64{}
	for i, axis := range t.axes {
		x := point[i]
		switch {
		case axis.factor:
			factors[axis.name] = x
			continue
		case axis.name == "minn" || axis.name == "maxn":
			at[axis.name] = x
			continue
		}
		value := axis.text(x)
		if x == t.start[i] && axis.name == "dim" {
			value = strconv.FormatFloat(x, 'f', 0, 64)
		} else if value == axis.text(t.start[i]) {
			continue
		}
		if err := set(axis.name, value); err != nil {
			return s, nil, train.Spell(err, asKey)
		}
	}
	if err := s.Complete(); err != nil {
		return s, nil, train.Spell(err, asKey)
	}
	if s.Model.Subword != nil {
		if least, most, both := at["minn"], at["maxn"], at["minn"] > 0 && at["maxn"] > 0; both {
			at["minn"], at["maxn"] = min(least, most), max(least, most)
		}
		for _, name := range []string{"minn", "maxn"} {
			if x, ok := at[name]; ok {
				if err := set(name, strconv.Itoa(int(x))); err != nil {
					return s, nil, train.Spell(err, asKey)
				}
			}
		}
	}
	usual := s.Model.EpochsFor(tokens)
	if s.Model.Epochs > 0 {
		usual = s.Model.Epochs
	}
	epochs := max(1, int(math.Round(float64(usual)*factors["epochs"])))
	if epochs != usual {
		if err := set("epochs", strconv.Itoa(epochs)); err != nil {
			return s, nil, err
		}
	}
	if err := s.Complete(); err != nil {
		return s, nil, train.Spell(err, asKey)
	}
	suits := s.Model.RateFor(tokens * uint64(epochs))
	if rate := halving.Rounded(suits*factors["lr"], 2); rate != halving.Rounded(suits, 2) {
		if err := set("lr", strconv.FormatFloat(rate, 'g', -1, 64)); err != nil {
			return s, nil, err
		}
	}
	return s, changed, s.Complete()
}
