package vocab

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/extsort"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A recorder writes the ids of the shards that one worker reads to a temporary file. Each worker numbers
// tokens on its own; join replaces these numbers by final ids.
type recorder struct {
	file      *cacheFile
	buf       []uint32 // ids that are not in the file yet
	blocks    []block
	shard     int
	numbering int32
	err       error // error of writing before begin or renumber
}

// A block is a range of ids of one shard in one numbering, in a recorder's file.
type block struct {
	shard     int
	at        int64
	bytes     int32
	ids       int32
	numbering int32
	ends      bool // a sentence ends after the last id, which has no EndOfSentence bit
}

const (
	recorderBuffer = 1 << 16 // maximum number of ids in a block
	writeBuffer    = 1 << 18 // bytes written at once
)

// newRecorder creates a file in dir, or in the system's folder for temporary files if dir is empty.
func newRecorder(dir string) (*recorder, error) {
	f, err := newCacheFile(dir)
	return &recorder{file: f, buf: make([]uint32, 0, recorderBuffer)}, err
}

func (r *recorder) begin(shard int) {
	r.endShard()
	r.shard = shard
}

func (r *recorder) add(id uint32) error {
	r.buf = append(r.buf, id)
	if len(r.buf) < recorderBuffer {
		return nil
	}
	return r.flush()
}

// endSentence ends the sentence with the token that was added last.
func (r *recorder) endSentence() {
	if n := len(r.buf); n > 0 {
		r.buf[n-1] |= EndOfSentence
	} else if n := len(r.blocks); n > 0 && r.blocks[n-1].shard == r.shard {
		r.blocks[n-1].ends = true
	}
}

// renumber starts another numbering: ids from now on are unrelated to earlier ids.
func (r *recorder) renumber() {
	r.err = r.flush()
	r.numbering++
}

func (r *recorder) endShard() {
	r.endSentence()
	r.err = r.flush()
}

func (r *recorder) flush() error {
	if len(r.buf) == 0 || r.err != nil {
		return r.err
	}
	at, err := r.file.add(r.buf)
	r.blocks = append(r.blocks, block{r.shard, at, int32(r.file.end() - at), int32(len(r.buf)), r.numbering, false})
	r.buf = r.buf[:0]
	return err
}

func (r *recorder) close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

// A CacheError says that the ids of a corpus cannot be written to a cache file, for example because the disk
// is full.
type CacheError struct {
	Folder string // of the file
	Err    error
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("%s: the tokenised corpus, up to 4 bytes a token, cannot be kept in this folder: %v", e.Folder, e.Err)
}

// Unwrap returns the cause.
func (e *CacheError) Unwrap() error { return e.Err }

type cacheFile struct {
	*scratch.File
	packed []byte // not yet written
	at     int64  // bytes written
}

// newCacheFile creates a file in dir. Where possible, nothing remains however the program ends.
func newCacheFile(dir string) (*cacheFile, error) {
	f, err := scratch.Create(dir, "w2v-ids-")
	if err != nil {
		return nil, &CacheError{cmp.Or(dir, os.TempDir()), err}
	}
	return &cacheFile{File: f}, nil
}

func (f *cacheFile) end() int64 { return f.at + int64(len(f.packed)) }

// add packs ids and returns where they begin.
func (f *cacheFile) add(ids []uint32) (at int64, err error) {
	at = f.end()
	f.packed = appendPacked(f.packed, ids)
	if len(f.packed) < writeBuffer {
		return at, nil
	}
	return at, f.flush()
}

func (f *cacheFile) flush() error {
	n, err := f.Write(f.packed)
	f.at += int64(n)
	f.packed = f.packed[:0]
	if err != nil {
		return f.failed(err)
	}
	return nil
}

func (f *cacheFile) failed(err error) error { return &CacheError{f.Folder, scratch.Cause(err)} }

// A renaming replaces the ids of a block by final ids.
type renaming struct {
	block
	from   int // index of the recorder
	rename []int32
	*buffers
	breaks bool // a sentence ends before the final ids
}

type buffers struct {
	packed []byte
	final  []uint32 // final ids
}

