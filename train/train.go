// Package train trains a model on a text in one call. It checks files, memory and disk before a run
// that takes hours, writes checkpoints while it trains, and saves the model so far if it is
// interrupted.
//
//	result, err := train.Run(ctx, train.Files("wiki/*.gz"), train.Options{Output: "wiki.w2v"}, train.Hooks{})
//
// # What goes in
//
// A Corpus is text in files or from a reader, or sentences in memory or from an iterator:
//
//	train.Files("corpus.txt", "more/")       // files, directories, globs; compressed or not
//	train.FS(fsys, ".")                      // in any file system
//	train.Reader("sessions", r)              // any reader
//	train.Sentences([][]string{{"a", "b"}})  // tokens in memory, taken as they are
//	train.Seq2(rows)                         // an iterator of sentences that may fail
//
// The same sentences and number of epochs give the same model, whatever their source.
//
// # What decides about the vectors
//
// Settings decide about the vectors. The zero Settings stand for Defaults. A program that changes
// some settings starts from Defaults:
//
//	settings := train.Defaults()
//	settings.Model.Dim = 300
//	settings.Model.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
//	settings.Text.Lowercase = true
//
// # What Run also does
//
//   - Before Run reads anything, it checks that files can be written, that no file is both written
//     and read, and that no other process writes the files. Before training it checks that memory
//     and disk suffice. See Options.Force.
//   - With Checkpoint.File it writes the state of the run now and then. Checkpoint.Resume continues
//     from that state: bit for bit the same with one thread or Settings.Model.Deterministic.
//   - When the context ends it saves the model so far. A model that cannot be written to its place
//     goes to the system's folder for temporary files. See Options.GiveUp.
//   - With Evaluation it measures the loss on held-out text, or scores the vectors on sets or
//     by a function, and keeps the best vectors if Settings.Model.Patience says so.
//   - With Init it starts from existing vectors, and with Init.UpdateVocab it extends their
//     vocabulary.
//   - It remarks on a corpus that does not look like sentences, and on vectors that learned little.
//     See Remark.
//
// Run prints nothing. Hooks report progress, and the Result describes the outcome. Errors and
// remarks name the options that would help, as fields of Options; a program with other names for
// options, such as flags, calls Spell.
//
// To train on one corpus more than once, call Read and then Text.Train.
package train

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// Run trains vectors on a corpus, and writes and returns the model.
//
// If ctx ends before training does, Run saves its state to the checkpoint if there is one, else as
// a model, and returns the result with the context's error. Options.GiveUp says when to give up
// saving. After other errors Run also returns a result if the model is trained; Result.Unsaved then
// says what could not be saved.
//
// An error that an option could avoid names the option: see Spell. Invalid options are an
// *OptionError. Run wraps the errors of the packages that it calls: *vocab.RareError,
// *vocab.MemoryError, *sgns.MemoryError, *sgns.DivergedError, *sgns.MismatchError,
// *format.UnwritableWord and others.
//
// With Options.Recipe, Run trains several models, one after another, and its Result is about all of them; Best is nil. A recipe that is
// interrupted keeps the checkpoints of its parts, and no model.
func Run(ctx context.Context, c Corpus, o Options, h Hooks) (*Result, error) {
	if o.Recipe != "" && o.Recipe != RecipeNone {
		return runRecipe(ctx, c, o, h)
	}
	return runAlone(ctx, c, o, h, nil)
}

// savingOf returns the context of saving, which goes on when training is interrupted, until the options say that it ends.
func savingOf(ctx context.Context, o Options) (saving context.Context, giveUp context.CancelFunc) {
	saving, giveUp = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-o.GiveUp:
			giveUp()
		case <-saving.Done():
		}
	}()
	return saving, giveUp
}

// runAlone trains one model. If text is not nil, it is read by the first model that is trained on it.
func runAlone(ctx context.Context, c Corpus, o Options, h Hooks, text *shared) (_ *Result, err error) {
	if follows(o.Ranks) {
		h = Hooks{Ready: h.Ready, Plan: h.Plan}
	}
	r := &run{options: o, settings: o.Settings.orDefaults(), hooks: h.serial(), input: c.input(), shared: text}
	if c, err = c.withFreshEpochs(&r.settings); err != nil {
		return nil, err
	}
	r.settings.kmers, r.lists = c.kmers, c.lists
	if o.Force {
		r.settings.Model.Force = true
	}
	saving, giveUp := savingOf(ctx, o)
	defer giveUp()
	defer func() { err = errors.Join(err, r.resumed.close(), r.warm.close()) }()
	if err := inOrder(func() error { return r.complete(ctx) }, func() error { return r.checkAlike(ctx) }); err != nil {
		return nil, err
	}
	source, err := r.place(ctx, c)
	defer r.unlock()
	defer context.AfterFunc(saving, r.unlock)() // the program may exit at once
	if err != nil {
		return nil, err
	}
	if err := r.checkSample(ctx, source); err != nil {
		return nil, err
	}
	if err := r.hooks.Ready(); err != nil {
		return nil, err
	}
	read, err := r.readText(ctx, source)
	if err != nil {
		for _, note := range r.warm.notes { // settings that the vectors decided may be why
			r.hooks.Note(note)
		}
		return nil, err
	}
	defer func() { err = errors.Join(err, read.close()) }()
	return r.train(ctx, saving, read)
}

