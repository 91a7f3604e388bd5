package classify

import (
	"context"
	"encoding/binary"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Counts say how well labels were predicted.
type Counts struct {
	Own       uint64 // labels that texts have
	Predicted uint64 // labels that were predicted
	Right     uint64 // labels that texts have and that were predicted
}

// Precision returns the share of predicted labels that are right; NaN if nothing was predicted.
func (c Counts) Precision() float64 { return float64(c.Right) / float64(c.Predicted) }

// Recall returns the share of the texts' labels that were predicted; NaN if there are none.
func (c Counts) Recall() float64 { return float64(c.Right) / float64(c.Own) }

// F1 returns the harmonic mean of both; NaN if there are neither labels nor predictions.
func (c Counts) F1() float64 { return 2 * float64(c.Right) / float64(c.Own+c.Predicted) }

// A LabelResult has the counts of one label.
type LabelResult struct {
	Label string
	Counts
}

// A Result says how well a model predicts the labels of texts. Its own counts are sums over all labels, so its
// Precision, Recall and F1 are micro-averages.
type Result struct {
	Counts
	Texts   uint64 // with labels that the model knows, and with words that it knows
	LeftOut uint64 // without one of both
	First   uint64 // texts whose most probable label is right
	Labels  []LabelResult

	Bins [calibrationBins]Bin

	outcomes map[string]uint64 // how often texts had some labels, and other ones predicted: see outcome
}

// A Bin counts most probable labels of about the same probability.
type Bin struct {
	Texts, Right uint64
	Probability  float64 // the sum of probabilities
}

const calibrationBins = 15

// Accuracy returns the share of texts whose most probable label is right.
func (r *Result) Accuracy() float64 { return float64(r.First) / float64(r.Texts) }

// MacroF1 returns the mean F1 of the labels that some text has.
func (r *Result) MacroF1() float64 { return macro(r.Labels) }

func macro(labels []LabelResult) float64 {
	sum, n := 0.0, 0
	for _, l := range labels {
		if l.Own > 0 {
			sum, n = sum+l.F1(), n+1
		}
	}
	return sum / float64(n)
}

// CalibrationError returns by how much the probability of the most probable label differs from how often it is
// right, on average over texts: the expected calibration error, in 15 bins of equal width (Guo and others 2017).
func (r *Result) CalibrationError() float64 {
	var sum float64
	for _, b := range r.Bins {
		sum += math.Abs(b.Probability - float64(b.Right))
	}
	return sum / float64(r.Texts)
}

// A Test compares predictions with labels that texts have. Memory grows with the number of different outcomes.
type Test struct {
	m         *Model
	k         int
	threshold float32
	result    *Result
}

// NewTest returns a test of up to k predicted labels of at least that probability, without texts.
func (m *Model) NewTest(k int, threshold float32) *Test {
	t := &Test{m, k, threshold, &Result{outcomes: map[string]uint64{}}}
	for _, label := range m.labels {
		t.result.Labels = append(t.result.Labels, LabelResult{Label: label})
	}
	return t
}

// Add predicts labels for each line of texts, which has labels of its own. A line counts if the model knows at
// least one of its labels and of its words or n-grams, as for fastText.
func (t *Test) Add(ctx context.Context, texts io.Reader) error {
	var key []byte
	return t.m.Lines(ctx, texts, t.k, t.threshold, func(line Line) error {
		if line.Empty || len(line.Labels) == 0 {
			t.result.LeftOut++
			return nil
		}
		key = t.result.add(line, key)
		return nil
	})
}

// Result returns the result of all texts so far.
func (t *Test) Result() *Result { return t.result }

func (r *Result) add(line Line, key []byte) []byte {
	if len(line.Best) > 0 {
		best := line.Best[0]
		p := min(float64(best.Probability), 1)
		bin := &r.Bins[min(int(p*calibrationBins), calibrationBins-1)]
		bin.Texts++
		bin.Probability += p
		if slices.Contains(line.Labels, best.ID) {
			bin.Right++
		}
	}
	key = binary.AppendUvarint(key[:0], uint64(len(line.Labels)))
	for _, id := range line.Labels {
		key = binary.AppendUvarint(key, uint64(id))
	}
	for _, best := range line.Best {
		key = binary.AppendUvarint(key, uint64(best.ID))
	}
	r.outcomes[string(key)]++
	r.tally(string(key), 1)
	return key
}

// outcome returns the labels of texts, and those that were predicted.
func outcome(key string) (own, predicted []int) {
	data := []byte(key)
	next := func() int {
		x, n := binary.Uvarint(data)
		data = data[n:]
		return int(x)
	}
	for range next() {
		own = append(own, next())
	}
	for len(data) > 0 {
		predicted = append(predicted, next())
	}
	return own, predicted
}

// tally adds n texts with the same outcome.
func (r *Result) tally(key string, n uint64) {
	own, predicted := outcome(key)
	r.Texts += n
	for i, id := range predicted {
		of := &r.Labels[id]
		of.Predicted, r.Predicted = of.Predicted+n, r.Predicted+n
		if slices.Contains(own, id) {
			of.Right, r.Right = of.Right+n, r.Right+n
			if i == 0 {
				r.First += n
			}
		}
	}
	for _, id := range own {
		r.Labels[id].Own, r.Own = r.Labels[id].Own+n, r.Own+n
	}
}

// A Confusion is how often texts with one label had another label as the most probable one.
type Confusion struct {
	Own, Predicted string
	Texts          uint64
}

// Confusions returns all pairs that occurred, right ones too, the most frequent first. A text with several
// labels counts for each; Predicted is empty if nothing was predicted.
func (r *Result) Confusions() []Confusion {
	pairs := map[[2]int]uint64{}
	for key, n := range r.outcomes {
		own, predicted := outcome(key)
		best := -1
		if len(predicted) > 0 {
			best = predicted[0]
		}
		for _, id := range own {
			pairs[[2]int{id, best}] += n
		}
	}
	keys := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int {
		if pairs[a] != pairs[b] {
			return int(int64(pairs[b]) - int64(pairs[a]))
		}
		return slices.Compare(a[:], b[:])
	})
	var all []Confusion
	for _, key := range keys {
		c := Confusion{Own: r.Labels[key[0]].Label, Texts: pairs[key]}
		if key[1] >= 0 {
			c.Predicted = r.Labels[key[1]].Label
		}
		all = append(all, c)
	}
	return all
}

