// Package counts trains on counts instead of text: how often pairs of words occur near each other. Counting reads the
// text once. Memory is bounded: text is counted in spans, and what exceeds a limit goes to temporary files.
package counts

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

// Options say how to count.
type Options struct {
	Window  int
	Mode    settings.WindowMode // what a pair at a distance counts
	Keep    []uint32            // subsampling: a word is kept if 32 random bits do not exceed its number, or the last
	XMax    float64             // pairs that count so much or more weigh the same, and others less
	Seed    uint64
	Threads int
	Folder  string // for temporary files; empty for the system's

	span   int   // tokens that are counted at a time; 0 for spanTokens
	memory int64 // bytes of counts in memory; 0 for mostMemory
}

const (
	spanTokens = 1 << 25
	mostMemory = 1 << 30
	// mostParts is the largest number of parts, each of which has an open page for each thread.
	mostParts = 1 << 10
	pageItems = 1 << 12
	// ofSegment is how many counts of a word are trained together. Their order is random, as is that of segments. With
	// longer ones rows would stay in near caches longer, and a word would move too far at a time.
	ofSegment = 32
	itemBytes = 8 // of a pair in a segment
)

// pairsOf returns about how many different pairs a text has. Their share falls with the length of the text: it was measured on
// English.
func pairsOf(tokens uint64, words, window int) float64 {
	const one, falls = 600, -0.2 // tokens up to which all are different, and the power by which their share falls
	all := float64(tokens) * 2 * float64(min(window, vocab.MaxSentence))
	return min(float64(words)*float64(words), all*math.Pow(max(1, float64(tokens)/one), falls))
}

// Bytes returns about how much memory counting, keeping and training the counts of a text takes.
func Bytes(tokens uint64, words, window, threads int) float64 {
	about := pairsOf(tokens, words, window)
	const word, place = 8, 16 // bytes of a segment's head, and of its place in the order of a part
	span := min(float64(tokens), spanTokens)
	segments := about/ofSegment + float64(words)/2
	kept := itemBytes*about + word*segments
	parts := float64(partsOf(int(min(tokens/vocab.ChunkTokens, mostParts))))
	each := 8*float64(words) + 4*pageItems*parts  // sums and pages of a thread
	each += 2 * (2*kept + place*segments) / parts // parts in training, and those that come next, with room to grow
	bytes := 8*span + 4*float64(words) + float64(threads)*each + min(kept, mostMemory)
	if tokens > spanTokens {
		bytes += rowBytes * float64(words)
	}
	return bytes
}

// FileBytes returns about how large temporary files of the counts of a text are; 0 if none are needed.
func FileBytes(tokens uint64, words, window int) (bytes float64) {
	bytes = max(0, itemBytes*pairsOf(tokens, words, window)-mostMemory)
	for left := tokens; tokens > spanTokens && left > 0; left -= min(left, spanTokens) {
		bytes += spilledBytes * pairsOf(min(left, spanTokens), words, window)
	}
	return bytes
}

// Pairs are the counts of all pairs of words that occur near each other, in parts that are trained one after the other.
// A part has segments of up to ofSegment counts of a word. The part of each segment is random.
type Pairs struct {
	Len     uint64  // number of pairs
	Zero    float64 // mean loss if all scores are 0
	seed    uint64
	parts   []part
	weights *weights
	memory  [][]uint32
	file    *scratch.File // nil if all pages are in memory
	end     int64         // of the file
	used    int64         // bytes of memory
	most    int64
	folder  string
	mu      sync.Mutex
	loaded  map[int64]*loaded // by place
	spare   []*loaded         // parts whose memory is used again
	failed  atomic.Pointer[error]
}

// Err returns the first error of reading parts. Parts that cannot be read train nothing.
func (p *Pairs) Err() error {
	if p == nil {
		return nil
	}
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return nil
}

type part struct{ pages []page }

