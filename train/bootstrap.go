package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// BootstrapOptions say what Bootstrap does. Runs is the only field that must be set.
type BootstrapOptions struct {
	// Settings decide which vectors come out. The zero Settings mean Defaults().
	Settings Settings
	// Runs is the number of models, 2 or more. Run i draws its documents with the seed of the
	// settings plus i, and is trained with that seed.
	Runs int
	// Sets score each model, with the options Eval, whose Resamples are not used.
	Sets []eval.SetFile
	Eval eval.Options
	// Words are those whose neighbours are compared; Neighbors is how many, 0 means 10.
	Words     []string
	Neighbors int
	// Output, if not empty, is where models are written: to model-1.w2v, model-2.w2v …, if it is
	// model.w2v.
	Output string

	// Cache, NoCache, VocabMemory and Force are those of Options.
	Cache       string
	NoCache     bool
	VocabMemory uint64
	Force       bool
}

// BootstrapHooks are called while Bootstrap runs. The zero value calls nothing.
type BootstrapHooks struct {
	Reading  func(tokens uint64) // while the corpus is read, from several goroutines
	Note     func(text string)   // with what is worth knowing about the cache
	Read     func(*Text)         // when the corpus has been read
	Progress func(sgns.Progress) // while a model is trained
	Every    time.Duration       // between these
	Done     func(BootstrapRun)  // after each run
}

// A BootstrapRun is a model of a resample of the documents.
type BootstrapRun struct {
	Run     int          `json:"run"` // from 1
	Seed    uint64       `json:"seed"`
	Tokens  uint64       `json:"tokens"`          // of the resample
	Model   string       `json:"model,omitempty"` // the file, if it was written
	Seconds float64      `json:"seconds"`
	Scores  []eval.Score `json:"scores"` // one a set
}

// Bootstrap trains several models, each on documents that are drawn from the corpus with
// replacement, and says how much that moves scores and nearest neighbours: how much of a model is
// owed to the documents that happen to be in its corpus (Antoniak and Mimno, "Evaluating the
// stability of embedding-based word similarities", 2018). See corpus.IDs.Resample for what a
// document is.
//
// The corpus is read, counted and cut once. All models have its vocabulary and counts; a word
// that is in no document of a resample keeps the vector that training begins with. If ctx
// ends, Bootstrap returns what is done by then with the context's error.
func Bootstrap(ctx context.Context, c Corpus, o BootstrapOptions, h BootstrapHooks) (_ *BootstrapResult, err error) {
	if ctx == nil {
		return nil, errors.New("train: there is no context to train in: it is nil")
	}
	if o.Settings = o.Settings.orDefaults(); o.Force {
		o.Settings.Model.Force = true
	}
	if o.Neighbors == 0 {
		o.Neighbors = 10
	}
	b := &bootstrap{options: o, hooks: h}
	if err := b.validate(c); err != nil {
		return nil, err
	}
	text, err := Read(ctx, c, b.options.Settings, ReadOptions{
		Cache: o.Cache, NoCache: o.NoCache, Memory: o.VocabMemory, Force: o.Force, Note: h.Note, Reading: h.Reading,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	if h.Read != nil {
		h.Read(text)
	}
	if b.near, err = newNearby(text.Vocab, o.Words, o.Neighbors); err != nil {
		return nil, err
	}
	var stopped error
	for run := 1; run <= o.Runs && stopped == nil; run++ {
		stopped = b.run(ctx, text, run)
	}
	if len(b.runs) == 0 {
		return nil, stopped
	}
	return b.result(text), stopped
}

// bootstrap is a call of Bootstrap.
type bootstrap struct {
	options BootstrapOptions
	hooks   BootstrapHooks
	format  format.Format
	near    *nearby
	sums    []eval.Summary // of the first run, one a set
	runs    []BootstrapRun
}

func (b *bootstrap) validate(c Corpus) (err error) {
	o := &b.options
	switch {
	case o.Runs < 2:
		return optionErrorf("%v must be 2 or more, is %d", name("bootstrap"), o.Runs)
	case o.Neighbors < 1:
		return optionErrorf("%v must be 1 or more, is %d", name("bootstrap-neighbors"), o.Neighbors)
	}
	if err := o.Settings.Complete(); err != nil {
		return err
	}
	o.Eval.Resamples = -1
	if o.Output == "" {
		return nil
	}
	if b.format, err = format.ForPath(o.Output, o.Settings.Model.Subword != nil); err != nil {
		return &OptionError{messagef("%v", err)}
	}
	paths, err := c.Paths(o.Settings.Text)
	if err != nil {
		return err
	}
	for _, set := range o.Sets {
		for _, file := range set.Files {
			paths = append(paths, file.Path)
		}
	}
	if file := o.Settings.Text.File; file != nil {
		paths = append(paths, file.Path())
	}
	for run := range o.Runs {
		written, err := format.TargetFiles(b.path(run+1), b.format)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if slices.ContainsFunc(written, func(out string) bool { return atomicfile.Same(out, path) }) {
				return optionErrorf("%s is read, and a model would replace it: %v names another file", path, name("output"))
			}
		}
		if err := format.CheckTarget(b.path(run+1), b.format); err != nil {
			return err
		}
	}
	return nil
}

// path is where the model of a run is written.
func (b *bootstrap) path(run int) string {
	plain, _ := compression.SplitExt(b.options.Output)
	begin := strings.TrimSuffix(plain, filepath.Ext(plain))
	return fmt.Sprintf("%s-%d%s", begin, run, strings.TrimPrefix(b.options.Output, begin))
}

// run trains, scores and writes a model.
func (b *bootstrap) run(ctx context.Context, text *Text, number int) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	start := time.Now()
	config := b.options.Settings.Model
	config.Seed += uint64(number)
	ids, err := text.IDs.Resample(config.Seed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ids.Close()) }()
	if ids.Tokens() == 0 {
		return errorf("run %d has none of the documents, because the corpus has only a few: a document is a line or a sentence of it, and hundreds are needed", number)
	}
	set, err := b.train(ctx, text, ids, config)
	if err != nil {
		return err
	}
	run := BootstrapRun{Run: number, Seed: config.Seed, Tokens: ids.Tokens(), Scores: []eval.Score{}}
	var sums []eval.Summary
	for _, of := range b.options.Sets {
		r, err := eval.Evaluate(ctx, set, of.Set, b.options.Eval)
		if err != nil {
			return err
		}
		sums = append(sums, r.Summary())
		run.Scores = append(run.Scores, r.Summary().Score)
	}
	if b.options.Output != "" {
		run.Model = b.path(number)
		if err := format.Write(ctx, run.Model, set, b.format); err != nil {
			return err
		}
		if notes := format.Misread(set, b.format); len(notes) > 0 && len(b.runs) == 0 && b.hooks.Note != nil {
			b.hooks.Note(notes[0]) // the other models have nearly the same words
		}
	}
	b.near.add(set)
	run.Seconds = time.Since(start).Seconds()
	b.runs, b.sums = append(b.runs, run), sums
	if b.hooks.Done != nil {
		b.hooks.Done(run)
	}
	return nil
}

// train trains a model, and returns an error if ctx ends before it is complete.
func (b *bootstrap) train(ctx context.Context, text *Text, ids *corpus.IDs, config sgns.Config) (*vectors.Set, error) {
	hooks := sgns.Hooks{Progress: b.hooks.Progress, Every: b.hooks.Every}
	model, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: text.Vocab}, config, hooks)
	if err != nil {
		return nil, explainTraining(err, &b.options.Settings, 0)
	}
	return b.options.Settings.described(model.Vectors), nil
}
