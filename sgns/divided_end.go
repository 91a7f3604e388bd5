package sgns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/vectors"
)

// end returns the model. On rank 0 its vectors read the rows of their owners. The other ranks serve
// rank 0 until it has closed its model.
func (r *dividedRun) end(ctx context.Context, final Progress, begun [][]float32, err error) (*Model, error) {
	ranks := context.WithoutCancel(ctx)
	m := &Model{Progress: final}
	if err != nil {
		err = fmt.Errorf("training stopped at %d of %d tokens: %w", final.Tokens, final.Total, err)
	}
	if r.comm.Rank() != 0 {
		if failed := r.part.Serve(ranks); failed != nil {
			return nil, failed
		}
		return m, err
	}
	m.loan = r.part.Lend(ranks)
	if every := r.evaluation.Every; err == nil && every > 0 && r.evaluation.Found.Last != final.Tokens {
		err = r.evaluate(ctx, m.loan)
	}
	if r.hooks.Checkpoint != nil {
		c, failed := r.checkpoint(m.loan)
		if failed != nil {
			return nil, errors.Join(err, failed, m.loan.Close())
		}
		r.hooks.Checkpoint(c)
	}
	m.Vectors = r.set(m.loan, final.Tokens)
	if err == nil {
		m.Remarks = remarksAbout(r.sums().Pairs, begun, r.frequent(), r.data.Vocab.Len(), r.config.Dim, r.config.moreEpochs(r.corpus.all))
	}
	return m, err
}

// frequent returns the vectors of some of the most frequent words, which all ranks have.
func (r *dividedRun) frequent() [][]float32 {
	input := r.engine.Values.Matrix(r.variant.Input())
	return frequentVectors(set(vectors.Parts{
		Words: vectors.NewWords(r.data.Vocab.Tokens()[:r.plan.layout.Head]...),
		Input: input.First(r.plan.layout.Head),
	}))
}

// words returns the words of the vocabulary as sets have them.
func (r *dividedRun) words() vectors.Words {
	r.once.Do(func() { r.names = vectors.NewWords(r.data.Vocab.Tokens()...) })
	return r.names
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

// report watches the run until the function that it returns is called: see Hooks.watch.
func (r *dividedRun) report() (stop func() Progress) {
	r.clock.began = time.Now()
	return r.hooks.watch(r.progress, func() bool {
		r.due.Store(true)
		return true
	})
}
