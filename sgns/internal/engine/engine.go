// Package engine trains texts. Workers read a corpus independently of each other. They train it either with
// their own steps on matrices that all share without locks (Hogwild), or with a column-parallel group of
// goroutines whose result does not depend on the number of goroutines.
package engine

import (
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/counts"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vocab"
)

// A Run has what all workers share.
type Run struct {
	Variant  *variant.Variant
	Values   *params.Values
	Division step.Division
	IDs      *vocab.IDs // the corpus
	Epochs   int
	Shuffle  bool           // each epoch has its own order of chunks and of the sentences in a chunk
	Next     atomic.Int64   // the next chunk to train, counted over all epochs
	Shared   *Shared        // other processes take chunks too; nil if they do not
	Workers  int            // how many train
	Words    int            // number of outputs: words of the vocabulary, or labels
	Labels   *Labels        // nil unless inputs are texts
	Counts   *counts.Pairs  // what is trained instead of the text; nil if it is the text
	Groups   []int          // for each worker, the group with which it shares copies of rows: see step.Copies
	Keep     []uint32       // see Thresholds
	Rate     func() float32 // returns the current learning rate

	// Watch is called by a worker after each block, with what calls visit for the rows that the block has used;
	// nil for never. It is for measuring.
	Watch func(worker int, used func(visit func(step.Access)))
}

// Labels say which ids of a corpus are labels of the text that they are in.
type Labels struct {
	Vocab   *vocab.Vocab
	Of      []int32   // for each id, the number of a word, or -1 minus that of a label, or Dropped
	Weights []float32 // for each label, the weight of its texts; nil for 1
}

// Dropped is a token that does not count.
const Dropped = math.MinInt32

// Thresholds converts the probabilities with which words are kept to the list Keep: an occurrence of a word
// is kept if 32 random bits do not exceed the word's threshold. Words beyond the end of the list have the
// last threshold. Only frequent words are ever dropped, so the list is short and fits into a near cache.
func Thresholds(keep []float64) []uint32 {
	n := len(keep)
	for n > 1 && keep[n-1] == keep[n-2] {
		n--
	}
	limits := make([]uint32, n)
	for id, p := range keep[:n] {
		limits[id] = uint32(p * (1<<32 - 1))
	}
	return limits
}

type engine interface {
	// train trains a text. It returns the number of pairs in some blocks, and their loss.
	train(t step.Text, rate float32) (pairs int, loss float64)
	// Call load after other code has changed the parameters, and store before other code reads them.
	load()
	store()
	// close ends the goroutines of the engine.
	close()
}

// groupOf returns the group of a worker, and whether the worker is the first of its group.
func (r *Run) groupOf(worker int) (group int, first bool) {
	if worker >= len(r.Groups) {
		return 0, true
	}
	group = r.Groups[worker]
	return group, worker == 0 || r.Groups[worker-1] < group
}

// mostSegments is the largest number of segments of columns, and so of goroutines of a group.
const mostSegments = 8

// Segments returns the first column of each segment, followed by the number of columns. Scores are summed
// segment by segment, so the segments must not depend on the number of goroutines. The number of segments is
// a power of two, which most numbers of goroutines divide evenly. Narrow segments cost time, less so if words
// are made of pieces, where most time goes to composing words.
func Segments(dim int, pieces bool) (first []int) {
	lines, least := (dim+simd.Lanes-1)/simd.Lanes, 3 // cache lines in a row, and the smallest number in a segment
	if pieces {
		least = 2
	}
	n := 1
	for n < mostSegments && 2*n*least <= lines+1 {
		n *= 2
	}
	for i := range n {
		first = append(first, simd.Lanes*(lines*i/n))
	}
	return append(first, dim)
}

// Goroutines returns how many goroutines train with so many threads: at most one for each segment.
func Goroutines(threads int, segments []int) int {
	return max(min(threads, runtime.GOMAXPROCS(0), len(segments)-1), 1)
}

// Bytes is the size of a worker. Outputs are words or labels. Words are made of the rows of table.
func Bytes(v *variant.Variant, d step.Division, list params.List, outputs *vocab.Vocab, table *rowtable.Table) float64 {
	const position, rest = 4 * 4, 1024 // bytes of a position of a text, and a constant part
	bytes := v.Bytes(d, list, outputs, table) + position*step.MaxText + rest
	if v.ColumnParallel() {
		bytes += groupBytes(v, d, outputs)
	}
	return bytes
}

// MaxCentres is the largest number of centres in a block: see docs/benchmarks.md.
const MaxCentres = simd.Lanes

