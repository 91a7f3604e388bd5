// Package sgns trains word vectors on a corpus of ids. It reads no text and writes no files:
// package corpus cuts text into tokens, package vocab gives them ids, and package vectors holds
// what comes out.
//
// [Train] takes [Data], which is the corpus with its vocabulary, and a [Config]. [Defaults] is a
// Config that suits most corpora: skip-gram with negative sampling, with a row for each word.
// Other fields of it choose another architecture (Arch), another loss (Loss), words that are
// composed of character n-grams (Subword), and more. Config.Validate refuses what does not work
// together, with the reason.
//
// Workers share all matrices without locks (Hogwild), and groups of them have copies of the rows that change most
// (Sharing). One worker comes to the same bits every time; with Deterministic any number of threads does.
//
// [Hooks] hear how a run goes on. They also get checkpoints: a [Checkpoint] is a set of
// vectors with the state of the run, from which [Resume] goes on as if the run had never stopped.
// A [Plan] says how much memory a run will use, before it is allocated.
//
// docs/settings.md explains every setting.
//
// Inside, internal/run is the loop of training. What it trains has three parts, and none depends on the kinds
// of the others: an architecture (internal/arch), a loss (internal/loss) and a composition of words
// (internal/compose) are the variant (internal/variant); a step (internal/step) trains a block of it, an engine
// (internal/engine) a corpus. All its matrices are described in one list (internal/params), from
// which memory plans, checkpoints, models and warm starts are made. docs/architecture.md is the map.
package sgns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/ranks"
	"github.com/w2v-go/w2v/sgns/internal/ranks/divided"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Data is what a run trains on.
type Data struct {
	IDs   *vocab.IDs   // the corpus as ids of the vocabulary; with Ranks, the part of this rank
	Vocab *vocab.Vocab // its counts determine subsampling and negatives

	// HeldOut is text as ids of the same vocabulary. The loss is measured on it, and it is not trained on.
	// It may be nil.
	HeldOut *vocab.IDs

	// Init is vectors to start from; words are matched by name. It may be nil. Words that Init
	// lacks start as usual. Training reads Init while it starts, in rising order of rows.
	Init *vectors.Set

	// Folder is for temporary files; empty means the system's folder.
	Folder string

	// Labels says which ids of the corpus are labels of the text that they are in, for Supervised; otherwise it is nil.
	// Other ids then are numbers in Labels.Of, which may be larger than the vocabulary.
	Labels *Labels

	// Ranks joins this process with those that train the same model; nil for a run in one process. Ranks of one machine share
	// the memory of the model, which is given back when the process ends.
	// Each rank calls Train, or Resume, with its part of the corpus and with the same vocabulary,
	// vectors to start from and configuration. All ranks call Hooks.Start; rank 0 alone calls the other
	// hooks and measures held-out text. All ranks return the same vectors, except that only rank 0 has the
	// best vectors of early stopping. An interruption, divergence and the end reach all ranks. Another error
	// may be that of one rank: the others then return a *cluster.EndedError with its number, or if the
	// model is divided, wait until its Comm is aborted.
	Ranks cluster.Comm
	// SyncEvery is about how many tokens a rank trains between two exchanges of changes with the other ranks;
	// 0 for a number that suits most runs. The first exchanges are closer. A rank waits for an exchange
	// when it has trained several times as many tokens.
	SyncEvery uint64
	// SyncBudget is the mean number of bytes a second that a rank may send; 0 for no limit. Ranks keep to it by
	// exchanging less often, except at first.
	SyncBudget uint64
	// Divide divides the rows of the model over the ranks, except those of the most frequent words. Then only
	// rank 0 returns vectors, which it reads from the ranks that own them until Model.Close is called; reading
	// in rising order is fastest. The other ranks return from Train when rank 0 has called Model.Close.
	// Every rank must call it.
	Divide bool

	exchange *replica.Options // in tests: workers wait for turns, as if these took no time
}

