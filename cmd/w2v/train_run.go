package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
)

// run trains as the flags say, and prints the summary.
func (f *trainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	o, err := f.options(c)
	if err != nil {
		return &usageError{c.CommandPath(), err}
	}
	if c.Flags().Changed("bootstrap") {
		return f.runBootstrap(c, s, args, o)
	}
	text, err := f.corpus.corpus(c, s, args, &o)
	if err != nil {
		return &usageError{c.CommandPath(), err}
	}
	if err := s.ranks.join(); err != nil {
		return err
	}
	o.Ranks = s.ranks.comm()
	report := newReporter(s, f.progress)
	defer func() {
		report.ended(err)
		err = errors.Join(err, report.close())
	}()
	ctx, saving, stop := s.ranks.untilSignals(c.Context(), s.err, func() string { return f.lastCheckpoint(report, s.ranks.silent()) })
	defer stop()
	o.Saving = saving
	hooks := report.hooks(s, &f.skip)
	hooks.Ready = func() error {
		collectEarly()
		if s.ranks.silent() {
			return nil
		}
		s.ranks.tell(s.err)
		return report.logTo(f.logJSON, o.Checkpoint.Resume != "")
	}
	plan := hooks.Plan
	hooks.Plan = func(p train.Plan) {
		s.ranks.begin(p.Threads)
		plan(p)
	}
	result, err := train.Run(ctx, text, o, hooks)
	_, misused := errors.AsType[*train.OptionError](err)
	if err = asFlags(err); misused {
		return &usageError{c.CommandPath(), err}
	}
	err = errors.Join(err, s.ranks.total(result, err))
	if result == nil || s.ranks.silent() {
		return err
	}
	return errors.Join(err, f.summarise(ctx, saving, s, result, report))
}

// summarise prints and logs the summary of a run.
func (f *trainFlags) summarise(ctx, saving context.Context, s streams, result *train.Result, report *reporter) error {
	sum := newSummary(result, report.spell)
	sum.why = "stopped"
	if ctx.Err() != nil {
		sum.why = "interrupted"
	}
	if result.Resumable {
		sum.goOn = f.goOn(result.Checkpoint)
	}
	switch {
	case result.Unsaved != nil && saving.Err() != nil:
		sum.Error = givenUp
		fmt.Fprintln(s.err, givenUp)
	case result.Unsaved != nil:
		sum.Error = oneLine(asFlags(result.Unsaved))
	}
	report.done(sum)
	if f.json {
		return printJSON(s.out, sum)
	}
	return nil
}

// goOn is what is added to the command line to go on from a checkpoint.
func (f *trainFlags) goOn(checkpoint string) string {
	text := "--resume " + wording.Quoted(checkpoint)
	if _, fraction := f.fraction(); f.validate != "" && !fraction {
		text += " --validate " + wording.Quoted(f.validate)
	}
	for _, set := range f.sets {
		text += " --eval " + wording.Quoted(set)
	}
	return text
}
