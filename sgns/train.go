package sgns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Data is what a run trains on.
type Data struct {
	IDs   *corpus.IDs  // the corpus, as ids of the vocabulary
	Vocab *vocab.Vocab // with the counts that subsampling and negatives go by

	// Init is vectors to start from, by the names of words; nil for none. Words that it
	// does not have start as usual. It is read while training starts, by rising rows,
	// and not needed when Train has returned.
	Init *vectors.Set
}

// A Model is what training made.
type Model struct {
	Vectors *vectors.Set
	// Progress is how far training came; its Loss is the mean of the last epoch.
	Progress Progress
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
// into memory (a *MemoryError), if training diverges (ErrDiverged), or if there is
// nothing to learn from (ErrNoPairs).
func Train(ctx context.Context, d Data, c Config, h Hooks) (*Model, error) {
	ids, v := d.IDs, d.Vocab
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if ids.Tokens() == 0 || v.Len() == 0 {
		return nil, errors.New("sgns: no tokens to train on")
	}
	begin, err := c.startFrom(d.Init, v)
	if err != nil {
		return nil, err
	}
	if c.LearningRate == 0 {
		c.LearningRate = begin.rate(c, ids.Tokens()*uint64(c.Epochs))
	}
	keep := v.KeepProbabilities(c.Sample)
	workers := max(1, min(c.workers(), ids.Chunks())) // more would find nothing to do
	table, division, plan, err := c.plan(v, keep, workers, begin)
	if err != nil {
		return nil, err
	}
	if h.Start != nil {
		h.Start(plan)
	}
	p := parameters{
		input:  vectors.NewMatrix(table.Rows(), c.Dim),
		output: vectors.NewMatrix(v.Len(), c.Dim),
		table:  table,
		noise:  v.Noise(c.NSExponent),
	}
	initialise(p.input, table, c.Seed, c.initialBound())
	if begin != nil {
		if err := begin.fill(&p, c.Freeze); err != nil {
			return nil, err
		}
		if h.Warm != nil {
			h.Warm(begin.report(table, c))
		}
	}

	run := newRun(p, division, c, ids, keep, workers)
	stopReports := run.report(h)
	g, workerCtx := errgroup.WithContext(ctx)
	for k := range run.counters {
		g.Go(func() error { return run.work(workerCtx, k) })
	}
	err = g.Wait()
	final := stopReports()
	if !(finite(p.input.Data) && finite(p.output.Data)) {
		err = ErrDiverged
	}
	if _, pairs := run.losses(false); err == nil && pairs == 0 {
		return nil, ErrNoPairs
	}
	if errors.Is(err, ErrDiverged) {
		return nil, fmt.Errorf("%w at learning rate %v: use a lower one", err, c.LearningRate)
	}
	if err != nil {
		err = fmt.Errorf("training stopped at %d of %d tokens: %w", final.Tokens, final.Total, err)
	}
	trained := final.Tokens
	if begin != nil {
		trained += begin.trained()
	}
	return &Model{Vectors: run.set(v.Tokens(), v.Counts(), trained), Progress: final}, err
}

// ErrDiverged says that numbers became too large for training to go on.
var ErrDiverged = errors.New("training diverged")

// ErrNoPairs says that there was nothing to learn from: no token had a context.
var ErrNoPairs = errors.New("no token has a context left: sentences are too short, or subsampling drops too many tokens")

// finite reports whether all of x are numbers.
func finite(x []float32) bool {
	var sum float32
	for _, v := range x {
		sum += v * 0 // NaN if v is not finite
	}
	return sum == 0
}

// initialBound is the largest initial number of an input row: that of word2vec.c
// for words, that of fastText for subwords.
func (c Config) initialBound() float32 {
	if c.Subword == nil {
		return 0.5 / float32(c.Dim)
	}
	return 1 / float32(c.Dim)
}

// set returns the vectors as they are.
func (r *run) set(words []string, counts []uint64, trained uint64) *vectors.Set {
	c := r.config
	s := &vectors.Set{
		Words:  vectors.NewWords(words...),
		Counts: counts,
		Input:  r.input,
		Output: r.output,
		Training: vectors.Training{
			Architecture: "skipgram",
			Window:       c.Window,
			Epochs:       c.Epochs,
			Negatives:    c.Negatives,
			NSExponent:   c.NSExponent,
			Sample:       c.Sample,
			LearningRate: c.LearningRate,
			Seed:         c.Seed,
			Tokens:       r.ids.Tokens(),
			Trained:      trained,
		},
	}
	if c.Subword != nil {
		s.Subword, s.WordRow, s.BucketRow = c.Subword, r.table.WordRow, r.table.BucketRow
	}
	return s
}

// thresholds returns for every word the 32-bit number that a random one must not
// exceed for an occurrence to be kept.
func thresholds(keep []float64) []uint32 {
	limits := make([]uint32, len(keep))
	for id, p := range keep {
		limits[id] = uint32(p * (1<<32 - 1))
	}
	return limits
}

// run is a training run.
type run struct {
	parameters
	shape
	config   Config
	ids      *corpus.IDs
	keep     []uint32
	counters []counters
	total    uint64       // tokens to train: those of the corpus times epochs
	next     atomic.Int64 // the next chunk to take, of all epochs' chunks
}

func newRun(p parameters, s shape, c Config, ids *corpus.IDs, keep []float64, workers int) *run {
	return &run{
		parameters: p,
		shape:      s,
		config:     c,
		ids:        ids,
		keep:       thresholds(keep),
		counters:   make([]counters, workers),
		total:      ids.Tokens() * uint64(c.Epochs),
	}
}

// worker is one worker's own state.
type worker struct {
	*run
	block    *block
	composed *stretch // nil for plain words
	counters *counters
	text     text
	random   random
	trained  uint64 // blocks
	paired   bool   // there was a pair yet
	read     uint64 // tokens read since the text was begun
	last     bool   // in the last epoch
}

// newWorker makes everything that a worker needs.
func (r *run) newWorker(number int) *worker {
	var composed *stretch
	inputs, each := r.input, listsOf(r.table)
	if !r.table.Identity() {
		composed = newStretch(r.input, r.table, r.stretch)
		inputs, each = composed.values, eachAlone(r.stretch)
	}
	return &worker{
		run:      r,
		block:    newBlock(r.output, r.noise, inputs, each, r.shape, r.config, stream(r.config.Seed, uint64(2*number))),
		composed: composed,
		counters: &r.counters[number],
		random:   stream(r.config.Seed, uint64(2*number+1)),
		text: text{
			ids:  make([]uint32, 0, maxText),
			rows: make([]uint32, maxText),
			from: make([]int32, 0, maxText),
			to:   make([]int32, 0, maxText),
		},
	}
}

// work takes chunks and trains on them until there are no more.
func (r *run) work(ctx context.Context, number int) error {
	w := r.newWorker(number)
	chunks, epochs := int64(r.ids.Chunks()), int64(r.config.Epochs)
	for {
		i := r.next.Add(1) - 1
		if i >= chunks*epochs {
			return nil
		}
		last := i >= chunks*(epochs-1)
		w.paired = w.paired && w.last == last // the last epoch has a loss of its own
		w.last = last
		if err := w.chunk(ctx, r.ids.Chunk(int(i%chunks))); err != nil {
			return err
		}
	}
}

// chunk trains on the sentences of a chunk. Sentences are gathered into a text as
// long as another one is sure to fit.
func (w *worker) chunk(ctx context.Context, ids []uint32) error {
	start := 0
	for _, id := range ids {
		word := id &^ corpus.EndOfSentence
		w.read++
		if uint32(w.random.next()>>32) <= w.keep[word] {
			w.text.ids = append(w.text.ids, word)
		}
		if id&corpus.EndOfSentence == 0 {
			continue
		}
		end := len(w.text.ids)
		for range end - start {
			w.text.from = append(w.text.from, int32(start))
			w.text.to = append(w.text.to, int32(end))
		}
		start = end
		if end > maxText-corpus.MaxSentence {
			if err := w.train(ctx); err != nil {
				return err
			}
			start = 0
		}
	}
	return w.train(ctx)
}

// lossEvery is of how many blocks the loss of one is computed, on the average and not
// by turns, which the corpus might take, too. Until there is a pair it is all, so that
// there are pairs counted if there are any.
const lossEvery = 8

// train trains on the text and empties it.
func (w *worker) train(ctx context.Context) error {
	rate := w.rate()
	var pairs int
	var loss float64
	t := w.text
	if w.composed == nil {
		t.rows = t.ids
		pairs, loss = w.blocks(t, 0, len(t.ids), rate)
	} else {
		length := w.stretch
		for first := 0; first < len(t.ids); first += length {
			last := min(first+length, len(t.ids))
			w.composed.begin(t.rows[first:last], t.ids[first:last], w.block.centres)
			p, l := w.blocks(t, first, last, rate)
			pairs += p
			loss += l
		}
	}
	w.counters.add(w.read, pairs, loss, w.last)
	w.read = 0
	w.text.ids, w.text.from, w.text.to = w.text.ids[:0], w.text.from[:0], w.text.to[:0]
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return ErrDiverged
	}
	return ctx.Err()
}

// blocks trains the centres at positions first to last-1. It returns the pairs of
// some blocks, and their loss.
func (w *worker) blocks(t text, first, last int, rate float32) (pairs int, loss float64) {
	for k := 0; first < last; k++ {
		if w.composed != nil {
			w.composed.compose(k)
		}
		w.trained++
		wantLoss := mix(w.trained)%lossEvery == 0 || !w.paired
		p, l := w.block.train(t, first, min(first+w.block.centres, last), last, rate, wantLoss)
		w.paired = w.paired || p > 0
		if wantLoss {
			pairs += p
			loss += l
		}
		if w.composed != nil {
			w.composed.release(k)
		}
		first += w.block.centres
	}
	return pairs, loss
}

// rate is the learning rate for the tokens that have been trained by all workers.
func (w *worker) rate() float32 {
	done := float64(w.tokens()) / float64(w.total)
	return float32(w.config.LearningRate * max(0, 1-done))
}
