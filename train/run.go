package train

import (
	"cmp"
	"context"
	"errors"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/format"
)

// Run trains vectors on a corpus, and writes and returns the model.
//
// If ctx ends before training does, Run saves what is trained: to the checkpoint if there is
// one, else as a model. It returns the result together with the context's error. Options.Saving
// says when to give up saving. With other errors there is a result, too, if the model is
// trained; Result.Unsaved says what could not be saved then.
//
// An error that an option could avoid names the option: see Spell. Options that make no sense
// are an *OptionError. Run wraps the errors of the packages that it calls: *vocab.RareError,
// *vocab.MemoryError, *sgns.MemoryError, *sgns.DivergedError, *sgns.MismatchError, *format.UnwritableWord and others.
func Run(ctx context.Context, c Corpus, o Options, h Hooks) (_ *Result, err error) {
	if ctx == nil {
		return nil, errors.New("train: there is no context to train in: it is nil")
	}
	if follows(o.Ranks) {
		h = Hooks{Ready: h.Ready, Plan: h.Plan}
	}
	r := &run{options: o, settings: o.Settings.orDefaults(), hooks: h.serial(), saving: o.Saving, input: c.input()}
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
	if err := r.checkAlike(ctx); err != nil {
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
	input    string // what sentences are made of
	asked    asked
	hooks    Hooks
	saving   context.Context // see Options.Saving
	format   format.Format
	locks    []*atomicfile.Lock

	resumed     *resumed         // nil if no checkpoint is read
	from        *sgns.Checkpoint // nil if the run begins
	warm        warmStart
	checkpoints checkpoints
	evaluator   evaluator
	remarks     []Remark
}

// complete opens the checkpoint and the vectors that the options name, and fills in what the
// settings leave open.
func (r *run) complete() (err error) {
	if err := r.options.validate(r.settings); err != nil {
		return err
	}
	if err := r.indivisible(); err != nil {
		return err
	}
	if r.evaluator, err = newEvaluator(r.options.Evaluation); err != nil {
		return err
	}
	r.evaluator.divided = r.options.Divide
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
	if err := r.chooseFormat(); err != nil {
		return err
	}
	if follows(r.options.Ranks) {
		r.follow()
	}
	return nil
}

// chooseFormat finds the format of the model, and looks whether it can hold the n-grams.
func (r *run) chooseFormat() (err error) {
	o, sub := &r.options, r.settings.Model.Subword
	r.format = o.Format
	switch {
	case r.format != "":
	case o.Output != "":
		if r.format, err = format.ForPath(o.Output, sub != nil); err != nil {
			return &OptionError{messagef("%v", err)}
		}
	default:
		r.format = format.W2V
	}
	if o.Output == "" && o.Writer == nil {
		return nil
	}
	if err := format.CheckSubword(sub, subword.Composition(subword.CompositionOf(sub)), r.format); err != nil {
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

// place opens the corpus, and checks and locks the files that the run reads and writes.
func (r *run) place(c Corpus) (*corpus.Source, error) {
	if err := r.checkTargets(); err != nil {
		return nil, err
	}
	source, err := c.of(r.settings).source(r.settings.Text)
	if err != nil {
		return nil, err
	}
	if err := r.checkDivisible(source); err != nil || follows(r.options.Ranks) {
		return source, err
	}
	if err := r.checkDistinct(source, c.stdin); err != nil {
		return nil, err
	}
	if err := r.lock(); err != nil {
		return nil, err
	}
	return source, r.checkReplaced()
}

// remark makes a remark.
func (r *run) remark(remark Remark) {
	r.remarks = append(r.remarks, remark)
	if r.hooks.Remark != nil {
		r.hooks.Remark(remark)
	}
}

// tell passes on what is worth knowing.
func (r *run) tell(m Message) {
	if r.hooks.Note != nil {
		r.hooks.Note(m)
	}
}
