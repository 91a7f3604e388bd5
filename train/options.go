package train

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
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

// Options say what Run does. The zero value trains with defaults, and the Result has the model.
type Options struct {
	// Settings decide which vectors come out. The zero Settings mean Defaults().
	Settings Settings
	// Recipe trains several models, with Settings that it changes, and merges them. Empty means RecipeNone: one model.
	Recipe Recipe

	// Output is the file or folder of the model; empty for none. The new model replaces the old file
	// when it is complete. A further extension .gz or .zst compresses the file.
	Output string
	// Writer, if not nil, receives the model when training has ended.
	Writer io.Writer
	// Format of Output and Writer. Empty means that of the extension of Output, or the native one.
	Format format.Format
	// SkipUnwritable leaves out words that the format cannot hold. Else Run refuses them early.
	SkipUnwritable bool

	// PhraseTable is a file with phrases to join, as phrases.Table.WriteTo writes it: they are not searched
	// for in the corpus. Empty means Settings.Phrases.
	PhraseTable string

	Vocabulary Vocabulary
	Init       Init
	Checkpoint Checkpoint
	Evaluation Evaluation

	// Cache is a folder that keeps the tokenised corpus: about 2 bytes per token, and twice that
	// while it is written. A later run on the same files with the same text settings starts training
	// at once. Empty means a temporary file in the system's folder for temporary files.
	Cache string
	// NoCache reads the text again in each epoch. Without NoCache, Run does so only if there is no
	// room for the tokenised corpus, and reports it in a note. The vectors are the same.
	NoCache bool
	// VocabMemory is about how many bytes counting takes before it uses Cache or temporary files,
	// with the same result; 0 means a quarter of the memory that the process may use.
	VocabMemory uint64
	// Force trains even if memory or disk seems too small.
	Force bool
	// Files are other files that the caller writes while Run runs, such as a log. Run locks them,
	// and returns an error if it reads or writes one of them itself.
	Files []File

	// Ranks are the processes that train together, including this one: see package cluster. All
	// ranks call Run with the same corpus and options. Rank 0 alone writes files, evaluates and
	// calls Hooks that tell of training. Nil, or a Comm of one rank, trains in this process alone.
	//
	// Run returns an error on the rank where it happens. The caller ends the others with Abort.
	Ranks cluster.Comm
	// Divide divides the rows of rare words over the ranks, so each rank needs memory for a part of
	// the model only. Result.Vectors is then nil: Output and Writer receive the model, row by row.
	// Without Divide, each rank has the whole model.
	Divide bool
	// SyncEvery is the least number of tokens between two exchanges of changes, once a rank has
	// trained four times as many. It waits after several times as many. 0 means a default.
	SyncEvery uint64
	// SyncBudget is how many bytes per second a rank may send on average; 0 means no limit. To keep
	// it, ranks exchange changes less often, except at the start, and hardly wait.
	SyncBudget uint64

	// Closing GiveUp ends saving, too. When Run's context ends, Run stops training and saves the
	// model, which may take long. A nil GiveUp never ends saving.
	GiveUp <-chan struct{}
}

// A File is a file that the caller writes. Name names it in messages.
type File struct{ Name, Path string }

// Vocabulary gives or saves the words of the model. By default Run counts the words.
type Vocabulary struct {
	// Words, if not nil, is the vocabulary. Nothing is counted.
	Words *vocab.Vocab
	// File is a file with the vocabulary: lines of token and count. Nothing is counted.
	File string
	Save string // the file to which the run writes its vocabulary
}

func (v Vocabulary) given() bool { return v.Words != nil || v.File != "" }

// Init says which vectors training starts from. Words are matched by name. Dimensions, n-grams
// and rank are those of the vectors unless Settings say otherwise.
type Init struct {
	File string // a file with the vectors, in any format
	// Vectors, if not nil, are the vectors themselves. They must stay open until Run returns.
	Vectors *vectors.Set
	// UpdateVocab keeps all words of the vectors, with their counts, and adds those of the corpus.
	// Settings that are not given come from the training record, except the learning rate. With
	// Checkpoint.Resume, a new run on new text starts from vectors and settings of the checkpoint.
	UpdateVocab bool
}

func (i Init) given() bool { return i.File != "" || i.Vectors != nil }

