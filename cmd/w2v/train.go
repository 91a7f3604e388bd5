package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

func newTrain(s streams) *cobra.Command {
	var f trainFlags
	c := command("train", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	f.add(c)
	return c
}

type trainFlags struct {
	train.Options // of which most flags set a field
	corpus        corpusFlags
	skip          skipFlag
	every         time.Duration // of checkpoints
	validate      string
	sets          []string
	bootstrap     bootstrapFlags
	progress      string
	logJSON       string
	json          bool
	plan          bool
	planRanks     int
}

func (f *trainFlags) add(c *cobra.Command) {
	f.Settings = train.Defaults()
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.Output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.Format, "format", "format of the model; the default goes by the extension", formatChoices())
	grouped(flags, "Model", func() {
		f.Recipe = train.RecipeNone
		addEnum(flags, &f.Recipe, "recipe", "train several models one after another on one reading of the corpus, and merge them", choicesOf(train.Recipes(), map[train.Recipe]string{
			train.RecipeNone: "one model",
			train.RecipeBest: "words, n-grams, and n-grams by CBOW, each with twice the dimensions, reduced together, for about six times the time",
		}))
	})
	addSettings(flags, &f.Settings, sgns.GroupModel, train.GroupSubwords)
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.Init.File, "init", "", "start from the vectors in `FILE`, in any format; words are matched by name. --dim, n-grams, --rank and how text is cut come from FILE unless you give them")
		addSettings(flags, &f.Settings, sgns.GroupFreeze)
		flags.BoolVar(&f.Init.UpdateVocab, "update-vocab", false, "keep all words of --init or --resume with their counts, and add the words of the corpus; settings that are not given are those that --init or --resume was trained with")
	})
	addSettings(flags, &f.Settings, train.GroupText)
	grouped(flags, "Text", func() {
		flags.StringVar(&f.PhraseTable, "phrase-table", "", "join the phrases in `FILE`, which w2v phrases --write-table has written")
	})
	f.corpus.add(c)
	grouped(flags, "Run", func() {
		addSettings(flags, &f.Settings, sgns.GroupRun)
		flags.StringVar(&f.Vocabulary.File, "vocab", "", "read the vocabulary from `FILE`: lines of a token and its count")
		flags.StringVar(&f.Vocabulary.Save, "save-vocab", "", "write the vocabulary to `FILE`")
		addCache(flags, &f.Cache, &f.VocabMemory)
		flags.BoolVar(&f.NoCache, "no-cache", false, "read and cut the text again each epoch instead of caching it on disk; the vectors are the same")
		f.skip.add(c)
	})
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.Checkpoint.File, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it. A checkpoint of another run is kept as FILE.before")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints; if it is not given, 5s to 2m with ranks of mpirun, so that checkpoints take at most 2 % of the time")
		limit(flags, 0, math.Inf(1), "checkpoint-every")
		flags.StringVar(&f.Checkpoint.Resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same corpus. Further checkpoints go to FILE too, unless --checkpoint names another file. With --update-vocab: begin a new run on new text, from its vectors and settings")
		flags.IntVar(&f.Checkpoint.ExtendEpochs, "extend-epochs", 0, "with --resume, train `N` epochs more than planned")
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", "measure the loss on held-out text: a `FILE`, or a fraction of the corpus such as 0.01")
		flags.StringSliceVar(&f.sets, "eval", nil, "score a similarity or analogy `SET` during training; may be repeated")
		flags.StringVar(&f.Evaluation.EpochModels, "epoch-models", "", "write the model as it is at the end of each epoch to this `folder`, in native format: epoch-1.w2v and so on; the folder must have none of another run")
		addSettings(flags, &f.Settings, sgns.GroupEvaluate)
		f.bootstrap.add(c)
	})
	addRanks(c, &f.Options)
	grouped(flags, "Plan", func() {
		flags.BoolVar(&f.plan, "plan", false, "do not train: say what the run will take in memory, disk and time, estimated from a sample of the corpus; needs no --output")
		whole(flags, 2, &f.planRanks, "plan-ranks", "", 0, "with --plan, for a run of so many processes")
	})
	grouped(flags, "Run", func() {
		flags.BoolVar(&f.Force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
	})
	addJSON(c, &f.json)
}

