package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/pairs"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

type pairsFlags struct {
	options    pairs.Options
	fields     corpus.Fields
	settings   train.Settings // of which the text counts
	phrases    string
	output     string
	format     format.Format
	init       string
	validate   string
	checkpoint string
	every      time.Duration
	resume     string
	progress   string
	logJSON    string
	json       bool
}

func newPairs(s streams) *cobra.Command {
	f := pairsFlags{options: pairs.Defaults(), settings: train.Defaults()}
	f.settings.Text = f.options.Text.Text
	c := command("pairs", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	o, flags, scored := &f.options, c.Flags(), pairs.ScoredDefaults()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model; the default goes by the extension", formatChoices())
	grouped(flags, "Pair", func() {
		flags.StringVar(&f.fields.TextColumn, "text-column", "", "`COLUMNS` of a table that have the first text, the second, and any that do not belong to the first, by number, or by name in Parquet and with --header (default 1,2)")
		flags.BoolVar(&f.fields.Header, "header", false, "the first row of each table has the names of the columns")
		flags.StringVar(&f.fields.TextField, "json-field", "", "`FIELDS` of JSON lines that have these texts; a.b is field b of the object in field a")
		flags.StringVar(&f.fields.LabelColumn, "score-column", "", "`COLUMN` of a table that has the score of a pair")
		flags.StringVar(&f.fields.LabelField, "score-field", "", "`FIELD` of JSON lines that has the score of a pair")
		flags.Float64Var(&o.HighestScore, "highest-score", o.HighestScore, "the highest score, which becomes the cosine 1")
		addEnum(flags, &o.ScoreLoss, "score-loss", "what pairs with scores are trained for", choicesOf(pairs.ScoreLosses(), map[pairs.ScoreLoss]string{
			pairs.CoSENTLoss: "cosines have the order of the scores: a pair with a higher score than another of its batch has the higher cosine",
			pairs.CosineLoss: "cosines are the scores, by the square of the difference",
		}))
	})
	grouped(flags, "Model", func() {
		whole(flags, 1, &o.Dim, "dim", "", o.Dim, "dimensions")
		flags.IntSliceVar(&o.Nested, "nested", nil, "also train the first dimensions as vectors of their own, such as 64,128")
		whole(flags, 1, &o.Epochs, "epochs", "", o.Epochs, fmt.Sprintf("passes over the pairs; with scores %d unless you say", scored.Epochs))
		whole(flags, 2, &o.BatchSize, "batch-size", "", o.BatchSize, fmt.Sprintf("pairs of a batch, among which texts are told apart; with scores %d unless you say", scored.BatchSize))
		flags.Float64Var(&o.LearningRate, "lr", o.LearningRate, fmt.Sprintf("learning rate of Adam; with scores %v unless you say. It rises for 2 %% of the run, and then falls linearly to 0", scored.LearningRate))
		flags.Float64Var(&o.Temperature, "temperature", o.Temperature, "cosines are divided by it: a lower one pays more attention to texts that are hard to tell apart")
		limit(flags, pairs.LeastTemperature, 1, "temperature")
		flags.BoolVar(&o.OneWay, "one-way", false, "only tell second texts apart, not first ones: if many pairs have the same kind of first text")
		whole(flags, 0, &o.Queue, "queue", "", o.Queue, "tell texts apart from those of so many pairs of the batches before too")
		whole(flags, 0, &o.MinN, "minn", "", o.MinN, "shortest n-gram of characters")
		whole(flags, 0, &o.MaxN, "maxn", "", o.MaxN, "longest n-gram of characters; 0 for none")
		whole(flags, 1, &o.Buckets, "buckets", "", o.Buckets, "hash buckets of n-grams; only those that occur take memory")
		flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of all random numbers")
	})
	grouped(flags, "Text", func() {
		for _, row := range train.Table() {
			if strings.Contains(" "+classifiedText+" ", " "+row.Name+" ") {
				addSettingRow(flags, &f.settings, row)
			}
		}
		whole(flags, 1, &o.MinCount, "min-count", "", o.MinCount, "words that occur less often have no row of their own")
		flags.StringVar(&f.phrases, "phrase-table", "", "join the phrases in `FILE`, which w2v phrases --write-table has written")
	})
	grouped(flags, "Starting", func() {
		flags.StringVar(&f.init, "init", "", "start from the vectors in `FILE`, in any format, and keep all of its words. --dim, n-grams and how text is cut come from FILE unless you give them; further dimensions start at random")
	})
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.checkpoint, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it. A checkpoint of another run is kept as FILE.before")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		limit(flags, 0, math.Inf(1), "checkpoint-every")
		flags.StringVar(&f.resume, "resume", "", "continue the run of the checkpoint `FILE`, with its settings and the same pairs. Further checkpoints go to FILE too, unless --checkpoint names another file. --epochs with a larger number trains on")
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", "measure the loss on held-out pairs after each epoch, and how well their second texts are found, or how well cosines agree with scores: a `FILE`, or a fraction of the pairs such as 0.05, which has all pairs of its texts")
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &o.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
		flags.BoolVar(&o.Force, "force", false, "train even if memory seems too small")
		addProgress(flags, &f.progress)
	})
	addJSON(c, &f.json)
	return c
}

