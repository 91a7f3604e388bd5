package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
)

// check looks whether checkpoints can be written.
func (k *checkpointFlags) check() error {
	if k.path == "" {
		return nil
	}
	return atomicfile.Check(k.path)
}

// goesOn tells whether checkpoints take the place of the one that is resumed.
func (k *checkpointFlags) goesOn() bool { return k.from != nil && atomicfile.Same(k.path, k.resume) }

// unchanged returns an error if the checkpoint that is resumed was replaced since it was
// opened, and notes if another run still writes it.
func (k *checkpointFlags) unchanged(note func(string)) error {
	if k.from == nil {
		return nil
	}
	if !k.goesOn() {
		if holder, held := atomicfile.Holder(k.resume); held {
			note(fmt.Sprintf("another run still writes %s (%s): this one goes on from what it is now", k.resume, holder))
		}
		return nil
	}
	now, err := atomicfile.Identify(k.resume)
	if err != nil {
		return named(k.resume, err)
	}
	if !atomicfile.Unchanged(k.opened, now) {
		return fmt.Errorf("%s: another run has written it meanwhile: begin again to go on from that", k.resume)
	}
	return nil
}

// checkReplaced returns an error if the checkpoint would take the place of something else
// than a checkpoint. From now on the slot knows what is this run's.
func (k *checkpointFlags) checkReplaced(taken func(path string) bool) error {
	if k.path == "" {
		return nil
	}
	k.slot = atomicfile.NewSlot(k.path, taken)
	if k.goesOn() {
		k.slot.Own()
	}
	if !k.slot.Foreign() {
		return nil
	}
	state, err := vectors.HasState(k.path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return err
	case err != nil || !state:
		return fmt.Errorf("%s: is no checkpoint, and would be replaced by one: name another file with --checkpoint, or move it away", k.path)
	}
	return nil
}

// replaces tells whether the next checkpoint takes the place of one of this run.
func (k *checkpointFlags) replaces() bool {
	_, err := os.Stat(k.path)
	return err == nil && (k.slot == nil || !k.slot.Foreign())
}

// write writes a checkpoint in place of the one before. What is there of another run is
// kept, and its new name returned.
func (k *checkpointFlags) write(givingUp context.Context, point *sgns.Checkpoint, f *trainFlags) (kept string, err error) {
	set, err := point.Set()
	if err != nil {
		return "", err
	}
	training := set.Training()
	f.describe(&training)
	set = set.WithTraining(training)
	if kept, err = k.slot.Keep(); err != nil {
		return "", err
	}
	if err := vectors.Write(givingUp, k.path, set, vectors.FormatW2V); err != nil {
		return "", errors.Join(err, k.slot.Undo())
	}
	k.slot.Own()
	return kept, nil
}

// describeKept says what was at the checkpoint's path, and where it is now.
func (k *checkpointFlags) describeKept(kept string) string {
	what := "was not written by this run"
	if set, err := vectors.Open(kept); err == nil {
		switch old, err := sgns.NewCheckpoint(set); {
		case err != nil:
		case old.Ended():
			what = "was of another run, which is at its end"
		default:
			what = fmt.Sprintf("was of a run at %s of %s tokens", thousands(old.Tokens), thousands(old.Total))
		}
		_ = set.Close() // was only read
	}
	return fmt.Sprintf("%s %s: it is kept as %s", k.path, what, kept)
}
