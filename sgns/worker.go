package sgns

import (
	"context"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// worker is one worker's own state.
type worker struct {
	*run
	block    *block
	composed *stretch // nil for plain words
	team     *team    // trains the worker's texts; nil for a worker alone
	counters *counters
	text     text
	random   random.Generator
	place    place
	trained  uint64  // blocks
	paired   bool    // there was a pair yet
	read     uint64  // tokens read since the text was begun
	last     bool    // in the last epoch
	recent   float64 // mean loss of a pair in the last text that had any
	watched  watched
}

// place is where in the corpus a worker goes on: in a chunk, of all epochs' chunks,
// behind so many of its tokens.
type place struct {
	Chunk  int64 `json:"chunk"` // nowhere for none
	Offset int   `json:"offset"`
}

const nowhere = -1

// newWorker makes everything that a worker needs, a team too if that is to be.
func (r *run) newWorker(number int) *worker {
	w := r.newReader(number)
	if r.config.teamed() {
		w.team = newTeam(w, w.block.inputs)
	}
	return w
}

// close ends what the worker started.
func (w *worker) close() {
	if w.team != nil {
		w.team.close()
	}
}

// load must be called when something else has changed the parameters, and store before
// something else reads them.
func (w *worker) load() {
	if w.team != nil {
		w.team.load()
	}
}

func (w *worker) store() {
	if w.team != nil {
		w.team.store()
	}
}

// newReader makes a worker who is alone.
func (r *run) newReader(number int) *worker {
	var composed *stretch
	inputs := sources{Matrix: r.input, each: listsOf(r.table), free: r.free(), frozen: r.frozenInput}
	if !r.table.Identity() {
		composed = newStretch(r.parameters, inputs.free, r.stretch, r.step(), r.config.margin(), r.config)
		each := eachAlone(r.stretch)
		inputs = sources{Matrix: composed.values, each: each, free: each}
	}
	return &worker{
		run:      r,
		block:    newBlock(r.parameters, inputs, r.shape, r.config, random.Stream(r.config.Seed, uint64(2*number))),
		composed: composed,
		counters: &r.counters[number],
		random:   random.Stream(r.config.Seed, uint64(2*number+1)),
		place:    place{Chunk: nowhere},
		text: text{
			ids:  make([]uint32, 0, maxText),
			rows: make([]uint32, maxText),
			from: make([]int32, 0, maxText),
			to:   make([]int32, 0, maxText),
		},
	}
}

// work trains text after text until there are no more. Between two texts nothing of
// what the worker did is pending: what it holds then is all that it needs to go on.
func (w *worker) work(ctx context.Context) error {
	for {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case w.due(): // perhaps since before the run was interrupted
			if err := w.pause(ctx); err != nil {
				return err
			}
		}
		w.gate.RLock()
		more, err := w.advance()
		w.gate.RUnlock()
		if err != nil || !more {
			return err
		}
	}
}

// advance gathers the next text and trains it, and reports whether there was one.
func (w *worker) advance() (bool, error) {
	if w.place.Chunk == nowhere {
		chunks, epochs := int64(w.ids.Chunks()), int64(w.config.Epochs)
		i := w.next.Add(1) - 1
		if i >= chunks*epochs {
			return false, nil
		}
		w.place = place{Chunk: i}
		last := i >= chunks*(epochs-1)
		w.paired = w.paired && w.last == last // the last epoch has a loss of its own
		w.last = last
	}
	chunk := w.ids.Chunk(int(w.place.Chunk % int64(w.ids.Chunks())))
	n, end := w.gather(chunk, w.place.Offset)
	w.place.Offset += n
	if end {
		w.place = place{Chunk: nowhere}
	}
	return true, w.train()
}

// gather appends to the text the sentences of a chunk behind so many of its tokens, as
// long as another one is sure to fit. It returns how many tokens it took, and whether
// they were the last of the chunk.
func (w *worker) gather(chunk [][]uint32, offset int) (n int, end bool) {
	t := &w.text
	t.ids = t.ids[:maxText]
	defer func() { t.ids = t.ids[:len(t.from)] }()
	start, now := 0, 0
	for _, ids := range chunk {
		if offset >= len(ids) {
			offset -= len(ids)
			continue
		}
		for _, id := range ids[offset:] {
			word := id &^ corpus.EndOfSentence
			n++
			// Which tokens are dropped cannot be foreseen, so that is no branch.
			t.ids[now] = word
			kept := 0
			if uint32(w.random.Next()>>32) <= w.keep[word] {
				kept = 1
			}
			now += kept
			if id&corpus.EndOfSentence == 0 {
				continue
			}
			for range now - start {
				t.from = append(t.from, int32(start))
				t.to = append(t.to, int32(now))
			}
			start = now
			if now > maxText-corpus.MaxSentence {
				w.read += uint64(n)
				return n, false
			}
		}
		offset = 0
	}
	w.read += uint64(n)
	return n, true
}

// empty empties the text.
func (w *worker) empty() {
	w.read = 0
	w.text.ids, w.text.from, w.text.to = w.text.ids[:0], w.text.from[:0], w.text.to[:0]
}

// lossEvery is of how many blocks the loss of one is computed, on the average and not
// by turns, which the corpus might take, too. Until there is a pair it is all, so that
// there are pairs counted if there are any.
const lossEvery = 8

// train trains on the text and empties it.
func (w *worker) train() error {
	var pairs int
	var loss float64
	if rate := w.rate(); w.team != nil {
		pairs, loss = w.team.train(w.text, rate)
	} else {
		w.block.take()
		pairs, loss = w.pass(func(t text, first, last int) (int, float64) { return w.blocks(t, first, last, rate) })
		w.block.give()
	}
	w.counters.add(w.read, pairs, loss, w.last)
	w.empty()
	return w.watch(pairs, loss)
}

// pass goes through the text, stretch by stretch. It returns the sums of what blocks
// returns for each.
func (w *worker) pass(blocks func(t text, first, last int) (pairs int, loss float64)) (pairs int, loss float64) {
	t := w.text
	if w.composed == nil {
		t.rows = t.ids
		return blocks(t, 0, len(t.ids))
	}
	length, margin := w.stretch, w.composed.margin
	for first := 0; first < len(t.ids); first += length {
		last := min(first+length, len(t.ids))
		from, to := max(first-margin, 0), min(last+margin, len(t.ids))
		w.composed.begin(t.rows[from:to], t.ids[from:to], first-from, last-from, w.block.centres)
		p, l := blocks(t, first, last)
		pairs += p
		loss += l
	}
	return pairs, loss
}

// blocks trains the centres at positions first to last-1. It returns the pairs of
// some blocks, and their loss.
func (w *worker) blocks(t text, first, last int, rate float32) (pairs int, loss float64) {
	for k := 0; first < last; k++ {
		if w.composed != nil {
			w.composed.compose(k)
		}
		w.trained++
		wantLoss := random.Mix(w.trained)%lossEvery == 0 || !w.paired
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
