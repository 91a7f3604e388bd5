package loss

import (
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Directional is negative sampling in which each word has a second output row, its direction. The product of an input
// and the direction of a context predicts whether the context stands right of the input or left of it (Song, Shi, Li
// and Zhang 2018, "Directional skip-gram").
var Directional = Kind{
	Name:    "directional",
	Help:    "negative sampling that also tells contexts on the left from those on the right",
	Samples: true,
	New:     func(r settings.Run) Loss { return &directional{newSampling(r, nil), r.Hidden()} },
}

// directionWeight is how much telling the side of a context counts, beside telling the context from negatives. Of 0.15, 0.3,
// 0.6 and 1, as in the paper, 0.3 gains in English and loses nothing in German: see docs/variants.md.
const directionWeight = 0.3

type directional struct {
	*sampling
	dim int
}

var _ Owner = (*directional)(nil)

func (*directional) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.Sides:   "the loss directional tells contexts on the left of a word from those on its right",
			capability.OneHead: "the loss directional has a direction beside one output row of each word",
		},
		Lacks: map[capability.Capability]string{
			capability.OneRow:  "the loss directional has two output rows of each word",
			capability.Divides: "the loss directional has two output rows of each word",
		},
	}
}

// Own describes the directions.
func (l *directional) Own(words int) []params.Matrix {
	return []params.Matrix{{
		Name: vectors.MatrixDirections, Title: "directions", Role: params.Other, Keys: params.ByWord, Rows: words, Cols: l.dim,
		Behind: vectors.MatrixOutput,
		Touched: func(w params.Words) []float32 {
			all := make([]float32, words)
			for row := range all {
				all[row] = directionWeight * float32(w.Kept[row])
			}
			return all
		},
	}}
}

func (l *directional) Most(targets, draws int, v *vocab.Vocab) (positives, negatives float64) {
	positives, negatives = l.sampling.Most(targets, draws, v)
	return 2 * positives, negatives
}

// ZeroScore is the loss of negative sampling, and that of a side.
func (l *directional) ZeroScore(v *vocab.Vocab) float64 {
	return l.sampling.ZeroScore(v) + directionWeight*math.Ln2
}

func (l *directional) Bytes(heads int) float64 {
	return l.sampling.Bytes(heads) + 4*step.LineItems(2*simd.Lanes)
}

func (l *directional) Worker(p step.Parts) step.Loss {
	return &directionalWorker{
		samplingWorker: l.sampling.Worker(p).(*samplingWorker),
		words:          uint32(p.Values.Matrix(vectors.MatrixOutput).Rows),
		fetched:        make([]uint32, 0, step.WholeLines(2*simd.Lanes)),
	}
}

type directionalWorker struct {
	*samplingWorker
	words   uint32   // directions lie behind the rows of so many words
	fetched []uint32 // rows
}

func (w *directionalWorker) Pairs() (positives, negatives int) {
	positives, negatives = w.samplingWorker.Pairs()
	return 2 * positives, negatives
}

// Fetched returns both rows of the words.
func (w *directionalWorker) Fetched(words []uint32) []uint32 {
	w.fetched = w.withDirections(w.fetched[:0], words)
	return w.fetched
}

// withDirections appends the rows of words, and then their directions.
func (w *directionalWorker) withDirections(rows, words []uint32) []uint32 {
	rows = append(rows, words...)
	for _, word := range words {
		rows = append(rows, w.words+word)
	}
	return rows
}

// Pair adds the directions of the targets to the positives, also for the inputs on their right: see Settle.
func (w *directionalWorker) Pair(b *step.Batch, rate float32) {
	yes := &b.Positives
	rows, with := yes.Rows[:0], yes.With[:0]
	w.samplingWorker.Pair(b, rate)
	yes.Rows = w.withDirections(rows, b.Words)
	yes.With = append(append(with, b.Inputs...), b.Inputs...)
}

// Settle also makes the errors of directions those of their sides, with their weight. An error is the weight of a pair
// times 1 − σ(score), and −σ(score) if the target stands left of the input.
func (w *directionalWorker) Settle(b *step.Batch, wantLoss bool, score step.Scores) float64 {
	yes, targets := &b.Positives, len(b.Words)
	loss := w.settle(b, yes.Rows[:targets], wantLoss, score) // no negative is a direction
	excess := 0.0
	for t := range targets {
		row := targets + t
		with := yes.With[row]
		// Inputs right of the target, which stands left of them.
		left := with &^ (uint16(1)<<max(b.Begin+t-b.First, 0) - 1)
		for k, list := range yes.Errors {
			errors := (*[simd.Lanes]float32)(list[row*simd.Lanes:])
			lengths := float32(len(yes.Errors) - k) // whose errors are added up: see step.Step
			for inputs := left; inputs != 0; inputs &= inputs - 1 {
				i := bits.TrailingZeros16(inputs)
				errors[i] -= lengths * yes.Weights[i]
			}
			for i := range errors {
				errors[i] *= directionWeight
			}
			if wantLoss {
				excess += w.excess(b, row, k, with, left, score)
			}
		}
	}
	return loss + excess/float64(len(yes.Errors))
}

// excess returns by how much the loss of the pairs of a direction, as positives, exceeds that of their sides.
func (w *directionalWorker) excess(b *step.Batch, row, columns int, with, left uint16, score step.Scores) (excess float64) {
	for ; with != 0; with &= with - 1 {
		i := bits.TrailingZeros16(with)
		s := float64(score(&b.Positives, row, i, columns))
		side := -s
		if left>>i&1 != 0 {
			side = s
		}
		excess += float64(b.Positives.Weights[i]) * (w.ofNegative(-s) - directionWeight*w.ofNegative(side))
	}
	return excess
}
