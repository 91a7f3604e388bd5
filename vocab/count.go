package vocab

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/extsort"
	"golang.org/x/sync/errgroup"
)

// Options say which tokens make up a vocabulary. The zero value takes all tokens.
type Options struct {
	MinCount int // leaves out tokens that occur less often
	MaxVocab int // maximum number of tokens, the most frequent ones; 0 means no limit
	// MaxSentence is the most tokens of a sentence of ids; 0 means the constant of that name. It excludes Keep.
	MaxSentence int
	Threads     int // number of workers; 0 means GOMAXPROCS

	// Fixed, if not nil, is the vocabulary to use instead of counting one.
	Fixed *Vocab
	// Known, if not nil, is a vocabulary to extend; it excludes Fixed. All its tokens are kept, and their counts
	// are added to those of the corpus. New tokens must occur MinCount times in the corpus. The most frequent
	// ones are added until there are MaxVocab tokens in all.
	Known *Vocab
	// Memory is about how many bytes the counts may take, at least LeastMemory; 0 means DefaultMemory(). More
	// counts are merged on disk, with the same result. The vocabulary itself is always in memory.
	Memory uint64
	// Folder is where counts are merged on disk; empty means the system's folder for temporary files.
	Folder string
	// Keep, if not empty, is a folder in which Index keeps the vocabulary and the ids of a corpus of files, to
	// reuse them if neither the files nor the options have changed.
	Keep string
	// NoCache makes Index return ids that are read from the text again, which otherwise happens only if a cache
	// does not fit on the disk and the corpus can be read again.
	NoCache bool
	// Note, if not nil, is called with notes about the cache: that a kept cache is used, stale or damaged, or
	// that there is no room for a cache.
	Note func(text string)
	// Reused, if not nil, is called with the corpus's layout if a kept cache is used.
	Reused func(corpus.Layout)
	// Force counts even if memory or disk seem too small.
	Force bool
	// TooLong, if not nil, is called after reading if tokens were longer than corpus.MaxToken.
	TooLong func(corpus.TooLong)
	// Empty, if not nil, is called after the corpus has been read if only some of its inputs have text.
	Empty func(corpus.Empty)
	// Report, if not nil, is called after reading with a report on all tokens, also those left out.
	Report func(Report)
	// Progress, if not nil, is called by several goroutines with the number of tokens so far.
	Progress func(tokens uint64)

	// Ranks, if not nil, are the processes that count together. All call Index or Count with the same corpus and
	// options, and get the same vocabulary. Each reads its part of the corpus and gets the ids of that: see
	// corpus.Source.Part. TooLong, Empty, Report and a RareError describe the whole corpus.
	Ranks cluster.Comm

	whole *corpus.Source // the whole corpus, of which Ranks read parts
	limit uint64         // replaces Memory without a minimum, for tests
	post  int            // replaces sentAtOnce, for tests; 0 means the default
}

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"MinCount", o.MinCount}, {"MaxVocab", o.MaxVocab}, {"MaxSentence", o.MaxSentence}, {"Threads", o.Threads}} {
		if n.value < 0 {
			return fmt.Errorf("vocabulary: %s is %d, must be 0 or more", n.name, n.value)
		}
	}
	if o.Memory > 0 && o.Memory < LeastMemory {
		return fmt.Errorf("vocabulary: Memory is %d bytes, must be %d or more, or 0", o.Memory, LeastMemory)
	}
	if o.MaxSentence > 0 && o.Keep != "" {
		return errors.New("vocabulary: MaxSentence and Keep exclude each other")
	}
	if o.Fixed != nil && o.Known != nil {
		return errors.New("vocabulary: Fixed and Known exclude each other")
	}
	return nil
}

// longest returns the most tokens of a sentence of ids.
func (o Options) longest() int { return cmp.Or(o.MaxSentence, MaxSentence) }

func (o Options) memory() uint64 {
	if o.limit > 0 {
		return o.limit
	}
	if o.Memory > 0 {
		return o.Memory
	}
	return DefaultMemory()
}

