package train

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
)

// train trains on a text until ctx ends, and writes the model.
func (r *run) train(ctx context.Context, t *runText) (_ *Result, err error) {
	var planned uint64
	hooks, err := r.trainingHooks(t, &planned)
	if err != nil {
		return nil, err
	}
	if remark, ok := r.warm.changed(r.settings); ok {
		r.remark(remark)
	}
	r.tellStart(t)
	cpu, start := sysinfo.CPUTime(), time.Now()
	model, err := r.trainModel(ctx, sgns.Data{IDs: t.train, Vocab: t.Vocab, HeldOut: t.heldOut, Init: r.warm.set, Ranks: r.options.Ranks, SyncEvery: r.options.SyncEvery, SyncBudget: r.options.SyncBudget, Divide: r.options.Divide}, hooks)
	defer func() { err = errors.Join(err, model.Close()) }() // the other ranks wait for it
	stopped := explainTraining(r.warm.named(err), &r.settings, r.asked.rate)
	if model == nil || model.Progress.Tokens == 0 && r.checkpoints.file == "" {
		return nil, stopped
	}
	result := &Result{
		Progress: model.Progress,
		Best:     model.Evaluation,
		Settings: r.settings,
		Tokens:   t.tokens,
		Words:    t.Vocab.Len(),
		TooLong:  t.TooLong,
		Complete: stopped == nil,
		Ranks:    1,
		Sent:     model.Progress.Sent,
		Planned:  planned,
		Counting: t.Took,
		Training: time.Since(start),
		CPU:      sysinfo.CPUTime() - cpu,
	}
	if r.options.Ranks != nil {
		result.Ranks = r.options.Ranks.Size()
	}
	result.Preparing = max(0, result.Training-model.Progress.Elapsed)
	if model.Vectors != nil { // which other ranks than the first do not have of a divided model
		if result.Vectors, result.Unseen, err = r.inFileOrder(r.settings.described(model.Vectors)); err != nil {
			return nil, errors.Join(stopped, err)
		}
		saving := time.Now()
		result.Unsaved = r.save(ctx, result)
		result.Saving = time.Since(saving)
	}
	if r.options.Divide {
		result.Vectors = nil
	}
	if r.settings.Given("sample") && r.settings.Model.Sample > 0 && r.from == nil && t.tokens < sgns.LeastSubsampled {
		r.remarks = append(r.remarks, remarkf(RemarkKeptWhole, "a corpus below %d tokens is not subsampled, so that %v has no effect", sgns.LeastSubsampled, name("sample").to(r.settings.Model.Sample)))
	}
	result.Remarks = append(r.remarks, modelRemarks(model, t.Text, r.settings, r.asked.rate)...)
	return result, errors.Join(stopped, result.Unsaved)
}

// trainingHooks returns what training calls. planned becomes the memory that the run is going to
// take.
func (r *run) trainingHooks(t *runText, planned *uint64) (sgns.Hooks, error) {
	var plan sgns.Plan
	h := sgns.Hooks{
		Start:    func(p sgns.Plan) error { plan, *planned = p, p.Bytes; return r.planned(t.Vocab, p) },
		Progress: r.hooks.Progress,
		Every:    r.hooks.Every,
		Diverged: r.hooks.Diverged,
	}
	if tell := r.hooks.Warm; tell != nil {
		h.Warm = func(w sgns.Warm) {
			started := r.warm.started(w, r.settings)
			started.NeedsContext = !slices.ContainsFunc(plan.Matrices, func(m sgns.MatrixShape) bool { return m.SameAs != "" })
			tell(started)
		}
	}
	r.evaluator.hook(&h, &r.settings, r.hooks.Evaluated)
	if r.checkpoints.file == "" {
		return h, nil
	}
	h.CheckpointEvery, h.Checkpoint = r.checkpoints.every, r.checkpoint
	var err error
	h.Note, err = r.note()
	return h, err
}

// tellStart tells that training begins, or goes on.
func (r *run) tellStart(t *runText) {
	if r.hooks.Start == nil {
		return
	}
	start := Start{Settings: r.settings, Words: t.Vocab.Len(), Total: t.tokens * uint64(r.settings.Model.Epochs)}
	if r.from != nil {
		start.Resumed, start.Tokens, start.Total = true, r.from.Tokens, r.from.Total
	}
	r.hooks.Start(start)
}

// trainModel trains from the beginning, or goes on from the checkpoint.
func (r *run) trainModel(ctx context.Context, d sgns.Data, h sgns.Hooks) (*sgns.Model, error) {
	if path := r.checkpoints.file; path != "" {
		told := context.AfterFunc(ctx, func() { r.tellSaving(Saving{File: path, Checkpoint: true, Interrupted: true}) })
		defer told()
	}
	if r.from == nil {
		return sgns.Train(ctx, d, r.settings.Model, h)
	}
	model, err := sgns.Resume(ctx, d, r.from, h)
	if _, ok := errors.AsType[*sgns.MismatchError](err); ok {
		return nil, errorf("%s cannot be resumed: %v (%v begins a run on new text, with its vectors)", r.resumed.file, err, name("update-vocab"))
	}
	if _, ok := errors.AsType[*sgns.StateError](err); ok {
		return nil, ofModel(r.resumed.file, err)
	}
	return model, err
}
