package ranks

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/ranks/divided"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/vocab"
)

// generator returns the generator of a round's pool. The streams of the round's workers are numbered from
// stream on.
func (d *Divided) generator(round uint64) random.Generator {
	return random.Stream(d.Run.Config.Seed^poolSeed, round*uint64(d.size())+uint64(d.rank()))
}

func (d *Divided) stream(round uint64, worker int) uint64 {
	return random.Mix(roundSeed+round*uint64(d.size())+uint64(d.rank())) + uint64(worker)
}

const (
	poolSeed  = 0x706f6f6c
	roundSeed = 0x726f756e64
)

// next reads the next round into round.
func (d *Divided) next(round *divided.Round) {
	d.reader.Read(round, d.generator(d.read))
	d.read++
}

// Work trains rounds until no rank has text left, or until a rank wants to stop. Afterwards rank 0 can read
// the rows of all ranks until it closes its loan.
func (d *Divided) Work(ctx context.Context) error {
	interrupted, err := d.rounds(ctx)
	switch {
	case errors.Is(err, run.ErrDiverged):
		return err
	case err != nil:
		return run.Broken(err)
	case d.rank() == 0:
		d.loan = d.part.Lend(context.WithoutCancel(ctx))
	}
	return interrupted
}

// rounds trains all rounds. It returns why training stopped early, the same on all ranks, and an error of
// this rank.
func (d *Divided) rounds(ctx context.Context) (interrupted, err error) {
	ranks := context.WithoutCancel(ctx) // not cancelled: other ranks must hear of the end
	now, next := new(divided.Round), new(divided.Round)
	d.read = d.trained
	d.next(now)
	if err := d.fetch(ctx, ranks, now); err != nil {
		return nil, err
	}
	d.part.Begin(d.sums().Tokens / uint64(d.size()))
	var changes [][]byte
	for anyone(d.told, func(c divided.Control) bool { return !c.Ended }) {
		var rows [][]byte
		var failed error
		var fetching sync.WaitGroup
		fetching.Go(func() {
			d.next(next)
			var told []divided.Control
			if told, rows, failed = d.part.Exchange(ranks, d.control(ctx, next.Ended), changes, next); failed == nil {
				d.heard(told)
			}
		})
		unfollowed := d.trainRound(ranks, now)
		fetching.Wait()
		if err := cmp.Or(failed, unfollowed); err != nil {
			return nil, err
		}
		changes = d.part.Collect(now)
		d.place = now.Place
		d.trained++
		if d.anyDiverged() || anyone(d.told, func(c divided.Control) bool { return c.Stop }) {
			break
		}
		if anyone(d.told, func(c divided.Control) bool { return c.Save || c.Evaluate }) {
			if err := d.pause(ctx, ranks, changes); err != nil {
				return nil, err
			}
			changes = nil
			if d.anyDiverged() {
				break
			}
			d.part.Forget()
			err = d.fetch(ctx, ranks, next)
		} else {
			err = d.part.Install(next, rows, now)
		}
		if err != nil {
			return nil, err
		}
		now, next = next, now
	}
	return d.settle(ctx, ranks, changes)
}

// fetch waits for the rows of a round. The owners have all changes by then.
func (d *Divided) fetch(ctx, ranks context.Context, round *divided.Round) error {
	told, rows, err := d.part.Exchange(ranks, d.control(ctx, round.Ended), nil, round)
	if err != nil {
		return err
	}
	d.heard(told)
	return d.part.Install(round, rows, nil)
}

// settle sends the last changes, and learns from the other ranks how the run ended.
func (d *Divided) settle(ctx, ranks context.Context, changes [][]byte) (interrupted, err error) {
	c := d.control(ctx, true)
	if changes != nil {
		told, _, err := d.part.Exchange(ranks, c, changes, nil)
		if err != nil {
			return nil, err
		}
		d.heard(told)
	}
	if err := d.part.Complete(ranks); err != nil {
		return nil, err
	}
	diverged := []float64{0}
	if d.anyDiverged() || !finite(c.Loss, c.LastLoss) || !d.part.Finite() {
		diverged[0] = 1
	}
	if err := d.comm.AllReduce(ranks, cluster.Max, diverged); err != nil {
		return nil, err
	}
	if diverged[0] > 0 {
		return nil, run.ErrDiverged
	}
	if err := d.gather(ranks); err != nil {
		return nil, err
	}
	switch {
	case d.failed != nil:
		return d.failed, nil
	case anyone(d.told, func(c divided.Control) bool { return c.Stop }):
		return cmp.Or(context.Cause(ctx), errInterrupted), nil
	}
	return nil, nil
}

// pause evaluates and saves if that is due, while all ranks are paused and the owners have all changes. An
// error of rank 0 alone is kept, and ends the run on all ranks.
func (d *Divided) pause(ctx, ranks context.Context, changes [][]byte) error {
	asked := time.Now()
	told, _, err := d.part.Exchange(ranks, d.control(ctx, false), changes, nil)
	if err != nil {
		return err
	}
	d.heard(told)
	if d.anyDiverged() { // do not save or evaluate a diverged model
		return nil
	}
	if err := d.part.Complete(ranks); err != nil { // makes the head equal on all ranks
		return err
	}
	if err := d.gather(ranks); err != nil {
		return err
	}
	if d.rank() != 0 {
		return d.part.Serve(ranks)
	}
	loan := d.part.Lend(ranks)
	d.loan = loan
	d.failed = d.Run.StandStill(func() error { return d.Run.Look(ctx, asked) })
	d.loan = nil
	if errors.Is(d.failed, run.ErrDiverged) {
		d.diverged.Store(true)
	}
	return loan.Close()
}

