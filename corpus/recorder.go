package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// A Recorder writes the ids of the shards that one worker reads to a cache file. Each worker
// numbers tokens on its own. Join later gives all of them their final ids.
type Recorder struct {
	file     *os.File
	buf      []uint32 // ids not yet written
	written  int64    // ids written
	segments []segment
	mapped   mmap.MMap
	own      uint32 // the largest id added
	most     int32  // the largest final id, after Join; -1 for none
	joined   bool
}

// segment is the place of a shard in a recorder's cache file.
type segment struct {
	shard       int
	first, last int64
	ids         []uint32 // after the file has been mapped
}

const recorderBuffer = 1 << 16 // ids

// NewRecorder creates a cache file in dir, or in the system's folder for temporary files if
// dir is empty. Where the system allows it, the file is unlinked at once, so that nothing is
// left behind however the program ends. The error is a *CacheError if no file can be created
// in dir.
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

// Begin starts a shard: the ids that are added from now on belong to it.
func (r *Recorder) Begin(shard int) {
	r.endSegment()
	at := r.position()
	r.segments = append(r.segments, segment{shard: shard, first: at, last: at})
}

// Add records the next token of the shard. The id must be below EndOfSentence. The error is
// a *CacheError if the cache file cannot be written, for example because the disk is full.
func (r *Recorder) Add(id uint32) error {
	r.buf = append(r.buf, id)
	r.own = max(r.own, id)
	if len(r.buf) < recorderBuffer {
		return nil
	}
	return r.flush(recorderBuffer - 1)
}

// usable returns an error if the recorder is not in a state to record or to be joined.
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

// EndSentence ends the sentence with the token that was added last.
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

// flush writes the first n ids of the buffer. The id recorded last must stay in the buffer,
// because EndSentence may still mark it.
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

// A CacheError says that the ids of a corpus cannot be kept in a cache file, for example
// because the disk is full.
type CacheError struct {
	Folder string // of the file
	Err    error
}

func newCacheError(folder string, err error) *CacheError {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err // without the file's name, which is random
	}
	return &CacheError{folder, err}
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("%s: the tokenised corpus, 4 bytes a token, cannot be kept in this folder: %v", e.Folder, e.Err)
}

// Unwrap returns the cause.
func (e *CacheError) Unwrap() error { return e.Err }

func asBytes(ids []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(ids))), 4*len(ids))
}

func asIDs(b []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}