// A page has whole segments: a word, the number of its counts, and for each the other word and the bits of the logarithm of
// the count.
type page struct {
	memory int   // number of the page in memory; -1 if it is in the file
	at     int64 // in the file
	items  int
}

// Close frees memory and files.
func (p *Pairs) Close() error {
	if p == nil || p.file == nil {
		return nil
	}
	return p.file.Close()
}

// Parts returns the number of parts.
func (p *Pairs) Parts() int { return len(p.parts) }

// put adds a page to a part.
func (p *Pairs) put(to int, items []uint32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := page{memory: len(p.memory), items: len(items)}
	bytes := int64(4 * len(items))
	if p.used+bytes <= p.most {
		p.memory, p.used = append(p.memory, slices.Clone(items)), p.used+bytes
	} else {
		data, err := binary.Append(nil, binary.LittleEndian, items)
		if err != nil {
			return err
		}
		if err := spill(&p.file, p.folder, p.end, data); err != nil {
			return err
		}
		of.memory, of.at = -1, p.end
		p.end += bytes
	}
	p.parts[to].pages = append(p.parts[to].pages, of)
	return nil
}

// spill writes to a file, which it creates in the folder if it is nil.
func spill(file **scratch.File, folder string, at int64, data []byte) (err error) {
	if *file == nil {
		if *file, err = scratch.Create(folder, "w2v-counts-"); err != nil {
			return fmt.Errorf("counts of pairs of words do not fit into memory, and %s cannot hold them: %w", cmp.Or(folder, os.TempDir()), err)
		}
	}
	if _, err = (*file).WriteAt(data, at); err != nil {
		return fmt.Errorf("counts of pairs of words, in %s: %w", (*file).Folder, scratch.Cause(err))
	}
	return nil
}

