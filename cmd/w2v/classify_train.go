package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

type classifyTrainFlags struct {
	options    classify.Options
	settings   train.Settings // of which the text counts, the affinity and what evaluations are
	phrases    string
	kmers      kmerFlags
	output     string
	format     format.Format
	init       string
	weights    []string
	validate   string
	metric     string
	checkpoint string
	every      time.Duration
	resume     string
	progress   string
	logJSON    string
	json       bool
}

// classifiedText has the settings of text that suit texts with labels.
const classifiedText = "lowercase tokenizer normalize strip-accents digits punctuation"

func newClassifyTrain(s streams) *cobra.Command {
	f := classifyTrainFlags{options: classify.Defaults(), settings: train.Defaults()}
	c := command("classify-train", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	o, flags := &f.options, c.Flags()
	f.addSettings(c)
	grouped(flags, "Model", func() {
		flags.BoolVar(&o.Deterministic, "deterministic", false, "give the same bits with any number of threads")
		flags.BoolVar(&o.InOrder, "in-order", false, "train texts in the order of the corpus, instead of another one in each epoch")
	})
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.checkpoint, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it. A checkpoint of another run is kept as FILE.before")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		limit(flags, 0, math.Inf(1), "checkpoint-every")
		flags.StringVar(&f.resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same corpus. Further checkpoints go to FILE too, unless --checkpoint names another file. --epochs with a larger number trains on")
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", "measure the loss, the accuracy and the F1 on held-out texts after each epoch: a `FILE`, or a fraction of the texts such as 0.05")
		addSetting(flags, &f.settings, "eval-every")
		whole(flags, 0, &o.Patience, "early-stop", "", 0, "stop after `N` evaluations without improvement, and keep the best model")
		flags.BoolVar(&o.Calibrate, "calibrate", false, "divide scores by the temperature that suits the held-out texts, so that probabilities are right as often as they say")
		addUnknown(flags, &o.UnknownPrecision)
		flags.StringVar(&f.metric, "metric", "", "what must improve for --early-stop: loss, or f1, macro-f1, accuracy and the others of classify tune (default loss)")
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &o.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		addSetting(flags, &f.settings, "affinity")
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
		flags.StringVar(&o.Folder, "cache", "", "`FOLDER` of temporary files")
		flags.BoolVar(&o.Force, "force", false, "train even if memory or disk space seem too small")
		addProgress(flags, &f.progress)
	})
	addJSON(c, &f.json)
	return c
}

