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

// A task is what a run is trained on: pairs of texts, or texts with their teacher's vectors.
type task interface {
	// begin begins an epoch at one of its examples, in an order of its own.
	begin(epoch, first int) error
	// step computes the loss of the examples from first to the one before last, which follow each other, and leaves its
	// gradients with the stepper.
	step(first, last int) (loss float64, err error)
	stepped() // rows are changed
	evaluate() (Evaluation, error)
	examples() string // what is trained: the name of its number among the facts of the model
	describe(*vectors.Training)
	// state is what a checkpoint keeps of the run, with matrices of the task alone.
	state(position) (any, []vectors.Matrix)
}

// A run is a run of training.
type run struct {
	Settings
	hooks    Hooks
	contents Contents
	lexicon  *lexicon
	table    *table
	stepper  *stepper
	task     task
	best     []float32 // the rows of the best epoch, by Patience; nil without
	position
}

// A position is where a run is.
type position struct {
	Corpus      string // its checksum
	Epoch, Done int    // epochs, and batches of this one
	SumLoss     float64
	Loss        float64 // of the last epoch
	Steps       int
	Evaluated   []Evaluation `json:",omitempty"`
	Since       int          `json:",omitempty"` // epochs since the best, or since the run was to end later
}

// bestOf returns the best evaluation by a metric, the first of equal ones; nil if there is none.
func (p *position) bestOf(m Metric) (best *Evaluation) {
	for i := range p.Evaluated {
		if e := &p.Evaluated[i]; best == nil || e.value(m) > best.value(m) {
			best = e
		}
	}
	return best
}

// start reads the pairs and trains on them, from the beginning or from a checkpoint.
func start(ctx context.Context, c, held Corpus, o Options, h Hooks, from *checkpoint[state]) (*Trained, error) {
	read, err := read(ctx, c, o, h.Reading)
	if err != nil {
		return nil, err
	}
	own := len(read.examples)
	if held.given() {
		if o.HeldOut > 0 {
			return nil, errors.New("pairs: a share of the pairs is held out, or other pairs are: only one of them is possible")
		}
		if err := read.add(ctx, held, o, nil); err != nil {
			return nil, fmt.Errorf("the held-out pairs: %w", err)
		}
	}
	r := &run{Settings: o.Settings, hooks: h}
	if r.Corpus = read.checksum(); from != nil && from.Corpus != r.Corpus {
		return nil, errors.New("the corpus has other pairs than in the checkpoint")
	}
	var number []uint32
	if r.lexicon, number, err = read.newLexicon(o.Settings, from != nil); err != nil {
		return nil, err
	}
	read.texts.renumber(number)
	read.known = nil
	p := &pairing{o: o}
	others := read.examples[own:]
	read.examples = read.examples[:own]
	p.all = read.useful(&r.contents, o.Scored)
	if held.given() {
		of := Contents{}
		read.examples = others
		p.held = read.useful(&of, o.Scored)
	} else {
		p.divide(read.texts.len())
	}
	r.contents.Pairs, r.contents.HeldOut = len(p.all), len(p.held)
	r.contents.Texts, r.contents.Tokens = read.texts.len(), uint64(len(read.texts.words))
	switch {
	case len(p.all) < 2 && !o.Scored || len(p.all) == 0:
		return nil, fmt.Errorf("pairs: %d pairs to train on are too few%s", len(p.all), r.contents.leftOut())
	case o.Patience > 0 && !held.given() && o.HeldOut == 0:
		return nil, errors.New("pairs: early stopping needs held-out pairs")
	case (held.given() || o.HeldOut > 0) && len(p.held) == 0:
		return nil, errors.New("pairs: no pair is held out: pairs with common texts stay together, and the share is less than the fewest; other pairs can be held out")
	}
	if err := r.plan(p.textBytes(r.contents), p.bytesOf(r.contents)); err != nil {
		return nil, err
	}
	r.allocate()
	r.stepper.texts = &read.texts
	p.batch = newBatch(r.stepper, o)
	r.task = p
	if from != nil {
		err = from.restore(r, p.restore)
	} else {
		err = r.table.start(r.lexicon, o.Settings)
	}
	if err != nil {
		return nil, err
	}
	return r.train(ctx)
}