// complete fills in the options that flags do not set themselves.
func (f *pairsFlags) complete(c *cobra.Command) error {
	given, o := c.Flags().Changed, &f.options
	err := broken(
		rule{f.output == "", "no output: say where the model goes with -o MODEL"},
		rule{f.output == "-", "a model is not written to standard output: name a file"},
		rule{given("checkpoint-every") && f.checkpoint == "" && f.resume == "", "--checkpoint-every needs --checkpoint FILE or --resume FILE"},
		rule{given("highest-score") && f.fields.LabelColumn+f.fields.LabelField == "", "--highest-score needs --score-column or --score-field"},
		rule{given("score-loss") && f.fields.LabelColumn+f.fields.LabelField == "", "--score-loss needs --score-column or --score-field"},
		rule{f.fields.TextField != "" && f.fields.LabelColumn != "", "--score-column is for tables: with --json-field, the score is in --score-field"},
		rule{f.fields.TextField == "" && f.fields.LabelField != "", "--score-field needs --json-field: texts and score are in fields of JSON"},
	)
	if err != nil {
		return err
	}
	if f.fields.TextColumn == "" && f.fields.TextField == "" {
		f.fields.TextColumn = pairs.TSV.TextColumn
	}
	switch fraction, err := decimal.Float(f.validate); {
	case f.validate == "" || err != nil: // nothing, or a file
	case !(fraction > 0 && fraction < 1):
		return fmt.Errorf("--validate: a fraction must be above 0 and below 1, is %s", f.validate)
	default:
		o.HeldOut = fraction
	}
	if f.resume != "" {
		// Whatever is not about files and this process belongs to the run.
		own := strings.Fields("output format json help epochs validate checkpoint checkpoint-every resume log-json force progress threads text-column header json-field score-column score-field")
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
	if text := &f.settings.Text; text.File != nil { // a tokenizer.json replaces the default's words
		text.Tokenizer, text.Lowercase = corpus.Whitespace, text.Lowercase && given("lowercase")
	}
	if err := f.settings.Complete(); err != nil {
		return asFlags(err)
	}
	o.Text.Text = f.settings.Text
	if o.Scored = f.fields.LabelColumn+f.fields.LabelField != ""; o.Scored && f.resume == "" {
		usual := pairs.ScoredDefaults()
		for name, set := range map[string]func(){
			"epochs": func() { o.Epochs = usual.Epochs }, "batch-size": func() { o.BatchSize = usual.BatchSize }, "lr": func() { o.LearningRate = usual.LearningRate },
		} {
			if !given(name) {
				set()
			}
		}
	}
	if n := len(o.Nested); n > 0 && o.Nested[n-1] == o.Dim { // as for w2v train
		o.Nested = o.Nested[:n-1]
	}
	if given("minn") && !given("maxn") {
		o.MaxN = max(o.MaxN, o.MinN)
	}
	if f.phrases != "" {
		if o.Text.Phrases, err = compression.ReadFile(f.phrases, phrases.Read); err != nil {
			return err
		}
	}
	return nil
}

// A pairsSummary is what w2v pairs says at its end. Its JSON is read by scripts.
type pairsSummary struct {
	Pairs       int                `json:"pairs"`
	HeldOut     int                `json:"held_out"`
	Texts       int                `json:"texts"`
	Tokens      uint64             `json:"tokens"`
	Words       int                `json:"words"`
	Rows        int                `json:"rows"`
	Epochs      int                `json:"epochs"`
	Trained     uint64             `json:"trained"` // pairs, of all epochs
	Loss        float64            `json:"loss"`
	Evaluations []pairs.Evaluation `json:"evaluations"`
	PerSecond   float64            `json:"texts_per_second"`
	Seconds     float64            `json:"seconds"`
	CPUSeconds  float64            `json:"cpu_seconds"`
	ReadSeconds float64            `json:"read_seconds"`
	MemoryBytes uint64             `json:"memory_bytes"`
	Output      string             `json:"output"`
	Checkpoint  string             `json:"checkpoint"`
	Complete    bool               `json:"complete"`
	Error       string             `json:"error"`
}

func (s pairsSummary) text() string {
	where := s.Output
	if s.Checkpoint != "" {
		where = strings.TrimPrefix(where+", checkpoint "+s.Checkpoint, ", ")
	}
	how := either(s.Complete, "trained", "interrupted")
	return fmt.Sprintf("%s: %s × %s, %s words, %.1f s, %.1f CPU-s, %s texts/s, loss %.4f: %s", how, wording.Count(s.Pairs, "pair", "pairs"), wording.Count(s.Epochs, "epoch", "epochs"),
		wording.Thousands(s.Words), s.Seconds, s.CPUSeconds, wording.Thousands(uint64(s.PerSecond)), s.Loss, where)
}

// A pairsRun is a run of w2v pairs.
type pairsRun struct {
	*pairsFlags
	streams
	modelFiles
	sum   pairsSummary
	begun time.Time
}

func (f *pairsFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	if err := cmp.Or(oneProcess("pairs"), f.complete(c)); err != nil {
		return misuse(err)
	}
	r := &pairsRun{pairsFlags: f, streams: s, modelFiles: modelFiles{report: newReporter(s, f.progress)}}
	defer func() {
		r.report.ended(err)
		err = errors.Join(err, r.report.close())
	}()
	if err := r.targets(); err != nil {
		return misuse(asFlags(err))
	}
	if err := r.report.logTo(f.logJSON, f.resume != ""); err != nil {
		return err
	}
	ctx, saving, stop := untilSignals(c.Context(), s.err)
	defer stop()
	r.saving = saving
	collectEarly()
	of, held, h := pairs.Files(s.in, f.fields, args...), pairs.Corpus{}, r.hooks()
	if f.validate != "" && f.options.HeldOut == 0 {
		held = pairs.Files(s.in, f.fields, f.validate)
	}
	r.begun = time.Now()
	var trained *pairs.Trained
	if f.resume != "" {
		trained, err = r.goOn(ctx, c, of, held, h)
	} else {
		trained, err = r.train(ctx, c, of, held, h)
	}
	r.report.countingDone()
	err = pairsError(err)
	if trained == nil {
		return err
	}
	return r.end(ctx, trained, err)
}

// targets finds out what is written, and whether it can be.
func (r *pairsRun) targets() (err error) {
	if r.to = r.format; r.to == "" {
		if r.to, err = format.ForPath(r.output, true); err != nil {
			return err
		}
	}
	if err := format.CheckTarget(r.output, r.to); err != nil {
		return err
	}
	return r.checkpointTo(r.checkpoint, r.resume, r.output)
}

// pairsError is an error for people, without the name of the package.
func pairsError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pairs.MemoryError](err); ok {
		return fmt.Errorf("%w; --dim, --min-count, --maxn, --batch-size and --queue say how much; --force tries anyway", err)
	}
	return unprefixed(err, "pairs: ", "corpus: ")
}

