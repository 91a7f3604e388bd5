package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/ordered"
	"github.com/w2v-go/w2v/internal/temperature"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// factTemperature is a fact of a calibrated model, in its Training, as scorer.FactUnknown is.
const factTemperature = "temperature"

// Unknown is the label of texts that are less probable than the threshold of their model. Its id is -1.
const Unknown = "unknown"

// ErrNoThreshold says that no threshold has the precision that was asked for.
var ErrNoThreshold = errors.New("classify: no threshold of unknown texts can promise a precision")

// A Calibration is what held-out texts say about the probabilities of a model.
type Calibration struct {
	Texts   uint64 // that were measured
	LeftOut uint64 // without a word or n-gram that the model knows
	// Temperature is what scores are divided by. Above 1, the model was too sure.
	Temperature float64
	// LossBefore and Loss are the mean of the log loss of texts, ErrorBefore and Error the calibration error.
	LossBefore, Loss, ErrorBefore, Error float64
	// Threshold is the probability of the best label below which a text is Unknown; 0 if none was asked for. On the
	// held-out texts, the share Coverage is not below it, and of these the share Precision has the right label.
	Threshold, Coverage, Precision float64
}

// Calibrate returns a model whose probabilities are about as often right as they say: the rows of its labels are those of
// m, divided by the temperature that gives held-out texts the least log loss (Guo and others 2017). It stays near 1 if there
// are few texts, and never makes their loss larger. All formats keep that. The order of labels stays what it is; with
// hierarchical softmax, uncertain labels may change places.
//
// A precision above 0 also finds the threshold below which the most probable label is not given, but Unknown: the least
// one at which so many of the given labels are right, if another text were wrong, so that a threshold above which there are few
// texts does not seem better than it is (Angelopoulos and others 2022). A held-out text whose labels the model does not
// have makes any label wrong. The native format keeps the threshold. An earlier threshold of m does not count.
//
// Memory is that of the vectors of the texts. The returned set shares the other rows of m: close m after it.
func (m *Model) Calibrate(ctx context.Context, heldOut Corpus, fields corpus.Fields, precision float64) (*vectors.Set, Calibration, error) {
	if err := fields.Validate(true); err != nil {
		return nil, Calibration{}, err
	}
	return m.calibrate(ctx, func(yield func(reading, error) bool) {
		examples, _ := heldOut.read(ctx, fields)
		for e, err := range examples {
			if len(e.Labels) == 0 && err == nil {
				continue
			}
			if !yield(func(p *predictor) []string { p.Read([]byte(e.Text), true); return e.Labels }, err) {
				return
			}
		}
	}, precision)
}

// A reading gives a predictor a text, and returns its labels.
type reading func(*predictor) []string

// readings are the held-out texts.
func (h *heldOut) readings() iter.Seq2[reading, error] {
	return func(yield func(reading, error) bool) {
		for sentence, err := range h.sentences() {
			n := 0
			for n < len(sentence) && sentence[n][0] == labelMark[0] {
				n++
			}
			if !yield(func(p *predictor) (labels []string) {
				p.ReadWords(sentence[n:])
				for _, label := range sentence[:n] {
					labels = append(labels, label[len(labelMark):])
				}
				return labels
			}, err) {
				return
			}
		}
	}
}

// A vectorText is the vector of a text, and the labels it has that the model knows.
type vectorText struct {
	vector []float32 // nil for a text of unknown words
	own    []int
}

func checkPrecision(p float64) error {
	if !(p >= 0 && p < 1) {
		return fmt.Errorf("classify: the precision of known texts is %v, must be above 0 and below 1, or 0 for no threshold", p)
	}
	return nil
}

func (m *Model) calibrate(ctx context.Context, texts iter.Seq2[reading, error], precision float64) (set *vectors.Set, c Calibration, err error) {
	if err := checkPrecision(precision); err != nil {
		return nil, c, err
	}
	if precision > 0 && slices.Contains(m.labels, Unknown) {
		return nil, c, fmt.Errorf("classify: the model has a label %q of its own", Unknown)
	}
	err = m.set.Guard(func() error {
		all, err := m.vectorsOf(ctx, texts, &c)
		if err != nil {
			return err
		}
		known := slices.DeleteFunc(slices.Clone(all), func(t vectorText) bool { return len(t.own) == 0 })
		if len(known) == 0 {
			return errors.New("classify: no held-out text has labels and words that the model knows")
		}
		inverse, before, least, err := temperature.Least(func(by float64) (temperature.Loss, error) { return m.lossAt(ctx, known, by) })
		if err != nil {
			return err
		}
		c.LossBefore, c.Loss = before.Sum/float64(len(known)), least.Sum/float64(len(known))
		p := m.set.Parts()
		l := *p.Labels
		l.Rows = scorer.InMemory(l.Rows)
		for i := range l.Rows.Data {
			l.Rows.Data[i] = float32(float64(l.Rows.Data[i]) * inverse)
		}
		p.Labels, p.State, p.StateRows = &l, nil, nil // a run goes on from rows that are not divided
		c.Temperature = 1 / inverse
		p.Training.Set(factTemperature, c.Temperature*cmp.Or(p.Training.Float(factTemperature), 1))
		p.Training.Set(scorer.FactUnknown, 0)
		scaled, err := scorer.NewHead(p.Training.Text("loss"), &l)
		if err != nil {
			return err
		}
		for _, of := range []struct {
			by scorer.Head
			to *float64
		}{{m.core.Head(), &c.ErrorBefore}, {scaled, &c.Error}} {
			measured, _, err := m.measure(known, of.by)
			if err != nil {
				return err
			}
			*of.to = measured.CalibrationError()
		}
		if precision > 0 {
			_, firsts, err := m.measure(all, scaled)
			if err != nil {
				return err
			}
			if err := c.findThreshold(firsts, precision); err != nil {
				return err
			}
			p.Training.Set(scorer.FactUnknown, c.Threshold)
		}
		set, err = vectors.New(p)
		return err
	})
	return set, c, err
}

