package train

import (
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

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
)

// A Result is what Run made.
type Result struct {
	// Vectors are the model: as it was when training ended, or with early stopping as it was at
	// the best evaluation. It is nil if Options.Divide divided it over ranks.
	Vectors *vectors.Set
	// Progress is how far training came.
	Progress sgns.Progress
	// Best is the best evaluation, of which Vectors are, with early stopping; else nil.
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
