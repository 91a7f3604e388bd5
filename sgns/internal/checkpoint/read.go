package checkpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A StateError says that a checkpoint's state is invalid.
type StateError struct{ Err error }

func (e *StateError) Error() string { return fmt.Sprintf("the state of training: %v", e.Err) }

// Unwrap returns Err.
func (e *StateError) Unwrap() error { return e.Err }

// ErrNoState is the error of Read for a set that is only a model. A new run can start from its vectors.
var ErrNoState = errors.New("is a model, not a checkpoint: it has no state of training to go on from")

// MaxWorkers is the largest number of workers of a rank.
const MaxWorkers = 1 << 16

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

// readState parses a training state. It looks at the revision first, because this program may not be able to
// parse the rest of another revision's state.
func readState(text []byte) (s Saved, err error) {
	if err := json.Unmarshal(text, &s.made); err != nil {
		return s, &StateError{fmt.Errorf("invalid state JSON: %w", err)}
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
	list := v.Matrices(c.Set.Len(), model.MatrixOf(c.Set, params.Matrix{Role: params.Input}).Rows, nil)
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
const Revision = 5

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
