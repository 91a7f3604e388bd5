package train

import (
	"context"
	"io"
	"reflect"
	"sync"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// Options say what Run does. The zero value trains with the default settings and returns the
// model in memory, in the Result.
type Options struct {
	// Settings decide which vectors come out. The zero Settings mean Defaults().
	Settings Settings

	// Output is the file or folder of the model; empty for none. The new model replaces the
	// old one when it is complete. A further extension .gz or .zst compresses it.
	Output string
	// Writer, if not nil, gets the model when training has come to its end.
	Writer io.Writer
	// Format is the format of Output and Writer. Empty means the format that the extension of
	// Output asks for, or the native one if there is no Output.
	Format format.Format
	// SkipUnwritable leaves out words that the format cannot hold. Without it such words are
	// an error before training begins.
	SkipUnwritable bool

	Vocabulary Vocabulary
	Init       Init
	Checkpoint Checkpoint
	Evaluation Evaluation

	// Cache is a folder in which the tokenised corpus is kept, about 2 bytes a token, and twice
	// that while it is made. A later run on the same files, with the same settings of text, begins
	// training at once. Empty means a temporary file, in the system's folder for those.
	Cache string
	// NoCache reads the text again each epoch. Without it, that happens if there is no room for
	// the tokenised corpus, and a note says so. The vectors are the same.
	NoCache bool
	// VocabMemory is about how many bytes counting may take before counts go to disk, in Cache
	// or the system's folder for temporary files; 0 means a quarter of what the process may
	// have. The vocabulary is the same.
	VocabMemory uint64
	// Force trains even if memory or disk seem too small.
	Force bool
	// Files are other files that the caller writes while Run runs, such as a log. Run locks
	// them, and refuses those that it reads or writes itself.
	Files []File

	// Ranks are the processes that train together, of which this is one: see package cluster. All
	// ranks call Run with the same corpus and options. Rank 0 alone writes files, evaluates and calls
	// Hooks that tell of training. Nil, or a Comm of one rank, trains in this process alone.
	//
	// Run returns an error on the rank where it happens. The caller ends the others with Abort.
	Ranks cluster.Comm
	// Divide divides the rows of rare words over the ranks. So each rank needs memory for a part of
	// the model only, and Result.Vectors is nil: Output and Writer get the model, row by row. Without
	// it, each rank has the whole model.
	Divide bool
	// SyncEvery is how many tokens a rank trains at least before it exchanges its changes with the
	// others again, once it has trained four times as many. It waits for the exchange when it has
	// trained several times as many. 0 means what suits the run.
	SyncEvery uint64
	// SyncBudget is how many bytes a second a rank may send on the average; 0 for any number. Ranks
	// exchange their changes less often to keep to it, except at the start, and hardly wait for each other.
	SyncBudget uint64

	// GiveUp, when it is closed, ends saving too. When Run's context ends, Run stops training and
	// saves what is trained, which may take long. Nil never ends it.
	GiveUp <-chan struct{}
}

// A File is a file that the caller writes. Name names it in messages.
type File struct{ Name, Path string }

// Vocabulary gives or saves the words of the model. By default they are counted.
type Vocabulary struct {
	// Words, if not nil, is the vocabulary. Nothing is counted.
	Words *vocab.Vocab
	// File is a file with the vocabulary: lines of token and count. Nothing is counted.
	File string
	// Save is a file to write the vocabulary of the run to.
	Save string
}

// given tells whether the vocabulary is given, and not to be counted.
func (v Vocabulary) given() bool { return v.Words != nil || v.File != "" }

// Init says which vectors training starts from. Words are matched by name. Dimensions, n-grams
// and rank are those of the vectors unless Settings say otherwise.
type Init struct {
	// File is a file with the vectors, in any format.
	File string
	// Vectors are the vectors, if it is not nil: format.Read takes them from an io.Reader.
	// They must stay open until Run returns.
	Vectors *vectors.Set
	// UpdateVocab keeps all words of the vectors, with their counts, and adds the words of the
	// corpus. Settings that are not given are those that the vectors were trained with, as far as
	// they say so; the learning rate is not taken. With Checkpoint.Resume it begins a new run on
	// new text, from the vectors and settings of that checkpoint.
	UpdateVocab bool
}

// given tells whether there are vectors to start from.
func (i Init) given() bool { return i.File != "" || i.Vectors != nil }

// Checkpoint says where a run writes its state, so that it can go on after an interruption.
type Checkpoint struct {
	// File is the file for the state of the run. It is written now and then, and at the end.
	// A checkpoint that another run has left there is kept as FILE.before, FILE.before-2 …
	File string
	// Every is the time between checkpoints. 0 means ten minutes, or the time that a resumed
	// run had.
	Every time.Duration
	// Resume is the checkpoint of a run to go on with. Run takes its settings; the corpus must
	// be the same. Further checkpoints replace it unless File names another file.
	Resume string
	// ExtendEpochs is how many epochs a resumed run trains more than it was meant to.
	ExtendEpochs int
}

// Evaluation says how vectors are evaluated while they are trained. Settings.Model.EvaluateEvery
// says how often. Settings.Model.Patience turns early stopping on: it goes by the loss on
// held-out text, or else by the score of the first set, or else by Score.
type Evaluation struct {
	// Fraction is the part of the corpus that is held out: above 0 and below 1; 0 for none. With
	// Options.Ranks it is that part of the first rank's text, and the others hold out nothing.
	Fraction float64
	// HeldOut is held-out text of its own. It is read as the corpus is.
	HeldOut Corpus
	// Sets score the vectors.
	Sets []Set
	// Score, if not nil, scores the vectors, too. Larger is better, and NaN counts as no score.
	// Training pauses while Score runs.
	Score func(context.Context, *vectors.Set) (float64, error)
}

// any tells whether anything is evaluated.
func (e Evaluation) any() bool {
	return e.Fraction != 0 || !e.HeldOut.isZero() || len(e.Sets) > 0 || e.Score != nil
}

// validate reports options that make no sense, alone or together with these settings.
func (o *Options) validate(s Settings) error {
	k := o.Checkpoint
	switch {
	case k.Every < 0:
		return optionErrorf("%v must be above 0, is %v", name("checkpoint-every"), k.Every)
	case k.Every > 0 && k.File == "" && k.Resume == "":
		return optionErrorf("%v needs %v or %v", name("checkpoint-every"), name("checkpoint").to("FILE"), name("resume").to("FILE"))
	case k.ExtendEpochs != 0 && k.Resume == "":
		return optionErrorf("%v needs %v", name("extend-epochs"), name("resume").to("FILE"))
	case k.ExtendEpochs < 0:
		return optionErrorf("%v must not be negative, is %d", name("extend-epochs"), k.ExtendEpochs)
	case !cluster.Several(o.Ranks) && o.Divide:
		return optionErrorf("%v needs several ranks: start the program with mpirun -np 2 or more", name("divide"))
	case !cluster.Several(o.Ranks) && o.SyncEvery > 0:
		return optionErrorf("%v needs several ranks: start the program with mpirun -np 2 or more", name("sync-every"))
	case !cluster.Several(o.Ranks) && o.SyncBudget > 0:
		return optionErrorf("%v needs several ranks: start the program with mpirun -np 2 or more", name("sync-budget"))
	case o.NoCache && o.Cache != "":
		return optionErrorf("%v and %v: only one of them is possible", name("cache").to(o.Cache), name("no-cache"))
	case o.NoCache && s.Model.Shuffle:
		return optionErrorf("%v needs a cache of the tokenised corpus: leave out %v", name("shuffle"), name("no-cache"))
	case o.VocabMemory > 0 && o.VocabMemory < vocab.LeastMemory:
		return optionErrorf("%v must be %d bytes (16 MiB) or more, is %d", name("vocab-memory"), vocab.LeastMemory, o.VocabMemory)
	case o.Init.File != "" && o.Init.Vectors != nil:
		return optionErrorf("%v names vectors to start from, and Init.Vectors are others: only one of them is possible", name("init"))
	case o.Vocabulary.Words != nil && o.Vocabulary.File != "":
		return optionErrorf("%v names a vocabulary, and Vocabulary.Words is another: only one of them is possible", name("vocab"))
	case !o.Evaluation.any() && s.Given("eval-every"):
		return optionErrorf("%v needs %v or %v", name("eval-every"), name("eval").to("SET"), name("validate"))
	case !o.Evaluation.any() && s.Model.Patience > 0:
		return optionErrorf("%v needs something to go by: %v or fraction, or %v", name("early-stop"), name("validate").to("FILE"), name("eval").to("SET"))
	}
	if o.Writer == nil {
		return nil
	}
	if of, err := format.Describe(o.Format); o.Format != "" && err == nil && of.Several {
		return optionErrorf("%v: %s is several files, which Writer cannot take", name("format"), o.Format)
	}
	return nil
}

// A Remark tells why vectors may not be as good as they could be: something about the corpus,
// the settings, or the model. Its text says what to do.
type Remark struct {
	Kind string // for programs: a corpus.LayoutKind, a sgns.RemarkKind, or one of the constants
	Message
}

// The kinds of remarks that this package makes itself.
const (
	RemarkFewTokens   = "few-tokens"   // there are hardly more different tokens than letters
	RemarkPunctuation = "punctuation"  // punctuation clings to words
	RemarkCase        = "case"         // words stand there in more than one case
	RemarkUnusableSet = "unusable-set" // an evaluation set has no pair or question of known words
	RemarkLargeFile   = "large-file"   // the format makes the model's file much larger than others do
	RemarkKeptWhole   = "kept-whole"   // the corpus is too small to be subsampled
	RemarkSettings    = "settings"     // the vectors that the run starts from were trained with others
	RemarkUnseenRows  = "unseen-rows"  // rows of a tokenizer.json were not trained
)

// A Result is what Run made.
type Result struct {
	// Vectors are the model: as it was when training ended, or with early stopping as it was at
	// the best evaluation. Vectors is nil if Options.Divide divided the model over ranks.
	Vectors *vectors.Set
	// Progress is how far training came.
	Progress sgns.Progress
	// Best is the evaluation that Vectors are from, with early stopping; else nil.
	Best *sgns.Evaluation
	// Settings are those of the run: of a checkpoint where it goes on from one. A learning
	// rate of 0 stands for what suits the corpus, which Vectors.Training has as "lr".
	Settings Settings

	Tokens  uint64         // tokens to train on in an epoch
	Words   int            // words in the vocabulary
	TooLong corpus.TooLong // tokens that were left out because they are too long
	Unseen  []string       // rows of a tokenizer.json that the corpus has no token of, and that stay random

	Complete   bool          // training came to its end
	Output     string        // the model's file; empty if there is none
	Format     format.Format // its format
	LeftOut    []string      // what of the model its format leaves out
	Checkpoint string        // the last checkpoint; empty if there is none
	Resumable  bool          // the run should go on from Checkpoint
	Unsaved    error         // what could not be saved, and why; nil if all was
	Remarks    []Remark      // on the corpus and the vectors

	Ranks int    // processes that trained together; 1 for a run in one process
	Sent  uint64 // bytes that all ranks together have sent to each other

	Planned   uint64        // bytes of memory that the run was going to take, as in its Plan
	Counting  time.Duration // time to read and count the corpus
	Training  time.Duration // time to prepare and train
	Preparing time.Duration // part of Training before the first token: giving rows, allocating, initial vectors
	Saving    time.Duration // time to write the model
	CPU       time.Duration // processor time of Training
}

// fields has the field of Options for the name of each option that is no setting: see settingField.
var fields = map[name]string{
	"output":           "Output",
	"format":           "Format",
	"skip-unwritable":  "SkipUnwritable",
	"cache":            "Cache",
	"no-cache":         "NoCache",
	"vocab-memory":     "VocabMemory",
	"force":            "Force",
	"divide":           "Divide",
	"sync-every":       "SyncEvery",
	"sync-budget":      "SyncBudget",
	"vocab":            "Vocabulary.File",
	"save-vocab":       "Vocabulary.Save",
	"init":             "Init.File",
	"update-vocab":     "Init.UpdateVocab",
	"checkpoint":       "Checkpoint.File",
	"checkpoint-every": "Checkpoint.Every",
	"resume":           "Checkpoint.Resume",
	"extend-epochs":    "Checkpoint.ExtendEpochs",
	"validate":         "Evaluation.HeldOut",
	"eval":             "Evaluation.Sets",
	"reduce":           "transform.Reduce",
	"convert":          "format.Open and format.Write",
	"factorize":        "transform.Factorize",
	"graph":            "train.Walks",
	"kmers":            "kmers.Options.K",
}

// settingField is the field of Options that a setting is, by its place in the table: empty for
// what is no setting.
func settingField(option string) string {
	row, ok := table().Find(option)
	if !ok {
		return ""
	}
	const subwords = "Settings.Model.Subword"
	switch {
	case row.Name == subwordsName:
		return subwords
	case row.Group == GroupSubwords:
		return option + " of " + subwords
	}
	var s Settings
	at := row.At(&s)
	switch two := at.(type) { // fields, of which one has the name
	case *cutting:
		at = &two.options.Tokenizer
	case *lowercase:
		at = &two.options.Lowercase
	}
	return "Settings" + pathTo(reflect.ValueOf(&s).Elem(), reflect.ValueOf(at).Pointer())
}

// pathTo returns the names of the fields that lead from v to what a pointer points to.
func pathTo(v reflect.Value, pointer uintptr) string {
	for i := range v.NumField() {
		field, at := v.Type().Field(i), v.Field(i)
		begin := at.Addr().Pointer()
		switch {
		case pointer < begin || pointer >= begin+field.Type.Size():
		case field.Type.Kind() == reflect.Struct:
			return "." + field.Name + pathTo(at, pointer)
		default:
			return "." + field.Name
		}
	}
	return ""
}

// Hooks are called while Run runs, in about this order. The zero value calls nothing. Calls
// come from any goroutine and do not overlap, but for those of Reading. A hook must not wait
// for another one.
type Hooks struct {
	// Ready is called when options, files and places are checked and locked, before the
	// corpus is read. If it returns an error, the run ends with it.
	Ready func() error
	// Reading is called now and then, from several goroutines, with the tokens read so far.
	Reading func(tokens uint64)
	// Read is called when the corpus has been read.
	Read func(*Text)
	// Remark is called with what is said once about the corpus and the model to be. Remarks
	// that are made when training is over are in the Result alone.
	Remark func(Remark)
	// Start is called when training is about to start.
	Start func(Start)
	// Plan is called before the run allocates its memory. If there is not enough, Run returns an
	// error before that.
	Plan func(Plan)
	// Warm is called if training starts from vectors.
	Warm func(Warm)

	// Progress is called every Every, and once more at the end: see sgns.Hooks.
	Progress func(sgns.Progress)
	Every    time.Duration // 0 for a second
	// Evaluated is called after each evaluation.
	Evaluated func(Evaluated)
	// Checkpointed is called after each checkpoint, also if it could not be written:
	// training goes on, and the next one is tried.
	Checkpointed func(Checkpointed)
	// Diverged is called when training diverged, and goes on from an earlier state at half
	// the rate.
	Diverged func(sgns.Divergence)

	// Saving is called before the model or the last checkpoint is saved, which may take a while.
	Saving func(Saving)
	// Skipped is called with the words that are not written, with Options.SkipUnwritable.
	Skipped func([]*format.UnwritableWord, format.Format)
	// Note is called with notes that no other hook gets.
	Note func(Message)
}

// A Start is a run that is about to train.
type Start struct {
	Settings Settings // of the run: resumed or completed
	Words    int
	Tokens   uint64 // trained before, of a run that goes on
	Total    uint64 // to train, of all epochs
	Resumed  bool
}

// A Plan is what a run is going to take.
type Plan struct {
	sgns.Plan
	Counting uint64   // the most bytes of memory that the process has had until now
	Settings Settings // of the run
	Resumed  *Resumed // nil of a run that begins
}

// Resumed says how a run goes on.
type Resumed struct {
	File          string // the checkpoint
	Tokens, Total uint64 // trained by then, and to train
	Ended         bool   // there is nothing more to train
	Extended      int    // epochs that an earlier run has added already; they are asked for again, and not added twice
}

// Warm is what training starts from.
type Warm struct {
	sgns.Warm
	File         string    // of the vectors; empty if they were given as a set
	Settings     Settings  // of the run
	HadContext   bool      // the vectors have context vectors at all
	NeedsContext bool      // the model has context vectors that are not its input vectors
	Notes        []Message // on what is not taken from them
}

// Evaluated is an evaluation, with the scores of all sets.
type Evaluated struct {
	sgns.Evaluation
	Scores []Score
}

// A Score is the score of vectors on a set: Spearman's correlation, or the accuracy.
type Score struct {
	Set   string     `json:"set"`
	Score eval.Score `json:"score"`
}

// Checkpointed is a checkpoint that was written, or not.
type Checkpointed struct {
	File   string
	Tokens uint64        // trained by then
	Pause  time.Duration // for which workers stood still
	Took   time.Duration // to write
	Bytes  int64
	Kept   *Kept // what was there before of another run; nil if there was nothing
	Err    error // why it could not be written
}

// Kept is a file of another run that was where a checkpoint is written.
type Kept struct {
	File          string // where it is now
	Checkpoint    bool   // it is a checkpoint
	Tokens, Total uint64 // how far the run of that checkpoint is
	Ended         bool   // that run has come to its end
}

// Saving is what is about to be saved.
type Saving struct {
	File        string
	Checkpoint  bool // it is the checkpoint, and else the model
	Complete    bool // training came to its end
	Interrupted bool // the context of the run has ended
}

// serial returns the hooks such that their calls do not overlap, but for those of Reading.
func (h Hooks) serial() Hooks {
	mu := new(sync.Mutex)
	fields := reflect.ValueOf(&h).Elem()
	for i := range fields.NumField() {
		hook := fields.Field(i)
		if name := fields.Type().Field(i).Name; hook.Kind() != reflect.Func || hook.IsNil() || name == "Ready" || name == "Reading" {
			continue
		}
		call := reflect.ValueOf(hook.Interface())
		hook.Set(reflect.MakeFunc(hook.Type(), func(args []reflect.Value) []reflect.Value {
			mu.Lock()
			defer mu.Unlock()
			return call.Call(args)
		}))
	}
	return h
}
