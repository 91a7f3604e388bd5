package train

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// save writes the model, and notes in the result where it is. If training did not come to its
// end, a checkpoint is enough; without one the unfinished model is saved, but it does not
// replace a model that may be complete. A model that cannot be written to its place is written
// to the folder for temporary files. When r.saving ends, nothing more is saved.
func (r *run) save(ctx context.Context, result *Result) error {
	unsaved := r.checkpoints.err
	if unsaved != nil {
		unsaved = fmt.Errorf("the checkpoint could not be written: %w", unsaved)
	}
	hasCheckpoint := r.checkpoints.file != "" && unsaved == nil
	if hasCheckpoint {
		result.Checkpoint = r.checkpoints.file
	}
	if !result.Complete && hasCheckpoint {
		result.Resumable = true
		return nil
	}
	if result.Progress.Tokens == 0 || r.saving.Err() != nil {
		return unsaved // there is nothing to save, or nobody who wants it
	}
	if err := r.warm.close(); err != nil { // it may be what the output replaces
		return err
	}
	unsaved = errors.Join(unsaved, r.encode(result))
	if r.options.Output == "" {
		return unsaved
	}
	err := r.writeModel(ctx, result)
	switch {
	case err == nil:
		return unsaved
	case r.saving.Err() != nil:
		return errors.Join(unsaved, err)
	case hasCheckpoint:
		result.Resumable = true
		return fmt.Errorf("the model could not be written: %w", err)
	}
	unsaved = errors.Join(unsaved, fmt.Errorf("the model could not be written: %w", err))
	refuge := filepath.Join(os.TempDir(), "w2v-rescued-"+rand.Text()+".w2v")
	if format.Write(r.saving, refuge, result.Vectors, format.W2V) != nil {
		return unsaved
	}
	result.Output = refuge
	return errorf("%v; the model is saved as %s: %v puts it where it should be", unsaved, refuge, name("convert"))
}

// writeModel writes the model to its file, or beside it if training did not come to its end.
func (r *run) writeModel(ctx context.Context, result *Result) error {
	output := r.options.Output
	saving := Saving{File: output, Complete: result.Complete, Interrupted: ctx.Err() != nil}
	if result.Complete {
		told := context.AfterFunc(ctx, func() {
			saving.Interrupted = true
			r.tellSaving(saving)
		})
		defer told()
	} else {
		output = partial(output, r.format)
		saving.File = output
		r.tellSaving(saving)
	}
	writable, err := r.writable(result.Vectors)
	if err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	if err := format.Write(r.saving, output, writable, r.format); err != nil {
		return err
	}
	result.Output, result.Format = output, r.format
	result.LeftOut = format.LeavesOut(result.Vectors, r.format).List()
	return nil
}

// encode writes the model to Options.Writer, if there is one, and training is complete.
func (r *run) encode(result *Result) error {
	if r.options.Writer == nil || !result.Complete {
		return nil
	}
	writable, err := r.writable(result.Vectors)
	if err == nil {
		err = format.Encode(r.options.Writer, writable, r.format)
	}
	if err != nil {
		return fmt.Errorf("the model could not be written: %w", err)
	}
	result.Format = r.format
	return nil
}

// writable returns the model without the words that its format cannot hold, if these are to
// be left out. It notes what other programs will misread.
func (r *run) writable(model *vectors.Set) (writable *vectors.Set, err error) {
	writable = model
	if r.options.SkipUnwritable {
		var skipped []*format.UnwritableWord
		writable, skipped, err = convert.Writable(model, r.format)
		if tell := r.hooks.Skipped; err == nil && len(skipped) > 0 && tell != nil {
			tell(skipped, r.format)
		}
	}
	for _, note := range format.Misread(writable, r.format) {
		r.tell(messagef("%s", note))
	}
	return writable, err
}

func (r *run) tellSaving(s Saving) {
	if r.hooks.Saving != nil {
		r.hooks.Saving(s)
	}
}

// partial returns the path of an unfinished model: path if nothing is there, else the first
// free name beside it.
func partial(path string, f format.Format) string {
	clean := filepath.Clean(path) // without a separator at its end
	for n := 1; occupied(path, f); n++ {
		prefix := "partial-"
		if n > 1 {
			prefix = fmt.Sprintf("partial-%d-", n)
		}
		path = filepath.Join(filepath.Dir(clean), prefix+filepath.Base(clean))
	}
	return path
}

// occupied tells whether any file of a model at path exists, a dangling link included.
func occupied(path string, f format.Format) bool {
	files, _ := format.TargetFiles(path, f) // it was asked for all of them before
	for _, file := range append(files, filepath.Clean(path)) {
		if _, err := os.Lstat(file); err == nil {
			return true
		}
	}
	return false
}
