package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"golang.org/x/sync/errgroup"
)

// Options say which tokens make up a vocabulary. The zero value takes all tokens.
type Options struct {
	MinCount int // leaves out tokens that occur less often
	MaxVocab int // maximum number of tokens, the most frequent ones; 0 means no limit
	Threads  int // number of workers; 0 means GOMAXPROCS

	// Fixed, if not nil, is the vocabulary to use instead of counting one.
	Fixed *Vocab
	// Known, if not nil, is a vocabulary to extend. All its tokens are kept, even if they are rare in the
	// corpus or exceed MaxVocab. Their counts are added to those of the corpus. New tokens must occur at
	// least MinCount times in the corpus. The most frequent new tokens are added until there are MaxVocab
	// tokens in all. Known and Fixed cannot be used together.
	Known *Vocab
	// Memory is about how many bytes the counts may take, at least LeastMemory. Counts that do not fit are
	// written to disk and merged, with the same result. 0 means DefaultMemory(). The vocabulary itself is
	// always in memory.
	Memory uint64
	// Folder is where counts are written that do not fit into memory; empty means the system's folder for
	// temporary files.
	Folder string
	// Keep, if not empty, is a folder in which Index keeps the vocabulary and the ids of a corpus of files.
	// If neither the files nor the options have changed, Index reuses them.
	Keep string
	// NoCache makes Index return ids without a cache: see reread. Without NoCache, that happens only if a
	// cache does not fit on the disk and the corpus can be read again.
	NoCache bool
	// Note, if not nil, is called with notes about the cache: that a kept cache is used, stale or damaged, or
	// that there is no room for a cache.
	Note func(text string)
	// Reused, if not nil, is called with the corpus's layout if a kept cache is used.
	Reused func(corpus.Layout)
	// Force counts even if memory or disk seem too small.
	Force bool
	// TooLong, if not nil, is called after the corpus has been read if tokens were left out
	// because they are longer than corpus.MaxToken.
	TooLong func(corpus.TooLong)
	// Empty, if not nil, is called after the corpus has been read if only some of its inputs have text.
	Empty func(corpus.Empty)
	// Report, if not nil, is called after the corpus has been read with a report on all its tokens, including
	// those that the options leave out.
	Report func(Report)
	// Progress, if not nil, is called from time to time with the number of tokens read so
	// far. Calls come from several goroutines.
	Progress func(tokens uint64)

	// Ranks, if not nil, are the processes that count together, including this one. All call Index or Count
	// with the same corpus and options. Each reads its part of the corpus: see corpus.Source.Part. All get
	// the same vocabulary as one process would. Each gets the ids of its own part, which may be empty.
	// TooLong, Empty, Report and a RareError describe the whole corpus.
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
	}{{"MinCount", o.MinCount}, {"MaxVocab", o.MaxVocab}, {"Threads", o.Threads}} {
		if n.value < 0 {
			return fmt.Errorf("vocabulary: %s is %d, must be 0 or more", n.name, n.value)
		}
	}
	if o.Memory > 0 && o.Memory < LeastMemory {
		return fmt.Errorf("vocabulary: Memory is %d bytes, must be %d or more, or 0", o.Memory, LeastMemory)
	}
	if o.Fixed != nil && o.Known != nil {
		return errors.New("vocabulary: Fixed and Known exclude each other")
	}
	return nil
}

// memory returns Memory or its default.
func (o Options) memory() uint64 {
	if o.limit > 0 {
		return o.limit
	}
	if o.Memory > 0 {
		return o.Memory
	}
	return DefaultMemory()
}

// counting returns the memory for counts of the text that this process reads. With ranks, the counts of the
// tokens that a rank owns take as much again.
func (o Options) counting() uint64 {
	if cluster.Several(o.Ranks) {
		return o.memory() / 2
	}
	return o.memory()
}

// Count reads a corpus and returns its vocabulary. Counts are exact. Each worker holds its distinct tokens in
// its part of Options.Memory, and writes the rest to disk. Count returns an error if the corpus cannot be
// read or has no tokens, a *RareError if no token is frequent enough, a *MemoryError if the vocabulary does
// not fit into memory, a *SpillError if the disk is full, and the context's error if ctx ends.
func Count(ctx context.Context, src *corpus.Source, o Options) (*Vocab, error) {
	src, o, err := o.parted(ctx, src)
	if err != nil {
		return nil, err
	}
	return count(ctx, src, o)
}

