package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/decimal"
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
}

func (f *trainFlags) add(c *cobra.Command) {
	f.Settings = train.Defaults()
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.Output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.Format, "format", "format of the model; the default goes by the extension", formatChoices())
	addSettings(flags, &f.Settings, sgns.GroupModel, train.GroupSubwords)
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.Init.File, "init", "", "start from the vectors in `FILE`, in any format; words are matched by name. --dim, n-grams and --rank come from FILE unless you give them")
		addSettings(flags, &f.Settings, sgns.GroupFreeze)
		flags.BoolVar(&f.Init.UpdateVocab, "update-vocab", false, "keep all words of --init or --resume with their counts, and add the words of the corpus; settings that are not given are those that --init or --resume was trained with")
	})
	addSettings(flags, &f.Settings, train.GroupText)
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
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		limit(flags, 0, math.Inf(1), "checkpoint-every")
		flags.StringVar(&f.Checkpoint.Resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same corpus. Further checkpoints go to FILE too, unless --checkpoint names another file. With --update-vocab: begin a new run on new text, from its vectors and settings")
		flags.IntVar(&f.Checkpoint.ExtendEpochs, "extend-epochs", 0, "with --resume, train `N` epochs more than planned")
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", "measure the loss on held-out text: a `FILE`, or a fraction of the corpus such as 0.01")
		flags.StringSliceVar(&f.sets, "eval", nil, "score a similarity or analogy `SET` during training; may be repeated")
		addSettings(flags, &f.Settings, sgns.GroupEvaluate)
		f.bootstrap.add(c)
	})
	addRanks(c, &f.Options)
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
		rule{f.Output == "" && f.bootstrap.runs == 0, "no output: say where the model goes with -o MODEL"},
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
	for _, path := range f.sets {
		o.Evaluation.Sets = append(o.Evaluation.Sets, train.SetFile(path))
	}
	return o, nil
}

func (f *trainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	o, err := f.options(c)
	if err != nil {
		return misuse(err)
	}
	text := f.corpus.corpus(s, args, o.Cache)
	if c.Flags().Changed("bootstrap") {
		return f.runBootstrap(c, s, text, o)
	}
	if err := s.ranks.join(); err != nil {
		return err
	}
	o.Ranks = s.ranks.world
	report := newReporter(s, f.progress)
	defer func() {
		report.ended(err)
		err = errors.Join(err, report.close())
	}()
	ctx, saving, stop := s.ranks.untilSignals(c.Context(), s.err, func() string { return f.lastCheckpoint(report, s.ranks.silent()) })
	defer stop()
	o.GiveUp = saving.Done()
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
		return misuse(err)
	}
	err = errors.Join(err, s.ranks.total(result, err))
	if result == nil || s.ranks.silent() {
		return err
	}
	sum := newSummary(ctx, result, report.spell)
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
	return text
}

// corpusFlags say what a corpus is if it is not text.
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
		return nil
	})
}

// corpus returns the corpus that the flags and arguments say.
func (f *corpusFlags) corpus(s streams, args []string, cache string) train.Corpus {
	read := graph.ReadOptions{Directed: f.walks.directed, Folder: cache, Planned: s.planned, Note: s.noteEdges}
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
