package loss

import (
	"cmp"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// GloVe fits the product of the vectors of two words, with a bias for each, to the logarithm of how often one is near the
// other, by weighted least squares with AdaGrad (Pennington et al. 2014). Package counts counts and trains. A word's vector
// is the sum of its input and its output row.
var GloVe = Kind{
	Name: "glove",
	Help: "GloVe: weighted least squares on how often two words are near each other",
	New:  func(r settings.Run) Loss { return glove{r.Hidden(), cmp.Or(r.XMax, usualXMax)} },
}

// A Counted is a loss of counts of pairs of words instead of steps through the text.
type Counted interface {
	Loss
	Owner // of matrices that are part of a run, and not of its model
	// Usual returns the settings that suit the loss.
	Usual() Usual
	// XMax returns the count from which on all pairs weigh the same.
	XMax() float64
}

// Usual are settings that suit counts.
type Usual struct {
	Window int
	Mode   settings.WindowMode
	Epochs int     // for any number of tokens
	Rate   float64 // which does not fall
	XMax   float64
}

// Names of the matrices of counts, beside those of words.
const (
	InputSums, OutputSums         = vectors.MatrixInputSums, vectors.MatrixOutputSums
	InputBiases, OutputBiases     = vectors.MatrixInputBiases, vectors.MatrixOutputBiases
	InputBiasSums, OutputBiasSums = vectors.MatrixInputBiasSums, vectors.MatrixOutputBiasSums
)

type glove struct {
	dim  int
	xMax float64
}

// usualXMax is what GloVe's demonstration has for 17 million words. docs/variants.md compares it with the 100 of its program.
const usualXMax = 10

func (g glove) XMax() float64 { return g.xMax }

var _ Counted = glove{}

// Usual returns what GloVe's program has: see docs/variants.md.
func (glove) Usual() Usual {
	return Usual{Window: 15, Mode: settings.Harmonic, Epochs: 25, Rate: 0.05, XMax: usualXMax}
}

const byCounts = "glove trains counts of pairs of words and not steps through the text"

func (glove) Capabilities() capability.Part {
	return capability.Part{
		Needs: map[capability.Capability]string{capability.OneRow: "glove trains one row a word"},
		Lacks: map[capability.Capability]string{
			capability.Steps:    byCounts,
			capability.Nests:    "glove trains no first dimensions of their own",
			capability.Freezes:  "glove cannot freeze vectors, because it does not start from any",
			capability.Scatters: "glove counts the words of a window: give it one",
			capability.Columns:  byCounts,
			capability.Turns:    "vectors of glove are sums of both sides",
			capability.Divides:  byCounts,
		},
	}
}

// Outputs describes the rows of contexts, which begin as random as those of words.
func (g glove) Outputs(words params.Matrix, n int) params.Matrix {
	words.Init = small(n, g.dim, n)
	return words
}

// small returns an Init of so many rows of numbers as small as GloVe's, of members from first on.
func small(rows, dim, first int) func(vectors.Matrix, uint64) {
	return params.Uniform(func(yield func(int, uint32) bool) {
		for r := range rows {
			if !yield(first+r, uint32(r)) {
				return
			}
		}
	}, 0.5/float32(dim))
}

func (g glove) Own(words int) (own []params.Matrix) {
	add := func(name, title string, cols int, init func(vectors.Matrix, uint64)) {
		own = append(own, params.Matrix{Name: name, Title: title, Role: params.Other, Keys: params.ByWord, Rows: words, Cols: cols, Dense: cols == 1, Passing: true, Init: init})
	}
	add(InputSums, "sums of squares", g.dim, nil)
	add(OutputSums, "sums of squares of contexts", g.dim, nil)
	add(InputBiases, "biases", 1, small(words, g.dim, 2*words))
	add(OutputBiases, "biases of contexts", 1, small(words, g.dim, 3*words))
	add(InputBiasSums, "sums of squares of biases", 1, nil)
	add(OutputBiasSums, "sums of squares of biases of contexts", 1, nil)
	return own
}

// There are no draws, and no steps that would need anything.

func (glove) Draws(int) int                                              { return 0 }
func (glove) Most(int, int, *vocab.Vocab) (positives, negatives float64) { return 0, 0 }
func (glove) Prepare(*vocab.Vocab)                                       {}
func (glove) PreparedBytes(*vocab.Vocab) float64                         { return 0 }
func (glove) ZeroScore(*vocab.Vocab) float64                             { return 1 } // see counts.Pairs.Zero
func (glove) Scored() bool                                               { return false }
func (glove) Bytes(int) float64                                          { return 0 }
func (glove) Worker(step.Parts) step.Loss                                { panic("loss: " + byCounts) }
