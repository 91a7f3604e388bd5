package labels

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Metric is one number that says how good predictions are. Its zero value is the micro-averaged F1.
type Metric struct {
	Kind  Kind    // empty means F1
	At    float64 // the least precision of RecallAtPrecision, the least recall of PrecisionAtRecall
	Label string  // the label that counts; empty for all
}

// A Kind is the name of a metric.
type Kind string

// The metrics, from 0 to 1. RecallAtPrecision is the largest recall of all thresholds at which the precision is at least
// so much, and 0 if there is none; PrecisionAtRecall is the reverse. AUC is the area under the ROC curve: of a label, how
// often a text that has it is given a larger probability of it than a text that has it not, where equal ones count half
// (Hanley and McNeil 1982); without a label, the mean over the labels that some texts have and others have not.
const (
	F1                Kind = "f1"       // of all labels together, or of one label
	MacroF1           Kind = "macro-f1" // the mean over labels
	Accuracy          Kind = "accuracy" // of the most probable label
	RecallAtPrecision Kind = "recall-at-precision"
	PrecisionAtRecall Kind = "precision-at-recall"
	AUC               Kind = "auc"
)

// ParseMetric parses f1, f1:LABEL, macro-f1, accuracy, recall-at-precision:P, recall-at-precision:P:LABEL,
// precision-at-recall:R, precision-at-recall:R:LABEL, auc or auc:LABEL.
func ParseMetric(text string) (m Metric, err error) {
	kind, rest, more := strings.Cut(text, ":")
	m = Metric{Kind: Kind(kind), Label: rest}
	switch m.Kind {
	case F1, AUC:
		if more && rest == "" {
			err = errors.New("the label is empty")
		}
	case MacroF1, Accuracy:
		if more {
			err = fmt.Errorf("%s is of all labels", kind)
		}
	case RecallAtPrecision, PrecisionAtRecall:
		var at string
		at, m.Label, more = strings.Cut(rest, ":")
		if m.At, err = strconv.ParseFloat(at, 64); err != nil || !(m.At > 0 && m.At <= 1) {
			err = fmt.Errorf("%q is not above 0 and at most 1", at)
		} else if more && m.Label == "" {
			err = errors.New("the label is empty")
		}
	default:
		err = errors.New("metrics are f1, macro-f1, accuracy, f1:LABEL, recall-at-precision:P[:LABEL], precision-at-recall:R[:LABEL] and auc[:LABEL]")
	}
	if err != nil {
		return m, fmt.Errorf("metric %q: %w", text, err)
	}
	return m, nil
}

// String returns the metric as ParseMetric takes it.
func (m Metric) String() string {
	parts := []string{string(cmp.Or(m.Kind, F1))}
	if m.At > 0 {
		parts = append(parts, strconv.FormatFloat(m.At, 'g', -1, 64))
	}
	if m.Label != "" {
		parts = append(parts, m.Label)
	}
	return strings.Join(parts, ":")
}

// Ranks reports whether the metric depends on the order of probabilities, and not only on the most probable labels:
// whether Rank must be given each text.
func (m Metric) Ranks() bool {
	return m.Kind == AUC || m.Kind == RecallAtPrecision || m.Kind == PrecisionAtRecall
}

// ranks are the probabilities that a metric needs.
type ranks struct {
	by    Metric
	label int // of the metric, or −1
	// scores are probabilities by label, or only those of one label, or those of all labels together. Wrong ones have a
	// minus sign, which 0 may have too.
	scores [][]float32
	room   int // for more of them
	// ranked are the texts that were added, and with those that have each label, of an AUC.
	ranked uint64
	with   []uint64
	areas  []float64 // by label, once they are asked for
}

// mostScores are 1 GiB.
const mostScores = 1 << 28

func (m Metric) ranks(names []string) (r ranks, err error) {
	r = ranks{by: m, label: -1, room: mostScores}
	if m.Label != "" {
		if r.label = slices.Index(names, m.Label); r.label < 0 {
			return r, fmt.Errorf("labels: no label %q, whose %s is measured", m.Label, m.Kind)
		}
	}
	if m.Ranks() {
		r.scores = make([][]float32, 1)
	}
	if m.Kind == AUC {
		r.with = make([]uint64, len(names))
		if r.label < 0 {
			r.scores = make([][]float32, len(names))
		}
	}
	return r, nil
}

