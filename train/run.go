package train

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/cputime"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Run trains vectors on a corpus.
//
// If ctx ends before training does, Run saves what is trained, to the checkpoint if there is
// one and else as a model, and returns the result with the context's error. Options.Saving
// says when to give that up. There may be a result with any other error, too: then the model
// is trained, and Result.Unsaved says what could not be saved.
//
// Errors that options can help with name these: see Spell. What was asked for wrongly is an
// *OptionError. Errors of the packages that Run calls are wrapped: *vocab.RareError,
// *vocab.MemoryError, *sgns.MemoryError, *sgns.DivergedError, sgns.ErrNoPairs,
// *sgns.MismatchError, *vectors.UnwritableWord and others.
func Run(ctx context.Context, c Corpus, o Options, h Hooks) (_ *Result, err error) {
	if ctx == nil {
		return nil, errors.New("train: there is no context to train in: it is nil")
	}
	r := &run{options: o, settings: o.Settings.orDefaults(), hooks: h, saving: o.Saving}
	if o.Force {
		r.settings.Model.Force = true
	}
	if r.saving == nil {
		r.saving = context.WithoutCancel(ctx)
	}
	defer func() { err = errors.Join(err, r.resumed.close(), r.warm.close()) }()
	if err := r.complete(); err != nil {
		return nil, err
	}
	source, err := r.place(c)
	defer r.unlock()
	defer context.AfterFunc(r.saving, r.unlock)() // the program may end at once
	if err != nil {
		return nil, err
	}
	if h.Ready != nil {
		if err := h.Ready(); err != nil {
			return nil, err
		}
	}
	text, err := r.readText(ctx, source)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, text.close()) }()
	return r.train(ctx, text)
}

// A run is a call of Run.
type run struct {
	options  Options
	settings Settings
	asked    asked
	hooks    Hooks
	saving   context.Context //nolint:containedctx // see Options.Saving
	format   vectors.Format
	locks    []*atomicfile.Lock

	resumed     *resumed         // nil if no checkpoint is read
	from        *sgns.Checkpoint // nil if the run begins
	warm        warmStart
	checkpoints checkpoints
	evaluator   evaluator
	remarks     []Remark
}

// complete opens what the options name, and completes the settings by it.
func (r *run) complete() (err error) {
	if err := r.options.validate(r.settings); err != nil {
		return err
	}
	if r.evaluator, err = newEvaluator(r.options.Evaluation); err != nil {
		return err
	}
	if err := r.resume(); err != nil {
		return err
	}
	if err := r.openWarm(); err != nil {
		return err
	}
	if err := r.settings.Complete(); err != nil {
		return err
	}
	r.goOn()
	if err := r.evaluator.open(r.settings.Text); err != nil {
		return err
	}
	k := r.options.Checkpoint
	r.checkpoints = checkpoints{file: k.File, every: cmp.Or(k.Every, usualEvery)}
	return r.chooseFormat()
}

// chooseFormat finds the format of the model, and looks whether it can hold the n-grams.
func (r *run) chooseFormat() (err error) {
	o, sub := &r.options, r.settings.Model.Subword
	r.format = o.Format
	switch {
	case r.format != "":
	case o.Output != "":
		if r.format, err = vectors.FormatOf(o.Output, sub != nil); err != nil {
			return &OptionError{messagef("%v", err)}
		}
	default:
		r.format = vectors.FormatW2V
	}
	if o.Output == "" && o.Writer == nil {
		return nil
	}
	if err := vectors.CheckSubword(sub, composition(sub), r.format); err != nil {
		return optionErrorf("%s%v", prefix(o.Output), err)
	}
	return nil
}

