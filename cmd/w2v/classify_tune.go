package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/classify/tune"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

type classifyTuneFlags struct {
	classifyTrainFlags
	tune       tune.Options
	metric     string
	validation string
}

func newClassifyTune(s streams) *cobra.Command {
	f := classifyTuneFlags{classifyTrainFlags: classifyTrainFlags{options: classify.Defaults(), settings: train.Defaults()}}
	c := command("classify-tune", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	f.addSettings(c)
	grouped(flags, "Search", func() {
		flags.StringVar(&f.validation, "validation", "", "measure on the texts of `FILE`, which are not trained")
		flags.Float64Var(&f.options.HeldOut, "validate", 0, "without --validation, hold out this `FRACTION` of the texts and measure on them")
		flags.StringVar(&f.metric, "metric", "f1", "what is to become large: f1, macro-f1, accuracy, f1:LABEL, recall-at-precision:P[:LABEL], precision-at-recall:R[:LABEL] or auc[:LABEL]")
		whole(flags, -1, &f.tune.Number, "number", "k", 0, "measure with the `K` most probable labels of a text, -1 for all (default 1, and all for metrics of every threshold)")
		flags.DurationVar(&f.tune.Budget, "budget", 5*time.Minute, "time of the search and of the training of the best settings")
		flags.Var(&sizeFlag{&f.tune.ModelSize, 0}, "model-size", "largest size of the file, such as 2M; larger models are quantised, and lose their shortest rows, as with fastText")
		whole(flags, 1, &f.tune.Trials, "trials", "", 0, "instead of --budget, the number of trials: the same seed then gives the same model")
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &f.options.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		flags.StringVar(&f.options.Folder, "cache", "", "`FOLDER` of temporary files")
		flags.BoolVar(&f.options.Force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
	})
	addJSON(c, &f.json)
	return c
}

func (f *classifyTuneFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	if err := cmp.Or(oneProcess("classify tune"), f.complete(c)); err != nil {
		return misuse(err)
	}
	to, err := f.outputFormat()
	if err != nil {
		return misuse(err)
	}
	given := c.Flags().Changed
	t := &f.tune
	if t.Metric, err = labels.ParseMetric(f.metric); err != nil {
		return misuse(err)
	}
	err = broken(
		rule{f.validation == "" && f.options.HeldOut == 0, "no text to measure on: name it with --validation FILE, or hold out a part of the texts with --validate 0.1"},
		rule{f.validation != "" && given("validate"), "--validation and --validate are two ways to say what is measured on: choose one"},
		rule{given("trials") && given("budget"), "--trials and --budget are two ways to say how long the search takes: choose one"},
		rule{!given("trials") && t.Budget <= 0, "--budget must be more than 0"})
	if err != nil {
		return misuse(err)
	}
	if t.Trials > 0 {
		t.Budget = 0
	}
	texts := classify.Files(s.in, args...)
	if f.validation != "" {
		texts = texts.HoldingOut(classify.Files(s.in, f.validation))
	}
	for _, name := range tune.Settings() {
		if given(name) {
			t.Fixed = append(t.Fixed, name)
		}
	}
	stopping, ctx, stop := untilSignals(c.Context(), s.err)
	defer stop()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	if f.init != "" {
		set, err := format.Open(f.init)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		f.options.StartFrom(set, func(name string) bool { return given(name) || name == "text" && f.textGiven(c) })
	}
	t.Options, t.Enough, t.Format = f.options, stopping.Done(), to
	if err := t.Options.Validate(); err != nil {
		return misuse(classifyError(err))
	}
	best, err := tune.Run(ctx, texts, *t, tellTrials(report, f.metric, f.hooks(report)))
	report.countingDone()
	if err != nil {
		return classifyError(err)
	}
	return f.writeTuned(c, s, best, to, args)
}

// tellTrials returns hooks that tell of the trials of a search.
func tellTrials(report *reporter, metric string, h classify.Hooks) tune.Hooks {
	return tune.Hooks{
		Hooks: h,
		Tried: func(t tune.Trial, best bool) {
			of := fmt.Sprintf("%d: %s %.4f", t.Number, metric, t.Score)
			if t.Failed != "" {
				of = fmt.Sprintf("%d: failed: %s", t.Number, t.Failed)
			}
			part := when(t.Share < 1, ", %.2g of the texts", t.Share)
			report.note("%s, %.1f s%s: %s%s", of, t.Seconds, part, strings.Join(settingsOf(t.Options).flags(), " "), when(best, " (best)"))
		},
		Final: func(best *tune.Result) {
			start := best.Start
			report.note("best: %s %.4f after %d trials, %.4f%s where the search began; %s %s", metric, best.Search, len(best.Trials),
				start.Score, when(start.Share < 1, " on %.2g of the texts", start.Share), either(best.Trained == nil, "training with", "trained with"), strings.Join(settingsOf(best.Options).flags(), " "))
		},
	}
}

// tunedSettings are those that a search changes, by the names of their flags. Their JSON is read by scripts.
type tunedSettings struct {
	Loss         sgns.Loss `json:"loss"`
	Dim          int       `json:"dim"`
	Epochs       int       `json:"epochs"`
	LearningRate float64   `json:"lr"`
	WordNgrams   int       `json:"word_ngrams"`
	MinN         int       `json:"minn"`
	MaxN         int       `json:"maxn"`
	Buckets      int       `json:"buckets"`
	MinCount     int       `json:"min_count"`
}

func settingsOf(o classify.Options) tunedSettings {
	return tunedSettings{o.Loss, o.Dim, o.Epochs, o.LearningRate, o.WordNgrams, o.MinN, o.MaxN, o.Buckets, o.MinCount}
}

func (s tunedSettings) flags() (flags []string) {
	add := func(name string, value any) { flags = append(flags, "--"+name, fmt.Sprint(value)) }
	add("loss", s.Loss)
	add("dim", s.Dim)
	add("epochs", s.Epochs)
	add("lr", strconv.FormatFloat(s.LearningRate, 'g', -1, 64))
	add("word-ngrams", s.WordNgrams)
	if s.MaxN > 0 {
		add("minn", s.MinN)
	}
	add("maxn", s.MaxN)
	if s.MaxN > 0 || s.WordNgrams > 1 {
		add("buckets", s.Buckets)
	}
	add("min-count", s.MinCount)
	return flags
}

// A tunedTrial, a tunedStart and a tunedClassifier are what w2v classify tune --json prints. Scripts read them.
type tunedTrial struct {
	Number   int           `json:"trial"`
	Score    *float64      `json:"score"`
	Failed   string        `json:"failed,omitempty"`
	Share    float64       `json:"share"` // of the texts
	Seconds  float64       `json:"seconds"`
	Seed     uint64        `json:"seed"`
	Settings tunedSettings `json:"settings"`
}

// A tunedStart is where the search began.
type tunedStart struct {
	Score    *float64      `json:"score"` // mean of the trials of these settings, as search is
	Share    float64       `json:"share"` // of the texts
	Settings tunedSettings `json:"settings"`
}

type tunedClassifier struct {
	Metric   string        `json:"metric"`
	Score    *float64      `json:"score"`  // of the model
	Search   *float64      `json:"search"` // mean of the trials of its settings
	Settings tunedSettings `json:"settings"`
	Start    tunedStart    `json:"start"`
	Trials   []tunedTrial  `json:"trials"`
	Command  string        `json:"command"`
	Output   string        `json:"output"`
}

func (f *classifyTuneFlags) writeTuned(c *cobra.Command, s streams, best *tune.Result, to format.Format, args []string) error {
	if err := s.writeTrained(c.Context(), f.output, best.Vectors, to); err != nil {
		return err
	}
	again := f.again(c.Flags(), best.Options, args)
	if f.json {
		of := tunedClassifier{f.metric, number(best.Score), number(best.Search), settingsOf(best.Options), tunedStart{number(best.Start.Score), best.Start.Share, settingsOf(best.Start.Options)}, nil, again, f.output}
		for _, t := range best.Trials {
			of.Trials = append(of.Trials, tunedTrial{t.Number, number(t.Score), t.Failed, t.Share, t.Seconds, t.Options.Seed, settingsOf(t.Options)})
		}
		return printJSON(s.out, of)
	}
	fmt.Fprintf(s.err, "tuned: %s %.4f on texts that are not trained: %s\n", f.metric, best.Score, f.output)
	for _, remark := range best.Remarks {
		s.notes(remark.String())
	}
	_, err := fmt.Fprintln(s.out, again)
	return err
}

// again returns the command that makes the model again.
func (f *classifyTuneFlags) again(flags *pflag.FlagSet, o classify.Options, args []string) string {
	words, sized := append([]string{"w2v", "classify", "train"}, args...), flags.Changed("model-size")
	others := []string{"model-size", "validation", "validate", "metric", "number", "budget", "trials", "threads", "cache", "progress", "json"}
	words = append(words, givenFlags(flags, append(others, tune.Settings()...))...)
	words = append(words, settingsOf(o).flags()...)
	if sized { // one trial without a search
		words[2] = "tune"
		words = append(words, "--trials", "1", "--model-size", fmt.Sprint(f.tune.ModelSize))
		if o.MaxN == 0 {
			words = append(words, "--minn", fmt.Sprint(o.MinN))
		}
		if o.MaxN == 0 && o.WordNgrams < 2 {
			words = append(words, "--buckets", fmt.Sprint(o.Buckets))
		}
		if f.validation != "" {
			words = append(words, "--validation", f.validation)
		}
	} else {
		words = append(words, "--deterministic")
	}
	if o.HeldOut > 0 {
		words = append(words, "--validate", cmp.Or(flags.Lookup("validate").Value.String(), fmt.Sprint(o.HeldOut)))
	}
	return commandLine(words)
}
