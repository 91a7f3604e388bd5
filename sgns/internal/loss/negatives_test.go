package loss_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vocab"
)

// toyText is sentences of 9, 1, 2 and 6 tokens, with words that repeat closely.
func toyText() step.Text {
	var t step.Text
	for _, sentence := range [][]uint32{{0, 3, 1, 1, 5, 2, 6, 0, 7}, {4}, {2, 2}, {3, 0, 6, 6, 1, 4}} {
		from, to := int32(len(t.IDs)), int32(len(t.IDs)+len(sentence))
		t.IDs = append(t.IDs, sentence...)
		for range sentence {
			t.From, t.To = append(t.From, from), append(t.To, to)
		}
	}
	t.Rows = t.IDs
	return t
}

// The mean weight of a word as negative of a centre is what K fresh draws for
// each true pair give, those that hit the pair's own context not counted.
func TestSharedNegativesAreUnbiased(t *testing.T) {
	words := 8
	var lines strings.Builder
	for i := range words { // the first one 8 times, the next one 7 times …
		fmt.Fprintf(&lines, "word%d %d\n", i, words-i)
	}
	vocabulary, err := vocab.Read(strings.NewReader(lines.String()), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const first, centres, window, negatives = 0, 16, 2, 5
	v, err := variant.Of(settings.Run{Dim: 10, Window: 5, Negatives: negatives, NSExponent: 0.75, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	table := rowtable.Plain(words)
	v.Prepare(vocabulary, vocabulary, table)
	values := params.Allocate(v.Matrices(words, words, table))
	parts := v.Worker(values, step.Division{Centres: centres, Draws: 6})
	b := step.NewBatch(parts.Architecture, parts.Loss, parts.Parts, 1, true)
	noise := counting.Noise(vocabulary.Counts(), 0.75)

	text := toyText()
	const rounds = 40000
	shared := make([][]float64, centres)
	fresh := make([][]float64, centres)
	for i := range centres {
		shared[i], fresh[i] = make([]float64, words), make([]float64, words)
	}
	drawing, other := random.Stream(1, 0), random.Stream(99, 0)
	for range rounds {
		b.Draw(b.Drawn, &drawing)
		b.Prepare(text, first, first+centres, window, 1)
		// Errors as they are where every σ is 1: minus the weights.
		errors := b.Negatives.Errors[0]
		for j := range b.Drawn {
			for i := range centres {
				errors[j*simd.Lanes+i] = -b.Negatives.Weights[i]
			}
		}
		b.Settle(false, nil)
		for i := range centres {
			for j, id := range b.Drawn {
				shared[i][id] -= float64(errors[j*simd.Lanes+i]) / rounds
			}
			for j := int(text.From[i]); j < int(text.To[i]); j++ {
				if j == i || j < i-window || j > i+window {
					continue
				}
				for range negatives {
					if id := noise.Draw(other.Next()); id != text.IDs[j] {
						fresh[i][id] += 1.0 / rounds
					}
				}
			}
		}
	}
	for i := range centres {
		for id := range words {
			// 6 draws of weight 4·5/6 and probability below 1/4 have a standard
			// deviation below 3.6, their mean over all rounds one below 0.02.
			if d := math.Abs(shared[i][id] - fresh[i][id]); d > 0.12 {
				t.Errorf("centre %d, negative %d: weight %.3f shared, %.3f fresh", i, id, shared[i][id], fresh[i][id])
			}
		}
	}
}