// Checkpoint says where a run writes its state, so that it can go on after an interruption.
type Checkpoint struct {
	// File is the file for the state of the run. It is written now and then, and at the end. Run
	// renames a checkpoint of another run to FILE.before, FILE.before-2, …
	File string
	// Every is the time between checkpoints. 0 means the resumed run's time if it was given, else ten minutes. On several
	// ranks it means as often as takes 2 % of the time, every 5 seconds to 2 minutes; with SyncBudget 2 minutes.
	Every time.Duration
	// Resume is the checkpoint of a run to continue. Run takes its settings; the corpus must be the
	// same. Further checkpoints replace it unless File names another file.
	Resume       string
	ExtendEpochs int // how many more epochs a resumed run trains
}

// Evaluation says how vectors are evaluated while they are trained. Settings.Model.EvaluateEvery
// says how often. Settings.Model.Patience turns on early stopping. Early stopping uses the loss on
// held-out text, else the score of the first set, else Score.
type Evaluation struct {
	// Fraction of the corpus that is held out: above 0 and below 1; 0 means nothing. With ranks, the
	// first one holds out this share of its text, and others nothing.
	Fraction float64
	HeldOut  Corpus // a separate held-out text, read like the corpus
	// Sets score the vectors.
	Sets []Set
	// Score, if not nil, also scores the vectors, while training pauses. NaN means no score.
	Score func(context.Context, *vectors.Set) (float64, error)

	// EpochModels is a folder that receives the model as it is at the end of each epoch, in native format:
	// epoch-1.w2v, epoch-2.w2v and so on. Empty means none. Training pauses while a model is written. A folder
	// that has such models is an error, unless a run is resumed.
	EpochModels string
}

func (e Evaluation) any() bool {
	return e.Fraction != 0 || !e.HeldOut.isZero() || len(e.Sets) > 0 || e.Score != nil
}

// epochModel returns the path of the model at the end of an epoch.
func (e Evaluation) epochModel(epoch uint64) string {
	return filepath.Join(e.EpochModels, fmt.Sprintf("epoch-%d.w2v", epoch))
}

