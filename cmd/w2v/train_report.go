package main

import (
	"cmp"
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
		Warm:         func(w train.Warm) { r.warm(s, w) },
		Progress:     r.trained,
		Every:        r.every(),
		Evaluated:    r.evaluated,
		Checkpointed: r.checkpointed,
		Diverged:     r.diverged,
		Saving:       r.saving,
		Skipped: func(words []*format.UnwritableWord, outFormat format.Format) {
			s.note(skip.notes(words, outFormat)...)
		},
		Note: func(m train.Message) { r.note("note: %s", m.Spell(r.spell)) },
	}
}

func (r *reporter) warm(s streams, w train.Warm) {
	text := fmt.Sprintf("started from %s: %s of %s words known", cmp.Or(w.File, "vectors"), wording.Thousands(w.Known), wording.Thousands(w.Words))
	text += when(w.Ngrams > 0, ", %s n-gram rows kept", wording.Thousands(w.Ngrams))
	switch {
	case !w.NeedsContext: // there are no others
	case w.Warm.Context:
		text += ", context vectors too"
	case w.HadContext:
		text += "; its context vectors do not fit, they start as zeros"
	default:
		text += "; it has no context vectors, they start as zeros"
	}
	fmt.Fprintf(s.err, "%s; learning rate %v\n", text, w.LearningRate)
	for _, note := range w.Notes {
		s.note(note.Spell(r.spell))
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
	defer r.mu.Unlock()
	r.encode(startEvent{"start", time.Now().Format(time.RFC3339), start.Tokens, start.Total, start.Words, start.Resumed})
	debug.FreeOSMemory() // what counting took: see collectEarly
}

// planned says what memory the run takes: for training, or for counting if that took more. The program keeps to it.
func (r *reporter) planned(p train.Plan) {
	debug.FreeOSMemory()
	sysinfo.KeepMemoryBelow(withRoom(max(p.Bytes, p.Counting)))
	counted := when(p.Counting > p.Bytes, ", which counting took (from now on %s)", megabytes(int64(p.Bytes)))
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
	r.encode(evaluationEvent{"evaluation", e.Tokens, e.Elapsed.Seconds(), number(e.Loss), e.Scores, e.Best, e.Took.Seconds()})
	text := fmt.Sprintf("after %s tokens:", wording.Thousands(e.Tokens))
	text += when(!math.IsNaN(e.Loss), " held-out loss %.4f,", e.Loss)
	for _, s := range e.Scores {
		text += fmt.Sprintf(" %s %s,", s.Set, score(s.Score))
	}
	best := either(e.Best, "the best so far", "no better")
	r.tell("%s %s", text, best)
}

// checkpointed tells of a checkpoint. What went wrong is only told, because training goes on.
func (r *reporter) checkpointed(c train.Checkpointed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.Kept != nil {
		r.say("note: %s %s: it is kept as %s", c.File, describeKept(c.Kept), c.Kept.File)
	}
	wrong := ""
	if c.Err == nil {
		r.last.file, r.last.tokens = c.File, c.Tokens
	} else {
		wrong = c.Err.Error()
		_, none := os.Stat(c.File)
		before := either(none == nil, "the previous one is kept", "there is none")
		r.tell("note: no checkpoint of %s tokens could be written, %s: %v", wording.Thousands(c.Tokens), before, c.Err)
	}
	r.encode(checkpointEvent{"checkpoint", c.Tokens, c.Pause.Seconds(), c.Took.Seconds(), c.Bytes, c.File, wrong})
}

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
	text := "stopped: saving what is trained to %s; interrupt to give it up"
	switch {
	case s.Checkpoint:
		text = "interrupted: saving the checkpoint %s; interrupt again to give it up"
	case s.Complete:
		text = "interrupted: training is done, saving %s; interrupt again to give it up"
	case s.Interrupted:
		text = "interrupted: saving what is trained to %s; interrupt again to give it up"
	}
	r.note(text, s.File)
}

type bootstrapFlags struct {
	runs, neighbors int
	words           []string
}

func (f *bootstrapFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.runs, "bootstrap", 0, "train `N` models on resampled documents, and print how much scores and neighbours differ")
	flags.StringSliceVar(&f.words, "bootstrap-words", nil, "with --bootstrap, compare the nearest neighbours of these `words`")
	flags.IntVar(&f.neighbors, "bootstrap-neighbors", 10, "with --bootstrap-words, compare this many nearest neighbours")
	checked(c, func([]string) error {
		given := flags.Changed
		if !given("bootstrap") && (given("bootstrap-words") || given("bootstrap-neighbors")) {
			return errors.New("--bootstrap-words and --bootstrap-neighbors need --bootstrap N")
		}
		if !given("bootstrap") {
			return nil
		}
		return refuse(flags, "--%s is about one model, and --bootstrap trains several", "checkpoint", "checkpoint-every", "resume", "extend-epochs",
			"init", "update-vocab", "vocab", "save-vocab", "validate", "evaluate-every", "early-stop", "log-json", "format", "skip-unwritable")
	})
}

// runBootstrap trains models of resampled documents, and prints what they have in common.
func (f *trainFlags) runBootstrap(c *cobra.Command, s streams, text train.Corpus, o train.Options) (err error) {
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
			model := either(run.Model != "", ": "+run.Model, "")
			report.note("run %d of %d: %s tokens, %.1f s%s", run.Run, options.Runs, wording.Thousands(run.Tokens), run.Seconds, model)
		},
	})
	if _, misused := errors.AsType[*train.OptionError](err); misused {
		return misuse(asFlags(err))
	}
	err = errors.Join(asFlags(err), unread)
	if result == nil {
		return err
	}
	return errors.Join(s.print(f.json, result, func(w io.Writer) { printBootstrap(w, result) }), err)
}

func printBootstrap(w io.Writer, r *train.BootstrapResult) {
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
	var stable []string
	for _, word := range r.Nearest {
		name := word.Word
		for i, x := range word.Neighbors {
			if i >= 2*r.Neighbors {
				fmt.Fprintf(t, "\t… %s, see --json\n", wording.Count(len(word.Neighbors)-i, "other", "others"))
				break
			}
			fmt.Fprintf(t, "%s\t%s\t%.0f %%\t%.1f\t%s\t%s\n", name, x.Word, 100*x.Share, x.MeanRank, score(x.Mean), interval(x.Interval))
			name = ""
		}
		stable = append(stable, word.Word+" "+score(word.Jaccard))
	}
	t.Flush()
	if stable != nil {
		fmt.Fprintf(w, "mean Jaccard similarity of the %d nearest of two runs: %s\n", r.Neighbors, strings.Join(stable, ", "))
	}
	fmt.Fprintf(w, "%s on resampled documents\n", wording.Count(len(r.Runs), "run", "runs"))
}
