package sgns

import (
	"cmp"
	"errors"
	"math"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
)

// A Config says how to train. Defaults returns one that suits most corpora; it
// is meant to be changed field by field from there. Settings has a name, bounds and a line of
// help for each field.
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

	// LearningRate is the rate at the start, which falls linearly to zero with
	// the tokens trained. 0 stands for what suits the corpus: see RateFor. A run that
	// starts from vectors goes on from where their training was in such a fall.
	LearningRate float64

	Threads int    // number of threads; 0 means GOMAXPROCS
	Seed    uint64 // of every random number; one worker repeats itself exactly

	// Shuffle trains the sentences of each epoch in another order, by the seed: the chunks of the
	// corpus, of some thousand tokens each, and the sentences within each.
	Shuffle bool

	// Deterministic makes any number of threads give the same bits for the same seed
	// and corpus, on the same kind of processor. docs/explanation/determinism.md says how, and
	// docs/benchmarks.md what it costs.
	Deterministic bool

	// EvaluateEvery is how many tokens are trained between evaluations, if there is
	// anything to evaluate: held-out text, or Hooks.Evaluate. 0 evaluates once an epoch.
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

	// Precision is the type of the numbers of input rows in a model with n-grams.
	Precision Precision

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

// Groups of settings.
const (
	GroupModel    = "model"    // what is trained and how, whatever the text
	GroupRun      = "run"      // how a run goes about it
	GroupFreeze   = "start"    // what a run starts from
	GroupEvaluate = "evaluate" // when a run is evaluated and ends
)

// limit is the most of settings that have no bound of their own.
const limit = 1 << 30

