package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

// trainFlags are the flags of w2v train.
type trainFlags struct {
	settings train.Settings
	corpus   corpusFlags
	output   string
	format   string
	skip     skipFlag

	vocabFile, saveVocab string
	caching              cacheFlags
	noCache              bool

	init       string
	grow       bool
	checkpoint string
	every      time.Duration
	resume     string
	extend     int
	validate   string
	sets       []string
	bootstrap  bootstrapFlags
	ranks      ranksFlags

	force    bool
	progress string
	logJSON  string
	json     bool
}

// add adds the flags, in the order of help.
func (f *trainFlags) add(c *cobra.Command) {
	f.settings = train.Defaults()
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model; the default goes by the extension", formatChoices())
	addSettings(flags, &f.settings, sgns.GroupModel, train.GroupSubwords)
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.init, "init", "", "start from the vectors in `FILE`, in any format; words are matched by name. --dim, n-grams and --rank come from FILE unless you give them")
		addSettings(flags, &f.settings, sgns.GroupFreeze)
		flags.BoolVar(&f.grow, "update-vocab", false, "keep all words of --init or --resume with their counts, and add the words of the corpus; settings that are not given are those that --init or --resume was trained with")
	})
	addSettings(flags, &f.settings, train.GroupText)
	f.corpus.add(c)
	grouped(flags, "Run", func() {
		addSettings(flags, &f.settings, sgns.GroupRun)
		flags.StringVar(&f.vocabFile, "vocab", "", "read the vocabulary from `FILE`: lines of a token and its count")
		flags.StringVar(&f.saveVocab, "save-vocab", "", "write the vocabulary to `FILE`")
		f.caching.add(flags)
		flags.BoolVar(&f.noCache, "no-cache", false, "read and cut the text again each epoch instead of caching it on disk; the vectors are the same")
		f.skip.add(c)
	})
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.checkpoint, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it. A checkpoint of another run is kept as FILE.before")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		flags.StringVar(&f.resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same corpus. Further checkpoints go to FILE too, unless --checkpoint names another file. With --update-vocab: begin a new run on new text, from its vectors and settings")
		flags.IntVar(&f.extend, "extend-epochs", 0, "with --resume, train `N` epochs more than planned")
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", "measure the loss on held-out text: a `FILE`, or a fraction of the corpus such as 0.01")
		flags.StringSliceVar(&f.sets, "eval", nil, "score a similarity or analogy `SET` during training; may be repeated")
		addSettings(flags, &f.settings, sgns.GroupEvaluate)
		f.bootstrap.add(flags)
	})
	f.ranks.add(c)
	grouped(flags, "Run", func() {
		flags.BoolVar(&f.force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
	})
	addJSON(c, &f.json)
}

// options are what the flags say. An error is about the flags.
func (f *trainFlags) options(c *cobra.Command) (train.Options, error) {
	given := c.Flags().Changed
	o := train.Options{
		Settings:       f.settings,
		Output:         f.output,
		Format:         format.Format(f.format),
		SkipUnwritable: f.skip.on,
		Vocabulary:     train.Vocabulary{File: f.vocabFile, Save: f.saveVocab},
		Init:           train.Init{File: f.init, UpdateVocab: f.grow},
		Checkpoint:     train.Checkpoint{File: f.checkpoint, Resume: f.resume, ExtendEpochs: f.extend},
		Cache:          f.caching.cache,
		NoCache:        f.noCache,
		VocabMemory:    uint64(f.caching.memory),
		Force:          f.force,
	}
	if err := errors.Join(f.bootstrap.check(c), f.ranks.set(c, &o)); err != nil {
		return o, err
	}
	switch {
	case f.output == "" && f.bootstrap.runs == 0:
		return o, errors.New("no output: say where the model goes with -o MODEL")
	case f.output == "-":
		return o, errors.New("a model is not written to standard output: name a file, and use convert MODEL - afterwards")
	case f.every <= 0:
		return o, fmt.Errorf("--checkpoint-every must be above 0, is %v", f.every)
	case given("extend-epochs") && f.resume == "":
		return o, errors.New("--extend-epochs needs --resume FILE")
	}
	if given("checkpoint-every") {
		o.Checkpoint.Every = f.every
	}
	if f.logJSON != "" && f.logJSON != "-" {
		o.Files = []train.File{{Name: "log-json", Path: f.logJSON}}
	}
	if fraction, ok := f.fraction(); ok {
		if o.Evaluation.Fraction = fraction; !(fraction > 0 && fraction < 1) {
			return o, fmt.Errorf("--validate: a fraction must be above 0 and below 1, is %s", f.validate)
		}
	} else if f.validate != "" {
		o.Evaluation.HeldOut = train.Files(f.validate)
	}
	for _, path := range f.sets {
		o.Evaluation.Sets = append(o.Evaluation.Sets, train.SetFile(path))
	}
	return o, nil
}

// fraction is the fraction of the corpus that is held out, if one is.
func (f *trainFlags) fraction() (float64, bool) {
	x, err := decimal.Float(f.validate)
	return x, err == nil
}
