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
	Epochs     int     // passes over the corpus; 0 means as many as suit its size: see EpochsFor
	Negatives  int     // negative samples for every true pair
	Draws      int     // number of negatives that the centres of a block share; 0 means 48, or more if Negatives is larger
	NSExponent float64 // exponent of counts in the distribution of negatives
	Sample     float64 // subsampling threshold of frequent words; 0 keeps all: see LeastSubsampled

	// WindowMode says how the width of windows varies, up to Window.
	WindowMode settings.WindowMode

	// LearningRate is the initial rate. The rate falls linearly to zero with the tokens trained. 0 means a
	// rate for the size of the corpus: see RateFor. If a run starts from vectors, 0 means the rate that
	// one run over their text and this text would have reached at this point.
	LearningRate float64

	Threads int    // number of threads; 0 means GOMAXPROCS
	Seed    uint64 // seed of all random numbers; with one worker, the same seed gives the same bits

	// Shuffle trains the sentences of each epoch in another order, which the seed determines: it shuffles the
	// chunks of the corpus, of some thousand tokens each, and the sentences within each chunk.
	Shuffle bool

	// Sharing says how threads share the rows of a model.
	Sharing Sharing
	// Affinity says whether threads stay on some processors.
	Affinity Affinity

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

	// Subword also composes input vectors from n-grams; nil trains plain words.
	Subword subword.Indexer

	// Arch says what predicts what; empty means SkipGram.
	Arch Arch
	// Loss says how an output is distinguished from other outputs; empty means NegativeSampling.
	Loss Loss
	// PositionWeights multiplies each context of CBOW by a learned vector of its
	// relative position, number by number (Mikolov et al. 2018).
	PositionWeights bool
	// Rank is the width of input rows, which a learned Rank × Dim projection multiplies (ALBERT, Lan et al.
	// 2020); 0 means rows of Dim numbers without a projection.
	Rank int
	// Tied makes input and output vectors the same.
	Tied bool
	// WordNgrams adds all runs of 2 to so many tokens to the contexts of CBOW. The runs are hashed into
	// WordBuckets rows (sent2vec, Pagliardini et al. 2018). 0 and 1 add nothing.
	WordNgrams  int
	WordBuckets int
	// XMax is, with GloVe, the count from which on all pairs weigh the same; rarer pairs weigh less. 0 means 10.
	XMax float64
	// Nested lists numbers of first dimensions that are also trained as vectors of their own, rising to Dim
	// (Matryoshka, Kusupati et al. 2022); nil trains Dim alone.
	Nested []int

	// Pooling says how the rows of a text become its vector, with Supervised.
	Pooling settings.Pooling

	// Precision is the type of the numbers of input rows in a model with n-grams.
	Precision settings.Precision

	// OwnWeight is, with n-grams, how much a word's own row counts beside the rows of its n-grams in finished vectors. In training it
	// counts as much as they do. 0 means 0.6 for skip-gram, and 1 elsewhere and if the run starts
	// from a model. A run that starts from a checkpoint, whose vectors are as they were trained, has 0.6 too.
	OwnWeight float64
	// Power raises the singular values of the words' vectors in finished vectors, so that the first axes count less (Levy,
	// Goldberg and Dagan 2015). Context vectors change too, and keep their products with words. 0 means 0.85 for skip-gram with subwords, and 1
	// elsewhere and if the run starts from a model that is no checkpoint.
	Power float64

	// Freeze says which of the initial vectors training does not change.
	Freeze Freeze

	tuning Tuning
}

// Tuning has settings that only tests change.
type Tuning struct {
	Division     step.Division // division of work; zeros mean the usual sizes
	Subsample    bool          // also subsample frequent words of small corpora
	SeparateRows bool          // do not merge rows of n-grams that always learn the same
}

// TuningOf returns a pointer to the tuning of c.
func TuningOf(c *Config) *Tuning { return &c.tuning }

