package sweep

import (
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

	"gonum.org/v1/gonum/stat"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/halving"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// TuneOptions say how Tune searches for settings.
type TuneOptions struct {
	Corpus train.Corpus
	// Base are the settings where the search begins. Those that are given (train.Settings.Given) stay as they are. The zero
	// Settings stand for train.Defaults().
	Base train.Settings
	// Dims are the numbers of dimensions to try, between whole numbers. The zero Range keeps those of Base: more dimensions are
	// better for most sets, and cost more wherever vectors are used.
	Dims Range
	// Sets judge the vectors: see TunedTrial.Score. A set of which the vocabulary has too few words is left out, and Note says so. Without sets, the judge is the share of neighbours that models of two halves of
	// the text have in common.
	Sets     []eval.Set
	Restrict int // analogies use only this number of first words; 0 means all
	// Budget is how long Tune may take, from reading the corpus to the model. Trials, if above 0, is the largest number of trials instead:
	// the result then is the same each time, because training is deterministic.
	Budget time.Duration
	Trials int

	Cache       string // folder for the tokenised corpus: see train.Options.Cache
	VocabMemory uint64 // for counting: see train.Options.VocabMemory
	Force       bool   // train even if memory seems too small
	// Enough ends the search when it is closed; nil if nothing does. The best settings so far are the result.
	Enough <-chan struct{}
}

// TuneHooks are called while Tune runs. The zero value calls nothing.
type TuneHooks struct {
	Hooks                                // Reading, TooLong, Empty and Note; Start, Progress and Every of training after the search
	Read  func(tokens uint64, words int) // when the corpus has been read
	Tried func(t TunedTrial, best bool)  // after each trial; best if it is the best so far
	// Final is called after the search. Vectors is nil if a model of the settings is now trained on all of the text.
	Final func(*Tuned)
}

// A TunedTrial is a model that was trained with some settings.
type TunedTrial struct {
	Number   int
	Settings Settings // that differ from those where the search began, for the tokens of the trial
	Seed     uint64
	Share    float64 // of the text
	// Score is the mean over the sets of the difference to the score of the settings where the search began, with as much text, in
	// standard errors of that score. Above two, a difference counts by its logarithm, so that no set outweighs the others. It
	// is NaN if the trial failed.
	Score   float64
	Mean    eval.Score // of the scores of the sets
	Failed  string     // why
	Seconds float64
}

// A Tuned is the result of a search.
type Tuned struct {
	Vectors  *vectors.Set
	Settings train.Settings // of the vectors; train.Run makes the same vectors of the same corpus with Trials
	Changed  Settings       // what differs from Base
	// Best are the settings with the best score, and Gain says how much better they are than Base; nil if they were not compared on
	// all of the text. The vectors have other settings, those of Base, if the gain is no more than chance.
	// If Best are the settings where the search began, there is nothing to compare: no interval. Without one (Gain.Interval) it is not known whether the gain is chance, and the vectors have the settings Best.
	Best    Settings
	AtStart bool // Best are the settings where the search began, which may differ from Base by their dimensions
	Gain    *Gain
	Trials  []TunedTrial
	Tokens  uint64
	Words   int
}

// Tune searches for the settings with the best vectors for a text, by successive halving: it tries many settings on a part of the text,
// and the better ones on larger parts, up to all of it; the best ones and those where the search began with three seeds. Then it
// trains the best ones and those where it began with two seeds that no trial had, and compares these models. The corpus is read once.
//
// If ctx ends, there is only its error.
func Tune(ctx context.Context, o TuneOptions, h TuneHooks) (_ *Tuned, err error) {
	t := &tuner{TuneOptions: o, hooks: h, begun: time.Now(), trials: map[int]TunedTrial{}, known: map[string][]measured{}, fresh: map[string][]measured{}, scores: map[bool]map[string][]float64{false: {}, true: {}}, starts: map[int]yardstick{}}
	if err := t.validate(); err != nil {
		return nil, err
	}
	t.axes, t.start = axes(t.base, o.Dims, len(t.Sets) > 0)
	if o.Dims != (Range{}) && !slices.ContainsFunc(t.axes, func(axis tuned) bool { return axis.name == "dim" }) {
		return nil, errors.New("the dimensions are not searched for, because the settings that are given allow no others")
	}
	if len(t.axes) == 0 {
		return nil, errors.New("every setting is given, so that there is nothing to search for")
	}
	if t.text, err = h.Hooks.read(ctx, o.Corpus, t.base, train.ReadOptions{Cache: o.Cache, Memory: o.VocabMemory, Force: o.Force}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.open(); err != nil {
		return nil, err
	}
	if h.Read != nil {
		h.Read(t.text.IDs.Tokens(), t.text.Vocab.Len())
	}
	return t.search(ctx)
}

type tuner struct {
	TuneOptions
	hooks  TuneHooks
	base   train.Settings
	axes   []tuned
	start  []float64
	text   *train.Text
	levels []level // from a part of the text to all of it
	judge  judge
	begun  time.Time

	mu     sync.Mutex // guards what follows
	trials map[int]TunedTrial
	known  map[string][]measured         // by key, at the highest level, without samples: what the settings are chosen by
	fresh  map[string][]measured         // by key, of the comparison after the search
	scores map[bool]map[string][]float64 // by key, at the highest level; true for those of fresh
	starts map[int]yardstick             // by level
	first  *vectors.Set                  // of the start, at the highest level
	failed error                         // ends the search
	stop   context.CancelFunc
}

func (t *tuner) validate() error {
	t.base = t.Base
	if reflect.ValueOf(t.base).IsZero() {
		t.base = train.Defaults()
	}
	if err := t.base.Complete(); err != nil {
		return train.Spell(err, asKey)
	}
	switch {
	case t.Trials < 0 || t.Budget < 0 || (t.Trials == 0) == (t.Budget == 0):
		return errors.New("the search needs a number of trials or a time, and not both")
	case t.Dims != (Range{}) && !(1 <= t.Dims.Min && t.Dims.Min < t.Dims.Max):
		return fmt.Errorf("dimensions to try are from a number above 0 to a larger one, not from %v to %v", t.Dims.Min, t.Dims.Max)
	case t.Restrict < 0:
		return fmt.Errorf("restrict must not be negative, is %d", t.Restrict)
	case t.base.Model.Patience > 0:
		return errors.New("settings are searched for by a score at the end of training, without early stopping")
	}
	for _, set := range t.Sets {
		if set.Task == eval.TaskBias {
			return fmt.Errorf("the set %s is about bias, and a larger score of it is not better", set.Name)
		}
	}
	if t.Trials > 0 {
		t.base.Model.Deterministic = true
	}
	if t.base.Model.Threads == 0 {
		t.base.Model.Threads = runtime.GOMAXPROCS(0)
	}
	t.base.Model.Force = t.base.Model.Force || t.Force
	return nil
}

// A level is a part of the text, and the parts of it that a trial trains a model of each: all of it with sets, else two halves.
type level struct {
	trains []*vocab.IDs
}

// leastTokens is about how many tokens a trial has at least.
const leastTokens = 700_000

// open divides the text. Parts have whole sentences, and smaller parts are in larger ones.
func (t *tuner) open() (err error) {
	all := t.text.IDs
	if t.judge = (&givenSets{sets: t.Sets, restrict: t.Restrict, note: t.hooks.Note}); len(t.Sets) == 0 {
		if t.judge, err = newNeighbours(t.text.Vocab); err != nil {
			return err
		}
	}
	for share := 1.0; ; share /= halving.Reduction {
		if share < 1 && float64(all.Tokens())*share < leastTokens {
			return nil
		}
		t.levels = slices.Insert(t.levels, 0, level{})
		parts := [][2]float64{{0, share}}
		if len(t.Sets) == 0 {
			parts = [][2]float64{{0, share / 2}, {0.5, 0.5 + share/2}}
		}
		for _, part := range parts {
			ids := all
			if part[1]-part[0] < 1 {
				if ids, err = all.Pick(sampled(part[0], part[1])); err != nil {
					return err
				}
				if ids.Tokens() == 0 {
					return errors.Join(errSmall, ids.Close())
				}
			}
			t.levels[0].trains = append(t.levels[0].trains, ids)
		}
	}
}

// sampled returns a function that picks the sentences whose random number, from 0 to 1, is between two.
func sampled(from, to float64) func([]uint32) bool {
	n := uint64(0)
	return func([]uint32) bool {
		n++
		x := n * 0x9e3779b97f4a7c15 // splitmix64 of Steele, Lea and Flood 2014
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		u := float64((x^x>>31)>>11) / (1 << 53)
		return from <= u && u < to
	}
}

func (t *tuner) close() (err error) {
	for _, level := range t.levels {
		for _, ids := range level.trains {
			if ids != t.text.IDs {
				err = errors.Join(err, ids.Close())
			}
		}
	}
	return errors.Join(err, t.text.Close())
}

// part returns the text with a part of its sentences.
func (t *tuner) part(ids *vocab.IDs) *train.Text {
	part := *t.text
	part.IDs, part.Tokens = ids, ids.Tokens() // of which the number of epochs depends
	return &part
}

// config returns the configuration of a model of the settings.
func (t *tuner) config(s train.Settings, threads int, seed uint64) sgns.Config {
	c := s.Model
	c.Threads, c.Seed = threads, seed
	return c
}

// seedsApart is how far apart the seeds of the models of two halves are.
const seedsApart = 1 << 32

// try trains a model, or one of each half, and measures them.
func (t *tuner) try(ctx context.Context, trial *halving.Trial) error {
	begun, level, key := time.Now(), t.levels[trial.Level], t.key(trial.Point, trial.Level)
	share := math.Pow(halving.Reduction, float64(trial.Level+1-len(t.levels)))
	highest := trial.Level == len(t.levels)-1
	settings, changed, err := t.settings(trial.Point, level.trains[0].Tokens())
	of := TunedTrial{Number: trial.Number, Settings: changed, Seed: t.base.Model.Seed + uint64(trial.Repeat), Share: share, Score: math.NaN()}
	var sets []*vectors.Set
	for i, ids := range level.trains {
		if err == nil {
			var model *sgns.Model
			if model, err = t.part(ids).Train(ctx, t.config(settings, trial.Threads, of.Seed+uint64(i)*seedsApart), sgns.Hooks{}); err == nil {
				sets = append(sets, model.Vectors)
			}
		}
	}
	isStart := key == t.key(t.start, trial.Level)
	t.mu.Lock()
	isFirst := isStart && t.starts[trial.Level] == nil // the search tries it before all others
	t.mu.Unlock()
	var records []eval.Record
	if err == nil {
		records, err = t.judge.measure(ctx, sets, isFirst)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, unusable := errors.AsType[*unusableError](err); unusable {
		t.fail(err)
	}
	if err != nil { // other settings may do
		of.Failed = err.Error()
	} else {
		if isFirst {
			t.starts[trial.Level] = records
		}
		of.Mean = meanScore(records)
		of.Score = stat.Mean(t.starts[trial.Level].differences(func(set int) eval.Score { return records[set].Score }), nil)
	}
	trial.Score = of.Score
	t.trials[trial.Number] = of
	if trial.Number == 1 && t.Budget > 0 {
		t.checkBudget(time.Since(begun).Seconds() * float64(trial.Threads) / float64(t.base.Model.Threads) / share)
	}
	if err != nil || !highest {
		return nil
	}
	t.scores[trial.Fresh][key] = append(t.scores[trial.Fresh][key], of.Score)
	if trial.Fresh {
		t.fresh[key] = append(t.fresh[key], measured{trial.Repeat, records})
	} else {
		without := wording.Map(records, func(r eval.Record) eval.Record { return eval.Record{Summary: r.Summary} }) // samples take memory
		t.known[key] = append(t.known[key], measured{trial.Repeat, without})
	}
	if trial.Repeat == 0 && len(t.Sets) > 0 {
		if trial.Made = sets[0]; isStart {
			t.first = sets[0]
		}
	}
	return nil
}

// fail ends the search with an error. The caller has locked t.
func (t *tuner) fail(err error) {
	if t.failed == nil {
		t.failed = err
		t.stop()
	}
}

// leastModels is how many times as long as training the settings of the start on all of the text a search has to take: with less, it
// compares nothing there.
const leastModels = 8

func (t *tuner) checkBudget(full float64) {
	if least := time.Duration(leastModels * full * float64(time.Second)); time.Since(t.begun)+least > t.Budget {
		t.fail(fmt.Errorf("the time of %v is too short: a trial with all of this text takes about %v, and a search at least %d of them. Give it %v or more, or a part of the text",
			t.Budget, time.Duration(full*float64(time.Second)).Round(time.Second/10), leastModels, (2 * least).Round(time.Second)))
	}
}

// after returns how long training takes after the search.
func (t *tuner) after(trial *halving.Trial) time.Duration {
	if len(t.Sets) > 0 {
		return 0
	}
	share := math.Pow(halving.Reduction, float64(trial.Level+1-len(t.levels)))
	return time.Duration(trial.Seconds * float64(trial.Threads) / float64(t.base.Model.Threads) / share * float64(time.Second))
}

var errPlanned = errors.New("planned")

// atOnce returns how many models fit into memory.
func (t *tuner) atOnce(ctx context.Context) int {
	point := slices.Clone(t.start)
	for i, axis := range t.axes {
		if axis.name == "subwords" || axis.name == "dim" || axis.name == "maxn" {
			point[i] = axis.High
		}
	}
	settings, _, err := t.settings(point, t.text.IDs.Tokens())
	if err != nil {
		return 1
	}
	need := uint64(math.MaxUint64)
	_, _ = t.text.Train(ctx, t.config(settings, 1, t.base.Model.Seed), sgns.Hooks{Start: func(p sgns.Plan) error {
		need = p.Bytes
		return errPlanned
	}})
	limit, _ := sysinfo.MemoryLimit()
	used := sysinfo.MemoryInUse()
	if limit <= used {
		return 1
	}
	const kept = 3 // models that are measured, of the start, and of the best settings so far
	return int(min(max(float64(limit-used)*0.8/float64(need)-kept, 1), 16))
}

// then returns the points that are tried after the start: that with n-grams, or without them.
func (t *tuner) then() (all [][]float64) {
	for i, axis := range t.axes {
		if axis.name == "subwords" {
			point := slices.Clone(t.start)
			point[i] = 1 - point[i]
			all = append(all, point)
		}
	}
	return all
}

func (t *tuner) search(ctx context.Context) (*Tuned, error) {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	t.stop = stop
	s := halving.Search{
		Start: t.start, Then: t.then(), Key: t.key, Compare: true, Levels: len(t.levels), Seed: t.base.Model.Seed,
		Threads: t.base.Model.Threads, AtOnce: t.atOnce(ctx), Most: t.Trials, Budget: t.Budget - time.Since(t.begun),
		Enough: t.Enough, Try: t.try, After: t.after, Tried: t.tried,
	}
	for _, axis := range t.axes {
		s.Axes = append(s.Axes, axis.Axis)
	}
	best, _ := s.Run(searching)
	of := &Tuned{Tokens: t.text.IDs.Tokens(), Words: t.text.Vocab.Len()}
	for _, number := range slices.Sorted(maps.Keys(t.trials)) {
		of.Trials = append(of.Trials, t.trials[number])
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case t.failed != nil:
		return nil, t.failed
	case best == nil && len(of.Trials) > 0:
		return nil, fmt.Errorf("the settings where the search begins cannot be trained: %s", of.Trials[0].Failed)
	case best == nil:
		return nil, errors.New("no trial came to an end before the search did")
	}
	return of, t.conclude(ctx, of, best)
}

func (t *tuner) tried(trial halving.Trial, best bool) {
	t.mu.Lock()
	of := t.trials[trial.Number]
	of.Seconds = trial.Seconds
	t.trials[trial.Number] = of
	t.mu.Unlock()
	if t.hooks.Tried != nil {
		t.hooks.Tried(of, best)
	}
}

// gain compares a point with the start. Models by which the point was chosen give no interval.
func (t *tuner) gain(point []float64) (*Gain, error) {
	highest := len(t.levels) - 1
	start, best := t.key(t.start, highest), t.key(point, highest)
	if len(t.fresh[start]) == 0 || len(t.fresh[best]) == 0 {
		return gainOf(t.starts[highest], t.known[start], t.known[best], math.NaN(), 0)
	}
	var groups [][]float64
	for _, fresh := range []bool{false, true} { // apart, because the mean of the others was chosen
		for _, key := range slices.Sorted(maps.Keys(t.scores[fresh])) {
			groups = append(groups, t.scores[fresh][key])
		}
	}
	deviation, freedom := pooled(groups)
	return gainOf(t.starts[highest], t.fresh[start], t.fresh[best], deviation, freedom)
}

// conclude compares the best settings with those of the start, and trains with the better ones unless a trial has.
func (t *tuner) conclude(ctx context.Context, of *Tuned, best *halving.Trial) (err error) {
	tokens, point := t.text.IDs.Tokens(), best.Point
	of.Vectors, _ = best.Made.(*vectors.Set)
	if _, of.Best, err = t.settings(point, tokens); err != nil {
		return err
	}
	if of.Gain, err = t.gain(point); err != nil {
		return err
	}
	of.AtStart = slices.Equal(point, t.start)
	if g := of.Gain; g != nil && of.AtStart {
		g.Best, g.BestSeeds, g.Score, g.Interval = g.Start, g.StartSeeds, 0, eval.Interval{}
		for i := range g.Sets {
			g.Sets[i].Best = g.Sets[i].Start
		}
	}
	if of.Gain != nil && of.Gain.Interval.Known && !of.Gain.Found() {
		point, of.Vectors = t.start, t.first
	}
	if of.Settings, of.Changed, err = t.settings(point, tokens); err != nil {
		return err
	}
	if t.hooks.Final != nil {
		t.hooks.Final(of)
	}
	if of.Vectors != nil {
		return nil
	}
	hooks := sgns.Hooks{Start: t.hooks.Start, Progress: t.hooks.Progress, Every: t.hooks.Every}
	model, err := t.text.Train(ctx, t.config(of.Settings, t.base.Model.Threads, t.base.Model.Seed), hooks)
	if model != nil {
		of.Vectors = model.Vectors
	}
	return err
}