type run struct {
	options  Options
	settings Settings
	input    string // what sentences are made of
	lists    bool   // sentences are in memory
	asked    asked
	hooks    Hooks
	format   format.Format
	locks    []*atomicfile.Lock
	shared   *shared // nil unless other models are trained on the text

	resumed     *resumed         // nil if no checkpoint is read
	from        *sgns.Checkpoint // nil if the run starts anew
	warm        warmStart
	checkpoints checkpoints
	evaluator   evaluator
	remarks     []Remark
}

// complete opens the checkpoint and the vectors of the options, and completes the settings.
func (r *run) complete(ctx context.Context) error {
	if err := inOrder(r.uncounted, r.validate, r.indivisible, r.readSets, r.readPhrases, r.resume, r.openWarm, r.uncounted, r.settings.Complete); err != nil {
		return err
	}
	r.goOn()
	k := r.options.Checkpoint
	r.checkpoints.file = k.File
	r.checkpoints.space(k.Every, cluster.Several(r.options.Ranks), r.options.SyncBudget > 0)
	if err := inOrder(func() error { return r.openHeldOut(ctx) }, r.chooseFormat); err != nil {
		return err
	}
	if follows(r.options.Ranks) { // the first rank does for all
		o := &r.options
		o.Output, o.Writer, o.Vocabulary.Save, o.Files, o.Evaluation.EpochModels = "", nil, "", nil, ""
		r.checkpoints.file = ""
		r.evaluator.sets, r.evaluator.custom = nil, nil
	}
	return nil
}

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
	if err := format.CheckSubword(sub, nil, r.format); err != nil {
		return optionErrorf("%s%v", prefix(o.Output), err)
	}
	return nil
}

func prefix(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

func (r *run) place(ctx context.Context, c Corpus) (*corpus.Source, error) {
	if err := r.checkTargets(); err != nil {
		return nil, err
	}
	if of := r.settings.kmers; of != nil && c.kmers == nil {
		c = c.sequences(*of, nil)
	}
	source, err := c.source(ctx, r.settings.Model.Seed, r.settings.Text)
	if err != nil {
		return nil, err
	}
	if err := r.checkDivisible(source); err != nil || follows(r.options.Ranks) {
		return source, err
	}
	return source, inOrder(func() error { return r.checkDistinct(source, c.stdin) }, r.lock, r.checkReplaced)
}

func (r *run) remark(remark Remark) {
	if remark.Kind == "" {
		return
	}
	r.remarks = append(r.remarks, remark)
	r.hooks.Remark(remark)
}

// manyOutputs is the number of words beyond which a run says that it scores all of them. With 100,000 words and 100 dimensions, a
// processor trains about a thousand tokens a second.
const manyOutputs = 20_000

func (r *run) train(ctx, saving context.Context, t *runText) (_ *Result, err error) {
	var planned uint64
	hooks, err := r.trainingHooks(saving, t, &planned)
	if err != nil {
		return nil, err
	}
	if is, was := r.settings.differing(r.warm.was, r.warm.told); len(is) > 0 {
		r.remark(remarkf(RemarkSettings, "%s was trained with %v, and this run has %v", r.warm.name(), messages(was), messages(is)))
	}
	auto := r.completeEpochs(t)
	if n := t.Vocab.Len(); r.settings.Model.ScoresAll() && n > manyOutputs {
		r.hooks.Note(messagef("%v scores all %s words for each token: %v takes a small part of the time, and %v keeps fewer words",
			name("loss").to(r.settings.Model.Loss), wording.Thousands(n), name("loss").to(sgns.NegativeSampling), name("max-vocab")))
	}
	started := Start{Settings: r.settings, Auto: auto, Words: t.Vocab.Len(), Total: t.tokens * uint64(r.settings.Model.Epochs)}
	if r.from != nil {
		started.Resumed, started.Tokens, started.Total = true, r.from.Tokens, r.from.Total
	}
	r.hooks.Start(started)
	cpu, start := sysinfo.CPUTime(), time.Now()
	model, err := r.trainModel(ctx, sgns.Data{IDs: t.train, Vocab: t.Vocab, HeldOut: t.heldOut, Init: r.warm.set, Folder: r.options.Cache, Ranks: r.options.Ranks, SyncEvery: r.options.SyncEvery, SyncBudget: r.options.SyncBudget, Divide: r.options.Divide}, hooks)
	defer func() { err = errors.Join(err, model.Close()) }() // the other ranks wait for the model to close
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
		Network:  model.Progress.Network,
		Planned:  planned,
		Counting: t.Took,
		Training: time.Since(start),
		CPU:      sysinfo.CPUTime() - cpu,
	}
	if r.options.Ranks != nil {
		result.Ranks = r.options.Ranks.Size()
	}
	result.Preparing = max(0, result.Training-model.Progress.Elapsed)
	if model.Vectors != nil { // of a divided model, only the first rank has Vectors
		if result.Vectors, result.Unseen, err = r.inFileOrder(r.settings.described(model.Vectors)); err != nil {
			return nil, errors.Join(stopped, err)
		}
		start := time.Now()
		result.Unsaved = r.save(ctx, saving, result)
		result.Saving = time.Since(start)
	}
	if r.options.Divide {
		result.Vectors = nil
	}
	if r.settings.Given("sample") && r.settings.Model.Sample > 0 && r.from == nil && t.tokens < sgns.LeastSubsampled {
		r.remarks = append(r.remarks, remarkf(RemarkKeptWhole, "a corpus below %d tokens is not subsampled, so that %v has no effect", sgns.LeastSubsampled, name("sample").to(r.settings.Model.Sample)))
	}
	result.remarked = len(r.remarks)
	result.Remarks = append(r.remarks, modelRemarks(model, t.Text, r.settings, r.asked.rate)...)
	return result, errors.Join(stopped, result.Unsaved)
}