// addSettings adds the flags of the settings that a search may have too.
func (f *classifyTrainFlags) addSettings(c *cobra.Command) {
	o, flags := &f.options, c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the classifier; the extension picks the format: .w2v, or .bin for fastText (required)")
	addEnum(flags, &f.format, "format", "format of the classifier; the default goes by the extension", formatChoices())
	grouped(flags, "Label", func() {
		addFields(flags, &o.Fields, true)
		flags.IntVar(&o.MinLabelCount, "min-label-count", o.MinLabelCount, "drop labels of fewer texts")
		flags.StringArrayVar(&f.weights, "label-weight", nil, "`LABEL=W`: texts of this label count W times as much as others; may be repeated")
		flags.BoolVar(&o.Balanced, "balanced", false, "rare labels count as much as frequent ones, but a text at most 5 times as much as without")
	})
	grouped(flags, "Model", func() {
		addEnum(flags, &o.Loss, "loss", "how labels are told apart", []choice{
			{string(sgns.Softmax), "probabilities of all labels, for texts of one label"},
			{string(sgns.OneVersusAll), "each label by itself, for texts of several labels"},
			{string(sgns.NegativeSampling), "each label from a few others, for very many labels if it scores better than hs"},
			{string(sgns.HierarchicalSoftmax), "a tree of labels, for very many labels"},
		})
		(&enum{
			choices: []choice{
				{"mean", "the mean of all"},
				{string(sgns.PoolExtremes), "the mean, and the largest and the smallest number of each column"},
			},
			get: func() string { return cmp.Or(string(o.Pooling), "mean") },
			set: func(value string) {
				if o.Pooling = sgns.PoolMean; value != "mean" {
					o.Pooling = sgns.Pooling(value)
				}
			},
		}).add(flags, "pooling", "how the rows of a text become its vector")
		whole(flags, 1, &o.Dim, "dim", "", o.Dim, "dimensions")
		flags.BoolVar(&o.ShortTexts, "short-texts", false, "also train 1 to 3 words of each text, so that short texts get the right label more often: for languages")
		whole(flags, 1, &o.Epochs, "epochs", "", o.Epochs, "passes over the texts (default 5, and up to 50 if labels have few texts)")
		flags.Float64Var(&o.LearningRate, "lr", o.LearningRate, "learning rate at the start; it falls linearly to 0 (default 2, and less with --loss ova and hs, and with few labels of long texts)")
		whole(flags, 0, &o.WordNgrams, "word-ngrams", "", o.WordNgrams, "runs of 2 to `N` words have rows of their own; 1 for none")
		whole(flags, 0, &o.MinN, "minn", "", o.MinN, "shortest n-gram of characters")
		whole(flags, classify.Suited, &o.MaxN, "maxn", "", o.MaxN, "longest n-gram of characters; 0 for none, -1 for 5, or none if texts have 100 words or more on average")
		whole(flags, 1, &o.Buckets, "buckets", "", o.Buckets, "hash buckets of n-grams and runs of words; only those that occur take memory")
		whole(flags, 1, &o.Negatives, "negatives", "", o.Negatives, "with --loss ns, labels drawn for each text")
		flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of all random numbers")
	})
	grouped(flags, "Text", func() {
		for _, row := range train.Table() {
			if strings.Contains(" "+classifiedText+" ", " "+row.Name+" ") {
				addSettingRow(flags, &f.settings, row)
			}
		}
		whole(flags, 1, &o.MinCount, "min-count", "", o.MinCount, "drop words that occur less often")
		flags.StringVar(&f.phrases, "phrase-table", "", "join the phrases in `FILE`, which w2v phrases --write-table has written")
	})
	grouped(flags, "Sequence", func() {
		flags.IntVar(&f.kmers.K, "kmers", 0, "texts are biological sequences: train on their `K`-mers")
		limit(flags, 1, kmers.MaxK, "kmers")
		f.kmers.add(c, func() bool { return f.kmers.K > 0 })
	})
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.init, "init", "", "start from the vectors in `FILE`, in any format; words are matched by name. --dim, n-grams and how text is cut come from FILE unless you give them")
		flags.BoolVar(&o.Freeze, "freeze", false, "leave the vectors of the words of --init as they are")
		flags.BoolVar(&o.UpdateVocab, "update-vocab", false, "keep all words of --init, also those that no text has or that are rarer than --min-count")
	})
}

