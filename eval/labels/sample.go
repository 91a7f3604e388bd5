package labels

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/w2v-go/w2v/eval"
)

// Estimates are the numbers of a Result that have intervals.
type Estimates struct{ Accuracy, Precision, Recall, F1, MacroF1 eval.Estimate }

// Bootstrap returns the numbers with their intervals for other texts of the same kind: see eval.Resample, also for samples
// and seed. For intervals a text of one label that is right and one that is wrong are added (Agresti and Coull 1998), so that 20
// right ones of 20 do not seem certain.
//
// The macro F1 is a mean over labels, and a rare label counts as much as any. A sample that is drawn with replacement often lacks
// it: the others then have another mean, and without the label's own F1 even the interval may begin above the estimate. So texts
// get weights instead, of which none is 0: see eval.Reweigh. Weights say nothing about the label of a single text, whose F1 is
// always 1 or 0. So each label has one text more, which is right about as often as all labels are: a posterior of F1 as that of
// Goutte and Gaussier (2005), whose prior comes from all labels.
func (r *Result) Bootstrap(samples int, seed uint64) Estimates {
	at := maps.Clone(r.ids)
	var all []outcome
	var counts []uint64
	for _, key := range slices.Sorted(maps.Keys(at)) { // the order of texts does not matter
		all, counts = append(all, outcomeOf(key)), append(counts, r.counts[at[key]])
	}
	s := newSampler(all)
	of := eval.Resample(append(counts, 1, 1), eval.Options{Resamples: samples, Seed: seed}, func(counts []uint64) []float64 {
		n := s.measure(counts[:len(all)])
		right, wrong := counts[len(all)], counts[len(all)+1]
		n.texts, n.first = n.texts+right+wrong, n.first+right
		n.Own, n.Predicted, n.Right = n.Own+right+wrong, n.Predicted+right+wrong, n.Right+right
		return []float64{n.accuracy(), n.Precision(), n.Recall(), n.F1()}
	})
	usual := 0.1 + 0.8*r.Recall() // a rare label may be much better or worse than the others
	of = append(of, eval.Reweigh(counts, eval.Options{Resamples: samples, Seed: seed}, r.MacroF1(), func(weights []uint64, g *rand.Rand) float64 {
		return s.measureWith(weights, func(label *Counts) {
			w := uint64(eval.WeightUnit * g.ExpFloat64())
			if label.Own += w; g.Float64() < usual {
				label.Right, label.Predicted = label.Right+w, label.Predicted+w
			}
		}).macroF1
	}))
	for i, value := range []float64{r.Accuracy(), r.Precision(), r.Recall(), r.F1(), r.MacroF1()} {
		if of[i].Value = eval.Score(value); value != value {
			of[i].Interval = eval.Interval{}
		}
	}
	return Estimates{of[0], of[1], of[2], of[3], of[4]}
}

// A sampler measures samples of texts with the same outcomes. Labels that no text has only count in sums, so that a sample
// takes as long as its texts, and not as its labels.
type sampler struct {
	texts  []sampled
	labels int // that some text has
}

// A sampled is an outcome. Its labels are numbers among those that some text has.
type sampled struct {
	Counts
	own, rights []int
	runs        []span
	right       bool
}

func newSampler(all []outcome) (s sampler) {
	seen := map[int]bool{}
	for _, o := range all {
		for _, id := range o.own {
			seen[id] = true
		}
	}
	had := slices.Sorted(maps.Keys(seen))
	s.labels = len(had)
	for _, o := range all {
		t := sampled{Counts: Counts{Own: uint64(len(o.own)), Predicted: o.predicted()}, right: o.right()}
		for _, id := range o.own {
			t.own = append(t.own, sort.SearchInts(had, id))
		}
		for id := range o.rights {
			t.rights = append(t.rights, sort.SearchInts(had, id))
		}
		t.Right = uint64(len(t.rights))
		for _, run := range o.runs {
			if of := (span{sort.SearchInts(had, run.first), sort.SearchInts(had, run.end)}); of.first < of.end {
				t.runs = append(t.runs, of)
			}
		}
		s.texts = append(s.texts, t)
	}
	return s
}

// A measured is what a sample of texts says.
type measured struct {
	Counts
	texts, first uint64
	macroF1      float64
}

func (m *measured) accuracy() float64 { return float64(m.first) / float64(m.texts) }

// measure measures so many texts of each outcome.
func (s *sampler) measure(counts []uint64) measured { return s.measureWith(counts, func(*Counts) {}) }

