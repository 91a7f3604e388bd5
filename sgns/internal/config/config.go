// Package config has the configuration of a run, the table of its settings, and what follows from them.
package config

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Config says how to train. Defaults returns one that suits most corpora; change it field by field. Settings
// has a name, bounds and a line of help for each field.
type Config struct {
	Dim        int     // dimensions of the vectors
	Window     int     // largest distance between a centre and its contexts; 0 for whole lines
	Epochs     int     // passes over the corpus
	Negatives  int     // negative samples for every true pair
	Draws      int     // negatives that the centres of a block share; 0 for 48, or more where Negatives are more
	NSExponent float64 // negatives are drawn by count to this power
	Sample     float64 // subsampling threshold of frequent words; 0 for none: see LeastSubsampled

	// WindowMode says how wide windows are, up to Window.
	WindowMode WindowMode

	// LearningRate is the rate at the start. The rate falls linearly to zero with the tokens trained.
	// 0 is for the rate that suits the corpus: see RateFor. If a run starts from vectors, that is the rate to
	// which a run over their text and this one would have fallen.
	LearningRate float64

	Threads int    // number of threads; 0 means GOMAXPROCS
	Seed    uint64 // of all random numbers; one worker gives the same bits for the same seed

	// Shuffle trains the sentences of each epoch in another order, which the seed determines: it shuffles the
	// chunks of the corpus, of some thousand tokens each, and the sentences within each chunk.
	Shuffle bool

	// Deterministic makes any number of threads give the same bits for the same seed
	// and corpus, on the same kind of processor. docs/explanation/determinism.md says how, and
	// docs/benchmarks.md what it costs.
	Deterministic bool

	// EvaluateEvery is the number of tokens between two evaluations, if there is held-out text or a
	// Hooks.Evaluate. 0 evaluates once an epoch. The run also evaluates at its end.
	EvaluateEvery uint64
	// Patience ends training after so many evaluations without improvement, and returns the vectors of the best
	// evaluation. 0 trains to the end and returns the last vectors.
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
	// WordNgrams adds all runs of 2 to so many tokens to the contexts of CBOW. The runs are hashed into
	// WordBuckets rows (sent2vec, Pagliardini et al. 2018). 0 and 1 add nothing.
	WordNgrams  int
	WordBuckets int
	// Nested lists numbers of first dimensions that are also trained as vectors of their own, rising to
	// Dim (Matryoshka, Kusupati et al. 2022); nil for Dim alone.
	Nested []int

	// Precision is the type of the numbers of input rows in a model with n-grams.
	Precision Precision

	// Freeze says which of the vectors that training starts from it does not change.
	Freeze Freeze

	tuning Tuning
}

// Tuning is what only tests change in a Config.
type Tuning struct {
	Division     step.Division // how work is divided; zeros for the usual sizes
	Subsample    bool          // frequent words of small corpora are subsampled too
	SeparateRows bool          // rows of n-grams that always learn the same are not merged
}

// TuningOf returns the tuning of c, to be read or changed.
func TuningOf(c *Config) *Tuning { return &c.tuning }

// Defaults returns 100 dimensions, window 5, 5 epochs and 5 negatives, which word2vec and
// fastText made usual; negatives by count^0.7 and subsampling at 3e-4, which score best over
// several texts (docs/benchmarks.md, "How the defaults were chosen"); a learning rate by the
// size of the corpus, one worker a core, seed 1, plain words.
func Defaults() Config {
	return Config{
		Dim:        100,
		Window:     5,
		Epochs:     5,
		Negatives:  5,
		NSExponent: 0.7,
		Sample:     3e-4,
		Seed:       1,
	}
}

// Validate returns an error for the first setting that is not valid.
func (c Config) Validate() error {
	c.Subword = subword.Value(c.Subword)
	if err := Settings().Check(&c); err != nil {
		return fmt.Errorf("sgns: %w", err)
	}
	if err := c.Freeze.Validate(); err != nil {
		return err
	}
	if err := c.Precision.Validate(); err != nil {
		return err
	}
	if err := validateWindow(c); err != nil {
		return err
	}
	if err := subword.Validate(c.Subword); err != nil {
		return err
	}
	_, err := VariantOf(c)
	return err
}

// Workers returns how many workers read the corpus. A column-parallel group counts as one.
func Workers(c Config) int {
	if c.Deterministic {
		return 1
	}
	return Threads(c)
}

