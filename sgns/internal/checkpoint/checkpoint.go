// Package checkpoint converts the state of a run to tensors and JSON, and back.
package checkpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Checkpoint is a training run at some moment: the parameters, the vocabulary, the configuration, and the
// progress of every worker. A file of it is a native model, which other programs read like any model; the
// rest is its State.
type Checkpoint struct {
	Config config.Config
	// Note is the caller's data, stored unchanged.
	Note json.RawMessage
	// Tokens is the number of tokens trained so far, and Total the number in all epochs.
	Tokens, Total uint64
	Pause         time.Duration // how long workers were paused to take it

	of Contents
}

// Contents are what a run needs to continue. All but Set and Tokens is JSON in the State of the set.
type Contents struct {
	Sizes   *plan.Sizes     `json:"sizes,omitempty"`
	Config  config.Config   `json:"config"` // without Subword, which belongs to the vectors
	Corpus  Fingerprint     `json:"corpus"`
	HeldOut *Fingerprint    `json:"held_out,omitempty"` // nil without held-out text
	State   State           `json:"run"`
	Note    json.RawMessage `json:"note,omitempty"`

	Frozen         []byte `json:"frozen,omitempty"` // a bit for each word whose rows are frozen
	FrozenContexts bool   `json:"frozen_contexts,omitempty"`
	Before         uint64 `json:"trained_before,omitempty"` // tokens that the initial vectors had been trained on
	Warm           bool   `json:"warm,omitempty"`           // the run started from vectors

	Set    *vectors.Set `json:"-"`
	Tokens uint64       `json:"-"` // tokens trained
}

// outputs returns the number of outputs: words or labels.
func (c *Contents) outputs() int {
	if l := c.Set.Labels(); l != nil {
		return l.Names.Len()
	}
	return c.Set.Len()
}

// matchesLabels compares the labels with those of the run.
func (c *Contents) matchesLabels(v *vocab.Vocab) error {
	l := c.Set.Labels()
	switch {
	case (v == nil) != (l == nil):
		return differ("the texts of only one run have labels, of this one and that of the checkpoint")
	case v == nil:
		return nil
	case v.Len() != l.Names.Len():
		return differ("there are %d labels, in the checkpoint %d", v.Len(), l.Names.Len())
	}
	for i, name := range l.Names.All() {
		if is := v.Token(i); is != name || v.Count(i) != l.Counts[i] {
			return differ("label %d is %q of %d texts, in the checkpoint %q of %d", i+1, is, v.Count(i), name, l.Counts[i])
		}
	}
	return nil
}

// New returns a checkpoint. Its Tokens and Total follow from the contents.
func New(of Contents) *Checkpoint {
	of.Tokens = of.State.Sums().Tokens
	return &Checkpoint{Config: of.Config, Note: of.Note, Tokens: of.Tokens, Total: of.Corpus.Tokens * uint64(max(of.Config.Epochs, 0)), of: of}
}

// ContentsOf returns the contents of c with the current Config and Note of c.
func ContentsOf(c *Checkpoint) *Contents {
	of := c.of
	of.Config, of.Note = c.Config, c.Note
	return &of
}

// made describes the program that made a checkpoint.
type made struct {
	Version  int `json:"version"`
	Revision int `json:"revision"` // revision of the algorithm; 0 in checkpoints of revision 1
}

// Saved is a checkpoint's State.
type Saved struct {
	made
	Contents
}

// Versions of a state. Raise the version when the meaning of a state changes.
const (
	plainVersion = 1
	// variantVersion marks variants, which older programs would continue as skip-gram with negative sampling.
	variantVersion = 2
	// ranksVersion marks several ranks, whose workers older programs would take for those of one.
	ranksVersion = 3
)

// Set returns the vectors of the checkpoint with its state, for writing in the native format (docs/format.md,
// "Training state"). They are valid as long as the checkpoint is. It is an error if Note is not valid JSON.
func (c *Checkpoint) Set() (*vectors.Set, error) {
	version := variantVersion
	if len(c.of.State.Ranks) > 0 {
		version = ranksVersion
	} else if v, err := config.VariantOf(c.Config); err == nil && v.Plain() {
		version = plainVersion
	}
	text, err := json.Marshal(Saved{made{Version: version, Revision: Revision}, *ContentsOf(c)})
	if err != nil {
		return nil, fmt.Errorf("sgns: the state of a checkpoint: %w", err)
	}
	p := c.of.Set.Parts()
	p.State = text
	c.of.Set = model.SetOf(p)
	return c.of.Set, nil
}

