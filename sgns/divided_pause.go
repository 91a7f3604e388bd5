package sgns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vectors"
)

// A dividedState is what the state of a divided run has besides that of its ranks. Each of these has one
// worker, who is where the next round of the rank begins. It is JSON in a checkpoint.
type dividedState struct {
	Rounds uint64 `json:"rounds"` // that were trained
}

// dues reports whether all ranks are to pause, for a checkpoint or an evaluation. They come to the
// same answer.
func (r *dividedRun) dues() bool {
	return anyone(r.told, func(c divided.Control) bool { return c.Save || c.Evaluate })
}

// toEvaluate reports whether an evaluation is due.
func (r *dividedRun) toEvaluate() bool {
	return r.comm.Rank() == 0 && r.sums().Tokens >= r.evaluation.Next()
}

// pause does what is due while the rows of all ranks stand still: their owners know all changes then. An
// error of rank 0 alone is kept, and ends the run on all ranks.
func (r *dividedRun) pause(ctx, ranks context.Context, changes [][]byte) error {
	asked := time.Now()
	told, _, err := r.part.Exchange(ranks, r.control(ctx, false), changes, nil)
	if err != nil {
		return err
	}
	r.heard(told)
	if r.anyDiverged() { // nothing is worth keeping
		return nil
	}
	if err := r.still(ranks); err != nil {
		return err
	}
	if r.comm.Rank() != 0 {
		return r.part.Serve(ranks)
	}
	loan := r.part.Lend(ranks)
	if r.toEvaluate() {
		r.failed = r.evaluate(ctx, loan)
		asked = time.Now()
	}
	if r.due.Swap(false) && r.failed == nil {
		c, err := r.checkpoint(loan)
		if err != nil {
			return errors.Join(err, loan.Close())
		}
		c.Pause = time.Since(asked)
		r.hooks.Checkpoint(c)
	}
	return loan.Close()
}

// still makes the head the same on all ranks, and tells rank 0 how far each is, if it saves.
func (r *dividedRun) still(ranks context.Context) error {
	if err := r.part.Complete(ranks); err != nil {
		return err
	}
	return r.gather(ranks)
}

// gather tells rank 0 how far each rank is, if it saves. No loss must be NaN, which JSON has no word for.
func (r *dividedRun) gather(ranks context.Context) error {
	if !r.saves {
		return nil
	}
	data, err := json.Marshal(rankStateOf(r.state(), *r.fingerprint))
	if err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	r.states, err = r.comm.Gather(ranks, 0, data)
	return err
}

// state is how far this rank is.
func (r *dividedRun) state() state {
	loss, pairs := r.counters.Losses(false)
	lastLoss, lastPairs := r.counters.Losses(true)
	return state{
		Epochs: r.config.Epochs,
		Next:   r.place.Chunk + 1,
		Found:  r.evaluation.Found,
		Workers: []workerState{{
			State:  engine.State{Place: r.place, Ahead: make([]uint32, r.engine.Division.Draws)},
			Tokens: r.counters.Tokens(),
			Pairs:  pairs, Loss: loss, LastPairs: lastPairs, LastLoss: lastLoss,
		}},
		Divided: &dividedState{Rounds: r.trained},
	}
}

// checkpoint returns a checkpoint of all ranks, on rank 0.
func (r *dividedRun) checkpoint(loan *divided.Loan) (*Checkpoint, error) {
	s := r.state()
	if err := s.setRanks(r.states); err != nil {
		return nil, err
	}
	config := r.config
	config.sizes = nil
	z := r.config.sizesOf(r.engine.Division, r.corpus.all)
	c := &Checkpoint{
		Config: config, Note: r.hooks.Note, Total: r.total(),
		corpus: fingerprint{Tokens: r.corpus.all}, held: r.held, state: s, sizes: &z,
	}
	for _, w := range s.Workers {
		c.Tokens += w.Tokens
	}
	p := r.set(loan, c.Tokens).Parts()
	p.State = []byte{} // Checkpoint.Set fills it in
	c.set = set(p)
	return c, nil
}