// pieceTokens is about how many tokens of a round a worker takes at a time.
const pieceTokens = 1 << 11

// A texts is the text of a round, in pieces that workers take.
type texts struct {
	last    bool // in the last epoch
	pieces  []piece
	next    atomic.Int64 // index of the next piece
	pace    *divided.Pace
	workers []piece // the rest of each worker's piece
	began   []bool  // by worker: the piece was begun
}

// A piece is whole sentences of a round, which follow so many of its tokens.
type piece struct {
	text   []uint32
	before int
}

// cut divides a round into pieces.
func (x *texts) cut(round *divided.Round, pace *divided.Pace, workers int) {
	x.last, x.pieces, x.pace = round.Last, x.pieces[:0], pace
	x.next.Store(0)
	x.workers, x.began = make([]piece, workers), make([]bool, workers)
	for at := 0; at < len(round.Text); {
		rest := round.Text[at:]
		n := min(pieceTokens, len(rest))
		for n < len(rest) && rest[n-1]&vocab.EndOfSentence == 0 {
			n++
		}
		x.pieces = append(x.pieces, piece{rest[:n], at})
		at += n
	}
}

// trainRound trains a round's text, and meanwhile keeps the head equal on all ranks.
func (d *Divided) trainRound(ranks context.Context, round *divided.Round) error {
	d.pooled.DrawFrom(d.part.Pool(round))
	d.round.cut(round, d.part.Pace(), len(d.Run.Counters))
	var following sync.WaitGroup
	var failed, err error
	done := make(chan struct{})
	following.Go(func() { failed = d.part.Follow(ranks, d.round.pace, done) })
	if !d.diverged.Load() { // the other ranks do not know yet that this rank has diverged
		err = d.Run.TrainTexts(ranks)
	}
	close(done)
	following.Wait()
	if errors.Is(err, run.ErrDiverged) {
		d.diverged.Store(true)
		err = nil
	}
	return cmp.Or(failed, err)
}

// Pace gives a worker without text the next piece of the round. It waits if turns are late.
func (d *Divided) Pace(ctx context.Context, worker int) error {
	x := &d.round
	if len(x.workers[worker].text) > 0 {
		return nil
	}
	if i := int(x.next.Add(1)) - 1; i < len(x.pieces) {
		x.workers[worker] = x.pieces[i]
		return x.pace.Wait(ctx, x.pieces[i].before)
	}
	return nil
}

// Next trains a text of the worker's piece.
func (d *Divided) Next(worker int, w *engine.Worker) (engine.Trained, bool) {
	x := &d.round
	if !x.began[worker] {
		x.began[worker] = true
		w.Begin(d.stream(d.trained, worker))
	}
	left := &x.workers[worker]
	if len(left.text) == 0 {
		return engine.Trained{}, false
	}
	trained, n := w.AdvanceIn(left.text, x.last)
	left.text = left.text[n:]
	x.pace.Add(trained.Tokens)
	return trained, true
}

// control returns the message of this rank to the others.
func (d *Divided) control(ctx context.Context, ended bool) divided.Control {
	c := divided.Control{
		Ended: ended, Stop: ctx.Err() != nil || d.failed != nil, Diverged: d.diverged.Load(),
		Save: d.Run.Saving(), Evaluate: d.rank() == 0 && d.Run.ToEvaluate(),
		Tokens: d.Run.Counters.Tokens(), Sent: d.comm.Sent(),
	}
	c.Loss, c.Pairs = d.Run.Counters.Losses(false)
	c.LastLoss, c.LastPairs = d.Run.Counters.Losses(true)
	return c
}

// heard stores the messages of all ranks.
func (d *Divided) heard(told []divided.Control) {
	d.told = told
	all, own := d.sums(), told[d.rank()]
	d.others.Store(&run.Others{
		Tokens: all.Tokens - own.Tokens, Pairs: all.Pairs - own.Pairs, LastPairs: all.LastPairs - own.LastPairs,
		Loss: all.Loss - own.Loss, LastLoss: all.LastLoss - own.LastLoss, Sent: all.Sent, Merged: math.NaN(),
	})
}

// anyone reports whether what is true of any rank's message.
func anyone(told []divided.Control, what func(divided.Control) bool) bool {
	return slices.ContainsFunc(told, what)
}

// anyDiverged reports whether any rank has reported that its training diverged.
func (d *Divided) anyDiverged() bool {
	return anyone(d.told, func(c divided.Control) bool { return c.Diverged || !finite(c.Loss, c.LastLoss) })
}

// finite reports whether no number is NaN or infinite.
func finite(numbers ...float64) bool {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// sums returns the totals of all ranks at the last exchange.
func (d *Divided) sums() (all divided.Control) {
	for _, c := range d.told {
		all.Tokens += c.Tokens
		all.Pairs += c.Pairs
		all.LastPairs += c.LastPairs
		all.Loss += c.Loss
		all.LastLoss += c.LastLoss
		all.Sent += c.Sent
	}
	return all
}
