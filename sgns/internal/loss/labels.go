package loss

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// Losses of labels score an input against all of them, so they suit thousands of labels, not the words of a vocabulary.

// Softmax predicts the distribution of an input's labels: all of them are equally probable, and others are not.
var Softmax = Kind{
	Name: "softmax",
	Help: "softmax over all labels, for texts of one label",
	New:  func(settings.Run) Loss { return softmax{} },
}

// OneVersusAll tells each label from its absence, by itself.
var OneVersusAll = Kind{
	Name: "ova",
	Help: "a logistic regression for each label, for texts of several labels",
	New:  func(settings.Run) Loss { return oneVersusAll{} },
}

// allOutputs has the methods of losses that score an input against all outputs.
type allOutputs struct{}

func (allOutputs) Capabilities() capability.Part {
	return capability.Part{Lacks: map[capability.Capability]string{capability.Divides: "the loss scores all outputs"}}
}

func (allOutputs) Draws(int) int                                 { return 0 }
func (allOutputs) Outputs(of params.Matrix, _ int) params.Matrix { return of }
func (allOutputs) Prepare(*vocab.Vocab)                          {}
func (allOutputs) PreparedBytes(*vocab.Vocab) float64            { return 0 }

// everyOutput returns the numbers of all outputs.
func everyOutput(p step.Parts) []uint32 {
	rows := make([]uint32, p.Output().Rows, step.WholeLines(p.Output().Rows))
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}

// everyLabel has the methods of a worker that draws no words.
type everyLabel struct{ rows []uint32 }

func (everyLabel) Fetched([]uint32) []uint32        { return nil }
func (everyLabel) Draw([]uint32, *random.Generator) {}
func (everyLabel) Objective() step.Objective        { return nil }
func (everyLabel) Settle(*step.Batch, bool, step.Scores) float64 {
	return 0
}

// all makes all outputs negatives of all inputs, whose weights are those of a whole text.
func (w *everyLabel) all(b *step.Batch, rate float32) {
	no := &b.Negatives
	no.Rows, no.With = append(no.Rows[:0], w.rows...), no.With[:len(w.rows)]
	all := uint16(1<<len(b.Centres) - 1)
	for j := range no.With {
		no.With[j] = all
	}
	for i := range b.Centres {
		no.Weights[i] = rate * b.Weight[i] * b.Each[i]
	}
}

type softmax struct{ allOutputs }

func (softmax) Most(_, _ int, labels *vocab.Vocab) (positives, negatives float64) {
	return 0, float64(labels.Len())
}

// ZeroScore is the loss of equal probabilities.
func (softmax) ZeroScore(labels *vocab.Vocab) float64 { return math.Log(float64(max(labels.Len(), 2))) }

func (softmax) Scored() bool { return true }

func (softmax) Bytes(int) float64 { return 256 }

func (softmax) Worker(p step.Parts) step.Loss {
	return &softmaxWorker{everyLabel: everyLabel{everyOutput(p)}}
}

type softmaxWorker struct {
	everyLabel
	targets *step.Targets // of the block
	inputs  int
}

func (w *softmaxWorker) Pairs() (positives, negatives int) { return 0, len(w.rows) }

// Pair makes all outputs negatives, whose errors say how far they are from the distribution of the targets.
func (w *softmaxWorker) Pair(b *step.Batch, rate float32) {
	b.Positives.Rows, b.Positives.With = b.Positives.Rows[:0], b.Positives.With[:0]
	w.targets, w.inputs = &b.Targets, len(b.Centres)
	w.all(b, rate)
}

func (w *softmaxWorker) Objective() step.Objective { return w }

