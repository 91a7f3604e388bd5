package sgns

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/divided"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
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
	saves         bool         // rank 0 makes checkpoints
	fingerprint   *fingerprint // of this rank's part, if it does
	held          *fingerprint // of text that the run held out before it was divided
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
	if err := r.prepare(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	if err := r.begin(from); err != nil {
		return nil, err
	}
	if err := alike(context.WithoutCancel(ctx), r.comm, d, r.config, r.engine.Values); err != nil {
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

// prepare plans the run and allocates what it needs.
func (r *dividedRun) prepare(ctx context.Context) (err error) {
	if r.variant, err = r.config.variant(); err != nil {
		return err
	}
	if err := r.data.divisible(r.config); err != nil {
		return err
	}
	sums := []float64{float64(r.data.IDs.Tokens()), 0}
	if r.hooks.Checkpoint != nil {
		sums[1] = 1
	}
	r.corpus.own = r.data.IDs.Tokens()
	c, d, v := &r.config, r.data, r.variant
	if err := r.comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return err
	}
	if r.corpus.all = uint64(sums[0]); r.corpus.all == 0 {
		return errNoTokens
	}
	keep := d.Vocab.KeepProbabilities(c.sample(r.corpus.all))
	contexts := []float64{0}
	if v.Around() && r.corpus.own > 0 {
		contexts[0] = float64(r.corpus.own) * meanContexts(d, v.Run, keep)
	}
	if err := r.comm.AllReduce(ctx, cluster.Sum, contexts); err != nil {
		return err
	}
	if r.saves = sums[1] > 0; r.saves {
		r.fingerprint = fingerprintOf(d.IDs)
	}
	c.LearningRate = cmp.Or(c.LearningRate, c.RateFor(r.total()))
	table := subword.NewTable(d.Vocab.Tokens(), nil, subword.TableOptions{})
	division := engine.Divide(v, d.Vocab, table, keep, c.given())
	if v.Around() {
		division.Contexts = contexts[0] / sums[0]
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
	if r.part, err = divided.New(ctx, r.comm, l, rows, r.options(table)); err != nil {
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
