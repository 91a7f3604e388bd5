package corpus

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/internal/scratch"
	"golang.org/x/sync/errgroup"
)

// A Recorder writes the ids of the shards that one worker reads to a cache file. Each worker
// numbers tokens on its own. Join later gives all of them their final ids.
type Recorder struct {
	file   *scratch.File
	buf    []uint32 // ids not yet packed
	packed []byte   // what is not yet written
	at     int64    // bytes written
	blocks []block
	most   uint32   // the largest id added in this numbering
	before []uint32 // the largest ids of earlier numberings
	shard  int
	begun  bool // by Begin
	early  bool // ids were added before Begin
	joined bool
	err    error // of writing what was added before Begin or Renumber
}

// A block is consecutive ids of one shard in one numbering, in a recorder's file.
type block struct {
	shard     int
	at        int64
	bytes     int32
	ids       int32
	numbering int32
	ends      bool // a sentence ends behind the last id, which is not marked
}

const (
	recorderBuffer = 1 << 16 // ids in a block, at most
	writeBuffer    = 1 << 18 // bytes written at once
)

// NewRecorder creates a cache file in dir, or in the system's folder for temporary files if
// dir is empty. Where the system allows it, the file is unlinked at once, so that nothing is
// left behind however the program ends. The error is a *CacheError if no file can be created
// in dir.
func NewRecorder(dir string) (*Recorder, error) {
	f, err := newCacheFile(dir)
	if err != nil {
		return nil, err
	}
	return &Recorder{file: f, buf: make([]uint32, 0, recorderBuffer)}, nil
}

// Begin starts a shard: the ids that are added from now on belong to it.
func (r *Recorder) Begin(shard int) {
	r.endShard()
	r.shard, r.begun = shard, true
}

// Add records the next token of the shard. The id must be below EndOfSentence. The error is
// a *CacheError if the cache file cannot be written, for example because the disk is full.
func (r *Recorder) Add(id uint32) error {
	r.buf = append(r.buf, id)
	r.most = max(r.most, id)
	if len(r.buf) < recorderBuffer {
		return nil
	}
	return r.flush()
}

// EndSentence ends the sentence with the token that was added last.
func (r *Recorder) EndSentence() {
	if n := len(r.buf); n > 0 {
		r.buf[n-1] |= EndOfSentence
	} else if n := len(r.blocks); n > 0 && r.blocks[n-1].shard == r.shard {
		r.blocks[n-1].ends = true
	}
}

// Renumber starts another numbering: the ids that are added from now on say nothing about those
// before. Numberings are counted from 0. Join takes recorders with one numbering only; JoinFunc
// takes any.
func (r *Recorder) Renumber() {
	r.err = r.flush()
	r.before, r.most = append(r.before, r.most), 0
}

// largest returns the largest id of each numbering.
func (r *Recorder) largest() []uint32 { return append(slices.Clip(r.before), r.most) }

// usable returns an error if the recorder is not in a state to record or to be joined.
func (r *Recorder) usable() error {
	switch {
	case r == nil || r.file == nil:
		return errors.New("corpus: the recorder is empty: NewRecorder makes one")
	case r.joined:
		return errors.New("corpus: the recorder was joined already, and its ids belong to the result")
	case r.early || !r.begun && len(r.buf)+len(r.blocks) > 0:
		return errors.New("corpus: tokens were added to the recorder before Begin said of which shard they are")
	case slices.Max(r.largest()) >= EndOfSentence:
		return fmt.Errorf("corpus: id %d was added to the recorder: ids must be below %d", slices.Max(r.largest()), uint32(EndOfSentence))
	}
	return nil
}

func (r *Recorder) failed(err error) error { return &CacheError{r.file.Folder, scratch.Cause(err)} }

func (r *Recorder) endShard() {
	r.EndSentence()
	r.err = r.flush()
}