// Settings returns the table of all settings of a Config. A new setting is a field of Config
// and a line here: its flag, its name in sweeps, its place in checkpoints, the comparison of a
// run that is resumed, what a model says of its training and the documentation are made of it.
func Settings() setting.Table[Config] {
	return setting.Table[Config]{
		{
			Name: "arch", Group: GroupModel, Help: "what predicts what",
			At:       func(c *Config) any { return &c.Arch },
			Choices:  choices(Archs()),
			OmitZero: true,
			Record:   func(c *Config) any { return string(c.arch()) },
		},
		{
			Name: "loss", Group: GroupModel, Help: "how outputs are told apart",
			At:       func(c *Config) any { return &c.Loss },
			Choices:  choices(Losses()),
			OmitZero: true,
			Record: func(c *Config) any {
				if c.loss() == Losses()[0] { // the one that models have that say nothing
					return ""
				}
				return string(c.loss())
			},
		},
		{
			Name: "dim", Label: "dimensions", Group: GroupModel, Help: "dimensions",
			At:     func(c *Config) any { return &c.Dim },
			Bounds: &setting.Bounds{Least: 1, Most: limit},
		},
		{
			Name: "window", Group: GroupModel, Help: "largest distance between centre and context; 0 draws contexts from the whole line, for baskets and sessions",
			At:     func(c *Config) any { return &c.Window },
			Bounds: &setting.Bounds{Least: 0, Most: limit},
			Record: func(c *Config) any { return c.Window },
		},
		{
			Name: "window-mode", Group: GroupModel, Help: "how wide windows are, up to the largest distance",
			At:       func(c *Config) any { return (*windowMode)(&c.WindowMode) },
			Choices:  windowModes(),
			OmitZero: true,
			Record:   func(c *Config) any { return c.recordedWindowMode() },
		},
		{
			Name: "epochs", Group: GroupModel, Help: "passes over the corpus",
			At:     func(c *Config) any { return &c.Epochs },
			Bounds: &setting.Bounds{Least: 1, Most: limit},
			Record: func(c *Config) any { return c.Epochs },
		},
		{
			Name: "negatives", Group: GroupModel, Help: "negative samples for each pair",
			At:     func(c *Config) any { return &c.Negatives },
			Bounds: &setting.Bounds{Least: 1, Most: limit},
			Needs:  sampled(),
			Record: func(c *Config) any { return c.Negatives },
		},
		{
			Name: "draws", Group: GroupModel,
			Help:     "negatives that are drawn for a block of 16 centres, which share them; fewer train faster, more score better; cbow draws a quarter of them, structured a sixth for each position (default 48, and more with more than 5 negatives)",
			At:       func(c *Config) any { return &c.Draws },
			Bounds:   &setting.Bounds{Least: 0, Most: 1 << 16},
			OmitZero: true,
			Needs:    sampled(),
			Record:   func(c *Config) any { return c.Draws },
		},
		{
			Name: "ns-exponent", Label: "exponent of the noise distribution", Group: GroupModel, Help: "negatives are drawn by count to this power",
			At:     func(c *Config) any { return &c.NSExponent },
			Bounds: &setting.Bounds{Least: -10, Most: 10},
			Needs:  sampled(),
			Record: func(c *Config) any { return c.NSExponent },
		},
		{
			Name: "sample", Label: "subsampling threshold", Group: GroupModel, Help: "subsampling threshold of frequent words; 0 keeps all, as with corpora below 5,000 tokens",
			At:     func(c *Config) any { return &c.Sample },
			Bounds: &setting.Bounds{Least: 0, Most: math.MaxFloat64, Words: "0 or more"},
			Record: func(c *Config) any { return c.Sample },
		},
		{
			Name: "lr", Label: "learning rate", Group: GroupModel,
			Help:   "learning rate at the start; it falls linearly to 0 (default by the size of the corpus: from 0.02 for large ones to 0.07 for small ones, 0.05 with subwords, 0.1 with cbow; lower for some variants, larger windows, more negatives, and after --init)",
			At:     func(c *Config) any { return &c.LearningRate },
			Bounds: &setting.Bounds{Least: 0, Most: 1e6, Words: "from 0 to a million"},
			Record: func(c *Config) any { return c.LearningRate },
		},
		{
			Name: "rank", Group: GroupModel, Help: "low rank: rows of `H` numbers, multiplied by a learned H × dim projection (default: no projection)",
			At:           func(c *Config) any { return &c.Rank },
			Bounds:       &setting.Bounds{Least: 0, Most: limit, Words: "below `dim`", Elsewhere: true},
			OmitZero:     true,
			OfDimensions: true,
		},
		{
			Name: "tied", Group: GroupModel, Help: "use one matrix for input and output vectors",
			At:       func(c *Config) any { return &c.Tied },
			OmitZero: true,
			Record:   func(c *Config) any { return c.Tied },
		},
		{
			Name: "position-weights", Group: GroupModel, Help: "with cbow, multiply contexts by a learned vector of their relative position",
			At:       func(c *Config) any { return &c.PositionWeights },
			OmitZero: true,
		},
		{
			Name: "word-ngrams", Group: GroupModel, Help: "with cbow, runs of 2 to `N` words are contexts too, with their own hashed rows",
			At:       func(c *Config) any { return &c.WordNgrams },
			Bounds:   &setting.Bounds{Least: 0, Most: arch.MaxWordNgrams, Elsewhere: true},
			OmitZero: true,
			Record:   func(c *Config) any { return c.WordNgrams },
		},
		{
			Name: "word-buckets", Group: GroupModel, Help: "hash buckets of the runs of words",
			At:       func(c *Config) any { return &c.WordBuckets },
			Bounds:   &setting.Bounds{Least: 1, Most: arch.MaxWordBuckets, Elsewhere: true},
			Usual:    "500000",
			OmitZero: true,
			Needs:    &setting.Need[Config]{Setting: "word-ngrams", Values: "of 2 or more", Met: func(c *Config) bool { return c.WordNgrams > 1 }},
		},
		{
			Name: "nested", Group: GroupModel, Help: "also train the first dimensions as vectors of their own, such as 32,64,128; the last number is --dim",
			At:           func(c *Config) any { return (*setting.Rising)(&c.Nested) },
			OmitZero:     true,
			OfDimensions: true,
			Record:       func(c *Config) any { return (*setting.Rising)(&c.Nested).String() },
		},
		{
			Name: "precision", Group: GroupModel, Help: "with n-grams, type of the numbers of all input rows while they are trained",
			At:       func(c *Config) any { return (*precision)(&c.Precision) },
			Choices:  precisions(),
			OmitZero: true,
			Record:   func(c *Config) any { return string(c.Precision) },
		},
		{
			Name: "seed", Group: GroupModel, Help: "seed of all random numbers; with --threads 1 or --deterministic the same seed gives the same bits",
			At:     func(c *Config) any { return &c.Seed },
			Record: func(c *Config) any { return c.Seed },
		},
		{
			Name: "shuffle", Group: GroupModel, Help: "train the sentences of each epoch in another order, which the seed determines",
			At:       func(c *Config) any { return &c.Shuffle },
			OmitZero: true,
			Record:   func(c *Config) any { return c.Shuffle },
		},
		{
			Name: "deterministic", Group: GroupModel, Help: "give the same bits with any number of threads, on the same kind of processor; slower",
			At:     func(c *Config) any { return &c.Deterministic },
			Record: func(c *Config) any { return c.Deterministic },
		},
		{
			Name: "freeze", Group: GroupFreeze, Help: "which vectors of --init training does not change",
			At:       func(c *Config) any { return (*freeze)(&c.Freeze) },
			Choices:  []setting.Choice{{Value: freezeNone}, {Value: string(FreezeKnown), Meaning: "those of its words, so that new words adapt to them"}},
			OmitZero: true,
		},
		{
			Name: "threads", Group: GroupRun, Help: "number of threads; 0 means GOMAXPROCS",
			At:     func(c *Config) any { return &c.Threads },
			Bounds: &setting.Bounds{Least: 0, Most: limit},
		},
		{
			Name: "eval-every", Key: "evaluate_every", Group: GroupEvaluate, Help: "evaluate every N tokens, such as 500k or 10M, and at the end (default: every epoch)",
			At: func(c *Config) any { return (*setting.Tokens)(&c.EvaluateEvery) },
		},
		{
			Name: "early-stop", Key: "patience", Label: "patience", Group: GroupEvaluate,
			Help:   "stop after `N` evaluations without improvement and keep the best vectors: by the held-out loss, or else by the score of the first SET",
			At:     func(c *Config) any { return &c.Patience },
			Bounds: &setting.Bounds{Least: 0, Most: limit},
		},
	}
}

// sampled is the need of losses that compare an output with random others.
func sampled() *setting.Need[Config] {
	var names []string
	for _, l := range Losses() {
		if l.Samples() {
			names = append(names, string(l))
		}
	}
	return &setting.Need[Config]{Setting: "loss", Values: setting.Or(names), Met: func(c *Config) bool { return c.Loss.Samples() }}
}

// choices are values with what they are.
func choices[T interface {
	~string
	Help() string
}](values []T) []setting.Choice {
	all := make([]setting.Choice, len(values))
	for i, v := range values {
		all[i] = setting.Choice{Value: string(v), Meaning: v.Help()}
	}
	return all
}

// freeze is a Freeze as text, which has a name for none.
type freeze Freeze

const freezeNone = "none"

func (f *freeze) String() string { return cmp.Or(string(*f), freezeNone) }

// Type is how a flag's help calls the value.
func (f *freeze) Type() string { return "name" }

// Set takes a name.
func (f *freeze) Set(name string) error {
	switch *f = freeze(name); name {
	case freezeNone:
		*f = freeze(FreezeNone)
	case string(FreezeKnown):
	default:
		return errors.New("is not " + setting.Or([]string{freezeNone, string(FreezeKnown)}))
	}
	return nil
}
