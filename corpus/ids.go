package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/edsrzf/mmap-go"
	"golang.org/x/sync/errgroup"
)

// EndOfSentence is set in the last id of every sentence of IDs.
const EndOfSentence = 1 << 31

// MaxSentence is the largest number of tokens in a sentence of IDs. A longer
// one is cut; its tokens are all kept.
const MaxSentence = 1024

// IDs is a corpus as the ids of its tokens, in a mapped cache file.
type IDs struct {
	pieces [][]uint32 // whole sentences, none of them empty, in the order of the corpus
	ends   []int      // of the chunks, in pieces
	tokens uint64
	most   int    // the largest id; -1 if there are none
	cache  *cache // nil when closed
}

// Largest returns the largest id of a corpus, and of a part of one at least that of the
// part; -1 if there are no ids. A vocabulary of these ids has more tokens than that.
func (x *IDs) Largest() int {
	if x.tokens == 0 {
		return -1
	}
	return x.most
}

// Tokens returns the number of ids.
func (x *IDs) Tokens() uint64 { return x.tokens }

// Chunks returns the number of chunks.
func (x *IDs) Chunks() int { return len(x.ends) }

// Chunk returns some thousands of consecutive ids, in pieces: each is whole
// sentences, each of at most MaxSentence ids, the last id of each with
// EndOfSentence set. The chunks in order are the corpus in order. Where a
// chunk ends depends on the corpus alone, and not on who read it; where a piece
// of it ends has no meaning. They must not be changed.
func (x *IDs) Chunk(i int) [][]uint32 {
	if i < 0 || i >= len(x.ends) {
		panic(fmt.Sprintf("corpus: chunk %d of %d of the ids%s", i, len(x.ends), x.closed()))
	}
	first := 0
	if i > 0 {
		first = x.ends[i-1]
	}
	return x.pieces[first:x.ends[i]]
}

// closed says in a message that the ids are closed, if they are.
func (x *IDs) closed() string {
	if x.cache == nil && x.tokens > 0 {
		return ", which are closed"
	}
	return ""
}

// Close removes the cache, if it is not needed by what Split made any more. No
// chunk of x may be used afterwards. To close it once more does nothing.
func (x *IDs) Close() error {
	if x == nil {
		return errors.New("corpus: there are no ids to close: they are nil")
	}
	c := x.cache
	x.pieces, x.ends, x.cache = nil, nil, nil
	if c == nil {
		return nil
	}
	return c.release()
}

// cache is what recorders hold, for one IDs or several.
type cache struct {
	recorders []*Recorder
	users     atomic.Int32
}

