package config

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vectors"
)

// Groups of settings.
const (
	GroupModel    = "model"    // what is trained, independent of the text
	GroupTexts    = "texts"    // what is trained of texts with labels
	GroupRun      = "run"      // how a run proceeds
	GroupFreeze   = "start"    // what a run starts from
	GroupEvaluate = "evaluate" // when a run is evaluated and ends
)

// limit is the largest value of settings without a bound of their own.
const limit = 1 << 30

// Settings returns the table of all settings of a Config. To add a setting, add a field to Config and a line
// here. The table generates its flag, its name in sweeps, its place in checkpoints, the comparison when a run
// resumes, the training facts of models, and the documentation.
func Settings() setting.Table[Config] {
	return setting.Table[Config]{
		{
			Name: "arch", Group: GroupModel, Help: "what predicts what",
			At:       func(c *Config) any { return &c.Arch },
			Choices:  choices(arch.Kinds()),
			OmitZero: true,
			Record:   func(c *Config) any { return cmp.Or(string(c.Arch), arch.Kinds()[0].Name) },
		},
		{
			Name: "loss", Group: GroupModel, Help: "how outputs are told apart",
			At:       func(c *Config) any { return &c.Loss },
			Choices:  choices(loss.Kinds()),
			OmitZero: true,
			Record: func(c *Config) any {
				if c.Arch == Supervised {
					return cmp.Or(string(c.Loss), loss.OfLabels()[0].Name)
				}
				if string(c.Loss) == loss.Kinds()[0].Name { // models without this setting have this loss
					return ""
				}
				return string(c.Loss)
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
			At: func(c *Config) any { return (*named[dynamic])(&c.WindowMode) },
			Choices: []setting.Choice{
				{Value: dynamic{}.zero(), Meaning: "any width up to that"},
				{Value: string(settings.Fixed), Meaning: "always that wide"},
				{Value: string(settings.Harmonic), Meaning: "contexts at distance d count 1/d"},
			},
			OmitZero: true,
			Record: func(c *Config) any {
				if c.Window == 0 { // a recorded window of 0 would mean that the window is unknown
					return windowLine
				}
				return string(c.WindowMode)
			},
		},
		{
			Name: "epochs", Group: GroupModel, Help: "passes over the corpus; auto takes as many as suit its size, and 5 after --init, for walks, k-mers and --window 0",
			At:     func(c *Config) any { return (*epochs)(&c.Epochs) },
			Bounds: &setting.Bounds{Most: limit, Words: "from 1, or auto"},
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
			Help:   "learning rate at the start; it falls linearly to 0, except with glove (default by the size of the corpus: from 0.02 for large ones to 0.07 for small ones, 0.05 with subwords and glove, 0.1 with cbow; lower for some variants, larger windows, more negatives, and after --init)",
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
			Name: "x-max", Group: GroupModel, Help: "with glove, pairs that count so much or more weigh the same, and rarer ones less (default 10)",
			At:       func(c *Config) any { return (*aboveZero)(&c.XMax) },
			Bounds:   &setting.Bounds{Least: 0, Most: limit, Words: "above 0 and at most 1073741824"},
			OmitZero: true,
			Needs:    &setting.Need[Config]{Setting: "loss", Values: string(GloVe), Met: func(c *Config) bool { return c.Counts() }},
			Record:   func(c *Config) any { return c.XMax },
		},
		{
			Name: "nested", Group: GroupModel, Help: "also train the first dimensions as vectors of their own, such as 32,64,128; the last number is --dim",
			At:           func(c *Config) any { return (*setting.Rising)(&c.Nested) },
			OmitZero:     true,
			OfDimensions: true,
			Record:       func(c *Config) any { return (*setting.Rising)(&c.Nested).String() },
		},
		{
			Name: "own-weight", Group: GroupModel, Help: "with n-grams, how much a word's own row counts beside theirs when training has ended (default 0.6 with skipgram, 1 elsewhere and after --init of a model)",
			At:       func(c *Config) any { return (*aboveZero)(&c.OwnWeight) },
			Bounds:   &setting.Bounds{Least: 0, Most: limit, Words: "above 0 and at most 1073741824"},
			OmitZero: true,
		},
		{
			Name: "power", Group: GroupModel, Help: "each axis of the vectors counts by this power of its singular value when training has ended (default 0.85 with skipgram and subwords, 1 elsewhere and after --init of a model)",
			At:       func(c *Config) any { return (*aboveZero)(&c.Power) },
			Bounds:   &setting.Bounds{Least: 0, Most: 4, Words: "above 0 and at most 4"},
			OmitZero: true,
		},
		{
			Name: "precision", Group: GroupModel, Help: "with n-grams, type of the numbers of all input rows while they are trained",
			At: func(c *Config) any { return (*named[float32s])(&c.Precision) },
			Choices: []setting.Choice{
				{Value: float32s{}.zero(), Meaning: "float32"},
				{Value: string(settings.F16), Meaning: "float16, rounded at random, in about half of the memory"},
			},
			OmitZero: true,
			Record:   func(c *Config) any { return string(c.Precision) },
		},
		{
			Name: "text-pooling", Group: GroupTexts, Help: "how the rows of a text become its vector",
			At: func(c *Config) any { return (*named[mean])(&c.Pooling) },
			Choices: []setting.Choice{
				{Value: mean{}.zero(), Meaning: "the mean of all"},
				{Value: string(settings.PoolExtremes), Meaning: "the mean, and the largest and the smallest number of each column"},
			},
			OmitZero: true,
			Record:   func(c *Config) any { return string(c.Pooling) },
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
			At:       func(c *Config) any { return (*named[nothing])(&c.Freeze) },
			Choices:  []setting.Choice{{Value: nothing{}.zero()}, {Value: string(FreezeKnown), Meaning: "those of its words, so that new words adapt to them"}},
			OmitZero: true,
		},
		{
			Name: "threads", Group: GroupRun, Help: "number of threads; 0 means GOMAXPROCS",
			At:     func(c *Config) any { return &c.Threads },
			Bounds: &setting.Bounds{Least: 0, Most: limit},
		},
		{
			Name: "sharing", Group: GroupRun, Help: "how threads share the rows of a model",
			At: func(c *Config) any { return (*named[copies])(&c.Sharing) },
			Choices: []setting.Choice{
				{Value: copies{}.zero(), Meaning: "groups of threads have copies of those that change most, for processors that are far from each other"},
				{Value: string(SharingHogwild), Meaning: "all change all rows in place"},
			},
			OmitZero: true,
		},
		{
			Name: "affinity", Group: GroupRun, Help: "on which processors threads stay, on Linux", Unsaved: true,
			At: func(c *Config) any { return (*named[auto])(&c.Affinity) },
			Choices: []setting.Choice{
				{Value: auto{}.zero(), Meaning: "those that share a cache, if the machine has several such groups and the run has a thread for each processor"},
				{Value: string(AffinityCaches), Meaning: "those that share a cache"},
				{Value: string(AffinityCores), Meaning: "one each"},
				{Value: string(AffinityNone), Meaning: "any"},
			},
			OmitZero: true,
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

func sampled() *setting.Need[Config] {
	var names []string
	for _, k := range loss.Kinds() {
		if k.Samples {
			names = append(names, k.Name)
		}
	}
	return &setting.Need[Config]{Setting: "loss", Values: setting.Or(names), Met: func(c *Config) bool { return slices.Contains(names, cmp.Or(string(c.Loss), loss.Kinds()[0].Name)) }}
}

func choices[T any](kinds []settings.Kind[T]) (all []setting.Choice) {
	for _, k := range kinds {
		all = append(all, setting.Choice{Value: k.Name, Meaning: k.Help})
	}
	return all
}

// epochs is a number of epochs, as text 12, or auto for 0.
type epochs int

// autoEpochs is the text of as many epochs as suit the size of the corpus.
const autoEpochs = "auto"

// Type is how a flag's help calls the number.
func (*epochs) Type() string { return "int" }

func (e *epochs) String() string {
	if *e == 0 {
		return autoEpochs
	}
	return strconv.Itoa(int(*e))
}

// Set takes a number from 1, or auto.
func (e *epochs) Set(text string) error {
	if text == autoEpochs {
		*e = 0
		return nil
	}
	n, err := strconv.ParseInt(text, 0, strconv.IntSize)
	if err != nil || n < 1 {
		return errors.New("is neither a whole number from 1 nor " + autoEpochs)
	}
	*e = epochs(n)
	return nil
}

// aboveZero is a number above 0; 0 stands for the usual one.
type aboveZero float64

// Type is how a flag's help calls the number.
func (*aboveZero) Type() string { return "float64" }

func (x *aboveZero) String() string {
	if *x == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*x), 'g', -1, 64)
}

// Set takes a number above 0.
func (x *aboveZero) Set(text string) error {
	var number float64
	if err := setting.Parse(&number, text); err != nil {
		return err
	}
	if !(number > 0) {
		return errors.New("is not above 0")
	}
	*x = aboveZero(number)
	return nil
}

// windowLine is the window mode in models whose contexts were drawn from whole lines.
const windowLine = "line"

// A named is a string type; Z has the name of its zero value.
type named[Z interface{ zero() string }] string

type (
	dynamic  struct{} // a WindowMode
	float32s struct{} // a Precision
	mean     struct{} // a Pooling
	nothing  struct{} // a Freeze
	copies   struct{} // a Sharing
	auto     struct{} // an Affinity
)

func (dynamic) zero() string  { return "dynamic" }
func (float32s) zero() string { return string(vectors.F32) }
func (mean) zero() string     { return "mean" }
func (nothing) zero() string  { return "none" }
func (copies) zero() string   { return "copies" }
func (auto) zero() string     { return "auto" }

func (n *named[Z]) String() string {
	var z Z
	return cmp.Or(string(*n), z.zero())
}

// Type is the name of the value in a flag's help.
func (*named[Z]) Type() string { return "name" }

// Set sets a name, which must be one of the setting's choices.
func (n *named[Z]) Set(name string) error {
	var z Z
	if name == z.zero() {
		name = ""
	}
	*n = named[Z](name)
	return nil
}

// savedOrder is the order of the first settings in checkpoints. Other settings follow.
var savedOrder = []string{
	"dim", "window", "epochs", "negatives", "ns_exponent", "sample", "lr", "threads", "seed", "deterministic", "evaluate_every", "patience",
	"arch", "loss", "position_weights", "rank", "tied", "word_ngrams", "word_buckets", "nested", "freeze",
}

// MarshalJSON returns all settings except Force, and Subword, which belongs to the vectors.
func (c Config) MarshalJSON() ([]byte, error) { return Settings().Marshal(&c, savedOrder) }

// UnmarshalJSON reads the output of MarshalJSON of this version or an older one.
func (c *Config) UnmarshalJSON(data []byte) error { return Settings().Unmarshal(data, c) }

// An Arch is an architecture: what predicts what. Its value is the name on the command line.
type Arch string

const (
	// SkipGram predicts every context from the centre (Mikolov et al. 2013).
	SkipGram Arch = "skipgram"
	// CBOW predicts the centre from the mean of its contexts. Each context gets its share of the gradient,
	// where word2vec.c gives it the whole gradient (İrsoy et al. 2021, koan). Shares are multiplied by the
	// mean number of contexts of a centre, so that learning rates are those of word2vec.c.
	CBOW Arch = "cbow"
	// Structured is skip-gram with an output matrix for each relative position (Ling et
	// al. 2015).
	Structured Arch = "structured"
	// Supervised predicts the labels of a text from the mean of all its rows: those of its words, of their n-grams, and of
	// runs of words (Joulin et al. 2017). It needs the labels in Data.
	Supervised Arch = "supervised"
)

// Archs returns every architecture for words, the default first.
func Archs() []Arch { return names[Arch](arch.Kinds()) }

// A Loss says how an output is distinguished from other outputs. Its value is the name on the command line.
type Loss string

const (
	// NegativeSampling distinguishes it from random words (Mikolov et al. 2013).
	NegativeSampling Loss = "ns"
	// HierarchicalSoftmax predicts the inner nodes on its path in a Huffman tree over the vocabulary (Morin
	// and Bengio 2005).
	HierarchicalSoftmax Loss = "hs"
	// GloVe fits products of vectors to the logarithms of how often two words are near each other (Pennington et al. 2014).
	// It trains counts, and a word's vector is the sum of those that it has on both sides.
	GloVe Loss = "glove"
	// Softmax predicts the distribution over all words, or over all labels of a text, for which it is the default. Each block
	// scores all words, so it is for vocabularies of some thousands.
	Softmax Loss = "softmax"
	// Directional is negative sampling in which a second output row of each word tells whether the word stands left or right of
	// the centre (Song et al. 2018).
	Directional Loss = "directional"
	// OneVersusAll tells each label of a text from its absence. It is only for Supervised.
	OneVersusAll Loss = "ova"
)

// Losses returns every loss for words, the default first.
func Losses() []Loss { return names[Loss](loss.Kinds()) }

func names[N ~string, T any](kinds []settings.Kind[T]) (all []N) {
	for _, k := range kinds {
		all = append(all, N(k.Name))
	}
	return all
}

// A Freeze says which of the initial vectors training does not change. Its value is its name for users.
type Freeze string

const (
	// FreezeNone freezes nothing. It is the default.
	FreezeNone Freeze = ""
	// FreezeKnown freezes the vectors of known words, with all rows that they are made of, and the context
	// vectors that came with them. New words are trained into the same space.
	FreezeKnown Freeze = "known"
)

// Validate reports an unknown value.
func (f Freeze) Validate() error { return settings.Known("freeze", f, FreezeKnown) }

// A Sharing says how threads share the rows of a model. Its value is its name for users.
type Sharing string

const (
	// SharingCopies gives each of 2, 4 or 8 groups of threads its own copies of the output rows that change most,
	// which meet the rows often. It is the default. All other rows are shared as with SharingHogwild, and so are all
	// rows where copies would not help: docs/scale.md, "Threads".
	SharingCopies Sharing = ""
	// SharingHogwild lets all threads change all rows in place, without locks (Recht et al. 2011).
	SharingHogwild Sharing = "hogwild"
)

// Validate reports an unknown value.
func (s Sharing) Validate() error { return settings.Known("sharing", s, SharingHogwild) }

// An Affinity says on which processors the threads of a run stay. Only Linux knows of it. Its value is its name for
// users.
type Affinity string

const (
	// AffinityAuto is AffinityCaches if the machine has several groups of processors that share a cache, and the run
	// has a thread for each processor; otherwise AffinityNone. It is the default.
	AffinityAuto Affinity = ""
	// AffinityCaches keeps each thread on processors that share a cache. Threads fill one such group after the other,
	// from the first processor that the process may use. It is an error if the system does not say which share one.
	AffinityCaches Affinity = "caches"
	// AffinityCores keeps each thread on one processor, in the same order, with the same error.
	AffinityCores Affinity = "cores"
	// AffinityNone lets the system move threads.
	AffinityNone Affinity = "none"
)

// Validate reports an unknown value.
func (a Affinity) Validate() error {
	return settings.Known("affinity", a, AffinityCaches, AffinityCores, AffinityNone)
}
