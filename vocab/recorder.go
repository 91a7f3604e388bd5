package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

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

// begin starts a shard: ids that are added from now on belong to it.
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

// renumber starts another numbering: ids from now on are unrelated to earlier ids. Numberings are counted
// from 0.
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

// A cacheFile is a temporary file of packed ids.
type cacheFile struct {
	*scratch.File
	packed []byte // not yet written
	at     int64  // bytes written
}

// newCacheFile creates a file in dir. If the system allows it, the file is unlinked at once, so that nothing
// remains however the program ends.
func newCacheFile(dir string) (*cacheFile, error) {
	f, err := scratch.Create(dir, "w2v-ids-")
	if err != nil {
		return nil, &CacheError{cmp.Or(dir, os.TempDir()), err}
	}
	return &cacheFile{File: f}, nil
}

// end is where the next ids begin.
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
	done   chan error
	final  []uint32 // final ids
	packed []byte
	breaks bool // a sentence ends before these ids
}

// join writes the ids of all recorders to a new cache in dir, in the order of the shards. It replaces each id
// by rename(recorder, numbering)[id], and drops the token if that is negative. join calls rename at the first
// id of each numbering, in ascending order for each recorder, and then no longer needs the previous list.
// Blocks are unpacked and renamed on all cores, and cut into chunks in order.
func join(dir string, recorders []*recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	var all []*renaming
	for i, r := range recorders {
		if r.endShard(); r.err == nil {
			r.err = r.file.flush()
		}
		if r.err != nil {
			return nil, r.err
		}
		for _, b := range r.blocks {
			all = append(all, &renaming{block: b, from: i, done: make(chan error, 1)})
		}
		r.blocks, r.buf, r.file.packed = nil, nil, nil
	}
	slices.SortStableFunc(all, func(a, b *renaming) int { return a.shard - b.shard })
	w, err := newPackWriter(dir)
	if err != nil {
		return nil, err
	}
	going, stop := context.WithCancel(context.Background())
	defer stop()
	cores := runtime.GOMAXPROCS(0)
	ordered := make(chan *renaming, 2*cores)
	var g errgroup.Group
	g.SetLimit(1 + cores)
	var buffers sync.Pool // buffers of finished renamings
	g.Go(func() error {
		defer close(ordered)
		type list struct {
			ids       []int32
			numbering int32
		}
		current := make([]list, len(recorders))
		for i, t := range all {
			c := &current[t.from]
			if c.ids == nil || c.numbering != t.numbering {
				*c = list{}
				ids, err := rename(t.from, int(t.numbering))
				if err != nil {
					return err
				}
				*c = list{ids, t.numbering}
			}
			t.rename, all[i] = c.ids, nil
			if old, ok := buffers.Get().(*renaming); ok {
				t.final, t.packed = old.final, old.packed
			}
			select {
			case ordered <- t:
			case <-going.Done():
				return nil
			}
			g.Go(func() error {
				t.done <- t.run(recorders[t.from])
				return nil
			})
		}
		return nil
	})
	cut := newCutter(w.chunk)
	var failed error
	for t := range ordered {
		if err := <-t.done; failed == nil {
			failed = err
			if failed == nil && t.breaks {
				failed = cut.endSentence()
			}
			if failed == nil {
				failed = cut.add(t.final)
			}
			if failed != nil {
				stop()
			}
		}
		t.rename = nil
		buffers.Put(t)
	}
	if err := g.Wait(); failed == nil {
		failed = err
	}
	if failed == nil {
		failed = cut.finish()
	}
	if failed != nil {
		return nil, errors.Join(failed, w.close())
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
