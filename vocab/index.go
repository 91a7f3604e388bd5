package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	o.TooLong = both(func(t corpus.TooLong) { k.state.TooLong = t }, o.TooLong) // the kept cache has what is reported
	o.Empty = both(func(e corpus.Empty) { k.state.Empty = e }, o.Empty)
	fits := !o.NoCache
	if fits && !o.Force {
		if fits, err = k.fits(ctx, src, o, cmp.Or(dir, os.TempDir())); err != nil {
			return nil, nil, err
		}
	}
	if fits {
		v, ids, err = indexOnce(ctx, src, o, dir)
	} else {
		v, ids, err = indexAgain(ctx, src, o)
	}
	if err != nil {
		return nil, nil, err
	}
	tokens := ids.Tokens()
	if err = o.sum(ctx, &tokens); err == nil && tokens == 0 {
		orFrequent := ""
		if o.Known != nil && o.MinCount > 1 {
			orFrequent = fmt.Sprintf(", or seen %d times", o.MinCount)
		}
		err = o.ofAll(fmt.Errorf("%s: no token of the corpus is in the given vocabulary of %d tokens%s", src.Name(), v.Len(), orFrequent))
	}
	if err != nil {
		return nil, nil, errors.Join(err, ids.Close())
	}
	k.save(src, v, ids)
	return v, ids, nil
}

// fits reports whether a cache of the corpus fits into dir, as far as known. It is true for a corpus that
// can be read only once. Rank 0, if its cache fits, reports ranks whose caches do not fit.
func (k *keeper) fits(ctx context.Context, src *corpus.Source, o Options, dir string) (bool, error) {
	if src.Numbered() != nil || src.Again() != nil {
		return true, nil
	}
	need, err := o.onMachine(ctx, src.CacheEstimate())
	if err != nil {
		return false, err
	}
	without := uint64(0)
	if free, known := sysinfo.FreeDisk(filepath.Join(dir, "cache")); known && need > free {
		file, err := scratch.Create(dir, "w2v-") // without an error, writing the cache would report it
		if err == nil && file.Close() == nil {
			without = 1
			k.note(fmt.Sprintf("%s: the tokenised corpus, about %.1f MB, does not fit into this folder, which has %.1f MB free: the text is read again each epoch",
				dir, float64(need)/1e6, float64(free)/1e6))
		}
	}
	fits := without == 0
	err = o.sum(ctx, &without)
	if fits && without > 0 && err == nil && o.Ranks.Rank() == 0 {
		k.note(fmt.Sprintf("the tokenised corpus does not fit on the disks of %s: the text is read again there each epoch", wording.Count(int(without), "other rank", "other ranks")))
	}
	return fits, err
}

func indexOnce(ctx context.Context, src *corpus.Source, o Options, dir string) (v *Vocab, ids *IDs, err error) {
	folder := cmp.Or(o.Folder, dir)
	workers, err := read(ctx, src, o, folder, func() (*recorder, error) { return newRecorder(dir) })
	if err != nil {
		return nil, nil, err
	}
	v, final, err := vocabulary(ctx, workers, src, o, folder)
	if err == nil {
		var recorders []*recorder
		for _, w := range workers {
			if w.recorder != nil { // all have one, or their tokens are numbers
				recorders = append(recorders, w.recorder)
			}
		}
		ids, err = join(dir, o.longest(), recorders, final)
	}
	if err = errors.Join(err, closeAll(workers)); err != nil {
		if ids != nil {
			err = errors.Join(err, ids.Close())
		}
		return nil, nil, err
	}
	return v, ids, nil
}

func indexAgain(ctx context.Context, src *corpus.Source, o Options) (*Vocab, *IDs, error) {
	if src.Numbered() != nil {
		return nil, nil, fmt.Errorf("%s: its tokens are made once, and need a cache", src.Name())
	}
	if err := src.Again(); err != nil {
		return nil, nil, fmt.Errorf("%w, and so needs a cache", err)
	}
	v, err := count(ctx, src, o)
	if err != nil {
		return nil, nil, err
	}
	ids, err := reread(ctx, src, o.longest(), v.ID)
	if err != nil {
		return nil, nil, err
	}
	return v, ids, nil
}

// readNumbered is read for a corpus of numbers. The table of the first worker has all tokens.
func readNumbered(ctx context.Context, src *corpus.Source, o Options, record func() (*recorder, error)) (workers []*worker, err error) {
	for range cmp.Or(o.Threads, runtime.GOMAXPROCS(0)) {
		workers = append(workers, newWorker(newTable(0, newSecret()), o.Folder))
	}
	defer func() {
		if err != nil {
			workers, err = nil, errors.Join(err, closeAll(workers))
		}
	}()
	counts := make([][]uint64, len(workers)) // by number
	var done atomic.Int64
	err = src.Numbered().Read(ctx, len(workers), func(number int, b corpus.Batch) (err error) {
		w, of := workers[number], counts[number]
		for _, id := range b.Tokens {
			if int(id) >= len(of) {
				of = append(of, make([]uint64, int(id)+1-len(of))...)
			}
			of[id]++
		}
		counts[number] = of
		if record != nil {
			if w.recorder == nil {
				if w.recorder, err = record(); err != nil {
					return err
				}
			}
			w.recorder.begin(b.Number)
			first := 0
			for _, end := range b.Ends {
				for _, id := range b.Tokens[first:end] {
					if err := w.recorder.add(id); err != nil {
						return err
					}
				}
				w.recorder.endSentence()
				first = end
			}
		}
		if total := done.Add(int64(len(b.Tokens))); o.Progress != nil {
			o.Progress(uint64(total))
		}
		return nil
	})
	if err != nil {
		return workers, err
	}
	first := workers[0]
	var token []byte
	for number := 0; len(counts) > 0; number++ {
		counts = slices.DeleteFunc(counts, func(of []uint64) bool { return number >= len(of) })
		count, id := uint64(0), uint32(0)
		for _, of := range counts {
			count += of[number]
		}
		if count > 0 {
			token = append(token[:0], src.Numbered().Token(number)...)
			if id, err = first.tokens.add(token, count); err != nil {
				return workers, err
			}
		}
		first.numbers = append(first.numbers, id)
	}
	return workers, nil
}
