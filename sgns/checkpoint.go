package sgns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Checkpoint is a training run at some moment: the parameters, the vocabulary, the
// configuration, and how far every worker is. In a file it is a native model, which
// other programs read as any other, with the rest as its State.
type Checkpoint struct {
	Config Config
	// Note is kept for who trains, who may need to know more to train on.
	Note json.RawMessage
	// Tokens have been trained, of Total of all epochs.
	Tokens, Total uint64
	Pause         time.Duration // for which workers stood still, when it was made

	set    *vectors.Set
	corpus fingerprint
	held   *fingerprint // of the held-out text
	state  state
	sizes  *sizes

	frozen         []byte // a bit for each word whose rows are frozen
	frozenContexts bool
	before         uint64 // tokens that the vectors that it began with were trained on
	warm           bool   // it began with vectors
}

// fingerprint tells a corpus from another.
type fingerprint struct {
	Tokens    uint64   `json:"tokens"`
	Chunks    int      `json:"chunks"`
	Checksums []uint32 `json:"checksums"`
}

// fingerprintOf reads all of a corpus; nil stays nil.
func fingerprintOf(ids *corpus.IDs) *fingerprint {
	if ids == nil {
		return nil
	}
	return &fingerprint{ids.Tokens(), ids.Chunks(), ids.Checksums()}
}

// made says by what a checkpoint was made.
type made struct {
	Version  int `json:"version"`
	Revision int `json:"revision"` // of the algorithm; 0 in checkpoints of revision 1
}

// saved is a checkpoint's State.
type saved struct {
	made
	Sizes   *sizes          `json:"sizes,omitempty"` // nil in those of revision 1
	Config  Config          `json:"config"`          // but for Subword, which belongs to the vectors
	Corpus  fingerprint     `json:"corpus"`
	HeldOut *fingerprint    `json:"held_out,omitempty"`
	State   state           `json:"run"`
	Note    json.RawMessage `json:"note,omitempty"`

	Frozen         []byte `json:"frozen,omitempty"`
	FrozenContexts bool   `json:"frozen_contexts,omitempty"`
	Before         uint64 `json:"trained_before,omitempty"`
	Warm           bool   `json:"warm,omitempty"`
}

// Versions of a state: raised when what it says changes its meaning.
const (
	plainVersion = 1
	// variantVersion is that of variants, which programs that know nothing of them would
	// take for skip-gram with negative sampling, and go on with as that.
	variantVersion = 2
)

// stateVersion is the version of the state of such a run.
func (c Config) stateVersion() int {
	if c.arch() == SkipGram && c.loss() == NegativeSampling && c.composition() == vectors.ComposeMean &&
		c.Rank == 0 && !c.Tied && len(c.Nested) < 2 {
		return plainVersion
	}
	return variantVersion
}

