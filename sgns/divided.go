package sgns

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A dividedRun is a run whose rows are divided over ranks: see package divided.
type dividedRun struct {
	config  Config
	hooks   Hooks
	data    Data
	variant *variant.Variant
	plan    dividedPlan
	comm    cluster.Comm

	part     *divided.Division
	reader   *divided.Reader
	pooled   loss.Pooled
	engine   *engine.Run
	workers  []*engine.Worker
	watches  []monitor.Watch
	counters monitor.Counters
	diverged atomic.Bool

	read, trained uint64       // rounds
	place         engine.Place // behind those that were trained
	corpus        dividedCorpus
	mostThreads   int          // of a rank
	saves         bool         // rank 0 makes checkpoints
	fingerprint   *fingerprint // of this rank's part, if it does
	states        [][]byte     // on rank 0: of each rank, when they stood still
	failed        error        // of rank 0 alone: why it wants to stop
	once          sync.Once
	names         vectors.Words // see words
	evaluation    monitor.EarlyStopping
	clock         clock
	mutex         sync.Mutex        // of told
	told          []divided.Control // by each rank, in the last exchange
	due           atomic.Bool       // a checkpoint is
}

// A dividedCorpus says how much text there is.
type dividedCorpus struct {
	own, all uint64 // tokens of this rank's part, and of all parts
}

// trainDivided trains a model whose rows are divided over the ranks.
func trainDivided(ctx context.Context, d Data, c Config, from *Checkpoint, h Hooks) (*Model, error) {
	if d.Ranks.Rank() > 0 { // the first rank alone evaluates, saves and tells
		h = Hooks{Start: h.Start}
	}
	r := &dividedRun{config: c, hooks: h, data: d, comm: d.Ranks}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.begin(from); err != nil {
		return nil, err
	}
	if err := alike(context.WithoutCancel(ctx), r.comm, d.Vocab, r.engine.Values); err != nil {
		return nil, err
	}
	var begun [][]float32
	if from == nil {
		begun = r.frequent()
	}
	stopReports := r.report()
	interrupted, err := r.train(ctx)
	final := stopReports()
	if err != nil {
		return nil, err
	}
	return r.end(ctx, final, begun, interrupted)
}

// undividable returns why a run's rows cannot be divided; nil if they can be.
func (r *dividedRun) undividable() error {
	c, list := r.config, r.variant.Matrices(1, 1, nil)
	for _, refused := range []struct {
		is   bool
		what string
	}{
		{c.Subword != nil, "n-grams: a word would need the rows of many owners"},
		{c.Rank > 0, "a low rank, whose projection all words share"},
		{c.Tied, "tied vectors"},
		{c.PositionWeights, "position weights, which all words share"},
		{c.WordNgrams > 1, "word n-grams, whose rows are no words"},
		{c.arch() == Structured, "structured skip-gram, which has many output rows a word"},
		{!c.Loss.Samples() && c.loss() != Losses()[0], fmt.Sprintf("loss %s, whose output rows are no words", c.loss())},
		{c.Deterministic, "a deterministic run: the threads of a rank train as they come"},
		{c.Freeze != FreezeNone, "frozen vectors"},
		{r.data.Init != nil, "vectors to start from"},
		{r.data.HeldOut != nil, "held-out text, whose words' rows would have to be fetched too"},
		{r.data.SyncBudget > 0, "a budget of bytes: a rank must have the rows of its text before it can train it"},
		{c.Patience > 0, "early stopping, which keeps a copy of the best vectors"},
		{len(list) != 2, "more matrices than input and output rows of words"},
	} {
		if refused.is {
			return fmt.Errorf("sgns: a divided model cannot have %s", refused.what)
		}
	}
	return nil
}

// prepare plans the run and allocates what it needs.
func (r *dividedRun) prepare(ctx context.Context) (err error) {
	if r.variant, err = r.config.variant(); err != nil {
		return err
	}
	if err := r.undividable(); err != nil {
		return err
	}
	sums := []float64{float64(r.data.IDs.Tokens()), 0, 0}
	if r.hooks.Checkpoint != nil {
		sums[2] = 1
	}
	r.corpus.own = r.data.IDs.Tokens()
	c, d, v := &r.config, r.data, r.variant
	keep := d.Vocab.KeepProbabilities(c.Sample)
	if v.Around() && r.corpus.own > 0 {
		sums[1] = sums[0] * meanContexts(d, v.Run, keep)
	}
	if err := r.comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return err
	}
	if r.corpus.all = uint64(sums[0]); r.corpus.all == 0 {
		return errNoTokens
	}
	if r.saves = sums[2] > 0; r.saves {
		r.fingerprint = fingerprintOf(d.IDs)
	}
	most := []float64{float64(c.threads())} // as large as rounds are, and as many turns as they have, on all ranks
	if err := r.comm.AllReduce(ctx, cluster.Max, most); err != nil {
		return err
	}
	r.mostThreads = int(most[0])
	c.LearningRate = cmp.Or(c.LearningRate, c.RateFor(r.total()))
	table := subword.NewTable(d.Vocab.Tokens(), nil, subword.TableOptions{})
	division := engine.Divide(v, d.Vocab, table, keep, c.given())
	if v.Around() {
		division.Contexts = sums[1] / sums[0]
	}
	thresholds := engine.Thresholds(keep)
	r.plan = planDivided(r, len(thresholds), division, table)
	if err := c.fits(r.plan.bytes); err != nil {
		return err
	}
	if r.hooks.Start != nil {
		if err := r.hooks.Start(r.plan.Plan); err != nil {
			return err
		}
	}
	v.Prepare(d.Vocab, table)
	r.pooled = v.Loss.(loss.Pooled)
	values := r.plan.allocate()
	r.engine = &engine.Run{
		Variant: v, Values: values, Division: division, IDs: d.IDs, Epochs: c.Epochs, Shuffle: c.Shuffle,
		Words: d.Vocab.Len(), Keep: thresholds, Rate: r.rate,
	}
	l := r.plan.layout
	rows := divided.RowsOf(values.Matrix(v.Input()), values.Matrix(outputName))
	if r.part, err = divided.New(ctx, r.comm, l, rows, r.options()); err != nil {
		return err
	}
	r.reader = divided.NewReader(l, r.plan.limits, r.engine.NewReading(), r.pooled)
	r.pooled.DrawFrom(r.part.Pool(&divided.Round{}))
	r.counters = monitor.NewCounters(r.plan.Threads)
	limit := monitor.Limit(v.Loss.ZeroScore(d.Vocab))
	for k := range r.plan.Threads {
		r.workers = append(r.workers, r.engine.NewWorker(k))
		r.watches = append(r.watches, monitor.Watch{Limit: limit})
	}
	return nil
}

