package vocab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"
	"golang.org/x/sync/errgroup"
)

// EndOfSentence is set in the last id of every sentence of IDs.
const EndOfSentence = 1 << 31

// MaxSentence is the largest number of tokens in a sentence of IDs, unless Options.MaxSentence is another. A longer
// sentence is divided into several, and no token is lost.
const MaxSentence = 1024

// IDs is a corpus as the ids of its tokens. The ids are packed in a cache file that is mapped into memory, or
// are computed from the text whenever they are read: see Options.NoCache. Index makes IDs.
type IDs struct {
	from   *shared // nil after Close
	views  []view  // parts of the store's chunks
	picked *picked // nil for all sentences
	tokens uint64
	most   int // largest id; -1 if there are no ids
}

// A view is a range of ids of a chunk of the store; all, if to is below 0.
type view struct{ chunk, from, to int32 }

type store interface {
	// chunk returns a chunk, in into if there is room. Callers must not change it.
	chunk(i int, into []uint32) ([]uint32, error)
	close() error
}

// A picked says which sentences of the store belong to a part. Views are ranges of the ids of these.
type picked struct {
	sentences []uint64 // a bit for each
	first     []uint64 // sentence of each chunk of the store
}

func (p *picked) has(sentence uint64) bool { return p.sentences[sentence/64]>>(sentence%64)&1 != 0 }

// of appends the picked sentences of a chunk.
func (p *picked) of(out, ids []uint32, chunk int32) []uint32 {
	n := p.first[chunk]
	for start, i := 0, 0; i < len(ids); i++ {
		if ids[i]&EndOfSentence == 0 {
			continue
		}
		if p.has(n) {
			out = append(out, ids[start:i+1]...)
		}
		start, n = i+1, n+1
	}
	return out
}

// A shared is the store behind one IDs, or behind several that Split and Pick made.
type shared struct {
	store
	inOrder bool // chunks should be read one after the other
	users   atomic.Int32
	failed  atomic.Pointer[error]
}

func newIDs(s store, chunks int, inOrder bool, tokens uint64, most int) *IDs {
	x := &IDs{from: &shared{store: s, inOrder: inOrder}, views: make([]view, chunks), tokens: tokens, most: most}
	for i := range x.views {
		x.views[i] = view{int32(i), 0, -1}
	}
	x.from.users.Store(1)
	return x
}

// add adds part of a chunk as a chunk of its own, unless the part is empty.
func (x *IDs) add(chunk int32, from, to int) {
	if to > from {
		x.views = append(x.views, view{chunk, int32(from), int32(to)})
		x.tokens += uint64(to - from)
	}
}

// Largest returns the largest id in the corpus, or -1 if there are no ids. For a part that
// Split returned, it is the largest id in the whole corpus. The vocabulary of the ids must
// have more tokens than this number.
func (x *IDs) Largest() int {
	if x.tokens == 0 {
		return -1
	}
	return x.most
}

// Tokens returns the number of ids in the corpus.
func (x *IDs) Tokens() uint64 { return x.tokens }

// Bytes returns the size of the ids' cache; 0 if there is none.
func (x *IDs) Bytes() int64 {
	if x.from == nil {
		return 0
	}
	if p, ok := x.from.store.(*packed); ok {
		return int64(len(p.data))
	}
	return 0
}

// Chunks returns the number of chunks.
func (x *IDs) Chunks() int { return len(x.views) }

// InOrder reports whether chunks should be read in order, because they are computed from the text. Reading a
// chunk before the last one starts the text again.
func (x *IDs) InOrder() bool { return x.from != nil && x.from.inOrder }

