// Package sweep trains many models with different settings on one corpus. It reports each model's
// scores, their uncertainty, and the model's cost. The corpus is read once, and all models have the
// same vocabulary.
//
// A [Config] names the corpus, the evaluation sets, and variants: settings, each with the values to
// try. Settings have the names of package train's table, which docs/settings.md lists:
//
//	config := sweep.Config{
//		Corpus:   train.Files("wiki.txt.gz"),
//		Variants: []sweep.Variant{{Axes: []sweep.Axis{sweep.Values("dim", 50, 100), sweep.Values("window", 3, 5)}}},
//		Sets:     []sweep.Set{{Kind: eval.TaskSimilarity, Path: "ws353.tsv"}},
//		Seeds:    []uint64{1, 2, 3},
//		Output:   "wiki-sweep",
//	}
//	report, err := sweep.Run(ctx, config, sweep.Hooks{})
//
// This trains 2 × 2 points and two baselines with 3 seeds each. The baselines are random vectors,
// and the first point with 8 dimensions. Parse reads a Config from a TOML file, as w2v sweep does.
//
// Run appends each result to results.jsonl in the folder Output. An interrupted sweep continues:
// Run skips trials whose results are in the file. [Report.Table] and [Report.Write] make tables and
// plots of a report. Points with invalid combinations of settings are skipped, with the reason.
package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// Hooks are called while a sweep runs. The zero value calls nothing.
type Hooks struct {
	Reading  func(tokens uint64)          // while the corpus is read, from several goroutines
	TooLong  func(corpus.TooLong)         // before Read, if tokens were left out
	Empty    func(corpus.Empty)           // before Read, if some inputs have no text
	Note     func(text string)            // before Read, what the user should know about the cache; of Tune also sets that are left out
	Read     func(Begun)                  // when the corpus has been read
	Begin    func(p Point, seed uint64)   // before a trial
	Start    func(sgns.Plan) error        // see sgns.Hooks
	Progress func(sgns.Progress)          // while a model is trained
	Every    time.Duration                // between two calls of Progress
	End      func(r Result, earlier bool) // after each trial, also of a skipped point; earlier if an earlier run did the trial
}

// Begun says what is to be done, once the corpus has been read.
type Begun struct {
	Tokens uint64 // of the corpus
	Words  int    // of the vocabulary
	Trials int    // of all points and seeds
	Done   int    // trials in Log, done by an earlier run
	Older  int    // trials of another revision of the algorithm, which are repeated
	Log    string // the file of results
}

// A Report holds the results of a sweep.
type Report struct {
	Points []Outcome // the baselines first
	Trials int       // points times seeds
	Done   int       // trials with a model
}

// An Outcome is a point and its results, one for each trained seed.
type Outcome struct {
	Point
	Results []Result
}

// Run trains and evaluates every point with every seed, and appends each result to results.jsonl in
// the folder c.Output. It skips trials that an earlier run has written there, unless another
// revision of the algorithm trained them. Report.Write adds a table and plots.
//
// If the context ends, Run returns the results so far with the context's error. If a model cannot
// be trained, for example because training diverges, its result says so. Run returns an error if
// there is no model at all.
func Run(ctx context.Context, c Config, h Hooks) (_ *Report, err error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	points, err := c.Points()
	if err != nil {
		return nil, err
	}
	sets, err := readSets(&c)
	if err != nil {
		return nil, err
	}
	files, err := c.Corpus.Paths(ctx, c.Base.Text)
	if err != nil {
		return nil, err
	}
	if err := c.apart(files); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return nil, compression.Named(c.Output, err)
	}
	// Another sweep would write between the lines of this one, and replace its tables.
	results := filepath.Join(c.Output, "results.jsonl")
	lock, err := atomicfile.NewLock(results)
	if none, ok := errors.AsType[*atomicfile.NoLockError](err); ok {
		if err = nil; h.Note != nil {
			h.Note(none.Error())
		}
	}
	if err != nil {
		return nil, err
	}
	if lock != nil {
		defer lock.Release()
	}
	log, err := openLog(results)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.file.Close()) }()
	text, err := h.read(ctx, c.Corpus, c.Base, train.ReadOptions{Cache: c.Cache, Memory: c.VocabMemory, Force: c.Force})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	r := &run{config: c, hooks: h, sets: sets, log: log, text: text, corpus: fingerprint(text.IDs, text.Vocab)}
	r.words = vectors.NewWords(text.Vocab.Tokens()...)
	return r.all(ctx, points)
}

