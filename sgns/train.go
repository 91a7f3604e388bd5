package sgns

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/replica"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Data is what a run trains on.
type Data struct {
	IDs   *vocab.IDs   // the corpus, as ids of the vocabulary; with Ranks the part of this rank
	Vocab *vocab.Vocab // with the counts that subsampling and negatives go by

	// HeldOut is text, as ids of the same vocabulary, on which the loss is measured
	// and which is not trained on; nil for none.
	HeldOut *vocab.IDs

	// Init is vectors to start from, by the names of words; nil for none. Words that it
	// does not have start as usual. It is read while training starts, by rising rows,
	// and not needed when Train has returned.
	Init *vectors.Set

	// Ranks are the processes that train together, of which this is one; nil for a run in one
	// process. Each calls Train, or Resume, with a part of the corpus and the same vocabulary,
	// vectors to start from and configuration. Rank 0 alone calls hooks, but for Start, and
	// measures held-out text. All return the same vectors, but that the best ones of early stopping
	// are on rank 0 alone. Interruptions, divergence and the end
	// are those of all ranks. Any other error may be that of one rank. If that rank cannot go on training a
	// model that is not divided, the others return a *cluster.EndedError with its number. Else they wait
	// until its Comm is aborted.
	Ranks cluster.Comm
	// SyncEvery is about how many tokens a rank trains before it exchanges with the others what
	// has changed, once it has trained four times as many; 0 for a number that suits most runs. A rank waits
	// when it has trained several times as many.
	SyncEvery uint64
	// SyncBudget is how many bytes a second a rank may send, on the average, while it trains; 0
	// for as many as it wants to. Ranks exchange less often for it, but for the first times.
	SyncBudget uint64
	// Divide divides the rows of the model over the ranks, but for those of the most frequent words. Rank 0
	// alone has vectors then: they are read from the ranks that own them, best in rising order, until
	// Model.Close is called. Model.Close must be called on all ranks, because the others return from
	// Train when rank 0 has called it.
	Divide bool

	exchange *replica.Options // in tests: workers wait for turns, as if these took no time
}

// A Model is what training made.
type Model struct {
	Vectors *vectors.Set
	// Progress is how far training came; its Loss is the mean of the last epoch.
	Progress Progress
	// Evaluation is the one whose vectors these are, of a run that keeps the best;
	// else nil.
	Evaluation *Evaluation
	// Remarks are what was found about the vectors of a run that came to its end.
	Remarks []Remark

	loan *divided.Loan // of a divided model; else nil
}

// Train trains word vectors on a corpus of ids of a vocabulary.
//
// It starts from the vectors in d.Init, if there are any: input vectors, n-grams and
// context vectors too, as far as they are there and fit. N-grams do if words are cut
// into the same ones: then every bucket starts as it was, and one that no word of the
// vocabulary uses stays in the model. If they do not fit, the vectors of known words
// are what they were all the same. Hooks.Warm is told what was taken.
//
// If the context ends before training does, it returns the model as it is by then
// together with the context's error. It returns no model, and an error, if the
// configuration is not valid, if there are no tokens, if the model would not fit
// into memory (a *MemoryError), or if training diverges again and again (a *DivergedError).
func Train(ctx context.Context, d Data, c Config, h Hooks) (*Model, error) {
	return trainFrom(ctx, d, c, nil, h)
}

// trainFrom trains from the beginning, or from a checkpoint if there is one.
func trainFrom(ctx context.Context, d Data, c Config, from *Checkpoint, h Hooks) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := validateRun(ctx, d, h); err != nil {
		return nil, err
	}
	if d.Divide && d.Ranks != nil {
		return trainDivided(ctx, d, c, from, h)
	}
	together, err := newTeam(context.WithoutCancel(ctx), d, c, h)
	if err != nil {
		return nil, err
	}
	d, h = together.of(d, h)
	if c.Shuffle && d.IDs.InOrder() {
		return nil, ErrInOrder
	}
	c.Subword = subword.Value(c.Subword)
	var r *run
	err = reading(d.Init, from, func() (err error) {
		r, err = prepare(context.WithoutCancel(ctx), together, d, c, from, h)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err = r.start(); err == nil && together != nil {
		err = alike(context.WithoutCancel(ctx), together.comm, d, r.config, r.model.values)
	}
	if err == nil {
		err = together.join(context.WithoutCancel(ctx))
	}
	if unread := d.err(); unread != nil {
		err = unread // and what start says is its consequence
	}
	if err != nil {
		return nil, err
	}
	var begun [][]float32
	if from == nil && r.origin.vectors == nil {
		begun = frequentVectors(set(r.parts(r.model.values, 0)))
	}
	stopReports := r.report()
	err = r.persist(ctx)
	final := stopReports()
	r.saver.wait()
	if errors.Is(err, ErrDiverged) {
		return nil, err
	}
	if h.Checkpoint != nil && r.team.together() {
		last, err := r.wholeState()
		if err != nil {
			return nil, err
		}
		h.Checkpoint(r.checkpoint(r.model.values, last))
	}
	if apart := r.team.waitForSave(ctx); apart != nil {
		err = cmp.Or(err, apart)
	}
	if err != nil {
		err = fmt.Errorf("training stopped at %d of %d tokens: %w", final.Tokens, final.Total, err)
	}
	m := &Model{Progress: final}
	values, trained := r.model.values, r.trained()
	if best := r.evaluation.best; best != nil && err == nil {
		values, m.Evaluation = best, evaluationOf(r.evaluation.stopping.Found.Best)
		trained = m.Evaluation.Tokens
	}
	m.Vectors = set(r.parts(values, trained))
	if err == nil {
		m.Remarks = r.remarks(m.Vectors, begun)
	}
	return m, err
}

// ErrInOrder says that sentences cannot be shuffled.
var ErrInOrder = errors.New("sentences are shuffled in a cache of the tokenised corpus, and there is none: the text is read again each epoch")

// reading calls read, which reads the sets that a run begins with, so that a file which is
// changed meanwhile is an error.
func reading(init *vectors.Set, from *Checkpoint, read func() error) error {
	inner := read
	if from != nil {
		inner = func() error { return from.set.Guard(read) }
	}
	if init != nil {
		return init.Guard(inner)
	}
	return inner()
}