// options are what the flags say. An error is about the flags.
func (f *trainFlags) options(c *cobra.Command) (train.Options, error) {
	given := c.Flags().Changed
	o := f.Options
	o.SkipUnwritable = f.skip.on
	err := broken(
		rule{f.plan && f.bootstrap.runs > 0, "--plan is for one run: leave out --bootstrap"},
		rule{given("plan-ranks") && !f.plan, "--plan-ranks needs --plan"},
		rule{f.Output == "" && f.bootstrap.runs == 0 && !f.plan, "no output: say where the model goes with -o MODEL"},
		rule{f.Output == "-", "a model is not written to standard output: name a file, and use convert MODEL - afterwards"},
		rule{given("extend-epochs") && f.Checkpoint.Resume == "", "--extend-epochs needs --resume FILE"},
	)
	if err != nil {
		return o, err
	}
	if given("checkpoint-every") {
		o.Checkpoint.Every = f.every
	}
	if f.logJSON != "" && f.logJSON != "-" {
		o.Files = []train.File{{Name: "log-json", Path: f.logJSON}}
	}
	switch fraction, err := decimal.Float(f.validate); {
	case err == nil && !(fraction > 0 && fraction < 1):
		return o, fmt.Errorf("--validate: a fraction must be above 0 and below 1, is %s", f.validate)
	case err == nil:
		o.Evaluation.Fraction = fraction
	case f.validate != "":
		o.Evaluation.HeldOut = train.Files(f.validate)
	}
	o.Evaluation.Sets = wording.Map(f.sets, train.SetFile)
	return o, nil
}

func (f *trainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	o, err := f.options(c)
	if err != nil {
		return misuse(err)
	}
	text := f.corpus.corpus(s, args, o.Cache)
	if f.plan {
		return f.printPlan(c, s, text, o)
	}
	if c.Flags().Changed("bootstrap") {
		return f.runBootstrap(c, s, text, o)
	}
	if err := s.ranks.join(); err != nil {
		return err
	}
	o.Ranks = s.ranks.world
	report := newReporter(s, f.progress)
	report.several = s.ranks.world != nil
	defer func() {
		report.ended(err)
		err = errors.Join(err, report.close())
	}()
	ctx, saving, stop := s.ranks.untilSignals(c.Context(), s.err, func() string { return f.lastCheckpoint(report, s.ranks.silent()) })
	defer stop()
	o.GiveUp = saving.Done()
	hooks := report.hooks(s)
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
		return misuse(err)
	}
	if result == nil && o.Recipe != train.RecipeNone && errors.Is(err, context.Canceled) && cmp.Or(o.Checkpoint.File, o.Checkpoint.Resume) == "" {
		report.note("interrupted: nothing is kept of a recipe without --checkpoint FILE")
	}
	err = errors.Join(err, s.ranks.total(result, err))
	if result == nil || s.ranks.silent() {
		return err
	}
	sum := newSummary(ctx, result, report.spell)
	if o.Recipe != train.RecipeNone {
		sum.Recipe = o.Recipe
	}
	if result.Resumable {
		sum.goOn = f.goOn(result.Checkpoint)
		if sum.Recipe != "" {
			again := slices.Concat([]string{"w2v", "train"}, args, givenFlags(c.Flags(), []string{"checkpoint", "resume"}), []string{"--resume", result.Checkpoint})
			sum.goOn = commandLine(again)
		}
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
		err = errors.Join(err, printJSON(s.out, sum))
	}
	return err
}

func (f *trainFlags) goOn(checkpoint string) string {
	text := "--resume " + wording.Quoted(checkpoint)
	if _, noFraction := decimal.Float(f.validate); f.validate != "" && noFraction != nil {
		text += " --validate " + wording.Quoted(f.validate)
	}
	for _, set := range f.sets {
		text += " --eval " + wording.Quoted(set)
	}
	if folder := f.Evaluation.EpochModels; folder != "" {
		text += " --epoch-models " + wording.Quoted(folder)
	}
	return text
}

