package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
)

// Index reads a corpus once and returns its vocabulary and the corpus as ids of that
// vocabulary. The ids are in a cache file in dir, or in the system's folder for temporary
// files if dir is empty; see Options.Keep and Options.NoCache. The caller must close them. Index
// returns the errors of Count, a *CacheError if the cache cannot be written, and an error
// if no token of the corpus is in the Fixed or Known vocabulary.
func Index(ctx context.Context, src *corpus.Source, o Options, dir string) (v *Vocab, ids *IDs, err error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	if src, o, err = o.parted(ctx, src); err != nil {
		return nil, nil, err
	}
	k, err := newKeeper(src, o)
	if err != nil {
		return nil, nil, err
	}
	if v, ids, err := k.find(ctx, o); ids != nil || err != nil {
		return v, ids, err
	}
	o = k.watch(o)
	again := o.NoCache
	if !again && !o.Force {
		fits, err := k.fits(ctx, src, o, dir)
		if err != nil {
			return nil, nil, err
		}
		if err := k.tellOthers(ctx, o, fits); err != nil {
			return nil, nil, err
		}
		again = !fits
	}
	if again {
		v, ids, err = indexAgain(ctx, src, o)
	} else {
		v, ids, err = indexOnce(ctx, src, o, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	tokens := ids.Tokens()
	if o.whole != nil {
		if err := o.sum(ctx, &tokens); err != nil {
			return nil, nil, errors.Join(err, ids.Close())
		}
	}
	if tokens == 0 {
		orFrequent := ""
		if o.Known != nil && o.MinCount > 1 {
			orFrequent = fmt.Sprintf(", or seen %d times", o.MinCount)
		}
		err := fmt.Errorf("%s: no token of the corpus is in the given vocabulary of %d tokens%s", src.Name(), v.Len(), orFrequent)
		return nil, nil, errors.Join(o.ofAll(err), ids.Close())
	}
	k.save(src, v, ids)
	return v, ids, nil
}

// watch records what Index reports, as part of the kept cache.
func (k *keeper) watch(o Options) Options {
	tooLong, empty := o.TooLong, o.Empty
	o.TooLong = func(t corpus.TooLong) {
		k.state.TooLong = t
		if tooLong != nil {
			tooLong(t)
		}
	}
	o.Empty = func(e corpus.Empty) {
		k.state.Empty = e
		if empty != nil {
			empty(e)
		}
	}
	return o
}

// fits reports whether a cache of the corpus fits on the disk, as far as known. It is true for a corpus that
// can be read only once.
func (k *keeper) fits(ctx context.Context, src *corpus.Source, o Options, dir string) (bool, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if src == nil || src.Numbered() != nil || src.Again() != nil {
		return true, nil
	}
	need, err := o.onMachine(ctx, src.CacheEstimate())
	if err != nil {
		return false, err
	}
	free, known := sysinfo.FreeDisk(filepath.Join(dir, "cache"))
	if !known || need <= free {
		return true, nil
	}
	if file, err := scratch.Create(dir, "w2v-"); err != nil {
		return true, nil // writing the cache will fail and report the error
	} else if err := file.Close(); err != nil {
		return true, nil
	}
	k.note(fmt.Sprintf("%s: the tokenised corpus, about %.1f MB, does not fit into this folder, which has %.1f MB free: the text is read again each epoch",
		dir, float64(need)/1e6, float64(free)/1e6))
	return false, nil
}

// tellOthers lets rank 0, whose cache fits, report ranks whose caches do not fit.
func (k *keeper) tellOthers(ctx context.Context, o Options, fits bool) error {
	if o.whole == nil {
		return nil
	}
	without := uint64(0)
	if !fits {
		without = 1
	}
	if err := o.sum(ctx, &without); err != nil {
		return err
	}
	if fits && without > 0 && o.Ranks.Rank() == 0 {
		k.note(fmt.Sprintf("the tokenised corpus does not fit on the disks of %s: the text is read again there each epoch", wording.Count(int(without), "other rank", "other ranks")))
	}
	return nil
}

// indexOnce is Index with a cache in dir.
func indexOnce(ctx context.Context, src *corpus.Source, o Options, dir string) (*Vocab, *IDs, error) {
	if src.Numbered() != nil {
		return indexNumbered(ctx, src, o, dir)
	}
	folder := cmp.Or(o.Folder, dir)
	workers, err := read(ctx, src, o, folder, func() (*recorder, error) { return newRecorder(dir) })
	if err != nil {
		return nil, nil, err
	}
	v, final, err := mergeAll(ctx, workers, src, o, folder)
	if err != nil {
		return nil, nil, errors.Join(err, closeAll(workers))
	}
	recorders := make([]*recorder, len(workers))
	for i, w := range workers {
		recorders[i] = w.recorder
	}
	ids, err := join(dir, recorders, final.list)
	if err = errors.Join(err, final.close(), closeAll(workers)); err != nil {
		if ids != nil {
			err = errors.Join(err, ids.Close())
		}
		return nil, nil, err
	}
	return v, ids, nil
}

// indexAgain is Index without a cache.
func indexAgain(ctx context.Context, src *corpus.Source, o Options) (*Vocab, *IDs, error) {
	if src != nil {
		err := src.Again()
		if src.Numbered() != nil {
			return nil, nil, fmt.Errorf("%s: its tokens are made once, and need a cache", src.Name())
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w, and so needs a cache", err)
		}
	}
	v, err := count(ctx, src, o)
	if err != nil {
		return nil, nil, err
	}
	ids, err := reread(ctx, src, v.ID)
	if err != nil {
		return nil, nil, err
	}
	return v, ids, nil
}

// A numbered is a corpus of numbers after it was read.
type numbered struct {
	corpus.Numbered
	recorders []*recorder // recorders that recorded something
	counts    []uint64    // counts by number
}

// readNumbered reads a corpus of numbers. If record makes recorders, it also records the numbers.
func readNumbered(ctx context.Context, src *corpus.Source, o Options, record func() (*recorder, error)) (*numbered, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	type worker struct {
		recorder *recorder
		counts   []uint64
	}
	workers := make([]worker, cmp.Or(o.Threads, runtime.GOMAXPROCS(0)))
	n := &numbered{Numbered: src.Numbered()}
	var done atomic.Int64
	err := n.Read(ctx, len(workers), func(number int, b corpus.Batch) (err error) {
		w := &workers[number]
		if w.recorder == nil && record != nil {
			if w.recorder, err = record(); err != nil {
				return err
			}
		}
		for _, id := range b.Tokens {
			if int(id) >= len(w.counts) {
				w.counts = append(w.counts, make([]uint64, int(id)+1-len(w.counts))...)
			}
			w.counts[id]++
		}
		if w.recorder != nil {
			if err := w.recorder.batch(b); err != nil {
				return err
			}
		}
		if total := done.Add(int64(len(b.Tokens))); o.Progress != nil {
			o.Progress(uint64(total))
		}
		return nil
	})
	for _, w := range workers {
		if w.recorder != nil {
			n.recorders = append(n.recorders, w.recorder)
		}
		if len(n.counts) < len(w.counts) {
			n.counts, w.counts = w.counts, n.counts
		}
		for id, count := range w.counts {
			n.counts[id] += count
		}
	}
	if err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

// batch records a batch of sentences.
func (r *recorder) batch(b corpus.Batch) error {
	r.begin(b.Number)
	first := 0
	for _, end := range b.Ends {
		for _, id := range b.Tokens[first:end] {
			if err := r.add(id); err != nil {
				return err
			}
		}
		r.endSentence()
		first = end
	}
	return nil
}

// close removes the recorders.
func (n *numbered) close() error {
	var errs []error
	for _, r := range n.recorders {
		errs = append(errs, r.close())
	}
	return errors.Join(errs...)
}

// indexNumbered is Index for a corpus of numbers.
func indexNumbered(ctx context.Context, src *corpus.Source, o Options, dir string) (*Vocab, *IDs, error) {
	n, err := readNumbered(ctx, src, o, func() (*recorder, error) { return newRecorder(dir) })
	if err != nil {
		return nil, nil, err
	}
	v, final, err := n.choose(src, o)
	var ids *IDs
	if err == nil {
		ids, err = join(dir, n.recorders, func(int, int) ([]int32, error) { return final, nil })
	}
	if err = errors.Join(err, n.close()); err != nil {
		return nil, nil, err
	}
	return v, ids, nil
}

// choose returns the vocabulary that the options select, and the id of each number, or -1.
func (n *numbered) choose(src *corpus.Source, o Options) (*Vocab, []int32, error) {
	w := &worker{tokens: newTable(0, newSecret())}
	ids := make([]uint32, len(n.counts))
	var token []byte
	for number, count := range n.counts {
		if count == 0 {
			continue
		}
		token = append(token[:0], n.Token(number)...)
		var err error
		if ids[number], err = w.tokens.add(token, count); err != nil {
			return nil, nil, err
		}
	}
	v, lists, err := merge([]*worker{w}, src, o)
	if err != nil {
		return nil, nil, err
	}
	list, err := lists.list(0, 0)
	final := make([]int32, len(n.counts))
	for number, count := range n.counts {
		if final[number] = -1; count > 0 {
			final[number] = list[ids[number]]
		}
	}
	return v, final, err
}
