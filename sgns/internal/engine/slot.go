package engine

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

// A slot is a block's place in a super-step: what was found out about the block, until all
// its updates are made.
type slot struct {
	batch  step.Batch
	window step.Windows
	number uint64 // of the block
	random random.Generator
	found  int       // pairs of an input and a target
	all    []uint32  // the rows of positives and negatives, which are scored
	scores []float32 // by segment, row and lane
	part   int       // how many of them a segment has
	pairs  int       // if its loss was wanted
	loss   float64
	again  func(negative, centre, columns int) float32
}

func newSlot(w *Worker) *slot {
	parts := w.parts.Another(w.run.Variant)
	segments := len(parts.Division.Segments) - 1
	rows := parts.Traits.Targets + parts.Division.Draws
	s := &slot{
		batch:  step.NewBatch(parts.Architecture, parts.Loss, parts.Parts, 1, true),
		window: step.WindowsOf(w.run.Variant.Run),
		all:    make([]uint32, 0, step.WholeLines(rows)),
		scores: vectors.NewMatrix(segments*rows, simd.Lanes).Data,
		part:   rows * simd.Lanes,
	}
	s.again = s.score
	return s
}

// prepare makes of the slot that of block number n, with the centres at positions first
// to last-1 of the text.
func (s *slot) prepare(g *group, n uint64, first, last int) {
	s.number = n
	s.random = random.Stream(g.seed, n)
	s.batch.Draw(s.batch.Drawn, &s.random)
	window := s.window.Draw(&s.random)
	s.batch.Reseed(&s.random)
	s.found = s.batch.Prepare(g.text, first, last, window, g.rate)
	s.all = append(append(s.all[:0], s.batch.Positives.Rows...), s.batch.Negatives.Rows...)
}

// errors finds the errors of the block's pairs, and their loss if it is wanted.
func (s *slot) errors(rate float32, wantLoss bool) {
	b, parts := &s.batch, len(s.scores)/s.part
	loss := simd.ErrorsOfScores(b.Positives.Errors[0], s.scores, s.part, parts, b.Positives.Kernels(true), wantLoss)
	loss += simd.ErrorsOfScores(b.Negatives.Errors[0], s.ofNegatives(), s.part, parts, b.Negatives.Kernels(false), wantLoss)
	loss -= b.Settle(wantLoss, s.again)
	if rate > 0 {
		loss /= float64(rate)
	}
	s.pairs, s.loss = 0, 0
	if wantLoss {
		s.pairs, s.loss = s.found, loss
	}
}

// ofNegatives are the scores of negatives, which stand behind those of positives.
func (s *slot) ofNegatives() []float32 { return s.scores[len(s.batch.Positives.Rows)*simd.Lanes:] }

// score returns the score of a negative and a centre.
func (s *slot) score(negative, centre, _ int) (sum float32) {
	scores := s.ofNegatives()[negative*simd.Lanes+centre:]
	for k := 0; k < len(scores); k += s.part {
		sum += scores[k]
	}
	return sum
}