// Errors sets the errors to weights times the distance of the softmax of scores from the distribution of targets.
func (w *softmaxWorker) Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) (loss float64) {
	if len(p.Rows) == 0 {
		return 0
	}
	n := len(p.Rows) * simd.Lanes
	errors, scores = errors[:n], scores[:n]
	var most, sum, scale [simd.Lanes]float32
	copy(most[:], scores)
	for j := 0; j < n; j += simd.Lanes {
		for i, x := range scores[j:][:w.inputs] {
			if x > most[i] {
				most[i] = x
			}
		}
	}
	exponentials(errors, scores, w.inputs, &most, &sum)
	for i := range w.inputs {
		scale[i] = -p.Weights[i] / sum[i]
	}
	for j := 0; j < n; j += simd.Lanes {
		row := errors[j:][:w.inputs]
		for i := range row {
			row[i] *= scale[i]
		}
	}
	var share [simd.Lanes]float32 // of a target in the distribution, times the weight
	for i := range w.inputs {
		share[i] = p.Weights[i] / max(w.targets.Each[i], 1)
	}
	for k, label := range w.targets.Words {
		for i := range w.inputs {
			if w.targets.Inputs[k]>>i&1 == 0 {
				continue
			}
			at := int(label)*simd.Lanes + i
			errors[at] += share[i]
			if wantLoss {
				loss -= float64(share[i]) * (float64(scores[at]-most[i]) - math.Log(float64(sum[i])))
			}
		}
	}
	return loss
}

// exponentials sets the errors of the first inputs of each row to the exponential functions of scores minus the inputs'
// largest ones, to within a few units in the last place, and adds them to sum. Far below it they are the smallest normal
// number.
func exponentials(errors, scores []float32, inputs int, most, sum *[simd.Lanes]float32) {
	const least, log2e, ln2hi, ln2lo = -87, 1.44269504, 0.693359375, -2.12194440e-4
	for len(scores) >= simd.Lanes && len(errors) >= simd.Lanes {
		row, of := (*[simd.Lanes]float32)(errors), (*[simd.Lanes]float32)(scores)
		for i := 0; i < inputs && i < simd.Lanes; i++ { // a call for each number would take as long as its computation
			x := of[i] - most[i]
			if x < least {
				x = least
			}
			k := int32(x*log2e - 0.5)
			whole := float32(k)
			x -= whole * ln2hi
			x -= whole * ln2lo
			y := float32(1.9875691500e-4)*x + 1.3981999507e-3
			y = y*x + 8.3334519073e-3
			y = y*x + 4.1665795894e-2
			y = y*x + 1.6666665459e-1
			y = y*x + 5.0000001201e-1
			y = (y*x*x + x + 1) * math.Float32frombits(uint32(k+127)<<23)
			row[i] = y
			sum[i] += y
		}
		errors, scores = errors[simd.Lanes:], scores[simd.Lanes:]
	}
}

type oneVersusAll struct{ allOutputs }

func (oneVersusAll) Most(targets, _ int, labels *vocab.Vocab) (positives, negatives float64) {
	return float64(targets), float64(labels.Len())
}

// ZeroScore is the loss of all labels.
func (oneVersusAll) ZeroScore(labels *vocab.Vocab) float64 {
	return math.Ln2 * float64(max(labels.Len(), 1))
}

func (oneVersusAll) Scored() bool      { return false }
func (oneVersusAll) Bytes(int) float64 { return 0 }

func (oneVersusAll) Worker(p step.Parts) step.Loss {
	return &oneVersusAllWorker{everyLabel{everyOutput(p)}, p.Traits.Targets}
}

type oneVersusAllWorker struct {
	everyLabel
	targets int
}

func (w *oneVersusAllWorker) Pairs() (positives, negatives int) { return w.targets, len(w.rows) }

// Pair makes targets positives, and the other outputs of each input negatives.
func (w *oneVersusAllWorker) Pair(b *step.Batch, rate float32) {
	w.all(b, rate)
	yes, no := &b.Positives, &b.Negatives
	yes.Rows, yes.With, yes.Weights = b.Words, b.Inputs, no.Weights
	for k, label := range b.Words {
		no.With[label] &^= b.Inputs[k]
	}
}