func (c *cache) release() error {
	if c.users.Add(-1) > 0 {
		return nil
	}
	var errs []error
	for _, r := range c.recorders {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// A Recorder writes the ids of the shards that one worker reads to a cache
// file. The ids are the worker's own: what they mean is said when the recorders
// of all workers are joined by Join.
type Recorder struct {
	file     *os.File
	buf      []uint32 // ids not yet written
	written  int64    // ids written
	segments []segment
	mapped   mmap.MMap
	own      uint32 // the largest id added
	most     int32  // the largest final id, when it has them; -1 for none
	joined   bool
}

// segment is where a recorder's cache holds a shard.
type segment struct {
	shard       int
	first, last int64
	ids         []uint32 // when it is mapped
}

const recorderBuffer = 1 << 16 // ids

// A CacheError says that a corpus cannot be kept in its cache file, for lack of room
// for example.
type CacheError struct {
	Folder string // that the file is in
	Err    error
}

func newCacheError(folder string, err error) *CacheError {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err // the name of the file means nothing to anybody
	}
	return &CacheError{folder, err}
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("%s: the tokenised corpus, 4 bytes a token, cannot be kept in this folder: %v", e.Folder, e.Err)
}

// Unwrap returns why.
func (e *CacheError) Unwrap() error { return e.Err }

// NewRecorder creates a cache file in dir, or in the system's folder for
// temporary files if dir is empty. Where the system allows it the file has no
// name any more when NewRecorder returns, so that nothing is left behind however
// the program ends. It is a
// *CacheError if there can be no file in dir.
func NewRecorder(dir string) (*Recorder, error) {
	f, err := createCache(dir)
	if err != nil {
		if dir == "" {
			dir = os.TempDir()
		}
		return nil, newCacheError(dir, err)
	}
	_ = os.Remove(f.Name()) // fails on Windows while the file is open: Close removes it
	return &Recorder{file: f, buf: make([]uint32, 0, recorderBuffer)}, nil
}

// Begin says that what follows are the ids of a shard.
func (r *Recorder) Begin(shard int) {
	r.endSegment()
	at := r.position()
	r.segments = append(r.segments, segment{shard: shard, first: at, last: at})
}

// Add records the next token of the shard; id must be below EndOfSentence. It is a
// *CacheError if the cache file cannot be written, for lack of room for example.
func (r *Recorder) Add(id uint32) error {
	r.buf = append(r.buf, id)
	r.own = max(r.own, id)
	if len(r.buf) < recorderBuffer {
		return nil
	}
	return r.flush(recorderBuffer - 1)
}

// usable returns an error if the recorder cannot record, or what it recorded be joined.
func (r *Recorder) usable() error {
	switch {
	case r == nil || r.file == nil:
		return errors.New("corpus: the recorder is empty: NewRecorder makes one")
	case r.joined:
		return errors.New("corpus: the recorder was joined already, and its ids belong to the result")
	case len(r.segments) == 0 && r.position() > 0 || len(r.segments) > 0 && r.segments[0].first > 0:
		return errors.New("corpus: tokens were added to the recorder before Begin said of which shard they are")
	case r.own >= EndOfSentence:
		return fmt.Errorf("corpus: id %d was added to the recorder: ids must be below %d", r.own, uint32(EndOfSentence))
	}
	return nil
}

func (r *Recorder) failed(err error) error { return newCacheError(filepath.Dir(r.file.Name()), err) }

// EndSentence says that the last token added was the last of its sentence.
func (r *Recorder) EndSentence() {
	if n := len(r.segments); n > 0 && r.position() > r.segments[n-1].first {
		r.buf[len(r.buf)-1] |= EndOfSentence
	}
}

// position is the number of ids recorded.
func (r *Recorder) position() int64 { return r.written + int64(len(r.buf)) }

func (r *Recorder) endSegment() {
	r.EndSentence()
	if n := len(r.segments); n > 0 {
		r.segments[n-1].last = r.position()
	}
}

// flush writes the first n ids of the buffer. The last id recorded must stay
// in it, because EndSentence may still mark it.
func (r *Recorder) flush(n int) error {
	if r.file == nil {
		return r.usable()
	}
	if _, err := r.file.Write(asBytes(r.buf[:n])); err != nil {
		return r.failed(err)
	}
	r.written += int64(n)
	r.buf = r.buf[:copy(r.buf, r.buf[n:])]
	return nil
}

// Close removes the cache file.
func (r *Recorder) Close() error {
	if r == nil || r.file == nil {
		return r.usable()
	}
	var errs []error
	if r.mapped != nil {
		errs = append(errs, r.mapped.Unmap())
		r.mapped = nil
	}
	errs = append(errs, r.file.Close())
	if err := os.Remove(r.file.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Join makes one corpus of what the recorders hold, in the order of the shards.
// For an id of recorder w, rename[w][id] is its final id, or negative if the
// token is dropped. The recorders belong to the result, or are closed if there
// is an error: if a cache file cannot be written or mapped, or if rename does not have an
// id for each of theirs.
func Join(recorders []*Recorder, rename [][]int32) (*IDs, error) {
	if err := joinable(recorders, rename); err != nil {
		for i, r := range recorders {
			if r != nil && r.file != nil && !r.joined && !slices.Contains(recorders[:i], r) {
				err = errors.Join(err, r.Close())
			}
		}
		return nil, err
	}
	ids := &IDs{cache: &cache{recorders: recorders}, most: -1}
	ids.cache.users.Store(1)
	var g errgroup.Group
	for w, r := range recorders {
		g.Go(func() error { return r.finish(rename[w]) })
	}
	if err := g.Wait(); err != nil {
		return nil, errors.Join(err, ids.Close())
	}
	var segments []segment
	for _, r := range recorders {
		segments = append(segments, r.segments...)
		ids.most = max(ids.most, int(r.most))
	}
	sort.Slice(segments, func(i, j int) bool { return segments[i].shard < segments[j].shard })
	var c chunker
	for _, s := range segments {
		c.add(s.ids)
	}
	ids.pieces, ids.ends, ids.tokens = c.finish()
	return ids, nil
}

// joinable returns an error if these recorders cannot be joined so.
func joinable(recorders []*Recorder, rename [][]int32) error {
	if len(rename) != len(recorders) {
		return fmt.Errorf("corpus: the ids of %d recorders have %d lists of final ids: each has one", len(recorders), len(rename))
	}
	for w, r := range recorders {
		if err := r.usable(); err != nil {
			return fmt.Errorf("recorder %d: %w", w, err)
		}
		if slices.Contains(recorders[:w], r) {
			return fmt.Errorf("corpus: recorder %d stands there twice", w)
		}
		if r.position() > 0 && int64(r.own) >= int64(len(rename[w])) {
			return fmt.Errorf("corpus: recorder %d has id %d, and its list has %d final ids", w, r.own, len(rename[w]))
		}
	}
	return nil
}

// finish gives the ids in the cache their final values and maps it.
func (r *Recorder) finish(rename []int32) error {
	r.joined, r.most = true, -1
	r.endSegment()
	if err := r.flush(len(r.buf)); err != nil {
		return err
	}
	kept, err := r.renumber(rename)
	r.buf = nil
	if err != nil {
		return r.failed(err)
	}
	if kept == 0 {
		return nil // an empty file cannot be mapped
	}
	r.mapped, err = mmap.Map(r.file, mmap.RDONLY, 0)
	if err != nil {
		return r.failed(fmt.Errorf("mapping %d bytes: %w", 4*kept, err))
	}
	all := asIDs(r.mapped)
	for i := range r.segments {
		s := &r.segments[i]
		s.ids = all[s.first:s.last]
	}
	return nil
}

// renumber rewrites the cache with the final values of its ids, without those
// dropped, and returns how many are left. To change a mapping of it would take longer,
// because every page would be a fault.
func (r *Recorder) renumber(rename []int32) (kept int64, err error) {
	buf := r.buf[:recorderBuffer]
	for i := range r.segments {
		s := &r.segments[i]
		at, last := s.first, s.last
		s.first = kept
		for sentence := 0; at < last; {
			// The last id of a sentence that may end in the next part is not yet written.
			held := min(sentence, 1)
			part := buf[:min(int64(len(buf)), int64(held)+last-at)]
			n, err := r.file.ReadAt(asBytes(part[held:]), 4*at)
			if n < 4*len(part[held:]) {
				return 0, err
			}
			at += int64(len(part) - held)
			n, sentence, r.most = renumber(part, sentence, rename, r.most)
			held = min(sentence, 1)
			if _, err := r.file.WriteAt(asBytes(part[:n-held]), 4*kept); err != nil {
				return 0, err
			}
			kept += int64(n - held)
			copy(part, part[n-held:n])
		}
		s.last = kept
	}
	return kept, r.file.Truncate(4 * kept)
}

// renumber gives ids their final values in place, without those dropped, and cuts
// sentences longer than MaxSentence. An unfinished sentence of so many ids comes
// before, of which the last is the first of ids and already has its final value. It
// returns the number of ids, of those of the sentence that is unfinished then, and the largest
// of the ids and most.
func renumber(ids []uint32, sentence int, rename []int32, most int32) (n, unfinished int, largest int32) {
	n = min(sentence, 1)
	start := n - sentence
	for _, id := range ids[n:] {
		final := uint32(rename[id&^EndOfSentence])
		most = max(most, int32(final))
		ids[n] = final
		n += int(^final >> 31) // stays where a token is dropped, without a branch
		if id&EndOfSentence != 0 || n-start == MaxSentence {
			if n > start {
				ids[n-1] |= EndOfSentence
				start = n
			}
		}
	}
	return n, n - start, most
}

func asBytes(ids []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(ids))), 4*len(ids))
}

func asIDs(b []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}
