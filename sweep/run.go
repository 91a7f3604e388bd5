package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// An Environment is what a sweep has around it.
type Environment struct {
	Configure Configure
	Stdin     io.Reader            // the corpus "-"
	Cache     string               // folder for the tokenised corpus, see vocab.Index
	CPUTime   func() time.Duration // that the process has used
	Force     bool                 // see sgns.Config
	Hooks     Hooks
}

// Hooks are called while a sweep runs. The zero value calls nothing.
type Hooks struct {
	Counted  func(tokens uint64)                                        // while the corpus is read, from several goroutines
	TooLong  func(corpus.TooLong)                                       // before Read, if tokens were left out
	Read     func(tokens uint64, words, trials, done int, where string) // when it has been read: trials in all, and those that are done already
	Older    func(trials int, where string)                             // then, if so many trials have results of another revision of the algorithm, and are done again
	Begin    func(p Point, seed uint64)                                 // before a trial
	Start    func(sgns.Plan) error                                      // see sgns.Hooks
	Progress func(sgns.Progress)                                        // while one trains
	Every    time.Duration
	End      func(r Result, before bool) // after each; before if an earlier run did it. Of a skipped point too, once
}

// A Report is what a sweep has found.
type Report struct {
	Points []Outcome // the baselines first
	Trials int       // that there are, of all seeds
	Done   int       // of them, those with a model
}

// An Outcome is a point and its results, one a seed that has been trained.
type Outcome struct {
	Point
	Results []Result
}

// Run trains and evaluates every point with every seed, and writes what it finds to
// results.jsonl in the folder c.Output as results come. What a run before has written there
// is not done again, unless another revision of the algorithm did it. Report.Write adds a table and plots.
//
// If the context ends, Run returns what is done by then with the context's error. A model
// that cannot be trained, because training diverges, for example, is a result that says so.
// It is an error if there is no model at all.
func Run(ctx context.Context, c Config, env Environment) (*Report, error) {
	if c.Output == "" {
		return nil, errors.New(`no folder for the results: output = "sweep" names one`)
	}
	points, err := c.Points(env.Configure)
	if err != nil {
		return nil, err
	}
	exams, err := readExams(c)
	if err != nil {
		return nil, err
	}
	src, err := corpus.Files(c.Corpus, env.Stdin, corpus.Options{Tokenizer: c.Tokenizer, Lowercase: c.Lowercase})
	if err != nil {
		return nil, err
	}
	if err := apart(c.Output, src.Files()); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return nil, named(c.Output, err)
	}
	log, err := openLog(filepath.Join(c.Output, "results.jsonl"))
	if err != nil {
		return nil, err
	}
	v, ids, err := vocab.Index(ctx, src, vocab.Options{MinCount: c.MinCount, MaxVocab: c.MaxVocab, Threads: c.Threads, Force: env.Force, TooLong: env.Hooks.TooLong, Progress: env.Hooks.Counted}, env.Cache)
	if _, ok := errors.AsType[*vocab.RareError](err); ok {
		err = fmt.Errorf("%w: see min-count", err)
	}
	if err != nil {
		return nil, errors.Join(err, log.close())
	}
	r := &run{config: c, env: env, exams: exams, log: log, vocab: v, ids: ids, corpus: fingerprint(ids, v)}
	r.words = vectors.NewWords(v.Tokens()...)
	report, err := r.all(ctx, points)
	if err := errors.Join(ids.Close(), log.close()); err != nil {
		return report, err
	}
	return report, err
}

// apart returns an error if the corpus has files in the folder of the results, which would
// change it.
func apart(folder string, files []string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		if strings.HasPrefix(path, folder+string(filepath.Separator)) {
			return fmt.Errorf("%s is part of the corpus and lies in the folder of the results: choose another folder", file)
		}
	}
	return nil
}

// run is a sweep under way.
type run struct {
	config Config
	env    Environment
	exams  *exams
	log    *log
	vocab  *vocab.Vocab
	words  vectors.Words
	ids    *corpus.IDs
	corpus string // its fingerprint
}