// counting returns the memory for counts of this process's text. Owned tokens take as much again.
func (o Options) counting() uint64 {
	if cluster.Several(o.Ranks) {
		return o.memory() / 2
	}
	return o.memory()
}

// Count reads a corpus and returns its vocabulary. Counts are exact. Each worker holds its distinct tokens in
// its part of Options.Memory, and writes the rest to disk. Count returns an error if the corpus cannot be
// read or has no tokens, a *RareError if no token is frequent enough, a *MemoryError if the vocabulary does
// not fit into memory, and the context's error if ctx ends.
func Count(ctx context.Context, src *corpus.Source, o Options) (*Vocab, error) {
	src, o, err := o.parted(ctx, src)
	if err != nil {
		return nil, err
	}
	return count(ctx, src, o)
}

func count(ctx context.Context, src *corpus.Source, o Options) (*Vocab, error) {
	workers, err := read(ctx, src, o, o.Folder, nil)
	if err != nil {
		return nil, err
	}
	v, _, err := vocabulary(ctx, workers, src, o, o.Folder)
	return v, errors.Join(err, closeAll(workers))
}

// Describe reads a corpus and returns a report on its tokens, without a vocabulary. It ignores MinCount,
// MaxVocab, Fixed and Known.
func Describe(ctx context.Context, src *corpus.Source, o Options) (r Report, err error) {
	o.MinCount, o.MaxVocab, o.Fixed, o.Known = math.MaxInt, 0, nil, nil
	o.Report = func(of Report) { r = of }
	_, err = Count(ctx, src, o)
	if _, rare := errors.AsType[*RareError](err); rare { // expected: no word occurs so often
		return r, nil
	}
	return r, err
}

