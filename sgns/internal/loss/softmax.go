package loss

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// FullSoftmax predicts the distribution of an input's targets over all words. The scores of a block are a product of two
// matrices, and the sum of exponential functions is exact. Errors of improbable words are rounded at random.
var FullSoftmax = Kind{
	Name: "softmax",
	Help: "softmax over all words, for vocabularies of some thousands",
	New:  func(settings.Run) Loss { return &fullSoftmax{} },
}

type fullSoftmax struct {
	allOutputs
	rows  []uint32 // all
	signs []float32
}

func (*fullSoftmax) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{capability.OneHead: "the softmax is over one output row of each word"},
		Lacks: map[capability.Capability]string{
			capability.Divides: "the softmax scores all outputs",
			capability.Columns: "the softmax scores all outputs",
		},
	}
}

func (*fullSoftmax) Most(targets, _ int, v *vocab.Vocab) (positives, negatives float64) {
	return float64(targets), float64(v.Len())
}

// An Exhaustive loss scores all words for each token.
type Exhaustive interface{ ScoresAll() }

func (*fullSoftmax) ScoresAll() {}

// A Rounded is a loss that rounds errors as it suits the loss.
type Rounded interface {
	// Threshold is the size of errors of negatives, as a share of the weight, below which they are rounded.
	Threshold() float32
}

// Threshold is the probability below which the error of a word is rounded, at random and without bias, to that of the threshold
// or to 0. So an input moves at most some hundred rows, and the noise is far below that of the targets themselves.
func (*fullSoftmax) Threshold() float32 { return softmaxThreshold }

const softmaxThreshold = 0.01

func (l *fullSoftmax) Prepare(v *vocab.Vocab) {
	l.rows, l.signs = make([]uint32, v.Len()), make([]float32, v.Len())
	for i := range l.rows {
		l.rows[i], l.signs[i] = uint32(i), -1
	}
}

func (*fullSoftmax) PreparedBytes(v *vocab.Vocab) float64 { return (4 + 4) * float64(v.Len()) }

// ZeroScore is the loss of equal probabilities.
func (*fullSoftmax) ZeroScore(v *vocab.Vocab) float64 { return math.Log(float64(max(v.Len(), 2))) }

func (*fullSoftmax) Scored() bool { return true }

func (*fullSoftmax) Bytes(int) float64 { return 256 }

func (l *fullSoftmax) Worker(p step.Parts) step.Loss {
	return &fullSoftmaxWorker{everyLabel: everyLabel{l.rows}, signs: l.signs, targets: p.Traits.Targets}
}

type fullSoftmaxWorker struct {
	everyLabel
	signs   []float32           // -1 for each row
	targets int                 // largest number in a block
	block   int                 // inputs
	added   [simd.Lanes]float64 // to the scores of an input: see expected
}

var _ step.Rounder = (*fullSoftmaxWorker)(nil)

func (w *fullSoftmaxWorker) Pairs() (positives, negatives int) { return w.targets, len(w.rows) }

// Pair makes targets positives, whose errors are their weights, and all words negatives, whose errors are what the softmax
// expects of them.
func (w *fullSoftmaxWorker) Pair(b *step.Batch, rate float32) {
	yes, no := &b.Positives, &b.Negatives
	yes.Rows, yes.With = b.Words, b.Inputs
	no.Rows, no.With = w.rows, no.With[:len(w.rows)]
	if inputs := len(b.Centres); inputs != w.block {
		w.block = inputs
		for j := range no.With {
			no.With[j] = uint16(1<<inputs - 1)
		}
	}
	w.added = [simd.Lanes]float64{}
	for i, n := range b.Each[:w.block] {
		yes.Weights[i] = rate * b.Weight[i]
		no.Weights[i] = yes.Weights[i] * n
	}
}

func (w *fullSoftmaxWorker) Objective() step.Objective { return w }

// Rounds says that Errors rounds.
func (*fullSoftmaxWorker) Rounds() {}

// Errors sets the errors of targets to their weights, and those of all words to minus their probabilities times the weights.
func (w *fullSoftmaxWorker) Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) (loss float64) {
	if !p.Positive {
		return w.expected(errors, scores, p, wantLoss)
	}
	for j, with := range p.With {
		p.Kept[j] = with
		for i, weight := range p.Weights {
			at := j*simd.Lanes + i
			errors[at] = 0
			if with>>i&1 == 0 {
				continue
			}
			errors[at] = weight
			if wantLoss {
				loss -= float64(weight) * float64(scores[at])
			}
		}
	}
	return loss
}

// far is so large that σ(x-far) is exp(x-far), in float32, for x up to 0.
const far = 17

const expFar = 24154952.7535753 // exp(far)

// expected sets errors to minus probabilities, times weights. Kernels of logistic regression find them in two passes: the first
// one for the sum of exponential functions. Scores then have another number added for each input, which does not matter where
// scores of more columns are added to them, because a softmax stays the same.
func (w *fullSoftmaxWorker) expected(errors, scores []float32, p simd.Pairs, wantLoss bool) (loss float64) {
	n := len(p.Rows) * simd.Lanes
	errors, scores = errors[:n], scores[:n]
	var most, by, sum, weights [simd.Lanes]float32
	copy(most[:], scores)
	for rows := scores; len(rows) >= simd.Lanes; rows = rows[simd.Lanes:] {
		for i, x := range (*[simd.Lanes]float32)(rows) {
			if x > most[i] {
				most[i] = x
			}
		}
	}
	pass := p
	pass.Weights, pass.Rounding = weights[:], simd.Rounding{}
	for i := range weights {
		weights[i], by[i] = 1, -far-most[i]
	}
	logistic(errors, scores, &by, pass)
	simd.Gather(sum[:], errors, simd.Lanes, w.rows, w.signs)
	for i := range w.block {
		log := math.Log(float64(sum[i]))
		weights[i], by[i] = p.Weights[i]*expFar, float32(-far-log)
		log += float64(most[i]) + far
		if wantLoss {
			loss += float64(p.Weights[i]) * (log - w.added[i])
		}
		w.added[i] -= far + log
	}
	pass.Rounding = simd.Rounding{Threshold: p.Rounding.Threshold / expFar, Seed: p.Rounding.Seed}
	logistic(errors, scores, &by, pass)
	return loss
}

// logistic adds a number to the scores of each input, and sets errors to those of negatives with these scores.
func logistic(errors, scores []float32, by *[simd.Lanes]float32, p simd.Pairs) {
	for rows := scores; len(rows) >= simd.Lanes; rows = rows[simd.Lanes:] {
		row := (*[simd.Lanes]float32)(rows)
		for i, x := range by {
			row[i] += x
		}
	}
	simd.ErrorsOfScores(errors, scores, 0, 1, p, false)
}
