package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

type classifyTrainFlags struct {
	options    classify.Options
	text       train.Settings // of which only the text counts
	output     string
	format     format.Format
	init       string
	weights    []string
	validate   float64
	checkpoint string
	every      time.Duration
	resume     string
	epochs     int
	progress   string
	logJSON    string
	json       bool
}

// classifiedText has the settings of text that suit texts with labels.
const classifiedText = "lowercase tokenizer normalize strip-accents digits punctuation"

func newClassifyTrain(s streams) *cobra.Command {
	f := classifyTrainFlags{options: classify.Defaults(), text: train.Defaults()}
	c := command("classify-train", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	o, flags := &f.options, c.Flags()
	f.addSettings(flags)
	grouped(flags, "Model", func() {
		flags.BoolVar(&o.Deterministic, "deterministic", false, "give the same bits with any number of threads")
		flags.BoolVar(&o.InOrder, "in-order", false, "train texts in the order of the corpus, instead of another one in each epoch")
	})
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.checkpoint, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		flags.StringVar(&f.resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same corpus")
	})
	grouped(flags, "Evaluation", func() {
		flags.Float64Var(&o.HeldOut, "validate", 0, "hold out this `FRACTION` of the texts, and measure the loss on them after each epoch")
		whole(flags, 0, &o.Patience, "early-stop", "", 0, "stop after `N` evaluations without improvement, and keep the best model")
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &o.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
		flags.StringVar(&o.Folder, "cache", "", "`FOLDER` of temporary files")
		flags.BoolVar(&o.Force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
	})
	addJSON(c, &f.json)
	return c
}

// addSettings adds the flags of the settings that a search may have too.
func (f *classifyTrainFlags) addSettings(flags *pflag.FlagSet) {
	o := &f.options
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the classifier; the extension picks the format: .w2v, or .bin for fastText (required)")
	addEnum(flags, &f.format, "format", "format of the classifier; the default goes by the extension", formatChoices())
	grouped(flags, "Label", func() {
		flags.StringVar(&o.Fields.Prefix, "label-prefix", "", "`TEXT` that labels in lines of text begin with (default __label__)")
		flags.StringVar(&o.Fields.TextColumn, "text-column", "", "`COLUMNS` of a table that have the text, by number, or by name with --header; several are separated by commas")
		flags.StringVar(&o.Fields.LabelColumn, "label-column", "", "`COLUMN` of a table that has the label")
		flags.BoolVar(&o.Fields.Header, "header", false, "the first row of each table has the names of the columns")
		flags.StringVar(&o.Fields.TextField, "json-field", "", "`FIELD` of JSON lines that has the text; a.b is field b of the object in field a")
		flags.StringVar(&o.Fields.LabelField, "label-field", "", "`FIELD` of JSON lines that has the label, or a list of labels")
		flags.StringVar(&o.Fields.LabelSplit, "label-split", "", "`TEXT` between several labels in one column or field")
		flags.IntVar(&o.MinLabelCount, "min-label-count", o.MinLabelCount, "drop labels of fewer texts")
		flags.StringSliceVar(&f.weights, "label-weight", nil, "`LABEL=W`: texts of this label count W times as much as others; may be repeated")
		flags.BoolVar(&o.Balanced, "balanced", false, "rare labels count as much as frequent ones")
	})
	grouped(flags, "Model", func() {
		addEnum(flags, &o.Loss, "loss", "how labels are told apart", []choice{
			{string(sgns.Softmax), "probabilities of all labels, for texts of one label"},
			{string(sgns.OneVersusAll), "each label by itself, for texts of several labels"},
			{string(sgns.NegativeSampling), "each label from a few others, for very many labels"},
			{string(sgns.HierarchicalSoftmax), "a tree of labels, for very many labels"},
		})
		whole(flags, 1, &o.Dim, "dim", "", o.Dim, "dimensions")
		whole(flags, 1, &o.Epochs, "epochs", "", o.Epochs, "passes over the texts")
		flags.Float64Var(&o.LearningRate, "lr", o.LearningRate, "learning rate at the start; it falls linearly to 0 (default 2, and less with --loss ova)")
		whole(flags, 0, &o.WordNgrams, "word-ngrams", "", o.WordNgrams, "runs of 2 to `N` words have rows of their own; 1 for none")
		whole(flags, 0, &o.MinN, "minn", "", o.MinN, "shortest n-gram of characters")
		whole(flags, 0, &o.MaxN, "maxn", "", o.MaxN, "longest n-gram of characters; 0 for none")
		whole(flags, 1, &o.Buckets, "buckets", "", o.Buckets, "hash buckets of n-grams and runs of words; only those that occur take memory")
		whole(flags, 1, &o.Negatives, "negatives", "", o.Negatives, "with --loss ns, labels drawn for each text")
		flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of all random numbers")
	})
	grouped(flags, "Text", func() {
		for _, row := range train.Table() {
			if strings.Contains(" "+classifiedText+" ", " "+row.Name+" ") {
				addSettingRow(flags, &f.text, row)
			}
		}
		whole(flags, 1, &o.MinCount, "min-count", "", o.MinCount, "drop words that occur less often")
	})
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.init, "init", "", "start from the vectors in `FILE`, in any format; words are matched by name. --dim and n-grams come from FILE unless you give them")
		flags.BoolVar(&o.Freeze, "freeze", false, "leave the vectors of the words of --init as they are")
	})
}

