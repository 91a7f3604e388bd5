package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

type tuneFlags struct {
	sweep.TuneOptions
	output   string
	format   format.Format
	sets     []string
	dims     dimRange
	progress string
	json     bool
	begun    time.Time
}

func newTune(s streams) *cobra.Command {
	f := tuneFlags{TuneOptions: sweep.TuneOptions{Base: train.Defaults()}}
	c := command("tune", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model; the default goes by the extension", formatChoices())
	addSettings(flags, &f.Base, sgns.GroupModel, train.GroupSubwords)
	addSettings(flags, &f.Base, train.GroupText)
	grouped(flags, "Search", func() {
		flags.StringSliceVar(&f.sets, "eval", nil, "judge vectors by their scores on `SET`, a file or folder as of w2v eval; may be repeated (default: by the neighbours that models of two halves of the text have in common)")
		whole(flags, 0, &f.Restrict, "restrict", "", 30000, "use only the `N` most frequent words in the analogies of --eval; 0 uses all")
		flags.DurationVar(&f.Budget, "budget", 10*time.Minute, "time of all, from reading the text to the model")
		whole(flags, 1, &f.Trials, "trials", "", 0, "instead of --budget, the largest number of trials, of which 4 are for the comparison at the end if there are at least 6: the same seed then gives the same model")
		flags.Var(&f.dims, "dims", "also search for the number of dimensions, between `LOW-HIGH` such as 50-300")
	})
	grouped(flags, "Run", func() {
		addSettings(flags, &f.Base, sgns.GroupRun)
		addCache(flags, &f.Cache, &f.VocabMemory)
		flags.BoolVar(&f.Force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
	})
	addJSON(c, &f.json)
	return c
}

// A dimRange is the value of --dims.
type dimRange struct{ of sweep.Range }

func (d *dimRange) Set(text string) error {
	low, high, _ := strings.Cut(text, "-")
	least, err := strconv.Atoi(low)
	most, also := strconv.Atoi(high)
	if err != nil || also != nil || least < 1 || most <= least {
		return errors.New("is not two rising numbers of dimensions, as 50-300 is")
	}
	d.of = sweep.Range{Min: float64(least), Max: float64(most), Log: true, Whole: true}
	return nil
}

func (d *dimRange) String() string {
	if d.of == (sweep.Range{}) {
		return ""
	}
	return fmt.Sprintf("%.0f-%.0f", d.of.Min, d.of.Max)
}

func (*dimRange) Type() string { return "range" }

func (f *tuneFlags) check(given func(string) bool) error {
	return broken(
		rule{f.output == "", "no output: say where the model goes with -o MODEL"},
		rule{f.output == "-", "a model is not written to standard output: name a file, and use convert MODEL - afterwards"},
		rule{given("trials") && given("budget"), "--trials and --budget are two ways to say how long the search takes: choose one"},
		rule{!given("trials") && f.Budget <= 0, "--budget must be more than 0"},
		rule{given("restrict") && len(f.sets) == 0, "--restrict is for the sets of --eval, and there are none"},
		rule{given("dims") && given("dim"), "--dims and --dim both say how many dimensions: choose one"},
		rule{slices.Contains(f.sets, "-"), "the sets of --eval are files"})
}

func (f *tuneFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	if err := cmp.Or(oneProcess("tune"), f.check(c.Flags().Changed)); err != nil {
		return misuse(err)
	}
	to, err := outputFormat(f.output, string(f.format), false)
	if err != nil {
		return misuse(err)
	}
	if err := checkTarget(f.output, string(f.format)); err != nil {
		return err
	}
	if f.Trials > 0 {
		f.Budget = 0
	}
	if f.Sets, err = setsOf(s, f.sets, ""); err != nil {
		return err
	}
	settings := f.Base
	if err := settings.Complete(); err != nil {
		return misuse(asFlags(err))
	}
	f.Corpus, f.Dims, f.begun = train.FilesAndInput(s.in, args...), f.dims.of, time.Now()
	stopping, ctx, stop := untilSignals(c.Context(), s.err)
	defer stop()
	f.Enough = stopping.Done()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	best, err := sweep.Tune(ctx, f.TuneOptions, f.hooks(report))
	report.countingDone()
	if err != nil {
		return asFlags(err)
	}
	return f.write(c.Context(), s, c.Flags(), best, to, args)
}

func (f *tuneFlags) hooks(report *reporter) sweep.TuneHooks {
	return sweep.TuneHooks{
		Hooks: sweep.Hooks{
			Reading:  report.counted,
			TooLong:  func(left corpus.TooLong) { report.note("note: %s", left) },
			Empty:    func(empty corpus.Empty) { report.note("note: %s", empty) },
			Note:     func(text string) { report.note("note: %s", text) },
			Progress: report.trained,
			Every:    report.every(),
		},
		Read: func(tokens uint64, words int) {
			report.countingDone()
			report.note("%s of %s; judged by %s: the gain in standard errors (the mean score)", wording.Count(tokens, "token", "tokens"), wording.Count(words, "word", "words"), f.judgedBy())
			if len(f.Sets) == 0 {
				report.note("note: neighbours rank settings less surely than evaluation sets do: --eval SET names sets")
			}
		},
		Tried: func(t sweep.TunedTrial, best bool) {
			of := fmt.Sprintf("%d%s: %+.2f (%s)", t.Number, when(f.Trials > 0, " of %d", f.Trials), t.Score, score(t.Mean))
			if t.Failed != "" {
				of = fmt.Sprintf("%d%s: failed: %s", t.Number, when(f.Trials > 0, " of %d", f.Trials), t.Failed)
			}
			report.note("%s, %.1f s%s, %s: %s%s", of, t.Seconds, when(t.Share < 1, ", %.2g of the text", t.Share), f.left(t.Number), tunedFlags(t.Settings), when(best, " (best)"))
		},
		Final: func(t *sweep.Tuned) {
			report.note("best after %s: %s; %s", wording.Count(len(t.Trials), "trial", "trials"), bestFlags(t), gainText(t))
			if t.Vectors == nil {
				report.note("training with %s", tunedFlags(t.Changed))
			}
		},
	}
}

func (f *tuneFlags) judgedBy() string {
	if len(f.Sets) == 0 {
		return "the neighbours that models of two halves of it have in common"
	}
	return strings.Join(wording.Map(f.Sets, func(set eval.Set) string { return set.Name }), ", ")
}

// left says how much time is left after some trials.
func (f *tuneFlags) left(trials int) string {
	took := time.Since(f.begun)
	if f.Trials > 0 {
		return fmt.Sprintf("about %v left", (took / time.Duration(trials) * time.Duration(max(0, f.Trials-trials))).Round(time.Second))
	}
	return fmt.Sprintf("%v of %v", took.Round(time.Second), f.Budget)
}

func tunedFlags(s sweep.Settings) string {
	if len(s) == 0 {
		return "the settings where the search began"
	}
	return commandLine(flagsOf(s))
}

func bestFlags(t *sweep.Tuned) string {
	if t.AtStart && len(t.Best) > 0 { // the dimensions
		return tunedFlags(nil) + ", " + tunedFlags(t.Best)
	}
	return tunedFlags(t.Best)
}

func flagsOf(s sweep.Settings) (words []string) {
	for _, set := range s {
		words = append(words, "--"+set.Name, set.Value)
	}
	return words
}

// fewTrials is below how many trials the settings are not compared with where the search began.
const fewTrials = 6

func gainText(t *sweep.Tuned) string {
	g := t.Gain
	switch {
	case t.AtStart && len(t.Trials) < fewTrials:
		return "found nothing better, and these are few trials: more of --trials or of --budget may"
	case t.AtStart:
		return "found nothing better"
	case g == nil:
		return "the search ended before they were compared with where it began on all of the text, so that the gain is not known"
	case !g.Interval.Known:
		return fmt.Sprintf("%+.2f standard errors above where the search began, which may be chance: the models are those by which the settings were chosen (fewer than 6 trials, or no time for others)", g.Score)
	}
	text := fmt.Sprintf("%+.2f standard errors above where the search began, 95 %% interval %+.2f to %+.2f; mean score %s, was %s", g.Score, g.Interval.Low, g.Interval.High, score(g.Best), score(g.Start))
	if !g.Found() {
		return "found nothing: " + text
	}
	return text
}

// A tunedModel is what w2v tune --json prints. Its JSON is read by scripts.
type tunedModel struct {
	Command  string         `json:"command"`
	Output   string         `json:"output"`
	Found    bool           `json:"found"`    // the gain is more than chance
	Settings sweep.Settings `json:"settings"` // of the model, without those where the search began
	Best     sweep.Settings `json:"best"`     // chosen by the search
	Gain     *tuningGain    `json:"gain"`     // of the best; null if they were not compared
	Judge    string         `json:"judge"`    // "sets" or "halves" of the text
	Tokens   uint64         `json:"tokens"`
	Vocab    int            `json:"vocab"`
	Seconds  float64        `json:"seconds"`
	Trials   []vectorTrial  `json:"trials"`
}

type tuningGain struct {
	Start      eval.Score    `json:"start"` // mean of the scores
	Best       eval.Score    `json:"best"`
	Score      float64       `json:"score"` // in standard errors
	CI95       eval.Interval `json:"ci95"`  // of score
	StartSeeds int           `json:"start_seeds"`
	BestSeeds  int           `json:"best_seeds"`
	Sets       []setGain     `json:"sets"`
}

type setGain struct {
	Set    string     `json:"set"`
	Metric string     `json:"metric"`
	Start  eval.Score `json:"start"`
	Best   eval.Score `json:"best"`
	Error  eval.Score `json:"error"` // standard error of start
}

type vectorTrial struct {
	Number   int            `json:"trial"`
	Score    *float64       `json:"score"` // in standard errors
	Mean     *float64       `json:"mean"`  // of the scores
	Failed   string         `json:"failed,omitempty"`
	Share    float64        `json:"share"` // of the text
	Seconds  float64        `json:"seconds"`
	Seed     uint64         `json:"seed"`
	Settings sweep.Settings `json:"settings"` // without those where the search began
}

func (f *tuneFlags) write(ctx context.Context, s streams, flags *pflag.FlagSet, best *sweep.Tuned, to format.Format, args []string) error {
	if err := s.writeTrained(ctx, f.output, best.Vectors, to); err != nil {
		return err
	}
	again := f.again(flags, best.Changed, args)
	g := best.Gain
	if f.json {
		of := tunedModel{again, f.output, g.Found(), best.Changed, best.Best, nil, either(len(f.Sets) > 0, "sets", "halves"), best.Tokens, best.Words, time.Since(f.begun).Seconds(), nil}
		if g != nil {
			of.Gain = &tuningGain{g.Start, g.Best, g.Score, g.Interval, g.StartSeeds, g.BestSeeds, wording.Map(g.Sets, func(s sweep.SetGain) setGain { return setGain(s) })}
		}
		for _, t := range best.Trials {
			of.Trials = append(of.Trials, vectorTrial{t.Number, number(t.Score), number(float64(t.Mean)), t.Failed, t.Share, t.Seconds, t.Seed, t.Settings})
		}
		return printJSON(s.out, of)
	}
	if g != nil && len(g.Sets) > 1 {
		tabulate(s.err, "set\tmetric\tstart\tbest\tstandard error", g.Sets, func(w io.Writer, set sweep.SetGain) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", set.Set, set.Metric, score(set.Start), score(set.Best), score(set.Error))
		})
	}
	fmt.Fprintf(s.err, "trained with %s: %s\n", tunedFlags(best.Changed), f.output)
	_, err := fmt.Fprintln(s.out, again)
	return err
}

// again returns the command that trains with the settings.
func (f *tuneFlags) again(flags *pflag.FlagSet, changed sweep.Settings, args []string) string {
	others := []string{"eval", "restrict", "budget", "trials", "dims", "threads", "cache", "vocab-memory", "progress", "json", "deterministic"}
	words := slices.Concat([]string{"w2v", "train"}, args, givenFlags(flags, others), flagsOf(changed))
	if f.Trials > 0 || f.Base.Model.Deterministic {
		words = append(words, "--deterministic")
	}
	return commandLine(words)
}