// plan completes the contents, and finds out whether memory suffices for the rows and a task of so many bytes, beside texts.
func (r *run) plan(texts uint64, task float64) error {
	r.contents.Words, r.contents.Rows = len(r.lexicon.words), r.lexicon.rows
	copies := 3.0 // rows and two moments
	if r.hooks.Save != nil {
		copies = 4 // and the rows of a checkpoint
	}
	if r.Patience > 0 {
		copies++ // and the best
	}
	rows := float64(r.lexicon.rows)
	plan := Plan{r.contents, r.Dim, texts, uint64(4*(copies*rows*float64(r.Dim)+6*rows) + task)}
	if need, have, limit, lacks := sysinfo.Lacks(float64(plan.Bytes), r.Force); lacks {
		return &MemoryError{need, have, limit}
	}
	if r.hooks.Start != nil {
		return r.hooks.Start(plan)
	}
	return nil
}

// allocate makes the rows and what computes with them.
func (r *run) allocate() {
	r.table = &table{dim: r.Dim, numbers: make([]float32, r.lexicon.rows*r.Dim), weights: make([]float32, r.lexicon.rows), state: newAdam(r.lexicon.rows, r.Dim)}
	if r.Patience > 0 {
		r.best = make([]float32, len(r.table.numbers))
	}
	r.stepper = &stepper{table: r.table, words: r.lexicon.lists, plain: r.MaxN == 0, scale: 1, parallel: parallel{threadsOf(r.Threads)}}
}

// A pairing is the task of pairs of texts.
type pairing struct {
	*batch
	o         Options
	all, held []example
	order     []uint32
	chosen    []example
}

// textBytes returns how much memory texts and pairs take while they are trained.
func (p *pairing) textBytes(c Contents) uint64 {
	all := 4*c.Tokens + 8*uint64(c.Texts) + uint64(unsafe.Sizeof(example{}))*uint64(c.Pairs+c.HeldOut+c.Same+c.Empty)
	for _, e := range slices.Concat(p.all, p.held) {
		all += 4 * uint64(len(e.negatives))
	}
	return all
}

