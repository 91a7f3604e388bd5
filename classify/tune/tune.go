// Package tune finds the settings of a classifier by successive halving: those with the best score on texts that are not
// trained.
package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Options say how settings are searched for.
type Options struct {
	// Options are where the search begins, without Patience and InOrder. HeldOut is the fraction of the corpus that is
	// measured, unless the corpus holds out other texts. Calibrate and UnknownPrecision are for the best model alone, which
	// has no ModelSize then.
	classify.Options

	// Fixed names settings that stay as they are, of those of Settings.
	Fixed []string
	// Metric is what is to become large. It is measured with the Number most probable labels of each text; 0 means 1 label,
	// or all labels for metrics of all thresholds.
	Metric labels.Metric
	Number int
	// Budget is how long the search may take, and training with the best settings if they were tried on a part of the texts
	// alone. The first trial may take longer. Trials, if above 0, is the number of trials instead: the result then is the same
	// each time.
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

// Hooks are called during a search. The zero value calls nothing.
type Hooks struct {
	classify.Hooks                          // of training after the search; Counted is called first
	Tried          func(t Trial, best bool) // after each trial; best if it is the best so far
	// Final is called after the search. Trained is nil if the best settings were not tried on all texts, and are now to be.
	Final func(best *Result)
}

// A Trial is a model that was trained with some settings.
type Trial struct {
	Number  int
	Options classify.Options
	Share   float64 // of the texts that were trained
	Score   float64 // NaN if the trial failed
	Failed  string  // why
	Seconds float64
}

// A Result is the best of many models.
type Result struct {
	*classify.Trained
	Options classify.Options // the best settings; classify.Train makes the same model of them
	Score   float64          // of the model
	Search  float64          // mean score of these settings in the search
	// Start is the first trial of the settings where the search began, on the largest share of the texts that they were tried on.
	// Its score is the mean of all those trials, as Search is of the best settings.
	Start  Trial
	Trials []Trial
}

// A tuner knows the texts of a search.
type tuner struct {
	Options
	hooks  Hooks
	all    *classify.Texts
	levels []*classify.Texts // what is trained, from a few texts to all
	held   *classify.Texts   // what is measured
	axes   []setting
	start  classify.Options
	labels int
	begun  time.Time

	mu     sync.Mutex // guards what follows
	trials map[int]Trial
	works  map[int]work // by trial
	pace   pace
}

// A made is the model of a trial, and how it becomes smaller.
type made struct {
	*classify.Trained
	fit fit
}

// Run searches for the settings with the best score on the texts that are held out, and trains a classifier with them. It tries
// many settings on a part of the corpus, and the better ones on larger parts, up to all of it; the best ones with three seeds.
// The corpus is read once. Texts that are held out are never trained.
//
// If ctx ends during the search, there is only its error; in training after the search, the model so far too, as in
// classify.Train.
func Run(ctx context.Context, c classify.Corpus, o Options, h Hooks) (best *Result, err error) {
	t := &tuner{Options: o, hooks: h, begun: time.Now(), trials: map[int]Trial{}, works: map[int]work{}}
	if err := t.validate(c.HoldsOut()); err != nil {
		return nil, err
	}
	if t.all, t.held, err = classify.Read(ctx, c, o.Options, nil); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.open(); err != nil {
		return nil, err
	}
	return t.search(ctx)
}

func (t *tuner) validate(holdsOut bool) error {
	o := &t.Options
	if err := o.Options.Validate(); err != nil {
		return err
	}
	switch {
	case holdsOut == (o.HeldOut > 0):
		return errors.New("tune: texts to measure must be held out: texts of their own, or a fraction of the corpus")
	case o.Patience > 0 || o.InOrder:
		return errors.New("tune: settings are searched for by a score at the end of training, without early stopping, and texts are shuffled")
	case o.Trials < 0 || o.Budget < 0 || (o.Trials == 0) == (o.Budget == 0):
		return errors.New("tune: the search needs a number of trials or a time, and not both")
	case o.ModelSize > 0 && (o.Calibrate || o.UnknownPrecision > 0):
		return errors.New("tune: a model that is quantised for its size is not calibrated: calibrate it afterwards")
	case o.ModelSize > 0 && o.Format == "":
		return errors.New("tune: the size of a model is that in a format, which is not given")
	case o.Number < -1:
		return fmt.Errorf("tune: the number of labels of a text is %d, must be at least 1, or -1 for all", o.Number)
	}
	for _, name := range o.Fixed {
		if !slices.Contains(Settings(), name) {
			return fmt.Errorf("tune: no setting that is searched for is called %q", name)
		}
	}
	o.Deterministic = true // so that a trial does not depend on the number of threads
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return nil
}

// leastTexts is how many texts a trial has at least, and leastOfLabel how many of the metric's label.
const leastTexts, leastOfLabel = 3000, 30

// label completes the metric's label, which may lack its prefix.
func (t *tuner) label() error {
	if t.Metric.Label == "" {
		return nil
	}
	for _, label := range []string{t.Metric.Label, cmp.Or(t.Fields.Prefix, corpus.DefaultPrefix) + t.Metric.Label} {
		if t.all.Labelled(label) > 0 {
			t.Metric.Label = label
			return nil
		}
	}
	return fmt.Errorf("tune: the metric is that of label %q, which no text has", t.Metric.Label)
}

// open divides the texts.
func (t *tuner) open() error {
	train := t.all
	if t.HeldOut > 0 {
		var err error
		if train, t.held, err = t.all.Split(t.HeldOut); err != nil {
			return err
		}
	}
	if err := t.label(); err != nil {
		return err
	}
	t.levels = []*classify.Texts{train}
	contents, err := train.Contents(t.Options.Options)
	if err != nil {
		return err
	}
	texts := float64(contents.Texts) * (1 - t.HeldOut)
	for texts > halving.Reduction*leastTexts {
		texts /= halving.Reduction
		part, rest, err := t.levels[0].Split(1 - 1./halving.Reduction)
		if err != nil {
			return err
		}
		if err := errors.Join(rest.Close(), part.Count()); err != nil {
			return errors.Join(err, part.Close())
		}
		if t.Metric.Label != "" && part.Labelled(t.Metric.Label) < leastOfLabel {
			if err := part.Close(); err != nil {
				return err
			}
			break
		}
		t.levels = slices.Insert(t.levels, 0, part)
	}
	if t.hooks.Counted != nil {
		t.hooks.Counted(contents)
	}
	t.start, t.labels = t.Options.Suited(contents), contents.Labels
	t.start.HeldOut, t.start.Calibrate, t.start.UnknownPrecision = 0, false, 0 // the texts are divided
	t.start.Loss = cmp.Or(t.start.Loss, sgns.Softmax)
	for _, s := range settings {
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

func (t *tuner) close() (err error) {
	for _, x := range append(t.levels, t.held) {
		if x != t.all {
			err = errors.Join(err, x.Close())
		}
	}
	return errors.Join(err, t.all.Close())
}

// try trains a model and measures it.
func (t *tuner) try(ctx context.Context, trial *halving.Trial) error {
	o := t.options(trial.Point)
	o.Threads, o.Seed = trial.Threads, o.Seed+uint64(trial.Repeat)
	share := math.Pow(halving.Reduction, float64(trial.Level+1-len(t.levels)))
	of := Trial{Number: trial.Number, Options: o, Share: share, Score: math.NaN()}
	o = scaled(o, share)
	var small fit
	begun, texts := time.Now(), t.levels[trial.Level]
	trained, err := texts.Train(ctx, o, classify.Hooks{})
	epoch := time.Since(begun).Seconds() * float64(o.Threads) / float64(max(o.Epochs, 1))
	if err == nil {
		small, err = t.fit(trained.Vectors)
	}
	if err == nil {
		of.Score, err = t.scorePruned(ctx, trained.Vectors, small, o.Threads)
	}
	if err == nil && small.quantised && trial.Number == 1 && t.Budget > 0 {
		err = t.measurePace(ctx, trained.Vectors, texts, o, small, epoch)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // another setting may do
		of.Failed, of.Score = err.Error(), math.NaN()
	}
	if trial.Score = of.Score; err == nil && trial.Level == len(t.levels)-1 && trial.Repeat == 0 {
		trial.Made = made{trained, small}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.trials[trial.Number] = of; err == nil {
		t.works[trial.Number] = workOf(trained.Vectors, o, small, epoch, share)
	}
	return nil
}

// scaled returns the settings for a share of the texts.
func scaled(o classify.Options, share float64) classify.Options {
	for _, least := range []*int{&o.MinCount, &o.MinLabelCount} {
		*least = max(1, int(math.Round(float64(*least)*share)))
	}
	return o
}

// scorePruned returns the score of a model without the rows that it has no room for. Training them again and quantising the others
// takes longer than a trial, and changes the order of models little.
func (t *tuner) scorePruned(ctx context.Context, set *vectors.Set, f fit, threads int) (float64, error) {
	if f.prunes() {
		var err error
		if set, err = transform.PruneClassifier(ctx, set, f.rows, transform.Computation{Force: t.Force}); err != nil {
			return math.NaN(), err
		}
	}
	return t.score(ctx, set, threads)
}

func (t *tuner) score(ctx context.Context, set *vectors.Set, threads int) (float64, error) {
	m, err := classify.New(set)
	if err != nil {
		return math.NaN(), err
	}
	return t.held.Score(ctx, m, t.Metric, t.Number, threads)
}

// search runs the trials, and trains with the best settings if they were tried on a part of the texts alone.
func (t *tuner) search(ctx context.Context) (*Result, error) {
	s := halving.Search{Start: t.point(), Key: t.key, Levels: len(t.levels), Seed: t.Seed, Threads: t.Threads, Most: t.Trials, Budget: t.Budget - time.Since(t.begun), Enough: t.Enough, Try: t.try, After: t.after}
	for _, a := range t.axes {
		s.Axes = append(s.Axes, a.Axis)
	}
	if len(t.axes) == 0 && t.Trials != 1 {
		return nil, errors.New("tune: every setting is given, so that there is nothing to search for")
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
	best, score := s.Run(ctx)
	of := &Result{Search: score}
	for _, number := range slices.Sorted(maps.Keys(t.trials)) {
		of.Trials = append(of.Trials, t.trials[number])
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case best == nil && len(of.Trials) > 0:
		return nil, fmt.Errorf("tune: no trial came to an end, the first because: %s", of.Trials[0].Failed)
	case best == nil:
		return nil, errors.New("tune: no trial came to an end before the search did")
	}
	options := t.options(best.Point)
	of.Options, of.Start = options, t.began(of.Trials)
	of.Options.HeldOut, of.Options.Calibrate, of.Options.UnknownPrecision = t.HeldOut, t.Calibrate, t.UnknownPrecision
	model, full := best.Made.(made)
	of.Trained = model.Trained
	if t.hooks.Final != nil {
		t.hooks.Final(of)
	}
	var err error
	texts := t.levels[len(t.levels)-1]
	if !full {
		hooks := t.hooks.Hooks
		hooks.Counted = nil // it was called
		if of.Trained, err = texts.Train(ctx, options, hooks); err == nil {
			model.fit, err = t.fit(of.Vectors)
		}
	}
	if of.Score = best.Score; err == nil && (!full || model.fit.quantised) {
		var small *vectors.Set
		if small, err = t.shrink(ctx, of.Vectors, texts, options, model.fit); err == nil {
			of.Vectors = small
			of.Score, err = t.score(ctx, small, t.Threads)
		}
	}
	if (t.Calibrate || t.UnknownPrecision > 0) && err == nil {
		err = t.held.Calibrate(ctx, of.Trained, t.UnknownPrecision)
	}
	if of.Trained == nil {
		return nil, err
	}
	return of, err
}

// began returns what Result.Start is.
func (t *tuner) began(trials []Trial) (first Trial) {
	sum, n, start := 0., 0., t.options(t.point())
	for _, trial := range trials {
		o := trial.Options
		o.Threads, o.Seed = start.Threads, start.Seed
		switch {
		case !reflect.DeepEqual(o, start) || trial.Share < first.Share || trial.Failed == "" && math.IsNaN(trial.Score):
			continue
		case trial.Share > first.Share:
			sum, n, first = 0, 0, trial
		}
		sum, n = sum+trial.Score, n+1
	}
	first.Score = sum / n
	return first
}