// prefix is a path before what is wrong with it; empty for none.
func prefix(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

// place opens the corpus, and makes sure of the files that the run reads and writes.
func (r *run) place(c Corpus) (*corpus.Source, error) {
	if err := r.checkTargets(); err != nil {
		return nil, err
	}
	source, err := c.source(r.settings.Text)
	if err != nil {
		return nil, err
	}
	if err := r.checkDistinct(source, c.stdin); err != nil {
		return nil, err
	}
	if err := r.lock(); err != nil {
		return nil, err
	}
	return source, r.checkReplaced()
}

// runText is a text with its parts.
type runText struct {
	*Text
	train, heldOut *corpus.IDs // all of it, and nil, if it was not cut
}

// readText reads the corpus, and looks whether the run can be made with its words.
func (r *run) readText(ctx context.Context, source *corpus.Source) (_ *runText, err error) {
	fixed, known, err := r.givenWords()
	if err != nil {
		return nil, err
	}
	read, err := readSource(ctx, source, r.settings, ReadOptions{Cache: r.options.Cache, Force: r.options.Force, Reading: r.hooks.Reading, fixed: fixed, known: known})
	if read != nil {
		if read.TooLong.Tokens > 0 {
			r.tell(messagef("%v", read.TooLong))
		}
		if r.from != nil {
			read.Layout = corpus.Layout{} // which has been said when the run began
		}
		if remark, ok := layoutRemark(read.name, read.Layout); ok {
			r.remark(remark)
		}
	}
	if err != nil {
		return nil, err
	}
	t := &runText{Text: read}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if r.hooks.Read != nil {
		r.hooks.Read(read)
	}
	if err := r.checkWords(read); err != nil {
		return nil, err
	}
	t.train, t.heldOut, err = r.evaluator.split(ctx, read, r.options.Cache, r.tell)
	return t, err
}

// givenWords are the vocabulary to use instead of counting one, or one that grows.
func (r *run) givenWords() (fixed, known *vocab.Vocab, err error) {
	o := r.options.Vocabulary
	switch {
	case o.Words != nil:
		fixed = o.Words
	case o.File != "":
		limits := vocab.Options{MinCount: r.settings.MinCount, MaxVocab: r.settings.MaxVocab}
		fixed, err = readFile(o.File, func(in io.Reader) (*vocab.Vocab, error) { return vocab.Read(in, limits) })
		if err != nil {
			return nil, nil, ofFile(o.File, err)
		}
	case r.from != nil:
		if fixed, err = r.resumed.vocabulary(); err != nil {
			return nil, nil, err
		}
	}
	known, err = r.warm.known(r.options.Init.UpdateVocab)
	return fixed, known, err
}

// checkWords looks whether the words can be written and evaluated, and writes the vocabulary
// if that is asked for.
func (r *run) checkWords(t *Text) error {
	if r.from == nil && t.Layout.Kind == corpus.LayoutText {
		if remark, ok := spellingRemark(t.Vocab, r.settings); ok {
			r.remark(remark)
		}
	}
	if r.options.Output != "" || r.options.Writer != nil {
		if err := vectors.CheckWords(t.Vocab.Tokens(), r.format); err != nil && !r.options.SkipUnwritable {
			return errorf("%s%v; %v leaves such words out", prefix(r.options.Output), err, name("skip-unwritable"))
		}
	}
	if r.settings.Model.Subword == nil { // words that n-grams compose need not be in the vocabulary
		remarks, err := r.evaluator.checkSets(t.Vocab, r.settings.Model.Patience)
		for _, remark := range remarks {
			r.remark(remark)
		}
		if err != nil {
			return err
		}
	}
	path := r.options.Vocabulary.Save
	if path == "" {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := t.Vocab.WriteTo(w)
		return err
	})
}

// close gives back the corpus and its parts.
func (t *runText) close() error {
	var errs []error
	if t.train != nil && t.train != t.IDs {
		errs = append(errs, t.train.Close())
	}
	if t.heldOut != nil {
		errs = append(errs, t.heldOut.Close())
	}
	return errors.Join(append(errs, t.Close())...)
}

// train trains on a text until ctx ends, and writes the model.
func (r *run) train(ctx context.Context, t *runText) (*Result, error) {
	hooks, err := r.trainingHooks(t)
	if err != nil {
		return nil, err
	}
	r.tellStart(t)
	cpu, start := cputime.Used(), time.Now()
	model, err := r.trainModel(ctx, sgns.Data{IDs: t.train, Vocab: t.Vocab, HeldOut: t.heldOut, Init: r.warm.set}, hooks)
	stopped := explainTraining(r.warm.named(err), r.settings.Model, r.asked.rate, t.Layout.Kind, r.settings.Model.Force)
	if model == nil || model.Progress.Tokens == 0 && r.checkpoints.file == "" {
		return nil, stopped
	}
	result := &Result{
		Vectors:  r.settings.described(model.Vectors),
		Progress: model.Progress,
		Best:     model.Evaluation,
		Settings: r.settings,
		Tokens:   t.train.Tokens(),
		Words:    t.Vocab.Len(),
		TooLong:  t.TooLong,
		Complete: stopped == nil,
		Counting: t.Took,
		Training: time.Since(start),
		CPU:      cputime.Used() - cpu,
	}
	result.Unsaved = r.save(ctx, result)
	result.Remarks = append(r.remarks, modelRemarks(model, t.Layout.Kind, r.settings.Model, r.asked.rate)...)
	return result, errors.Join(stopped, result.Unsaved)
}

// trainingHooks returns what training calls.
func (r *run) trainingHooks(t *runText) (sgns.Hooks, error) {
	h := sgns.Hooks{
		Start:    func(p sgns.Plan) error { return r.planned(t.Vocab, p) },
		Progress: r.hooks.Progress,
		Every:    r.hooks.Every,
		Diverged: r.hooks.Diverged,
	}
	if tell := r.hooks.Warm; tell != nil {
		h.Warm = func(w sgns.Warm) { tell(r.warm.started(w, r.settings)) }
	}
	r.evaluator.hook(&h, r.hooks.Evaluated)
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
	start := Start{Settings: r.settings, Words: t.Vocab.Len(), Total: t.train.Tokens() * uint64(r.settings.Model.Epochs)}
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

// remark makes a remark.
func (r *run) remark(remark Remark) {
	r.remarks = append(r.remarks, remark)
	if r.hooks.Remark != nil {
		r.hooks.Remark(remark)
	}
}

// tell tells what is worth knowing.
func (r *run) tell(m Message) {
	if r.hooks.Note != nil {
		r.hooks.Note(m)
	}
}