// Threads returns the number of threads that c asks for.
func Threads(c Config) int {
	if c.Threads > 0 {
		return c.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// validateWindow reports a window that makes no sense.
func validateWindow(c Config) error {
	if err := c.WindowMode.Validate(); err != nil {
		return err
	}
	if c.Window == 0 && c.WindowMode != WindowDynamic {
		return fmt.Errorf("sgns: window mode %s is one of windows, and with a window of 0 the whole line is the context", c.WindowMode)
	}
	return nil
}

// meanWindow returns the dynamic window that gives a centre, far from the ends of its line, as
// many contexts as the run's does on the average.
func meanWindow(c Config) float64 {
	switch {
	case c.Window == 0:
		return float64(Defaults().Window)
	case c.WindowMode == WindowDynamic:
		return float64(min(c.Window, vocab.MaxSentence))
	}
	var mean float64 // on one side
	most := min(c.Window, vocab.MaxSentence)
	for d := 1; d <= most; d++ {
		mean += c.WindowMode.Reaches(d, most)
	}
	return 2*mean - 1
}

// Resolve returns the settings that a variant depends on. None stands for a default.
func Resolve(c Config) settings.Run {
	return settings.Run{
		Dim:             c.Dim,
		Window:          c.Window,
		WindowMode:      c.WindowMode,
		Negatives:       c.Negatives,
		Draws:           c.Draws,
		NSExponent:      c.NSExponent,
		Seed:            c.Seed,
		Arch:            string(c.Arch),
		Loss:            string(c.Loss),
		PositionWeights: c.PositionWeights,
		WordNgrams:      c.WordNgrams,
		WordBuckets:     c.WordBuckets,
		Rank:            c.Rank,
		Tied:            c.Tied,
		Nested:          c.Nested,
		Subword:         subword.Value(c.Subword),
		Precision:       c.Precision,
		Freeze:          c.Freeze != FreezeNone,
		Deterministic:   c.Deterministic,
		Threads:         Threads(c),
	}
}

// VariantOf returns the variant that the settings describe, or why there is no such variant.
func VariantOf(c Config) (*variant.Variant, error) {
	v, err := variant.Of(Resolve(c))
	if err != nil {
		return nil, fmt.Errorf("sgns: %w", err)
	}
	return v, nil
}

// TrainingOf returns what models say of the settings that they were trained with.
func TrainingOf(c Config) (t vectors.Training) {
	for key, value := range Settings().Records(&c) {
		t.Set(key, value)
	}
	return t
}

// Divisible returns why models of this configuration cannot be divided over ranks; nil if they can
// be. See Data.Divide.
func (c Config) Divisible() error {
	v, err := VariantOf(c)
	if err != nil {
		return err
	}
	_, pooled := v.Loss.(loss.Pooled)
	switch why := v.Indivisible(); {
	case why != "":
		return Indivisible(why)
	case !pooled:
		return Indivisible("the loss draws its words from all rows")
	case c.Deterministic:
		return Indivisible("a deterministic run has one order of steps, and the threads of ranks have none")
	case c.Freeze != FreezeNone:
		return Indivisible("frozen vectors need vectors to start from")
	case c.Patience > 0:
		return Indivisible("early stopping keeps a copy of the best vectors")
	}
	return nil
}

// Indivisible returns the error of a run whose rows cannot be divided over ranks.
func Indivisible(why string) error {
	return errors.New("sgns: the model cannot be divided over ranks: " + why)
}

// RateFor returns the learning rate that suits a number of tokens to train, those
// of all epochs. The fewer tokens, the fewer steps, and the larger each has to be:
// for 86 million it is 0.04, or 0.035 with subwords, for 27 million 0.07, or 0.05; it
// follows power laws, between 0.02 and 0.07, or 0.05 with subwords. CBOW, with
// a step for each centre and not for each pair, has more: 0.055 and 0.04, and at most 0.1.
// With more pairs a token than the default window and negatives give, steps are larger and
// the rate is lower, by the square root of how many more there are. Variants in which
// every step moves more than the rows of one word have less.
// docs/benchmarks.md and docs/variants.md have the measurements behind it.
func (c Config) RateFor(tokens uint64) float64 {
	v, err := variant.Assemble(Resolve(c))
	if err != nil { // there is no such variant, and no rate that suits it
		c.Arch, c.Loss = "", ""
		return c.RateFor(tokens)
	}
	const usualTokens, least = 86e6, 0.02
	rates := v.Architecture.Rates()
	rate := rates.Words
	if c.Subword != nil {
		rate = rates.Subwords
	}
	fit := min(max(rate.Usual*math.Pow(usualTokens/float64(max(tokens, 1)), rate.Power), least), rate.Most) * v.Rate()
	usual := pairs(Defaults(), arch.Rates{})
	return max(math.Round(1000*fit*math.Sqrt(usual/max(pairs(c, rates), usual))), 1) / 1000
}

// pairs is how many pairs, true ones and negatives, a token at most has on one side.
func pairs(c Config, rates arch.Rates) float64 {
	window := meanWindow(c)
	if rates.ByCentre {
		window = float64(Defaults().Window) // a centre is in one pair, whatever its window is
	}
	return window * float64(1+c.Negatives)
}