// A Model is what training made.
type Model struct {
	Vectors *vectors.Set
	// Progress is how far training came. Its Loss is the mean of the last epoch.
	Progress Progress
	// Evaluation is the evaluation of Vectors if the run kept the best ones; else nil.
	Evaluation *Evaluation
	// Remarks say why the vectors may be worse than they could be. An interrupted run has none.
	Remarks []Remark

	loan *divided.Loan // of rank 0 of a divided run; else nil
}

// Train trains word vectors on a corpus of ids of a vocabulary.
//
// Train starts from the vectors in d.Init, if it is not nil: from its input vectors, and from its n-grams and
// context vectors if these fit. N-grams fit if both models cut words alike. Then every bucket starts with its
// vector, and buckets that no word of the vocabulary uses stay in the model. If the n-grams do not fit, known
// words still start with their vectors. Hooks.Warm says what was taken.
//
// If ctx ends before training does, Train returns the model trained so far and the error of ctx.
// Train returns no model if the configuration is not valid, if there are no tokens, if the model would not fit
// into memory (a *MemoryError), or if training diverges again and again (a *DivergedError).
//
// d.IDs and d.Vocab must not be nil.
func Train(ctx context.Context, d Data, c Config, h Hooks) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := validate(d, h); err != nil {
		return nil, err
	}
	if c.Epochs == 0 {
		given, err := d.given(ctx)
		if err != nil {
			return nil, err
		}
		if c.Epochs = UsualEpochs; d.Init == nil {
			c.Epochs = c.EpochsFor(given.Tokens)
		}
	}
	return trainFrom(ctx, d, c, nil, h)
}

// Resume goes on with the run of a checkpoint. A run with one worker, or a deterministic run, comes to the same
// bits on the same kind of processor as if it had never stopped. If the number of ranks has changed,
// each rank begins as far into its part of the epoch as all ranks had come. Resume returns a *MismatchError if the
// corpus or the vocabulary has changed, a *StateError if the checkpoint is damaged, and else the errors of
// Train.
func Resume(ctx context.Context, d Data, from *Checkpoint, h Hooks) (*Model, error) {
	of := checkpoint.ContentsOf(from)
	if err := validate(d, h); err != nil {
		return nil, err
	}
	given, err := d.given(ctx)
	if err != nil {
		return nil, err
	}
	if err := of.Set.Guard(func() error { return of.Matches(given) }); err != nil {
		return nil, err
	}
	v, err := config.VariantOf(of.Config) // which may have been changed
	if err != nil {
		return nil, err
	}
	if err := of.Sizes.Runnable(v); err != nil {
		return nil, err
	}
	if err := of.Config.Validate(); err != nil {
		return nil, err
	}
	return trainFrom(ctx, d, of.Config, of, h)
}

func trainFrom(ctx context.Context, d Data, c Config, from *checkpoint.Contents, h Hooks) (*Model, error) {
	if err := d.countable(c); err != nil {
		return nil, err
	}
	peers, err := d.peers(context.WithoutCancel(ctx), c, h)
	if err != nil {
		return nil, err
	}
	result, err := run.Train(ctx, run.Data{IDs: d.IDs, Vocab: d.Vocab, HeldOut: d.HeldOut, Init: d.Init, Labels: d.Labels, Folder: d.Folder}, c, from, h, peers)
	if result == nil {
		return nil, err
	}
	m := &Model{Vectors: result.Vectors, Progress: result.Progress, Evaluation: result.Evaluation, Remarks: result.Remarks}
	if divided, ok := peers.(*ranks.Divided); ok {
		m.loan = divided.Loan()
	}
	return m, err
}

