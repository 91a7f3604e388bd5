package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
	"github.com/w2v-go/w2v/vocab"
)

// TuneOptions say how Tune searches for settings.
type TuneOptions struct {
	Options // where the search begins; without HeldOut, Patience and InOrder

	// Fixed names settings that stay as they are, of those of Tunable.
	Fixed []string
	// Metric is what is to become large. It is measured with the Number most probable labels of each text; 0 means 1 label,
	// or all labels for metrics of all thresholds.
	Metric labels.Metric
	Number int
	// Validation is labelled texts that are not trained. Without them, the fraction Share of the corpus is held out, as
	// Options.HeldOut does.
	Validation Corpus
	Share      float64
	// Budget is how long the search and the training of the best settings may take. Trials, if above 0, is the number of
	// trials instead: the result then is the same each time.
	Budget time.Duration
	Trials int
	// ModelSize, if above 0, is how many bytes a model may have in Format. A larger one is made smaller as fastText does: its
	// longest rows are kept, trained again and product-quantised. Quantize does that to smaller ones too.
	ModelSize uint64
	Format    format.Format
	Quantize  bool
	// Enough ends the search when it is closed; nil if nothing does. The best settings so far are trained.
	Enough <-chan struct{}
}

// TuneHooks are called while Tune runs. The zero value calls nothing.
type TuneHooks struct {
	Hooks                              // of the training with the best settings; Counted is called first
	Tried func(t TuneTrial, best bool) // after each trial; best if it is the best so far
	Final func(best *Tuned)            // before the best settings are trained; without Trained
}

// A TuneTrial is a model that was trained with some settings.
type TuneTrial struct {
	Number  int
	Options Options
	Share   float64 // of the texts that were trained
	Score   float64 // NaN if the trial failed
	Failed  string  // why
	Seconds float64
}

// A Tuned is the best of many models.
type Tuned struct {
	*Trained
	Options Options // the best settings; Train makes the same model of them
	Score   float64 // of the model
	Search  float64 // mean score of these settings in the search
	Trials  []TuneTrial
}

// A tunable is a setting that Tune changes.
type tunable struct {
	name string
	halving.Axis
	of func(*Options) *int // nil for those that are not whole numbers
}

var losses = []sgns.Loss{sgns.Softmax, sgns.OneVersusAll}

// tunables are in the order in which they are drawn.
var tunables = []tunable{
	{"epochs", halving.Axis{Low: 1, High: 100, Step: 0.8, Log: true}, func(o *Options) *int { return &o.Epochs }},
	{"lr", halving.Axis{Low: 0.01, High: 10, Step: 0.7, Log: true}, nil},
	{"dim", halving.Axis{Low: 4, High: 300, Step: 0.7, Log: true}, func(o *Options) *int { return &o.Dim }},
	{"word-ngrams", halving.Axis{Low: 1, High: 5, Step: 1}, func(o *Options) *int { return &o.WordNgrams }},
	{"minn", halving.Axis{Low: 1, High: 4, Step: 0.8}, func(o *Options) *int { return &o.MinN }},
	{"maxn", halving.Axis{Low: 1, High: 7, Step: 1.2}, func(o *Options) *int { return &o.MaxN }},
	{"buckets", halving.Axis{Low: 1 << 14, High: 1 << 23, Step: 0.7, Log: true}, func(o *Options) *int { return &o.Buckets }},
	{"min-count", halving.Axis{Low: 1, High: 10, Step: 0.7, Log: true}, func(o *Options) *int { return &o.MinCount }},
	{"loss", halving.Axis{Low: 0, High: 1, Step: 0.5}, nil},
}

// Tunable returns the names of the settings that Tune searches for, which are flags of w2v classify train.
func Tunable() (names []string) {
	for _, t := range tunables {
		names = append(names, t.name)
	}
	return names
}

// A tuner knows the texts of a search.
type tuner struct {
	TuneOptions
	hooks  TuneHooks
	all    *cache   // with the held-out texts
	levels []*cache // of the texts that are trained, from a few to all
	held   *cache   // the texts of the validation
	axes   []tunable
	start  Options
	labels int
	begun  time.Time

	mu     sync.Mutex // guards trials
	trials map[int]TuneTrial
}