// Err returns the first error of reading chunks. A cache of this process has no errors. If chunks are
// computed from the text, a file may have changed or vanished. After an error, all chunks are empty.
func (x *IDs) Err() error {
	if x.from == nil {
		return nil
	}
	if err := x.from.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Chunk returns chunk i: some thousands of consecutive ids, in pieces of whole sentences. The last id of a
// sentence has EndOfSentence set. All chunks in order are the corpus. Chunks end at the same places however
// many workers have read the corpus. A ChunkReader reads many chunks faster.
func (x *IDs) Chunk(i int) [][]uint32 { return x.Reader().Chunk(i) }

// A ChunkReader reads chunks of IDs into its own memory. It is for one goroutine.
type ChunkReader struct {
	ids    *IDs
	buf    []uint32
	picked []uint32
	at     int // index of the chunk in pieces; -1 for none
	pieces [1][]uint32
}

// Reader returns a reader of the chunks.
func (x *IDs) Reader() *ChunkReader { return &ChunkReader{ids: x, at: -1} }

// Chunk returns what IDs.Chunk returns. The result is valid until another chunk is read, and must not be
// changed.
func (r *ChunkReader) Chunk(i int) [][]uint32 {
	x := r.ids
	if i < 0 || i >= len(x.views) {
		panic(fmt.Sprintf("vocab: chunk %d of %d of the ids%s", i, len(x.views), x.closed()))
	}
	if i == r.at {
		return r.pieces[:]
	}
	if x.Err() != nil {
		return nil
	}
	v := x.views[i]
	ids, err := x.from.chunk(int(v.chunk), r.buf)
	if err != nil {
		x.from.failed.CompareAndSwap(nil, &err)
		return nil
	}
	if !x.from.inOrder {
		r.buf = ids // otherwise the store owns them
	}
	if x.picked != nil {
		r.picked = x.picked.of(r.picked[:0], ids, v.chunk)
		ids = r.picked
	}
	if v.to >= 0 {
		ids = ids[v.from:v.to:v.to]
	}
	r.at, r.pieces[0] = i, ids
	return r.pieces[:]
}

// closed returns the part of a message that says that the ids are closed, or "".
func (x *IDs) closed() string {
	if x.from == nil && x.tokens > 0 {
		return ", which are closed"
	}
	return ""
}

// Close removes the cache, unless parts that Split returned still need it. The chunks of x
// must not be used afterwards. Closing again does nothing.
func (x *IDs) Close() error {
	from := x.from
	x.from, x.views = nil, nil
	if from == nil || from.users.Add(-1) > 0 {
		return nil
	}
	return from.close()
}

// ChunkTokens is the smallest number of tokens in a chunk of IDs. Only the last chunk may
// have fewer.
const ChunkTokens = 1 << 13

var errClosed = errors.New("vocab: the ids are closed")

// Split divides the corpus into sentences to train on and held-out sentences, the last ones of every chunk.
// The held-out share of all tokens so far is as close to fraction as whole sentences allow. Close x and both
// parts in any order. Split returns an error if the fraction is not between 0 and 1, or if one part would
// have no sentence.
func (x *IDs) Split(fraction float64) (train, heldOut *IDs, err error) {
	if x.from == nil {
		return nil, nil, errClosed
	}
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("cannot hold out a fraction of %v of the corpus: it must be above 0 and below 1", fraction)
	}
	kept, held := x.part(), x.part()
	r := x.Reader()
	seen := 0.0
	for i, v := range x.views {
		pieces := r.Chunk(i)
		if err := x.Err(); err != nil {
			return nil, nil, err
		}
		chunk := pieces[0]
		seen += float64(len(chunk))
		end := int(v.from) + len(chunk)
		cut := end - tail(chunk, fraction*seen-float64(held.tokens))
		kept.add(v.chunk, int(v.from), cut)
		held.add(v.chunk, cut, end)
	}
	if held.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens holds out no whole sentence: take a larger one, or held-out text of its own", fraction, x.tokens)
	}
	if kept.tokens == 0 {
		return nil, nil, fmt.Errorf("a fraction of %v of %d tokens leaves no whole sentence to train on: take a smaller one, or held-out text of its own", fraction, x.tokens)
	}
	x.from.users.Add(2)
	return kept, held, nil
}

// part returns a part of x without a sentence.
func (x *IDs) part() *IDs { return &IDs{from: x.from, picked: x.picked, most: x.most} }

