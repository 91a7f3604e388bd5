package sgns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/replica"
)

// A team is the ranks of a run, each of which trains its own part of the corpus on parameters of its
// own. All ranks begin with the same parameters, and a synchroniser keeps them alike.
type team struct {
	comm   cluster.Comm
	tokens uint64       // of the parts of all ranks
	saves  bool         // rank 0 makes checkpoints
	text   *fingerprint // of this rank's part

	options replica.Options
	every   uint64 // how many tokens a rank is to train between two turns, once it has trained many
	budget  uint64 // bytes that a rank may send in a second; 0 for as many as it wants to

	run    *run
	sync   *replica.Synchroniser
	others atomic.Pointer[others]
	began  time.Time // training
	due    []uint64  // by rank: tokens that it had trained by the last turn
	apart  distances // between turns
	loss   float64   // of the merged model; NaN before it is measured

	lockstep bool // for tests: workers wait for turns that are due
	lead     atomic.Pointer[lead]
	waiting  chan struct{} // has one if a worker has begun to wait

	states [][]byte // on rank 0: see end
	ended  bool     // with the same parameters on all ranks
	early  bool     // on all ranks
}

// Others are what the other ranks had done when they met.
type others struct {
	tokens, sent     uint64
	pairs, lastPairs uint64
	loss, lastLoss   float64
	doubtful         bool
}

// What ranks cannot do.
var (
	errRanksDeterministic = errors.New("sgns: ranks exchange what they have trained while they train, so a run on several of them cannot be deterministic: train it on one, or without Deterministic")
	errRanksPrecision     = errors.New("sgns: ranks exchange rows of float32, so a run on several of them cannot have rows of precision f16: train it on one, or with precision f32")
)

// newTeam joins the ranks of a run. It returns nil for a run on one.
func newTeam(ctx context.Context, d Data, c Config, h Hooks) (*team, error) {
	if d.Ranks == nil || d.Ranks.Size() == 1 {
		return nil, nil
	}
	if c.Deterministic {
		return nil, errRanksDeterministic
	}
	if c.Precision != F32 {
		return nil, errRanksPrecision
	}
	comm, err := d.Ranks.Dup(ctx)
	if err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	t := &team{comm: comm, budget: d.SyncBudget, options: replica.Defaults(), due: make([]uint64, comm.Size()), loss: math.NaN(), waiting: make(chan struct{}, 1)}
	if d.exchange != nil {
		t.options, t.lockstep = *d.exchange, true
	}
	sums := []float64{float64(d.IDs.Tokens()), 0}
	if h.Checkpoint != nil {
		sums[1] = 1
	}
	if err := comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	if t.tokens, t.saves = uint64(sums[0]), sums[1] > 0; t.tokens == 0 {
		return nil, errNoTokens
	}
	t.every = t.options.Every
	if !t.lockstep {
		suits := everyOf(t.tokens*uint64(c.Epochs), comm.Size())
		t.every = cmp.Or(min(d.SyncEvery, mostEvery), suits)
		t.options.Every = min(t.every, suits)
	}
	t.options.Threads = max(1, c.threads()/8)
	t.others.Store(&others{})
	t.leave(0)
	return t, nil
}

// of returns data and hooks of a rank: the first one alone evaluates, saves and tells.
func (t *team) of(d Data, h Hooks) (Data, Hooks) {
	if t == nil || t.comm.Rank() == 0 {
		return d, h
	}
	d.HeldOut = nil
	return d, Hooks{Start: h.Start}
}

// size is how many ranks there are, and rank which of them this one is.
func (t *team) size() int {
	if t == nil {
		return 1
	}
	return t.comm.Size()
}

func (t *team) rank() int {
	if t == nil {
		return 0
	}
	return t.comm.Rank()
}

// together reports whether the ranks have ended with the same parameters, which are those of their states.
func (t *team) together() bool { return t == nil || t.ended }