// The events are lines of --log-json.
type (
	pairsProgressEvent struct {
		Event        string  `json:"event"`
		Pairs        uint64  `json:"pairs"` // trained, of all epochs
		Total        uint64  `json:"total"`
		Epoch        int     `json:"epoch"`
		LearningRate float64 `json:"lr"`
		Loss         float64 `json:"loss"` // mean since the last line
		Elapsed      float64 `json:"elapsed"`
	}
	pairsEvaluationEvent struct {
		Event string `json:"event"`
		pairs.Evaluation
	}
	pairsCheckpointEvent struct {
		Event string  `json:"event"`
		Path  string  `json:"path"`
		Write float64 `json:"write_seconds"`
		Error string  `json:"error"`
	}
)

func (r *pairsRun) hooks() (h pairs.Hooks) {
	report := r.report
	h.Reading = func(n uint64) { report.count(n, "reading: %.2f M pairs") }
	h.Start = func(p pairs.Plan) error {
		report.countingDone()
		report.note("%s of %s, %s and %s", wording.Count(p.Pairs, "pair", "pairs"), wording.Count(p.Texts, "text", "texts"), wording.Count(p.Tokens, "token", "tokens"), wording.Count(p.Words, "word", "words"))
		for _, left := range []struct {
			n   int
			why string
		}{{p.Same, "whose texts are the same"}, {p.Empty, "with a text without a word that has a row"}} {
			if left.n > 0 {
				report.note("note: %s %s left out", wording.Count(left.n, "pair", "pairs"), left.why)
			}
		}
		if p.HeldOut > 0 {
			report.note("%s held out", wording.Count(p.HeldOut, "pair", "pairs"))
		}
		report.note("training takes %.1f MB of memory, and texts take %.1f MB, %d bytes a text", float64(p.Bytes)/1e6, float64(p.TextBytes)/1e6, p.TextBytes/uint64(max(p.Texts, 1)))
		r.sum.MemoryBytes, r.sum.ReadSeconds = p.Bytes, time.Since(r.begun).Seconds()
		r.begun, r.sum.CPUSeconds = time.Now(), -sysinfo.CPUTime().Seconds()
		return nil
	}
	h.Every = report.every()
	h.Progress = func(p pairs.Progress) {
		report.mu.Lock()
		defer report.mu.Unlock()
		report.encode(pairsProgressEvent{"progress", p.Pairs, p.Total, p.Epoch, p.LearningRate, p.Loss, p.Elapsed.Seconds()})
		if !report.bar {
			return
		}
		if report.current == nil {
			report.current = report.newBar(int64(p.Total))
		}
		report.draw(int64(p.Pairs), int64(p.Total), func() string {
			return fmt.Sprintf("epoch %d of %d, %.0f texts/s, lr %.5f, loss %.4f", p.Epoch, p.Epochs, float64(p.Texts)/max(p.Elapsed.Seconds(), 1e-9), p.LearningRate, p.Loss)
		})
	}
	h.Evaluated = func(e pairs.Evaluation) {
		found := fmt.Sprintf("nDCG@10 %.4f, MRR %.4f", e.NDCG10, e.MRR)
		if r.options.Scored {
			found = fmt.Sprintf("Spearman %.4f", e.Spearman)
		}
		report.event(pairsEvaluationEvent{"evaluation", e}, "epoch %d: held-out loss %.4f, %s", e.Epoch, e.Loss, found)
	}
	if r.file == "" {
		return h
	}
	h.CheckpointEvery = r.every
	h.Save = func(set *vectors.Set) {
		began := time.Now()
		var kept *train.Kept
		kept, r.unsaved = r.checkpoints.Write(r.saving, set)
		event := pairsCheckpointEvent{Event: "checkpoint", Path: r.file, Write: time.Since(began).Seconds()}
		if r.unsaved != nil {
			event.Error = oneLine(r.unsaved)
			report.event(event, "note: the checkpoint could not be written: %s", event.Error)
			return
		}
		report.mu.Lock()
		report.encode(event)
		report.mu.Unlock()
		if kept != nil {
			report.note("note: %s was of another run: it is kept as %s", r.file, kept.File)
		}
	}
	return h
}