// Defaults returns 100 dimensions, window 5 and 5 negatives, which word2vec and fastText made usual;
// as many epochs as suit the size of the corpus; negatives by count^0.7 and subsampling at 3e-4, which score best over
// several texts (docs/benchmarks.md, "How the defaults were chosen"); a learning rate by the
// size of the corpus, one worker a core, seed 1, plain words.
func Defaults() Config {
	return Config{
		Dim:        100,
		Window:     5,
		Negatives:  5,
		NSExponent: 0.7,
		Sample:     3e-4,
		Seed:       1,
	}
}

// Validate returns an error for the first invalid setting.
func (c Config) Validate() error {
	c.Subword = subword.Value(c.Subword)
	if err := Settings().Check(&c); err != nil {
		return fmt.Errorf("sgns: %w", err)
	}
	for _, check := range []func() error{c.Freeze.Validate, c.Precision.Validate, c.Pooling.Validate, c.WindowMode.Validate, c.Sharing.Validate, c.Affinity.Validate} {
		if err := check(); err != nil {
			return err
		}
	}
	if c.Window == 0 && c.WindowMode != settings.Dynamic {
		return fmt.Errorf("sgns: window mode %s is one of windows, and with a window of 0 the whole line is the context", c.WindowMode)
	}
	if c.Deterministic && (c.Affinity == AffinityCaches || c.Affinity == AffinityCores) {
		return fmt.Errorf("sgns: affinity %s is for threads that train independently of each other, and those of a deterministic run work on the same steps: leave it out", string(c.Affinity))
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

// meanWindow returns the dynamic window with as many contexts, on average, as the window of c.
func meanWindow(c Config) float64 {
	most := min(c.Window, vocab.MaxSentence)
	switch {
	case most == 0:
		return float64(Defaults().Window)
	case c.WindowMode == settings.Dynamic:
		return float64(most)
	}
	var mean float64 // on one side
	for d := 1; d <= most; d++ {
		mean += c.WindowMode.Reaches(d, most)
	}
	return 2*mean - 1
}

// Resolve returns the settings that a variant depends on, with defaults filled in.
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
		XMax:            c.XMax,
		Rank:            c.Rank,
		Tied:            c.Tied,
		Nested:          c.Nested,
		Subword:         subword.Value(c.Subword),
		Precision:       c.Precision,
		Pooling:         c.Pooling,
		Freeze:          c.Freeze != FreezeNone,
		OwnWeight:       c.OwnWeight,
		Power:           c.Power,
		Deterministic:   c.Deterministic,
		Threads:         Threads(c),
	}
}

// VariantOf returns the variant of the settings, or an error if the settings cannot be combined.
func VariantOf(c Config) (*variant.Variant, error) {
	v, err := variant.Of(Resolve(c))
	if err != nil {
		return nil, fmt.Errorf("sgns: %w", err)
	}
	return v, nil
}

// TrainingOf returns what models store about their training settings.
func TrainingOf(c Config) (t vectors.Training) {
	for key, value := range Settings().Records(&c) {
		t.Set(key, value)
	}
	return t
}

// Divisible says why rows of this configuration cannot be divided among ranks: see Data.Divide.
func (c Config) Divisible() error {
	v, err := VariantOf(c)
	if err != nil {
		return err
	}
	why := v.Indivisible()
	if _, pooled := v.Loss.(loss.Pooled); why == "" && !pooled {
		why = "the loss draws its words from all rows"
	}
	switch {
	case why != "":
	case c.Deterministic:
		why = "a deterministic run has one order of steps, and the threads of ranks have none"
	case c.Freeze != FreezeNone:
		why = "frozen vectors need vectors to start from"
	case c.Patience > 0:
		why = "early stopping keeps a copy of the best vectors"
	default:
		return nil
	}
	return Indivisible(why)
}

// Indivisible returns the error for a run whose rows cannot be divided among ranks.
func Indivisible(why string) error {
	return errors.New("sgns: the model cannot be divided over ranks: " + why)
}

