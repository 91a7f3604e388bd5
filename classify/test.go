package classify

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
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
	Texts  uint64 // with labels that the model knows, and with words that it knows
	First  uint64 // texts whose most probable label is right
	Labels []LabelResult

	// Texts that do not count: those without a label, those whose labels the model does not know, and those with a label
	// that it knows, and no word or n-gram.
	Unlabeled, Unknown, Wordless uint64
	// UnknownLabels are how many texts have each label that the model does not know.
	UnknownLabels map[string]uint64
	// Doubtful are the texts that the model calls Unknown. They count as texts for which nothing is predicted.
	Doubtful uint64

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
	key       []byte            // the outcome of the last text; empty if it does not count
	paired    map[string]uint64 // outcomes of the first test, and of this one, of texts that count for both
}

// NewTest returns a test of up to k predicted labels of at least that probability, without texts.
func (m *Model) NewTest(k int, threshold float32) *Test {
	t := &Test{m: m, k: k, threshold: threshold, result: &Result{outcomes: map[string]uint64{}, UnknownLabels: map[string]uint64{}}, paired: map[string]uint64{}}
	for _, label := range m.labels {
		t.result.Labels = append(t.result.Labels, LabelResult{Label: label})
	}
	return t
}

// Add predicts labels for each line of texts, which has labels of its own. A line counts if the model knows at
// least one of its labels and of its words or n-grams, as for fastText.
func (t *Test) Add(ctx context.Context, texts io.Reader) error {
	return t.m.Lines(ctx, texts, t.k, t.threshold, func(line Line) error {
		t.add(line, len(line.Labels) > 0)
		return nil
	})
}

// AddRows predicts labels for the texts of rows that are not blank, and compares them with the labels of the rows. Other
// tests get the same rows: see Compare. Labels with the prefix of a model count as labels of a line as well.
func (t *Test) AddRows(ctx context.Context, rows *corpus.Rows, others ...*Test) error {
	tests := append([]*Test{t}, others...)
	var models []*Model
	for _, of := range tests {
		if models = append(models, of.m); of.k != t.k || of.threshold != t.threshold {
			return errors.New("classify: tests of the same texts must predict as many labels, of the same probability")
		}
	}
	return eachRow(ctx, models, rows, t.k, t.threshold, func(row *corpus.Row, lines []Line) error {
		if row.Blank {
			return nil
		}
		for i, of := range tests {
			line := lines[i]
			if !row.IsLine() {
				line.Labels = nil // they are words
			}
			for _, label := range row.Labels {
				if id := of.m.labelID(label); id < 0 {
					of.result.UnknownLabels[label]++
				} else if !slices.Contains(line.Labels, id) {
					line.Labels = append(line.Labels, id)
				}
			}
			if of.add(line, len(row.Labels) > 0); i > 0 && len(t.key) > 0 && len(of.key) > 0 {
				key := binary.AppendUvarint(nil, uint64(len(t.key)))
				of.paired[string(append(append(key, t.key...), of.key...))]++
			}
		}
		return nil
	})
}

// Result returns the result of all texts so far.
func (t *Test) Result() *Result { return t.result }

// add adds a text, which has labels or none.
func (t *Test) add(line Line, labelled bool) {
	r := t.result
	t.key = t.key[:0]
	switch {
	case len(line.Labels) == 0 && !labelled:
		r.Unlabeled++
		return
	case len(line.Labels) == 0:
		r.Unknown++
		return
	case line.Empty:
		r.Wordless++
		return
	}
	t.key = r.add(line, t.key)
}

// add adds a text that counts, and returns its outcome, in the memory of key.
func (r *Result) add(line Line, key []byte) []byte {
	if len(line.Best) > 0 && line.Best[0].ID < 0 {
		r.Doubtful++
		line.Best = nil
	}
	r.bin(line.Best, line.Labels)
	key = binary.AppendUvarint(key[:0], uint64(len(line.Labels)))
	for _, id := range line.Labels {
		key = binary.AppendUvarint(key, uint64(id))
	}
	for _, best := range line.Best {
		key = binary.AppendUvarint(key, uint64(best.ID))
	}
	r.outcomes[string(key)]++
	r.tally(outcomeOf(string(key)), 1)
	return key
}

// bin counts the most probable label of a text with these labels.
func (r *Result) bin(best []Prediction, own []int) {
	if len(best) == 0 {
		return
	}
	p := min(float64(best[0].Probability), 1)
	bin := &r.Bins[min(int(p*calibrationBins), calibrationBins-1)]
	bin.Texts++
	bin.Probability += p
	if slices.Contains(own, best[0].ID) {
		bin.Right++
	}
}

// An outcome is the labels of texts, and those that were predicted.
type outcome struct{ own, predicted []int }

func outcomeOf(key string) (of outcome) {
	data := []byte(key)
	next := func() int {
		x, n := binary.Uvarint(data)
		data = data[n:]
		return int(x)
	}
	for range next() {
		of.own = append(of.own, next())
	}
	for len(data) > 0 {
		of.predicted = append(of.predicted, next())
	}
	return of
}

