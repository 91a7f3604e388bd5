package train

import (
	"context"
	"io"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// Options say what Run does. The zero value trains with the usual settings and keeps the
// model in memory.
type Options struct {
	// Settings decide which vectors come out. The zero Settings stand for Defaults().
	Settings Settings

	// Output is the file, or the folder, that the model is written to, in place of what is
	// there when it is complete; empty for none. Gzip and Zstandard go by a further extension.
	Output string
	// Writer, if not nil, is what the model is written to when training has come to its end.
	Writer io.Writer
	// Format is that of Output and Writer; empty for the one that the extension of Output
	// asks for, and for the native one of Writer.
	Format format.Format
	// SkipUnwritable leaves out words that the format cannot hold. Otherwise there is an
	// error before training.
	SkipUnwritable bool

	Vocabulary Vocabulary
	Init       Init
	Checkpoint Checkpoint
	Evaluation Evaluation

	// Cache is a folder for the tokenised corpus, 4 bytes a token; empty for the system's
	// folder for temporary files.
	Cache string
	// Force trains even if memory or disk seem too small.
	Force bool
	// Files are other files that the caller writes while Run runs, such as a log. They are
	// locked, and must be none that Run reads or writes.
	Files []File

	// Saving is the context of what is saved when training is over. Run stops training when
	// its own context ends, and saves what is trained; if Saving ends too, it gives that up.
	// Nil saves however long it takes.
	Saving context.Context
}

// A File is a file that the caller writes, and the name that messages have for it.
type File struct{ Name, Path string }

// Vocabulary says which words there are, if not those that the corpus has.
type Vocabulary struct {
	// Words is the vocabulary, if it is not nil. Counting is left out.
	Words *vocab.Vocab
	// File is a file that the vocabulary is read from, lines of token and count.
	File string
	// Save is a file that the vocabulary of the run is written to.
	Save string
}

// given tells whether the vocabulary is there, and not to be counted.
func (v Vocabulary) given() bool { return v.Words != nil || v.File != "" }

// Init says which vectors training starts from. Their words are known by name; dimensions,
// n-grams and rank are theirs unless Settings say otherwise.
type Init struct {
	// File has the vectors, in any format.
	File string
	// Vectors are the vectors, if it is not nil: vectors.Read takes them from an io.Reader.
	// They must stay open until Run returns.
	Vectors *vectors.Set
	// UpdateVocab keeps all words of the vectors, with their counts, and adds those of the
	// corpus. With Checkpoint.Resume it begins a run on new text from the vectors and
	// settings of that checkpoint.
	UpdateVocab bool
}

// given tells whether there are vectors to start from.
func (i Init) given() bool { return i.File != "" || i.Vectors != nil }

// Checkpoint says what is written now and then so that the run can go on after anything.
type Checkpoint struct {
	// File is the file that the state of the run is written to, now and then and at the end.
	// What another run has left there is kept beside it: FILE.before, FILE.before-2 …
	File string
	// Every is the time between checkpoints; 0 for ten minutes, or what the run had that
	// goes on.
	Every time.Duration
	// Resume is the checkpoint of a run that goes on. Its settings are taken, and the corpus
	// must be the same. Further checkpoints go to the same file unless File names another.
	Resume string
	// ExtendEpochs trains so many epochs more than the run was meant to.
	ExtendEpochs int
}

// Evaluation says by what vectors are judged while they are trained. How often that happens
// and when it ends training are Settings.Model.EvaluateEvery and Patience: early stopping
// goes by the loss on held-out text, or else by the score of the first set, or else by Score.
type Evaluation struct {
	// Fraction is the part of the corpus that is held out; 0 for none.
	Fraction float64
	// HeldOut is text that is held out. It is read as the corpus is.
	HeldOut Corpus
	// Sets score the vectors.
	Sets []Set
	// Score, if not nil, scores the vectors too: larger is better, NaN is no score.
	// Training stands still meanwhile.
	Score func(context.Context, *vectors.Set) (float64, error)
}

// any tells whether anything is evaluated.
func (e Evaluation) any() bool {
	return e.Fraction != 0 || !e.HeldOut.isZero() || len(e.Sets) > 0 || e.Score != nil
}

// validate reports options that mean nothing, alone or together with these settings.
func (o *Options) validate(s Settings) error {
	k := o.Checkpoint
	switch {
	case k.Every < 0:
		return optionErrorf("%v must be above 0, is %v", name("checkpoint-every"), k.Every)
	case k.Every > 0 && k.File == "" && k.Resume == "":
		return optionErrorf("%v has a meaning only with %v or %v", name("checkpoint-every"), name("checkpoint").to("FILE"), name("resume").to("FILE"))
	case k.ExtendEpochs != 0 && k.Resume == "":
		return optionErrorf("%v has a meaning only with %v", name("extend-epochs"), name("resume").to("FILE"))
	case k.ExtendEpochs < 0:
		return optionErrorf("%v must not be negative, is %d", name("extend-epochs"), k.ExtendEpochs)
	case o.Init.File != "" && o.Init.Vectors != nil:
		return optionErrorf("%v names vectors to start from, and Init.Vectors are others: only one of them is possible", name("init"))
	case o.Vocabulary.Words != nil && o.Vocabulary.File != "":
		return optionErrorf("%v names a vocabulary, and Vocabulary.Words is another: only one of them is possible", name("vocab"))
	case !o.Evaluation.any() && s.Given("eval-every"):
		return optionErrorf("%v has a meaning only with %v or %v", name("eval-every"), name("eval").to("SET"), name("validate"))
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
