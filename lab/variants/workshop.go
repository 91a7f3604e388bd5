package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
)

// A workshop has what all models need.
type workshop struct {
	options
	languages []*language
	record    *record
	program   string
	plain     map[string]string // by language: the text as a plain file, once gensim has asked for it
}

func newWorkshop(ctx context.Context, o options, r *record) (_ *workshop, err error) {
	w := &workshop{options: o, record: r, program: "w2v of this module, " + runtime.Version(), plain: make(map[string]string)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output(); err == nil {
		w.program = "w2v " + strings.TrimSpace(string(out)) + ", " + runtime.Version()
	}
	for _, name := range languages {
		if o.corpora[name] == "" {
			continue
		}
		l, err := readLanguage(ctx, name, o.corpora[name], o)
		if err != nil {
			return nil, err
		}
		logf("%s: %d tokens of %d words", l.path, l.ids.Tokens(), l.vocab.Len())
		w.languages = append(w.languages, l)
	}
	return w, nil
}

func (w *workshop) close() error {
	var errs []error
	for _, l := range w.languages {
		errs = append(errs, l.ids.Close())
	}
	for _, path := range w.plain {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

// logf says on stderr what is going on.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// settings are all that a variant's results depend on, but for the seed.
func (w *workshop) settings(v variant, l *language) string {
	text := fmt.Sprintf("%s of %d tokens, %d words; %d epochs", filepath.Base(l.path), l.ids.Tokens(), l.vocab.Len(), w.epochs)
	switch c := v.config(w.options, 0); {
	case v.untrained:
		return text
	case v.gensim > 0:
		return fmt.Sprintf("%s, rate %g", text, v.gensim)
	default:
		return fmt.Sprintf("%s, %d threads, rate %g, revision %d; %s", text, c.Threads, w.rate(c, l), sgns.Revision, v.flags)
	}
}

// rate is the learning rate at the start.
func (w *workshop) rate(c sgns.Config, l *language) float64 {
	return c.RateFor(l.ids.Tokens() * uint64(c.Epochs))
}

// done reports whether all rows of a variant are there.
func (w *workshop) done(v variant, l *language, seed uint64) bool {
	rows, _ := v.rows()
	for _, row := range rows {
		if r, ok := w.record.results[key{l.name, row, seed, w.settings(v, l)}]; !ok || r.Failed != "" {
			return false
		}
	}
	return true
}

// A job is a model to be trained.
type job struct {
	variant
	language *language
	seed     uint64
}

// trainAll trains what is not there yet, or all if again is set. A variant that cannot be
// trained is a result too, and the others go on.
func (w *workshop) trainAll(ctx context.Context, chosen []variant, seeds []uint64, again bool) error {
	var jobs []job
	for _, seed := range seeds {
		for _, v := range chosen {
			for _, l := range w.languages {
				if again || !w.done(v, l, seed) {
					jobs = append(jobs, job{v, l, seed})
				}
			}
		}
	}
	logf("%d models to train", len(jobs))
	for i, j := range jobs {
		start := time.Now()
		results, err := w.train(ctx, j)
		if ctx.Err() != nil {
			return fmt.Errorf("%w: the same command goes on from here", context.Cause(ctx))
		}
		if err != nil {
			failed := w.result(j, j.name)
			failed.Failed = err.Error()
			results = []result{failed}
			logf("%s %s: %v", j.language.name, j.name, err)
		}
		took := time.Since(start)
		for _, r := range results {
			r.Took = took.Seconds() / float64(len(results))
			if err := w.record.add(r); err != nil {
				return err
			}
		}
		logf("%d of %d: %s %s, seed %d: %.0f s", i+1, len(jobs), j.language.name, j.name, j.seed, took.Seconds())
	}
	return nil
}

// result is one of a job, of which nothing is known yet.
func (w *workshop) result(j job, row string) result {
	m := machine.Describe()
	return result{
		Language: j.language.name, Row: row, Seed: j.seed,
		Settings: w.settings(j.variant, j.language),
		When:     m.When, Machine: m.String(), Program: w.program,
	}
}

// train makes a model, and returns the results of all rows that come of it.
func (w *workshop) train(ctx context.Context, j job) ([]result, error) {
	r := w.result(j, j.name)
	set, err := w.vectors(ctx, j, &r)
	if err != nil {
		return nil, err
	}
	if err := r.fill(ctx, set, j.language.exams); err != nil {
		return nil, err
	}
	if j.gensim > 0 { // it keeps context vectors to itself, and has formats of its own
		r.Parameters, r.Bytes = 2*r.Input, 0
	}
	all := []result{r}
	for _, p := range j.parts {
		x := w.result(j, p.name)
		made, note, err := p.made(set)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		x.Note = note
		if err := x.fill(ctx, made, j.language.exams); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// fill adds to a result what is measured of a model that is there.
func (r *result) fill(ctx context.Context, s *vectors.Set, x exams) error {
	return errors.Join(r.measure(s), r.score(ctx, s, x))
}

// vectors makes a model, and adds to its result what that took.
func (w *workshop) vectors(ctx context.Context, j job, r *result) (*vectors.Set, error) {
	switch {
	case j.untrained:
		return random(j.language, j.seed)
	case j.gensim > 0:
		return w.trainGensim(ctx, j, r)
	}
	c, l := j.config(w.options, j.seed), j.language
	runtime.GC() // so that what an earlier model left is not collected in this one's time
	start, cpu := time.Now(), sysinfo.CPUTime()
	model, err := sgns.Train(ctx, sgns.Data{IDs: l.ids, Vocab: l.vocab}, c, sgns.Hooks{})
	if err != nil {
		return nil, err
	}
	r.Tokens = float64(model.Progress.Tokens)
	r.Seconds, r.CPUSeconds = time.Since(start).Seconds(), (sysinfo.CPUTime() - cpu).Seconds()
	return model.Vectors, nil
}

// random returns vectors that nothing has been learned of.
func random(l *language, seed uint64) (*vectors.Set, error) {
	m := vectors.NewMatrix(l.vocab.Len(), dim)
	g := rand.New(rand.NewPCG(seed, 0))
	for i := range m.Rows {
		row := m.Row(i)
		for k := range row {
			row[k] = float32(g.NormFloat64())
		}
	}
	return vectors.New(vectors.Parts{Words: vectors.NewWords(l.vocab.Tokens()...), Counts: l.vocab.Counts(), Input: m})
}
