package vocab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"
)

// packed holds chunks of packed ids in a file that is mapped into memory.
type packed struct {
	file   io.Closer
	folder string // of the file
	mapped mmap.MMap
	data   []byte // data of mapped: the chunks, without gaps
	places []place
	seen   atomic.Int64 // number of bytes read since pages were last freed
}

type place struct {
	at  int64
	ids int32
}

func (p *packed) chunk(i int, into []uint32) ([]uint32, error) {
	at, n, end := p.places[i].at, int(p.places[i].ids), p.end(i)
	if cap(into) < n {
		into = make([]uint32, max(n, ChunkTokens+MaxSentence))
	}
	into = into[:n]
	p.saw(int(end - at))
	if err := unpack(into, p.data[at:end]); err != nil {
		return nil, &CacheError{p.folder, err}
	}
	return into, nil
}

func (p *packed) end(i int) int64 {
	if i+1 < len(p.places) {
		return p.places[i+1].at
	}
	return int64(len(p.data))
}

func (p *packed) close() error {
	var err error
	if p.mapped != nil {
		err = p.mapped.Unmap()
		p.mapped, p.data = nil, nil
	}
	return errors.Join(err, p.file.Close())
}

type packWriter struct {
	packed
	out *cacheFile
}

func newPackWriter(dir string) (*packWriter, error) {
	f, err := newCacheFile(dir)
	if err != nil {
		return nil, err
	}
	return &packWriter{packed{file: f, folder: f.Folder}, f}, nil
}

func (w *packWriter) chunk(ids []uint32) error {
	at, err := w.out.add(ids)
	w.places = append(w.places, place{at, int32(len(ids))})
	return err
}

func (w *packWriter) ids(c *cutter) (*IDs, error) {
	err := w.out.flush()
	if err == nil && w.out.at > 0 { // an empty file cannot be mapped
		if w.mapped, err = mmap.Map(w.out.File.File, mmap.RDONLY, 0); err != nil {
			err = w.out.failed(fmt.Errorf("mapping %d bytes: %w", w.out.at, err))
		}
		w.data = w.mapped
	}
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return newIDs(&w.packed, len(w.places), false, c.tokens, c.most), nil
}

// Ids are packed in groups of four: a byte with four lengths of 1 to 4 bytes in two bits each, and then the
// bytes. EndOfSentence becomes the lowest bit of an id, so that frequent words, which have low ids, take one
// byte. A decoder reads four ids without data-dependent branches.

// packGroup is the largest number of bytes of four packed ids.
const packGroup = 1 + 4*4

var packMask = [4]uint32{0xff, 0xffff, 0xffffff, 0xffffffff}

// appendPacked appends packed ids to b. The last group is padded with zeros.
func appendPacked(b []byte, ids []uint32) []byte {
	for len(ids) > 0 {
		at := len(b)
		b = append(b, make([]byte, packGroup)...)
		end := at + 1
		var lengths byte
		for k := range 4 {
			var v uint32
			if k < len(ids) {
				v = bits.RotateLeft32(ids[k], 1)
			}
			n := (bits.Len32(v|1) + 7) / 8
			binary.LittleEndian.PutUint32(b[end:], v)
			end += n
			lengths |= byte(n-1) << (2 * k)
		}
		b[at] = lengths
		b = b[:end]
		ids = ids[min(4, len(ids)):]
	}
	return b
}

var errPacked = errors.New("the packed ids are damaged")

// unpack fills ids from their packed form, which must be all of b.
func unpack(ids []uint32, b []byte) error {
	for len(ids) >= 4 && len(b) >= packGroup {
		g := (*[packGroup]byte)(b)
		c := g[0]
		n0 := 2 + uint(c&3)
		n1 := n0 + 1 + uint(c>>2&3)
		n2 := n1 + 1 + uint(c>>4&3)
		n3 := n2 + 1 + uint(c>>6)
		ids[0] = bits.RotateLeft32(binary.LittleEndian.Uint32(g[1:])&packMask[c&3], -1)
		ids[1] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n0:])&packMask[c>>2&3], -1)
		ids[2] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n1:])&packMask[c>>4&3], -1)
		ids[3] = bits.RotateLeft32(binary.LittleEndian.Uint32(b[n2:])&packMask[c>>6], -1)
		ids, b = ids[4:], b[n3:]
	}
	for len(ids) > 0 {
		if len(b) == 0 {
			return errPacked
		}
		c := b[0]
		b = b[1:]
		for k := range 4 {
			n := int(c>>(2*k)&3) + 1
			if len(b) < n {
				return errPacked
			}
			var v uint32
			for i, x := range b[:n] {
				v |= uint32(x) << (8 * i)
			}
			b = b[n:]
			if k < len(ids) {
				ids[k] = bits.RotateLeft32(v, -1)
			}
		}
		ids = ids[min(4, len(ids)):]
	}
	if len(b) > 0 {
		return errPacked
	}
	return nil
}

// ResidentBytes is about how many bytes of a corpus's ids stay in memory while they are read, however large
// the corpus is. This holds on Linux, where a program can ask the system to free mapped pages.
const ResidentBytes = 16 << 20

func (p *packed) saw(bytes int) {
	if n := p.seen.Add(int64(bytes)); n >= ResidentBytes && p.seen.CompareAndSwap(n, 0) {
		evictPages(p.mapped)
	}
}
