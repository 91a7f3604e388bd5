// Package loss has the losses: which output rows should score high with an input, and which low.
package loss

import (
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vocab"
)

// A Kind is a loss to choose.
type Kind = settings.Kind[Loss]

// Kinds returns every loss for words, the default first. A new loss is a line here.
func Kinds() []Kind {
	return []Kind{
		NegativeSampling,
		HierarchicalSoftmax,
		FullSoftmax,
		Directional,
		GloVe,
	}
}

// OfLabels returns every loss for the labels of texts, the default first.
func OfLabels() []Kind {
	return []Kind{
		Softmax,
		OneVersusAll,
		NegativeSampling,
		HierarchicalSoftmax,
	}
}

// A Loss belongs to a run. All workers share it.
type Loss interface {
	// Capabilities says what the loss can be combined with.
	Capabilities() capability.Part
	// Draws returns how many words a block draws, given the usual number of the architecture.
	Draws(usual int) int
	// Outputs describes the output rows. words describes those that the architecture has for words.
	Outputs(words params.Matrix, vocabulary int) params.Matrix
	// Most returns the largest numbers of rows in a block, given its numbers of targets and draws.
	Most(targets, draws int, v *vocab.Vocab) (positives, negatives float64)
	// Prepare computes what all workers need from the vocabulary.
	Prepare(*vocab.Vocab)
	// PreparedBytes is the size of the result of Prepare.
	PreparedBytes(*vocab.Vocab) float64
	// ZeroScore is the mean loss of an input and a target, with its share of negatives, if scores are zero.
	ZeroScore(*vocab.Vocab) float64
	// Scored reports whether errors are computed from scores: see step.Objective.
	Scored() bool
	// Worker returns a worker's part of the loss. Bytes is its size with so many heads.
	Worker(step.Parts) step.Loss
	Bytes(heads int) float64
}

// An Owner is a loss with matrices of its own beside the output rows.
type Owner interface {
	// Own describes them for so many words.
	Own(words int) []params.Matrix
}

// NegativeSampling distinguishes targets from words that are drawn at random (Mikolov et al. 2013). word2vec
// draws K negatives for each pair. Here a block draws N negatives for all inputs, each with the weight (pairs
// of the input)·K/N, which gives the same gradient on average. As in word2vec.c, a negative does not count
// for a pair whose target it is.
var NegativeSampling = Kind{
	Name:    "ns",
	Help:    "negative sampling",
	Samples: true,
	Plain:   true,
	New:     func(r settings.Run) Loss { return newSampling(r, nil) },
}

// A cost is the cost of errors in losses other than logistic regression.
type cost interface {
	step.Objective
	// Negative returns the loss of a negative with this score.
	Negative(score float64) float64
}

type sampling struct {
	negatives int // K
	exponent  float64
	noise     *counting.Alias
	cost      cost // nil for logistic regression
	pool      Pool // see DrawFrom
}

func newSampling(r settings.Run, c cost) *sampling {
	return &sampling{negatives: r.Negatives, exponent: r.NSExponent, cost: c}
}

func (l *sampling) Capabilities() capability.Part {
	if l.cost == nil {
		return capability.Part{}
	}
	return capability.Part{Lacks: map[capability.Capability]string{
		capability.Columns: "errors are not those of logistic regression",
	}}
}

func (*sampling) Draws(usual int) int { return usual }

func (*sampling) Outputs(words params.Matrix, _ int) params.Matrix { return words }

func (*sampling) Most(targets, draws int, _ *vocab.Vocab) (positives, negatives float64) {
	return float64(targets), float64(draws)
}

func (l *sampling) Prepare(v *vocab.Vocab) { l.noise = counting.Noise(v.Counts(), l.exponent) }

func (*sampling) PreparedBytes(v *vocab.Vocab) float64 {
	const noise = 16 // bytes for each distinct count, of which there are few
	return noise * min(float64(v.Len()), math.Sqrt(2*float64(v.Total())))
}

// ZeroScore is the loss of a target and K negatives.
func (l *sampling) ZeroScore(*vocab.Vocab) float64 { return float64(1+l.negatives) * l.ofNegative(0) }

func (l *sampling) ofNegative(score float64) float64 {
	if l.cost != nil {
		return l.cost.Negative(score)
	}
	return max(score, 0) + math.Log1p(math.Exp(-math.Abs(score)))
}

type samplingWorker struct {
	*sampling
	traits step.Traits
	draws  int      // N
	unit   float32  // weight of a negative for each pair of an input
	words  uint32   // rows of each head's output matrix
	byHead []uint16 // inputs that predict a target with each head; nil for one head
}

func (l *sampling) Worker(p step.Parts) step.Loss {
	w := &samplingWorker{
		sampling: l, traits: p.Traits, draws: p.Division.Draws,
		words: uint32(p.Output().Rows / p.Traits.Heads),
	}
	if p.Traits.Heads > 1 {
		w.byHead = make([]uint16, p.Traits.Heads)
	}
	return w
}

func (l *sampling) Scored() bool { return l.cost != nil }

func (*sampling) Bytes(heads int) float64 { return 2 * float64(heads) }

func (w *samplingWorker) Pairs() (positives, negatives int) { return w.traits.Targets, w.draws }

// Fetched returns the rows of the words.
func (*samplingWorker) Fetched(words []uint32) []uint32 { return words }

// Draw draws negatives.
func (w *samplingWorker) Draw(words []uint32, g *random.Generator) {
	if w.pool.Tail != nil {
		w.pool.draw(words, w.noise, g)
		return
	}
	for i := range words {
		words[i] = w.noise.Draw(g.Next())
	}
}