// read reads a corpus, and tells of it.
func (h Hooks) read(ctx context.Context, c train.Corpus, s train.Settings, o train.ReadOptions) (*train.Text, error) {
	o.Note, o.Reading = h.Note, h.Reading
	text, err := train.Read(ctx, c, s, o)
	if text != nil && text.TooLong.Tokens > 0 && h.TooLong != nil {
		h.TooLong(text.TooLong)
	}
	if text != nil && text.Empty.Inputs > 0 && h.Empty != nil {
		h.Empty(text.Empty)
	}
	if err != nil {
		return nil, train.Spell(err, asKey)
	}
	return text, nil
}

// apart returns an error if the sweep would both read and write a file, such as the corpus files.
func (c *Config) apart(files []string) error {
	var all []fileuse.Place
	add := func(role string, use fileuse.Use, paths ...string) {
		for _, path := range paths {
			if path != "" {
				all = append(all, fileuse.Place{Role: role, Path: path, Use: use})
			}
		}
	}
	add("output", fileuse.Fills, c.Output)
	add("the cache", fileuse.Keeps, c.Cache)
	add("the corpus", fileuse.Reads, files...)
	add("the corpus", fileuse.Lists, c.folders...)
	for _, set := range c.Sets {
		add(string(set.Kind), fileuse.Reads, set.Path)
	}
	if file := c.Base.Text.File; file != nil {
		add("tokenizer", fileuse.Reads, file.Path())
	}
	if conflict := fileuse.Check(all); conflict != nil {
		return fmt.Errorf(conflict.Format, conflict.Args...)
	}
	return nil
}

type run struct {
	config Config
	hooks  Hooks
	sets   *sets
	log    *log
	text   *train.Text
	words  vectors.Words
	corpus string // fingerprint of the corpus
}

func (r *run) all(ctx context.Context, points []Point) (*Report, error) {
	report := &Report{Points: make([]Outcome, len(points))}
	begun := Begun{Tokens: r.text.IDs.Tokens(), Words: r.text.Vocab.Len(), Log: r.log.path}
	for i, p := range points {
		report.Points[i].Point = p
		if p.Skipped != "" {
			continue
		}
		for _, seed := range r.config.Seeds {
			key, err := r.key(p, seed)
			if err != nil {
				return report, err
			}
			begun.Trials++
			if _, ok := r.earlier(key); ok {
				begun.Done++
			} else if result, ok := r.log.done[key]; ok && result.Revision != sgns.Revision {
				begun.Older++
			}
		}
	}
	report.Trials = begun.Trials
	if tell := r.hooks.Read; tell != nil {
		tell(begun)
	}
	var failed string // the first failure
	for i, p := range points {
		if p.Skipped != "" {
			r.end(Result{Trial: p.trial(0)}, false)
			continue
		}
		for _, seed := range r.config.Seeds {
			result, err := r.trial(ctx, p, seed)
			if err != nil {
				return report, err
			}
			report.Points[i].Results = append(report.Points[i].Results, result)
			if result.done() {
				report.Done++
			} else if failed == "" {
				failed = result.Failed
			}
		}
	}
	trained := func(o Outcome) bool { return o.Baseline != RandomVectors && len(o.models()) > 0 }
	if failed != "" && !slices.ContainsFunc(report.Points, trained) {
		return report, fmt.Errorf("no model could be trained, the first because: %s", failed)
	}
	return report, nil
}

func (r *run) end(result Result, earlier bool) {
	if tell := r.hooks.End; tell != nil {
		tell(result, earlier)
	}
}