// Rank adds the probabilities of a text that has the labels own, and that Add is given too. Of labels without a
// probability, it takes for known that they are less probable than all others. Memory is 4 bytes for each probability of a label
// that counts; beyond 1 GiB there is an error. It does nothing if the metric does not need it.
func (r *Result) Rank(own []int, all []Guess) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ranked, r.areas = r.ranked+1, nil
	for i, id := range own {
		if r.with != nil && !slices.Contains(own[:i], id) {
			r.with[id]++
		}
	}
	for _, g := range all {
		if r.scores == nil || r.label >= 0 && r.label != g.Label || g.Label < 0 || g.Probability != g.Probability {
			continue
		}
		if r.room--; r.room < 0 {
			return fmt.Errorf("labels: the probabilities of all labels of %d texts, which %s is found by, are more than 1 GiB: measure fewer texts, or another metric", r.ranked, r.by.Kind)
		}
		at, p := 0, g.Probability
		if r.by.Kind == AUC && r.label < 0 {
			at = g.Label
		}
		if !slices.Contains(own, g.Label) {
			p = -p
		}
		r.scores[at] = append(r.scores[at], p)
	}
	return nil
}

// Score returns the metric that the result was made for. Where nothing is to be found or was predicted it is 0, but for the
// AUC, which is NaN if there is no label that some texts have and others have not.
func (r *Result) Score() float64 {
	counts := r.Counts
	if r.label >= 0 {
		counts = r.Labels[r.label].Counts
	}
	score := 0.0
	switch r.by.Kind {
	case Accuracy:
		score = r.Accuracy()
	case MacroF1:
		score = r.MacroF1()
	case AUC:
		if r.label >= 0 {
			return r.LabelAUC(r.label)
		}
		return r.MacroAUC()
	case RecallAtPrecision, PrecisionAtRecall:
		fall(r.scores[0], func(right, wrong uint64) {
			precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(counts.Own)
			if r.by.Kind == PrecisionAtRecall {
				precision, recall = recall, precision
			}
			if precision >= r.by.At {
				score = max(score, recall)
			}
		})
	default:
		score = counts.F1()
	}
	if math.IsNaN(score) {
		return 0
	}
	return score
}

// HasAUC reports whether the result was made for the AUC of all labels.
func (r *Result) HasAUC() bool { return r.by.Kind == AUC && r.label < 0 }

// MacroAUC returns the mean AUC of labels for which it is defined; NaN if there is none, or if the metric is not AUC.
func (r *Result) MacroAUC() float64 {
	sum, n := 0.0, 0
	for id := range r.Labels {
		if area := r.LabelAUC(id); !math.IsNaN(area) {
			sum, n = sum+area, n+1
		}
	}
	return sum / float64(n)
}

// LabelAUC returns the AUC of a label, by its number; NaN if all texts or none have the label, or if the metric is not AUC,
// or that of another label.
func (r *Result) LabelAUC(id int) float64 {
	if r.areas == nil {
		r.areas = make([]float64, len(r.Labels))
		for i := range r.areas {
			r.areas[i] = r.area(i)
		}
	}
	return r.areas[id]
}

func (r *Result) area(id int) float64 {
	at := id
	if r.label >= 0 {
		at = 0
	}
	if r.by.Kind != AUC || r.label >= 0 && r.label != id || r.with[id] == 0 || r.with[id] == r.ranked {
		return math.NaN()
	}
	with, without := r.with[id], r.ranked-r.with[id]
	var twice, rights, wrongs uint64 // pairs of a right and a less probable wrong one count 2, equal ones 1
	step := func(right, wrong uint64) {
		twice += (wrong - wrongs) * (rights + right)
		rights, wrongs = right, wrong
	}
	fall(r.scores[at], step)
	step(with, without)
	return float64(twice) / 2 / float64(with) / float64(without)
}

// fall calls point with how many guesses are right and wrong at each threshold, from the highest to the lowest. It sorts
// scores.
func fall(scores []float32, point func(right, wrong uint64)) {
	size := func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
	slices.SortFunc(scores, func(a, b float32) int { return cmp.Compare(size(b), size(a)) })
	var right, wrong uint64
	for i, x := range scores {
		if math.Signbit(float64(x)) {
			wrong++
		} else {
			right++
		}
		if i+1 == len(scores) || size(scores[i+1]) < size(x) {
			point(right, wrong)
		}
	}
}