type corpusFlags struct {
	graph bool
	fresh bool
	walks graphFlags
	kmers kmerFlags
}

func (f *corpusFlags) add(c *cobra.Command) {
	flags := c.Flags()
	grouped(flags, "Graph", func() {
		flags.BoolVar(&f.graph, "graph", false, "CORPUS is the edges of a graph, as of w2v walk: train on random walks over it, which depend on --seed")
		f.walks.add(c, func() bool { return f.graph })
		flags.BoolVar(&f.fresh, "fresh-walks", false, "new walks in every epoch; the temporary file of the corpus has those of all epochs")
	})
	grouped(flags, "Sequence", func() {
		flags.IntVar(&f.kmers.K, "kmers", 0, "CORPUS is FASTA or FASTQ, as of w2v kmers: train on its `K`-mers")
		limit(flags, 1, kmers.MaxK, "kmers")
		f.kmers.add(c, func() bool { return f.kmers.K > 0 })
	})
	checked(c, func([]string) error {
		if f.graph && f.kmers.K > 0 {
			return errors.New("--graph and --kmers both say what CORPUS is: only one of them is possible")
		}
		for _, row := range train.Table() {
			if text := row.Group == train.GroupText && row.Name != "min-count" && row.Name != "max-vocab"; text && flags.Changed(row.Name) && (f.graph || f.kmers.K > 0) {
				return fmt.Errorf("--%s is about text: leave it out with --graph and --kmers", row.Name)
			}
		}
		if f.graph || f.kmers.K > 0 {
			return refuse(flags, "--%s is about text: leave it out with --graph and --kmers", "phrase-table")
		}
		return nil
	})
}

func (f *corpusFlags) corpus(s streams, args []string, cache string) train.Corpus {
	read := graph.ReadOptions{Directed: f.walks.directed, Folder: cache, Planned: s.planned, Note: func(text string) { s.notes(text) }}
	switch {
	case f.graph && f.fresh:
		return train.FreshWalks(s.in, args, read, f.walks.walks)
	case f.graph:
		return train.Walks(s.in, args, read, f.walks.walks)
	case f.kmers.K > 0:
		return train.Kmers(s.in, args, f.kmers.Options, s.noteKmers)
	}
	return train.FilesAndInput(s.in, args...)
}

// lastCheckpoint says how to go on after a run of several processes has lost one.
func (f *trainFlags) lastCheckpoint(r *reporter, silent bool) string {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	const ranks = ", with any number of ranks: "
	path := cmp.Or(f.Checkpoint.File, f.Checkpoint.Resume)
	switch {
	case silent && path != "": // rank 0 alone knows which checkpoints it has written
		return "; to go on from the last checkpoint" + ranks + f.goOn(path)
	case last.file != "":
		return fmt.Sprintf("; the last checkpoint has %s tokens; to go on%s%s", wording.Thousands(last.tokens), ranks, f.goOn(last.file))
	case f.Checkpoint.Resume != "" && !f.Init.UpdateVocab:
		return "; there is no newer checkpoint than the one that it began with; to go on" + ranks + f.goOn(f.Checkpoint.Resume)
	case f.Checkpoint.File != "":
		return "; there is no checkpoint yet"
	}
	return "; there is no checkpoint: see --checkpoint"
}

func (r *reporter) hooks(s streams) train.Hooks {
	return train.Hooks{
		Reading: r.counted,
		Read: func(t *train.Text) {
			r.countingDone()
			fmt.Fprintf(r.err, "%s of %s\n", wording.Count(t.Tokens, "token", "tokens"), wording.Count(t.Vocab.Len(), "word", "words"))
		},
		Remark:       r.remark,
		Part:         r.part,
		Start:        r.started,
		Plan:         r.planned,
		Warm:         func(w train.Warm) { r.warm(s, w) },
		Progress:     r.trained,
		Every:        r.every(),
		Evaluated:    r.evaluated,
		Checkpointed: r.checkpointed,
		Diverged:     r.diverged,
		Saving:       r.saving,
		Skipped:      s.noteSkipped,
		Note:         func(m train.Message) { r.note("note: %s", m.Spell(r.spell)) },
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
		s.notes(note.Spell(r.spell))
	}
}