// Pick returns the sentences for which pick, which is called with all of them in order, returns true. The last id of each
// has EndOfSentence set. A chunk has those of a chunk of x. Close x and the part in any order. x must not be a part that
// Split returned.
func (x *IDs) Pick(pick func(sentence []uint32) bool) (*IDs, error) {
	if x.from == nil {
		return nil, errClosed
	}
	part, n := x.part(), uint64(0)
	p := &picked{}
	part.picked = p
	var buf []uint32
	for _, v := range x.views {
		if v.to >= 0 {
			return nil, errors.New("vocab: a part that Split returned has no sentences to pick")
		}
		ids, err := x.from.chunk(int(v.chunk), buf)
		if err != nil {
			return nil, err
		}
		if !x.from.inOrder {
			buf = ids
		}
		if x.picked != nil {
			n = x.picked.first[v.chunk]
		}
		p.first = append(p.first, slices.Repeat([]uint64{n}, max(0, int(v.chunk)+1-len(p.first)))...)
		before := part.tokens
		for start, i := 0, 0; i < len(ids); i++ {
			if ids[i]&EndOfSentence == 0 {
				continue
			}
			p.sentences = append(p.sentences, make([]uint64, max(0, int(n/64)+1-len(p.sentences)))...)
			if (x.picked == nil || x.picked.has(n)) && pick(ids[start:i+1]) {
				p.sentences[n/64] |= 1 << (n % 64)
				part.tokens += uint64(i + 1 - start)
			}
			start, n = i+1, n+1
		}
		if part.tokens > before {
			part.views = append(part.views, v)
		}
	}
	x.from.users.Add(1)
	return part, nil
}

// tail returns the number of tokens in the last sentences, as close to wanted as whole sentences come.
func tail(chunk []uint32, wanted float64) int {
	best, n := 0, 0
	for n < len(chunk) && float64(n) < wanted {
		n++
		for n < len(chunk) && chunk[len(chunk)-n-1]&EndOfSentence == 0 {
			n++
		}
		if math.Abs(float64(n)-wanted) < math.Abs(float64(best)-wanted) {
			best = n
		}
	}
	return best
}

// A cutter cuts final ids into chunks, and into sentences.
type cutter struct {
	longest int                        // most ids of a sentence
	emit    func(chunk []uint32) error // receives a chunk, which is overwritten afterwards
	buf     []uint32                   // the unfinished chunk
	start   int                        // where the unfinished sentence begins in buf
	chunks  int
	tokens  uint64
	most    int // largest id; -1 if there are no ids
}

func newCutter(longest int, emit func(chunk []uint32) error) *cutter {
	return &cutter{longest: longest, emit: emit, buf: make([]uint32, 0, ChunkTokens+MaxSentence), most: -1}
}

// endSentence ends the sentence with the last id that was added, if any.
func (c *cutter) endSentence() error {
	n := len(c.buf)
	if n == c.start {
		return nil
	}
	c.buf[n-1] |= EndOfSentence
	c.start = n
	if n < ChunkTokens {
		return nil
	}
	return c.end()
}