func (r *pairsRun) goOn(ctx context.Context, c *cobra.Command, of, held pairs.Corpus, h pairs.Hooks) (trained *pairs.Trained, err error) {
	from, err := format.OpenStream(r.resume, nil) // its rows are read once, and its file is replaced meanwhile
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	o, done, err := pairs.Checkpoint(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.resume, err)
	}
	epochs := 0
	if c.Flags().Changed("epochs") {
		epochs = r.options.Epochs
	}
	r.options.Epochs, r.options.Scored = max(epochs, o.Epochs), o.Scored
	r.report.note("going on from %s: %d of %s are trained", r.resume, done, wording.Count(o.Epochs, "epoch", "epochs"))
	trained, err = pairs.Resume(ctx, of, held, from, epochs, r.options.Threads, h)
	if trained == nil && err != nil {
		err = fmt.Errorf("%s: %w", r.resume, pairsError(err))
	}
	return trained, err
}

func (r *pairsRun) train(ctx context.Context, c *cobra.Command, of, held pairs.Corpus, h pairs.Hooks) (trained *pairs.Trained, err error) {
	if r.init != "" {
		set, err := format.Open(r.init)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		given := c.Flags().Changed
		text := slices.ContainsFunc(append(strings.Fields(classifiedText), "phrase-table"), given)
		r.options.StartFrom(set, func(name string) bool { return name == "text" && text || name != "text" && given(name) })
	}
	if err := r.options.Validate(); err != nil {
		return nil, misuse(pairsError(err))
	}
	return pairs.Validated(ctx, of, held, r.options, h)
}

