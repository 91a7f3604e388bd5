package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/vectors"
)

// save writes the model, and sets the summary's Output to where it is. If training was
// interrupted the checkpoint has it all, if there is one; if not, what is trained is
// saved, but not in place of a model that may be whole. What cannot be saved where it
// should be is saved where it can.
func (f *trainFlags) save(ctx context.Context, s streams, model *vectors.Set, format vectors.Format, sum *summary) error {
	why, again := "stopped", ""
	if ctx.Err() != nil {
		why, again = "interrupted", " again"
	}
	sum.why = why
	hasCheckpoint := f.checkpoint.path != "" && f.checkpoint.err == nil
	if !hasCheckpoint {
		sum.Checkpoint = ""
	}
	if !sum.Complete && hasCheckpoint {
		sum.goOn = f.goOn()
		return nil
	}
	if sum.Trained == 0 {
		return f.checkpoint.err // there is nothing to save
	}
	if err := f.init.close(); err != nil { // it may be what the output replaces
		return err
	}
	f.describe(&model.Training)
	if lost := lossOf(model, format); lost.ngrams || lost.words || len(lost.parts) > 0 {
		fmt.Fprintf(s.err, "note: the format %s leaves out %s\n", format, lost)
	}
	output := f.output
	if !sum.Complete {
		if _, err := os.Stat(output); err == nil {
			output = filepath.Clean(output) // without a separator at its end
			output = filepath.Join(filepath.Dir(output), "partial-"+filepath.Base(output))
		}
		fmt.Fprintf(s.err, "%s: saving what is trained to %s; interrupt%s to give it up\n", why, output, again)
	}
	ctx, stop := untilSignal(context.WithoutCancel(ctx))
	defer stop()
	write := func(path string, format vectors.Format) error {
		return unlessStuck(ctx, func() error { return vectors.Write(ctx, path, model, format) })
	}
	err := write(output, format)
	switch {
	case err == nil:
		sum.Output = output
		return f.checkpoint.err
	case ctx.Err() != nil:
		return err
	case hasCheckpoint:
		sum.goOn = f.goOn()
		return err
	}
	refuge := filepath.Join(os.TempDir(), "w2v-rescued-"+rand.Text()+".w2v")
	if write(refuge, vectors.FormatW2V) != nil {
		return err
	}
	sum.Output = refuge
	return fmt.Errorf("%w; the model is saved as %s: w2v convert puts it where it should be", err, refuge)
}

// goOn is what is added to the command line to go on from the checkpoint.
func (f *trainFlags) goOn() string {
	text := "--resume " + f.checkpoint.path
	if f.evaluation.heldOut != "" {
		text += " --validate " + f.evaluation.heldOut
	}
	for _, set := range f.evaluation.paths {
		text += " --eval " + set
	}
	return text
}

// summary is what train prints at its end. Its JSON is read by scripts.
type summary struct {
	Tokens          uint64   `json:"tokens"` // of the corpus, in the vocabulary
	Vocab           int      `json:"vocab"`
	Epochs          int      `json:"epochs"`
	Seconds         float64  `json:"seconds"`           // of training
	CPUSeconds      float64  `json:"cpu_seconds"`       // of training
	CountSeconds    float64  `json:"count_seconds"`     // of reading and counting before it
	TokensPerSecond *float64 `json:"tokens_per_second"` // trained, of all epochs
	Loss            *float64 `json:"loss"`              // mean of a true pair and its negatives, over the last epoch; null if there was none
	Output          string   `json:"output"`            // empty if there is only a checkpoint
	Complete        bool     `json:"complete"`          // false if interrupted
	Early           bool     `json:"early"`             // ended by --early-stop
	Trained         uint64   `json:"trained"`           // tokens, of all epochs
	Checkpoint      string   `json:"checkpoint"`        // of the end; empty if there is none

	Best    *bestEvaluation `json:"best"`    // of which the vectors are, with --early-stop; else null
	Remarks []remark        `json:"remarks"` // what was found about the vectors

	why  string // it is not complete
	goOn string // what to add to the command line to go on
}

// bestEvaluation is when vectors were the best, and how good.
type bestEvaluation struct {
	Tokens  uint64   `json:"tokens"`
	HeldOut *float64 `json:"held_out_loss"`
	Score   *float64 `json:"score"`
}

func (s summary) text() string {
	of := fmt.Sprintf("%s of %s tokens", thousands(s.Trained), thousands(s.Tokens*uint64(s.Epochs)))
	what := fmt.Sprintf("trained: %s tokens × %d epochs", thousands(s.Tokens), s.Epochs)
	switch {
	case !s.Complete:
		what = s.why + ": trained " + of
	case s.Early:
		what = fmt.Sprintf("ended early: trained %s, the best vectors are those of %s", of, thousands(s.Best.Tokens))
	case s.Best != nil && s.Best.Tokens != s.Trained:
		what += fmt.Sprintf(", the best vectors are those of %s", thousands(s.Best.Tokens))
	}
	text := fmt.Sprintf("%s, %s words, %.1f s (%.1f s CPU)", what, thousands(uint64(s.Vocab)), s.Seconds, s.CPUSeconds)
	if s.TokensPerSecond != nil && *s.TokensPerSecond > 0 {
		text += fmt.Sprintf(", %s tokens/s", thousands(uint64(*s.TokensPerSecond)))
	}
	if s.Loss != nil {
		text += fmt.Sprintf(", loss %.4f", *s.Loss)
	}
	switch {
	case s.goOn != "":
		text += "; to go on: " + s.goOn
	case s.Output != "" && s.Checkpoint != "":
		text += fmt.Sprintf(": %s, checkpoint %s", s.Output, s.Checkpoint)
	case s.Output != "":
		text += ": " + s.Output
	}
	return text + "\n"
}
