package corpus

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/w2v-go/w2v/internal/scratch"
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
