package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
)

// save writes the model, and sets the summary's Output to where it is. If training was
// interrupted, which ctx tells, the checkpoint has it all, if there is one; if not, what is
// trained is saved, but not in place of a model that may be whole. What cannot be saved where
// it should be is saved where it can. When givingUp ends nothing more is saved.
func (f *trainFlags) save(ctx, givingUp context.Context, s streams, model *vectors.Set, format vectors.Format, sum *summary) error {
	why, again := "stopped", ""
	if ctx.Err() != nil {
		why, again = "interrupted", " again"
	}
	sum.why = why
	unsaved := f.checkpoint.err
	if unsaved != nil {
		unsaved = fmt.Errorf("the checkpoint could not be written: %w", unsaved)
	}
	hasCheckpoint := f.checkpoint.path != "" && unsaved == nil
	if !hasCheckpoint {
		sum.Checkpoint = ""
	}
	if !sum.Complete && hasCheckpoint {
		sum.goOn = f.goOn()
		return nil
	}
	if sum.Trained == 0 || givingUp.Err() != nil {
		return unsaved // there is nothing to save, or nobody who wants it
	}
	if err := f.init.close(); err != nil { // it may be what the output replaces
		return err
	}
	training := model.Training()
	f.describe(&training)
	model = model.WithTraining(training)
	output := f.output
	if sum.Complete {
		told := context.AfterFunc(ctx, func() {
			fmt.Fprintf(s.err, "interrupted: training is done, saving %s; interrupt again to give it up\n", output)
		})
		defer told()
	} else {
		output = partial(output, format)
		fmt.Fprintf(s.err, "%s: saving what is trained to %s; interrupt%s to give it up\n", why, output, again)
	}
	write := func(path string, format vectors.Format) error {
		writable, skipped, err := f.skip.of(model, format)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, text := range f.skip.notes(skipped, format) {
			fmt.Fprintf(s.err, "note: %s\n", text)
		}
		return vectors.Write(givingUp, path, writable, format)
	}
	err := write(output, format)
	switch {
	case err == nil:
		sum.Output = output
		sum.format, sum.LeftOut = format, model.LeftOut(format).List()
		return unsaved
	case givingUp.Err() != nil:
		return errors.Join(unsaved, err)
	case hasCheckpoint:
		sum.goOn = f.goOn()
		return fmt.Errorf("the model could not be written: %w", err)
	}
	unsaved = errors.Join(unsaved, fmt.Errorf("the model could not be written: %w", err))
	refuge := filepath.Join(os.TempDir(), "w2v-rescued-"+rand.Text()+".w2v")
	if vectors.Write(givingUp, refuge, model, vectors.FormatW2V) != nil {
		return unsaved
	}
	sum.Output = refuge
	return fmt.Errorf("%w; the model is saved as %s: w2v convert puts it where it should be", unsaved, refuge)
}

// partial is where a model goes that is not trained to its end: to path, if nothing is
// there, or else beside it, to the first name that nothing has.
func partial(path string, format vectors.Format) string {
	clean := filepath.Clean(path) // without a separator at its end
	for n := 1; occupied(path, format); n++ {
		prefix := "partial-"
		if n > 1 {
			prefix = fmt.Sprintf("partial-%d-", n)
		}
		path = filepath.Join(filepath.Dir(clean), prefix+filepath.Base(clean))
	}
	return path
}

// occupied tells whether anything is where a model at path would be, be it a link to nothing.
func occupied(path string, format vectors.Format) bool {
	files, _ := vectors.TargetFiles(path, format) // it was asked for all of them before
	for _, file := range append(files, filepath.Clean(path)) {
		if _, err := os.Lstat(file); err == nil {
			return true
		}
	}
	return false
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
	Error           string   `json:"error"`             // what could not be saved, and why; empty if all was
	Early           bool     `json:"early"`             // ended by --early-stop
	Trained         uint64   `json:"trained"`           // tokens, of all epochs
	Checkpoint      string   `json:"checkpoint"`        // of the end; empty if there is none

	Best    *bestEvaluation `json:"best"`     // of which the vectors are, with --early-stop; else null
	LeftOut []string        `json:"left_out"` // of the model, by the format of Output
	Remarks []remark        `json:"remarks"`  // on the corpus and the vectors

	TooLong *tooLong `json:"too_long"` // tokens that are left out; null if there are none

	why    string         // it is not complete
	goOn   string         // what to add to the command line to go on
	format vectors.Format // of Output
}

// tooLong is corpus.TooLong for JSON.
type tooLong struct {
	Tokens  uint64 `json:"tokens"`
	Longest uint64 `json:"longest"` // bytes
	File    string `json:"file"`    // with the first one
	Line    uint64 `json:"line"`    // of the first one
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
	if left := s.TooLong; left != nil {
		text += fmt.Sprintf(", tokens of more than %d bytes left out: %s", corpus.MaxToken, thousands(left.Tokens))
	}
	switch {
	case s.goOn != "":
		text += "; to go on: " + s.goOn
	case s.Output != "" && s.Checkpoint != "":
		text += fmt.Sprintf(": %s, checkpoint %s", s.Output, s.Checkpoint)
	case s.Output != "":
		text += ": " + s.Output
	}
	text += "\n"
	if len(s.LeftOut) > 0 {
		text += fmt.Sprintf("note: the format %s leaves out %s; a .w2v file keeps all of it\n", s.format, strings.Join(s.LeftOut, "; "))
	}
	return text
}