// add appends ids with their EndOfSentence bits.
func (c *cutter) add(ids []uint32) error {
	for len(ids) > 0 {
		// So many ids fit before the sentence must end.
		part := ids[:min(len(ids), c.longest-(len(c.buf)-c.start))]
		for i, id := range part {
			if id&EndOfSentence != 0 {
				part = part[:i+1]
				break
			}
		}
		c.buf = append(c.buf, part...)
		ids = ids[len(part):]
		if len(c.buf)-c.start == c.longest || part[len(part)-1]&EndOfSentence != 0 {
			if err := c.endSentence(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *cutter) finish() error {
	if err := c.endSentence(); err != nil || len(c.buf) == 0 {
		return err
	}
	return c.end()
}

func (c *cutter) end() error {
	c.chunks++
	c.tokens += uint64(len(c.buf))
	for _, id := range c.buf {
		c.most = max(c.most, int(id&^EndOfSentence))
	}
	err := c.emit(c.buf)
	c.buf, c.start = c.buf[:0], 0
	return err
}

// maxChecksums is the number of checksums of a corpus that has at least as many chunks.
const maxChecksums = 32

// Checksums returns the CRC-32C of each of up to 32 runs of chunks, of little-endian ids with their
// EndOfSentence bits. The first checksum that differs shows about where two corpora differ. Checksums reads
// the whole corpus.
func (x *IDs) Checksums() []uint32 {
	n := min(maxChecksums, x.Chunks())
	sums, bufs := make([]uint32, n), make([][]byte, n)
	x.inParts(n, func(k, chunk int, r *ChunkReader) {
		for _, piece := range r.Chunk(chunk) {
			bufs[k], _ = binary.Append(bufs[k][:0], binary.LittleEndian, piece)
			sums[k] = crc32.Update(sums[k], castagnoliTable, bufs[k])
		}
	})
	return sums
}

// inParts calls use for the chunks of so many parts, which it reads in parallel if the store can.
func (x *IDs) inParts(parts int, use func(part, chunk int, r *ChunkReader)) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	if x.InOrder() {
		g.SetLimit(1) // otherwise each part would read the text up to its beginning
	}
	for k := range parts {
		g.Go(func() error {
			r := x.Reader()
			for i := k * x.Chunks() / parts; i < (k+1)*x.Chunks()/parts; i++ {
				use(k, i, r)
			}
			return nil
		})
	}
	_ = g.Wait() // there are no errors
}

// savedMagic begins saved ids. Its last byte is the version of the format.
const savedMagic = "w2v-ids\x01"

var castagnoliTable = crc32.MakeTable(crc32.Castagnoli)

type savedNumbers struct {
	Tokens       uint64
	Largest      int64
	Chunks, Size uint64 // Size is that of the chunks in bytes
}

// writeTo writes all ids of a cache with a checksum. openIDs reads this format.
func (x *IDs) writeTo(w io.Writer) (written int64, err error) {
	p := x.from.store.(*packed)
	sum := crc32.New(castagnoliTable)
	write := func(b []byte) {
		if err == nil {
			_, _ = sum.Write(b)
			_, err = w.Write(b)
			written += int64(len(b))
		}
	}
	write([]byte(savedMagic))
	for part := range slices.Chunk(p.data, writeBuffer) {
		write(part)
		p.saw(len(part))
	}
	var end []byte
	for i, at := range p.places {
		end = binary.AppendUvarint(end, uint64(at.ids))
		end = binary.AppendUvarint(end, uint64(p.end(i)-at.at))
	}
	end, _ = binary.Append(end, binary.LittleEndian, savedNumbers{x.tokens, int64(x.most), uint64(len(x.views)), uint64(len(p.data))})
	write(end)
	write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return written, err
}

var errSaved = errors.New("the ids are damaged: their checksum is another")

// openIDs opens the ids that begin a file, verifies them, and owns the file, also on error.
func openIDs(f *os.File, size int64) (x *IDs, err error) {
	p := &packed{file: f, folder: filepath.Dir(f.Name())}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	var n savedNumbers
	if size < int64(len(savedMagic)+binary.Size(n)+4) {
		return nil, errSaved
	}
	if p.mapped, err = mmap.Map(f, mmap.RDONLY, 0); err != nil {
		return nil, fmt.Errorf("mapping the ids: %w", err)
	}
	if size > int64(len(p.mapped)) {
		return nil, errSaved
	}
	body, sum := p.mapped[:size-4], uint32(0)
	for part := range slices.Chunk(body, writeBuffer) {
		sum = crc32.Update(sum, castagnoliTable, part)
		p.saw(len(part))
	}
	if string(body[:len(savedMagic)]) != savedMagic || sum != binary.LittleEndian.Uint32(p.mapped[size-4:]) {
		return nil, errSaved
	}
	at := len(body) - binary.Size(n)
	_, _ = binary.Decode(body[at:], binary.LittleEndian, &n) // there are enough bytes
	index := body[len(savedMagic):at]
	if n.Size > uint64(len(index)) || n.Chunks > uint64(len(index)) || n.Largest < -1 || n.Largest >= EndOfSentence {
		return nil, errSaved
	}
	p.data, index = index[:n.Size], index[n.Size:]
	var begin, tokens uint64
	for range n.Chunks {
		ids, k := binary.Uvarint(index)
		if k <= 0 || ids == 0 || ids >= ChunkTokens+MaxSentence {
			return nil, errSaved
		}
		bytes, m := binary.Uvarint(index[k:])
		if m <= 0 || bytes > n.Size-begin {
			return nil, errSaved
		}
		p.places = append(p.places, place{int64(begin), int32(ids)})
		begin, tokens, index = begin+bytes, tokens+ids, index[k+m:]
	}
	if begin != n.Size || tokens != n.Tokens || len(index) > 0 {
		return nil, errSaved
	}
	return newIDs(p, len(p.places), false, tokens, int(n.Largest)), nil
}
