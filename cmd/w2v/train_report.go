package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

func (r *reporter) hooks(s streams, skip *skipFlag) train.Hooks {
	return train.Hooks{
		Reading: r.counted,
		Read: func(t *train.Text) {
			r.countingDone()
			fmt.Fprintf(r.err, "%s of %s\n", wording.Count(t.Tokens, "token", "tokens"), wording.Count(t.Vocab.Len(), "word", "words"))
		},
		Remark:       r.remark,
		Start:        r.started,
		Plan:         r.planned,
		Warm:         func(w train.Warm) { printWarm(s.err, w, r.spell) },
		Progress:     r.trained,
		Every:        r.every(),
		Evaluated:    r.evaluated,
		Checkpointed: r.checkpointed,
		Diverged:     r.diverged,
		Saving:       r.saving,
		Skipped: func(words []*format.UnwritableWord, outFormat format.Format) {
			for _, text := range skip.notes(words, outFormat) {
				fmt.Fprintf(s.err, "note: %s\n", text)
			}
		},
		Note: func(m train.Message) { r.note("note: %s", m.Spell(r.spell)) },
	}
}

func (r *reporter) remark(made train.Remark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remarks++
	text := made.Spell(r.spell)
	r.encode(noteEvent{"note", made.Kind, text})
	r.tell("note: %s", text)
}

func (r *reporter) started(start train.Start) {
	r.mu.Lock()
	r.encode(startEvent{
		Event:   "start",
		Time:    time.Now().Format(time.RFC3339),
		Tokens:  start.Tokens,
		Total:   start.Total,
		Words:   start.Words,
		Resumed: start.Resumed,
	})
	r.mu.Unlock()
	debug.FreeOSMemory() // what counting took: see collected
}

// planned says what the run takes of memory: as much as training is going to, or as counting
// did if that was more. From now on the program keeps to it.
func (r *reporter) planned(p train.Plan) {
	debug.FreeOSMemory()
	sysinfo.KeepMemoryBelow(withRoom(max(p.Bytes, p.Counting)))
	counted := ""
	if p.Counting > p.Bytes {
		counted = fmt.Sprintf(", which counting took (from now on %s)", megabytes(int64(p.Bytes)))
	}
	fmt.Fprintf(r.err, "training takes %s of memory%s: %s\n", megabytes(int64(max(p.Bytes, p.Counting))), counted, rowsOf(p))
	if on := p.Resumed; on != nil {
		r.note("going on from %s: %s of %s tokens are trained", on.File, wording.Thousands(on.Tokens), wording.Thousands(on.Total))
		switch {
		case on.Ended:
			r.note("that run is at its end; --extend-epochs trains on")
		case on.Extended > 0:
			r.note("it has been extended by %s already, and is not by more", wording.Count(on.Extended, "epoch", "epochs"))
		}
	}
	if c := p.Settings.Model; c.Deterministic && p.Threads == 1 && c.Threads != 1 && runtime.GOMAXPROCS(0) > 1 {
		r.note("--deterministic trains such a model with one thread")
	}
}

// rowsOf names the rows that are going to be trained.
func rowsOf(p train.Plan) string {
	text, further := "rows", ""
	for _, m := range p.Matrices {
		switch rows := wording.Thousands(m.Rows); {
		case m.Name == "input":
		case m.Name == "output" && m.SameAs != "":
			text = "rows, which are the output rows too"
		case m.Name == "output":
			text = "and " + rows + " output rows"
		default:
			further += fmt.Sprintf(", %s: %s", m.Title, rows)
		}
	}
	return fmt.Sprintf("%s input %s%s", wording.Thousands(p.Rows), text, further)
}

func (r *reporter) evaluated(e train.Evaluated) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(evaluationEvent{
		Event:   "evaluation",
		Tokens:  e.Tokens,
		Elapsed: e.Elapsed.Seconds(),
		HeldOut: number(e.Loss),
		Scores:  e.Scores,
		Best:    e.Best,
		Seconds: e.Took.Seconds(),
	})
	text := fmt.Sprintf("after %s tokens:", wording.Thousands(e.Tokens))
	if !math.IsNaN(e.Loss) {
		text += fmt.Sprintf(" held-out loss %.4f,", e.Loss)
	}
	for _, s := range e.Scores {
		text += fmt.Sprintf(" %s %s,", s.Set, score(s.Score))
	}
	best := "no better"
	if e.Best {
		best = "the best so far"
	}
	r.tell("%s %s", text, best)
}

// checkpointed tells of a checkpoint. What went wrong with one is said, because training
// goes on.
func (r *reporter) checkpointed(c train.Checkpointed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := checkpointEvent{
		Event:  "checkpoint",
		Tokens: c.Tokens,
		Pause:  c.Pause.Seconds(),
		Write:  c.Took.Seconds(),
		Bytes:  c.Bytes,
		Path:   c.File,
	}
	if c.Kept != nil {
		r.say("note: %s %s: it is kept as %s", c.File, describeKept(c.Kept), c.Kept.File)
	}
	if c.Err == nil {
		r.last.file, r.last.tokens = c.File, c.Tokens
	} else {
		event.Error = c.Err.Error()
		before := "there is none"
		if _, err := os.Stat(c.File); err == nil {
			before = "the previous one is kept"
		}
		r.tell("note: no checkpoint of %s tokens could be written, %s: %v", wording.Thousands(c.Tokens), before, c.Err)
	}
	r.encode(event)
}

// describeKept says what was where a checkpoint is now.
func describeKept(k *train.Kept) string {
	switch {
	case !k.Checkpoint:
		return "was not written by this run"
	case k.Ended:
		return "was of another run, which is at its end"
	}
	return fmt.Sprintf("was of a run at %s of %s tokens", wording.Thousands(k.Tokens), wording.Thousands(k.Total))
}

func (r *reporter) diverged(d sgns.Divergence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(divergenceEvent{"divergence", d.Tokens, d.BackTo, d.LearningRate})
	r.tell("training diverged at %s tokens: back to %s, and on at half the learning rate, %v",
		wording.Thousands(d.Tokens), wording.Thousands(d.BackTo), d.LearningRate)
}

// saving tells what is being saved, so that it can be given up.
func (r *reporter) saving(s train.Saving) {
	switch {
	case s.Checkpoint:
		r.note("interrupted: saving the checkpoint %s; interrupt again to give it up", s.File)
	case s.Complete:
		r.note("interrupted: training is done, saving %s; interrupt again to give it up", s.File)
	case s.Interrupted:
		r.note("interrupted: saving what is trained to %s; interrupt again to give it up", s.File)
	default:
		r.note("stopped: saving what is trained to %s; interrupt to give it up", s.File)
	}
}

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
		return misuse(err)
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
		return misuse(asFlags(err))
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