// Tune searches for the settings with the best score on texts that are not trained, and trains a model with them. It tries
// many settings on a part of the corpus, and the better ones on larger parts, up to all of it; the best ones with three seeds.
// The corpus is read once. The texts of the validation are not trained in the end either.
//
// If ctx ends during the search, there is only its error; during the last training, the model so far too, as in Train.
func Tune(ctx context.Context, c Corpus, o TuneOptions, h TuneHooks) (best *Tuned, err error) {
	t := &tuner{TuneOptions: o, hooks: h, begun: time.Now(), trials: map[int]TuneTrial{}}
	if err := t.validate(); err != nil {
		return nil, err
	}
	if t.all, err = o.read(ctx, c); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	return t.search(ctx)
}

func (t *tuner) validate() error {
	o := &t.TuneOptions
	if err := o.Options.Validate(); err != nil {
		return err
	}
	given := o.Validation.names != nil || o.Validation.examples != nil
	switch {
	case given == (o.Share > 0) || !(o.Share >= 0 && o.Share < 1):
		return errors.New("classify: texts to validate with are needed: texts of their own, or a fraction of the corpus below 1")
	case o.HeldOut > 0 || o.Patience > 0 || o.InOrder:
		return errors.New("classify: settings are searched for by a score of the validation at the end of training, without held-out loss or early stopping, and texts are shuffled")
	case o.Trials < 0 || o.Budget < 0 || (o.Trials == 0) == (o.Budget == 0):
		return errors.New("classify: the search needs a number of trials or a time, and not both")
	case o.ModelSize > 0 && o.Format == "":
		return errors.New("classify: the size of a model is that in a format, which is not given")
	case o.Number < -1:
		return fmt.Errorf("classify: the number of labels of a text is %d, must be at least 1, or -1 for all", o.Number)
	}
	for _, name := range o.Fixed {
		if !slices.Contains(Tunable(), name) {
			return fmt.Errorf("classify: no setting that is searched for is called %q", name)
		}
	}
	o.Deterministic = true // so that a trial does not depend on the number of threads
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return nil
}

// leastTexts is how many texts a trial has at least, and leastOfLabel how many of the metric's label.
const leastTexts, leastOfLabel = 3000, 30

// label completes the metric's label, which may lack its prefix, and returns its token; -1 if there is none.
func (t *tuner) label() (token int, err error) {
	if t.Metric.Label == "" {
		return -1, nil
	}
	for _, label := range []string{t.Metric.Label, cmp.Or(t.Fields.Prefix, corpus.DefaultPrefix) + t.Metric.Label} {
		if id, ok := t.all.tokens.ID([]byte(labelMark + label)); ok {
			t.Metric.Label = label
			return int(id), nil
		}
	}
	return -1, fmt.Errorf("classify: the metric is that of label %q, which no text has", t.Metric.Label)
}

// open divides the texts.
func (t *tuner) open(ctx context.Context) error {
	train := t.all
	if t.Share > 0 {
		kept, held, err := t.all.split(t.Share)
		if err != nil {
			return err
		}
		train, t.held = t.all.with(kept), t.all.with(held)
	} else {
		var err error
		if t.held, err = t.Options.read(ctx, t.Validation); err != nil {
			return fmt.Errorf("the validation: %w", err)
		}
	}
	mark, err := t.label()
	if err != nil {
		return err
	}
	t.levels = []*cache{train}
	texts := float64(t.all.contents.Texts) * (1 - t.Share)
	for texts > halving.Reduction*leastTexts {
		texts /= halving.Reduction
		part, rest, err := t.levels[0].split(1 - 1./halving.Reduction)
		if err != nil {
			return err
		}
		less := t.all.with(part)
		if err := errors.Join(rest.Close(), less.count()); err != nil {
			return errors.Join(err, part.Close())
		}
		if mark >= 0 && less.counts[mark] < leastOfLabel {
			if err := part.Close(); err != nil {
				return err
			}
			break
		}
		t.levels = slices.Insert(t.levels, 0, less)
	}
	_, contents, err := train.data(t.Options)
	if err != nil {
		return err
	}
	if t.hooks.Counted != nil {
		t.hooks.Counted(contents)
	}
	t.start, t.labels = t.Options.suited(contents), contents.Labels
	t.start.Loss = cmp.Or(t.start.Loss, sgns.Softmax)
	for _, s := range tunables {
		fixed := slices.Contains(t.Fixed, s.name) || t.Init != nil && slices.Contains([]string{"dim", "minn", "maxn", "buckets"}, s.name)
		if s.name == "loss" { // other losses are for what softmax takes too long for, or were asked for
			fixed = fixed || !slices.Contains(losses, t.start.Loss)
		}
		if !fixed {
			t.axes = append(t.axes, s)
		}
	}
	return nil
}