// complete fills in the options that flags do not set themselves.
func (f *classifyTrainFlags) complete(c *cobra.Command) error {
	given := c.Flags().Changed
	if err := broken(rule{f.output == "", "no output: say where the classifier goes with -o MODEL"}, rule{f.output == "-", "a classifier is not written to standard output: name a file"}); err != nil {
		return err
	}
	if f.resume != "" {
		var others []string
		for _, name := range []string{"label-prefix", "text-column", "label-column", "json-field", "label-field", "label-weight", "balanced", "loss", "dim", "lr", "word-ngrams", "minn", "maxn", "buckets", "negatives", "seed", "deterministic", "in-order", "min-count", "min-label-count", "init", "freeze", "validate", "early-stop", "threads"} {
			if given(name) {
				others = append(others, "--"+name)
			}
		}
		for _, name := range strings.Fields(classifiedText) {
			if given(name) {
				others = append(others, "--"+name)
			}
		}
		if len(others) > 0 {
			return fmt.Errorf("--resume continues with the settings of the checkpoint: leave out %s", strings.Join(others, ", "))
		}
	}
	if err := f.text.Complete(); err != nil {
		return asFlags(err)
	}
	f.options.Text.Text = f.text.Text
	for _, of := range f.weights {
		label, weight, ok := strings.Cut(of, "=")
		if at := strings.LastIndex(of, "="); ok {
			label, weight = of[:at], of[at+1:]
		}
		w, err := decimal.Float(weight)
		if !ok || err != nil {
			return fmt.Errorf("--label-weight: %q is not LABEL=W", of)
		}
		if f.options.Weights == nil {
			f.options.Weights = map[string]float64{}
		}
		f.options.Weights[label] = w
	}
	return nil
}

func (f *classifyTrainFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	if err := f.complete(c); err != nil {
		return misuse(err)
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() {
		report.ended(err)
		err = errors.Join(err, report.close())
	}()
	if err := report.logTo(f.logJSON, f.resume != ""); err != nil {
		return err
	}
	h := f.hooks(ctx, s, report)
	corpus := classify.Files(s.in, args...)
	var trained *classify.Trained
	if f.resume != "" {
		trained, err = f.goOn(ctx, corpus, h)
	} else {
		trained, err = f.train(ctx, c, corpus, h)
	}
	report.countingDone()
	if trained == nil {
		return classifyError(err)
	}
	if err == nil {
		err = f.write(c.Context(), s, trained, report)
	}
	return err
}

func classifyError(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "classify: ") {
		return errors.New(strings.TrimPrefix(err.Error(), "classify: "))
	}
	return err
}