// Divide returns the division of work that suits a vocabulary or, for texts, labels. Sizes that are given stay unchanged.
func Divide(v *variant.Variant, words *vocab.Vocab, table *rowtable.Table, keep []float64, given step.Division) step.Division {
	d := given
	if v.Texts() {
		return divideTexts(v, words, d)
	}
	overlapping := overlap(words, table, keep)
	if d.Centres == 0 {
		d.Centres = centresFor(overlapping)
	}
	if d.Draws == 0 {
		d.Draws, d.Threshold = v.Draws(), v.Threshold()
	}
	if d.Projection == 0 {
		d.Projection = v.Composition.ProjectionRate()
	}
	if v.ColumnParallel() {
		if d.SuperStep == 0 {
			d.SuperStep = superStepFor(overlapping, d.Centres)
		}
		d.Segments = Segments(v.Run.Dim, v.Run.Subword != nil)
	} else {
		d.SuperStep = 0
	}
	if d.Cached == 0 && !table.Identity() {
		d.Cached = cachedFor(overlapping, d.Step())
	}
	return d
}

// cachedTexts is for how many texts the rows are listed at a time.
const cachedTexts = 4 * MaxCentres

// Texts share many rows: a word of one is in the next. All gradients of a block are taken at its start and then added,
// so large blocks go too far at learning rates that suit single texts. Most time goes to the rows of texts, so small
// blocks take no more of it, unless a block scores very many labels, whose rows it reads once.
const (
	fewTexts   = 4
	manyLabels = 1000
)

// divideTexts is Divide for whole texts with these labels.
func divideTexts(v *variant.Variant, labels *vocab.Vocab, d step.Division) step.Division {
	if d.Centres == 0 {
		d.Centres = fewTexts
		if _, negatives := v.Loss.Most(1, 1, labels); negatives > manyLabels {
			d.Centres = MaxCentres
		}
	}
	if d.Draws == 0 {
		d.Draws = v.Draws()
	}
	d.SuperStep = 0
	if v.ColumnParallel() {
		d.SuperStep, d.Segments = 1, Segments(v.Run.Dim, true)
	}
	if d.Cached == 0 {
		d.Cached = max(cachedTexts/d.Centres, 1) * d.Centres
	}
	return d
}

// overlap returns how much the input vector of a token moves, on average, when another token is trained: the
// expected sum, over the rows they share, of one token's gradient and the other token's weight. It is 1 for
// the token itself, about 0.005 for two tokens of English or German text with n-grams, and near 1 if all
// tokens begin with the same characters, as URLs or item numbers may.
func overlap(v *vocab.Vocab, table *rowtable.Table, keep []float64) float64 {
	var total float64
	for w, p := range keep {
		total += p * float64(v.Count(w))
	}
	trained := make([]float64, table.Rows()) // by an average token
	used := make([]float64, table.Rows())    // in an average token
	for w, p := range keep {
		p *= float64(v.Count(w)) / total
		rows, weights := table.Of(uint32(w))
		for i, r := range rows {
			trained[r] += p
			used[r] += p * float64(weights[i])
		}
	}
	var sum float64
	for r := range used {
		sum += trained[r] * used[r]
	}
	return sum
}

// centresFor returns the number of centres of a step. All gradients of a step are taken at its start and then
// added, so tokens that move together move too far. The number limits the step of such tokens to about twice
// that of one token.
func centresFor(overlap float64) int {
	return min(MaxCentres, 1+int(1/max(overlap, 1e-9)))
}

// maxSuperStep is the largest number of blocks in a super-step. With 8 blocks, training was no faster than
// with 4, and learned slightly less: see docs/benchmarks.md.
const maxSuperStep = 4

// superStepFor returns the number of blocks of so many centres in a super-step of a group. The blocks of a
// super-step do not see each other's changes. The number limits unseen changes to a third of the movement of
// one token.
func superStepFor(overlap float64, centres int) int {
	blocks := 1 + int(1/max(3*overlap, 1e-9))/centres
	return min(blocks, maxSuperStep)
}

// cachedFor returns for how many tokens, in whole blocks, vectors of words are composed once. Within such a
// span a word does not see changes by other words to shared rows, so tokens that move together move too far,
// as in a step. The number limits unseen changes of a word to about twice the movement of one token.
func cachedFor(overlap float64, centres int) int {
	blocks := int(2/max(overlap, 1e-9)) / centres
	return min(max(blocks, 1), step.MaxText/centres) * centres
}

// ChunkAt returns the chunk of the corpus that is chunk i over all epochs. With Shuffle, each epoch has its
// own order of chunks, which depends only on the seed, the epoch and the number of chunks. So i is all that a
// checkpoint needs to store of a place.
func (r *Run) ChunkAt(i int64) int {
	n := int64(r.IDs.Chunks())
	if !r.Shuffle {
		return int(i % n)
	}
	return int(permuted(uint64(i%n), uint64(n), r.orderKey(i/n)))
}