// evaluate evaluates the vectors as they are, on rank 0.
func (r *dividedRun) evaluate(ctx context.Context, loan *divided.Loan) error {
	start := time.Now()
	e := Evaluation{Tokens: r.sums().Tokens, Elapsed: start.Sub(r.clock.began), Loss: math.NaN()}
	var err error
	if e.Score, err = r.hooks.Evaluate(ctx, r.set(loan, e.Tokens)); err != nil {
		return err
	}
	e.Best = r.evaluation.Add(monitor.ScoreOf(e.Tokens, e.Loss, e.Score))
	e.Took = time.Since(start)
	if r.hooks.Evaluated != nil {
		r.hooks.Evaluated(e)
	}
	return nil
}

// set returns the vectors that a loan gives, of which so many tokens were trained.
func (r *dividedRun) set(loan *divided.Loan, trained uint64) *vectors.Set {
	p := loan.Parts()
	p.Words, p.Counts = r.words(), r.data.Vocab.Counts()
	p.Training = r.config.training()
	p.Training.Set("lr", r.config.LearningRate)
	p.Training.Set("tokens", r.corpus.all)
	p.Training.Set("trained", trained)
	return set(p)
}

// resume goes on with the run of a checkpoint: where it was, if it was divided over as many ranks, and
// else as far into the present epoch as all ranks were together.
func (r *dividedRun) resume(from *Checkpoint) error {
	err := reading(nil, from, func() error {
		input, output := from.set.Input(), from.set.Output()
		if err := r.part.Read(input, output); err != nil {
			return &StateError{err}
		}
		return from.set.Err()
	})
	if err != nil {
		return err
	}
	s, size := &from.state, r.comm.Size()
	r.clock.trained, r.held = from.Tokens, from.held
	if all := from.corpus.Tokens; r.held != nil && all != r.corpus.all { // another number of ranks holds out other text
		r.held = &fingerprint{Tokens: all + r.held.Tokens - r.corpus.all}
	}
	r.evaluation.Found = s.Found
	if s.Epochs != r.config.Epochs { // it is a longer run now
		r.evaluation.Found.Since = 0
		r.due.Store(r.hooks.Checkpoint != nil)
	}
	if s.Divided != nil {
		r.trained = s.Divided.Rounds
	}
	if s.Divided == nil || len(s.Ranks) != size {
		r.share(from)
	} else {
		w := s.Workers[r.comm.Rank()]
		r.place = w.Place
		r.counters.Set(0, w.Tokens, monitor.Sums{Pairs: w.Pairs, Loss: w.Loss, LastPairs: w.LastPairs, LastLoss: w.LastLoss})
	}
	chunks := int64(r.data.IDs.Chunks())
	if r.place.Chunk < 0 || r.place.Chunk > chunks*int64(r.config.Epochs) || r.place.Offset < 0 {
		return &StateError{fmt.Errorf("is in chunk %d of %d", r.place.Chunk, chunks*int64(r.config.Epochs))}
	}
	r.reader.Go(r.place)
	return nil
}

// share begins as far into this rank's part of the present epoch as all ranks were.
func (r *dividedRun) share(from *Checkpoint) {
	r.place = engine.Place{Chunk: from.nextOf(r.data.IDs)}
	var sums monitor.Sums
	if r.comm.Rank() == 0 {
		for _, w := range from.state.Workers {
			sums.Pairs += w.Pairs
			sums.Loss += w.Loss
		}
	}
	tokens := uint64(0)
	if chunks := int64(r.data.IDs.Chunks()); chunks > 0 {
		tokens = uint64(r.place.Chunk/chunks) * r.data.IDs.Tokens()
		reader := r.data.IDs.Reader()
		for i := r.place.Chunk - r.place.Chunk%chunks; i < r.place.Chunk; i++ {
			for _, ids := range reader.Chunk(r.engine.ChunkAt(i)) {
				tokens += uint64(len(ids))
			}
		}
	}
	r.counters.Set(0, tokens, sums)
}