// complete fills in the options that flags do not set themselves.
func (f *classifyTrainFlags) complete(c *cobra.Command) error {
	given := c.Flags().Changed
	err := broken(
		rule{f.output == "", "no output: say where the classifier goes with -o MODEL"},
		rule{f.output == "-", "a classifier is not written to standard output: name a file"},
		rule{given("checkpoint-every") && f.checkpoint == "" && f.resume == "", "--checkpoint-every needs --checkpoint FILE or --resume FILE"},
		rule{given("eval-every") && f.validate == "", "--eval-every needs --validate FILE or --validate with a fraction"},
		rule{given("early-stop") && f.validate == "", "--early-stop needs held-out texts: --validate FILE, or --validate with a fraction"},
		rule{(f.options.Calibrate || f.options.UnknownPrecision > 0) && f.validate == "", "--calibrate and --unknown-precision need held-out texts: --validate FILE, or --validate with a fraction"},
		rule{f.options.Freeze && f.init == "", "--freeze leaves vectors as they are that --init FILE gives"},
		rule{f.options.UpdateVocab && f.init == "", "--update-vocab keeps the words that --init FILE has"},
		rule{given("negatives") && !f.options.Draws(), "--negatives are labels that --loss ns draws: leave them out, or say --loss ns"},
		rule{f.metric != "" && f.options.Patience == 0, "--metric is what --early-stop N goes by"},
	)
	if err != nil {
		return err
	}
	if f.metric != "" && f.metric != "loss" {
		if f.options.Metric, err = labels.ParseMetric(f.metric); err != nil {
			return err
		}
	}
	switch fraction, err := decimal.Float(f.validate); {
	case f.validate == "" || err != nil: // nothing, or a file
	case !(fraction > 0 && fraction < 1):
		return fmt.Errorf("--validate: a fraction must be above 0 and below 1, is %s", f.validate)
	default:
		f.options.HeldOut = fraction
	}
	if f.resume != "" {
		// Whatever is not about files and this process belongs to the run.
		own := strings.Fields("output format json help epochs validate checkpoint checkpoint-every resume log-json cache force progress threads")
		var others []string
		c.Flags().Visit(func(flag *pflag.Flag) {
			if !slices.Contains(own, flag.Name) {
				others = append(others, "--"+flag.Name)
			}
		})
		if len(others) > 0 {
			return fmt.Errorf("--resume continues with the settings of the checkpoint: leave out %s", strings.Join(others, ", "))
		}
	}
	if err := f.settings.Complete(); err != nil {
		return asFlags(err)
	}
	o := &f.options
	if given("minn") && !given("maxn") { // n-grams are asked for, however long texts are
		o.MaxN = max(5, o.MinN)
	}
	o.Text.Text, o.Affinity, o.EvaluateEvery = f.settings.Text, f.settings.Model.Affinity, f.settings.Model.EvaluateEvery
	if f.kmers.K > 0 {
		for _, name := range append(strings.Fields(classifiedText), "phrase-table") {
			if given(name) {
				return fmt.Errorf("--%s is about text: leave it out with --kmers", name)
			}
		}
		o.Text.Kmers = &f.kmers.Options
	}
	if f.phrases != "" {
		if o.Text.Phrases, err = compression.ReadFile(f.phrases, phrases.Read); err != nil {
			return err
		}
	}
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

// textGiven reports whether a flag says how text is cut.
func (f *classifyTrainFlags) textGiven(c *cobra.Command) bool {
	return slices.ContainsFunc(append(strings.Fields(classifiedText), "phrase-table", "kmers"), c.Flags().Changed)
}

// A classifierRun is a run of w2v classify train.
type classifierRun struct {
	*classifyTrainFlags
	streams
	modelFiles
	result   train.Result
	contents classify.Contents
	begun    time.Time
}

func (f *classifyTrainFlags) run(c *cobra.Command, s streams, args []string) error {
	if err := cmp.Or(oneProcess("classify train"), f.complete(c)); err != nil {
		return misuse(err)
	}
	r := &classifierRun{classifyTrainFlags: f, streams: s, modelFiles: modelFiles{report: newReporter(s, f.progress)}}
	return r.modelFiles.run(c, s, f.logJSON, f.resume != "", r.targets, func(ctx context.Context) (err error) {
		corpus, hooks := classify.Files(s.in, args...), r.hooks()
		if f.validate != "" && f.options.HeldOut == 0 {
			corpus = corpus.HoldingOut(classify.Files(s.in, f.validate))
		}
		if r.file != "" {
			defer context.AfterFunc(ctx, func() { r.report.saving(train.Saving{File: r.file, Checkpoint: true, Interrupted: true}) })()
		}
		var trained *classify.Trained
		r.begun = time.Now()
		if f.resume != "" {
			trained, err = r.goOn(ctx, c, corpus, hooks)
		} else {
			trained, err = r.train(ctx, c, corpus, hooks)
		}
		r.report.countingDone()
		err = classifyError(err)
		if trained == nil || trained.Progress.Tokens == 0 && r.file == "" {
			return err
		}
		return r.end(ctx, trained, err)
	})
}

// outputFormat returns the format of the classifier, which can be written.
func (f *classifyTrainFlags) outputFormat() (to format.Format, err error) {
	if to = f.format; to == "" {
		if bare, is := strings.CutSuffix(f.output, ".ftz"); is {
			return "", fmt.Errorf("%s: fastText's quantised files come from larger ones: write %s, then w2v fasttext quantize -output %s", f.output, bare+".bin", wording.Quoted(bare))
		}
		if to, err = format.ForPath(f.output, true); err != nil {
			return "", err
		}
	}
	can, err := format.Describe(to)
	switch {
	case err != nil:
		return "", err
	case !can.Keeps.Labels:
		return "", fmt.Errorf("%s: the format %s has no place for labels: write a .w2v or a .bin file", f.output, to)
	}
	if f.options.UnknownPrecision > 0 {
		if err := holdsThreshold(to); err != nil {
			return "", err
		}
	}
	if to == format.FastText && f.options.Pooling != sgns.PoolMean {
		return "", fmt.Errorf("%s: fastText's files hold classifiers of the mean alone: write a .w2v file for --pooling %s", f.output, f.options.Pooling)
	}
	return to, format.CheckTarget(f.output, to)
}

// targets finds out what is written, and whether it can be.
func (r *classifierRun) targets() (err error) {
	if r.to, err = r.outputFormat(); err != nil {
		return err
	}
	return r.checkpointTo(r.checkpoint, r.resume, r.output)
}

// classifyError is an error for people, without the name of the package.
func classifyError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok {
		return fmt.Errorf("%w; --dim, --min-count, --min-label-count, --word-ngrams and --maxn say how many there are; --force tries anyway", err)
	}
	if _, ok := errors.AsType[*vocab.MemoryError](err); ok {
		return fmt.Errorf("%w; --force tries anyway", err)
	}
	if e, ok := errors.AsType[*classify.NoLabelError](err); ok && strings.HasPrefix(strings.TrimSpace(e.Begins), `{"`) {
		err = fmt.Errorf("%w: the corpus looks like JSON lines, which w2v classify train reads with --json-field and --label-field", err)
	}
	return unprefixed(err, "classify: ", "tune: ", "corpus: ", "sgns: ")
}

