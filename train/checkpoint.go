package train

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors/format"
)

// usualEvery is the time between checkpoints.
const usualEvery = 10 * time.Minute

// checkpoints are those that a run writes.
type checkpoints struct {
	file  string // empty for none
	every time.Duration
	slot  *atomicfile.Slot
	err   error // of the last one that was written
}

// check looks whether checkpoints can be written.
func (k *checkpoints) check() error {
	if k.file == "" {
		return nil
	}
	return atomicfile.Check(k.file)
}

// checkReplaced returns an error if a checkpoint would replace a file that is none. Own says that
// the file that is there belongs to this run; files of other runs are kept under names that
// taken does not report.
func (k *checkpoints) checkReplaced(own bool, taken func(path string) bool) error {
	if k.file == "" {
		return nil
	}
	k.slot = atomicfile.NewSlot(k.file, taken)
	if own {
		k.slot.Own()
	}
	if !k.slot.Foreign() {
		return nil
	}
	state, err := format.HasState(k.file)
	switch {
	case errors.Is(err, os.ErrPermission):
		return err
	case err != nil || !state:
		return errorf("%s: is not a checkpoint, and would be replaced by one: name another file with %v, or move it away", k.file, name("checkpoint"))
	}
	return nil
}

// replaces tells whether the next checkpoint replaces one of this run.
func (k *checkpoints) replaces() bool {
	_, err := os.Stat(k.file)
	return err == nil && (k.slot == nil || !k.slot.Foreign())
}

// write replaces the checkpoint by the next one. It keeps a file of another run, and returns the
// new name of that.
func (k *checkpoints) write(saving context.Context, point *sgns.Checkpoint, s Settings) (kept string, err error) {
	set, err := point.Set()
	if err != nil {
		return "", err
	}
	set = s.described(set)
	if kept, err = k.slot.Keep(); err != nil {
		return "", err
	}
	if err := format.Write(saving, k.file, set, format.W2V); err != nil {
		return "", errors.Join(err, k.slot.Undo())
	}
	k.slot.Own()
	return kept, nil
}

// describeKept describes a file of another run that was kept.
func describeKept(file string) *Kept {
	kept := &Kept{File: file}
	if set, err := format.Open(file); err == nil {
		if old, err := sgns.NewCheckpoint(set); err == nil {
			kept.Checkpoint, kept.Ended, kept.Tokens, kept.Total = true, old.Ended(), old.Tokens, old.Total
		}
		_ = set.Close() // was only read
	}
	return kept
}

// checkpoint writes a checkpoint, and tells of it.
func (r *run) checkpoint(point *sgns.Checkpoint) {
	k := &r.checkpoints
	start := time.Now()
	// The run does not need the file any more that it went on from, and some systems refuse to
	// replace an open file.
	if err := r.resumed.close(); err != nil {
		r.tell(messagef("%v", err))
	}
	done := Checkpointed{File: k.file, Tokens: point.Tokens, Pause: point.Pause}
	var kept string
	kept, k.err = k.write(r.saving, point, r.settings)
	if done.Err = k.err; k.err == nil {
		done.Bytes = size(k.file)
	}
	if kept != "" {
		done.Kept = describeKept(kept)
	}
	done.Took = time.Since(start)
	if tell := r.hooks.Checkpointed; tell != nil {
		tell(done)
	}
}

// size returns the size of the file at path, 0 if that cannot be known.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
