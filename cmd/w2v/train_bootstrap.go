package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
)

// bootstrapHelp is the part of the help of w2v train about --bootstrap.
const bootstrapHelp = `--bootstrap N trains N models, each on documents that are drawn from the corpus with
replacement, and prints by how much the scores on the --eval sets and the neighbours of
the --bootstrap-words differ between them. A document is a line, or, where lines are cut
into sentences, a sentence. The corpus is read once. With -o model.w2v the models are
model-1.w2v, model-2.w2v …; without -o none is written.`

// bootstrapFlags ask for models of resampled documents.
type bootstrapFlags struct {
	runs, neighbors int
	words           []string
}

func (f *bootstrapFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.runs, "bootstrap", 0, "train `N` models on resampled documents, and print how much scores and neighbours differ")
	flags.StringSliceVar(&f.words, "bootstrap-words", nil, "with --bootstrap, compare the nearest neighbours of these `words`")
	flags.IntVar(&f.neighbors, "bootstrap-neighbors", 10, "with --bootstrap-words, compare this many nearest neighbours")
}

// check returns an error about flags that do not go together.
func (f *bootstrapFlags) check(c *cobra.Command) error {
	given := c.Flags().Changed
	if !given("bootstrap") {
		if given("bootstrap-words") || given("bootstrap-neighbors") {
			return errors.New("--bootstrap-words and --bootstrap-neighbors need --bootstrap N")
		}
		return nil
	}
	for _, other := range []string{"checkpoint", "checkpoint-every", "resume", "extend-epochs", "init", "update-vocab", "vocab", "save-vocab",
		"validate", "evaluate-every", "early-stop", "log-json", "format", "skip-unwritable"} {
		if c.Flags().Lookup(other) != nil && given(other) {
			return fmt.Errorf("--%s is about one model, and --bootstrap trains several", other)
		}
	}
	return nil
}

// runBootstrap trains models of resampled documents, and prints what they have in common.
func (f *trainFlags) runBootstrap(c *cobra.Command, s streams, args []string, o train.Options) (err error) {
	text, err := f.corpus.corpus(c, s, args, &o)
	if err != nil {
		return &usageError{c.CommandPath(), err}
	}
	options := train.BootstrapOptions{
		Settings: o.Settings, Runs: f.bootstrap.runs, Words: f.bootstrap.words, Neighbors: f.bootstrap.neighbors,
		Output: o.Output, Cache: o.Cache, NoCache: o.NoCache, VocabMemory: o.VocabMemory, Force: o.Force,
	}
	if f.bootstrap.neighbors == 0 {
		options.Neighbors = -1 // 0 stands for the default
	}
	var unread error
	if len(f.sets) > 0 {
		if options.Sets, unread, err = readSets(s, f.sets, ""); err != nil {
			return err
		}
	}
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	result, err := train.Bootstrap(ctx, text, options, train.BootstrapHooks{
		Reading: report.counted,
		Note:    func(text string) { report.note("note: %s", text) },
		Read: func(t *train.Text) {
			report.countingDone()
			report.note("%s of %s", wording.Count(t.IDs.Tokens(), "token", "tokens"), wording.Count(t.Vocab.Len(), "word", "words"))
		},
		Progress: report.trained,
		Every:    report.every(),
		Done: func(run train.BootstrapRun) {
			report.countingDone()
			report.note("run %d of %d: %s tokens, %.1f s%s", run.Run, options.Runs, wording.Thousands(run.Tokens), run.Seconds, after(": ", run.Model))
		},
	})
	if _, misused := errors.AsType[*train.OptionError](err); misused {
		return &usageError{c.CommandPath(), asFlags(err)}
	}
	err = errors.Join(asFlags(err), unread)
	if result == nil {
		return err
	}
	if f.json {
		return errors.Join(printJSON(s.out, result), err)
	}
	return errors.Join(printBootstrap(s.out, result), err)
}

// after returns text behind what separates it, and nothing if there is no text.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// printBootstrap prints a line for each set and for each word.
func printBootstrap(w io.Writer, r *train.BootstrapResult) error {
	t := newTable(w)
	if len(r.Scores) > 0 {
		fmt.Fprintln(t, "set\tmetric\truns\tmean\tdeviation\t95 % of the score")
	}
	for _, x := range r.Scores {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\n", x.Set, x.Metric, x.Runs, score(x.Mean), score(x.Deviation), interval(x.Interval))
	}
	if len(r.Scores) > 0 && len(r.Nearest) > 0 {
		fmt.Fprintln(t)
	}
	if len(r.Nearest) > 0 {
		fmt.Fprintln(t, "word\tneighbour\tin runs\trank\tcosine\t95 % of the cosine")
	}
	for _, word := range r.Nearest {
		for i, x := range word.Neighbors {
			if i >= 2*r.Neighbors {
				fmt.Fprintf(t, "\t%s\n", "… "+wording.Count(len(word.Neighbors)-i, "other", "others")+", see --json")
				break
			}
			name := ""
			if i == 0 {
				name = word.Word
			}
			fmt.Fprintf(t, "%s\t%s\t%.0f %%\t%.1f\t%s\t%s\n", name, x.Word, 100*x.Share, x.MeanRank, score(x.Mean), interval(x.Interval))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var stable []string
	for _, word := range r.Nearest {
		stable = append(stable, word.Word+" "+score(word.Jaccard))
	}
	if stable != nil {
		fmt.Fprintf(w, "mean Jaccard similarity of the %d nearest of two runs: %s\n", r.Neighbors, strings.Join(stable, ", "))
	}
	_, err := fmt.Fprintf(w, "%s on resampled documents\n", wording.Count(len(r.Runs), "run", "runs"))
	return err
}
