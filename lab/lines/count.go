package main

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// A kind is what a block uses a row for.
type kind int

const (
	inputs   kind = iota // vectors of the centres
	outputs              // positives and negatives
	meetings             // rows and their copies
	kinds
)

var kindNames = [kinds]string{"inputs", "outputs", "meetings"}

// decades is how many powers of ten the ranks of words are divided into.
const decades = 7

// A moved is how many rows came from where, by what they were for and by the rank of their words: 1–10, 11–100 and
// so on.
type moved [kinds][decades][distances]uint64

// decade returns the power of ten of a word, of which the most frequent is word 0.
func decade(word int) int {
	d := 0
	for ; word >= 10 && d < decades-1; d++ {
		word /= 10
	}
	return d
}

// A counter counts what a machine moves.
type counter struct {
	*caches
	moved  moved
	places [2][]place // of inputs and outputs
}

// use lets a core use a row. Only a counted use is in the sums.
func (c *counter) use(core int, a sgns.Access, counted bool) {
	of, places := inputs, &c.places[0]
	if a.Output {
		of, places = outputs, &c.places[1]
	}
	if a.Meeting {
		of = meetings
	}
	if a.Place >= len(*places) {
		*places = append(*places, make([]place, a.Place+1-len(*places))...)
	}
	from := c.caches.use(&(*places)[a.Place], core, a.Changed)
	if counted {
		c.moved[of][decade(a.Row)][from]++
	}
}

// A trial is a training whose blocks were counted.
type trial struct {
	config sgns.Config
	blocks int     // that are counted
	tokens float64 // of the text for a block, also those that subsampling drops
	copied int     // rows with copies, that were used
	moved  moved
	on     *caches
}

// observe trains with the threads of c on a machine with as many cores, block by block in turn, and counts what
// moves in the last two thirds of the blocks.
func observe(ctx context.Context, ids *vocab.IDs, words *vocab.Vocab, c sgns.Config, blocks int, on *caches) (*trial, error) {
	t := &trial{config: c, on: on}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mutex sync.Mutex // because a worker may be interrupted while it counts
	count, trained, copied := counter{caches: on}, 0, map[sgns.Access]bool{}
	watch := func(worker int, used func(visit func(sgns.Access))) {
		mutex.Lock()
		trained++
		if trained == blocks {
			stop(errCounted)
		}
		if counted := trained > blocks/3; trained <= blocks {
			if counted {
				t.blocks++
			}
			used(func(a sgns.Access) {
				count.use(worker, a, counted)
				if a.Place != a.Row {
					copied[sgns.Access{Output: a.Output, Row: a.Row}] = true
				}
			})
		}
		mutex.Unlock()
		runtime.Gosched() // the next worker's turn
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	model, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: words}, c, sgns.Hooks{Watch: watch})
	switch {
	case err == nil:
		return nil, errors.New("the text has fewer blocks than are to be counted")
	case !errors.Is(context.Cause(ctx), errCounted):
		return nil, err
	}
	t.tokens = float64(model.Progress.Tokens) / float64(trained)
	t.copied, t.moved = len(copied), count.moved
	return t, nil
}

var errCounted = errors.New("all blocks are counted")

// rows returns how many rows a block moved from these distances, for one kind, and of all words.
func (t *trial) rows(k kind, from ...distance) (rows float64) {
	for d := range decades {
		rows += t.ofDecade(k, d, from...)
	}
	return rows
}

// ofDecade is rows for words of some ranks.
func (t *trial) ofDecade(k kind, decade int, from ...distance) (rows float64) {
	for _, f := range from {
		rows += float64(t.moved[k][decade][f]) / float64(t.blocks)
	}
	return rows
}

// all returns how many rows a block moved from these distances.
func (t *trial) all(from ...distance) (rows float64) {
	for k := range kinds {
		rows += t.rows(k, from...)
	}
	return rows
}