// Pair makes the targets positives, and the drawn words negatives of all inputs.
func (w *samplingWorker) Pair(b *step.Batch, rate float32) {
	if w.byHead != nil {
		w.pairByHead(b, rate)
		return
	}
	yes, no := &b.Positives, &b.Negatives
	yes.Rows, yes.With = b.Words, b.Inputs
	no.Rows, no.With = b.Drawn, no.With[:len(b.Drawn)]
	w.weigh(b, rate, w.draws)
	all := uint16(1<<len(b.Centres) - 1)
	for i := range no.With {
		no.With[i] = all
	}
}

// pairByHead is Pair with separate draws for each head, for the inputs that predict a target with it.
func (w *samplingWorker) pairByHead(b *step.Batch, rate float32) {
	yes, no := &b.Positives, &b.Negatives
	clear(w.byHead)
	yes.Rows, yes.With = yes.Rows[:0], b.Inputs
	for i, word := range b.Words {
		head := b.Heads[i]
		yes.Rows = append(yes.Rows, head*w.words+word)
		w.byHead[head] |= b.Inputs[i]
	}
	draws := w.draws / len(w.byHead)
	w.weigh(b, rate, draws)
	no.Rows, no.With = no.Rows[:0], no.With[:0]
	for head, by := range w.byHead {
		if by == 0 {
			continue
		}
		for _, word := range b.Drawn[head*draws:][:draws] {
			no.Rows = append(no.Rows, uint32(head)*w.words+word)
			no.With = append(no.With, by)
		}
	}
}

// weigh sets the weights of pairs, each of which stands for so many draws of negatives.
func (w *samplingWorker) weigh(b *step.Batch, rate float32, draws int) {
	w.unit = rate * float32(w.negatives) / float32(draws)
	for i, n := range b.Each[:len(b.Centres)] {
		b.Positives.Weights[i], b.Negatives.Weights[i] = rate*b.Weight[i], w.unit*n*b.Weight[i]
	}
}

// Settle removes, from the errors of a negative, one unit for each pair whose target is the negative.
func (w *samplingWorker) Settle(b *step.Batch, wantLoss bool, score step.Scores) (loss float64) {
	return w.settle(b, b.Positives.Rows, wantLoss, score)
}

// settle is Settle for the rows of targets, which are the first of the positives.
func (w *samplingWorker) settle(b *step.Batch, targets []uint32, wantLoss bool, score step.Scores) (loss float64) {
	var near bloom
	for _, row := range targets {
		near.add(row)
	}
	for j, row := range b.Negatives.Rows {
		if !near.has(row) {
			continue
		}
		var times [simd.Lanes]float32
		found := uint16(0)
		for p, other := range targets {
			if other == row {
				with := b.Positives.With[p]
				found |= with
				for ; with != 0; with &= with - 1 {
					times[bits.TrailingZeros16(with)]++
				}
			}
		}
		for ; found != 0; found &= found - 1 {
			i := bits.TrailingZeros16(found)
			left := 1 - times[i]/b.Each[i]
			if left == 0 {
				b.Negatives.Kept[j] &^= 1 << i
			}
			for k, errors := range b.Negatives.Errors {
				errors[j*simd.Lanes+i] *= left
				if wantLoss {
					loss += float64(times[i]*w.unit*b.Weight[i]) * w.ofNegative(float64(score(&b.Negatives, j, i, k)))
				}
			}
		}
	}
	return loss / float64(len(b.Negatives.Errors))
}

func (w *samplingWorker) Objective() step.Objective {
	if w.cost == nil {
		return nil
	}
	return w.cost
}

// bloom is a Bloom filter of rows: has answers "no" or "perhaps". It has enough bits for the targets of a
// block, so that few negatives are looked up in vain.
type bloom [32]uint64

func (s *bloom) add(row uint32) {
	h := row * 0x9e3779b1
	s[h>>27] |= 1 << (h >> 21 & 63)
}

func (s *bloom) has(row uint32) bool {
	h := row * 0x9e3779b1
	return s[h>>27]>>(h>>21&63)&1 != 0
}

// A Pool is the source of negatives if only the rows of few words are in memory. It has the Head most
// frequent words, whose rows have the words' numbers, and a sample of the other words. Each word of the head
// is drawn as often as without a pool. The sample represents the others: a word is in Tail once for each time
// that it was drawn.
type Pool struct {
	Head uint32
	Tail []uint32 // rows
}

// A Pooled is a loss that can draw its negatives from a pool.
type Pooled interface {
	// DrawFrom sets the pool of all workers. No worker may be in a step.
	DrawFrom(p Pool)
	// Sample draws words beyond the head for Tail, and returns their number. There are fewer than asked for
	// if words beyond the head are rare, and none if they are never drawn.
	Sample(words []uint32, head uint32, g *random.Generator) int
}

var _ Pooled = (*sampling)(nil)

func (l *sampling) DrawFrom(p Pool) { l.pool = p }

func (l *sampling) Sample(words []uint32, head uint32, g *random.Generator) int {
	n := 0
	for tries := triesForEach * len(words); n < len(words) && tries > 0; tries-- {
		if words[n] = l.noise.Draw(g.Next()); words[n] >= head {
			n++
		}
	}
	return n
}

// triesForEach is the largest number of draws to find a word beyond the head. If more are needed, less than
// one draw in so many comes from the pool, and the pool may be smaller.
const triesForEach = 32

func (p *Pool) draw(rows []uint32, noise *counting.Alias, g *random.Generator) {
	for i := range rows {
		row := noise.Draw(g.Next())
		if row >= p.Head {
			row = p.Tail[g.Below(len(p.Tail))]
		}
		rows[i] = row
	}
}