func (r *run) validate() error {
	o, s, k := &r.options, &r.settings, r.options.Checkpoint
	for _, of := range []struct {
		option name
		is     bool
	}{{"divide", o.Divide}, {"sync-every", o.SyncEvery > 0}, {"sync-budget", o.SyncBudget > 0}} {
		if of.is && !cluster.Several(o.Ranks) {
			return optionErrorf("%v needs several ranks: start the program with mpirun -np 2 or more", of.option)
		}
	}
	switch {
	case k.Every < 0:
		return optionErrorf("%v must be above 0, is %v", name("checkpoint-every"), k.Every)
	case k.Every > 0 && k.File == "" && k.Resume == "":
		return optionErrorf("%v needs %v or %v", name("checkpoint-every"), name("checkpoint").to("FILE"), name("resume").to("FILE"))
	case k.ExtendEpochs != 0 && k.Resume == "":
		return optionErrorf("%v needs %v", name("extend-epochs"), name("resume").to("FILE"))
	case k.ExtendEpochs < 0:
		return optionErrorf("%v must not be negative, is %d", name("extend-epochs"), k.ExtendEpochs)
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
	case o.Evaluation.EpochModels != "" && s.Given("eval-every"):
		return optionErrorf("%v writes a model at the end of each epoch: leave out %v", name("epoch-models"), name("eval-every"))
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

// A Remark says why vectors may not be as good as they could be, and what to do.
type Remark struct {
	Kind string // for programs: a corpus.LayoutKind, a sgns.RemarkKind, or one of the constants
	Message
}

// The kinds of remarks that this package makes itself.
const (
	RemarkFewTokens   = "few-tokens"   // hardly more different tokens than letters
	RemarkPunctuation = "punctuation"  // punctuation clings to words
	RemarkCase        = "case"         // the same words occur in several cases
	RemarkUnusableSet = "unusable-set" // the vocabulary has all words of no pair or question of an evaluation set
	RemarkLargeFile   = "large-file"   // the model's file is much larger than in other formats
	RemarkKeptWhole   = "kept-whole"   // the corpus is too small to be subsampled
	RemarkSettings    = "settings"     // the vectors that the run starts from were trained with other settings
	RemarkUnseenRows  = "unseen-rows"  // rows of a tokenizer.json were not trained
)

// A Result is what Run made.
type Result struct {
	// Vectors are the model when training ended, or with early stopping the model at the best
	// evaluation. Vectors is nil if Options.Divide divided the model over ranks.
	Vectors  *vectors.Set
	Progress sgns.Progress    // the progress when training ended
	Best     *sgns.Evaluation // the evaluation of Vectors with early stopping; else nil
	// Settings of the run, taken from the checkpoint if it was resumed. A learning rate of 0 means
	// the default, whose value Vectors.Training records as "lr".
	Settings Settings

	Tokens  uint64         // tokens to train on in an epoch
	Words   int            // words in the vocabulary
	TooLong corpus.TooLong // tokens that were left out because they are too long
	Unseen  []string       // rows of a tokenizer.json whose tokens the corpus lacks: made of n-grams, or random

	Complete   bool          // training was not interrupted
	Output     string        // the model's file; empty if there is none
	Format     format.Format // its format
	LeftOut    []string      // what the format leaves out of the model
	Checkpoint string        // the last checkpoint; empty if there is none
	Resumable  bool          // the run should be resumed from Checkpoint
	Unsaved    error         // what could not be saved, and why; nil if everything was saved
	Remarks    []Remark      // on the corpus and the vectors
	remarked   int           // of Remarks, those on the corpus, which come first

	Parts []PartResult // of a recipe, as far as it has come; else nil

	Ranks   int    // processes that trained together; 1 for a run in one process
	Sent    uint64 // bytes that all ranks together have sent to each other
	Network uint64 // the part of Sent that went from one machine to another

	Planned   uint64        // bytes of memory that the run planned to take, as in its Plan
	Counting  time.Duration // time to read and count the corpus
	Training  time.Duration // time to prepare and train
	Preparing time.Duration // part of Training before the first token: giving rows, allocating, initial vectors
	Saving    time.Duration // time to write the model
	CPU       time.Duration // processor time of Training
}

// A PartResult says how a part of a recipe was trained.
type PartResult struct {
	Name        string
	Dim, Epochs int
	Trained     uint64           // tokens, of all epochs
	Loss        float64          // as in Progress
	Early       bool             // ended by early stopping
	Best        *sgns.Evaluation // the evaluation of its vectors with early stopping; else nil
}

// fields maps each option that is not a setting to its field of Options: see settingField.
var fields = map[name]string{
	"output":           "Output",
	"recipe":           "Recipe",
	"plan":             "train.PlanRun",
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
	"phrase-table":     "PhraseTable",
	"save-vocab":       "Vocabulary.Save",
	"init":             "Init.File",
	"update-vocab":     "Init.UpdateVocab",
	"checkpoint":       "Checkpoint.File",
	"checkpoint-every": "Checkpoint.Every",
	"resume":           "Checkpoint.Resume",
	"extend-epochs":    "Checkpoint.ExtendEpochs",
	"validate":         "Evaluation.HeldOut",
	"eval":             "Evaluation.Sets",
	"epoch-models":     "Evaluation.EpochModels",
	"reduce":           "transform.Reduce",
	"convert":          "format.Open and format.Write",
	"factorize":        "transform.Factorize",
	"classify":         "classify.Train",
	"graph":            "train.Walks",
	"kmers":            "kmers.Options.K",
}

// settingField returns the field of Options for a setting; empty if it is not a setting.
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
	switch two := at.(type) { // one of the fields has the name
	case *cutting:
		at = &two.options.Tokenizer
	case *lowercase:
		at = &two.options.Lowercase
	}
	return "Settings" + pathTo(reflect.ValueOf(&s).Elem(), reflect.ValueOf(at).Pointer())
}

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

// Hooks are called while Run runs, in about this order, from any goroutine. Calls do not overlap,
// except those of Reading, and must not wait for each other. The zero value calls nothing.
type Hooks struct {
	// Ready is called after options, files and places have been checked and locked, before the
	// corpus is read. If it returns an error, the run ends with it.
	Ready func() error
	// Part is called before each part of a recipe.
	Part    func(Part)
	Reading func(tokens uint64) // called now and then, from several goroutines, with the tokens read so far
	Read    func(*Text)         // called when the corpus has been read
	// Remark is called for each remark before training. Later ones are only in the Result.
	Remark func(Remark)
	Start  func(Start) // called when training is about to start
	// Plan is called before Run allocates memory, or fails because there is too little.
	Plan func(Plan)
	Warm func(Warm) // called if training starts from vectors

	Progress  func(sgns.Progress) // called every Every, and once more at the end: see sgns.Hooks
	Every     time.Duration       // 0 means a second
	Evaluated func(Evaluated)     // called after each evaluation
	// Checkpointed is called after each checkpoint, also if it failed: training goes on.
	Checkpointed func(Checkpointed)
	// Diverged is called when training goes on from an earlier state at half the rate.
	Diverged func(sgns.Divergence)

	Saving func(Saving) // called before the model or the last checkpoint is saved, which may take a while
	// Skipped is called with the words that are left out because of Options.SkipUnwritable.
	Skipped func([]*format.UnwritableWord, format.Format)
	Note    func(Message) // called with notes that no other hook gets
}

// A Start describes a run that is about to train.
type Start struct {
	Settings Settings // of the run, resumed or completed
	Words    int
	Tokens   uint64 // trained before, if the run is resumed
	Total    uint64 // to train, over all epochs
	Resumed  bool
	Auto     bool // the number of epochs was chosen: see sgns.Config.EpochsFor
}

// A Plan says what a run is going to take.
type Plan struct {
	sgns.Plan
	Counting uint64   // the peak memory of the process so far, in bytes
	Settings Settings // of the run
	Resumed  *Resumed // nil for a new run
}

// Resumed says how a run continues.
type Resumed struct {
	File          string // the checkpoint
	Tokens, Total uint64 // trained so far, and to train in all
	Ended         bool   // nothing is left to train
	Extended      int    // epochs that an earlier run added; the same request does not add them again
}

// Warm describes the vectors that training starts from.
type Warm struct {
	sgns.Warm
	File         string    // of the vectors; empty if given as a set
	Settings     Settings  // of the run
	HadContext   bool      // the vectors include context vectors
	NeedsContext bool      // the model has context vectors other than its input vectors
	Notes        []Message // about the parts of the vectors that are not used
}

// Evaluated is an evaluation, with the scores of all sets.
type Evaluated struct {
	sgns.Evaluation
	Scores []Score
	Merged bool // of the merged model of a recipe: Best says nothing
	// Epoch is the epoch that has ended, from 1, and Model the file of the model then. Without
	// Evaluation.EpochModels they are 0 and empty.
	Epoch     uint64
	Model     string
	Unwritten error // why Model was not written: training goes on
}

// A Score is the score of vectors on a set: Spearman's correlation, or the accuracy.
type Score struct {
	Set   string     `json:"set"`
	Score eval.Score `json:"score"`
}

// Checkpointed describes a checkpoint, or the failure to write it.
type Checkpointed struct {
	File   string
	Tokens uint64        // trained so far
	Pause  time.Duration // while workers waited
	Took   time.Duration // to write
	Bytes  int64
	Kept   *Kept // another run's file that was there before; nil if there was none
	Err    error // why writing failed
}

// Kept describes another run's file at the place of a checkpoint.
type Kept struct {
	File          string // its new place
	Checkpoint    bool   // the file is a checkpoint
	Tokens, Total uint64 // progress of that checkpoint's run
	Ended         bool   // that run has ended
}

// Saving says what is about to be saved.
type Saving struct {
	File        string
	Checkpoint  bool // a checkpoint is saved, not the model
	Complete    bool // training was not interrupted
	Interrupted bool // the context of the run has ended
}

// serial returns hooks that are not nil where Run calls them and do not overlap, except Reading.
func (h Hooks) serial() Hooks {
	mu := new(sync.Mutex)
	fields := reflect.ValueOf(&h).Elem()
	for i := range fields.NumField() {
		hook, name := fields.Field(i), fields.Type().Field(i).Name
		if hook.Kind() != reflect.Func || name == "Reading" || hook.IsNil() && slices.Contains([]string{"Warm", "Progress", "Diverged"}, name) {
			continue
		}
		call := reflect.ValueOf(hook.Interface())
		hook.Set(reflect.MakeFunc(hook.Type(), func(args []reflect.Value) []reflect.Value {
			switch {
			case call.IsNil() && hook.Type().NumOut() > 0:
				return []reflect.Value{reflect.Zero(hook.Type().Out(0))}
			case call.IsNil():
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			return call.Call(args)
		}))
	}
	return h
}

// Recipes returns every recipe.
func Recipes() []Recipe { return []Recipe{RecipeNone, RecipeBest} }
