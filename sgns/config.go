package sgns

import (
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// A Config says how to train. Defaults returns one that suits most corpora; change it field by field from
// there. Settings has a name, bounds and a line of help for each field.
//
// Its fields: go doc ./sgns/internal/config.Config
type Config = config.Config

// A Setting describes a field of a Config: its name, help, bounds and choices.
//
// Its fields: go doc ./internal/setting.Setting
type Setting = setting.Setting[Config]

// Kinds of settings. The value of each is the name that the command line knows it by.
type (
	Arch       = config.Arch         // what predicts what
	Loss       = config.Loss         // how an output is told from others
	WindowMode = settings.WindowMode // how wide the window around a centre is
	Precision  = settings.Precision  // the type of the numbers of input rows
	Pooling    = settings.Pooling    // how the rows of a text become its vector
	Freeze     = config.Freeze       // what of the vectors that training starts from it leaves as they are
	Sharing    = config.Sharing      // how threads share the rows of a model
	Affinity   = config.Affinity     // on which processors threads stay
)

// Values of these settings.
const (
	SkipGram   = config.SkipGram   // predicts every context from the centre
	CBOW       = config.CBOW       // predicts the centre from the mean of its contexts
	Structured = config.Structured // skip-gram with an output matrix for each relative position
	Supervised = config.Supervised // predicts the labels of a text from the mean of its rows

	NegativeSampling    = config.NegativeSampling    // tells an output from random words
	HierarchicalSoftmax = config.HierarchicalSoftmax // tells an output by its path in a Huffman tree
	Softmax             = config.Softmax             // predicts the distribution of a text's labels; only for Supervised
	OneVersusAll        = config.OneVersusAll        // tells each label of a text from its absence; only for Supervised

	WindowDynamic  = settings.Dynamic  // any width up to Config.Window; the default
	WindowFixed    = settings.Fixed    // always Config.Window
	WindowHarmonic = settings.Harmonic // contexts at distance d count 1/d

	F32 = settings.F32 // float32; the default
	F16 = settings.F16 // float16, rounded at random, in about half of the memory

	PoolMean     = settings.PoolMean     // the mean of all rows; the default
	PoolExtremes = settings.PoolExtremes // the mean, and the largest and the smallest number of each column

	FreezeNone  = config.FreezeNone  // training changes everything; the default
	FreezeKnown = config.FreezeKnown // known words keep their vectors

	SharingCopies  = config.SharingCopies  // groups of threads have copies of the rows that change most; the default
	SharingHogwild = config.SharingHogwild // all threads change all rows in place

	AffinityAuto   = config.AffinityAuto   // those that share a cache, where it helps; the default
	AffinityCaches = config.AffinityCaches // those that share a cache
	AffinityCores  = config.AffinityCores  // one each
	AffinityNone   = config.AffinityNone   // any
)

// Groups of settings.
const (
	GroupModel    = config.GroupModel    // what is trained and how, whatever the text
	GroupRun      = config.GroupRun      // how a run goes about it
	GroupTexts    = config.GroupTexts    // what is trained of texts with labels; package classify sets it
	GroupFreeze   = config.GroupFreeze   // what a run starts from
	GroupEvaluate = config.GroupEvaluate // when a run is evaluated and ends
)

// LeastSubsampled is the least number of tokens of a corpus whose frequent words are subsampled, whatever
// Config.Sample is.
const LeastSubsampled = plan.LeastSubsampled

// UsualEpochs are those of word2vec and fastText. They are the default where Config.EpochsFor was not measured: after a
// start from vectors, for contexts drawn from whole lines, and for walks and k-mers (package train).
const UsualEpochs = config.UsualEpochs

// Defaults returns a Config that suits most corpora: skip-gram with negative sampling, 100 dimensions, window 5,
// 5 negatives, and as many epochs as suit the size of the corpus.
func Defaults() Config { return config.Defaults() }

// Settings describes all fields of a Config.
func Settings() []Setting { return config.Settings() }

// Archs returns every architecture for words, the default first.
func Archs() []Arch { return config.Archs() }

// Losses returns every loss for words, the default first.
func Losses() []Loss { return config.Losses() }