// completeEpochs chooses the number of epochs by the size of the corpus, unless there is one. It reports whether it did.
func (r *run) completeEpochs(t *runText) bool {
	c := &r.settings.Model
	switch {
	case c.Epochs > 0: // a resumed run has its number too
		return false
	case r.options.Init.given():
		c.Epochs = sgns.UsualEpochs
	default:
		c.Epochs = t.epochsFor(*c, t.tokens)
	}
	r.settings.autoEpochs = true
	return true
}

// trainingHooks returns the hooks of training. planned receives the memory that it will take.
func (r *run) trainingHooks(saving context.Context, t *runText, planned *uint64) (sgns.Hooks, error) {
	var plan sgns.Plan
	h := sgns.Hooks{
		Start: func(p sgns.Plan) error {
			plan, *planned = p, p.Bytes
			r.checkpoints.take(writing(parameterBytes(p)))
			return r.planned(t.Vocab, p)
		},
		Progress: r.hooks.Progress,
		Every:    r.hooks.Every,
		Diverged: r.hooks.Diverged,
		Counting: func(c sgns.Counting) {
			if r.checkpoints.none.Store(!c.Done); c.Done {
				r.hooks.Note(messagef("%s were counted", wording.Count(c.Pairs, "pair of words", "pairs of words")))
			} else {
				r.hooks.Note(messagef("pairs of words are counted first"))
			}
		},
	}
	if tell := r.hooks.Warm; tell != nil {
		h.Warm = func(w sgns.Warm) {
			started := r.warm.started(w, r.settings)
			started.NeedsContext = !slices.ContainsFunc(plan.Matrices, func(m sgns.MatrixShape) bool { return m.SameAs != "" })
			tell(started)
		}
	}
	e, wholeEpochs := &r.evaluator, r.options.Evaluation.EpochModels != ""
	var evaluated *vectors.Set
	h.Evaluated = func(done sgns.Evaluation) {
		told := Evaluated{Evaluation: done, Scores: e.scores}
		if wholeEpochs {
			told.Epoch = done.Tokens / t.tokens
			told.Model = r.options.Evaluation.epochModel(told.Epoch)
			told.Unwritten = r.writeEpoch(saving, evaluated, told.Model)
		}
		r.hooks.Evaluated(told)
		e.scores, evaluated = nil, nil
	}
	if r.evaluatesVectors() {
		h.Evaluate = func(ctx context.Context, set *vectors.Set) (float64, error) {
			evaluated = r.settings.described(set)
			return e.score(ctx, evaluated)
		}
	}
	var err error
	if r.checkpoints.file != "" {
		h.Checkpoint = func(point *sgns.Checkpoint) { r.checkpoint(saving, point) }
		h.CheckpointAfter = func() time.Duration { return time.Duration(r.checkpoints.every.Load()) }
		h.Note, err = r.note()
	}
	return h, err
}