// waitForSave waits until rank 0 has saved, if all ranks have ended early: the first rank that reports an
// error ends the others.
func (t *team) waitForSave(ctx context.Context) error {
	if t == nil || !t.early {
		return nil
	}
	return t.comm.Barrier(context.WithoutCancel(ctx))
}

// first reports whether this rank evaluates, saves and tells.
func (t *team) first() bool { return t.rank() == 0 }

// mean returns the mean of what ranks found, each in its part of the corpus.
func (t *team) mean(ctx context.Context, d Data, find func() float64) (float64, error) {
	if t == nil {
		return find(), nil
	}
	sum := []float64{0}
	if n := d.IDs.Tokens(); n > 0 {
		sum[0] = float64(n) * find()
	}
	err := t.comm.AllReduce(ctx, cluster.Sum, sum)
	return sum[0] / float64(t.tokens), err
}

// start begins with the parameters as they are on all ranks.
func (t *team) start(r *run) {
	t.run = r
	var matrices []replica.Matrix
	words := wordsOf(r.config, r.data.Vocab, r.tokens())
	for m, rows := range r.model.values.Owned() {
		matrices = append(matrices, replica.Matrix{Rows: rows, Touches: touchesOf(r.model.values.List(), m, words)})
	}
	// Rows also belong to ranks that have no text, or none left: so the rate is that of the whole run.
	t.options.Rate = func(trained uint64) float64 {
		return r.firstRate() * max(0, 1-float64(trained)*float64(t.size())/float64(r.whole()))
	}
	t.sync = replica.New(t.comm, matrices, t.options)
	if t.saves {
		t.text = fingerprintOf(r.data.IDs)
	}
}

// join tells the other ranks how far this one is when the run begins or goes on.
func (t *team) join(ctx context.Context) error {
	if t == nil {
		return nil
	}
	all, err := t.sync.Meet(ctx, t.control())
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	t.hear(all)
	t.turned(all)
	t.apart = distances{}
	t.leave(t.due[t.rank()])
	t.sync.Begin(t.trained())
	t.began = time.Now()
	return nil
}

// trained is how many tokens each rank had trained by the last turn, on the average.
func (t *team) trained() uint64 {
	var all uint64
	for _, tokens := range t.due {
		all += tokens
	}
	return all / uint64(t.size())
}

// exchangeBytes is what a synchroniser takes in memory.
func (t *team) exchangeBytes(list params.List) float64 {
	if t == nil {
		return 0
	}
	rows, cols := 0, 0
	for m := range list.Owned() {
		rows, cols = rows+m.Rows, max(cols, m.Cols)
	}
	return replica.Bytes(list.Bytes(), rows, cols, t.size())
}

// trained is how many tokens all ranks have trained, as far as this one knows.
func (r *run) trained() uint64 {
	n := r.counters.Tokens()
	if r.team != nil {
		n += r.team.others.Load().tokens
	}
	return n
}

// losses are those of all ranks, as far as this one knows.
func (r *run) losses(lastEpoch bool) (loss float64, pairs uint64) {
	loss, pairs = r.counters.Losses(lastEpoch)
	if r.team == nil {
		return loss, pairs
	}
	o := r.team.others.Load()
	if lastEpoch {
		return loss + o.lastLoss, pairs + o.lastPairs
	}
	return loss + o.loss, pairs + o.pairs
}

// lastBegun reports whether the last epoch has losses to speak of.
func (r *run) lastBegun() bool {
	_, pairs := r.losses(true)
	return pairs > 0
}

// tokens is how many tokens the corpus has, with the parts of all ranks.
func (r *run) tokens() uint64 {
	if r.team != nil {
		return r.team.tokens
	}
	return r.data.IDs.Tokens()
}

// whole is how many tokens all ranks train.
func (r *run) whole() uint64 { return r.tokens() * uint64(r.config.Epochs) }
