package engine

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Names of variants.
const (
	skipGram            = "skipgram"
	cbow                = "cbow"
	structured          = "structured"
	negativeSampling    = "ns"
	hierarchicalSoftmax = "hs"
	fullSoftmax         = "softmax"
	directional         = "directional"
)

// A config is the settings of a run, and sizes that tests change; 0 for what suits the
// vocabulary.
type config struct {
	settings.Run
	LearningRate                               float64
	blockCentres, sharedNegatives, superBlocks int
	separateRows                               bool    // leaves the rows of a subword model unmerged
	threshold                                  float32 // of the rounding of errors, whatever suits the vocabulary
}

func defaults() config {
	return config{Run: settings.Run{
		Dim: 100, Window: 5, Negatives: 5, NSExponent: 0.75, Seed: 1, Arch: skipGram, Loss: negativeSampling, Threads: 1,
	}}
}

// Validate returns an error if there is no such variant.
func (c config) Validate() error {
	_, err := variant.Of(c.Run)
	return err
}

// variant returns what is trained.
func (c config) variant(t testing.TB) *variant.Variant {
	t.Helper()
	v, err := variant.Of(c.Run)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// table returns the table of a vocabulary.
func (c config) table(v *vocab.Vocab) *rowtable.Table {
	return rowtable.New(v.Tokens(), c.Subword, rowtable.Options{Separate: c.separateRows})
}

// given are the sizes that the test chose.
func (c config) given() step.Division {
	return step.Division{Centres: c.blockCentres, Draws: c.sharedNegatives, SuperStep: c.superBlocks}
}

// newRun allocates a run over a vocabulary that is divided so, all parameters of which are 0.
func (c config) newRun(t testing.TB, words *vocab.Vocab, table *rowtable.Table, d step.Division) *Run {
	t.Helper()
	v := c.variant(t)
	v.Prepare(words, words, table)
	d.Threshold = c.threshold
	keep := make([]float64, words.Len())
	for i := range keep {
		keep[i] = 1
	}
	return &Run{
		Variant:  v,
		Values:   params.Allocate(v.Matrices(words.Len(), table.Rows(), table)),
		Division: d,
		Words:    words.Len(),
		Keep:     Thresholds(keep),
		Rate:     func() float32 { return float32(c.LearningRate) },
	}
}

// output returns the matrix of output rows.
func output(v *params.Values) vectors.Matrix { return step.Parts{Values: v}.Output() }

// all returns all matrices that have rows of their own.
func all(v *params.Values) (list []vectors.Matrix) {
	for _, m := range v.Owned() {
		list = append(list, m)
	}
	return list
}

// fastText cuts words into n-grams of two to four code points.
var fastText = subword.FastText{MinN: 2, MaxN: 4, Buckets: 300}

// numbersOf are the bytes of some numbers.
func numbersOf(numbers []float32) (b []byte) {
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