// flush packs the ids in the buffer as a block.
func (r *Recorder) flush() error {
	if r.file == nil {
		return r.usable()
	}
	if len(r.buf) == 0 {
		return r.err
	}
	r.early = r.early || !r.begun
	b := block{shard: r.shard, at: r.at + int64(len(r.packed)), ids: int32(len(r.buf)), numbering: int32(len(r.before))}
	before := len(r.packed)
	r.packed = appendPacked(r.packed, r.buf)
	b.bytes = int32(len(r.packed) - before)
	r.blocks = append(r.blocks, b)
	r.buf = r.buf[:0]
	if len(r.packed) < writeBuffer {
		return r.err
	}
	return errors.Join(r.err, r.write())
}

// write writes what is packed.
func (r *Recorder) write() error {
	n, err := r.file.Write(r.packed)
	r.at += int64(n)
	r.packed = r.packed[:0]
	if err != nil {
		return r.failed(err)
	}
	return nil
}

// Close removes the cache file.
func (r *Recorder) Close() error {
	if r == nil || r.file == nil {
		return r.usable()
	}
	if r.joined {
		return nil
	}
	return r.file.Close()
}

// A CacheError says that the ids of a corpus cannot be kept in a cache file, for example
// because the disk is full.
type CacheError struct {
	Folder string // of the file
	Err    error
}

// newCacheFile creates a file in dir.
func newCacheFile(dir string) (*scratch.File, error) {
	f, err := scratch.Create(dir, "w2v-ids-")
	if err == nil {
		return f, nil
	}
	if dir == "" {
		dir = os.TempDir()
	}
	return nil, &CacheError{dir, err}
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("%s: the tokenised corpus, up to 4 bytes a token, cannot be kept in this folder: %v", e.Folder, e.Err)
}

// Unwrap returns the cause.
func (e *CacheError) Unwrap() error { return e.Err }

// Join makes one corpus of all ids that the recorders hold, in the order of the shards. It
// replaces an id of recorder w by rename[w][id], and drops the token if that is negative. Join
// closes the recorders, which must have one numbering each. It returns an error if a cache file
// cannot be written or read, or if rename lacks one of their ids.
func Join(recorders []*Recorder, rename [][]int32) (*IDs, error) {
	err := joinable(recorders)
	if err == nil && len(rename) != len(recorders) {
		err = fmt.Errorf("corpus: the ids of %d recorders have %d lists of final ids: each has one", len(recorders), len(rename))
	}
	if err != nil {
		return nil, errors.Join(err, closeRecorders(recorders))
	}
	return JoinFunc(recorders, func(recorder, numbering int) ([]int32, error) {
		if numbering > 0 {
			return nil, fmt.Errorf("corpus: recorder %d has a second numbering, and one list of final ids", recorder)
		}
		return rename[recorder], nil
	})
}