func (r *run) trainModel(ctx context.Context, d sgns.Data, h sgns.Hooks) (*sgns.Model, error) {
	if path := r.checkpoints.file; path != "" {
		defer context.AfterFunc(ctx, func() {
			if !r.checkpoints.none.Load() {
				r.hooks.Saving(Saving{File: path, Checkpoint: true, Interrupted: true})
			}
		})()
	}
	if r.from == nil {
		return sgns.Train(ctx, d, r.settings.Model, h)
	}
	model, err := sgns.Resume(ctx, d, r.from, h)
	if _, ok := errors.AsType[*sgns.MismatchError](err); ok {
		return nil, errorf("%s cannot be resumed: %v%v", r.resumed.file, err, r.onNewText())
	}
	if _, ok := errors.AsType[*sgns.StateError](err); ok {
		return nil, ofModel(r.resumed.file, err)
	}
	return model, err
}

type runText struct {
	*Text
	train, heldOut *vocab.IDs // if nothing was held out: all of the text, and nil
	tokens         uint64     // to train on, over all ranks
	shared         bool       // others close the Text
}

func (r *run) readText(ctx context.Context, source *corpus.Source) (_ *runText, err error) {
	fixed, known, err := r.givenWords()
	if err != nil {
		return nil, err
	}
	var read *Text
	again := r.shared != nil && r.shared.text != nil
	if again {
		read = r.shared.text
		r.settings.joined = read.Phrases
	} else if read, err = readSource(ctx, source, r.settings, r.reading(fixed, known)); r.shared != nil && err == nil {
		r.shared.text = read
	}
	if read != nil && !again {
		r.settings.joined = read.Phrases
		if read.TooLong.Tokens > 0 {
			r.hooks.Note(messagef("%v", read.TooLong))
		}
		if read.Empty.Inputs > 0 {
			r.hooks.Note(messagef("%v", read.Empty))
		}
		if r.from != nil {
			read.Layout = corpus.Layout{} // the layout was remarked on when the run started
		}
		r.remark(layoutRemark(read, r.settings))
	}
	if err != nil {
		return nil, err
	}
	t := &runText{Text: read, shared: r.shared != nil}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if !again {
		r.hooks.Read(read)
	}
	if err := r.checkWords(read); err != nil {
		return nil, err
	}
	if t.train, t.heldOut, err = r.evaluator.split(ctx, read, r.reading(read.Vocab, nil), r.hooks.Note); err != nil {
		return t, err
	}
	t.tokens, err = tokensOfAll(ctx, r.options.Ranks, t.train)
	return t, err
}

func (r *run) reading(fixed, known *vocab.Vocab) ReadOptions {
	o := &r.options
	return ReadOptions{
		Cache: o.Cache, NoCache: o.NoCache, Memory: o.VocabMemory, Force: o.Force, Reading: r.hooks.Reading,
		Note:  func(text string) { r.hooks.Note(messagef("%s", text)) },
		fixed: fixed, known: known, ranks: o.Ranks, derived: r.input != textInput,
	}
}

func (r *run) givenWords() (fixed, known *vocab.Vocab, err error) {
	o := r.options.Vocabulary
	switch {
	case o.Words != nil:
		fixed = o.Words
	case o.File != "":
		limits := vocab.Options{MinCount: r.settings.MinCount, MaxVocab: r.settings.MaxVocab}
		fixed, err = compression.ReadFile(o.File, func(in io.Reader) (*vocab.Vocab, error) { return vocab.Read(in, limits) })
	case r.from != nil && r.resumed.note.Vocabulary: // it was given, not counted
		fixed, err = r.from.Vocab()
		err = ofModel(r.resumed.file, err)
	}
	if err == nil {
		known, err = r.warm.known(r.options.Init.UpdateVocab)
	}
	return fixed, known, err
}

// checkWords checks that words can be written and evaluated, and writes the vocabulary.
func (r *run) checkWords(t *Text) error {
	if r.from == nil && t.Layout.Kind == corpus.LayoutText {
		r.remark(spellingRemark(t, r.settings))
	}
	if err := r.checkRows(t.Vocab); err != nil {
		return err
	}
	if r.settings.Text.File == nil && (r.options.Output != "" || r.options.Writer != nil) {
		if err := format.CheckWords(t.Vocab.Tokens(), r.format); err != nil && !r.options.SkipUnwritable {
			return errorf("%s%v; %v leaves such words out", prefix(r.options.Output), err, name("skip-unwritable"))
		}
	}
	if r.settings.Model.Subword == nil { // words composed of n-grams need not be in the vocabulary
		if err := r.checkSets(t.Vocab); err != nil {
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

func (t *runText) close() error {
	var errs []error
	if t.train != nil && t.train != t.IDs {
		errs = append(errs, t.train.Close())
	}
	if t.heldOut != nil {
		errs = append(errs, t.heldOut.Close())
	}
	if !t.shared {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}
