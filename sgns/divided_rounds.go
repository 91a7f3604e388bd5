package sgns

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vocab"
)

// generator returns the generator of a round's pool. The streams of its workers have numbers from stream
// on.
func (r *dividedRun) generator(round uint64) random.Generator {
	return random.Stream(r.config.Seed^poolSeed, round*uint64(r.comm.Size())+uint64(r.comm.Rank()))
}

func (r *dividedRun) stream(round uint64, worker int) uint64 {
	return random.Mix(roundSeed+round*uint64(r.comm.Size())+uint64(r.comm.Rank())) + uint64(worker)
}

const (
	poolSeed  = 0x706f6f6c
	roundSeed = 0x726f756e64
)

// next makes round the next one.
func (r *dividedRun) next(round *divided.Round) {
	r.reader.Read(round, r.generator(r.read))
	r.read++
}

// train trains round after round until no rank has text left, or until one wants to stop. It returns why
// training stopped early, on all ranks, and an error of this rank.
func (r *dividedRun) train(ctx context.Context) (interrupted, err error) {
	ranks := context.WithoutCancel(ctx) // the others must be told of the end
	now, next := new(divided.Round), new(divided.Round)
	r.read = r.trained
	r.next(now)
	if err := r.fetch(ctx, ranks, now); err != nil {
		return nil, err
	}
	r.part.Begin(r.sums().Tokens / uint64(r.comm.Size()))
	var changes [][]byte
	for anyone(r.told, func(c divided.Control) bool { return !c.Ended }) {
		var rows [][]byte
		var failed error
		var fetching sync.WaitGroup
		fetching.Go(func() {
			r.next(next)
			var told []divided.Control
			if told, rows, failed = r.part.Exchange(ranks, r.control(ctx, next.Ended), changes, next); failed == nil {
				r.heard(told)
			}
		})
		unfollowed := r.trainRound(ranks, now)
		fetching.Wait()
		if err := cmp.Or(failed, unfollowed, r.data.err()); err != nil {
			return nil, err
		}
		changes = r.part.Collect(now)
		r.place = now.Place
		r.trained++
		if r.anyDiverged() || anyone(r.told, func(c divided.Control) bool { return c.Stop }) {
			break
		}
		if r.dues() {
			if err := r.pause(ctx, ranks, changes); err != nil {
				return nil, err
			}
			changes = nil
			if r.anyDiverged() {
				break
			}
			r.part.Forget()
			err = r.fetch(ctx, ranks, next)
		} else {
			err = r.part.Install(next, rows, now)
		}
		if err != nil {
			return nil, err
		}
		now, next = next, now
	}
	return r.settle(ctx, ranks, changes)
}

// fetch waits for the rows of a round. The owners know all changes.
func (r *dividedRun) fetch(ctx, ranks context.Context, round *divided.Round) error {
	told, rows, err := r.part.Exchange(ranks, r.control(ctx, round.Ended), nil, round)
	if err != nil {
		return err
	}
	r.heard(told)
	return r.part.Install(round, rows, nil)
}

// settle sends the last changes, and learns from the others how the run ended.
func (r *dividedRun) settle(ctx, ranks context.Context, changes [][]byte) (interrupted, err error) {
	c := r.control(ctx, true)
	if changes != nil {
		told, _, err := r.part.Exchange(ranks, c, changes, nil)
		if err != nil {
			return nil, err
		}
		r.heard(told)
	}
	if err := r.part.Complete(ranks); err != nil {
		return nil, err
	}
	diverged := []float64{0}
	if r.anyDiverged() || !finite(c.Loss, c.LastLoss) || !r.part.Finite() {
		diverged[0] = 1
	}
	if err := r.comm.AllReduce(ranks, cluster.Max, diverged); err != nil {
		return nil, err
	}
	if diverged[0] > 0 {
		return nil, &DivergedError{
			Times: 1, LastRate: r.config.LearningRate, UsualRate: r.config.RateFor(r.total()),
			Apart: uint64(r.plan.turn), UsualApart: uint64(usualTurn(r.comm.Size())),
		}
	}
	if err := r.gather(ranks); err != nil {
		return nil, err
	}
	switch {
	case r.failed != nil:
		return r.failed, nil
	case anyone(r.told, func(c divided.Control) bool { return c.Stop }):
		return cmp.Or(context.Cause(ctx), errInterrupted), nil
	}
	return nil, nil
}

// pieceTokens is about how many tokens of a round a worker takes at a time.
const pieceTokens = 1 << 11

// trainRound trains a round's text. Meanwhile the head is kept alike with those of other ranks.
func (r *dividedRun) trainRound(ranks context.Context, round *divided.Round) error {
	r.pooled.DrawFrom(r.part.Pool(round))
	type piece struct {
		text   []uint32
		before int // tokens of the round
	}
	var pieces []piece
	for at := 0; at < len(round.Text); {
		rest := round.Text[at:]
		n := min(pieceTokens, len(rest))
		for n < len(rest) && rest[n-1]&vocab.EndOfSentence == 0 {
			n++
		}
		pieces = append(pieces, piece{rest[:n], at})
		at += n
	}
	var next atomic.Int64
	pace := r.part.Pace()
	var g, following sync.WaitGroup
	var failed error
	done := make(chan struct{})
	following.Go(func() { failed = r.part.Follow(ranks, pace, done) })
	for k, w := range r.workers {
		g.Go(func() {
			w.Begin(r.stream(r.trained, k))
			for {
				i := int(next.Add(1)) - 1
				if i >= len(pieces) {
					return
				}
				pace.Wait(pieces[i].before)
				for offset, text := 0, pieces[i].text; offset < len(text); {
					if r.diverged.Load() {
						pace.Add(uint64(len(text) - offset)) // for which others wait
						return
					}
					trained, n := w.AdvanceIn(text, offset, round.Last)
					offset += n
					r.counters.Add(k, trained)
					pace.Add(trained.Tokens)
					if r.watches[k].Diverged(trained.Pairs, trained.Loss) {
						r.diverged.Store(true)
					}
				}
			}
		})
	}
	g.Wait()
	close(done)
	following.Wait()
	return failed
}