// hooks report what training does.
func (f *classifyTrainFlags) hooks(report *reporter) (h classify.Hooks) {
	h.Reading = report.counted
	h.Counted = func(of classify.Contents) {
		report.countingDone()
		report.note("%s of %s%s, %s and %s", wording.Count(of.Texts, "text", "texts"), wording.Count(of.Tokens, "token", "tokens"), when(of.HeldOut > 0, "%s%s held out", either(f.options.HeldOut > 0, ", ", " and "), wording.Count(of.HeldOut, "text", "texts")), wording.Count(of.Words, "word", "words"), wording.Count(of.Labels, "label", "labels"))
		if of.Unlabeled > 0 {
			report.note("note: %s without a label left out", wording.Count(of.Unlabeled, "text", "texts"))
		}
		if of.Heading != "" {
			report.note("note: the first row seems to have the names of columns, because it alone has the label %q: --header leaves it out", of.Heading)
		}
		if of.Rare > 0 {
			report.note("note: %s of fewer than %s left out", wording.Count(of.Rare, "label", "labels"), wording.Count(f.options.MinLabelCount, "text", "texts"))
		}
		if cut := of.Cut; cut.Texts > 0 {
			report.note("note: %s of more than %s cut: %s left out, the first is in line %d%s", wording.Count(cut.Texts, "text", "texts"), wording.Count(classify.MaxWords, "word", "words"), wording.Count(cut.Tokens, "word", "words"),
				cut.Line, when(cut.Name != "", " of %s", cut.Name))
		}
		if of.TooLong.Tokens > 0 {
			report.note("note: %s", of.TooLong)
		}
	}
	h.Progress, h.Every = report.trained, report.every()
	var scores []train.Score
	h.Tested = func(r *labels.Result) {
		scores = []train.Score{{Set: "accuracy", Score: eval.Score(r.Accuracy())}, {Set: "macro F1", Score: eval.Score(r.MacroF1())}}
	}
	h.Evaluated = func(e sgns.Evaluation) {
		report.final = f.options.Patience == 0
		if f.metric != "" && f.metric != "loss" && f.metric != "accuracy" && f.metric != "macro-f1" {
			scores = append(scores, train.Score{Set: f.metric, Score: eval.Score(e.Score)})
		}
		report.evaluated(train.Evaluated{Evaluation: e, Scores: scores})
		scores = nil
	}
	h.Diverged = report.diverged
	h.Warm = func(w sgns.Warm) {
		report.note("started from %s: %s of %s words known%s", f.init, wording.Thousands(w.Known), wording.Thousands(w.Words), when(w.Labels > 0, ", %s known", wording.Count(w.Labels, "label", "labels")))
	}
	return h
}