// read appends the pages of a part to items.
func (p *Pairs) read(items []uint32, of int) ([]uint32, error) {
	for _, page := range p.parts[of].pages {
		if page.memory >= 0 {
			items = append(items, p.memory[page.memory]...)
			continue
		}
		data := make([]byte, 4*page.items)
		if _, err := p.file.ReadAt(data, page.at); err != nil {
			return nil, fmt.Errorf("counts of pairs of words, in %s: %w", p.file.Folder, scratch.Cause(err))
		}
		for i := range page.items {
			items = append(items, binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
	return items, nil
}

// partsOf returns the number of parts of the counts of so many chunks of text.
func partsOf(chunks int) int { return max(1, min(mostParts, chunks)) }

// Count counts the pairs of a text.
func Count(ctx context.Context, ids *vocab.IDs, words int, o Options) (*Pairs, error) {
	p := &Pairs{seed: o.Seed, parts: make([]part, partsOf(ids.Chunks())), weights: newWeights(o.XMax), most: cmp.Or(o.memory, mostMemory), folder: o.Folder, loaded: map[int64]*loaded{}}
	c := &counter{
		Options: o, ids: ids, words: words, pairs: p,
		span: text{most: cmp.Or(o.span, spanTokens)}, starts: make([]uint32, words+1),
	}
	for d := range min(o.Window, vocab.MaxSentence) {
		c.counts = append(c.counts, o.Mode.Reaches(d+1, o.Window))
	}
	err := c.count(ctx)
	if c.spilled != nil {
		err = errors.Join(err, c.spilled.Close())
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Zero /= float64(max(p.Len, 1))
	return p, nil
}

// A counter counts the text span by span. It sums what a word has next to it in a row of numbers, one for each word, and so
// needs no sorting. If there are several spans, the rows of each go to a file and are summed at the end.
type counter struct {
	Options
	ids    *vocab.IDs
	words  int
	counts []float64 // by distance, from 1
	pairs  *Pairs

	span    text
	chunk   int      // next to read
	starts  []uint32 // of each word among places
	places  []uint32 // in the span, by word
	spilled *scratch.File
	end     int64 // of spilled
	rows    []row // the last row of each word in spilled; nil before the first span is there
	mu      sync.Mutex
}

// A row is what a word has next to it in a span, in the file of rows. Before its sums is the row of the span before.
type row struct{ At, Len int64 }

const rowBytes = 16

// A text is ids with ends of sentences.
type text struct {
	ids  []uint32
	most int
}

func (c *counter) count(ctx context.Context) error {
	for {
		if err := c.read(); err != nil {
			return err
		}
		last := c.chunk == c.ids.Chunks()
		c.index()
		if last && c.rows == nil {
			return c.each(ctx, func(w *adder, word uint32) error {
				w.sum(word)
				return w.divide(word)
			})
		}
		if c.rows == nil {
			c.rows = make([]row, c.words)
		}
		if err := c.each(ctx, func(w *adder, word uint32) error {
			w.sum(word)
			return w.spill(word)
		}); err != nil {
			return err
		}
		if last {
			break
		}
	}
	c.span.ids, c.places = nil, nil
	return c.each(ctx, func(w *adder, word uint32) error {
		if err := w.merge(word); err != nil {
			return err
		}
		return w.divide(word)
	})
}

// read reads the next span.
func (c *counter) read() error {
	t, reader := &c.span, c.ids.Reader()
	t.ids = t.ids[:0]
	for ; c.chunk < c.ids.Chunks() && (len(t.ids) == 0 || len(t.ids) < t.most); c.chunk++ {
		g := random.Stream(c.Seed^0x636f756e74, uint64(c.chunk))
		for _, piece := range reader.Chunk(c.chunk) {
			begin := len(t.ids)
			for _, id := range piece {
				word := id &^ vocab.EndOfSentence
				if uint32(g.Next()>>32) <= c.Keep[min(int(word), len(c.Keep)-1)] {
					t.ids = append(t.ids, word)
				}
				if id&vocab.EndOfSentence != 0 {
					if n := len(t.ids); n > begin {
						t.ids[n-1] |= vocab.EndOfSentence
					}
					begin = len(t.ids)
				}
			}
		}
		if err := c.ids.Err(); err != nil {
			return err
		}
	}
	return nil
}

// index lists the places of each word in the span.
func (c *counter) index() {
	clear(c.starts)
	for _, id := range c.span.ids {
		c.starts[id&^vocab.EndOfSentence]++
	}
	sum := uint32(0)
	for word, n := range c.starts {
		c.starts[word], sum = sum, sum+n
	}
	c.places = slices.Grow(c.places[:0], len(c.span.ids))[:len(c.span.ids)]
	for at, id := range c.span.ids {
		word := id &^ vocab.EndOfSentence
		c.places[c.starts[word]] = uint32(at)
		c.starts[word]++
	}
	copy(c.starts[1:], c.starts) // each is the end now, where the next begins
	c.starts[0] = 0
}

// each calls do for each word, in parallel.
func (c *counter) each(ctx context.Context, do func(w *adder, word uint32) error) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Uint32
	for range max(c.Threads, 1) {
		g.Go(func() error {
			w := &adder{counter: c, sums: make([]float64, c.words), open: make([][]uint32, len(c.pairs.parts))}
			for {
				word := next.Add(1) - 1
				if word >= uint32(c.words) {
					return w.flush()
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(w, word); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// An adder sums the row of one word after the other.
type adder struct {
	*counter
	sums  []float64  // by word; 0 between rows
	near  []uint32   // words whose sums are not 0, as they came
	open  [][]uint32 // for each part, the page that is being filled
	spare []byte
	apart []spilled
	len   uint64
	zero  float64
}

// A spilled is a sum in the file.
type spilled struct {
	Word uint32
	Sum  float64
}

const spilledBytes = 12

func (w *adder) add(word uint32, x float64) {
	if w.sums[word] == 0 {
		w.near = append(w.near, word)
	}
	w.sums[word] += x
}

// sum sums the row of a word in the span.
func (w *adder) sum(word uint32) {
	ids := w.span.ids
	w.near = w.near[:0]
	for _, at := range w.places[w.starts[word]:w.starts[word+1]] {
		for d, x := range w.counts {
			q := int(at) - d - 1
			if q < 0 || ids[q]&vocab.EndOfSentence != 0 {
				break
			}
			w.add(ids[q], x)
		}
		for d, x := range w.counts {
			q := int(at) + d
			if ids[q]&vocab.EndOfSentence != 0 || q+1 == len(ids) {
				break
			}
			w.add(ids[q+1]&^vocab.EndOfSentence, x)
		}
	}
}

// spill writes the row of a word to the file, and clears it.
func (w *adder) spill(word uint32) error {
	if len(w.near) == 0 {
		return nil
	}
	sums := w.apart[:0]
	for _, other := range w.near {
		sums = append(sums, spilled{other, w.sums[other]})
		w.sums[other] = 0
	}
	w.apart = sums
	data, err := binary.Append(w.spare[:0], binary.LittleEndian, w.rows[word])
	if err == nil {
		data, err = binary.Append(data, binary.LittleEndian, sums)
	}
	if err != nil {
		return err
	}
	w.spare = data
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows[word] = row{w.end, int64(len(sums))}
	w.end += int64(len(data))
	return spill(&w.counter.spilled, w.Folder, w.rows[word].At, data)
}

// merge sums the rows of a word in all spans.
func (w *adder) merge(word uint32) error {
	w.near = w.near[:0]
	for of := w.rows[word]; of.Len > 0; {
		n := rowBytes + spilledBytes*int(of.Len)
		w.spare = slices.Grow(w.spare[:0], n)[:n]
		if _, err := w.counter.spilled.ReadAt(w.spare, of.At); err != nil {
			return fmt.Errorf("counts of pairs of words, in %s: %w", w.counter.spilled.Folder, scratch.Cause(err))
		}
		of = row{int64(binary.LittleEndian.Uint64(w.spare)), int64(binary.LittleEndian.Uint64(w.spare[8:]))}
		for sums := w.spare[rowBytes:]; len(sums) > 0; sums = sums[spilledBytes:] {
			w.add(binary.LittleEndian.Uint32(sums), math.Float64frombits(binary.LittleEndian.Uint64(sums[4:])))
		}
	}
	return nil
}

// divide divides the row of a word into segments, puts each in a random part, and clears the row.
func (w *adder) divide(word uint32) error {
	g := random.Stream(w.Seed^0x6469766964, uint64(word))
	for i := len(w.near) - 1; i > 0; i-- {
		k := g.Below(i + 1)
		w.near[i], w.near[k] = w.near[k], w.near[i]
	}
	for some := range slices.Chunk(w.near, ofSegment) {
		to := g.Below(len(w.open))
		if w.open[to] == nil {
			w.open[to] = make([]uint32, 0, pageItems)
		}
		items := 2 + 2*len(some)
		if len(w.open[to])+items > pageItems {
			if err := w.pairs.put(to, w.open[to]); err != nil {
				return err
			}
			w.open[to] = w.open[to][:0]
		}
		page := append(w.open[to], word, uint32(len(some)))
		for _, other := range some {
			log := math.Log(w.sums[other])
			w.zero += w.pairs.weights.ofCount(w.sums[other]) * log * log / 2
			w.sums[other] = 0
			page = append(page, other, math.Float32bits(float32(log)))
		}
		w.open[to] = page
		w.len += uint64(len(some))
	}
	return nil
}

// flush puts the open pages.
func (w *adder) flush() error {
	for to, items := range w.open {
		if len(items) > 0 {
			if err := w.pairs.put(to, items); err != nil {
				return err
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pairs.Len += w.len
	w.pairs.Zero += w.zero
	return nil
}
