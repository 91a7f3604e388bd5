package train

import (
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A Remark is something about the corpus or the model because of which vectors may not be as
// good as they could be. Its text says what to do.
type Remark struct {
	Kind string // for programs: a corpus.LayoutKind, a sgns.RemarkKind, or one of the constants
	Message
}

// The kinds of remarks that are of this package.
const (
	RemarkFewTokens   = "few-tokens"   // hardly more different tokens than letters
	RemarkPunctuation = "punctuation"  // clings to words
	RemarkCase        = "case"         // makes several words of one
	RemarkUnusableSet = "unusable-set" // of evaluation
	RemarkLargeFile   = "large-file"   // the model will be one
)

// A Result is what Run made.
type Result struct {
	// Vectors are the model as it is when training is over; those of the best evaluation with
	// early stopping.
	Vectors *vectors.Set
	// Progress is how far training came.
	Progress sgns.Progress
	// Best is the evaluation whose vectors these are, with early stopping; else nil.
	Best *sgns.Evaluation
	// Settings are those of the run: resumed or completed.
	Settings Settings

	Tokens  uint64         // of the corpus that were trained on, in the vocabulary
	Words   int            // of the vocabulary
	TooLong corpus.TooLong // tokens that were left out

	Complete   bool   // training came to its end
	Output     string // where the model is written; empty if it is not, or went to Writer
	Format     format.Format
	LeftOut    []string // of the model, by the format of Output
	Checkpoint string   // the checkpoint of the end; empty if there is none
	Resumable  bool     // the run can go on from it, and should
	Unsaved    error    // what could not be saved, and why
	Remarks    []Remark // on corpus and vectors

	Counting time.Duration // that reading the corpus took
	Training time.Duration // that training took
	CPU      time.Duration // processor time of training
}