func (r *classifierRun) hooks() classify.Hooks {
	report, h := r.report, r.classifyTrainFlags.hooks(r.report)
	say := h.Counted
	h.Counted = func(of classify.Contents) {
		r.result.Counting, r.begun, r.contents = time.Since(r.begun), time.Now(), of
		r.options.Epochs = of.Epochs
		r.result.CPU = -sysinfo.CPUTime()
		say(of)
		for _, advice := range r.options.Advice(of) {
			report.note("note: %s", advice)
		}
	}
	h.Start = func(p sgns.Plan) error {
		r.result.Planned = p.Bytes
		start := train.Start{Words: r.contents.Words, Total: r.contents.Tokens * uint64(r.options.Epochs), Resumed: r.resume != ""}
		start.Settings.Model.Epochs = r.options.Epochs
		report.started(start)
		report.planned(train.Plan{Plan: p, Counting: sysinfo.PeakMemory()})
		return nil
	}
	if r.file == "" {
		return h
	}
	var done train.Checkpointed
	h.CheckpointEvery = r.every
	h.Checkpoint = func(k *sgns.Checkpoint) { done = train.Checkpointed{File: r.file, Tokens: k.Tokens, Pause: k.Pause} }
	h.Save = func(set *vectors.Set) error {
		start := time.Now()
		done.Kept, done.Err = r.checkpoints.Write(r.saving, set)
		r.unsaved, done.Took = done.Err, time.Since(start)
		if info, err := os.Stat(r.file); err == nil {
			done.Bytes = info.Size()
		}
		report.checkpointed(done)
		return nil // training goes on
	}
	return h
}

func (r *classifierRun) goOn(ctx context.Context, c *cobra.Command, corpus classify.Corpus, h classify.Hooks) (trained *classify.Trained, err error) {
	from, err := format.OpenStream(r.resume, nil) // its rows are read once, and its file is replaced meanwhile
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	k, err := sgns.NewCheckpoint(from)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.resume, err)
	case from.Labels() == nil:
		return nil, fmt.Errorf("%s: is the checkpoint of word vectors: w2v train --resume goes on with it", r.resume)
	}
	o, err := classify.OptionsOf(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.resume, classifyError(err))
	}
	o.Folder, o.Force = r.options.Folder, r.options.Force
	switch threads := r.options.Threads; {
	case !c.Flags().Changed("threads"):
	case o.Deterministic:
		o.Threads = threads
	case threads != o.Threads:
		return nil, misuse(fmt.Errorf("--resume continues with the settings of the checkpoint: leave out --threads, which was %d; a run with --deterministic may have others", o.Threads))
	}
	if c.Flags().Changed("epochs") {
		o.Epochs = r.options.Epochs
	}
	if r.options = o; o.Metric.Kind != "" {
		r.metric = o.Metric.String()
	}
	if _, err := r.outputFormat(); err != nil {
		return nil, misuse(err)
	}
	r.report.note("going on from %s: %s of %s tokens are trained", r.resume, wording.Thousands(k.Tokens), wording.Thousands(k.Total))
	if k.Ended() && o.Epochs <= k.Config.Epochs {
		r.report.note("that run is at its end; a larger number of --epochs than %d trains on", k.Config.Epochs)
	}
	trained, err = classify.Resume(ctx, corpus, from, o, h)
	if trained == nil && err != nil {
		err = fmt.Errorf("%s: %w", r.resume, classifyError(err))
	}
	return trained, err
}