// with returns the cache with a part of its ids.
func (x *cache) with(ids *vocab.IDs) *cache {
	return &cache{tokens: x.tokens, ids: ids, contents: x.contents, apart: x.apart}
}

// count counts the tokens of a part, so that words and labels that are not in it take no time.
func (x *cache) count() error {
	x.counts = make([]uint64, x.tokens.Len())
	reader := x.ids.Reader()
	for chunk := range x.ids.Chunks() {
		for _, piece := range reader.Chunk(chunk) {
			for _, id := range piece {
				x.counts[id&^vocab.EndOfSentence]++
			}
		}
	}
	return x.ids.Err()
}

func (t *tuner) close() (err error) {
	for _, x := range append(t.levels, t.held) {
		if x != nil && x != t.all {
			err = errors.Join(err, x.ids.Close())
		}
	}
	return errors.Join(err, t.all.ids.Close())
}

// point returns the values of the axes.
func (t *tuner) point() (point []float64) {
	for _, s := range t.axes {
		switch {
		case s.of != nil:
			point = append(point, float64(*s.of(&t.start)))
		case s.name == "lr":
			point = append(point, t.start.LearningRate)
		default:
			point = append(point, float64(slices.Index(losses, t.start.Loss)))
		}
	}
	return point
}

// options returns the settings of a point.
func (t *tuner) options(point []float64) Options {
	o := t.start
	free := map[string]bool{}
	for i, s := range t.axes {
		free[s.name] = true
		switch {
		case s.of != nil:
			*s.of(&o) = int(math.Round(point[i]))
		case s.name == "lr":
			o.LearningRate = point[i]
		default:
			o.Loss = losses[int(point[i])]
		}
	}
	switch {
	case free["maxn"] && o.MaxN < 2: // n-grams of one character tell nothing
		o.MaxN = 0
	case free["minn"] && o.MaxN > 0:
		o.MinN = min(max(o.MinN, 1), o.MaxN)
	case o.MaxN > 0:
		o.MaxN = max(o.MaxN, o.MinN)
	}
	if free["dim"] && o.Dim > 8 {
		o.Dim = (o.Dim + 4) / 8 * 8
	}
	if free["lr"] {
		if o.Loss != t.start.Loss { // points have the rate of the first loss
			o.LearningRate *= usualRate(o.Loss, t.labels) / usualRate(t.start.Loss, t.labels)
		}
		digits := math.Pow(10, 2-math.Floor(math.Log10(o.LearningRate)))
		o.LearningRate = math.Round(o.LearningRate*digits) / digits
	}
	return o
}

// try trains a model and measures it.
func (t *tuner) try(ctx context.Context, trial *halving.Trial) error {
	o := t.options(trial.Point)
	o.Threads, o.Seed = trial.Threads, o.Seed+uint64(trial.Repeat)
	share := math.Pow(halving.Reduction, float64(trial.Level+1-len(t.levels)))
	of := TuneTrial{Number: trial.Number, Options: o, Share: share, Score: math.NaN()}
	for _, least := range []*int{&o.MinCount, &o.MinLabelCount} {
		*least = max(1, int(math.Round(float64(*least)*share)))
	}
	trained, err := t.levels[trial.Level].train(ctx, o, nil, Hooks{}, trainsFrom(ctx))
	if err == nil {
		err = t.shrink(ctx, trained, t.levels[trial.Level], o)
	}
	if err == nil {
		of.Score, err = t.score(ctx, trained, o.Threads)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // another setting may do
		of.Failed, of.Score = err.Error(), math.NaN()
	}
	trial.Score = of.Score
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trials[trial.Number] = of
	return nil
}

func (t *tuner) score(ctx context.Context, trained *Trained, threads int) (float64, error) {
	m, err := New(trained.Vectors)
	if err != nil {
		return math.NaN(), err
	}
	score, _, err := t.held.evaluate(ctx, m, t.held.ids, t.Metric, t.Number, threads)
	return score, err
}

// leastRows is how many rows a quantised model has at least, and manyLabels from how many labels on their rows are quantised too.
const leastRows, manyLabels = 256, 256

// calmer is how many times lower the learning rate of rows that are trained again is, which are near their places.
const calmer = 10