// countable returns an error if counts of pairs cannot be trained on the data.
func (d Data) countable(c Config) error {
	switch of := "sgns: loss " + string(c.Loss); {
	case !c.Counts():
	case d.Init != nil:
		return errors.New(of + " does not start from vectors: leave out Data.Init")
	case d.HeldOut != nil:
		return errors.New(of + " has no loss of held-out text: leave out Data.HeldOut, and score vectors with Hooks.Evaluate")
	case cluster.Several(d.Ranks):
		return errors.New(of + " is trained by one process: leave out Data.Ranks")
	}
	return nil
}

// peers returns what joins the run with those of the other ranks, if there are any.
func (d Data) peers(ctx context.Context, c Config, h Hooks) (run.Synchroniser, error) {
	o := ranks.Options{Every: d.SyncEvery, Budget: d.SyncBudget, Exchange: d.exchange, Saves: h.Checkpoint != nil}
	switch {
	case d.Divide && d.Ranks != nil:
		if err := ranks.OfAll(d.Ranks, d.divisible(c)); err != nil {
			return nil, err
		}
		o.Saves = o.Saves && d.Ranks.Rank() == 0
		return ranks.Divide(ctx, d.Ranks, d.IDs, o)
	case cluster.Several(d.Ranks):
		return ranks.Replicate(ctx, d.Ranks, d.IDs, c, o)
	}
	return new(run.Alone), nil
}

// divisible returns why the rows of the run cannot be divided; nil if they can be.
func (d Data) divisible(c Config) error {
	if err := c.Divisible(); err != nil {
		return err
	}
	switch {
	case d.Init != nil:
		return config.Indivisible("vectors to start from are read by one process")
	case d.HeldOut != nil:
		return config.Indivisible("the rows of held-out words would have to be fetched too")
	case d.SyncBudget > 0:
		return config.Indivisible("a rank must have the rows of its text before it trains it, so it cannot keep to a budget of bytes")
	}
	return nil
}

// given is what a run is to be resumed with.
func (d Data) given(ctx context.Context) (checkpoint.Given, error) {
	var labels *vocab.Vocab
	if d.Labels != nil {
		labels = d.Labels.Vocab
	}
	g := checkpoint.Given{Vocab: d.Vocab, Labels: labels, IDs: d.IDs, HeldOut: d.HeldOut, Size: 1, Tokens: d.IDs.Tokens()}
	if d.Ranks != nil {
		g.Rank, g.Size, g.Divide = d.Ranks.Rank(), d.Ranks.Size(), d.Divide
	}
	if d.HeldOut != nil && g.Rank == 0 { // only rank 0 measures held-out text
		g.Tokens += d.HeldOut.Tokens()
	}
	if g.Size == 1 {
		return g, nil
	}
	sum := []float64{float64(g.Tokens)}
	err := d.Ranks.AllReduce(context.WithoutCancel(ctx), cluster.Sum, sum)
	g.Tokens = uint64(sum[0])
	return g, err
}

// Close ends the use of the vectors of a divided model: the other ranks return from Train. Close returns the
// first error of reading the vectors. It does nothing for other models.
func (m *Model) Close() error {
	if m == nil || m.loan == nil {
		return nil
	}
	return m.loan.Close()
}

// Workers do not check ids: one that the vocabulary lacks would crash the program in a goroutine
// where no caller can recover. So validate checks ids before workers begin.

// validate returns an error for data that cannot be trained on, and for hooks that make no sense.
func validate(d Data, h Hooks) error {
	known := d.Vocab.Len()
	if d.Labels != nil {
		if err := d.checkLabels(); err != nil {
			return err
		}
		known = len(d.Labels.Of)
	}
	if err := idsOf(d.IDs, known, "the corpus, Data.IDs"); err != nil {
		return err
	}
	if d.HeldOut != nil {
		if err := idsOf(d.HeldOut, known, "the held-out text, Data.HeldOut"); err != nil {
			return err
		}
	}
	if d.IDs.Tokens() == 0 && !cluster.Several(d.Ranks) || d.Vocab.Len() == 0 {
		return run.ErrNoTokens
	}
	switch {
	case h.Every < 0:
		return fmt.Errorf("sgns: Hooks.Every is %v, must be 0 (a second) or more", h.Every)
	case h.CheckpointEvery < 0:
		return fmt.Errorf("sgns: Hooks.CheckpointEvery is %v, must be 0 (only at the end) or more", h.CheckpointEvery)
	case len(h.Note) > 0 && !json.Valid(h.Note):
		return fmt.Errorf("sgns: Hooks.Note is not JSON: %.40q", h.Note)
	}
	return nil
}

