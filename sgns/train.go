package sgns

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/ranks"
	"github.com/w2v-go/w2v/sgns/internal/ranks/divided"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
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

	loan *divided.Loan // of rank 0 of a divided run; else nil
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
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := validate(d, h); err != nil {
		return nil, err
	}
	return trainFrom(ctx, d, c, nil, h)
}

// Resume goes on with the run of a checkpoint, as if it had never stopped: with one
// worker, or if it is deterministic, on the same kind of processor, the vectors come to
// be the same to the bit. On another number of ranks than before, the run goes on with the same
// share of the present epoch behind it. It is a *MismatchError if the corpus or the vocabulary is
// another, and a *StateError if the checkpoint is damaged; other errors are those of
// Train.
func Resume(ctx context.Context, d Data, from *Checkpoint, h Hooks) (*Model, error) {
	of := checkpoint.ContentsOf(from)
	if err := validate(d, h); err != nil {
		return nil, err
	}
	if err := of.Set.Guard(func() error { return of.Matches(d.given(ctx)) }); err != nil {
		return nil, err
	}
	v, err := config.VariantOf(of.Config) // which may have been changed
	if err != nil {
		return nil, err
	}
	if err := of.Sizes.Runnable(v); err != nil {
		return nil, err
	}
	if err := of.Config.Validate(); err != nil {
		return nil, err
	}
	return trainFrom(ctx, d, of.Config, of, h)
}

// trainFrom trains from the beginning, or from a checkpoint if there is one.
func trainFrom(ctx context.Context, d Data, c Config, from *checkpoint.Contents, h Hooks) (*Model, error) {
	peers, err := d.peers(context.WithoutCancel(ctx), c, h)
	if err != nil {
		return nil, err
	}
	result, err := run.Train(ctx, run.Data{IDs: d.IDs, Vocab: d.Vocab, HeldOut: d.HeldOut, Init: d.Init}, c, from, h, peers)
	if result == nil {
		return nil, err
	}
	m := &Model{Vectors: result.Vectors, Progress: result.Progress, Evaluation: result.Evaluation, Remarks: result.Remarks}
	if divided, ok := peers.(*ranks.Divided); ok {
		m.loan = divided.Loan()
	}
	return m, err
}

// peers returns what joins the run with those of the other ranks, if there are any.
func (d Data) peers(ctx context.Context, c Config, h Hooks) (run.Synchroniser, error) {
	o := ranks.Options{Every: d.SyncEvery, Budget: d.SyncBudget, Exchange: d.exchange, Saves: h.Checkpoint != nil}
	switch {
	case d.Divide && d.Ranks != nil:
		if err := ranks.OfAll(d.Ranks, d.divisible(c)); err != nil {
			return nil, err
		}
		o.Saves = o.Saves && d.Ranks.Rank() == 0
		return ranks.Divide(ctx, d.Ranks, d.IDs, o)
	case cluster.Several(d.Ranks):
		return ranks.Replicate(ctx, d.Ranks, d.IDs, c, o)
	}
	return new(run.Alone), nil
}

// divisible returns why the rows of the run cannot be divided; nil if they can be.
func (d Data) divisible(c Config) error {
	if err := c.Divisible(); err != nil {
		return err
	}
	switch {
	case d.Init != nil:
		return config.Indivisible("vectors to start from are read by one process")
	case d.HeldOut != nil:
		return config.Indivisible("the rows of held-out words would have to be fetched too")
	case d.SyncBudget > 0:
		return config.Indivisible("a rank must have the rows of its text before it trains it, so it cannot keep to a budget of bytes")
	}
	return nil
}

// given is what a run is to be resumed with.
func (d Data) given(ctx context.Context) checkpoint.Given {
	g := checkpoint.Given{Vocab: d.Vocab, IDs: d.IDs, HeldOut: d.HeldOut, Size: 1, Sum: func(x float64) (float64, error) { return x, nil }}
	if d.Ranks == nil {
		return g
	}
	g.Rank, g.Size, g.Divide = d.Ranks.Rank(), d.Ranks.Size(), d.Divide
	if g.Size > 1 {
		g.Sum = func(x float64) (float64, error) {
			sum := []float64{x}
			err := d.Ranks.AllReduce(context.WithoutCancel(ctx), cluster.Sum, sum)
			return sum[0], err
		}
	}
	return g
}

// Close gives back the vectors of a divided model: they must not be read any more, and the other ranks
// return from Train. It returns the first error of reading them. Other models have nothing to
// close.
func (m *Model) Close() error {
	if m == nil || m.loan == nil {
		return nil
	}
	return m.loan.Close()
}

// Workers believe what they read: an id that the vocabulary does not have would end the
// program from a goroutine that no caller can recover from. So what a run is given is looked
// at before there are any.

// validate returns an error if a run cannot be trained on the data, or if a hook would be called never, or with
// what is no JSON.
func validate(d Data, h Hooks) error {
	if err := idsOf(d.IDs, d.Vocab, "the corpus, Data.IDs"); err != nil {
		return err
	}
	if d.HeldOut != nil {
		if err := idsOf(d.HeldOut, d.Vocab, "the held-out text, Data.HeldOut"); err != nil {
			return err
		}
	}
	if d.IDs.Tokens() == 0 && !cluster.Several(d.Ranks) || d.Vocab.Len() == 0 {
		return ranks.ErrNoTokens
	}
	switch {
	case h.Every < 0:
		return fmt.Errorf("sgns: Hooks.Every is %v, must be 0 (a second) or more", h.Every)
	case h.CheckpointEvery < 0:
		return fmt.Errorf("sgns: Hooks.CheckpointEvery is %v, must be 0 (only at the end) or more", h.CheckpointEvery)
	case len(h.Note) > 0 && !json.Valid(h.Note):
		return fmt.Errorf("sgns: Hooks.Note is no JSON: %.40q", h.Note)
	}
	return nil
}

// idsOf returns an error if ids cannot be those of a vocabulary, or cannot be read.
func idsOf(ids *vocab.IDs, v *vocab.Vocab, what string) error {
	switch {
	case ids.Tokens() > 0 && ids.Chunks() == 0:
		return fmt.Errorf("sgns: %s, is closed: close ids when Train has returned", what)
	case ids.Largest() >= v.Len():
		return fmt.Errorf("sgns: %s, has id %d, and the vocabulary has %d words: take the vocabulary that vocab.Index returned with the ids", what, ids.Largest(), v.Len())
	}
	return nil
}
