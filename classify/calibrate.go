package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/vectors"
)

// Facts of a calibrated model, in its Training.
const (
	factTemperature = "temperature"
	factUnknown     = "unknown_threshold"
)

// Unknown is the label of texts that are less probable than the threshold of their model. Its id is -1.
const Unknown = "unknown"

// ErrNoThreshold says that no threshold has the precision that was asked for.
var ErrNoThreshold = errors.New("classify: no threshold of unknown texts has, on the held-out texts, a precision")

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
// m, divided by the temperature that gives held-out texts the least log loss (Guo and others 2017). All formats keep that.
// The order of labels stays what it is; with hierarchical softmax, uncertain labels may change places.
//
// A precision above 0 also finds the threshold below which the most probable label is not given, but Unknown: the least
// one at which so many of the given labels are right. A held-out text whose labels the model does not have makes any
// label wrong. The native format keeps the threshold. An earlier threshold of m does not count.
//
// Memory is that of the vectors of the texts. The returned set shares the other rows of m: close m after it.
func (m *Model) Calibrate(ctx context.Context, heldOut Corpus, fields corpus.Fields, precision float64) (*vectors.Set, Calibration, error) {
	if err := fields.Validate(true); err != nil {
		return nil, Calibration{}, err
	}
	return m.calibrate(ctx, func(yield func(reading, error) bool) {
		for e, err := range heldOut.read(ctx, fields) {
			if len(e.Labels) == 0 && err == nil {
				continue
			}
			if !yield(func(p *predictor) []string { p.read([]byte(e.Text), true); return e.Labels }, err) {
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
		for sentence, err := range h.sentences(h.ids) {
			n := 0
			for n < len(sentence) && sentence[n][0] == labelMark[0] {
				n++
			}
			if !yield(func(p *predictor) (labels []string) {
				p.readWords(sentence[n:])
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
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("classify: the precision of known texts is %v, must be above 0 and at most 1, or 0 for no threshold", p)
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
		inverse, err := m.leastLoss(ctx, known, &c)
		if err != nil {
			return err
		}
		p := m.set.Parts()
		l := *p.Labels
		l.Rows = inMemory(l.Rows)
		for i := range l.Rows.Data {
			l.Rows.Data[i] = float32(float64(l.Rows.Data[i]) * inverse)
		}
		p.Labels, p.State, p.StateRows = &l, nil, nil // a run goes on from rows that are not divided
		c.Temperature = 1 / inverse
		p.Training.Set(factTemperature, c.Temperature*cmp.Or(p.Training.Float(factTemperature), 1))
		p.Training.Set(factUnknown, 0)
		scaled, err := newScorer(p.Training.Text("loss"), &l)
		if err != nil {
			return err
		}
		if _, c.ErrorBefore, err = m.firsts(known, m.score); err != nil {
			return err
		}
		if _, c.Error, err = m.firsts(known, scaled); err != nil {
			return err
		}
		if precision > 0 {
			best, _, err := m.firsts(all, scaled)
			if err != nil {
				return err
			}
			if err := c.leastThreshold(best, precision); err != nil {
				return err
			}
			p.Training.Set(factUnknown, c.Threshold)
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
	err = inOrder(ctx, func() (reading, error) {
		read, err, ok := next()
		if !ok {
			return nil, io.EOF
		}
		return read, err
	}, func(read reading) (t vectorText, err error) {
		p := m.predictors.Get().(*predictor)
		defer m.predictors.Put(p)
		err = m.set.Guard(func() error {
			labels := read(p)
			if p.err != nil || p.n == 0 {
				return p.err
			}
			p.average()
			t.vector = slices.Clone(p.hidden)
			for _, label := range labels {
				if id := m.labelID(label); id >= 0 {
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

// A slope is a sum of losses, and of their first and second derivatives by what scores are multiplied by.
type slope struct{ loss, first, second float64 }

func (s *slope) add(of slope) {
	s.loss, s.first, s.second = s.loss+of.loss, s.first+of.first, s.second+of.second
}

// mostInverse is the largest number that scores are multiplied by, and its inverse the least.
const mostInverse = 256

// leastLoss returns what scores must be multiplied by for the least loss, by Newton's method: the loss is convex. Labels
// are a little less than certain (Platt 2000), so that texts without an error have a minimum too.
func (m *Model) leastLoss(ctx context.Context, texts []vectorText, c *Calibration) (by float64, err error) {
	doubt := 1 / float64(len(texts)+2)
	low, high := 1.0/mostInverse, float64(mostInverse)
	by = 1
	for round := 0; ; round++ {
		s, err := m.slopeAt(ctx, texts, by, doubt)
		if err != nil {
			return 0, err
		}
		c.Loss = s.loss / float64(len(texts))
		if round == 0 {
			c.LossBefore = c.Loss
		}
		next := by - s.first/s.second
		if s.first > 0 {
			high = by
		} else {
			low = by
		}
		if !(next > low && next < high) {
			next = math.Sqrt(low * high)
		}
		if math.Abs(next-by) < 1e-4*by || round == 50 {
			return by, nil
		}
		by = next
	}
}

func (m *Model) slopeAt(ctx context.Context, texts []vectorText, by, doubt float64) (sum slope, err error) {
	const together = 64
	err = inOrder(ctx, func() (of []vectorText, err error) {
		if len(texts) == 0 {
			return nil, io.EOF
		}
		n := min(together, len(texts))
		of, texts = texts[:n], texts[n:]
		return of, nil
	}, func(of []vectorText) (s slope, err error) {
		p := m.predictors.Get().(*predictor)
		defer m.predictors.Put(p)
		for _, t := range of {
			copy(p.hidden, t.vector)
			one, err := m.score.slope(p, t.own, by, doubt)
			if err != nil {
				return s, err
			}
			s.add(one)
		}
		return s, nil
	}, func(s slope) error { sum.add(s); return nil })
	return sum, err
}

// products sets p.scores to the products of the text's vector and n rows.
func (o *output) products(p *predictor, n int) error {
	if len(p.scores) != n {
		p.scores = make([]float32, n)
	}
	return o.multiply(p.scores, p.hidden)
}

func (f flat) slope(p *predictor, own []int, by, doubt float64) (s slope, err error) {
	if err := f.products(p, f.labels); err != nil {
		return s, err
	}
	if f.each {
		for id, x := range p.scores {
			s.add(sideSlope(float64(x), slices.Contains(own, id), by, doubt))
		}
		return s, nil
	}
	most := float64(slices.Max(p.scores)) * by
	var sum, first, second, right, mean float64
	for _, score := range p.scores {
		x := float64(score)
		e := math.Exp(x*by - most)
		sum, first, second, mean = sum+e, first+e*x, second+e*x*x, mean+x/float64(len(p.scores))
	}
	for _, id := range own {
		right += float64(p.scores[id]) / float64(len(own))
	}
	first, second = first/sum, second/sum
	return slope{math.Log(sum) + most - right*by, first - (1-doubt)*right - doubt*mean, second - first*first}, nil
}

func (t *tree) slope(p *predictor, own []int, by, doubt float64) (s slope, err error) {
	for _, label := range own {
		t.path(label, func(node int, right bool) {
			of := sideSlope(float64(t.dot(p.hidden, node)), right, by, doubt)
			n := float64(len(own))
			s.add(slope{of.loss / n, of.first / n, of.second / n})
		})
	}
	if s.loss != s.loss {
		return s, ErrNaN
	}
	return s, nil
}

// sideSlope is the slope of a logistic loss.
func sideSlope(x float64, yes bool, by, doubt float64) slope {
	p, z, target := 1/(1+math.Exp(-x*by)), x*by, doubt
	if yes {
		z, target = -z, 1-doubt
	}
	loss := math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0)
	return slope{loss, x * (p - target), x * x * p * (1 - p)}
}

// A first is the probability of the most probable label of a text, and whether the text has it.
type first struct {
	probability float32
	right       bool
}

// firsts returns the most probable labels of texts, and their calibration error.
func (m *Model) firsts(texts []vectorText, by scorer) (all []first, calibration float64, err error) {
	p := m.predictors.Get().(*predictor)
	defer m.predictors.Put(p)
	r, err := labels.NewResult(m.labels, labels.Metric{})
	if err != nil {
		return nil, 0, err
	}
	for _, t := range texts {
		copy(p.hidden, t.vector)
		p.best = p.best[:0]
		if err := by.best(p, 1, 0); err != nil {
			return nil, 0, err
		}
		var of []labels.Guess
		for _, e := range p.best { // none if the score is not a number
			of = append(of, labels.Guess{Label: e.ID, Probability: exp32(e.Score)})
			all = append(all, first{of[0].Probability, slices.Contains(t.own, e.ID)})
		}
		r.Add(labels.NewOutcome(t.own, of))
	}
	return all, r.CalibrationError(), nil
}

// leastThreshold finds the least probability at which so many labels are right.
func (c *Calibration) leastThreshold(all []first, precision float64) error {
	slices.SortFunc(all, func(a, b first) int { return cmp.Compare(b.probability, a.probability) })
	right, most := 0, 0.0
	for i, of := range all {
		if of.right {
			right++
		}
		if i+1 < len(all) && all[i+1].probability == of.probability {
			continue
		}
		if p := float64(right) / float64(i+1); p >= precision {
			c.Threshold, c.Precision, c.Coverage = float64(of.probability), p, float64(i+1)/float64(len(all))
		} else {
			most = max(most, p)
		}
	}
	if c.Threshold == 0 {
		return fmt.Errorf("%w of %v: %.4f is the most", ErrNoThreshold, precision, most)
	}
	return nil
}