func (f *classifyTrainFlags) hooks(ctx context.Context, s streams, report *reporter) (h classify.Hooks) {
	h.Counted = func(of classify.Contents) {
		report.note("%s of %s, %s and %s", wording.Count(of.Texts, "text", "texts"), wording.Count(of.Tokens, "token", "tokens"), wording.Count(of.Words, "word", "words"), wording.Count(of.Labels, "label", "labels"))
		if of.Unlabeled > 0 {
			report.note("note: %s without a label left out", wording.Count(of.Unlabeled, "text", "texts"))
		}
		if of.Cut > 0 {
			report.note("note: of %s of more than %s only so many are trained", wording.Count(of.Cut, "text", "texts"), wording.Count(classify.MaxWords, "token", "tokens"))
		}
		if of.Rare > 0 {
			report.note("note: %s of fewer than %s left out", wording.Count(of.Rare, "label", "labels"), wording.Count(f.options.MinLabelCount, "text", "texts"))
		}
	}
	h.Progress, h.Every = report.trained, report.every()
	h.Evaluated = func(e sgns.Evaluation) {
		report.event(evaluationEvent{"evaluation", e.Tokens, e.Elapsed.Seconds(), number(e.Loss), nil, e.Best, e.Took.Seconds()},
			"held-out loss %.4f after %s tokens%s", e.Loss, wording.Thousands(e.Tokens), either(e.Best, ", the best", ""))
	}
	h.Diverged = func(d sgns.Divergence) {
		report.event(divergenceEvent{"divergence", d.Tokens, d.BackTo, d.LearningRate},
			"training diverged at %s tokens: back to %s, and on at half the learning rate, %v", wording.Thousands(d.Tokens), wording.Thousands(d.BackTo), d.LearningRate)
	}
	h.Warm = func(w sgns.Warm) {
		report.note("started from %s: %s of %s words known", f.init, wording.Thousands(w.Known), wording.Thousands(w.Words))
	}
	file := f.checkpoint
	if file == "" {
		file = f.resume
	}
	if file != "" {
		h.CheckpointEvery = f.every
		h.Save = func(set *vectors.Set) error {
			return format.Write(context.WithoutCancel(ctx), file, set, format.W2V)
		}
	}
	return h
}

func (f *classifyTrainFlags) goOn(ctx context.Context, corpus classify.Corpus, h classify.Hooks) (trained *classify.Trained, err error) {
	from, err := format.Open(f.resume)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return classify.Resume(ctx, corpus, from, 0, h)
}

func (f *classifyTrainFlags) train(ctx context.Context, c *cobra.Command, corpus classify.Corpus, h classify.Hooks) (trained *classify.Trained, err error) {
	if f.init != "" {
		set, err := format.Open(f.init)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		f.options.StartFrom(set, c.Flags().Changed)
	}
	if err := f.options.Validate(); err != nil {
		return nil, misuse(classifyError(err))
	}
	return classify.Train(ctx, corpus, f.options, h)
}

// A trainedClassifier is what w2v classify train prints at its end. Its JSON is read by scripts.
type trainedClassifier struct {
	Texts  uint64   `json:"texts"`
	Tokens uint64   `json:"tokens"`
	Words  int      `json:"vocab"`
	Labels int      `json:"labels"`
	Loss   *float64 `json:"loss"` // mean of a text, over the last epoch
	Early  bool     `json:"early"`
	Output string   `json:"output"`
}

func (f *classifyTrainFlags) write(ctx context.Context, s streams, trained *classify.Trained, report *reporter) error {
	to := f.format
	if to == "" {
		var err error
		if to, err = format.ForPath(f.output, true); err != nil {
			return err
		}
	}
	if err := format.Write(ctx, f.output, trained.Vectors, to); err != nil {
		return err
	}
	of, p := trained.Contents, trained.Progress
	sum := trainedClassifier{of.Texts, of.Tokens, of.Words, of.Labels, number(p.Loss), p.Early, f.output}
	for _, made := range trained.Remarks {
		report.event(noteEvent{"note", string(made.Kind), made.String()}, "note: %s", made)
	}
	done := struct {
		Event string `json:"event"`
		trainedClassifier
	}{"done", sum}
	report.event(done, "trained: %s of %s tokens, loss %.4f: %s", wording.Thousands(p.Tokens), wording.Thousands(p.Total), p.Loss, f.output)
	if f.json {
		return printJSON(s.out, sum)
	}
	return nil
}