// An Interval is where a metric lies with 95 % confidence.
type Interval struct{ Low, High float64 }

// Intervals are those of a Result.
type Intervals struct{ Accuracy, Precision, Recall, F1, MacroF1 Interval }

// Bootstrap returns the intervals of the metrics for other texts of the same kind: the 2.5th and 97.5th
// percentiles over samples of the texts, drawn with replacement by Poisson weights. The same seed gives the
// same intervals.
func (r *Result) Bootstrap(samples int, seed uint64) (of Intervals) {
	random := rand.New(rand.NewPCG(seed, 0))
	keys := slices.Sorted(maps.Keys(r.outcomes))
	values := make([][]float64, 5)
	for range samples {
		sample := Result{Labels: make([]LabelResult, len(r.Labels))}
		for _, key := range keys {
			if n := poisson(random, float64(r.outcomes[key])); n > 0 {
				sample.tally(key, n)
			}
		}
		for i, x := range []float64{sample.Accuracy(), sample.Precision(), sample.Recall(), sample.F1(), sample.MacroF1()} {
			if !math.IsNaN(x) {
				values[i] = append(values[i], x)
			}
		}
	}
	for i, to := range []*Interval{&of.Accuracy, &of.Precision, &of.Recall, &of.F1, &of.MacroF1} {
		if n := len(values[i]); n > 0 {
			slices.Sort(values[i])
			*to = Interval{values[i][n*25/1000], values[i][min(n-1, n*975/1000)]}
		}
	}
	return of
}

// poisson returns a random number with that mean, exactly for small means, and otherwise of the normal
// distribution that is near.
func poisson(random *rand.Rand, mean float64) (n uint64) {
	if mean > 60 {
		return uint64(max(0, math.Round(mean+math.Sqrt(mean)*random.NormFloat64())))
	}
	for left := math.Exp(-mean); ; n++ {
		left /= max(random.Float64(), math.SmallestNonzeroFloat64)
		if left > 1 {
			return n
		}
	}
}
