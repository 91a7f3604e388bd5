package sgns

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/vectors"
)

// dues reports whether all ranks are to pause, for a checkpoint or an evaluation. They come to the
// same answer.
func (r *dividedRun) dues() bool {
	return anyone(r.told, func(c divided.Control) bool { return c.Save || c.Evaluate })
}

// pause does what is due while the rows of all ranks stand still.
func (r *dividedRun) pause(ctx, ranks context.Context, changes [][]byte, round *divided.Round) error {
	return errors.New("TODO")
}

// set returns the vectors that a loan gives, of which so many tokens were trained.
func (r *dividedRun) set(loan *divided.Loan, trained uint64) *vectors.Set {
	p := vectors.Parts{Words: vectors.NewWords(r.data.Vocab.Tokens()...), Counts: r.data.Vocab.Counts(), Input: loan.Input(), Output: loan.Output()}
	p.Training = r.config.training()
	p.Training.Set("lr", r.config.LearningRate)
	p.Training.Set("tokens", r.corpus.all)
	p.Training.Set("trained", trained)
	return set(p)
}

// end returns the model on rank 0. On other ranks it serves rank 0 until that has closed its model.
func (r *dividedRun) end(ctx context.Context, final Progress, err error) (*Model, error) {
	ranks := context.WithoutCancel(ctx)
	if errors.Is(err, ErrDiverged) {
		return nil, &DivergedError{1, r.config.LearningRate, r.config.RateFor(r.total())}
	}
	if err == nil && r.sums().Pairs == 0 {
		return nil, ErrNoPairs
	}
	m := &Model{Progress: final}
	if r.comm.Rank() != 0 {
		if failed := r.part.Serve(ranks); failed != nil {
			return nil, failed
		}
		return m, err
	}
	m.loan = r.part.Lend(ranks)
	m.Vectors = r.set(m.loan, final.Tokens)
	return m, err
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

// report calls the hook for reports until the function that it returns is called, which makes the final
// report and returns it.
func (r *dividedRun) report() (stop func() Progress) {
	r.clock.began = time.Now()
	every := r.hooks.Every
	if every <= 0 {
		every = time.Second
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(min(every, watchEvery))
		defer ticker.Stop()
		reported, saved := r.clock.began, r.clock.began
		for {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
			now := time.Now()
			if r.hooks.Progress != nil && now.Sub(reported) >= every {
				reported = now
				r.hooks.Progress(r.progress(false))
			}
			if r.hooks.Checkpoint != nil && r.hooks.CheckpointEvery > 0 && now.Sub(saved) >= r.hooks.CheckpointEvery {
				saved = now
				r.due.Store(true)
			}
		}
	})
	return func() Progress {
		close(done)
		watcher.Wait()
		final := r.progress(true)
		if r.hooks.Progress != nil {
			r.hooks.Progress(final)
		}
		return final
	}
}

// resume goes on with the run of a checkpoint.
func (r *dividedRun) resume(from *Checkpoint) error {
	return errors.New("TODO")
}

var _ = math.NaN