// shrink makes a model as small as it must be.
func (t *tuner) shrink(ctx context.Context, trained *Trained, x *cache, o Options) error {
	if t.ModelSize == 0 {
		return nil
	}
	set := trained.Vectors
	if size, err := format.EncodedSize(set, t.Format); err != nil || size <= t.ModelSize && !t.Quantize {
		return err
	}
	opt := transform.ClassifierOptions{Norms: true, Output: set.Labels().Names.Len() >= manyLabels, Seed: o.Seed, Computation: transform.Computation{Force: o.Force}}
	all, err := transform.ClassifierRows(set)
	if err != nil {
		return err
	}
	// The size of a few rows says what there is beside rows.
	few, err := transform.PruneClassifier(ctx, set, min(all, leastRows), opt.Computation)
	if err != nil {
		return err
	}
	small, err := transform.QuantizeClassifier(ctx, few, opt)
	if err != nil {
		return err
	}
	beside, err := format.EncodedSize(small, t.Format)
	if err != nil {
		return err
	}
	beside -= uint64(codesAndNames(few))
	rows := min(all, int(t.ModelSize)/(set.Dim()/2))
	for rows >= min(all, leastRows) {
		pruned, err := transform.PruneClassifier(ctx, set, rows, opt.Computation)
		if err != nil {
			return err
		}
		size := beside + uint64(codesAndNames(pruned))
		if size <= t.ModelSize {
			if pruned, err = x.retrain(ctx, pruned, RetrainOptions{Epochs: o.Epochs, LearningRate: o.LearningRate / calmer, Negatives: o.Negatives, Seed: o.Seed}); err != nil {
				return err
			}
			if small, err = transform.QuantizeClassifier(ctx, pruned, opt); err != nil {
				return err
			}
			if size, err = format.EncodedSize(small, t.Format); err != nil || size <= t.ModelSize {
				trained.Vectors = small
				return err
			}
		}
		rows = min(rows-1, int(float64(rows)*min(0.99, float64(t.ModelSize)/float64(size))))
	}
	return fmt.Errorf("classify: %d rows of %d dimensions do not fit into %d bytes", min(all, leastRows), set.Dim(), t.ModelSize)
}

// codesAndNames returns about how many bytes the rows of a pruned classifier take in a quantised file: codes of 2 numbers, a
// length, and a word with its count, or the number of a bucket.
func codesAndNames(set *vectors.Set) (bytes int) {
	for _, word := range set.Words().All() {
		bytes += len(word) + 10
	}
	rows := set.Input().Rows + set.Labels().Runs.Rows
	return bytes + rows*((set.Dim()+1)/2+1) + 8*(rows-set.Len())
}

// search runs the trials, and trains with the best settings.
func (t *tuner) search(ctx context.Context) (*Tuned, error) {
	s := halving.Search{Start: t.point(), Levels: len(t.levels), Seed: t.Seed, Threads: t.Threads, Most: t.Trials, Budget: t.Budget - time.Since(t.begun), Try: t.try}
	for _, a := range t.axes {
		s.Axes = append(s.Axes, a.Axis)
	}
	if len(t.axes) == 0 && t.Trials != 1 {
		return nil, errors.New("classify: every setting is given, so that there is nothing to search for")
	}
	s.Tried = func(trial halving.Trial, best bool) {
		t.mu.Lock()
		of := t.trials[trial.Number]
		of.Seconds = trial.Seconds
		t.trials[trial.Number] = of
		t.mu.Unlock()
		if t.hooks.Tried != nil {
			t.hooks.Tried(of, best)
		}
	}
	searching, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-t.Enough:
			stop()
		case <-searching.Done():
		}
	}()
	best, score := s.Run(searching)
	of := &Tuned{Search: score}
	for _, number := range slices.Sorted(maps.Keys(t.trials)) {
		of.Trials = append(of.Trials, t.trials[number])
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case best == nil && len(of.Trials) > 0:
		return nil, fmt.Errorf("classify: no trial came to an end, the first because: %s", of.Trials[0].Failed)
	case best == nil:
		return nil, errors.New("classify: no trial came to an end before the search did")
	}
	of.Options = t.options(best.Point)
	of.Options.HeldOut = t.Share
	if t.hooks.Final != nil {
		t.hooks.Final(of)
	}
	hooks := t.hooks.Hooks
	hooks.Counted = nil // it was called
	var err error
	if of.Trained, err = t.all.train(ctx, of.Options, nil, hooks, trainsFrom(ctx)); err == nil {
		err = t.shrink(ctx, of.Trained, t.levels[len(t.levels)-1], of.Options)
	}
	if err == nil {
		of.Score, err = t.score(ctx, of.Trained, t.Threads)
	}
	if of.Trained == nil {
		return nil, err
	}
	return of, err
}
