package sweep

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// earlier returns the result that an earlier run of the same algorithm has found, if its
// model is there where models are kept.
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

// model is where the model with that key is kept.
func (r *run) model(key string) string {
	return filepath.Join(r.config.Output, "models", key+".w2v")
}

// trial returns the result of a point with a seed. The error is one that ends the sweep.
func (r *run) trial(ctx context.Context, p Point, seed uint64) (Result, error) {
	key, err := keyOf(p, seed, r.corpus, r.sets.fingerprint)
	if err != nil {
		return Result{}, err
	}
	result, earlier := r.earlier(key)
	result.Trial = p.trial(seed) // an earlier sweep may have given it another number
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
	t := set.Training() // which says how words are looked up
	r.config.Base.Describe(&t)
	set = set.WithTraining(t)
	if result.Evaluations, err = r.sets.evaluate(ctx, set); err != nil {
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
	return format.Write(ctx, result.Model, set, format.W2V)
}

// vectors trains a model, and notes what that took.
func (r *run) vectors(ctx context.Context, p Point, seed uint64, result *Result) (*vectors.Set, error) {
	config := p.settings.Model
	config.Threads, config.Seed = r.config.Base.Model.Threads, seed
	config.Force = config.Force || r.config.Force
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

// random returns vectors of random numbers, which were never trained.
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