// vectorsOf reads texts on all processors.
func (m *Model) vectorsOf(ctx context.Context, texts iter.Seq2[reading, error], c *Calibration) (all []vectorText, err error) {
	next, stop := iter.Pull2(texts)
	defer stop()
	err = ordered.Each(ctx, func() (reading, error) {
		read, err, ok := next()
		if !ok {
			return nil, io.EOF
		}
		return read, err
	}, func(read reading, _ func(vectorText) error) (t vectorText, err error) {
		p := m.predictors.Get().(*predictor)
		defer m.predictors.Put(p)
		err = m.set.Guard(func() error {
			labels := read(p)
			if p.Err != nil || !p.Content {
				return p.Err
			}
			p.Average()
			t.vector = slices.Clone(p.Vector)
			for _, label := range labels {
				if id := m.core.LabelID(label); id >= 0 {
					t.own = append(t.own, id)
				}
			}
			return nil
		})
		return t, err
	}, func(t vectorText) error {
		if t.vector == nil {
			c.LeftOut++
			return nil
		}
		c.Texts++
		all = append(all, t)
		return nil
	})
	return all, err
}

// lossAt returns the loss of texts at scores that are multiplied by a number.
func (m *Model) lossAt(ctx context.Context, texts []vectorText, by float64) (sum temperature.Loss, err error) {
	const together = 64
	blocks, stop := iter.Pull(slices.Chunk(texts, together))
	defer stop()
	err = ordered.Each(ctx, func() ([]vectorText, error) {
		of, ok := blocks()
		if !ok {
			return nil, io.EOF
		}
		return of, nil
	}, func(of []vectorText, _ func(temperature.Loss) error) (l temperature.Loss, err error) {
		p := m.predictors.Get().(*predictor)
		defer m.predictors.Put(p)
		for _, t := range of {
			copy(p.Vector, t.vector)
			one, err := m.core.Head().Loss(p.Predictor, t.own, by)
			if err != nil {
				return l, err
			}
			l.Add(one)
		}
		return l, nil
	}, func(l temperature.Loss) error { sum.Add(l); return nil })
	if all := sum.Sum + sum.First + sum.Second; err == nil && all-all != 0 { // NaN, or infinite
		err = ErrNaN
	}
	return sum, err
}

// A first is the probability of the most probable label of a text, and whether the text has it.
type first struct {
	probability float32
	right       bool
}

// measure finds the most probable labels of texts.
func (m *Model) measure(texts []vectorText, by scorer.Head) (r *labels.Result, all []first, err error) {
	p := m.predictors.Get().(*predictor)
	defer m.predictors.Put(p)
	if r, err = labels.NewResult(m.labels, labels.Metric{}); err != nil {
		return nil, nil, err
	}
	for _, t := range texts {
		copy(p.Vector, t.vector)
		p.Best = p.Best[:0]
		if err := by.Best(p.Predictor, 1, 0); err != nil {
			return nil, nil, err
		}
		if len(p.Best) == 0 {
			return nil, nil, ErrNaN
		}
		of := first{scorer.Probability(p.Best[0].Score), slices.Contains(t.own, p.Best[0].ID)}
		all = append(all, of)
		r.Add(labels.NewOutcome(t.own, []labels.Guess{{Label: p.Best[0].ID, Probability: of.probability}}))
	}
	return r, all, nil
}

// findThreshold finds the least probability at which so many labels are right, with one more that is wrong.
func (c *Calibration) findThreshold(all []first, precision float64) error {
	slices.SortFunc(all, func(a, b first) int { return cmp.Compare(b.probability, a.probability) })
	right, most := 0, 0.0
	for i, of := range all {
		if of.right {
			right++
		}
		if i+1 < len(all) && all[i+1].probability == of.probability {
			continue
		}
		n := float64(i + 1)
		careful := float64(right) / (n + 1)
		if most = max(most, careful); careful >= precision {
			c.Threshold, c.Precision, c.Coverage = float64(of.probability), float64(right)/n, n/float64(len(all))
		}
	}
	if c.Threshold == 0 {
		return fmt.Errorf("%w of %v: %s allow %.4f at most, with another text that is wrong: ask for less, or hold out more texts",
			ErrNoThreshold, precision, wording.Count(len(all), "held-out text", "held-out texts"), most)
	}
	return nil
}