// Vocab returns the vocabulary of the run. It is an error if words are not in the order of a vocabulary.
func (c *Checkpoint) Vocab() (*vocab.Vocab, error) {
	var v *vocab.Vocab
	err := c.of.Set.Guard(func() (err error) {
		v, err = vocab.FromCounts(c.of.Set.Words().Strings(), c.of.Set.Counts())
		return err
	})
	return v, err
}

// Extend adds epochs to the run. The current learning rate becomes the rate of a run that was planned with
// all these epochs from the start. It panics if the number of epochs is negative.
func (c *Checkpoint) Extend(epochs int) {
	if epochs < 0 {
		panic(fmt.Sprintf("sgns: a run cannot be made longer by %d epochs", epochs))
	}
	c.Config.Epochs += epochs
	c.Total = c.of.Corpus.Tokens * uint64(c.Config.Epochs)
}

// Ranks is the number of ranks that trained the run; 1 for a run in one process. If the run resumes on
// another number of ranks, each rank may use other threads than Config says.
func (c *Checkpoint) Ranks() int { return c.of.Ranks() }

// Ranks is the number of ranks that trained the run.
func (c *Contents) Ranks() int { return max(len(c.State.Ranks), 1) }

// Ended reports whether all tokens are trained, or evaluations have not improved for Patience times.
func (c *Checkpoint) Ended() bool {
	return c.Tokens >= c.Total || c.Config.Patience > 0 && c.of.State.Epochs == c.Config.Epochs && c.of.State.Found.Since >= c.Config.Patience
}

// A State is everything that a run needs to continue, except the parameters: the progress and the random
// generators of each worker. It is JSON in a checkpoint.
type State struct {
	Epochs   int           `json:"epochs"` // number of epochs when the state was taken
	Next     int64         `json:"next_chunk"`
	Halvings int           `json:"halvings"`
	Workers  []WorkerState `json:"workers"`
	Found    monitor.Found `json:"evaluations"`
	Divided  *DividedState `json:"divided,omitempty"` // only for runs whose rows are divided
	Ranks    []RankState   `json:"ranks,omitempty"`   // only for runs on several ranks; Workers has the workers of all ranks, rank after rank

	// Of a rank whose text others train too: see RankState.
	Left      []engine.Place `json:"-"`
	Elsewhere int64          `json:"-"`
}

// A WorkerState is the state of a worker between two texts.
type WorkerState struct {
	engine.State
	Tokens    uint64         `json:"tokens"`
	Pairs     uint64         `json:"pairs"`
	Loss      float64        `json:"loss"`
	LastPairs uint64         `json:"last_pairs"`
	Latest    monitor.Latest `json:"watched"`
	LastLoss  float64        `json:"last_loss"`
}

// WorkerOf returns the state of a worker that has trained so much.
func WorkerOf(s engine.State, t monitor.Sums, latest monitor.Latest) WorkerState {
	return WorkerState{State: s, Tokens: t.Tokens, Pairs: t.Pairs, Loss: t.Loss, LastPairs: t.LastPairs, Latest: latest, LastLoss: t.LastLoss}
}

// Sums returns what the worker has trained.
func (w WorkerState) Sums() monitor.Sums {
	return monitor.Sums{Tokens: w.Tokens, Pairs: w.Pairs, LastPairs: w.LastPairs, Loss: w.Loss, LastLoss: w.LastLoss}
}

// Sums returns what all workers have trained.
func (s *State) Sums() (all monitor.Sums) {
	for _, w := range s.Workers {
		all.Add(w.Sums())
	}
	return all
}

