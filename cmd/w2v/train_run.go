package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/cputime"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
)

// trainOn trains on a text until ctx ends, writes the model and prints the summary. What
// is being saved is given up when givingUp ends.
func (f *trainFlags) trainOn(ctx, givingUp context.Context, s streams, text *trainingText, format vectors.Format, report *reporter) error {
	hooks, err := f.hooks(givingUp, s, text, format, report)
	if err != nil {
		return err
	}
	report.started(text.vocab.Len(), text.train.Tokens()*uint64(f.config.Epochs), f.checkpoint.from)
	cpu, start := cputime.Used(), time.Now()
	data := sgns.Data{IDs: text.train, Vocab: text.vocab, HeldOut: text.heldOut, Init: f.init.set}
	model, err := f.train(ctx, data, hooks, report)
	stopped := f.explainDivergence(f.init.named(err))
	if errors.Is(err, sgns.ErrNoPairs) {
		switch {
		case text.layout.Kind != corpus.LayoutText: // and it has been said what to do
			return err
		case f.config.Sample == 0:
			return fmt.Errorf("%w: a newline ends a sentence, so put more than one token on a line, or keep rarer ones with a lower --min-count", err)
		}
		return fmt.Errorf("%w: --sample 0 keeps every token", err)
	}
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok && !f.config.Force {
		return lessMemory(err)
	}
	if model == nil || model.Progress.Tokens == 0 && f.checkpoint.path == "" {
		return stopped
	}
	sum := f.summarise(text, model)
	sum.Seconds, sum.CPUSeconds, sum.Complete = time.Since(start).Seconds(), (cputime.Used() - cpu).Seconds(), stopped == nil
	saved := f.save(ctx, givingUp, s, model.Vectors, format, &sum)
	sum.Remarks = append(append([]remark{}, report.remarks...), f.remarks(model, text.layout.Kind)...) // not null
	switch {
	case saved != nil && givingUp.Err() != nil:
		sum.Error = givenUp
		fmt.Fprintln(s.err, givenUp)
	case saved != nil:
		sum.Error = oneLine(saved)
	}
	report.done(sum)
	if f.json {
		saved = errors.Join(saved, printJSON(s.out, sum))
	}
	return errors.Join(stopped, saved)
}

// hooks returns what training calls.
func (f *trainFlags) hooks(givingUp context.Context, s streams, text *trainingText, format vectors.Format, report *reporter) (sgns.Hooks, error) {
	hooks := sgns.Hooks{
		Start:    collected(f.planned(text.vocab, format, report)),
		Progress: report.trained,
		Every:    report.every(),
		Diverged: report.diverged,
		Warm:     f.init.started(s.err, f.config),
	}
	f.evaluation.hooks(&hooks, report)
	return hooks, f.checkpoint.hooks(givingUp, &hooks, f, report)
}

// train trains from the beginning, or goes on from the checkpoint.
func (f *trainFlags) train(ctx context.Context, d sgns.Data, h sgns.Hooks, report *reporter) (*sgns.Model, error) {
	if f.checkpoint.path != "" {
		told := context.AfterFunc(ctx, func() {
			report.note("interrupted: saving the checkpoint %s; interrupt again to give it up", f.checkpoint.path)
		})
		defer told()
	}
	debug.FreeOSMemory() // what counting took: see collected
	from := f.checkpoint.from
	if from == nil {
		return sgns.Train(ctx, d, f.config, h)
	}
	model, err := sgns.Resume(ctx, d, from, h)
	if _, ok := errors.AsType[*sgns.MismatchError](err); ok {
		return nil, fmt.Errorf("%s cannot be resumed: %w (--update-vocab begins a run on new text, with its vectors)", f.checkpoint.resume, err)
	}
	if _, ok := errors.AsType[*sgns.StateError](err); ok {
		return nil, ofModel(f.checkpoint.resume, err)
	}
	return model, err
}

// summarise returns the summary of a run but for the time that it took.
func (f *trainFlags) summarise(text *trainingText, model *sgns.Model) summary {
	sum := summary{
		Tokens:          text.train.Tokens(),
		Vocab:           text.vocab.Len(),
		Epochs:          f.config.Epochs,
		CountSeconds:    text.counting.Seconds(),
		TokensPerSecond: number(model.Progress.TokensPerSecond),
		Loss:            number(model.Progress.Loss),
		Early:           model.Progress.Early,
		Trained:         model.Progress.Tokens,
		Checkpoint:      f.checkpoint.path,
		LeftOut:         []string{},
	}
	if left := f.tooLong; left.Tokens > 0 {
		sum.TooLong = &tooLong{left.Tokens, left.Longest, left.Name, left.Line}
	}
	if best := model.Evaluation; best != nil {
		sum.Best = &bestEvaluation{best.Tokens, number(best.Loss), number(best.Score)}
	}
	return sum
}