// Set returns the vectors of the checkpoint with its state, to be written in the native
// format (docs/format.md, "Training state"). They are valid as long as the checkpoint is. It
// is an error if Note is no JSON.
func (c *Checkpoint) Set() (*vectors.Set, error) {
	if err := c.empty(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(saved{
		made:    made{Version: c.Config.stateVersion(), Revision: Revision},
		Sizes:   c.sizes,
		Config:  c.Config,
		Corpus:  c.corpus,
		HeldOut: c.held,
		State:   c.state,
		Note:    c.Note,

		Frozen:         c.frozen,
		FrozenContexts: c.frozenContexts,
		Before:         c.before,
		Warm:           c.warm,
	})
	if err != nil {
		return nil, fmt.Errorf("sgns: the state of a checkpoint: %w", err)
	}
	p := c.set.Parts()
	p.State = text
	c.set = setOf(p)
	return c.set, nil
}

// NewCheckpoint returns the checkpoint that a set is, which must stay open as long as
// it is used: until Resume returns, or calls Hooks.Checkpoint. It is an error if it has no
// state, or one that is damaged; its whole file is read to know that. It is another error if
// the algorithm of another Revision made it, or if this program cannot divide the work as
// it was when the run began.
func NewCheckpoint(set *vectors.Set) (c *Checkpoint, err error) {
	if set == nil {
		return nil, errors.New("sgns: there is no set of vectors to take a checkpoint from")
	}
	err = set.Guard(func() error {
		c, err = newCheckpoint(set)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// newCheckpoint is NewCheckpoint where it is no matter that the file may be changed.
func newCheckpoint(set *vectors.Set) (*Checkpoint, error) {
	if len(set.State()) == 0 {
		return nil, errors.New("is a model, not a checkpoint: it has no state of training to go on from (--init starts from its vectors)")
	}
	if err := set.Verify(); err != nil {
		return nil, err
	}
	// What another revision wrote may not even be read as what this one writes.
	var s saved
	if err := json.Unmarshal(set.State(), &s.made); err != nil {
		return nil, &StateError{fmt.Errorf("invalid state JSON: %w", err)}
	}
	if s.Version != plainVersion && s.Version != variantVersion {
		return nil, fmt.Errorf("the state of training is of version %d, and this program goes on from versions %d and %d", s.Version, plainVersion, variantVersion)
	}
	if err := resumable(s.Revision); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(set.State(), &s); err != nil {
		return nil, &StateError{fmt.Errorf("invalid state JSON: %w", err)}
	}
	c := &Checkpoint{
		Config: s.Config,
		Note:   s.Note,
		Total:  s.Corpus.Tokens * uint64(max(s.Config.Epochs, 0)),
		set:    set,
		corpus: s.Corpus,
		held:   s.HeldOut,
		state:  s.State,
		sizes:  s.Sizes,

		frozen:         s.Frozen,
		frozenContexts: s.FrozenContexts,
		before:         s.Before,
		warm:           s.Warm,
	}
	c.Config.Subword = subword.Value(set.Subword())
	if err := c.Config.Validate(); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	if n := len(s.State.Workers); n == 0 || n > maxWorkers {
		return nil, fmt.Errorf("the state of training: expected from 1 to %d workers, found %d", maxWorkers, n)
	}
	for _, w := range s.State.Workers {
		c.Tokens += w.Tokens
	}
	if err := c.takeSizes(s.Revision); err != nil {
		return nil, err
	}
	if err := c.fits(); err != nil {
		return nil, &StateError{err}
	}
	return c, nil
}

// takeSizes returns an error if this program cannot train with the sizes of a checkpoint of
// that revision, and finds them in the state of one that names none.
func (c *Checkpoint) takeSizes(revision int) (err error) {
	switch {
	case c.sizes != nil:
		err = c.sizes.runnable(c.Config)
	case revision > 1:
		err = &StateError{errors.New("has no sizes of blocks")}
	default:
		c.sizes, err = c.Config.sizesBefore(c.state)
	}
	if err != nil {
		return err
	}
	for k, w := range c.state.Workers { // before there is memory for so many
		if len(w.Ahead) != c.sizes.Draws {
			return &StateError{fmt.Errorf("worker %d: has %d negatives drawn, expected %d", k, len(w.Ahead), c.sizes.Draws)}
		}
	}
	return nil
}

// fits reports a model that is not one of the configuration.
func (c *Checkpoint) fits() error {
	set, config := c.set, c.Config
	if err := set.Check(); err != nil {
		return fmt.Errorf("its model is not valid: %w", err)
	}
	if set.Subword() != nil && set.Composition() != config.composition() {
		return fmt.Errorf("its model composes words as %q, expected %q", string(set.Composition()), string(config.composition()))
	}
	for _, m := range c.expected() {
		if m.there.Rows != m.rows || m.rows > 0 && m.there.Cols != m.cols {
			return fmt.Errorf("needs %s of %d × %d numbers, and its model has %d × %d", m.name, m.rows, m.cols, m.there.Rows, m.there.Cols)
		}
	}
	return nil
}

// A parameterPart is a matrix of a checkpoint's model, and what it is to be.
type parameterPart struct {
	name       string
	there      vectors.Matrix
	rows, cols int
}

// expected are the matrices of the model in the order of parameters.matrices, and of how
// many numbers the configuration says that they are: none for what it has no use for.
func (c *Checkpoint) expected() []parameterPart {
	set, config := c.set, c.Config
	input, projection, factors := set.Input().Factors()
	if !factors {
		input, projection = set.Input(), vectors.Matrix{}
	}
	output := parameterPart{"context vectors", set.Output(), config.outputRows(set.Len()), config.Dim}
	switch {
	case config.loss() == HierarchicalSoftmax:
		output.name, output.there = "vectors of a tree's nodes", set.Matrix(vectors.MatrixNodes)
	case config.arch() == Structured:
		output.name, output.there = "context vectors by position", set.Matrix(vectors.MatrixPositionOutput)
	case config.Tied:
		output = parameterPart{}
	}
	importance := parameterPart{name: "weights of pieces", there: set.Matrix(vectors.MatrixImportance)}
	if hash, ok := config.Subword.(subword.Hash); ok {
		importance.rows, importance.cols = hash.Importances, hash.Hashes
	}
	positions := parameterPart{name: "position weights", there: set.Matrix(vectors.MatrixPositionWeights), cols: config.width()}
	if config.PositionWeights {
		positions.rows = 2 * config.Window
	}
	runs := parameterPart{name: "rows of word n-grams", there: set.Matrix(vectors.MatrixWordNgrams), cols: config.width()}
	if config.WordNgrams > 1 {
		runs.rows = config.WordBuckets
	}
	return []parameterPart{
		{"input vectors", input, input.Rows, config.rowWidth()}, // as many as the table has
		output,
		importance,
		{"a projection", projection, config.Rank, config.Dim},
		positions,
		runs,
	}
}

// maxWorkers is the largest number of workers.
const maxWorkers = 1 << 16

// Vocab returns the vocabulary that the run trains. It is an error if words and counts are
// not in the order of a vocabulary.
func (c *Checkpoint) Vocab() (*vocab.Vocab, error) {
	if err := c.empty(); err != nil {
		return nil, err
	}
	var v *vocab.Vocab
	err := reading(nil, c, func() (err error) {
		v, err = vocab.FromCounts(c.set.Words().Strings(), c.set.Counts())
		return err
	})
	return v, err
}

// Extend makes the run longer by so many epochs. The learning rate then is what it would
// be by now if it had been to fall to zero over all of them. It panics if the number of
// epochs is negative.
func (c *Checkpoint) Extend(epochs int) {
	if epochs < 0 {
		panic(fmt.Sprintf("sgns: a run cannot be made longer by %d epochs", epochs))
	}
	c.Config.Epochs += epochs
	c.Total = c.corpus.Tokens * uint64(c.Config.Epochs)
}

// Ended reports whether there is nothing more to train: all tokens are, or evaluations
// have not become better for long enough.
func (c *Checkpoint) Ended() bool {
	return c.Tokens >= c.Total || c.Config.Patience > 0 && c.state.Epochs == c.Config.Epochs && c.state.Verdict.Since >= c.Config.Patience
}

// A MismatchError says that a run cannot be resumed because something is not what it
// was.
type MismatchError struct{ Differs string }

func (e *MismatchError) Error() string { return e.Differs }

// A StateError says that a checkpoint is not what this program writes.
type StateError struct{ Err error }

func (e *StateError) Error() string { return fmt.Sprintf("the state of training: %v", e.Err) }

// Unwrap returns Err.
func (e *StateError) Unwrap() error { return e.Err }

// Resume goes on with the run of a checkpoint, as if it had never stopped: with one
// worker, or if it is deterministic, on the same kind of processor, the vectors come to
// be the same to the bit. It is a *MismatchError if the corpus or the vocabulary is
// another, and a *StateError if the checkpoint is damaged; other errors are those of
// Train.
func Resume(ctx context.Context, d Data, from *Checkpoint, h Hooks) (*Model, error) {
	if err := from.empty(); err != nil {
		return nil, err
	}
	if err := validateRun(ctx, d, h); err != nil {
		return nil, err
	}
	if err := reading(nil, from, func() error { return from.matches(d) }); err != nil {
		return nil, err
	}
	if from.sizes.complete() { // with the configuration, which may have been changed
		if err := from.sizes.runnable(from.Config); err != nil {
			return nil, err
		}
	}
	config := from.Config
	config.sizes = from.sizes
	return trainFrom(ctx, d, config, from, h)
}

// matches compares the data with those of the run.
func (c *Checkpoint) matches(d Data) error {
	differ := func(format string, args ...any) error {
		return &MismatchError{fmt.Sprintf(format, args...)}
	}
	if d.Vocab.Len() != c.set.Len() {
		return differ("the vocabulary has %d words, that of the checkpoint %d", d.Vocab.Len(), c.set.Len())
	}
	for id, word := range c.set.Words().All() {
		if token := d.Vocab.Token(id); token != word {
			return differ("word %d of the vocabulary is %q, in the checkpoint %q", id+1, token, word)
		}
		if id < len(c.set.Counts()) && d.Vocab.Count(id) != c.set.Counts()[id] {
			return differ("the corpus has %q %d times, in the checkpoint it is %d", word, d.Vocab.Count(id), c.set.Counts()[id])
		}
	}
	if err := c.corpus.matches(d.IDs, "the corpus"); err != nil {
		return err
	}
	switch {
	case c.held == nil && d.HeldOut != nil:
		return differ("the run held out no text")
	case c.held != nil && d.HeldOut == nil:
		return differ("the run held out text of %d tokens, now there is none", c.held.Tokens)
	case c.held != nil:
		return c.held.matches(d.HeldOut, "the held-out text")
	}
	return nil
}

func (f fingerprint) matches(ids *corpus.IDs, what string) error {
	now := fingerprintOf(ids)
	if now.Tokens != f.Tokens {
		return &MismatchError{fmt.Sprintf("%s has %d tokens of the vocabulary, in the checkpoint it has %d", what, now.Tokens, f.Tokens)}
	}
	if slices.Equal(now.Checksums, f.Checksums) && now.Chunks == f.Chunks {
		return nil
	}
	n := min(len(now.Checksums), len(f.Checksums))
	at := 0
	for at < n && now.Checksums[at] == f.Checksums[at] {
		at++
	}
	return &MismatchError{fmt.Sprintf("%s has other text than in the checkpoint, first about %d %% into it", what, 100*at/max(n, 1))}
}

// table returns the table of the run, nil if there is no checkpoint, or none with rows
// of n-grams that words and settings alone do not say.
func (c *Checkpoint) table() (*subword.Table, error) {
	if c == nil || c.Config.Subword == nil || c.set.BucketRows() == nil {
		return nil, nil
	}
	words := slices.Clone(c.set.WordRows())
	if c.Config.composition() == vectors.ComposePieces {
		words = nil
	} else if words == nil {
		for w := range c.set.Len() {
			words = append(words, uint32(w))
		}
	}
	t, err := subword.RestoreTable(c.set.Words().Strings(), c.Config.Subword, words, slices.Clone(c.set.BucketRows()))
	if err != nil {
		return nil, fmt.Errorf("the rows of words and n-grams: %w", err)
	}
	return t, nil
}

// restore writes the parameters of the checkpoint to p.
func (c *Checkpoint) restore(p *parameters) error {
	if err := c.read(*p, c.matrices()); err != nil {
		return err
	}
	if c.Config.Freeze == FreezeKnown {
		words := make([]bool, c.set.Len())
		for w := range words {
			words[w] = w/8 < len(c.frozen) && c.frozen[w/8]>>(w%8)&1 != 0
		}
		p.freeze(words, c.frozenContexts)
	}
	return nil
}

// matrices are those of the model, in the order of parameters.matrices.
func (c *Checkpoint) matrices() (all []vectors.Matrix) {
	for _, m := range c.expected() {
		if m.there.Rows > 0 {
			all = append(all, m.there)
		}
	}
	return all
}

// restoreBest writes the best parameters so far to p, if there are any.
func (c *Checkpoint) restoreBest(p parameters) error {
	if c.state.Verdict.Best == nil {
		return nil
	}
	return c.read(p, c.set.StateRows())
}

// read reads parameters.
func (c *Checkpoint) read(p parameters, from []vectors.Matrix) error {
	to := p.matrices()
	if len(from) != len(to) {
		return fmt.Errorf("the checkpoint has %d matrices of parameters, expected %d", len(from), len(to))
	}
	for k, m := range to {
		from := from[k]
		if from.Rows != m.Rows || from.Cols != m.Cols {
			return fmt.Errorf("the checkpoint has a matrix of %d × %d numbers, expected %d × %d", from.Rows, from.Cols, m.Rows, m.Cols)
		}
		for i := range m.Rows {
			from.Read(m.Row(i), i)
		}
	}
	if !p.finite() {
		return errors.New("the checkpoint has numbers that are not finite")
	}
	return c.set.Err()
}

// checkpoint returns a checkpoint of the parameters and the state that goes with them.
func (r *run) checkpoint(p parameters, s state) *Checkpoint {
	set := r.parts(p)
	if r.judge.keeps && s.Verdict.Best != nil {
		for _, m := range r.best.matrices() {
			set.StateRows = append(set.StateRows, *m)
		}
	}
	config := r.config
	config.sizes = nil // a run that begins with this configuration has sizes of its own
	z := r.config.sizesOf(r.shape)
	c := &Checkpoint{Config: config, sizes: &z, Note: r.hooks.Note, Total: r.total, corpus: r.corpusPrint, held: r.heldPrint, state: s, before: r.before,
		warm: r.init != nil || r.from != nil && r.from.warm}
	for _, w := range s.Workers {
		c.Tokens += w.Tokens
	}
	if r.config.Freeze == FreezeKnown && r.from != nil {
		c.frozen, c.frozenContexts = r.from.frozen, r.from.frozenContexts
	} else if r.config.Freeze == FreezeKnown {
		c.frozen, c.frozenContexts = make([]byte, (r.words.Len()+7)/8), r.frozenOutput != nil
		for w, known := range r.init.knownWords() {
			if known {
				c.frozen[w/8] |= 1 << (w % 8)
			}
		}
	}
	set.Training.Trained = r.before + c.Tokens
	set.State = []byte{} // Checkpoint.Set fills it in
	c.set = setOf(set)
	return c
}

// snapshot copies the parameters, and begins to write a checkpoint in the background.
// The gate is held since asked.
func (r *run) snapshot(asked time.Time) {
	r.checkpointDue.Store(false)
	if !r.finite() { // the copy stays good, and the loss is soon no number either
		return
	}
	r.saves.Wait() // as good as always done by now
	r.copied.copyFrom(r.parameters)
	s := r.state()
	c := r.checkpoint(r.copied, s)
	r.good = &s
	c.Pause = time.Since(asked)
	r.saving.Store(true)
	r.saves.Go(func() {
		defer r.saving.Store(false)
		r.hooks.Checkpoint(c)
	})
}