// all does all trials that are not done.
func (r *run) all(ctx context.Context, points []Point) (*Report, error) {
	report := &Report{Points: make([]Outcome, len(points))}
	done, older := 0, 0
	for i, p := range points {
		report.Points[i].Point = p
		if p.Skipped != "" {
			continue
		}
		for _, seed := range r.config.Seeds {
			key, err := keyOf(p, uint64(seed), r.corpus, r.exams.print)
			if err != nil {
				return report, err
			}
			report.Trials++
			if _, ok := r.before(key); ok {
				done++
			} else if result, ok := r.log.done[key]; ok && result.Revision != sgns.Revision {
				older++
			}
		}
	}
	if tell := r.env.Hooks.Read; tell != nil {
		tell(r.ids.Tokens(), r.vocab.Len(), report.Trials, done, r.log.path)
	}
	if tell := r.env.Hooks.Older; tell != nil && older > 0 {
		tell(older, r.log.path)
	}
	var failed string // the first
	for i, p := range points {
		if p.Skipped != "" {
			r.end(Result{Trial: p.trial(0)}, false)
			continue
		}
		for _, seed := range r.config.Seeds {
			result, err := r.trial(ctx, p, uint64(seed))
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
	if failed != "" && !report.trained() {
		return report, fmt.Errorf("no model could be trained, the first because: %s", failed)
	}
	return report, nil
}

// trained tells whether there is a result of any point but random vectors.
func (r *Report) trained() bool {
	for _, o := range r.Points {
		for _, result := range o.Results {
			if result.done() && o.Baseline != RandomVectors {
				return true
			}
		}
	}
	return false
}

// before returns the result that an earlier run of the same algorithm has found, if its
// model is there where models are kept.
func (r *run) before(key string) (Result, bool) {
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

// model is where the model with that key is kept.
func (r *run) model(key string) string {
	return filepath.Join(r.config.Output, "models", key+".w2v")
}

func (r *run) end(result Result, before bool) {
	if tell := r.env.Hooks.End; tell != nil {
		tell(result, before)
	}
}

// trial returns the result of a point with a seed. The error is one that ends the sweep.
func (r *run) trial(ctx context.Context, p Point, seed uint64) (Result, error) {
	key, err := keyOf(p, seed, r.corpus, r.exams.print)
	if err != nil {
		return Result{}, err
	}
	result, before := r.before(key)
	result.Trial = p.trial(seed) // an earlier sweep may have given it another number
	result.Key, result.Revision = key, sgns.Revision
	if before {
		r.end(result, true)
		return result, nil
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if tell := r.env.Hooks.Begin; tell != nil {
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
	if result.Evaluations, err = r.exams.evaluate(ctx, set); err != nil {
		return Result{}, err
	}
	if err := result.measure(set); err != nil {
		return Result{}, err
	}
	if r.config.Keep {
		if err := r.keep(ctx, &result, set); err != nil {
			return Result{}, err
		}
	}
	if err := r.log.add(result); err != nil {
		return Result{}, err
	}
	r.end(result, false)
	return result, nil
}

// trial returns the trial of a point.
func (p Point) trial(seed uint64) Trial {
	return Trial{Point: p.Number, Variant: p.Variant, Baseline: p.Baseline, Settings: p.Settings, Seed: seed, Skipped: p.Skipped}
}

// keep writes a model.
func (r *run) keep(ctx context.Context, result *Result, set *vectors.Set) error {
	result.Model = r.model(result.Key)
	folder := filepath.Dir(result.Model)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return named(folder, err)
	}
	if t := set.Training(); result.Baseline != RandomVectors {
		t.MinCount, t.Lowercase, t.Tokenizer = r.config.MinCount, r.config.Lowercase, r.config.Tokenizer.String()
		set = set.WithTraining(t)
	}
	return vectors.Write(ctx, result.Model, set, vectors.FormatW2V)
}

// vectors trains a model, and notes what that took.
func (r *run) vectors(ctx context.Context, p Point, seed uint64, result *Result) (*vectors.Set, error) {
	result.Threads = r.config.Threads
	if p.Baseline == RandomVectors {
		return r.random(p.config.Dim, seed)
	}
	config := p.config
	config.Threads, config.Seed, config.Force = r.config.Threads, seed, r.env.Force
	hooks := sgns.Hooks{Start: r.env.Hooks.Start, Progress: r.env.Hooks.Progress, Every: r.env.Hooks.Every}
	start, cpu := time.Now(), r.cpu()
	model, err := sgns.Train(ctx, sgns.Data{IDs: r.ids, Vocab: r.vocab}, config, hooks)
	if err != nil {
		return nil, err
	}
	result.Seconds, result.CPUSeconds = time.Since(start).Seconds(), (r.cpu() - cpu).Seconds()
	result.Tokens = model.Progress.Tokens
	result.TokensPerSecond = model.Progress.TokensPerSecond
	if x := model.Progress.Loss; !math.IsNaN(x) && !math.IsInf(x, 0) {
		result.Loss = &x
	}
	return model.Vectors, nil
}

func (r *run) cpu() time.Duration {
	if r.env.CPUTime == nil {
		return 0
	}
	return r.env.CPUTime()
}

// random returns vectors that know nothing.
func (r *run) random(dim int, seed uint64) (*vectors.Set, error) {
	m := vectors.NewMatrix(r.vocab.Len(), dim)
	g := rand.New(rand.NewPCG(seed, 0))
	for i := range m.Rows {
		row := m.Row(i)
		for k := range row {
			row[k] = float32(g.NormFloat64())
		}
	}
	return vectors.New(vectors.Parts{Words: r.words, Counts: r.vocab.Counts(), Input: m})
}

// named puts a file's name before an error, in place of the system call that package os
// puts there.
func named(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