// A RankState is the progress of one rank. It is JSON in a checkpoint.
type RankState struct {
	Next   int64         `json:"next_chunk"`
	Corpus Fingerprint   `json:"corpus"` // the rank's part of the corpus
	Count  int           `json:"workers"`
	States []WorkerState `json:"states,omitempty"` // set only while it is sent to rank 0

	Left      []engine.Place `json:"left,omitempty"`      // places before Next at which chunks are not trained to their ends
	Elsewhere int64          `json:"elsewhere,omitempty"` // tokens of the part that other ranks have trained, less those of their parts that this rank has
}

// SetRanks sets the workers from the messages in which all ranks report their progress.
func (s *State) SetRanks(told [][]byte) error {
	if len(told) == 0 {
		return errors.New("ranks have not told how far they are")
	}
	s.Workers, s.Ranks, s.Left, s.Elsewhere = nil, nil, nil, 0
	for rank, data := range told {
		var of RankState
		if err := json.Unmarshal(data, &of); err != nil {
			return fmt.Errorf("the state of rank %d: %w", rank, err)
		}
		s.Workers = append(s.Workers, of.States...)
		of.States = nil
		s.Ranks = append(s.Ranks, of)
	}
	return s.checkRanks()
}

func (s *State) checkRanks() error {
	if len(s.Ranks) == 0 {
		return nil
	}
	left := len(s.Workers)
	for _, of := range s.Ranks {
		if of.Count < 1 || of.Count > left {
			left = -1
			break
		}
		left -= of.Count
	}
	if left != 0 {
		return fmt.Errorf("its %d ranks have other workers than the %d that there are", len(s.Ranks), len(s.Workers))
	}
	return nil
}

// Of returns the state of one rank; nil if the run had another number of ranks.
func (s *State) Of(rank, size int) *State {
	if max(len(s.Ranks), 1) != size || s.Divided != nil {
		return nil
	}
	own := *s
	own.Ranks = nil
	if size == 1 {
		return &own
	}
	first := 0
	for _, of := range s.Ranks[:rank] {
		first += of.Count
	}
	own.Left, own.Elsewhere = s.Ranks[rank].Left, s.Ranks[rank].Elsewhere
	own.Next, own.Workers = s.Ranks[rank].Next, s.Workers[first:][:s.Ranks[rank].Count]
	return &own
}

// A DividedState is the additional state of a run with divided rows. Each of its ranks has one worker, whose
// place is the start of the rank's next round. It is JSON in a checkpoint.
type DividedState struct {
	Rounds uint64 `json:"rounds"` // number of rounds trained
}

// Ended reports whether nothing is left to train for the only rank of a run.
func (c *Contents) Ended(ids *vocab.IDs) bool {
	s, patience := &c.State, c.Config.Patience
	return s.Epochs == c.Config.Epochs && (s.Next >= int64(ids.Chunks())*int64(s.Epochs) || patience > 0 && s.Found.Since >= patience)
}

// NextOf returns the chunk at which a rank continues a run that had another number of ranks: all ranks
// together were as far into the current epoch as the rank now is into its part.
func (c *Contents) NextOf(part *vocab.IDs) int64 {
	chunks, epochs := int64(part.Chunks()), int64(c.State.Epochs)
	whole := max(c.Corpus.Tokens, 1)
	epoch := min(int64(c.Tokens/whole), epochs)
	within := float64(c.Tokens%whole) / float64(whole)
	return min(epoch*chunks+int64(within*float64(chunks)+0.5), chunks*epochs)
}

// A StateError says that a checkpoint's state is invalid.
type StateError struct{ Err error }

func (e *StateError) Error() string { return fmt.Sprintf("the state of training: %v", e.Err) }

// Unwrap returns Err.
func (e *StateError) Unwrap() error { return e.Err }

// ErrNoState is the error of Read for a set that is only a model. A new run can start from its vectors.
var ErrNoState = errors.New("is a model, not a checkpoint: it has no state of training to go on from")

// MaxWorkers is the largest number of workers of a rank.
const MaxWorkers = 1 << 16

// Unfinished reports whether a set is a checkpoint whose vectors its run would change at the end: see model.Model.Finish.
func Unfinished(set *vectors.Set) bool {
	if len(set.State()) == 0 {
		return false
	}
	s, err := readState(set.State())
	return err == nil && (s.Config.OwnWeight != 1 || s.Config.Power != 1)
}

