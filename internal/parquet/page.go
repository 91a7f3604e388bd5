package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Types of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// Encodings of values.
const (
	encodedPlain      = 0
	encodedDictionary = 2 // of older files
	encodedRuns       = 3
	encodedDeltas     = 5
	encodedLengths    = 6
	encodedContinued  = 7
	encodedIndices    = 8
)

var encodingNames = [...]string{"PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"}

// Codecs of pages.
const (
	uncompressed = 0
	snappy       = 1
	gzipped      = 2
	zstandard    = 6
	lz4Raw       = 7
)

var codecNames = [...]string{"none", "Snappy", "gzip", "LZO", "Brotli", "LZ4 with Hadoop's frames", "Zstandard", "LZ4"}

// mostPage is the maximum size of a page in bytes. A small file may not take much memory: a page of more than looseSize
// bytes may have mostPacking times as many as are stored.
const (
	mostPage    = 1 << 30
	looseSize   = 64 << 20
	mostPacking = 32
)

// mostHead is the maximum size of the head of a page in bytes.
const mostHead = 16 << 20

// A pageHead is the head of a page, and where its data is.
type pageHead struct {
	is           message
	kind         int64
	at           int64
	packed, size int64 // bytes, compressed and not
	values       int64
	rows         int64 // -1 if unknown
	sum          int64 // checksum of the data; -1 if there is none
}

// head reads the head of the page at an offset.
func (f *File) head(at, end int64) (p pageHead, err error) {
	var is message
	var rest []byte
	for size := int64(256); ; size *= 16 {
		size = min(size, end-at)
		b := make([]byte, size)
		if _, err := f.src.ReadAt(b, at); err != nil {
			return p, err
		}
		if is, rest, err = parse(b); err == nil {
			at += size - int64(len(rest))
			break
		}
		if !errors.Is(err, errShort) || size == end-at || size > mostHead {
			return p, fmt.Errorf("the head of a page is damaged: %w", err)
		}
	}
	p = pageHead{is: is, kind: is.number(1, -1), at: at, size: is.number(2, -1), packed: is.number(3, -1), rows: -1, sum: -1}
	if sum, ok := is.find(4); ok && sum.kind == isInt32 {
		p.sum = int64(uint32(is.number(4, 0)))
	}
	of := map[int64]int{dataPage: 5, dictionaryPage: 7, dataPage2: 8}
	if id, ok := of[p.kind]; ok {
		inner, ok := is.message(id)
		if !ok {
			return p, errInvalid
		}
		if p.is = inner; p.kind == dataPage2 {
			p.rows = inner.number(3, -1)
		}
		p.values = inner.number(1, -1)
	}
	if p.size < 0 || p.packed < 0 || p.packed > end-at || p.values < 0 || p.values > math.MaxInt32 || p.rows > p.values {
		return p, errInvalid
	}
	if p.size > mostPage || p.size > looseSize && p.size/mostPacking > p.packed {
		return p, fmt.Errorf("a page has %d MB, of which %d bytes are stored: write the table with smaller pages", p.size>>20, p.packed)
	}
	return p, nil
}

// data reads a page as it is stored.
func (f *File) data(p pageHead, into []byte) ([]byte, error) {
	into = slices.Grow(into[:0], int(p.packed))[:p.packed]
	if _, err := f.src.ReadAt(into, p.at); err != nil {
		if errors.Is(err, io.EOF) {
			err = errInvalid
		}
		return into, err
	}
	if p.sum >= 0 && int64(crc32.ChecksumIEEE(into)) != p.sum {
		return into, errors.New("a page is damaged: its checksum is another one")
	}
	return into, nil
}

var unpackZstd = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
})

// unpack decompresses data, which has a size, into memory that it may reuse.
func unpack(codec int64, data, into []byte, size int64) (out []byte, err error) {
	fits := func() ([]byte, error) {
		if int64(len(out)) != size {
			return nil, errors.New("a page is damaged: it has another size than it says")
		}
		return out, nil
	}
	switch codec {
	case uncompressed:
		out = data
		return fits()
	case snappy:
		if n, err := s2.DecodedLen(data); err != nil || int64(n) != size {
			return nil, errors.New("a page is damaged: it is not compressed with Snappy, or has another size than it says")
		}
		if out, err = s2.Decode(slices.Grow(into[:0], int(size))[:size], data); err != nil {
			return nil, fmt.Errorf("a page is damaged: %w", err)
		}
	case gzipped:
		if out, err = unpackGzip(data, into, size); err != nil {
			return nil, fmt.Errorf("a page is damaged: %w", err)
		}
	case zstandard:
		if out, err = unpackZstd().DecodeAll(data, slices.Grow(into[:0], int(size))[:0:size]); err != nil {
			return nil, fmt.Errorf("a page is damaged: %w", err)
		}
	case lz4Raw:
		if out, err = unpackLZ4(data, slices.Grow(into[:0], int(size))[:0:size]); err != nil {
			return nil, err
		}
	default:
		name := "an unknown codec"
		if codec >= 0 && codec < int64(len(codecNames)) {
			name = codecNames[codec]
		}
		return nil, fmt.Errorf("pages are compressed with %s: write them with Snappy, Zstandard, gzip or LZ4_RAW", name)
	}
	return fits()
}

type bytesReader struct{ data []byte }

func (r *bytesReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

func (r *bytesReader) ReadByte() (byte, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	c := r.data[0]
	r.data = r.data[1:]
	return c, nil
}

var gzips = sync.Pool{New: func() any { return new(gzip.Reader) }}

func unpackGzip(data, into []byte, size int64) ([]byte, error) {
	r := gzips.Get().(*gzip.Reader)
	defer gzips.Put(r)
	if err := r.Reset(&bytesReader{data}); err != nil {
		return nil, err
	}
	into = slices.Grow(into[:0], int(size))[:size]
	n, err := io.ReadFull(r, into)
	if err != nil {
		return nil, err
	}
	var more [1]byte
	if _, err := r.Read(more[:]); !errors.Is(err, io.EOF) {
		return nil, errors.New("a page has another size than it says")
	}
	return into[:n], nil
}

var errLZ4 = errors.New("a page is damaged: it is not compressed with LZ4, or has another size than it says")

// unpackLZ4 decompresses a block of LZ4 into out, up to its capacity.
func unpackLZ4(data, out []byte) ([]byte, error) {
	length := func(n int) (int, bool) {
		for n >= 15 {
			if len(data) == 0 {
				return 0, false
			}
			c := data[0]
			data = data[1:]
			if n += int(c); c < 255 {
				break
			}
		}
		return n, true
	}
	for len(data) > 0 {
		token := data[0]
		data = data[1:]
		n, ok := length(int(token >> 4))
		if !ok || n > len(data) || n > cap(out)-len(out) {
			return nil, errLZ4
		}
		out, data = append(out, data[:n]...), data[n:]
		if len(data) == 0 {
			break // the last sequence has no match
		}
		if len(data) < 2 {
			return nil, errLZ4
		}
		back := int(binary.LittleEndian.Uint16(data))
		data = data[2:]
		n, ok = length(int(token & 15))
		n += 4
		if !ok || back == 0 || back > len(out) || n > cap(out)-len(out) {
			return nil, errLZ4
		}
		for n > 0 { // a match may go on into what it makes
			from := out[len(out)-back:]
			k := min(n, back)
			out = append(out, from[:k]...)
			n -= k
		}
	}
	return out, nil
}
