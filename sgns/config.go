package sgns

import (
	"fmt"
	"runtime"

	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
)

// A Config says how to train. Defaults returns one that suits most corpora; it
// is meant to be changed field by field from there. Settings has a name, bounds and a line of
// help for each field.
type Config struct {
	Dim        int     // dimensions of the vectors
	Window     int     // largest distance between a centre and its contexts
	Epochs     int     // passes over the corpus
	Negatives  int     // negative samples for every true pair
	NSExponent float64 // negatives are drawn by count to this power
	Sample     float64 // subsampling threshold of frequent words; 0 for none

	// LearningRate is the rate at the start, which falls linearly to zero with
	// the tokens trained. 0 stands for what suits the corpus: see RateFor. A run that
	// starts from vectors goes on from where their training was in such a fall.
	LearningRate float64

	Threads int    // number of threads; 0 means GOMAXPROCS
	Seed    uint64 // of every random number; one worker repeats itself exactly

	// Deterministic makes any number of threads give the same bits for the same seed
	// and corpus, on the same kind of processor. docs/training.md says how, and
	// docs/benchmarks.md what it costs.
	Deterministic bool

	// EvaluateEvery is how many tokens are trained between evaluations, if there is
	// anything to evaluate: held-out text, or Hooks.Evaluate. 0 is those of an epoch.
	// There is another one at the end.
	EvaluateEvery uint64
	// Patience ends training after so many evaluations that were no better than the
	// best before, and makes the vectors of the best one the result. 0 trains to the
	// end and keeps the last.
	Patience int

	// Force trains even if the run seems not to fit into memory.
	Force bool

	// Subword composes input vectors from n-grams too; nil trains plain words.
	Subword subword.Indexer

	// Arch says what predicts what; empty for SkipGram.
	Arch Arch
	// Loss says how an output is told from others; empty for NegativeSampling.
	Loss Loss
	// PositionWeights multiplies each context of CBOW by a learned vector of its
	// relative position, number by number (Mikolov et al. 2018).
	PositionWeights bool
	// Rank makes input rows of so many numbers, times a learned Rank × Dim projection
	// (ALBERT, Lan et al. 2020); 0 for rows of Dim numbers.
	Rank int
	// Tied makes input and output vectors the same.
	Tied bool
	// WordNgrams adds to the contexts of CBOW all runs of 2 to so many tokens, which have
	// WordBuckets hashed rows of their own (sent2vec, Pagliardini et al. 2018); 0 and 1 for
	// none.
	WordNgrams  int
	WordBuckets int
	// Nested trains so many of the first dimensions as vectors of their own too, in rising
	// order, the last all of Dim (Matryoshka, Kusupati et al. 2022); nil for Dim alone.
	Nested []int

	// Freeze says what of the vectors that training starts from it leaves as they
	// are, if it starts from any.
	Freeze Freeze

	// division is how the work is divided, with zeros for what suits the run best.
	// separateRows leaves the rows of a subword model unmerged. Tests change them.
	division     step.Division
	separateRows bool

	// sizes are those of the run that goes on; nil for one that begins.
	sizes *sizes
}

// Defaults returns the settings that word2vec and fastText made usual: 100
// dimensions, window 5, 5 epochs, 5 negatives by count^0.75, subsampling at
// 1e-3, a learning rate by the size of the corpus, one worker a core, seed 1,
// plain words.
func Defaults() Config {
	return Config{
		Dim:        100,
		Window:     5,
		Epochs:     5,
		Negatives:  5,
		NSExponent: 0.75,
		Sample:     1e-3,
		Seed:       1,
	}
}

// Validate reports the first setting that cannot be trained with.
func (c Config) Validate() error {
	c.Subword = subword.Value(c.Subword)
	if err := Settings().Check(&c); err != nil {
		return fmt.Errorf("sgns: %w", err)
	}
	if err := c.Freeze.Validate(); err != nil {
		return err
	}
	if err := subword.Validate(c.Subword); err != nil {
		return err
	}
	_, err := c.variant()
	return err
}

// workers is how many workers read the corpus, each for itself. A column-parallel group has
// one.
func (c Config) workers() int {
	if c.Deterministic {
		return 1
	}
	return c.threads()
}

// threads is the number of threads asked for.
func (c Config) threads() int {
	if c.Threads > 0 {
		return c.Threads
	}
	return runtime.GOMAXPROCS(0)
}