// Read returns the checkpoint in a set. The set must stay open while the checkpoint is used: until Resume
// returns or calls Hooks.Checkpoint. It is an error if the set has no state, or if the state is damaged; to
// check this, Read reads the whole file. It is another error if another Revision of the algorithm made the
// checkpoint, or if this program cannot divide the work as at the start of the run.
func Read(set *vectors.Set) (c *Checkpoint, err error) {
	guarded := set.Guard(func() error {
		c, err = read(set)
		return nil
	})
	return c, cmp.Or(guarded, err)
}

// read is Read for callers inside a fault guard.
func read(set *vectors.Set) (*Checkpoint, error) {
	if len(set.State()) == 0 {
		return nil, ErrNoState
	}
	if err := set.Verify(); err != nil {
		return nil, err
	}
	s, err := readState(set.State())
	if err != nil {
		return nil, err
	}
	s.Config.Subword = subword.Value(set.Subword())
	if err := s.Config.Validate(); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	if n := len(s.State.Workers); n == 0 || n > MaxWorkers {
		return nil, fmt.Errorf("the state of training: expected from 1 to %d workers, found %d", MaxWorkers, n)
	}
	if err := s.State.checkRanks(); err != nil {
		return nil, &StateError{err}
	}
	s.Set = set
	c := New(s.Contents)
	v, err := config.VariantOf(c.Config)
	if err != nil {
		return nil, err
	}
	if c.of.Sizes == nil {
		return nil, &StateError{errors.New("has no sizes of blocks")}
	}
	if err := c.of.Sizes.Runnable(v); err != nil {
		return nil, err
	}
	for k, w := range c.of.State.Workers { // before memory is allocated for the sizes
		if draws := c.of.Sizes.Draws; len(w.Ahead) != draws {
			return nil, &StateError{fmt.Errorf("worker %d: has %d negatives drawn, expected %d", k, len(w.Ahead), draws)}
		}
	}
	if err := c.of.fits(v); err != nil {
		return nil, &StateError{err}
	}
	return c, nil
}

// readState parses a state, the revision first: the rest of another revision may not be parsable.
func readState(text []byte) (s Saved, err error) {
	if err := json.Unmarshal(text, &s.made); err != nil {
		return s, &StateError{fmt.Errorf("invalid state JSON: %w", err)}
	}
	var of struct{ Pairs, Distill int } // revisions of states of package pairs, which are JSON too
	if err := json.Unmarshal(text, &of); err == nil && of.Pairs > 0 {
		return s, errors.New("the state is that of training on pairs of texts: pairs goes on with it")
	} else if err == nil && of.Distill > 0 {
		return s, errors.New("the state is that of training on a teacher's vectors: distill goes on with it")
	}
	if s.Version < plainVersion || s.Version > ranksVersion {
		return s, fmt.Errorf("the state of training is of version %d, and this program goes on from versions %d to %d", s.Version, plainVersion, ranksVersion)
	}
	if err := resumable(s.Revision); err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, &StateError{fmt.Errorf("invalid state JSON: %w", err)}
	}
	return s, nil
}

func (c *Contents) fits(v *variant.Variant) error {
	if err := c.Set.Check(); err != nil {
		return fmt.Errorf("its model is not valid: %w", err)
	}
	if is := c.Set.Composition(); c.Set.Subword() != nil && is != subword.CompositionOf(c.Config.Subword) {
		return fmt.Errorf("its model composes words as %q, expected %q", is.Name(), subword.CompositionOf(c.Config.Subword).Name())
	}
	_, _, factored := c.Set.Input().Factors()
	if l := c.Set.Labels(); v.Texts() != (l != nil) || l != nil && (len(l.Counts) != l.Names.Len() || l.Runs.Rows > 0) {
		return errors.New("its labels are not those of a run")
	}
	list := v.Matrices(c.outputs(), model.MatrixOf(c.Set, params.Matrix{Role: params.Input}).Rows, nil)
	for _, m := range list {
		if m.SameAs != "" {
			continue
		}
		if there := model.MatrixOf(c.Set, m); there.Rows != m.Rows || m.Rows > 0 && there.Cols != m.Cols {
			return fmt.Errorf("needs %s of %d × %d numbers, and its model has %d × %d", m.Title, m.Rows, m.Cols, there.Rows, there.Cols)
		}
	}
	projects := slices.ContainsFunc(list, func(m params.Matrix) bool { return m.Projects })
	if factored && !projects {
		return errors.New("needs rows that are vectors, and its model has rows that are to be projected")
	}
	for _, m := range c.Set.Matrices() {
		if _, ok := list.Find(m.Name); !ok {
			return fmt.Errorf("has no use for %q of %d × %d numbers, which its model has", m.Name, m.Rows, m.Cols)
		}
	}
	return nil
}