// measureWith calls more with the counts of each label, before it computes the macro F1.
func (s *sampler) measureWith(counts []uint64, more func(*Counts)) (m measured) {
	labels := make([]Counts, s.labels+1)
	for i, n := range counts {
		if n == 0 {
			continue
		}
		t := &s.texts[i]
		m.texts += n
		m.Own, m.Predicted, m.Right = m.Own+n*t.Own, m.Predicted+n*t.Predicted, m.Right+n*t.Right
		if t.right {
			m.first += n
		}
		for _, id := range t.own {
			labels[id].Own += n
		}
		for _, id := range t.rights {
			labels[id].Right += n
		}
		for _, run := range t.runs { // the difference to the label before
			labels[run.first].Predicted += n
			labels[run.end].Predicted -= n
		}
	}
	for id := 1; id < s.labels; id++ {
		labels[id].Predicted += labels[id-1].Predicted
	}
	for id := range s.labels {
		more(&labels[id])
	}
	m.macroF1 = macroF1(slices.Values(labels[:s.labels]))
	return m
}

// Compare says by how much other results differ from the first one, in accuracy, micro F1 and macro F1: on the texts that
// count for both. All have the same texts, in the same order. If all texts have one label, and one is predicted, micro F1 is
// the accuracy, and left out. A result that has no text in common with the first one is an error. Names are those of the models, and set is that of the texts. P-values of accuracies are
// McNemar's, exact; others come from the paired bootstrap of eval.Resample. Holm's correction is over all that is returned.
func Compare(set string, names []string, results []*Result, samples int, seed uint64) (all []eval.Comparison, err error) {
	first := results[0]
	for i, r := range results[1:] {
		if len(r.texts) != len(first.texts) {
			return nil, errors.New("labels: results that are compared must be of the same texts")
		}
		paired := map[[2]int32]uint64{}
		for k, a := range first.texts {
			if b := r.texts[k]; a >= 0 && b >= 0 {
				paired[[2]int32{a, b}]++
			}
		}
		var a, b []outcome
		var counts []uint64
		var items, onlyA, onlyB uint64
		single := true // each text has one label, and one is predicted
		for _, pair := range slices.SortedFunc(maps.Keys(paired), func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }) {
			of, other, count := outcomeOf(first.outcomes[pair[0]]), outcomeOf(r.outcomes[pair[1]]), paired[pair]
			a, b, counts, items = append(a, of), append(b, other), append(counts, count), items+count
			for _, o := range []outcome{of, other} {
				single = single && len(o.own) == 1 && o.predicted() == 1
			}
			switch rightA, rightB := of.right(), other.right(); {
			case rightA && !rightB:
				onlyA += count
			case rightB && !rightA:
				onlyB += count
			}
		}
		if items == 0 {
			return nil, fmt.Errorf("no text counts for both %s and %s", names[0], names[1+i])
		}
		samplerA, samplerB := newSampler(a), newSampler(b)
		numbers := func(s sampler, counts []uint64) []float64 {
			m := s.measure(counts)
			return []float64{m.accuracy(), m.F1(), m.macroF1}
		}
		scoresA, scoresB := numbers(samplerA, counts), numbers(samplerB, counts)
		differences := eval.Resample(counts, eval.Options{Resamples: samples, Seed: seed}, func(counts []uint64) []float64 {
			of, other := numbers(samplerA, counts), numbers(samplerB, counts)
			for i := range other {
				other[i] -= of[i]
			}
			return other
		})
		differences[0].PValue = eval.Score(mcNemar(onlyA, onlyB))
		for m, metric := range []string{"accuracy", "micro_f1", "macro_f1"} {
			if single && metric == "micro_f1" {
				continue
			}
			d := differences[m]
			all = append(all, eval.Comparison{
				Set: set, Task: "classification", Metric: metric, A: names[0], B: names[1+i],
				ScoreA: eval.Score(scoresA[m]), ScoreB: eval.Score(scoresB[m]), Difference: d.Value, Interval: d.Interval, PValue: d.PValue,
				Items: int(items), ItemsA: int(first.Texts), ItemsB: int(r.Texts), SetItems: int(first.All()),
				Settings: eval.Settings{Seed: seed, Resamples: samples},
			})
		}
	}
	eval.Holm(all)
	return all, nil
}

// mcNemar returns the exact two-sided p-value of the hypothesis that two models are right equally often, of texts that
// only one of them has right (McNemar 1947): the probability that so many, or more, of a+b throws of a coin are alike.
func mcNemar(a, b uint64) float64 {
	if a == b {
		return 1
	}
	throws := distuv.Binomial{N: float64(a + b), P: 0.5}
	return min(1, 2*throws.CDF(float64(min(a, b))))
}