// earlier returns an earlier result of the same algorithm, with its model where these are kept.
func (r *run) earlier(key string) (Result, bool) {
	result, ok := r.log.done[key]
	if !ok || !result.done() || result.Revision != sgns.Revision {
		return Result{}, false
	}
	if r.config.Keep {
		if _, err := os.Stat(r.model(key)); err != nil {
			return Result{}, false
		}
	}
	return result, true
}

func (r *run) model(key string) string {
	return filepath.Join(r.config.Output, "models", key+".w2v")
}

func (r *run) trial(ctx context.Context, p Point, seed uint64) (Result, error) {
	key, err := r.key(p, seed)
	if err != nil {
		return Result{}, err
	}
	result, earlier := r.earlier(key)
	result.Trial = p.trial(seed) // the trial may have another number in an earlier sweep
	result.Key, result.Revision = key, sgns.Revision
	if earlier {
		r.end(result, true)
		return result, nil
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if tell := r.hooks.Begin; tell != nil {
		tell(p, seed)
	}
	set, err := r.vectors(ctx, p, seed, &result)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		result.Failed = err.Error()
		r.end(result, false)
		return result, nil
	}
	t := set.Training() // the training record says how words are looked up
	r.text.Describe(&t)
	set = set.WithTraining(t)
	if result.Evaluations, err = r.sets.evaluate(ctx, set); err == nil {
		err = result.measure(set)
	}
	if err == nil && r.config.Keep {
		err = r.keep(ctx, &result, set)
	}
	if err == nil {
		err = r.log.add(result)
	}
	if err != nil {
		return Result{}, err
	}
	r.end(result, false)
	return result, nil
}

func (p Point) trial(seed uint64) Trial {
	return Trial{Point: p.Number, Variant: p.Variant, Baseline: p.Baseline, Settings: p.Settings, Seed: seed, Skipped: p.Skipped}
}

func (r *run) keep(ctx context.Context, result *Result, set *vectors.Set) error {
	result.Model = r.model(result.Key)
	folder := filepath.Dir(result.Model)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return compression.Named(folder, err)
	}
	return format.Write(ctx, result.Model, set, format.W2V)
}

func (r *run) vectors(ctx context.Context, p Point, seed uint64, result *Result) (*vectors.Set, error) {
	config := p.settings.Model
	config.Threads, config.Seed = r.config.Base.Model.Threads, seed
	config.Force = config.Force || r.config.Force
	config.Epochs = cmp.Or(config.Epochs, r.text.EpochsFor(config))
	result.Threads = config.Threads
	if p.Baseline == RandomVectors {
		return r.random(config.Dim, seed)
	}
	start, cpu := time.Now(), sysinfo.CPUTime()
	hooks := sgns.Hooks{Start: r.hooks.Start, Progress: r.hooks.Progress, Every: r.hooks.Every}
	model, err := sgns.Train(ctx, sgns.Data{IDs: r.text.IDs, Vocab: r.text.Vocab}, config, hooks)
	if err != nil {
		return nil, err
	}
	result.Seconds, result.CPUSeconds = time.Since(start).Seconds(), (sysinfo.CPUTime() - cpu).Seconds()
	result.Tokens = model.Progress.Tokens
	result.TokensPerSecond = model.Progress.TokensPerSecond
	if x := model.Progress.Loss; !math.IsNaN(x) && !math.IsInf(x, 0) {
		result.Loss = &x
	}
	return model.Vectors, nil
}

func (r *run) random(dim int, seed uint64) (*vectors.Set, error) {
	m := vectors.NewMatrix(r.text.Vocab.Len(), dim)
	g := rand.New(rand.NewPCG(seed, 0))
	for i := range m.Rows {
		row := m.Row(i)
		for k := range row {
			row[k] = float32(g.NormFloat64())
		}
	}
	return vectors.New(vectors.Parts{Words: r.words, Counts: r.text.Vocab.Counts(), Input: m})
}