// end saves what is trained. If training was interrupted, its checkpoint is enough; without one, the model so far is
// saved under a name that replaces nothing.
func (r *pairsRun) end(ctx context.Context, trained *pairs.Trained, stopped error) error {
	s := &r.sum
	s.Pairs, s.HeldOut, s.Texts, s.Tokens, s.Words, s.Rows = trained.Pairs, trained.HeldOut, trained.Texts, trained.Tokens, trained.Words, trained.Rows
	p := trained.Progress
	s.Epochs, s.Trained, s.Loss, s.Evaluations, s.Complete = r.options.Epochs, p.Pairs, p.Loss, append([]pairs.Evaluation{}, trained.Evaluations...), stopped == nil
	s.Seconds, s.PerSecond = time.Since(r.begun).Seconds(), float64(p.Texts)/max(p.Elapsed.Seconds(), 1e-9)
	s.CPUSeconds += sysinfo.CPUTime().Seconds()
	var unsaved error
	if r.file != "" && r.unsaved == nil {
		s.Checkpoint = r.file
	}
	if s.Complete || s.Checkpoint == "" {
		if s.Output, unsaved = r.save(ctx, r.output, trained.Vectors, s.Complete, "model"); unsaved == nil {
			for _, left := range format.LeavesOut(trained.Vectors, r.to).List() {
				r.report.note("note: %s: the format leaves out %s", s.Output, left)
			}
		}
	}
	if r.unsaved != nil {
		unsaved = errors.Join(fmt.Errorf("the checkpoint could not be written: %w", r.unsaved), unsaved)
	}
	if unsaved != nil {
		s.Error = oneLine(unsaved)
	}
	r.report.event(struct {
		Event string `json:"event"`
		pairsSummary
	}{"summary", *s}, "%s", s.text())
	r.report.summed = true
	if !s.Complete && s.Checkpoint != "" {
		held := when(r.validate != "" && r.options.HeldOut == 0, " --validate %s", wording.Quoted(r.validate))
		r.report.note("--resume %s%s goes on", wording.Quoted(r.file), held)
	}
	err := errors.Join(stopped, unsaved)
	if r.json {
		err = errors.Join(err, printJSON(r.out, s))
	}
	return err
}