func (r *classifierRun) train(ctx context.Context, c *cobra.Command, corpus classify.Corpus, h classify.Hooks) (trained *classify.Trained, err error) {
	if r.init != "" {
		set, err := format.Open(r.init)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		given := c.Flags().Changed
		r.options.StartFrom(set, func(name string) bool { return given(name) || name == "text" && r.textGiven(c) })
	}
	if err := r.options.Validate(); err != nil {
		return nil, misuse(classifyError(err))
	}
	return classify.Train(ctx, corpus, r.options, h)
}

// end saves what is trained. If training was interrupted, its checkpoint is enough; without one, the classifier so far is
// saved under a name that replaces nothing.
func (r *classifierRun) end(ctx context.Context, trained *classify.Trained, stopped error) error {
	result := &r.result
	result.Progress, result.Best, result.Vectors = trained.Progress, trained.Evaluation, trained.Vectors
	result.Settings.Model.Epochs, result.Format = r.options.Epochs, r.to
	result.Tokens, result.Words, result.Ranks, result.Complete = trained.Contents.Tokens, trained.Contents.Words, 1, stopped == nil || errors.Is(stopped, classify.ErrNoThreshold)
	result.Training, result.CPU = time.Since(r.begun), result.CPU+sysinfo.CPUTime()
	result.Preparing = max(0, result.Training-trained.Progress.Elapsed)
	if r.file != "" && r.unsaved == nil {
		result.Checkpoint, result.Resumable = r.file, !result.Complete
	}
	sameAnswers := false
	if !result.Resumable {
		start := time.Now()
		if result.Output, result.Unsaved = r.save(ctx, r.output, result.Vectors, result.Complete, "classifier"); result.Unsaved == nil {
			lost := format.LeavesOut(result.Vectors, r.to)
			result.LeftOut = lost.List()
			lost.Training, lost.Kept = nil, nil
			sameAnswers = len(result.LeftOut) > 0 && len(lost.List()) == 0
			for _, note := range format.Misread(result.Vectors, r.to) {
				r.report.note("note: %s", note)
			}
		}
		result.Saving = time.Since(start)
	}
	if r.unsaved != nil {
		result.Unsaved = errors.Join(fmt.Errorf("the checkpoint could not be written: %w", r.unsaved), result.Unsaved)
	}
	result.TooLong = trained.Contents.TooLong
	sum := newSummary(ctx, result, asFlag)
	sum.sameAnswers = sameAnswers
	if of := trained.Contents.Cut; of.Texts > 0 {
		sum.Cut = &cutTexts{of.Texts, of.Tokens, of.Longest, of.Name, of.Line}
	}
	if trained.Contents.HeldOut > 0 && r.options.HeldOut > 0 { // of the texts
		trained.Contents.Texts -= trained.Contents.HeldOut
		sum.Tokens = trained.Progress.Total / uint64(r.options.Epochs)
	}
	sum.HeldOut = trained.Contents.HeldOut
	sum.Texts, sum.Unlabeled, sum.Labels, sum.total = trained.Contents.Texts, trained.Contents.Unlabeled, trained.Contents.Labels, trained.Progress.Total
	for _, made := range trained.Remarks {
		sum.Remarks = append(sum.Remarks, remark{string(made.Kind), made.String()})
	}
	if c := trained.Calibration; c != nil {
		learned := calibrationOf(*c)
		sum.Calibration = &learned
		sum.Remarks = append(sum.Remarks, remark{"calibration", learned.String()})
	}
	if result.Resumable {
		sum.goOn = "--resume " + wording.Quoted(r.file)
		if r.validate != "" && r.options.HeldOut == 0 {
			sum.goOn += " --validate " + wording.Quoted(r.validate)
		}
	}
	if result.Unsaved != nil {
		sum.Error = oneLine(result.Unsaved)
	}
	r.report.done(sum)
	if errors.Is(stopped, classify.ErrNoThreshold) && result.Output != "" {
		stopped = fmt.Errorf("%w; %s has no threshold, and its probabilities are as they were trained", stopped, result.Output)
	}
	err := errors.Join(stopped, result.Unsaved)
	if r.json {
		err = errors.Join(err, printJSON(r.out, sum))
	}
	return err
}