// Labels say which ids of a corpus are labels of the text, a sentence of the ids, that they are in.
//
// Its fields: go doc ./sgns/internal/engine.Labels
type Labels = engine.Labels

// MaxLabels is the largest number of labels of a text that count.
const MaxLabels = step.MaxLabels

// Dropped, in Labels.Of, is an id that does not count.
const Dropped = engine.Dropped

func (d Data) checkLabels() error {
	l := d.Labels
	if l.Vocab.Len() == 0 {
		return errors.New("sgns: no text has a label")
	}
	if l.Weights != nil && len(l.Weights) != l.Vocab.Len() {
		return fmt.Errorf("sgns: weights of %d labels for %d", len(l.Weights), l.Vocab.Len())
	}
	if cluster.Several(d.Ranks) {
		return errors.New("sgns: texts with labels are trained by one process")
	}
	for id, is := range l.Of {
		if is != Dropped && (is >= 0 && int(is) >= d.Vocab.Len() || is < 0 && int(-1-is) >= l.Vocab.Len()) {
			return fmt.Errorf("sgns: id %d is word or label %d, of %d words and %d labels", id, is, d.Vocab.Len(), l.Vocab.Len())
		}
	}
	return nil
}

// idsOf returns an error if ids cannot be those of a vocabulary, or cannot be read.
func idsOf(ids *vocab.IDs, known int, what string) error {
	switch {
	case ids.Tokens() > 0 && ids.Chunks() == 0:
		return fmt.Errorf("sgns: %s, is closed: close ids when Train has returned", what)
	case ids.Largest() >= known:
		return fmt.Errorf("sgns: %s, has id %d, and the vocabulary has %d words: take the vocabulary that vocab.Index returned with the ids", what, ids.Largest(), known)
	}
	return nil
}

// Hooks are called while training runs, with what the types below say. The zero value calls nothing.
//
// Their fields: go doc ./sgns/internal/run.Hooks
type Hooks = run.Hooks

// CountBytes returns about how many bytes of memory and of temporary files counting pairs of words takes; 0 if the loss of c
// does not count.
func CountBytes(c Config, tokens uint64, words int) (memory, files uint64) {
	return plan.CountBytes(c, tokens, words)
}

// What hooks are told.
type (
	// A Plan says what a run will need, before it allocates memory. Its fields: go doc ./sgns/internal/plan.Plan
	Plan = plan.Plan
	// A MatrixShape describes a matrix of the model. Its fields: go doc ./sgns/internal/plan.MatrixShape
	MatrixShape = plan.MatrixShape
	// Warm says what training started from, of the vectors that it was given. Its fields: go doc
	// ./sgns/internal/warmstart.Warm
	Warm = warmstart.Warm
	// Progress is how far training is. Its fields: go doc ./sgns/internal/run.Progress
	Progress = run.Progress
	// Counting says that pairs of words are counted.
	Counting = run.Counting
	// An Evaluation says how good the vectors are at one moment. Its fields: go doc ./sgns/internal/run.Evaluation
	Evaluation = run.Evaluation
	// A Divergence says that training diverged, and how it goes on. Its fields: go doc ./sgns/internal/run.Divergence
	Divergence = run.Divergence
	// An Access is the use of a row by a block. Its fields: go doc ./sgns/internal/step.Access
	Access = run.Access
)

// A Remark says why the vectors of a run that has ended may be worse than they could be.
type Remark = run.Remark