// begin makes the rows what they are when the run begins, or goes on.
func (r *dividedRun) begin(from *Checkpoint) error {
	r.evaluation = monitor.EarlyStopping{}
	if r.hooks.Evaluate != nil {
		r.evaluation.Every = cmp.Or(r.config.EvaluateEvery, r.corpus.all)
	}
	if from != nil {
		return r.resume(from)
	}
	r.part.Initialise(r.config.Seed, r.variant.Composition.Bound())
	return nil
}

// total is how many tokens all ranks train.
func (r *dividedRun) total() uint64 { return r.corpus.all * uint64(r.config.Epochs) }

// rate is the learning rate for what this rank has trained of its part.
func (r *dividedRun) rate() float32 {
	done := float64(r.counters.Tokens()) / (float64(r.corpus.own) * float64(r.config.Epochs))
	return float32(r.config.LearningRate * max(0, 1-done))
}

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

// control is what this rank tells the others.
func (r *dividedRun) control(ctx context.Context, ended bool) divided.Control {
	c := divided.Control{
		Ended: ended, Stop: ctx.Err() != nil || r.failed != nil, Diverged: r.diverged.Load(),
		Save: r.due.Load(), Evaluate: r.toEvaluate(),
		Tokens: r.counters.Tokens(), Sent: r.comm.Sent(),
	}
	c.Loss, c.Pairs = r.counters.Losses(false)
	c.LastLoss, c.LastPairs = r.counters.Losses(true)
	return c
}

// heard keeps what all ranks told.
func (r *dividedRun) heard(told []divided.Control) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.told = told
}

// anyone reports whether a rank told something.
func anyone(told []divided.Control, what func(divided.Control) bool) bool {
	for _, c := range told {
		if what(c) {
			return true
		}
	}
	return false
}

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
		if anyone(r.told, func(c divided.Control) bool { return c.Stop || c.Diverged }) {
			break
		}
		if r.dues() {
			if err := r.pause(ctx, ranks, changes); err != nil {
				return nil, err
			}
			changes = nil
			r.part.Forget()
			err = r.fetch(ctx, ranks, next)
		} else {
			err = r.part.Install(next, rows, now)
		}
		if err != nil {
			return nil, err
		}
		now, next = next, now
		runtime.GC() // messages are garbage, as much as the rows of a round
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
	if err := r.still(ranks); err != nil {
		return nil, err
	}
	diverged := []float64{0}
	if anyone(r.told, func(c divided.Control) bool { return c.Diverged }) || !r.part.Finite() {
		diverged[0] = 1
	}
	if err := r.comm.AllReduce(ranks, cluster.Max, diverged); err != nil {
		return nil, err
	}
	switch {
	case diverged[0] > 0:
		return nil, &DivergedError{1, r.config.LearningRate, r.config.RateFor(r.total())}
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
		for n < len(rest) && rest[n-1]&corpus.EndOfSentence == 0 {
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

// sums returns what all ranks had done in the last exchange.
func (r *dividedRun) sums() (all divided.Control) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, c := range r.told {
		all.Tokens += c.Tokens
		all.Pairs += c.Pairs
		all.LastPairs += c.LastPairs
		all.Loss += c.Loss
		all.LastLoss += c.LastLoss
		all.Sent += c.Sent
	}
	return all
}

// progress is how far all ranks are. That of the others is known from the last exchange.
func (r *dividedRun) progress(final bool) Progress {
	all := r.sums()
	elapsed := time.Since(r.clock.began)
	p := Progress{Tokens: all.Tokens, Total: r.total(), Elapsed: elapsed, Final: final, Ranks: r.comm.Size(), Sent: all.Sent}
	p.LearningRate = r.config.LearningRate * max(0, 1-float64(p.Tokens)/float64(p.Total))
	p.TokensPerSecond = float64(p.Tokens-min(r.clock.trained, p.Tokens)) / elapsed.Seconds()
	p.Recent = p.TokensPerSecond
	if p.TokensPerSecond > 0 {
		left := float64(p.Total-min(p.Tokens, p.Total)) / p.TokensPerSecond
		p.Remaining = time.Duration(min(left*float64(time.Second), math.MaxInt64/2))
	}
	p.Loss = all.Loss / float64(all.Pairs)
	if final && all.LastPairs > 0 {
		p.Loss = all.LastLoss / float64(all.LastPairs)
	}
	return p
}