// join writes the ids of all recorders to a new cache in dir, in the order of the shards. It replaces each id
// by rename(recorder, numbering)[id], and drops the token if that is negative. join calls rename at the first
// id of each numbering, in ascending order for each recorder, and then no longer needs the previous list.
// Sentences have at most so many ids. Blocks are unpacked and renamed on all cores. Meanwhile, those before them are cut into chunks, in order.
func join(dir string, longest int, recorders []*recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	var all []*renaming
	for i, r := range recorders {
		if r.endShard(); r.err == nil {
			r.err = r.file.flush()
		}
		if r.err != nil {
			return nil, r.err
		}
		for _, b := range r.blocks {
			all = append(all, &renaming{block: b, from: i})
		}
		r.blocks, r.buf, r.file.packed = nil, nil, nil
	}
	slices.SortStableFunc(all, func(a, b *renaming) int { return a.shard - b.shard })
	w, err := newPackWriter(dir)
	if err != nil {
		return nil, err
	}
	cut := newCutter(longest, w.chunk)
	cores := runtime.GOMAXPROCS(0)
	memory := make([]buffers, 2*cores)
	lists := make([]struct {
		ids       []int32
		numbering int32
	}, len(recorders))
	for at := 0; at < len(all)+cores && err == nil; at += cores {
		var g errgroup.Group
		for i := at; i < min(at+cores, len(all)); i++ {
			t, list := all[i], &lists[all[i].from]
			if list.ids == nil || list.numbering != t.numbering {
				list.ids, list.numbering = nil, t.numbering // the previous list must not stay in memory
				if list.ids, err = rename(t.from, int(t.numbering)); err != nil {
					break
				}
			}
			t.rename, t.buffers = list.ids, &memory[i%len(memory)]
			g.Go(func() error { return t.run(recorders[t.from]) })
		}
		for i := at - cores; i >= 0 && i < min(at, len(all)) && err == nil; i++ {
			if all[i].breaks {
				err = cut.endSentence()
			}
			if err == nil {
				err = cut.add(all[i].final)
			}
			all[i] = nil
		}
		failed := g.Wait()
		err = cmp.Or(err, failed)
	}
	if err == nil {
		err = cut.finish()
	}
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w.ids(cut)
}

func (t *renaming) run(from *recorder) error {
	t.packed = slices.Grow(t.packed[:0], int(t.bytes))[:t.bytes]
	ids := slices.Grow(t.final[:0], recorderBuffer)[:t.ids]
	if _, err := from.file.ReadAt(t.packed, t.at); err != nil {
		return from.file.failed(err)
	}
	if err := unpack(ids, t.packed); err != nil {
		return from.file.failed(err)
	}
	if t.ends {
		ids[len(ids)-1] |= EndOfSentence
	}
	n := 0
	for _, id := range ids {
		final := uint32(t.rename[id&^EndOfSentence])
		ids[n] = final
		n += int(^final >> 31) // does not increase for a dropped token; branch-free
		if id&EndOfSentence != 0 {
			if n > 0 {
				ids[n-1] |= EndOfSentence
			} else {
				t.breaks = true
			}
		}
	}
	t.final = ids[:n]
	return nil
}

// A full table is written to disk as a run, sorted by the bytes of its tokens, and emptied. After the text
// has been read, all runs are merged. So counting takes bounded memory, and counts are exact.

// DefaultMemory returns the memory for counting if Options.Memory is 0: a quarter of what the process may
// have.
func DefaultMemory() uint64 {
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		return max(have/4, LeastMemory)
	}
	return 1 << 30
}

// LeastMemory is the smallest value of Options.Memory except 0.
const LeastMemory = 16 << 20

// errFull says that a table must be spilled before it takes another token.
var errFull = errors.New("the table is full")

func appendRecord(b, token []byte, count uint64) []byte {
	b = append(binary.AppendUvarint(b, uint64(len(token))), token...)
	return binary.AppendUvarint(b, count)
}

var errRecord = errors.New("it is damaged")