// JoinFunc is Join for recorders with several numberings. It asks for the list of final ids of a
// recorder's numbering when it comes to ids of that numbering, and forgets the recorder's list
// before. Numberings of a recorder are asked for in rising order.
func JoinFunc(recorders []*Recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	if err := joinable(recorders); err != nil {
		return nil, errors.Join(err, closeRecorders(recorders))
	}
	if len(recorders) == 0 {
		return &IDs{most: -1}, nil
	}
	ids, err := joined(recorders, rename)
	err = errors.Join(err, closeRecorders(recorders))
	if err != nil && ids != nil {
		err = errors.Join(err, ids.Close())
	}
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// joinable returns an error if recorders cannot be joined.
func joinable(recorders []*Recorder) error {
	for w, r := range recorders {
		if err := r.usable(); err != nil {
			return fmt.Errorf("recorder %d: %w", w, err)
		}
		if slices.Contains(recorders[:w], r) {
			return fmt.Errorf("corpus: recorder %d stands there twice", w)
		}
	}
	return nil
}

// closeRecorders closes the recorders that are not joined yet, and makes them so.
func closeRecorders(recorders []*Recorder) error {
	var errs []error
	for _, r := range recorders {
		if r != nil && r.file != nil && !r.joined {
			errs = append(errs, r.Close())
			r.joined = true
		}
	}
	return errors.Join(errs...)
}

// A renaming is a block that becomes final ids.
type renaming struct {
	block
	from   *Recorder
	rename []int32
	done   chan renamed
}

type renamed struct {
	ids  []uint32
	ends bool // a sentence ends before them
	err  error
}

// joined writes the final ids of all recorders to a new cache. Blocks are unpacked and renamed on
// all cores, and cut into chunks in their order.
func joined(recorders []*Recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	var all []renaming
	of := map[*Recorder]int{}
	for w, r := range recorders {
		of[r] = w
		if r.endShard(); r.err == nil {
			r.err = r.write()
		}
		if r.err != nil {
			return nil, r.err
		}
		for _, b := range r.blocks {
			all = append(all, renaming{block: b, from: r})
		}
		r.blocks, r.buf, r.packed = nil, nil, nil
	}
	slices.SortStableFunc(all, func(a, b renaming) int { return a.shard - b.shard })
	w, err := newPackWriter(recorders[0].file.Folder)
	if err != nil {
		return nil, err
	}
	cores := runtime.GOMAXPROCS(0)
	pending, ordered := make(chan *renaming), make(chan *renaming, 2*cores)
	free := make(chan []uint32, 4*cores)
	stop := make(chan struct{})
	var g errgroup.Group
	g.Go(func() error {
		defer close(pending)
		defer close(ordered)
		current := make([]struct {
			list      []int32
			numbering int32
		}, len(recorders))
		for k := range current {
			current[k].numbering = -1
		}
		for i := range all {
			t := &all[i]
			c := &current[of[t.from]]
			if c.numbering != t.numbering {
				c.list = nil
				list, err := rename(of[t.from], int(t.numbering))
				if err != nil {
					return err
				}
				if most := t.from.largest()[t.numbering]; int64(most) >= int64(len(list)) {
					return fmt.Errorf("corpus: recorder %d has id %d, and its list has %d final ids", of[t.from], most, len(list))
				}
				c.list, c.numbering = list, t.numbering
			}
			t.rename, t.done = c.list, make(chan renamed, 1)
			select {
			case ordered <- t:
			case <-stop:
				return nil
			}
			select {
			case pending <- t:
			case <-stop:
				return nil
			}
		}
		return nil
	})
	for range cores {
		g.Go(func() error {
			var packed []byte
			for t := range pending {
				var buf []uint32
				select {
				case buf = <-free:
				default:
					buf = make([]uint32, recorderBuffer)
				}
				var result renamed
				result, packed = t.run(buf, packed)
				t.rename = nil
				t.done <- result
			}
			return nil
		})
	}
	cut := newCutter(w.chunk)
	var failed error
	for t := range ordered {
		r := renamed{}
		select {
		case r = <-t.done:
		case <-stop:
		}
		if failed != nil {
			continue
		}
		if failed = r.err; failed == nil && r.ends {
			failed = cut.endSentence()
		}
		if failed == nil {
			failed = cut.add(r.ids)
		}
		if failed != nil {
			close(stop)
			continue
		}
		select {
		case free <- r.ids[:cap(r.ids)]:
		default:
		}
	}
	err = g.Wait()
	if err == nil {
		err = failed
	}
	if err == nil {
		err = cut.finish()
	}
	if err != nil {
		return nil, errors.Join(err, w.abort())
	}
	return w.ids(cut)
}

// run unpacks and renames a block.
func (t *renaming) run(ids []uint32, packed []byte) (renamed, []byte) {
	packed = slices.Grow(packed[:0], int(t.bytes))[:t.bytes]
	ids = ids[:t.ids]
	if _, err := t.from.file.ReadAt(packed, t.at); err != nil {
		return renamed{err: t.from.failed(err)}, packed
	}
	if err := unpack(ids, packed); err != nil {
		return renamed{err: t.from.failed(err)}, packed
	}
	if t.ends {
		ids[len(ids)-1] |= EndOfSentence
	}
	n, ends := 0, false
	for _, id := range ids {
		final := uint32(t.rename[id&^EndOfSentence])
		ids[n] = final
		n += int(^final >> 31) // stays where a token is dropped, without a branch
		if id&EndOfSentence != 0 {
			if n > 0 {
				ids[n-1] |= EndOfSentence
			} else {
				ends = true
			}
		}
	}
	return renamed{ids: ids[:n], ends: ends}, packed
}