// A RemarkKind says what a Remark is about. Its value is what JSON has for it.
type RemarkKind = run.RemarkKind

// Kinds of remarks.
const (
	RemarkNoPairs   = run.RemarkNoPairs   // there was nothing to learn from
	RemarkOneWord   = run.RemarkOneWord   // the vocabulary has one word
	RemarkUntrained = run.RemarkUntrained // the vectors of frequent words have hardly moved
	RemarkCollapsed = run.RemarkCollapsed // the vectors of frequent words nearly lie on a line
	RemarkHalved    = run.RemarkHalved    // training diverged and went on at a lower rate
	RemarkApart     = run.RemarkApart     // ranks exchanged changes seldom
)

// A Checkpoint is a training run at one moment: the parameters, the vocabulary, the configuration, and how far
// every worker is. In a file it is a native model, which other programs can read, with the rest as its State.
type Checkpoint = checkpoint.Checkpoint

// Revision numbers the algorithm. Checkpoints and the results of a sweep hold it, so that no
// program continues, or compares, what another algorithm has begun.
const Revision = checkpoint.Revision

// NewCheckpoint returns the checkpoint that set holds. Keep the set open while the checkpoint is used: until Resume
// returns, or calls Hooks.Checkpoint. NewCheckpoint reads the whole file. It returns an error if the set has no
// state (ErrNoState) or a damaged one, if an algorithm of another Revision made it, or if this program
// cannot divide the work as it was when the run began.
func NewCheckpoint(set *vectors.Set) (*Checkpoint, error) { return checkpoint.Read(set) }

// Errors of training.
type (
	// A DivergedError is the ErrDiverged of a run that has given up.
	DivergedError = run.DivergedError
	// A MemoryError says that a run needs more memory than there is.
	MemoryError = plan.MemoryError
	// An InitError says why training cannot start from the vectors that it was given.
	InitError = warmstart.InitError
	// A ProjectionError says that the vectors to start from have no projection, and that narrower
	// rows times a projection are to be trained. transform.Factorize makes such rows of them.
	ProjectionError = warmstart.ProjectionError
	// A StateError says that a checkpoint is not what this program writes.
	StateError = checkpoint.StateError
	// A MismatchError says that a run cannot be resumed because something is not what it was.
	MismatchError = checkpoint.MismatchError
)

var (
	// ErrDiverged says that numbers became too large for training to go on.
	ErrDiverged = run.ErrDiverged
	// ErrInOrder says that sentences cannot be shuffled.
	ErrInOrder = run.ErrInOrder
	// ErrNoState is the error of NewCheckpoint for a set that is only a model. A new run can start
	// from its vectors.
	ErrNoState = checkpoint.ErrNoState
)

// BetweenTurns returns how many tokens each of several ranks trains between two exchanges in a run of so many tokens, if Data.SyncEvery is
// 0 and the model is not divided.
func BetweenTurns(tokens uint64, size int) uint64 { return ranks.Usual(tokens, size) }

// A Traffic is what ranks send to each other: the number of Turns, the tokens of a rank Between two of them, the Bytes that a rank sends in
// all turns, and those of a Complete turn, which sends all rows exactly: at the end, and before each evaluation and each checkpoint.
type Traffic = ranks.Traffic

// PlanTraffic estimates what so many ranks send to each other in a run of so many tokens of the model of a plan, if it is not divided. Every
// is Data.SyncEvery. Speed is how many tokens a second a rank trains, which says how many it trains while a turn takes place; 0 means that turns take no time.
func PlanTraffic(p Plan, tokens uint64, size int, every uint64, speed float64) Traffic {
	return ranks.TrafficOf(p, tokens, size, every, speed)
}

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
	GloVe               = config.GloVe               // fits logarithms of how often two words are near each other
	Softmax             = config.Softmax             // predicts the distribution over all words, or over the labels of a text
	Directional         = config.Directional         // negative sampling that also tells contexts on the left from those on the right
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