// FitDim sets Dim to the largest of Nested, if there are any.
func (c *Config) FitDim() {
	if n := len(c.Nested); n > 0 {
		c.Dim = c.Nested[n-1]
	}
}

// FitLoss sets the window, how wide it is, the subsampling threshold and XMax to what suits the loss if it trains counts of
// pairs of words. Other losses have those of Defaults.
func (c *Config) FitLoss() {
	if of, counts := c.usual(); counts {
		c.Window, c.WindowMode, c.Sample, c.XMax = of.Window, of.Mode, 0, of.XMax
	}
}

// Counts reports whether the loss trains counts of pairs of words, and not steps through the text.
func (c Config) Counts() bool {
	_, counts := c.usual()
	return counts
}

// ScoresAll reports whether the loss scores all words for each token.
func (c Config) ScoresAll() bool {
	v, err := variant.Assemble(Resolve(c))
	if err != nil {
		return false
	}
	_, all := v.Loss.(loss.Exhaustive)
	return all
}

func (c Config) usual() (loss.Usual, bool) {
	if v, err := variant.Assemble(Resolve(c)); err == nil {
		if l, counts := v.Loss.(loss.Counted); counts {
			return l.Usual(), true
		}
	}
	return loss.Usual{}, false
}

// UsualEpochs are those of word2vec and fastText. They are the default where EpochsFor was not measured: after a
// start from vectors, for contexts drawn from whole lines, and for walks and k-mers (package train).
const UsualEpochs = 5

// EpochsFor returns the number of epochs for a corpus of so many tokens: 500 divided by the fourth root of tokens, and
// at most 10, or as many as train two million tokens, and at most 40. So 50,000 tokens have 40 epochs, a million 10,
// 17 million 8, 100 million UsualEpochs, and a billion 3. With subwords, where more than UsualEpochs brought nothing,
// these are the most from 400,000 tokens on. docs/benchmarks.md, "Epochs by the size of the corpus", has the
// measurements, from 1 to 17 million. Contexts that are drawn from whole lines, for baskets and sessions, have
// UsualEpochs. Losses of counts have the same number for any corpus.
func (c Config) EpochsFor(tokens uint64) int {
	if of, counts := c.usual(); counts {
		return of.Epochs
	}
	if c.Window == 0 {
		return UsualEpochs
	}
	n, most := float64(max(tokens, 1)), 10.0
	if c.Subword != nil {
		most = UsualEpochs
	}
	fit := max(min(500/math.Sqrt(math.Sqrt(n)), most), min(2e6/n, 40))
	return max(int(math.Round(fit)), 1)
}

// RateFor returns the learning rate for a number of tokens in all epochs. Fewer tokens mean fewer steps, so
// each has to be larger: the rate for 86 million tokens is 0.04, or 0.035 with subwords; for 27 million it is
// 0.07, or 0.05. It follows power laws, between 0.02 and 0.07, or 0.05 with subwords. CBOW has one step for
// each centre instead of each pair, and higher rates: 0.055 and 0.04, and at most 0.1. If a token has more
// pairs than with the default window and negatives, steps are larger, and the rate is divided by the square
// root of the ratio. Variants in which a step moves more than the rows of one word have lower rates.
// docs/benchmarks.md and docs/variants.md have the measurements. Losses of counts have one rate, which does not fall.
func (c Config) RateFor(tokens uint64) float64 {
	if of, counts := c.usual(); counts {
		return of.Rate
	}
	v, err := variant.Assemble(Resolve(c))
	if err != nil { // invalid settings have no rate
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

// pairs returns the largest number of pairs, true ones and negatives, of a token on one side.
func pairs(c Config, rates arch.Rates) float64 {
	window := meanWindow(c)
	if rates.ByCentre {
		window = float64(Defaults().Window) // a centre is in one pair for any window
	}
	return window * float64(1+c.Negatives)
}
