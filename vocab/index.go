package vocab

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
)

// Index reads a corpus once and returns its vocabulary and the corpus as ids of that
// vocabulary. The ids are in a cache file in dir, or in the system's folder for temporary
// files if dir is empty; see Options.Keep and Options.NoCache. The caller must close them. Index
// returns the errors of Count, a *CacheError if the cache cannot be written, and an error
// if no token of the corpus is in the Fixed or Known vocabulary.
func Index(ctx context.Context, src *corpus.Source, o Options, dir string) (v *Vocab, ids *IDs, err error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	if src, o, err = o.parted(ctx, src); err != nil {
		return nil, nil, err
	}
	k, err := newKeeper(src, o)
	if err != nil {
		return nil, nil, err
	}
	if v, ids, err := k.find(ctx, o); ids != nil || err != nil {
		return v, ids, err
	}
	o.TooLong = both(func(t corpus.TooLong) { k.state.TooLong = t }, o.TooLong) // the kept cache has what is reported
	o.Empty = both(func(e corpus.Empty) { k.state.Empty = e }, o.Empty)
	fits := !o.NoCache
	if fits && !o.Force {
		if fits, err = k.fits(ctx, src, o, cmp.Or(dir, os.TempDir())); err != nil {
			return nil, nil, err
		}
	}
	if fits {
		v, ids, err = indexOnce(ctx, src, o, dir)
	} else {
		v, ids, err = indexAgain(ctx, src, o)
	}
	if err != nil {
		return nil, nil, err
	}
	tokens := ids.Tokens()
	if err = o.sum(ctx, &tokens); err == nil && tokens == 0 {
		orFrequent := ""
		if o.Known != nil && o.MinCount > 1 {
			orFrequent = fmt.Sprintf(", or seen %d times", o.MinCount)
		}
		err = o.ofAll(fmt.Errorf("%s: no token of the corpus is in the given vocabulary of %d tokens%s", src.Name(), v.Len(), orFrequent))
	}
	if err != nil {
		return nil, nil, errors.Join(err, ids.Close())
	}
	k.save(src, v, ids)
	return v, ids, nil
}

// fits reports whether a cache of the corpus fits into dir, as far as known. It is true for a corpus that
// can be read only once. Rank 0, if its cache fits, reports ranks whose caches do not fit.
func (k *keeper) fits(ctx context.Context, src *corpus.Source, o Options, dir string) (bool, error) {
	if src.Numbered() != nil || src.Again() != nil {
		return true, nil
	}
	need, err := o.onMachine(ctx, src.CacheEstimate())
	if err != nil {
		return false, err
	}
	without := uint64(0)
	if free, known := sysinfo.FreeDisk(filepath.Join(dir, "cache")); known && need > free {
		file, err := scratch.Create(dir, "w2v-") // without an error, writing the cache would report it
		if err == nil && file.Close() == nil {
			without = 1
			k.note(fmt.Sprintf("%s: the tokenised corpus, about %.1f MB, does not fit into this folder, which has %.1f MB free: the text is read again each epoch",
				dir, float64(need)/1e6, float64(free)/1e6))
		}
	}
	fits := without == 0
	err = o.sum(ctx, &without)
	if fits && without > 0 && err == nil && o.Ranks.Rank() == 0 {
		k.note(fmt.Sprintf("the tokenised corpus does not fit on the disks of %s: the text is read again there each epoch", wording.Count(int(without), "other rank", "other ranks")))
	}
	return fits, err
}

func indexOnce(ctx context.Context, src *corpus.Source, o Options, dir string) (v *Vocab, ids *IDs, err error) {
	folder := cmp.Or(o.Folder, dir)
	workers, err := read(ctx, src, o, folder, func() (*recorder, error) { return newRecorder(dir) })
	if err != nil {
		return nil, nil, err
	}
	v, final, err := vocabulary(ctx, workers, src, o, folder)
	if err == nil {
		var recorders []*recorder
		for _, w := range workers {
			if w.recorder != nil { // all have one, or their tokens are numbers
				recorders = append(recorders, w.recorder)
			}
		}
		ids, err = join(dir, o.longest(), recorders, final)
	}
	if err = errors.Join(err, closeAll(workers)); err != nil {
		if ids != nil {
			err = errors.Join(err, ids.Close())
		}
		return nil, nil, err
	}
	return v, ids, nil
}

func indexAgain(ctx context.Context, src *corpus.Source, o Options) (*Vocab, *IDs, error) {
	if src.Numbered() != nil {
		return nil, nil, fmt.Errorf("%s: its tokens are made once, and need a cache", src.Name())
	}
	if err := src.Again(); err != nil {
		return nil, nil, fmt.Errorf("%w, and so needs a cache", err)
	}
	v, err := count(ctx, src, o)
	if err != nil {
		return nil, nil, err
	}
	ids, err := reread(ctx, src, o.longest(), v.ID)
	if err != nil {
		return nil, nil, err
	}
	return v, ids, nil
}

// readNumbered is read for a corpus of numbers. The table of the first worker has all tokens.
func readNumbered(ctx context.Context, src *corpus.Source, o Options, record func() (*recorder, error)) (workers []*worker, err error) {
	for range cmp.Or(o.Threads, runtime.GOMAXPROCS(0)) {
		workers = append(workers, newWorker(newTable(0, newSecret()), o.Folder))
	}
	defer func() {
		if err != nil {
			workers, err = nil, errors.Join(err, closeAll(workers))
		}
	}()
	counts := make([][]uint64, len(workers)) // by number
	var done atomic.Int64
	err = src.Numbered().Read(ctx, len(workers), func(number int, b corpus.Batch) (err error) {
		w, of := workers[number], counts[number]
		for _, id := range b.Tokens {
			if int(id) >= len(of) {
				of = append(of, make([]uint64, int(id)+1-len(of))...)
			}
			of[id]++
		}
		counts[number] = of
		if record != nil {
			if w.recorder == nil {
				if w.recorder, err = record(); err != nil {
					return err
				}
			}
			w.recorder.begin(b.Number)
			first := 0
			for _, end := range b.Ends {
				for _, id := range b.Tokens[first:end] {
					if err := w.recorder.add(id); err != nil {
						return err
					}
				}
				w.recorder.endSentence()
				first = end
			}
		}
		if total := done.Add(int64(len(b.Tokens))); o.Progress != nil {
			o.Progress(uint64(total))
		}
		return nil
	})
	if err != nil {
		return workers, err
	}
	first := workers[0]
	var token []byte
	for number := 0; len(counts) > 0; number++ {
		counts = slices.DeleteFunc(counts, func(of []uint64) bool { return number >= len(of) })
		count, id := uint64(0), uint32(0)
		for _, of := range counts {
			count += of[number]
		}
		if count > 0 {
			token = append(token[:0], src.Numbered().Token(number)...)
			if id, err = first.tokens.add(token, count); err != nil {
				return workers, err
			}
		}
		first.numbers = append(first.numbers, id)
	}
	return workers, nil
}

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
