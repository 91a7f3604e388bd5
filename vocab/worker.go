package vocab

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
)

// worker counts the tokens of the shards it reads.
type worker struct {
	tokens   *table
	recorder *corpus.Recorder // nil if only counting
	folder   string           // of spilled counts
	spilled  *spillFile       // nil if nothing was spilled
	runs     []sortedRun      // in the order of the recorder's numberings
}

// reportEvery is how many tokens a worker reads before it checks the context and reports
// progress.
const reportEvery = 1 << 16

func (w *worker) read(ctx context.Context, shard corpus.Shard, number int, done *atomic.Int64, progress func(uint64)) error {
	r, err := shard.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close() // nothing is lost by what was only read
	if w.recorder != nil {
		w.recorder.Begin(number)
	}
	tokens, recorder := w.tokens, w.recorder
	for {
		for range reportEvery {
			token, err := r.Next()
			if err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			if len(token) == 0 {
				if recorder != nil {
					recorder.EndSentence()
				}
				continue
			}
			id, err := tokens.add(token, 1)
			if err == errFull { //nolint:errorlint // as the table returns it
				if err = w.spill(); err == nil {
					id, err = tokens.add(token, 1)
				}
			}
			if err != nil {
				return err
			}
			if recorder != nil {
				if err := recorder.Add(id); err != nil {
					return err
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if total := done.Add(reportEvery); progress != nil {
			progress(uint64(total))
		}
	}
}

// spill moves the worker's counts to disk. Its ids begin anew.
func (w *worker) spill() error {
	if w.spilled == nil {
		var err error
		if w.spilled, err = newSpillFile(w.folder); err != nil {
			return err
		}
	}
	r, err := w.tokens.spill(w.spilled, w.recorder != nil)
	if err != nil {
		return err
	}
	w.runs = append(w.runs, r)
	if w.recorder != nil {
		w.recorder.Renumber()
	}
	return nil
}

// close removes the worker's files.
func (w *worker) close() error {
	err := w.spilled.close()
	w.spilled = nil
	if w.recorder != nil {
		err = errors.Join(err, w.recorder.Close())
	}
	return err
}

func closeAll(workers []*worker) error {
	var errs []error
	for _, w := range workers {
		errs = append(errs, w.close())
	}
	return errors.Join(errs...)
}

// spillAll moves all counts to disk if some are there already, or if there would not be enough
// memory to merge them. It reports whether they are on disk now.
func spillAll(workers []*worker, memory uint64) (bool, error) {
	tokens, largest, spilled := 0, 0, false
	for _, w := range workers {
		tokens += w.tokens.len()
		largest = max(largest, len(w.tokens.slots))
		spilled = spilled || len(w.runs) > 0
	}
	merging := len(workers) > 1 && uint64((tableSize(tokens)+largest)*slotBytes) > memory
	if !spilled && !merging {
		for _, w := range workers {
			w.tokens.most, w.tokens.full = 0, false // what follows makes the vocabulary
		}
		return false, nil
	}
	for _, w := range workers {
		if w.tokens.len() > 0 || len(w.runs) == 0 {
			if err := w.spill(); err != nil {
				return true, err
			}
		}
		w.tokens.budget.give(len(w.tokens.slots) * slotBytes)
		w.tokens.slots, w.tokens.long = nil, arena{}
	}
	return true, nil
}

// allRuns returns the runs of all workers, and the number of the first of each.
func allRuns(workers []*worker) (runs []sortedRun, first []int) {
	for _, w := range workers {
		first = append(first, len(runs))
		runs = append(runs, w.runs...)
	}
	return runs, first
}
