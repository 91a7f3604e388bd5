package vocab

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/scratch"
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
