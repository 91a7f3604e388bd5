package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/scratch"
)

// packed is chunks of packed ids in a file that is mapped into memory.
type packed struct {
	file   io.Closer
	folder string // of the file
	mapped mmap.MMap
	data   []byte // of mapped: the chunks, one behind the other
	places []place
	seen   atomic.Int64 // bytes read since pages were last given back
}

// A place is where a chunk of so many ids begins.
type place struct {
	at  int64
	ids int32
}

func (p *packed) chunks() int { return len(p.places) }

func (p *packed) inOrder() bool { return false }

func (p *packed) chunk(i int, into []uint32) ([]uint32, error) {
	end := int64(len(p.data))
	if i+1 < len(p.places) {
		end = p.places[i+1].at
	}
	at, n := p.places[i].at, int(p.places[i].ids)
	if cap(into) < n {
		into = make([]uint32, max(n, ChunkTokens+MaxSentence))
	}
	into = into[:n]
	p.saw(int(end - at))
	if err := unpack(into, p.data[at:end]); err != nil {
		return nil, p.failed(err)
	}
	return into, nil
}

func (p *packed) close() error {
	var err error
	if p.mapped != nil {
		err = p.mapped.Unmap()
		p.mapped, p.data = nil, nil
	}
	return errors.Join(err, p.file.Close())
}

func (p *packed) failed(err error) error { return &CacheError{p.folder, scratch.Cause(err)} }

// A packWriter writes chunks to a new cache file.
type packWriter struct {
	packed
	out *scratch.File
	buf []byte
	at  int64
}

func newPackWriter(dir string) (*packWriter, error) {
	f, err := newCacheFile(dir)
	if err != nil {
		return nil, err
	}
	return &packWriter{packed: packed{file: f, folder: dir}, out: f}, nil
}

// chunk writes a chunk.
func (w *packWriter) chunk(ids []uint32) error {
	w.places = append(w.places, place{w.at + int64(len(w.buf)), int32(len(ids))})
	w.buf = appendPacked(w.buf, ids)
	if len(w.buf) < writeBuffer {
		return nil
	}
	return w.flush()
}

func (w *packWriter) flush() error {
	n, err := w.out.Write(w.buf)
	w.at += int64(n)
	w.buf = w.buf[:0]
	if err != nil {
		return w.failed(err)
	}
	return nil
}

func (w *packWriter) abort() error { return w.packed.close() }

// ids returns the corpus that has been written.
func (w *packWriter) ids(c *cutter) (*IDs, error) {
	if err := w.flush(); err != nil {
		return nil, errors.Join(err, w.abort())
	}
	if w.at > 0 { // an empty file cannot be mapped
		var err error
		if w.mapped, err = mmap.Map(w.out.File, mmap.RDONLY, 0); err != nil {
			err = w.failed(fmt.Errorf("mapping %d bytes: %w", w.at, err))
			return nil, errors.Join(err, w.abort())
		}
		w.data = w.mapped
	}
	return newIDs(&w.packed, c.tokens, c.most), nil
}

// PackedBytes returns how many bytes the ids take on disk, 0 if they are read from text.
func (x *IDs) PackedBytes() int64 {
	if x.from != nil {
		if p, ok := x.from.store.(*packed); ok {
			return int64(len(p.data))
		}
	}
	return 0
}

// appendIndex appends the lengths of the chunks, in ids and in bytes.
func (p *packed) appendIndex(b []byte) []byte {
	for i, at := range p.places {
		end := int64(len(p.data))
		if i+1 < len(p.places) {
			end = p.places[i+1].at
		}
		b = binary.AppendUvarint(b, uint64(at.ids))
		b = binary.AppendUvarint(b, uint64(end-at.at))
	}
	return b
}
