package pairs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
	"unsafe"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
)

// Train trains vectors on pairs. The corpus is read once. The same options and pairs give the same bits with any number of
// threads.
//
// If ctx ends before training does, Train returns what is trained so far and the error of ctx.
func Train(ctx context.Context, c Corpus, o Options, h Hooks) (*Trained, error) {
	return Validated(ctx, c, Corpus{}, o, h)
}

// Validated is Train with other pairs that are measured after each epoch. They stand in files as those of the corpus do.
func Validated(ctx context.Context, c, held Corpus, o Options, h Hooks) (*Trained, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return start(ctx, c, held, o, h, nil)
}

// A DivergedError says that the loss is not a number any more.
type DivergedError struct{ Epoch int }

func (e *DivergedError) Error() string {
	return fmt.Sprintf("training diverged in epoch %d: the loss is not a number; a lower learning rate may help", e.Epoch)
}

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // what sets Have
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("training needs about %.1f GB of memory, and %s is %.1f GB: fewer dimensions, words or buckets, or smaller batches, need less", float64(e.Need)/1e9, e.Limit, float64(e.Have)/1e9)
}

// A run is a run of training.
type run struct {
	o        Options
	hooks    Hooks
	contents Contents
	lexicon  *lexicon
	table    *table
	batch    *batch
	examples []example
	held     []example
	sum      string // of the corpus

	// Where the run is.
	epoch, done int // epochs, and batches of this one
	sumLoss     float64
	loss        float64 // of the last epoch
	evaluated   []Evaluation
}

// start reads the pairs and trains on them, from the beginning or from a checkpoint.
func start(ctx context.Context, c, held Corpus, o Options, h Hooks, from *checkpoint) (*Trained, error) {
	read, err := read(ctx, c, o, h.Reading)
	if err != nil {
		return nil, err
	}
	r := &run{o: o, hooks: h}
	own := len(read.examples)
	if held.given() {
		if o.HeldOut > 0 {
			return nil, errors.New("pairs: a share of the pairs is held out, or other pairs are: only one of them is possible")
		}
		if err := read.add(ctx, held, o, nil); err != nil {
			return nil, fmt.Errorf("the held-out pairs: %w", err)
		}
	}
	if r.sum = read.checksum(); from != nil && from.Corpus != r.sum {
		return nil, errors.New("the corpus has other pairs than in the checkpoint")
	}
	if r.lexicon, err = read.newLexicon(o, from != nil); err != nil {
		return nil, err
	}
	others := read.examples[own:]
	read.examples = read.examples[:own]
	r.examples = read.useful(&r.contents, o.Scored)
	if held.given() {
		of := Contents{}
		read.examples = others
		r.held = read.useful(&of, o.Scored)
	} else {
		r.divide(o.HeldOut, read.texts.len())
	}
	r.contents.Pairs, r.contents.HeldOut = len(r.examples), len(r.held)
	r.contents.Texts, r.contents.Tokens = read.texts.len(), uint64(len(read.texts.words))
	r.contents.Words, r.contents.Rows = len(r.lexicon.words), r.lexicon.rows
	switch {
	case len(r.examples) < 2 && !o.Scored || len(r.examples) == 0:
		return nil, fmt.Errorf("pairs: %d pairs to train on are too few", len(r.examples))
	case (held.given() || o.HeldOut > 0) && len(r.held) == 0:
		return nil, errors.New("pairs: no pair is held out: pairs with common texts stay together, and the share is less than the fewest; other pairs can be held out")
	}
	plan := Plan{r.contents, r.textBytes(), r.bytes()}
	if need, have, limit, lacks := sysinfo.Lacks(float64(plan.Bytes), o.Force); lacks {
		return nil, &MemoryError{need, have, limit}
	}
	if h.Start != nil {
		if err := h.Start(plan); err != nil {
			return nil, err
		}
	}
	t := &table{dim: o.Dim, numbers: make([]float32, r.lexicon.rows*o.Dim), weights: make([]float32, r.lexicon.rows), state: newAdam(r.lexicon.rows, o.Dim)}
	r.table = t
	s := &stepper{table: t, texts: &read.texts, words: r.lexicon.lists, plain: o.MaxN == 0, parallel: parallel{threadsOf(o.Threads)}}
	r.batch = newBatch(s, o)
	if from != nil {
		err = from.restore(r)
	} else {
		err = t.start(r.lexicon, o)
	}
	if err != nil {
		return nil, err
	}
	return r.train(ctx)
}

// bytes returns about how much memory training takes beside what is taken already.
func (r *run) bytes() uint64 {
	o, rows := r.o, float64(r.lexicon.rows)
	dim := float64(o.Dim)
	copies := 3.0 // rows and two moments
	if r.hooks.Save != nil {
		copies = 4 // and the rows of a checkpoint
	}
	texts := 2 * float64(o.BatchSize)
	columns := float64(o.BatchSize + o.Queue)
	mean := float64(r.contents.Tokens) / float64(max(r.contents.Texts, 1))
	tokens := texts * mean
	batch := texts*dim*8 + columns*dim*24 + tokens*(dim*8+48)
	if !o.Scored {
		batch += 8 * columns * columns
	}
	return uint64(4 * (copies*rows*dim + 6*rows + batch/4 + float64(o.Queue)*2*dim))
}

// textBytes returns how much memory texts and pairs take while they are trained.
func (r *run) textBytes() uint64 {
	c := r.contents
	all := 4*c.Tokens + 8*uint64(c.Texts) + uint64(unsafe.Sizeof(example{}))*uint64(c.Pairs+c.HeldOut+c.Same+c.Empty)
	for _, e := range slices.Concat(r.examples, r.held) {
		all += 4 * uint64(len(e.negatives))
	}
	return all
}