func (r *reporter) remark(made train.Remark) {
	r.remarks++
	text := made.Spell(r.spell)
	r.event(noteEvent{"note", made.Kind, text}, "note: %s", text)
}

// part tells of the next part of a recipe.
func (r *reporter) part(p train.Part) {
	r.recipe = true
	r.event(partEvent{"part", p.Number, p.Of, p.Name, p.Dim, p.File}, "part %d of %d: %s, %d dimensions%s%s", p.Number, p.Of, p.Name, p.Dim,
		when(p.Resumed, ", from %s", p.File), when(p.Number == 1, "; all parts take about six times as long as words of half the dimensions"))
}

func (r *reporter) started(start train.Start) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(startEvent{"start", time.Now().Format(time.RFC3339), start.Tokens, start.Total, start.Settings.Model.Epochs, start.Words, start.Resumed})
	debug.FreeOSMemory() // what counting took: see collectEarly
	if start.Auto {
		epochs := start.Settings.Model.Epochs
		r.tell("%s of %s: --epochs takes another number", wording.Count(epochs, "epoch", "epochs"), wording.Count(start.Total/uint64(epochs), "token", "tokens"))
		r.estimates = !r.bar && !r.logOnly
	}
}

// planned says what memory the run takes: for training, or for counting if that took more. The program keeps to it. Garbage that
// counting left is no news.
func (r *reporter) planned(p train.Plan) {
	debug.FreeOSMemory()
	sysinfo.KeepMemoryBelow(withRoom(max(p.Bytes, p.Counting)))
	counted := when(p.Counting > p.Bytes+garbageBytes, ", which counting took (from now on %s)", megabytes(int64(p.Bytes)))
	fmt.Fprintf(r.err, "training takes %s of memory%s%s: %s\n", megabytes(int64(max(p.Bytes, p.Counting))), when(r.several, " on each rank"), counted, rowsOf(p))
	if p.Unshared != "" {
		r.note("note: ranks of one machine train a model each: %s", p.Unshared)
	}
	if on := p.Resumed; on != nil {
		r.note("going on from %s: %s of %s tokens are trained", on.File, wording.Thousands(on.Tokens), wording.Thousands(on.Total))
		switch {
		case on.Ended && !r.recipe:
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
		case m.Name == "input" || m.Passing:
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
	wrong := ""
	if e.Unwritten != nil {
		wrong = e.Unwritten.Error()
		r.note("note: the model at the end of epoch %d could not be written: %s", e.Epoch, wrong)
	}
	text := either(e.Merged, "merged:", fmt.Sprintf("after %s tokens:", wording.Thousands(e.Tokens)))
	text += when(e.Epoch > 0 && !math.IsNaN(e.Trained), " loss %.4f,", e.Trained)
	text += when(!math.IsNaN(e.Loss), " held-out loss %.4f,", e.Loss)
	for _, s := range e.Scores {
		text += fmt.Sprintf(" %s %s,", s.Set, score(s.Score))
	}
	if r.final || e.Merged || math.IsNaN(e.Loss) && e.Scores == nil { // nothing says which is the best
		text = strings.TrimSuffix(text, ",")
	} else {
		text += either(e.Best, " the best so far", " no better")
	}
	text += when(wrong == "" && e.Model != "", ", %s", e.Model)
	r.event(evaluationEvent{"evaluation", e.Tokens, e.Elapsed.Seconds(), number(e.Trained), number(e.Loss), e.Scores, e.Best, e.Merged, e.Took.Seconds(), e.Epoch, e.Model, wrong}, "%s", text)
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
	r.event(divergenceEvent{"divergence", d.Tokens, d.BackTo, d.LearningRate}, "training diverged at %s tokens: back to %s, and on at half the learning rate, %v",
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
			"recipe", "init", "update-vocab", "phrase-table", "vocab", "save-vocab", "validate", "epoch-models", "evaluate-every", "early-stop", "log-json", "format", "skip-unwritable")
	})
}

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
