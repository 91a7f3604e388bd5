package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/vocab"
)

// A Metric is what Tune makes as large as it can. Its zero value is the micro-averaged F1. Results are from 0 to 1.
type Metric struct {
	Kind  MetricKind // empty means MetricF1
	At    float64    // the least precision of MetricRecallAtPrecision, the least recall of MetricPrecisionAtRecall
	Label string     // the label that counts; empty for all
}

// A MetricKind is the name of a metric.
type MetricKind string

// The metrics. Those at a precision or a recall are the best over all thresholds, and 0 if there is none. The AUC is the area
// under the ROC curve; without a label it is the mean over labels.
const (
	MetricF1                MetricKind = "f1"       // of all labels together, or of one label
	MetricMacroF1           MetricKind = "macro-f1" // the mean over labels
	MetricAccuracy          MetricKind = "accuracy" // of the most probable label
	MetricRecallAtPrecision MetricKind = "recall-at-precision"
	MetricPrecisionAtRecall MetricKind = "precision-at-recall"
	MetricAUC               MetricKind = "auc"
)

// ParseMetric parses f1, f1:LABEL, macro-f1, accuracy, recall-at-precision:P, recall-at-precision:P:LABEL,
// precision-at-recall:R, precision-at-recall:R:LABEL, auc or auc:LABEL.
func ParseMetric(text string) (m Metric, err error) {
	kind, rest, more := strings.Cut(text, ":")
	m = Metric{Kind: MetricKind(kind), Label: rest}
	switch m.Kind {
	case MetricF1, MetricAUC:
		if more && rest == "" {
			err = errors.New("the label is empty")
		}
	case MetricMacroF1, MetricAccuracy:
		if more {
			err = fmt.Errorf("%s is of all labels", kind)
		}
	case MetricRecallAtPrecision, MetricPrecisionAtRecall:
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

// ranks reports whether the metric depends on the order of probabilities, and not only on the most probable labels.
func (m Metric) ranks() bool {
	return m.Kind == MetricAUC || m.Kind == MetricRecallAtPrecision || m.Kind == MetricPrecisionAtRecall
}

var errUntested = errors.New("classify: no text of the validation has a label that is trained")

// A guess is the probability of a label, and whether a text has it.
type guess struct {
	probability float32
	right       bool
}

// evaluate returns the metric of a model on the texts of ids, and what it is made of, with k labels of a text; 0 for 1, or all if the metric ranks them.
func (x *cache) evaluate(ctx context.Context, m *Model, ids *vocab.IDs, by Metric, k, threads int) (float64, *Result, error) {
	label := -1
	if by.Label != "" {
		if label = slices.Index(m.labels, by.Label); label < 0 {
			return 0, nil, fmt.Errorf("classify: the metric is that of label %q, and no text that is trained has it", by.Label)
		}
	}
	if k == 0 && !by.ranks() {
		k = 1
	}
	labels := x.labelsOf(m)
	var mu sync.Mutex
	result := m.NewTest(k, 0).Result()
	guesses := map[int][]guess{}
	var key []byte
	add := func(p *predictor) {
		mu.Lock()
		defer mu.Unlock()
		if p.n == 0 || len(p.labels) == 0 {
			result.Wordless++
			return
		}
		p.named = p.name(p.named[:0])
		key = result.add(Line{Best: p.named, Labels: p.labels}, key)
		for _, best := range p.named {
			if by.ranks() && (label < 0 || label == best.ID) {
				guesses[best.ID] = append(guesses[best.ID], guess{min(best.Probability, 1), slices.Contains(p.labels, best.ID)})
			}
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	threads = max(1, min(threads, ids.Chunks()))
	for worker := range threads {
		group.Go(func() error {
			p, reader := m.predictors.Get().(*predictor), ids.Reader()
			defer m.predictors.Put(p)
			p.begin()
			for chunk := worker; chunk < ids.Chunks() && ctx.Err() == nil; chunk += threads {
				for _, piece := range reader.Chunk(chunk) {
					for _, of := range piece {
						id := int(of &^ vocab.EndOfSentence)
						if at, is := labels[id]; !is {
							p.token([]byte(x.tokens.Token(id)))
						} else if at >= 0 {
							p.labels = append(p.labels, at)
						}
						if of&vocab.EndOfSentence == 0 {
							continue
						}
						p.addRuns()
						if err := p.predict(k, 0); err != nil {
							return err
						}
						add(p)
						p.begin()
					}
				}
			}
			return errors.Join(ctx.Err(), ids.Err())
		})
	}
	if err := group.Wait(); err != nil {
		return 0, nil, err
	}
	if result.Texts == 0 {
		return 0, nil, errUntested
	}
	return by.of(result, label, guesses), result, nil
}

// labelsOf returns the labels of the tokens that are labels; -1 for those that the model does not know.
func (x *cache) labelsOf(m *Model) map[int]int {
	named, labels := map[string]int{}, map[int]int{}
	for id, name := range m.labels {
		named[name] = id + 1
	}
	for id, token := range x.tokens.Tokens() {
		if name, is := cutMark(token); is {
			labels[id] = named[name] - 1
		}
	}
	return labels
}

func (m Metric) of(r *Result, label int, guesses map[int][]guess) (score float64) {
	switch counts := r.Counts; m.Kind {
	case MetricAccuracy:
		score = r.Accuracy()
	case MetricMacroF1:
		score = r.MacroF1()
	case MetricAUC:
		areas := 0
		for id, all := range guesses {
			if own := r.Labels[id].Own; own > 0 && own < r.Texts {
				areas++
				score += area(all, float64(own), float64(r.Texts-own))
			}
		}
		score /= float64(areas)
	case MetricRecallAtPrecision, MetricPrecisionAtRecall:
		var all []guess
		for _, of := range guesses {
			all = append(all, of...)
		}
		if label >= 0 {
			counts = r.Labels[label].Counts
		}
		fall(all, func(right, wrong float64) {
			precision, recall := right/(right+wrong), right/float64(counts.Own)
			if m.Kind == MetricPrecisionAtRecall {
				precision, recall = recall, precision
			}
			if precision >= m.At {
				score = max(score, recall)
			}
		})
	default:
		if label >= 0 {
			counts = r.Labels[label].Counts
		}
		score = counts.F1()
	}
	if math.IsNaN(score) {
		return 0
	}
	return score
}

// fall calls point with how many guesses are right and wrong at each threshold, from the highest to the lowest.
func fall(all []guess, point func(right, wrong float64)) {
	slices.SortFunc(all, func(a, b guess) int {
		switch {
		case a.probability > b.probability:
			return -1
		case a.probability < b.probability:
			return 1
		}
		return 0
	})
	right, wrong := 0.0, 0.0
	for i, g := range all {
		if g.right {
			right++
		} else {
			wrong++
		}
		if i+1 == len(all) || all[i+1].probability < g.probability {
			point(right, wrong)
		}
	}
}

// area returns the area under the ROC curve of guesses for texts of which so many have the label, and others do not. Texts
// without a guess come last.
func area(all []guess, with, without float64) (sum float64) {
	before, wrongs := 0.0, 0.0
	step := func(right, wrong float64) {
		sum += (wrong - wrongs) * (before + right) / 2
		before, wrongs = right, wrong
	}
	fall(all, step)
	step(with, without)
	return sum / with / without
}