// count is Count for this process's part of the corpus.
func count(ctx context.Context, src *corpus.Source, o Options) (*Vocab, error) {
	if src.Numbered() != nil {
		n, err := readNumbered(ctx, src, o, nil)
		if err != nil {
			return nil, err
		}
		v, _, err := n.choose(src, o)
		return v, err
	}
	workers, err := read(ctx, src, o, o.Folder, nil)
	if err != nil {
		return nil, err
	}
	v, final, err := mergeAll(ctx, workers, src, o, o.Folder)
	if err == nil {
		err = final.close()
	}
	return v, errors.Join(err, closeAll(workers))
}

// finalIDs holds the final ids of the tokens that workers counted.
type finalIDs interface {
	// list returns the final ids of the tokens of a worker's numbering, and -1 for tokens outside the
	// vocabulary.
	list(worker, numbering int) ([]int32, error)
	close() error
}

// mergeAll makes one vocabulary of the counts of all workers, in memory, on disk or on other ranks.
func mergeAll(ctx context.Context, workers []*worker, src *corpus.Source, o Options, folder string) (*Vocab, finalIDs, error) {
	if o.whole != nil {
		return mergeRanks(ctx, workers, o, folder)
	}
	spilled, err := spillAll(workers, o.memory())
	switch {
	case err != nil:
		return nil, nil, err
	case spilled:
		return mergeSpilled(ctx, workers, src, o, folder)
	}
	return merge(workers, src, o)
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

// read counts every shard of the corpus. If record makes recorders, it also records the ids.
func read(ctx context.Context, src *corpus.Source, o Options, folder string, record func() (*recorder, error)) ([]*worker, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	n := o.Threads
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	shards, err := src.Shards(n)
	if err != nil {
		return nil, err
	}
	n = max(1, min(n, len(shards)))
	workers := make([]*worker, 0, n)
	s := newSecret()
	var b *budget
	if !o.Force {
		if b, err = newBudget(n); err != nil {
			return nil, err
		}
	}
	for range n {
		w := &worker{tokens: newTable(0, s), folder: folder}
		w.tokens.budget, w.tokens.most = b, int(min(o.counting()/uint64(n), math.MaxInt))
		if record != nil {
			if w.recorder, err = record(); err != nil {
				return nil, errors.Join(err, closeAll(workers))
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
		return nil, errors.Join(err, closeAll(workers))
	}
	left, empty := corpus.TooLongIn(shards), corpus.Empty{}
	if o.whole == nil {
		empty = src.Empty(src.Filled(shards))
	} else if left, empty, err = o.leftOut(ctx, left, shards); err != nil {
		return nil, errors.Join(err, closeAll(workers))
	}
	if left.Tokens > 0 && o.TooLong != nil {
		o.TooLong(left)
	}
	if empty.Inputs > 0 && o.Empty != nil {
		o.Empty(empty)
	}
	return workers, nil
}

// worker counts the tokens of the shards it reads.
type worker struct {
	tokens   *table
	recorder *recorder   // nil without recording
	folder   string      // folder of spilled counts
	spilled  *spillFile  // nil if nothing was spilled
	runs     []sortedRun // runs in the order of the recorder's numberings
}

// reportEvery is how many tokens a worker reads before it checks the context and reports
// progress.
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
			if err == errFull { //nolint:errorlint // as the table returns it
				if err = w.spill(); err == nil {
					id, err = tokens.add(token, 1)
				}
			}
			if err != nil {
				return err
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

// spill moves the worker's counts to disk. Its ids start again from 0.
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
		w.recorder.renumber()
	}
	return nil
}

// close removes the worker's files.
func (w *worker) close() error {
	err := w.spilled.close()
	w.spilled = nil
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

// spillAll moves all counts to disk if some are there already, or if there is not enough memory to merge
// them. It reports whether they are on disk now.
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
			w.tokens.most, w.tokens.full = 0, false // the limit does not apply to the vocabulary that is made next
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

// Each counts a corpus and calls yield for each token with its count, in the order of a vocabulary. It makes
// no vocabulary, so it takes no more than Options.Memory, however many tokens there are. The token is valid
// until yield returns. An error of yield ends Each with that error. Fixed and Known cannot be used. Each
// returns the errors of Count.
func Each(ctx context.Context, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) error {
	if o.Fixed != nil || o.Known != nil {
		return errors.New("vocabulary: tokens are counted for no other vocabulary: Fixed and Known must be nil")
	}
	if cluster.Several(o.Ranks) {
		return errors.New("vocabulary: Each counts in one process: Ranks must be nil")
	}
	if src.Numbered() != nil { // its distinct tokens are in memory anyway
		v, err := Count(ctx, src, o)
		for id := 0; err == nil && id < v.Len(); id++ {
			err = yield(v.tokens.token(uint32(id)), v.Count(id))
		}
		return err
	}
	workers, err := read(ctx, src, o, o.Folder, nil)
	if err != nil {
		return err
	}
	spilled, err := spillAll(workers, o.memory())
	switch {
	case err != nil:
	case spilled:
		err = eachSpilled(ctx, workers, src, o, yield)
	default:
		err = eachMerged(workers, src, o, yield)
	}
	return errors.Join(err, closeAll(workers))
}

// eachMerged is Each for counts in memory.
func eachMerged(workers []*worker, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) error {
	all, err := mergeTables(workers, uint64(max(o.MinCount, 1)), nil)
	if err != nil {
		return err
	}
	if all.tokens.len() == 0 {
		return fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	kept, err := all.tokens.choose(o)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return fmt.Errorf("%s: %w", src.Name(), all.rareError(o.MinCount))
	}
	var short [longToken]byte
	for i := range kept {
		if err := yield(all.tokens.token(&kept[i], &short), kept[i].count); err != nil {
			return err
		}
	}
	return nil
}

// eachSpilled is Each for counts on disk. It merges runs by token and sorts by count. Sorting is stable, so
// tokens of equal count are in the order of tokens.
func eachSpilled(ctx context.Context, workers []*worker, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) (err error) {
	runs, _ := allRuns(workers)
	s := &countSorter{folder: o.Folder, most: int(min(o.memory()/2, 1<<30))}
	defer func() { err = errors.Join(err, s.file.close()) }()
	left := RareError{MinCount: o.MinCount}
	err = mergeTokens(ctx, runs, o.memory()/2, func(token []byte, count uint64, _ []occurrence) error {
		if count < uint64(max(o.MinCount, 1)) {
			left.add(count)
			return nil
		}
		s.tokens++
		return s.add(token, count)
	})
	switch {
	case err != nil:
		return err
	case s.tokens == 0 && left.Distinct == 0:
		return fmt.Errorf("%s: the corpus has no tokens", src.Name())
	case s.tokens == 0:
		return fmt.Errorf("%s: %w", src.Name(), &left)
	}
	if err := s.spill(); err != nil {
		return err
	}
	s.text, s.sorted = nil, nil
	h, err := openRuns(s.runs, o.memory()/2, byCount)
	for n := 0; err == nil && len(h.all) > 0 && (o.MaxVocab == 0 || n < o.MaxVocab); n++ {
		if n%reportEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err = yield(h.all[0].token, h.all[0].count); err == nil {
			err = h.advance()
		}
	}
	return err
}

// A countSorter sorts tokens by falling count, on disk if needed.
type countSorter struct {
	folder string
	most   int // maximum number of bytes in memory
	tokens int // number of tokens that were added
	text   []byte
	sorted []counted
	file   *spillFile
	runs   []sortedRun
}

// A counted is the position of a token in text, and its count.
type counted struct {
	count       uint64
	first, last uint32
}

func (s *countSorter) add(token []byte, count uint64) error {
	const record = 16
	// While they grow, both slices may be copied to twice their size.
	if 3*(len(s.text)+record*len(s.sorted)) > s.most && len(s.sorted) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	first := uint32(len(s.text))
	s.text = append(s.text, token...)
	s.sorted = append(s.sorted, counted{count, first, uint32(len(s.text))})
	return nil
}

// spill writes the tokens in memory as a run.
func (s *countSorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = newSpillFile(s.folder); err != nil {
			return err
		}
	}
	slices.SortStableFunc(s.sorted, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	r := sortedRun{from: s.file, first: s.file.size(), tokens: len(s.sorted)}
	for _, c := range s.sorted {
		s.file.buf = appendRecord(s.file.buf, s.text[c.first:c.last], c.count, -1)
		if s.file.full() {
			if err := s.file.flush(); err != nil {
				return err
			}
		}
	}
	if err := s.file.flush(); err != nil {
		return err
	}
	r.end = s.file.size()
	s.runs = append(s.runs, r)
	s.text, s.sorted = s.text[:0], s.sorted[:0]
	return nil
}
