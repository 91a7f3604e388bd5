package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// modelFiles are what a run that trains a model writes, and how it says so.
type modelFiles struct {
	report      *reporter
	to          format.Format         // of the model
	checkpoints *train.CheckpointFile // nil for none
	file        string                // of checkpoints
	unsaved     error                 // of the last checkpoint
	saving      context.Context       // ends when saving is given up
}

// run calls train, which trains and saves a model, with signals that end it early. Targets finds out before what is written,
// and whether it can be. Events go to log.
func (m *modelFiles) run(c *cobra.Command, s streams, log string, resumed bool, targets func() error, train func(context.Context) error) (err error) {
	defer func() {
		m.report.ended(err)
		err = errors.Join(err, m.report.close())
	}()
	if err := targets(); err != nil {
		return misuse(asFlags(err))
	}
	if err := m.report.logTo(log, resumed); err != nil {
		return err
	}
	ctx, saving, stop := untilSignals(c.Context(), s.err)
	defer stop()
	m.saving = saving
	collectEarly()
	return train(ctx)
}

// checkpointTo finds out where checkpoints go: to a file, or to the one that the run goes on from.
func (m *modelFiles) checkpointTo(checkpoint, resume, output string) (err error) {
	if m.file = cmp.Or(checkpoint, resume); m.file != "" {
		own := resume != "" && atomicfile.Same(m.file, resume)
		m.checkpoints, err = train.NewCheckpointFile(m.file, own, func(path string) bool { return atomicfile.Same(path, output) })
	}
	return err
}

// save writes a model, which is called so in errors, and returns its file. A model that is not complete gets a name that replaces
// nothing. A model that cannot be written goes elsewhere if it can.
func (m *modelFiles) save(ctx context.Context, output string, set *vectors.Set, complete bool, called string) (file string, err error) {
	event := train.Saving{File: output, Complete: complete, Interrupted: ctx.Err() != nil}
	if complete {
		defer context.AfterFunc(ctx, func() {
			event.Interrupted = true
			m.report.saving(event)
		})()
	} else {
		output = format.Unfinished(output, m.to)
		event.File = output
		m.report.saving(event)
	}
	err = format.Write(m.saving, output, set, m.to)
	switch {
	case err == nil:
		return output, nil
	case m.saving.Err() != nil:
		return "", errors.New(givenUp)
	}
	err = fmt.Errorf("the %s could not be written: %w", called, err)
	refuge, failed := format.Rescue(m.saving, set)
	if failed != nil {
		return "", err
	}
	return refuge, fmt.Errorf("%w; it is saved as %s: w2v convert puts it where it should be", err, refuge)
}

// unprefixed is an error for people, without the name of the package that it begins with.
func unprefixed(err error, packages ...string) error {
	for _, name := range packages {
		if text, ok := strings.CutPrefix(err.Error(), name); ok {
			return &worded{text, err}
		}
	}
	return err
}

// A worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (e *worded) Error() string { return e.text }
func (e *worded) Unwrap() error { return e.err }