func (r *Run) orderKey(epoch int64) uint64 {
	const order = 0x6f72646572
	return random.Mix(random.Mix(r.Variant.Run.Seed^order) + uint64(epoch))
}

// permuted returns where a permutation of 0…n-1 takes i. A Feistel network permutes the numbers of
// an even number of bits. It is applied again while the result is n or more.
func permuted(i, n, key uint64) uint64 {
	half := (bits.Len64(n-1) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for round := range uint64(4) {
			left, right = right, left^random.Mix(key+round<<56+right)&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}

type sequence struct {
	run    *Run
	reader *vocab.ChunkReader
	at     int64 // number of the chunk in pieces; Nowhere if there is none
	pieces [1][]uint32
	buf    []uint32
	starts []int32
	order  []int32 // of sentences
	mix    mix
}

func newSequence(r *Run) sequence { return sequence{run: r, reader: r.IDs.Reader(), at: Nowhere} }

// chunk returns chunk i over all epochs, valid until the next call. With Shuffle, its sentences are shuffled.
func (s *sequence) chunk(i int64) [][]uint32 {
	if !s.run.Shuffle {
		return s.reader.Chunk(s.run.ChunkAt(i))
	}
	if s.at == i {
		return s.pieces[:]
	}
	s.buf = s.buf[:0]
	chunks := int64(s.run.IDs.Chunks())
	stream := uint64(i % chunks)
	if s.run.mixes() {
		s.run.mixed(&s.mix, s.reader, i, func(text []uint32) { s.buf = append(s.buf, text...) })
	} else {
		number := s.run.ChunkAt(i)
		stream = uint64(number)
		for _, piece := range s.reader.Chunk(number) {
			s.buf = append(s.buf, piece...)
		}
	}
	s.shuffle(random.Stream(s.run.orderKey(i/chunks), stream))
	s.at = i
	return s.pieces[:]
}

// mostMixed is how many chunks are mixed. Each is read as often in an epoch. If a corpus is sorted by label, the texts of
// a chunk have one label, and training would learn and forget one label after the other.
const mostMixed = 8

// mixes reports whether texts of several chunks are mixed.
func (r *Run) mixes() bool { return r.Labels != nil && r.Shuffle }

// A mix is the chunks that are mixed, one after the other.
type mix struct {
	first int64 // the first of them, over all epochs
	ids   []uint32
	texts []int // the ends of texts among the ids
	ends  []int // those of chunks among the texts; empty if nothing has been read
}

// read reads the chunks that are mixed with chunk i over all epochs.
func (m *mix) read(r *Run, reader *vocab.ChunkReader, i int64) {
	n := int64(r.IDs.Chunks())
	first := i - i%n%mostMixed
	if m.first == first && len(m.ends) > 0 {
		return
	}
	m.first, m.ids, m.texts, m.ends = first, m.ids[:0], m.texts[:0], m.ends[:0]
	for c := range min(mostMixed, n-first%n) {
		for _, piece := range reader.Chunk(r.ChunkAt(first + c)) {
			for k, id := range piece {
				if id&vocab.EndOfSentence != 0 {
					m.texts = append(m.texts, len(m.ids)+k+1)
				}
			}
			m.ids = append(m.ids, piece...)
		}
		m.ends = append(m.ends, len(m.texts))
	}
	if r.IDs.Err() != nil { // the next call reads again
		m.ends = m.ends[:0]
	}
}

// mixed calls use with the texts of chunk i over all epochs, if texts are mixed: of each of some chunks that follow each
// other in the order of the epoch, it has every so many-th text.
func (r *Run) mixed(m *mix, reader *vocab.ChunkReader, i int64, use func(text []uint32)) {
	m.read(r, reader, i)
	every, part, first := len(m.ends), int(i-m.first), 0
	for chunk, end := range m.ends { // texts are counted from another number in each chunk, so that chunks give their first texts to different ones
		for text := first + (part-chunk+every)%every; text < end; text += every {
			begin := 0
			if text > 0 {
				begin = m.texts[text-1]
			}
			use(m.ids[begin:m.texts[text]])
		}
		first = end
	}
}

// Lengths tells the lengths of chunks.
type Lengths struct{ from sequence }

// Lengths returns the lengths of the chunks of all epochs.
func (r *Run) Lengths() *Lengths { return &Lengths{newSequence(r)} }

// Of returns the number of tokens of chunk i over all epochs.
func (l *Lengths) Of(i int64) (n uint64) {
	s := &l.from
	if s.run.Counts != nil {
		return s.run.shareOf(i)
	}
	if s.run.mixes() {
		s.run.mixed(&s.mix, s.reader, i, func(text []uint32) { n += uint64(len(text)) })
		return n
	}
	for _, ids := range s.reader.Chunk(s.run.ChunkAt(i)) {
		n += uint64(len(ids))
	}
	return n
}

// shuffle makes pieces of the sentences in the buffer, in random order.
func (s *sequence) shuffle(g random.Generator) {
	s.starts = append(s.starts[:0], 0)
	n := len(s.buf)
	for i, id := range s.buf {
		if id&vocab.EndOfSentence != 0 {
			s.starts = append(s.starts, int32(i+1))
		}
	}
	sentences := len(s.starts) - 1
	order := s.order[:0]
	for i := range sentences {
		order = append(order, int32(i))
	}
	for i := sentences - 1; i > 0; i-- {
		k := g.Below(i + 1)
		order[i], order[k] = order[k], order[i]
	}
	s.order = order
	for _, k := range order {
		s.buf = append(s.buf, s.buf[s.starts[k]:s.starts[k+1]]...)
	}
	s.pieces[0] = s.buf[n:]
}

// heldOut returns the generators for a chunk of held-out text, the same for every run.
func heldOut(chunk uint64) (sampling, drawing random.Generator) {
	const seed = 0x68656c64206f7574
	return random.Stream(seed, 2*chunk), random.Stream(seed, 2*chunk+1)
}

// HasPairs reports whether held-out text has any pair to measure.
func (w *Worker) HasPairs(ids *vocab.IDs) (found bool) {
	r := ids.Reader()
	for i := 0; i < ids.Chunks() && !found; i++ {
		w.random, _ = heldOut(uint64(i))
		for offset, end := 0, false; !end; {
			var n int
			n, end = w.gather(r.Chunk(i), offset)
			offset += n
			found = found || w.run.Labels != nil && len(w.text.IDs) > 0
			for k, from := range w.text.From {
				found = found || w.text.To[k]-from > 1
			}
			w.empty()
		}
	}
	return found
}

// Measure returns the total loss of the pairs in a chunk of held-out text, and their number.
func (w *Worker) Measure(chunk [][]uint32, number uint64) (loss float64, pairs int) {
	w.random, w.step.Random = heldOut(number)
	w.step.DrawAhead()
	w.step.Take()
	for offset, end := 0, false; !end; {
		var n int
		n, end = w.gather(chunk, offset)
		offset += n
		t := w.text
		p, l := w.pass(t, func(first, last int) (int, float64) { return w.measureSpan(t, first, last) })
		w.empty()
		loss += l
		pairs += p
	}
	return loss, pairs
}

// measureSpan returns the number of pairs of the centres at positions first to last-1, and their loss.
func (w *Worker) measureSpan(t step.Text, first, last int) (pairs int, loss float64) {
	centres := w.parts.Division.Centres
	for k := 0; first < last; k++ {
		w.parts.Composition.Compose(k)
		p, l := w.step.Score(t, first, min(first+centres, last), w.step.Draw(), nil, 1, true)
		pairs += p
		loss += l
		first += centres
	}
	return pairs, loss
}

// A Reading reads the sentences of a run in training order: see Worker.AdvanceIn.
type Reading struct {
	run    *Run
	chunks sequence
	Place  // start of the next sentence
}

// NewReading returns a reading of all epochs.
func (r *Run) NewReading() *Reading { return &Reading{run: r, chunks: newSequence(r)} }

// Next returns the next sentence, whose last id has vocab.EndOfSentence set, and whether the sentence is in
// the last epoch. After the last epoch it returns nil. The sentence is valid until the next call.
func (x *Reading) Next() (sentence []uint32, last bool) {
	chunks := int64(x.run.IDs.Chunks())
	for x.Chunk < chunks*int64(x.run.Epochs) {
		offset := x.Offset
		for _, ids := range x.chunks.chunk(x.Chunk) {
			if offset >= len(ids) {
				offset -= len(ids)
				continue
			}
			n := offset
			for n < len(ids) && ids[n]&vocab.EndOfSentence == 0 {
				n++
			}
			sentence = ids[offset:min(n+1, len(ids))]
			x.Offset += len(sentence)
			return sentence, x.Chunk >= chunks*int64(x.run.Epochs-1)
		}
		x.Place = Place{Chunk: x.Chunk + 1}
	}
	return nil, true
}

// Begin starts a piece of text with this stream of random numbers. Words are drawn anew.
func (w *Worker) Begin(stream uint64) {
	w.random, w.step.Random = streams(w.run.Variant.Run.Seed, stream)
	w.step.DrawAhead()
}

// AdvanceIn trains the first text of ids, which are whole sentences. It returns how many ids it trained.
func (w *Worker) AdvanceIn(ids []uint32, last bool) (trained Trained, n int) {
	if len(ids) == 0 {
		return Trained{}, 0
	}
	w.paired = w.paired && w.last == last
	w.last = last
	piece := [1][]uint32{ids}
	n, _ = w.gather(piece[:], 0)
	return w.train(), n
}
