package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/sweep"
)

type sweepFlags struct {
	output   string
	threads  int
	cache    string
	memory   uint64
	progress string
	json     bool
	force    bool
}

func newSweep(s streams) *cobra.Command {
	var f sweepFlags
	c := command("sweep", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) })
	c.Flags().StringVarP(&f.output, "output", "o", "", "folder for the results; overrides CONFIG")
	c.Flags().IntVar(&f.threads, "threads", 0, "number of threads; overrides CONFIG; 0 means GOMAXPROCS")
	limit(c.Flags(), 0, math.Inf(1), "threads")
	addCache(c.Flags(), &f.cache, &f.memory)
	c.Flags().BoolVar(&f.force, "force", false, "train even if memory seems too small")
	addProgress(c.Flags(), &f.progress)
	addJSON(c, &f.json)
	return c
}

func (f *sweepFlags) run(c *cobra.Command, s streams, path string) (err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return compression.Named(path, err)
	}
	config, err := sweep.Parse(path, text, s.in)
	if err != nil {
		return misuse(err)
	}
	if config.Output = cmp.Or(f.output, config.Output); config.Output == "" {
		return misuse(fmt.Errorf(`%s: no folder for the results: say output = "FOLDER" in it, or -o FOLDER`, path))
	}
	if c.Flags().Changed("threads") {
		config.Base.Model.Threads = f.threads
	}
	config.Cache, config.VocabMemory, config.Force = f.cache, f.memory, f.force
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	found, err := sweep.Run(ctx, config, f.hooks(s, report))
	if found == nil || found.Done == 0 {
		return err
	}
	report.countingDone()
	if !f.json {
		printTable(s.out, found.Table())
	}
	return errors.Join(err, found.Write(config.Output))
}

func (f *sweepFlags) hooks(s streams, report *reporter) sweep.Hooks {
	number, of := 0, 0
	return sweep.Hooks{
		Reading:  report.counted,
		Begin:    func(sweep.Point, uint64) { debug.FreeOSMemory() }, // nothing holds the model before any more
		Start:    func(sgns.Plan) error { debug.FreeOSMemory(); return nil },
		Progress: report.trained,
		Every:    report.every(),
		TooLong:  func(left corpus.TooLong) { report.note("note: %s", left) },
		Empty:    func(empty corpus.Empty) { report.note("note: %s", empty) },
		Note:     func(text string) { report.note("note: %s", text) },
		Read: func(b sweep.Begun) {
			report.countingDone()
			report.note("%s of %s, %s", wording.Count(b.Tokens, "token", "tokens"), wording.Count(b.Words, "word", "words"), wording.Count(b.Trials, "trial", "trials"))
			if b.Done > 0 {
				report.note("%d of them are done, as %s says, and not done again", b.Done, b.Log)
			}
			if b.Older > 0 {
				report.note("note: %s has results of %d trials by another revision of the algorithm, and this program is revision %d: these trials are trained again", b.Log, b.Older, sgns.Revision)
			}
			of = b.Trials
		},
		End: func(r sweep.Result, earlier bool) {
			if r.Skipped == "" {
				number++
			}
			if f.json {
				_ = printJSON(s.out, r) // standard output remembers that it could not be written
			}
			if !earlier {
				report.note("%s", trialLine(r, number, of))
			}
		},
	}
}

func trialLine(r sweep.Result, number, of int) string {
	name := r.Settings.String()
	switch {
	case r.Baseline != "":
		name = string(r.Baseline)
	case r.Variant != "":
		name = strings.TrimSuffix(r.Variant+": "+name, ": ")
	}
	if r.Skipped != "" {
		return fmt.Sprintf("skipped: %s: %s", name, r.Skipped)
	}
	line := fmt.Sprintf("%d of %d: %s, seed %d", number, of, name, r.Seed)
	if r.Failed != "" {
		return line + ": failed: " + r.Failed
	}
	for _, e := range r.Evaluations {
		line += fmt.Sprintf("; %s %s", e.Set, score(e.Score))
	}
	line += when(r.Baseline != sweep.RandomVectors, "; %.1f s, %s tokens/s", r.Seconds, wording.Thousands(uint64(r.TokensPerSecond)))
	return line
}

func printTable(w io.Writer, table sweep.Table) {
	t := newTable(w)
	for _, row := range append([][]string{table.Header}, table.Rows...) {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
	for _, note := range table.Notes {
		fmt.Fprintln(w, note)
	}
}