func eachRecord(b []byte, use func(token []byte, count uint64) error) error {
	for len(b) > 0 {
		length, n := binary.Uvarint(b)
		if n <= 0 || length == 0 || length > corpus.MaxToken || uint64(len(b)-n) < length {
			return errRecord
		}
		token := b[n : n+int(length)]
		count, m := binary.Uvarint(b[n+int(length):])
		if m <= 0 || count == 0 {
			return errRecord
		}
		b = b[n+int(length)+m:]
		if err := use(token, count); err != nil {
			return err
		}
	}
	return nil
}

// spill writes the tokens of a table with their counts and ids as a run, and empties the table.
func (t *table) spill(to *extsort.Sorter) error {
	used := t.slots[:0]
	text := 0
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			text += s.length(t)
			used = append(used, *s) // never after its own slot
		}
	}
	const numbers = 8 // approximate size of the numbers in a record
	need, folder := uint64(text+numbers*len(used)), cmp.Or(to.Folder, os.TempDir())
	if free, ok := sysinfo.FreeDisk(filepath.Join(folder, to.Prefix)); ok && free < need {
		return to.Explain(folder, fmt.Errorf("the next %.1f MB of them do not fit, %.1f MB are free", float64(need)/1e6, float64(free)/1e6))
	}
	slices.SortFunc(used, t.compareTokens)
	err := to.Spill(func(yield func(token, numbers []byte) bool) {
		var short [longToken]byte
		var b []byte
		for i := range used {
			s := &used[i]
			b = binary.AppendUvarint(binary.AppendUvarint(b[:0], s.count), uint64(s.id))
			if !yield(t.token(s, &short), b) {
				return
			}
		}
	})
	clear(t.slots)
	t.budget.tokens.Add(-int64(len(used)))
	t.budget.give(arenaGrowth * (len(t.long.bytes) + endBytes*t.long.len()))
	t.tokens, t.full = 0, false
	t.long.bytes, t.long.ends = t.long.bytes[:0], t.long.ends[:0]
	return err
}

// A MemoryError says that the distinct tokens of a corpus do not fit into memory.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // source of Have: "this machine's memory", or the name of a lower limit
	Tokens     uint64 // distinct tokens so far, summed over workers
}

func (e *MemoryError) Error() string {
	if e.Tokens == 0 {
		return fmt.Sprintf("reading the corpus needs about %.1f MB of memory, and %s is %.1f MB", float64(e.Need)/1e6, e.Limit, float64(e.Have)/1e6)
	}
	return fmt.Sprintf("counting needs about %.1f MB of memory for %d distinct tokens so far, those of each worker, and %s is %.1f MB",
		float64(e.Need)/1e6, e.Tokens, e.Limit, float64(e.Have)/1e6)
}

// A budget is the memory that counting may use. The zero value is unlimited.
type budget struct {
	have   uint64 // 0 for no limit
	limit  string
	taken  atomic.Int64 // bytes taken by counting, and bytes in use before
	tokens atomic.Int64 // distinct tokens in memory
}

func newBudget(workers int) (*budget, error) {
	const buffers = 1 << 20 // bytes per worker
	b := new(budget)
	b.have, b.limit = sysinfo.MemoryLimit()
	b.taken.Store(int64(sysinfo.MemoryInUse()))
	return b, b.take(workers * buffers)
}

// garbage divides the memory in use: such a part is reserved for garbage and the system's tables.
const garbage = 8

// large is the size of an allocation that makes the budget check the system's limit again.
const large = 1 << 20

// take reserves bytes that are about to be allocated. It returns a *MemoryError if they are not available.
func (b *budget) take(bytes int) error {
	need, have, limit := b.taken.Add(int64(bytes)), b.have, b.limit
	if have > 0 && bytes >= large { // with more threads, limits on address space leave less memory
		have, limit = sysinfo.MemoryLimit()
	}
	if need += need / garbage; have > 0 && need > 0 && uint64(need) > have {
		return &MemoryError{Need: uint64(need), Have: have, Limit: limit, Tokens: uint64(b.tokens.Load())}
	}
	return nil
}

func (b *budget) give(bytes int) { b.taken.Add(-int64(bytes)) }