func read(ctx context.Context, src *corpus.Source, o Options, folder string, record func() (*recorder, error)) (workers []*worker, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if src.Numbered() != nil {
		return readNumbered(ctx, src, o, record)
	}
	defer func() {
		if err != nil {
			workers, err = nil, errors.Join(err, closeAll(workers))
		}
	}()
	n := cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	shards, err := src.Shards(n)
	if err != nil {
		return nil, err
	}
	n = max(1, min(n, len(shards)))
	s := newSecret()
	b := new(budget)
	if !o.Force {
		if b, err = newBudget(n); err != nil {
			return nil, err
		}
	}
	for range n {
		w := newWorker(newTable(0, s), folder)
		w.tokens.budget, w.tokens.most = b, int(min(o.counting()/uint64(n), math.MaxInt))
		if record != nil {
			if w.recorder, err = record(); err != nil {
				return workers, err
			}
		}
		workers = append(workers, w)
	}
	var next, done atomic.Int64
	g, reading := errgroup.WithContext(ctx)
	for _, w := range workers {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(shards) {
					return nil
				}
				if err := w.read(reading, shards[i], i, &done, o.Progress); err != nil {
					return err
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return workers, err
	}
	var left corpus.TooLong
	var empty corpus.Empty
	if o.whole == nil {
		left, empty = corpus.TooLongIn(shards), src.Empty(src.Filled(shards))
	} else if left, empty, err = o.leftOut(ctx, shards); err != nil {
		return workers, err
	}
	if left.Tokens > 0 && o.TooLong != nil {
		o.TooLong(left)
	}
	if empty.Inputs > 0 && o.Empty != nil {
		o.Empty(empty)
	}
	return workers, nil
}

type worker struct {
	tokens   *table
	numbers  []uint32        // ids in tokens of the numbers that were recorded; nil if ids were recorded
	recorder *recorder       // nil without recording
	spilled  *extsort.Sorter // spilled counts, a run for each of the recorder's numberings
}

func newWorker(tokens *table, folder string) *worker {
	return &worker{tokens: tokens, spilled: &extsort.Sorter{Folder: folder, Prefix: "w2v-counts-", Explain: func(folder string, err error) error {
		return fmt.Errorf("%s: counts for which there is no memory cannot be kept in this folder: %w", folder, err)
	}}}
}

// reportEvery is how many tokens are read between checks of the context and reports of progress.
const reportEvery = 1 << 16

func (w *worker) read(ctx context.Context, shard corpus.Shard, number int, done *atomic.Int64, progress func(uint64)) error {
	r, err := shard.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close() // a reader loses nothing when it is closed
	if w.recorder != nil {
		w.recorder.begin(number)
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
					recorder.endSentence()
				}
				continue
			}
			id, err := tokens.add(token, 1)
			if err != nil {
				if id, err = w.addFull(token, 1, err); err != nil {
					return err
				}
			}
			if recorder != nil {
				if err := recorder.add(id); err != nil {
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

// addFull adds a token for which the table may be full, as err says. Then it spills the table first.
func (w *worker) addFull(token []byte, count uint64, err error) (uint32, error) {
	if err == errFull { //nolint:errorlint // as the table returns it
		if err = w.spill(); err == nil {
			return w.tokens.add(token, count)
		}
	}
	return 0, err
}

func (w *worker) spill() error {
	if err := w.tokens.spill(w.spilled); err != nil {
		return err
	}
	if w.recorder != nil {
		w.recorder.renumber()
	}
	return nil
}

func (w *worker) close() error {
	err := w.spilled.Close()
	if w.recorder != nil {
		err = errors.Join(err, w.recorder.close())
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

// A Counted is a token and how often it occurs.
type Counted struct {
	Token []byte // valid until the next one
	Count uint64
}

// Each counts a corpus and yields its tokens with their counts, in the order of a vocabulary. It makes no
// vocabulary, so it takes no more than Options.Memory, however many tokens there are. Fixed and Known cannot
// be used. The last pair has the error, if there is one: an error that Count returns.
func Each(ctx context.Context, src *corpus.Source, o Options) iter.Seq2[Counted, error] {
	return func(yield func(Counted, error) bool) {
		more := true
		err := each(ctx, src, o, func(token []byte, count uint64) bool {
			more = yield(Counted{token, count}, nil)
			return more
		})
		if err != nil && more {
			yield(Counted{}, err)
		}
	}
}

func each(ctx context.Context, src *corpus.Source, o Options, use func(token []byte, count uint64) bool) (err error) {
	if o.Fixed != nil || o.Known != nil {
		return errors.New("vocabulary: tokens are counted for no other vocabulary: Fixed and Known must be nil")
	}
	if cluster.Several(o.Ranks) {
		return errors.New("vocabulary: Each counts in one process: Ranks must be nil")
	}
	workers, err := read(ctx, src, o, o.Folder, nil)
	if err != nil {
		return err
	}
	// Counts on disk are sorted on disk: by falling count, and tokens of equal count in the order of tokens.
	byCount := newWorker(nil, o.Folder).spilled
	byCount.Limit = int(min(o.memory()/6, 1<<28)) // growing slices take three times as much
	defer func() { err = errors.Join(err, byCount.Close(), closeAll(workers)) }()
	own, err := o.merge(workers)
	if err != nil {
		return err
	}
	c, err := o.candidates(ctx, own, func(token []byte, count uint64) error {
		return byCount.Add(binary.BigEndian.AppendUint64(nil, ^count), token)
	})
	if err == nil {
		err = c.check(src, o)
	}
	if err != nil {
		return err
	}
	if own.tokens != nil {
		kept, err := own.tokens.choose(o)
		var short [longToken]byte
		for i := 0; i < len(kept) && use(own.tokens.token(&kept[i], &short), kept[i].count); i++ {
		}
		return err
	}
	n := 0
	for r, err := range records(ctx, byCount.Runs(), o.memory()/2) {
		if err != nil || o.MaxVocab > 0 && n == o.MaxVocab || !use(r.Value, ^binary.BigEndian.Uint64(r.Key)) {
			return err
		}
		n++
	}
	return nil
}