// Table returns the row table of the run; nil if words and settings alone determine the rows.
func (c *Contents) Table() (*rowtable.Table, error) {
	if c.Set.Labels() != nil {
		words, buckets := slices.Clone(c.Set.WordRows()), slices.Clone(c.Set.BucketRows())
		t, err := rowtable.RestoreTexts(c.Set.Words().Strings(), c.Config.Subword, words, buckets)
		if err != nil {
			return nil, &StateError{err}
		}
		return t, nil
	}
	if c.Config.Subword == nil || c.Set.BucketRows() == nil {
		return nil, nil
	}
	var words []uint32
	if subword.CompositionOf(c.Config.Subword).OwnRows() {
		words = slices.Clone(c.Set.WordRows())
		for w := len(words); w < c.Set.Len(); w++ {
			words = append(words, uint32(w))
		}
	}
	t, err := rowtable.Restore(c.Set.Words().Strings(), c.Config.Subword, words, slices.Clone(c.Set.BucketRows()))
	if err != nil {
		return nil, fmt.Errorf("the rows of words and n-grams: %w", err)
	}
	return t, nil
}

// Restore copies the parameters of the checkpoint to a model.
func (c *Contents) Restore(m *model.Model) error {
	var from []vectors.Matrix
	for of := range m.Values.Owned() {
		from = append(from, model.MatrixOf(c.Set, of))
	}
	if err := c.read(m.Values, from); err != nil {
		return err
	}
	if c.Config.Freeze == config.FreezeKnown {
		words := make([]bool, c.Set.Len())
		for w := range words {
			words[w] = w/8 < len(c.Frozen) && c.Frozen[w/8]>>(w%8)&1 != 0
		}
		m.Freeze(words, c.FrozenContexts)
	}
	return nil
}

// RestoreBest copies the best parameters so far to values, if there are any.
func (c *Contents) RestoreBest(values *params.Values) error {
	if c.State.Found.Best == nil {
		return nil
	}
	return c.read(values, c.Set.StateRows())
}

func (c *Contents) read(values *params.Values, from []vectors.Matrix) error {
	if err := values.Read(from); err != nil {
		return fmt.Errorf("the checkpoint has %w", err)
	}
	if !values.Finite() {
		return errors.New("the checkpoint has numbers that are not finite")
	}
	return c.Set.Err()
}

// Revision numbers the algorithm. Checkpoints and results of sweeps store it, so that no program continues or
// compares runs of another algorithm. Files without a revision are of revision 1.
const Revision = 6

// Raise Revision by one, and add a line to the table in docs/reliability.md, whenever the same corpus,
// configuration and seed may give other vectors than before, with one worker and the same kernels. Causes are
// another step, another order of random numbers, or another default size, such as the number of negatives of
// a block. Then ask whether this program can still resume older checkpoints as they began. It can if only
// sizes differ that checkpoints store (see plan.Sizes). If it cannot, set OldestResumed to the new revision
// too.

// OldestResumed is the revision of the oldest checkpoints that this program can resume.
const OldestResumed = 3

// resumable returns an error if this program cannot resume a checkpoint of a revision; 0 is that of old ones.
func resumable(revision int) error {
	made := cmp.Or(revision, 1)
	if made >= OldestResumed && made <= Revision {
		return nil
	}
	advice := "train again, or resume it with the w2v that made it"
	if made > Revision {
		advice = "resume it with the w2v that made it, or a newer one"
	}
	return fmt.Errorf("the checkpoint was made by algorithm revision %d, and this program is revision %d, which resumes revisions %d to %d: %s; a new run can start from its vectors", made, Revision, OldestResumed, Revision, advice)
}