// tally adds n texts with the same outcome.
func (r *Result) tally(o outcome, n uint64) {
	r.Texts += n
	for i, id := range o.predicted {
		of := &r.Labels[id]
		of.Predicted, r.Predicted = of.Predicted+n, r.Predicted+n
		if slices.Contains(o.own, id) {
			of.Right, r.Right = of.Right+n, r.Right+n
			if i == 0 {
				r.First += n
			}
		}
	}
	for _, id := range o.own {
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
		of := outcomeOf(key)
		best := -1
		if len(of.predicted) > 0 {
			best = of.predicted[0]
		}
		for _, id := range of.own {
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

// Metrics are the numbers of a Result that have intervals.
type Metrics struct{ Accuracy, Precision, Recall, F1, MacroF1 eval.Estimate }

// Bootstrap returns the metrics with their intervals for other texts of the same kind: see eval.Resample, also for samples
// and seed.
func (r *Result) Bootstrap(samples int, seed uint64) Metrics {
	keys := slices.Sorted(maps.Keys(r.outcomes))
	var outcomes []outcome
	var counts []uint64
	for _, key := range keys {
		outcomes, counts = append(outcomes, outcomeOf(key)), append(counts, r.outcomes[key])
	}
	all := eval.Resample(counts, eval.Options{Resamples: samples, Seed: seed}, func(counts []uint64) []float64 {
		s := sampled(outcomes, counts, len(r.Labels))
		return []float64{s.Accuracy(), s.Precision(), s.Recall(), s.F1(), s.MacroF1()}
	})
	return Metrics{all[0], all[1], all[2], all[3], all[4]}
}

// sampled returns the result of so many texts of each outcome.
func sampled(outcomes []outcome, counts []uint64, labels int) *Result {
	r := &Result{Labels: make([]LabelResult, labels)}
	for i, n := range counts {
		if n > 0 {
			r.tally(outcomes[i], n)
		}
	}
	return r
}

// Compare says by how much the models of other tests, which got the rows of the first test, differ from the model of the
// first, in accuracy, micro F1 and macro F1: on the texts that count for both models. If all of these have one label, and
// one is predicted, micro F1 is the accuracy, and left out. Names are those of the models, in the order of the tests, and
// set is that of the texts. P-values of accuracies are McNemar's, exact; others come from the
// paired bootstrap of eval.Resample.
func Compare(set string, names []string, tests []*Test, samples int, seed uint64) (all []eval.Comparison) {
	first := tests[0]
	for i, t := range tests[1:] {
		keys := slices.Sorted(maps.Keys(t.paired))
		var a, b []outcome
		var counts []uint64
		var items, onlyA, onlyB uint64
		single := true // each text has one label, and one is predicted
		for _, key := range keys {
			size, n := binary.Uvarint([]byte(key))
			a, b = append(a, outcomeOf(key[n:n+int(size)])), append(b, outcomeOf(key[n+int(size):]))
			count := t.paired[key]
			counts, items = append(counts, count), items+count
			for _, o := range []outcome{a[len(a)-1], b[len(b)-1]} {
				single = single && len(o.own) == 1 && len(o.predicted) == 1
			}
			switch rightA, rightB := a[len(a)-1].right(), b[len(b)-1].right(); {
			case rightA && !rightB:
				onlyA += count
			case rightB && !rightA:
				onlyB += count
			}
		}
		metrics := func(r *Result) []float64 { return []float64{r.Accuracy(), r.F1(), r.MacroF1()} }
		both := func(counts []uint64) (of, other []float64) {
			return metrics(sampled(a, counts, len(first.m.labels))), metrics(sampled(b, counts, len(t.m.labels)))
		}
		scoresA, scoresB := both(counts)
		differences := eval.Resample(counts, eval.Options{Resamples: samples, Seed: seed}, func(counts []uint64) []float64 {
			of, other := both(counts)
			for i := range other {
				other[i] -= of[i]
			}
			return other
		})
		differences[0].PValue = eval.Score(eval.McNemar(onlyA, onlyB))
		for m, metric := range []string{"accuracy", "micro_f1", "macro_f1"} {
			if single && metric == "micro_f1" {
				continue
			}
			d := differences[m]
			all = append(all, eval.Comparison{
				Set: set, Task: "classification", Metric: metric, A: names[0], B: names[1+i],
				ScoreA: eval.Score(scoresA[m]), ScoreB: eval.Score(scoresB[m]), Difference: d.Value, Interval: d.Interval, PValue: d.PValue,
				Items: int(items), ItemsA: int(first.result.Texts), ItemsB: int(t.result.Texts), SetItems: int(first.result.All()),
				Settings: eval.Settings{Seed: seed, Resamples: samples},
			})
		}
	}
	eval.Holm(all)
	return all
}

// right reports whether the most probable label is one of the texts.
func (o outcome) right() bool { return len(o.predicted) > 0 && slices.Contains(o.own, o.predicted[0]) }

// All returns the number of texts, those that do not count too.
func (r *Result) All() uint64 { return r.Texts + r.LeftOut() }

// LeftOut returns the number of texts that do not count.
func (r *Result) LeftOut() uint64 { return r.Unlabeled + r.Unknown + r.Wordless }