// divide holds a share of the pairs out, at most, in whole groups: pairs with a common text are in one group. Groups are
// taken in a random order, and those that would be too many are passed over.
func (r *run) divide(share float64, texts int) {
	if share == 0 {
		return
	}
	of := make([]uint32, texts) // a text of the same group, and itself for one of each
	for text := range of {
		of[text] = uint32(text)
	}
	root := func(text uint32) uint32 {
		for of[text] != text {
			of[text] = of[of[text]]
			text = of[text]
		}
		return text
	}
	for _, e := range r.examples {
		a, b := root(e.a), root(e.b)
		of[max(a, b)] = min(a, b)
	}
	size := make([]int, len(of))
	for _, e := range r.examples {
		size[root(e.a)]++
	}
	var groups []uint32
	for text, n := range size {
		if n > 0 {
			groups = append(groups, uint32(text))
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	left := int(share * float64(len(r.examples)))
	taken := make([]bool, len(of))
	for _, group := range groups {
		if size[group] <= left {
			taken[group] = true
			left -= size[group]
		}
	}
	kept := r.examples[:0]
	for _, e := range r.examples {
		if taken[root(e.a)] {
			r.held = append(r.held, e)
		} else {
			kept = append(kept, e)
		}
	}
	r.examples = kept
}

// batches returns how many batches an epoch has: all have about the same size.
func (r *run) batches() int { return (len(r.examples) + r.o.BatchSize - 1) / r.o.BatchSize }

// rate returns the learning rate: it rises for a fiftieth of the run, and then falls linearly to 0.
func (r *run) rate() float64 {
	all := float64(r.o.Epochs * r.batches())
	at := (float64(r.epoch*r.batches()+r.done) + 0.5) / all
	return r.o.LearningRate * min(at/warmUp, (1-at)/(1-warmUp))
}

const warmUp = 0.02

func (r *run) train(ctx context.Context) (*Trained, error) {
	t := &Trained{Contents: r.contents, Evaluations: r.evaluated}
	began := time.Now()
	reported, saved := began, began
	every := r.hooks.Every
	if every == 0 {
		every = time.Second
	}
	order := make([]uint32, len(r.examples))
	var texts uint64
	var chosen []example
	batches := r.batches()
	recent, seen := 0.0, 0
	report := func(final bool) {
		p := &t.Progress
		p.Epoch, p.Epochs, p.Texts = min(r.epoch+1, r.o.Epochs), r.o.Epochs, texts
		p.Pairs = uint64(r.epoch)*uint64(len(order)) + uint64(r.done*len(order)/batches)
		p.Total = uint64(r.o.Epochs) * uint64(len(order))
		p.LearningRate, p.Elapsed = r.rate(), time.Since(began)
		if seen > 0 {
			p.Loss = recent / float64(seen)
		}
		if r.hooks.Progress != nil && !final {
			r.hooks.Progress(*p)
		}
		recent, seen = 0, 0
	}
	end := func(err error) (*Trained, error) {
		report(true)
		if t.Progress.Loss = r.loss; r.epoch < r.o.Epochs && r.done > 0 {
			t.Progress.Loss = r.sumLoss / float64(r.done)
		}
		if r.hooks.Save != nil {
			set, failed := r.checkpoint()
			if failed != nil {
				return nil, errors.Join(err, failed)
			}
			r.hooks.Save(set)
		}
		var failed error
		t.Evaluations = r.evaluated
		t.Vectors, failed = r.table.set(r.lexicon, r.o, r.contents, false)
		return t, errors.Join(err, failed)
	}
	for ; r.epoch < r.o.Epochs; r.epoch, r.done, r.sumLoss, r.loss = r.epoch+1, 0, 0, r.sumLoss/float64(batches) {
		for i := range order {
			order[i] = uint32(i)
		}
		rand.New(rand.NewPCG(r.o.Seed, uint64(r.epoch)+1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for r.done < batches {
			if err := ctx.Err(); err != nil {
				return end(err)
			}
			chosen = chosen[:0]
			for _, i := range order[r.done*len(order)/batches : (r.done+1)*len(order)/batches] {
				chosen = append(chosen, r.examples[i])
			}
			r.batch.begin(chosen)
			loss := r.batch.loss()
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return nil, &DivergedError{r.epoch + 1}
			}
			r.batch.stepper.backward(float32(r.rate()))
			r.batch.remember()
			texts += uint64(len(r.batch.texts))
			r.done++
			r.sumLoss, recent, seen = r.sumLoss+loss, recent+loss, seen+1
			if now := time.Now(); now.Sub(reported) >= every {
				report(false)
				reported = now
			}
			if every := r.hooks.CheckpointEvery; r.hooks.Save != nil && every > 0 && time.Since(saved) >= every && r.done < batches {
				set, err := r.checkpoint()
				if err != nil {
					return nil, err
				}
				r.hooks.Save(set)
				saved = time.Now()
			}
		}
		if len(r.held) > 0 {
			e := r.batch.evaluate(r.held, r.o.BatchSize)
			e.Epoch = r.epoch + 1
			r.evaluated = append(r.evaluated, e)
			if r.hooks.Evaluated != nil {
				r.hooks.Evaluated(e)
			}
		}
	}
	for row := range r.table.weights {
		if !vectors.Finite(r.table.row(uint32(row))) {
			return nil, &DivergedError{r.o.Epochs}
		}
	}
	return end(nil)
}
