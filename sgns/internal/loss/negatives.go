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

// NegativeSampling tells targets from words that are drawn at random (Mikolov et al. 2013).
// Pair by pair, word2vec draws K negatives for each target. A block draws N, and gives each the
// weight (pairs of the input)·K/N for every input, which is the same gradient on the average. A
// negative that is the target of a pair does not count for that pair, as in word2vec.c.
var NegativeSampling = Kind{
	Name:    "ns",
	Help:    "negative sampling",
	Samples: true,
	Plain:   true,
	New:     func(r settings.Run) Loss { return newSampling(r, nil) },
}

// A cost is what errors cost where that is not what they cost in logistic regression.
type cost interface {
	step.Objective
	// Negative returns the loss of a negative with this score.
	Negative(score float64) float64
}

// A sampling is a loss by negative sampling.
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
	const noise = 16 // for each count that words have, of which there are few
	return noise * min(float64(v.Len()), math.Sqrt(2*float64(v.Total())))
}

// ZeroScore is that of a target and K negatives.
func (l *sampling) ZeroScore(*vocab.Vocab) float64 {
	return float64(1+l.negatives) * l.ofNegative(0)
}

// ofNegative returns the loss of a negative.
func (l *sampling) ofNegative(score float64) float64 {
	if l.cost != nil {
		return l.cost.Negative(score)
	}
	return max(score, 0) + math.Log1p(math.Exp(-math.Abs(score)))
}

// A samplingWorker makes pairs of targets and negatives.
type samplingWorker struct {
	*sampling
	traits step.Traits
	draws  int      // N
	unit   float32  // the weight of a negative for each pair of an input
	words  uint32   // rows of an output matrix, of which there is one for each head
	byHead []uint16 // for each head, which inputs predict something with it; nil for one head
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

func (w *samplingWorker) Pairs() (positives, negatives step.PairsOf) {
	t := w.traits
	return step.PairsOf{Most: t.Targets}, step.PairsOf{Most: w.draws}
}

// Fetched is the rows of the words.
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

// Pair makes the targets positives, and the words that were drawn negatives of all inputs.
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

// pairByHead is Pair with draws of each head's own. They are negatives of the inputs that
// predict something with it.
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

// weigh says what pairs weigh, if each stands for so many draws of negatives.
func (w *samplingWorker) weigh(b *step.Batch, rate float32, draws int) {
	w.unit = rate * float32(w.negatives) / float32(draws)
	for i, n := range b.Each[:len(b.Centres)] {
		b.Positives.Weights[i], b.Negatives.Weights[i] = rate, w.unit*n
	}
}

// Settle takes from the errors of negatives the part of those pairs whose target the negative
// is: a unit for each.
func (w *samplingWorker) Settle(b *step.Batch, wantLoss bool, score func(negative, input, columns int) float32) (loss float64) {
	var near bloom
	for _, row := range b.Positives.Rows {
		near.add(row)
	}
	for j, row := range b.Negatives.Rows {
		if !near.has(row) {
			continue
		}
		var times [simd.Lanes]float32
		found := uint16(0)
		for p, other := range b.Positives.Rows {
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
					loss += float64(times[i]*w.unit) * w.ofNegative(float64(score(j, i, k)))
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

// bloom is a set of rows of which has says either "not" or "perhaps". It has bits enough for the targets of
// a block that few negatives are looked for in vain.
type bloom [32]uint64

func (s *bloom) add(row uint32) {
	h := row * 0x9e3779b1
	s[h>>27] |= 1 << (h >> 21 & 63)
}

func (s *bloom) has(row uint32) bool {
	h := row * 0x9e3779b1
	return s[h>>27]>>(h>>21&63)&1 != 0
}

// A Pool is where negatives come from when the rows of few words are at hand: those of the Head most
// frequent words, whose rows have the words' numbers, and those of words that were drawn from all
// others. Each word of the head is drawn as often as without a pool. The pool stands for the
// others: a word is in Tail as many times as it was drawn for it.
type Pool struct {
	Head uint32
	Tail []uint32 // rows
}

// A Pooled loss draws its negatives from a pool.
type Pooled interface {
	// DrawFrom makes p the pool of all workers. No worker may be in a step.
	DrawFrom(p Pool)
	// Sample draws words for Tail, from those beyond the head. It returns how many: fewer than asked for
	// if these words are drawn rarely, and none if they never are.
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

// triesForEach is how many draws may be made to find a word beyond the head. If more are needed, one draw
// in so many is of the pool, and the pool may be smaller.
const triesForEach = 32

// draw draws rows.
func (p *Pool) draw(rows []uint32, noise *counting.Alias, g *random.Generator) {
	for i := range rows {
		row := noise.Draw(g.Next())
		if row >= p.Head {
			row = p.Tail[g.Below(len(p.Tail))]
		}
		rows[i] = row
	}
}
