package main

import (
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

// rowsFlags are flags of commands that train rows by vectors of texts.
type rowsFlags struct {
	what       string // is trained: "pair"
	o          *pairs.Settings
	fields     corpus.Fields
	text       train.Settings // of which the text counts
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

func (f *rowsFlags) addOutput(flags *pflag.FlagSet) {
	flags.StringVarP(&f.output, "output", "o", "", "file of the model; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model; the default goes by the extension", formatChoices())
}

// addModel adds flags of rows and how they are trained, with what is said of some, and more between them.
func (f *rowsFlags) addModel(flags *pflag.FlagSet, dim, epochs, batch, rate string, leastDim, leastBatch int, more func()) {
	o := f.o
	grouped(flags, "Model", func() {
		whole(flags, leastDim, &o.Dim, "dim", "", o.Dim, dim)
		flags.IntSliceVar(&o.Nested, "nested", nil, "also train the first dimensions as vectors of their own, such as 64,128")
		whole(flags, 1, &o.Epochs, "epochs", "", o.Epochs, epochs)
		whole(flags, leastBatch, &o.BatchSize, "batch-size", "", o.BatchSize, batch)
		flags.Float64Var(&o.LearningRate, "lr", o.LearningRate, "learning rate of Adam"+rate+". It rises for 2 % of the run, and then falls linearly to 0")
		more()
		whole(flags, 0, &o.MinN, "minn", "", o.MinN, "shortest n-gram of characters")
		whole(flags, 0, &o.MaxN, "maxn", "", o.MaxN, "longest n-gram of characters; 0 for none")
		whole(flags, 1, &o.Buckets, "buckets", "", o.Buckets, "hash buckets of n-grams; only those that occur take memory")
		flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of all random numbers")
	})
}

// addRun adds flags of the text, of files and of the process.
func (f *rowsFlags) addRun(flags *pflag.FlagSet, init, resume, validate string, metrics ...pairs.Metric) {
	o := f.o
	grouped(flags, "Text", func() {
		for _, row := range train.Table() {
			if strings.Contains(" "+classifiedText+" ", " "+row.Name+" ") {
				addSettingRow(flags, &f.text, row)
			}
		}
		whole(flags, 1, &o.MinCount, "min-count", "", o.MinCount, "words that occur less often have no row of their own")
		flags.StringVar(&f.phrases, "phrase-table", "", "join the phrases in `FILE`, which w2v phrases --write-table has written")
	})
	grouped(flags, "Starting", func() { flags.StringVar(&f.init, "init", "", init) })
	grouped(flags, "Checkpoint", func() {
		flags.StringVar(&f.checkpoint, "checkpoint", "", "write the state of training to `FILE` regularly and at the end; --resume continues from it. A checkpoint of another run is kept as FILE.before")
		flags.DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "time between checkpoints")
		limit(flags, 0, math.Inf(1), "checkpoint-every")
		flags.StringVar(&f.resume, "resume", "", resume)
	})
	grouped(flags, "Evaluation", func() {
		flags.StringVar(&f.validate, "validate", "", validate)
		whole(flags, 0, &o.Patience, "early-stop", "", 0, "stop after `N` epochs without improvement on held-out "+f.what+"s, and keep the best model")
		addEnum(flags, &o.Metric, "metric", "what must improve for --early-stop", choicesOf(metrics, map[pairs.Metric]string{
			pairs.LossMetric: "the default", pairs.NDCGMetric: "nDCG@10", pairs.SpearmanMetric: "with scores",
		}))
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &o.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		flags.StringVar(&f.logJSON, "log-json", "", "write progress to `FILE` as JSON, one object a line; - means stderr")
		flags.BoolVar(&o.Force, "force", false, "train even if memory seems too small")
		addProgress(flags, &f.progress)
	})
}

// complete fills in the options that flags do not set themselves. With --resume, flags of these names too are not about the run.
func (f *rowsFlags) complete(c *cobra.Command, ofFiles string) error {
	given, o := c.Flags().Changed, f.o
	err := broken(
		rule{f.output == "", "no output: say where the model goes with -o MODEL"},
		rule{f.output == "-", "a model is not written to standard output: name a file"},
		rule{given("checkpoint-every") && f.checkpoint == "" && f.resume == "", "--checkpoint-every needs --checkpoint FILE or --resume FILE"},
		rule{o.Patience > 0 && f.validate == "", "--early-stop needs held-out " + f.what + "s: say which with --validate"},
		rule{o.Metric != "" && o.Patience == 0, "--metric is what --early-stop N goes by"},
	)
	if err != nil {
		return err
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
		own := strings.Fields("output format json help epochs checkpoint checkpoint-every resume log-json force progress threads text-column header json-field " + ofFiles)
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
	if text := &f.text.Text; text.File != nil { // a tokenizer.json replaces the default's words
		text.Tokenizer, text.Lowercase = corpus.Whitespace, text.Lowercase && given("lowercase")
	}
	if err := f.text.Complete(); err != nil {
		return asFlags(err)
	}
	o.Text.Text = f.text.Text
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

// A rowsSummary is what w2v pairs and w2v distill say at their end. Its JSON is read by scripts.
type rowsSummary struct {
	Pairs       int                `json:"pairs"`
	HeldOut     int                `json:"held_out"`
	Texts       int                `json:"texts"`
	Tokens      uint64             `json:"tokens"`
	Words       int                `json:"words"`
	Rows        int                `json:"rows"`
	TeacherDim  int                `json:"teacher_dim,omitempty"`
	Explained   float64            `json:"teacher_variance,omitempty"` // the share in the dimensions of the model
	Dim         int                `json:"dim"`
	Epochs      int                `json:"epochs"`
	Trained     uint64             `json:"trained"` // pairs, of all epochs
	Loss        float64            `json:"loss"`
	Evaluations []pairs.Evaluation `json:"evaluations"`
	Early       bool               `json:"early"` // ended by --early-stop
	Best        *pairs.Evaluation  `json:"best"`  // of which the vectors are, with --early-stop; else null
	PerSecond   float64            `json:"texts_per_second"`
	Seconds     float64            `json:"seconds"`
	CPUSeconds  float64            `json:"cpu_seconds"`
	ReadSeconds float64            `json:"read_seconds"`
	MemoryBytes uint64             `json:"memory_bytes"`
	Output      string             `json:"output"`
	Checkpoint  string             `json:"checkpoint"`
	Complete    bool               `json:"complete"`
	Error       string             `json:"error"`

	what string // is trained: "pair"
}

func (s rowsSummary) text() string {
	where := s.Output
	if s.Checkpoint != "" {
		where = strings.TrimPrefix(where+", checkpoint "+s.Checkpoint, ", ")
	}
	how, best := either(s.Complete, "trained", "interrupted"), ""
	if s.Early {
		how = fmt.Sprintf("ended early, after %s", wording.Count(len(s.Evaluations), "epoch", "epochs"))
	}
	if s.Best != nil && s.Best.Epoch != len(s.Evaluations) || s.Early {
		best = fmt.Sprintf(", the best model is that of epoch %d", s.Best.Epoch)
	}
	teacher := ""
	if s.TeacherDim > s.Dim {
		teacher = fmt.Sprintf("%d principal components of %d, ", s.Dim, s.TeacherDim)
	}
	return fmt.Sprintf("%s: %s × %s, %s words, %s%.1f s, %.1f CPU-s, %s texts/s, loss %s%s: %s", how, wording.Count(s.Pairs, s.what, s.what+"s"), wording.Count(s.Epochs, "epoch", "epochs"),
		wording.Thousands(s.Words), teacher, s.Seconds, s.CPUSeconds, wording.Thousands(uint64(s.PerSecond)), lossText(s.Loss), best, where)
}

// lossText is a loss with four digits behind the point, and more if it is small.
func lossText(loss float64) string {
	if loss != 0 && math.Abs(loss) < 0.01 {
		return fmt.Sprintf("%.3g", loss)
	}
	return fmt.Sprintf("%.4f", loss)
}

// A rowsRun is a run of one of the commands.
type rowsRun struct {
	*rowsFlags
	streams
	modelFiles
	sum   rowsSummary
	begun time.Time
	// found says what held-out texts have shown, and left why pairs or texts are left out.
	found func(pairs.Evaluation) string
	left  func(pairs.Plan) []leftOut
	// start trains from the beginning, and again goes on from a checkpoint. Opened finds out about this.
	start  func(context.Context, pairs.Hooks) (*pairs.Trained, error)
	opened func(*vectors.Set) (of *pairs.Settings, done int, err error)
	again  func(ctx context.Context, from *vectors.Set, epochs int, h pairs.Hooks) (*pairs.Trained, error)
	rest   func() string // of the command line that goes on
}

// A leftOut is why some pairs or texts are left out.
type leftOut struct {
	n   int
	why string
}

func (r *rowsRun) run(c *cobra.Command) error {
	r.report, r.sum.what = newReporter(r.streams, r.rowsFlags.progress), r.what
	return r.modelFiles.run(c, r.streams, r.logJSON, r.resume != "", r.targets, func(ctx context.Context) (err error) {
		r.begun = time.Now()
		var trained *pairs.Trained
		if r.resume != "" {
			trained, err = r.goOn(ctx, c)
		} else {
			trained, err = r.train(ctx, c)
		}
		r.report.countingDone()
		err = pairsError(err)
		if trained == nil {
			return err
		}
		return r.end(ctx, trained, err)
	})
}

// targets finds out what is written, and whether it can be.
func (r *rowsRun) targets() (err error) {
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
	rowsStartEvent struct {
		Event      string `json:"event"`
		Pairs      int    `json:"pairs"` // or texts of a teacher
		HeldOut    int    `json:"held_out"`
		Texts      int    `json:"texts"`
		Tokens     uint64 `json:"tokens"`
		Words      int    `json:"words"`
		Rows       int    `json:"rows"`
		Dim        int    `json:"dim"`
		Memory     uint64 `json:"memory_bytes"`
		TextMemory uint64 `json:"text_memory_bytes"` // that is taken already
	}
	rowsProgressEvent struct {
		Event        string  `json:"event"`
		Pairs        uint64  `json:"pairs"` // trained, of all epochs
		Total        uint64  `json:"total"`
		Epoch        int     `json:"epoch"`
		LearningRate float64 `json:"lr"`
		Loss         float64 `json:"loss"` // mean since the last line
		Elapsed      float64 `json:"elapsed"`
	}
	rowsEvaluationEvent struct {
		Event string `json:"event"`
		pairs.Evaluation
		Best bool `json:"best"` // so far, with --early-stop
	}
	rowsCheckpointEvent struct {
		Event string  `json:"event"`
		Path  string  `json:"path"`
		Write float64 `json:"write_seconds"`
		Error string  `json:"error"`
	}
)

func (r *rowsRun) hooks() (h pairs.Hooks) {
	report := r.report
	what := r.what
	h.Reading = func(n uint64) { report.count(n, "reading: %.2f M "+what+"s") }
	h.Teacher = func(n, all uint64) { report.count(n, fmt.Sprintf("vectors: %%.2f of %.2f M", float64(all)/1e6)) }
	h.Start = func(p pairs.Plan) error {
		report.countingDone()
		if p.TeacherDim == 0 {
			report.note("%s of %s, %s and %s", wording.Count(p.Pairs, "pair", "pairs"), wording.Count(p.Texts, "text", "texts"), wording.Count(p.Tokens, "token", "tokens"), wording.Count(p.Words, "word", "words"))
		} else {
			report.note("%s with vectors of %d dimensions, %s and %s", wording.Count(p.Texts, "text", "texts"), p.TeacherDim, wording.Count(p.Tokens, "token", "tokens"), wording.Count(p.Words, "word", "words"))
		}
		if p.TeacherDim > p.Dim {
			report.note("the model has %d principal components of them, with %.1f %% of the variance", p.Dim, 100*p.Explained)
		}
		for _, left := range r.left(p) {
			if left.n > 0 {
				report.note("note: %s %s left out", wording.Count(left.n, what, what+"s"), left.why)
			}
		}
		if p.HeldOut > 0 {
			report.note("%s held out", wording.Count(p.HeldOut, what, what+"s"))
		}
		texts := ""
		if p.TextBytes > 0 {
			texts = fmt.Sprintf(", and texts take %.1f MB, %d bytes a text", float64(p.TextBytes)/1e6, p.TextBytes/uint64(max(p.Texts, 1)))
		}
		report.note("training takes %.1f MB of memory%s", float64(p.Bytes)/1e6, texts)
		report.mu.Lock()
		report.encode(rowsStartEvent{"start", p.Pairs, p.HeldOut, p.Texts, p.Tokens, p.Words, p.Rows, p.Dim, p.Bytes, p.TextBytes})
		report.mu.Unlock()
		r.sum.MemoryBytes, r.sum.ReadSeconds = p.Bytes, time.Since(r.begun).Seconds()
		r.begun, r.sum.CPUSeconds = time.Now(), -sysinfo.CPUTime().Seconds()
		return nil
	}
	h.Every = report.every()
	h.Progress = func(p pairs.Progress) {
		report.mu.Lock()
		defer report.mu.Unlock()
		report.encode(rowsProgressEvent{"progress", p.Pairs, p.Total, p.Epoch, p.LearningRate, p.Loss, p.Elapsed.Seconds()})
		if !report.bar {
			return
		}
		if report.current == nil {
			report.current = report.newBar(int64(p.Total))
		}
		report.draw(int64(p.Pairs), int64(p.Total), func() string {
			return fmt.Sprintf("epoch %d of %d, %.0f texts/s, lr %.5f, loss %s", p.Epoch, p.Epochs, float64(p.Texts)/max(p.Elapsed.Seconds(), 1e-9), p.LearningRate, lossText(p.Loss))
		})
	}
	h.Evaluated = func(e pairs.Evaluation, best bool) {
		report.event(rowsEvaluationEvent{"evaluation", e, best}, "epoch %d: held-out loss %s, %s%s", e.Epoch, lossText(e.Loss), r.found(e), when(best, ", the best so far"))
	}
	if r.file == "" {
		return h
	}
	h.CheckpointEvery = r.every
	h.Save = func(set *vectors.Set) {
		began := time.Now()
		var kept *train.Kept
		kept, r.unsaved = r.checkpoints.Write(r.saving, set)
		event := rowsCheckpointEvent{Event: "checkpoint", Path: r.file, Write: time.Since(began).Seconds()}
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

func (r *rowsRun) goOn(ctx context.Context, c *cobra.Command) (trained *pairs.Trained, err error) {
	from, err := format.OpenStream(r.resume, nil) // its rows are read once, and its file is replaced meanwhile
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	o, done, err := r.opened(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.resume, err)
	}
	epochs := 0
	if c.Flags().Changed("epochs") {
		epochs = r.o.Epochs
	}
	r.o.Epochs = max(epochs, o.Epochs)
	r.report.note("going on from %s: %d of %s are trained", r.resume, done, wording.Count(o.Epochs, "epoch", "epochs"))
	trained, err = r.again(ctx, from, epochs, r.hooks())
	if trained == nil && err != nil {
		err = fmt.Errorf("%s: %w", r.resume, pairsError(err))
	}
	return trained, err
}

func (r *rowsRun) train(ctx context.Context, c *cobra.Command) (trained *pairs.Trained, err error) {
	if r.init != "" {
		set, err := format.Open(r.init)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		given := c.Flags().Changed
		text := slices.ContainsFunc(append(strings.Fields(classifiedText), "phrase-table"), given)
		r.o.StartFrom(set, func(name string) bool { return name == "text" && text || name != "text" && given(name) })
	}
	return r.start(ctx, r.hooks())
}

// end saves what is trained. If training was interrupted, its checkpoint is enough; without one, the model so far is
// saved under a name that replaces nothing.
func (r *rowsRun) end(ctx context.Context, trained *pairs.Trained, stopped error) error {
	s := &r.sum
	s.TeacherDim, s.Explained, s.Dim = trained.TeacherDim, trained.Explained, trained.Vectors.Dim()
	s.Pairs, s.HeldOut, s.Texts, s.Tokens, s.Words, s.Rows = trained.Pairs, trained.HeldOut, trained.Texts, trained.Tokens, trained.Words, trained.Rows
	p := trained.Progress
	s.Epochs, s.Trained, s.Loss, s.Evaluations, s.Complete = r.o.Epochs, p.Pairs, p.Loss, append([]pairs.Evaluation{}, trained.Evaluations...), stopped == nil
	s.Early, s.Best = p.Early, trained.Best
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
		rowsSummary
	}{"done", *s}, "%s", s.text())
	r.report.summed = true
	if !s.Complete && s.Checkpoint != "" {
		r.report.note("--resume %s%s goes on", wording.Quoted(r.file), r.rest())
	}
	err := errors.Join(stopped, unsaved)
	if r.json {
		err = errors.Join(err, printJSON(r.out, s))
	}
	return err
}