// divide holds a share of the pairs out, at most, in whole groups: pairs with a common text are in one group. Groups are
// taken in a random order, and those that would be too many are passed over.
func (p *pairing) divide(texts int) {
	share := p.o.HeldOut
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
	for _, e := range p.all {
		a, b := root(e.a), root(e.b)
		of[max(a, b)] = min(a, b)
	}
	size := make([]int, len(of))
	for _, e := range p.all {
		size[root(e.a)]++
	}
	var groups []uint32
	for text, n := range size {
		if n > 0 {
			groups = append(groups, uint32(text))
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	left := int(share * float64(len(p.all)))
	taken := make([]bool, len(of))
	for _, group := range groups {
		if size[group] <= left {
			taken[group] = true
			left -= size[group]
		}
	}
	kept := p.all[:0]
	for _, e := range p.all {
		if taken[root(e.a)] {
			p.held = append(p.held, e)
		} else {
			kept = append(kept, e)
		}
	}
	p.all = kept
}

// isHeld reports whether a text is among the share that is held out.
func isHeld(text uint64, share float64) bool {
	return share > 0 && rand.New(rand.NewPCG(text, 1)).Float64() < share
}

// bytesOf returns about how much memory the task takes beside the pairs, which are there already.
func (p *pairing) bytesOf(c Contents) float64 {
	o := p.o
	dim, texts, columns := float64(o.Dim), 2*float64(o.BatchSize), float64(o.BatchSize+o.Queue)
	tokens := texts * float64(c.Tokens) / float64(max(c.Texts, 1))
	batch := texts*dim*8 + columns*dim*24 + tokens*(dim*8+48)
	if !o.Scored {
		batch += 8 * columns * columns
	}
	return batch + 4*float64(o.Queue)*2*dim
}

func (p *pairing) begin(epoch, _ int) error {
	p.order = grown(p.order, len(p.all))
	for i := range p.order {
		p.order[i] = uint32(i)
	}
	rand.New(rand.NewPCG(p.o.Seed, uint64(epoch)+1)).Shuffle(len(p.order), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
	return nil
}

func (p *pairing) step(first, last int) (loss float64, err error) {
	p.chosen = p.chosen[:0]
	for _, i := range p.order[first:last] {
		p.chosen = append(p.chosen, p.all[i])
	}
	p.take(p.chosen)
	return p.loss(), nil
}

func (p *pairing) examples() string { return "pairs" }

func (p *pairing) stepped() { p.remember() }

func (p *pairing) evaluate() (Evaluation, error) { return p.measure(p.held, p.o.BatchSize), nil }

func (p *pairing) describe(t *vectors.Training) {
	loss := "softmax"
	if p.o.Scored {
		loss = string(p.o.ScoreLoss)
	}
	t.Set("arch", archPairs)
	t.Set("loss", loss)
	t.Set("queue", p.o.Queue)
	t.Set("one_way", p.o.OneWay)
	if !p.o.Scored || p.o.ScoreLoss == CoSENTLoss {
		t.Set("temperature", p.o.Temperature)
	}
}

// batches returns how many batches an epoch has: all have about the same size.
func (r *run) batches() int { return (r.contents.Pairs + r.BatchSize - 1) / r.BatchSize }

// rate returns the learning rate: it rises for a fiftieth of the run, and then falls linearly to 0.
func (r *run) rate() float64 {
	all := float64(r.Epochs * r.batches())
	at := (float64(r.Epoch*r.batches()+r.Done) + 0.5) / all
	return r.LearningRate * min(at/warmUp, (1-at)/(1-warmUp))
}

const warmUp = 0.02

func (r *run) train(ctx context.Context) (*Trained, error) {
	t := &Trained{Contents: r.contents}
	began := time.Now()
	reported, saved := began, began
	every := r.hooks.Every
	if every == 0 {
		every = time.Second
	}
	var texts uint64
	batches, examples := r.batches(), r.contents.Pairs
	recent, seen := 0.0, 0
	report := func(final bool) {
		p := &t.Progress
		p.Epoch, p.Epochs, p.Texts = min(r.Epoch+1, r.Epochs), r.Epochs, texts
		p.Pairs = uint64(r.Epoch)*uint64(examples) + uint64(r.Done*examples/batches)
		p.Total = uint64(r.Epochs) * uint64(examples)
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
		if t.Progress.Loss = r.Loss; r.Epoch < r.Epochs && r.Done > 0 {
			t.Progress.Loss = r.SumLoss / float64(r.Done)
		}
		if r.hooks.Save != nil {
			set, failed := r.checkpoint()
			if failed != nil {
				return nil, errors.Join(err, failed)
			}
			r.hooks.Save(set)
		}
		var failed error
		t.Evaluations = r.Evaluated
		rows := r.table.numbers
		if r.Patience > 0 {
			t.Best, t.Progress.Early = r.bestOf(r.Metric), err == nil && r.Epoch < r.Epochs
		}
		if t.Best != nil {
			rows = r.best
		} else {
			r.weigh(rows)
		}
		t.Vectors, failed = r.set(rows)
		return t, errors.Join(err, failed)
	}
	for ; r.Epoch < r.Epochs && !(r.Patience > 0 && r.Since >= r.Patience); r.Epoch, r.Done, r.SumLoss, r.Loss = r.Epoch+1, 0, 0, r.SumLoss/float64(batches) {
		if err := r.task.begin(r.Epoch, r.Done*examples/batches); err != nil {
			return nil, err
		}
		for r.Done < batches {
			if err := ctx.Err(); err != nil {
				return end(err)
			}
			loss, err := r.task.step(r.Done*examples/batches, (r.Done+1)*examples/batches)
			if err != nil {
				return nil, err
			}
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return nil, &DivergedError{r.Epoch + 1}
			}
			r.stepper.backward(float32(r.rate()))
			r.task.stepped()
			texts += uint64(len(r.stepper.batch))
			r.Done++
			r.SumLoss, recent, seen = r.SumLoss+loss, recent+loss, seen+1
			if now := time.Now(); now.Sub(reported) >= every {
				report(false)
				reported = now
			}
			if every := r.hooks.CheckpointEvery; r.hooks.Save != nil && every > 0 && time.Since(saved) >= every && r.Done < batches {
				set, err := r.checkpoint()
				if err != nil {
					return nil, err
				}
				r.hooks.Save(set)
				saved = time.Now()
			}
		}
		if r.contents.HeldOut > 0 {
			e, err := r.task.evaluate()
			if err != nil {
				return nil, err
			}
			e.Epoch = r.Epoch + 1
			r.Evaluated = append(r.Evaluated, e)
			r.Since++
			best := r.Patience > 0 && r.bestOf(r.Metric).Epoch == e.Epoch
			if best {
				r.weigh(r.best)
				r.Since = 0
			}
			if r.hooks.Evaluated != nil {
				r.hooks.Evaluated(e, best)
			}
		}
	}
	for row := range r.table.weights {
		if !vectors.Finite(r.table.row(uint32(row))) {
			return nil, &DivergedError{r.Epochs}
		}
	}
	return end(nil)
}
