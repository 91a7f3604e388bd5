package engine

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/counts"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Worker reads texts and trains them. It shares its fields with no other worker.
type Worker struct {
	run    *Run
	number int
	group  int  // of workers that share copies of rows
	leads  bool // the first worker of the group
	parts  variant.Worker
	step   *step.Step
	engine engine
	chunks sequence
	text   step.Text
	random random.Generator // of subsampling
	place  Place
	blocks uint64 // number of blocks trained
	paired bool   // a pair has occurred
	counts *counts.Trainer
	read   uint64 // tokens read since the text was begun
	last   bool   // in the last epoch

	piece  []uint32 // the chunk, if it is another process's; else nil
	pieces [1][]uint32
	first  int // tokens of that chunk before the piece
	owner  int // of that chunk
}

// A Place is where a worker continues: in a chunk, counted over all epochs, after so many of its tokens.
type Place struct {
	Chunk  int64 `json:"chunk"` // Nowhere if there is none
	Offset int   `json:"offset"`
}

// Nowhere is the chunk of a worker that will take the next chunk.
const Nowhere = -1

// NewWorker makes the worker of that number for training, with a stream of random numbers.
func (r *Run) NewWorker(number, stream int) *Worker {
	if r.Counts != nil {
		return r.newCounter(number)
	}
	w := r.NewReader(stream)
	w.number = number
	w.group, w.leads = r.groupOf(number)
	if r.Variant.ColumnParallel() {
		w.engine = newGroup(w)
	} else {
		w.engine = hogwild{w}
		w.step.Copy(w.parts.Parts, w.group)
		if r.Watch != nil {
			w.step.Watch()
		}
	}
	return w
}

// NewReader makes a worker that only measures losses.
func (r *Run) NewReader(stream int) *Worker {
	v := r.Variant
	parts := v.Worker(r.Values, r.Division)
	sampling, drawing := streams(v.Run.Seed, uint64(stream))
	w := &Worker{
		run:    r,
		parts:  parts,
		chunks: newSequence(r),
		step:   step.New(parts.Architecture, parts.Loss, parts.Composition, parts.Parts, v.Run, drawing),
		random: sampling,
		place:  Place{Chunk: Nowhere},
		text: step.Text{
			IDs:  make([]uint32, 0, step.MaxText),
			Rows: make([]uint32, step.MaxText),
			From: make([]int32, 0, step.MaxText),
			To:   make([]int32, 0, step.MaxText),
		},
	}
	if v.Texts() {
		w.text.Texts = &step.Texts{}
		w.text.Texts.Empty()
	}
	return w
}

// streams returns the generators of stream n of a seed: one for subsampling, one for windows and drawn words.
func streams(seed, n uint64) (sampling, drawing random.Generator) {
	return random.Stream(seed, 2*n+1), random.Stream(seed, 2*n)
}

// Call Load after other code has changed the parameters, and Store before other code reads them. Close ends
// the worker's goroutines.
func (w *Worker) Load()  { w.engine.load() }
func (w *Worker) Store() { w.engine.store() }
func (w *Worker) Close() { w.engine.close() }

// Trained says what a worker has trained.
type Trained struct {
	Tokens uint64 // tokens read, including those that subsampling dropped
	Pairs  int    // pairs of an input and a target, in some blocks
	Loss   float64
	Last   bool // in the last epoch
}

// Advance reads the next text and trains it, and reports whether there was one. Between two texts the worker
// has no pending work: its State is all that it needs to continue.
func (w *Worker) Advance() (trained Trained, more bool) {
	r := w.run
	if w.counts != nil {
		return w.advanceCounts()
	}
	if w.place.Chunk == Nowhere && !w.next() {
		return Trained{}, false
	}
	chunk := w.ids()
	if r.IDs.Err() != nil { // the worker stays where it is, for a run that goes on
		return Trained{}, false
	}
	n, end := w.gather(chunk, w.place.Offset)
	w.place.Offset += n
	w.count(end)
	if end {
		w.place = Place{Chunk: Nowhere}
	}
	return w.train(), true
}

// gather appends sentences of a chunk, after so many of its tokens, to the text, as long as another sentence
// certainly fits. It returns the number of tokens that it took, and whether they end the chunk.
func (w *Worker) gather(chunk [][]uint32, offset int) (n int, end bool) {
	t := &w.text
	if t.Texts != nil {
		return w.gatherTexts(chunk, offset)
	}
	t.IDs = t.IDs[:step.MaxText]
	defer func() { t.IDs = t.IDs[:len(t.From)] }()
	keep, start, now := w.run.Keep, 0, 0
	for _, ids := range chunk {
		if offset >= len(ids) {
			offset -= len(ids)
			continue
		}
		for _, id := range ids[offset:] {
			word := id &^ vocab.EndOfSentence
			n++
			// A branch on dropped tokens could not be predicted, so there is none.
			t.IDs[now] = word
			kept := 0
			if uint32(w.random.Next()>>32) <= keep[min(int(word), len(keep)-1)] {
				kept = 1
			}
			now += kept
			if id&vocab.EndOfSentence == 0 {
				continue
			}
			for range now - start {
				t.From = append(t.From, int32(start))
				t.To = append(t.To, int32(now))
			}
			start = now
			if now > step.MaxText-vocab.MaxSentence {
				w.read += uint64(n)
				return n, false
			}
		}
		offset = 0
	}
	w.read += uint64(n)
	return n, true
}

// gatherTexts is gather for whole texts: it takes whole blocks until these have some tokens.
func (w *Worker) gatherTexts(chunk [][]uint32, offset int) (n int, end bool) {
	t, of := w.text.Texts, w.run.Labels
	block := w.parts.Division.Step()
	for _, ids := range chunk {
		if offset >= len(ids) {
			offset -= len(ids)
			continue
		}
		for _, id := range ids[offset:] {
			n++
			switch is := of.Of[id&^vocab.EndOfSentence]; {
			case is >= 0:
				t.Words = append(t.Words, uint32(is))
			case is != Dropped && len(t.Labels)-t.LabelEnds[len(t.LabelEnds)-1] < step.MaxLabels:
				t.Labels = append(t.Labels, uint32(-1-is))
			}
			if id&vocab.EndOfSentence == 0 {
				continue
			}
			w.endText()
			if texts := len(w.text.IDs); texts == step.MaxText || n >= step.TextTokens && texts > 0 && texts%block == 0 {
				w.read += uint64(n)
				return n, false
			}
		}
		offset = 0
	}
	w.read += uint64(n)
	return n, true
}

// endText ends the last text, and leaves it out if it has no label.
func (w *Worker) endText() {
	t := w.text.Texts
	labels := t.Labels[t.LabelEnds[len(t.LabelEnds)-1]:]
	if len(labels) == 0 {
		t.Words = t.Words[:t.WordEnds[len(t.WordEnds)-1]]
		return
	}
	weight := float32(1)
	if all := w.run.Labels.Weights; all != nil {
		weight = 0
		for _, label := range labels {
			weight += all[label] / float32(len(labels))
		}
	}
	t.WordEnds, t.LabelEnds, t.Weights = append(t.WordEnds, len(t.Words)), append(t.LabelEnds, len(t.Labels)), append(t.Weights, weight)
	w.text.IDs = append(w.text.IDs, labels[0])
}

func (w *Worker) empty() {
	w.read = 0
	if w.text.Texts != nil {
		w.text.Texts.Empty()
	}
	w.text.IDs, w.text.From, w.text.To = w.text.IDs[:0], w.text.From[:0], w.text.To[:0]
}

func (w *Worker) train() Trained {
	pairs, loss := w.engine.train(w.text, w.run.Rate())
	trained := Trained{Tokens: w.read, Pairs: pairs, Loss: loss, Last: w.last}
	w.empty()
	return trained
}

// A State is the state of a worker between two texts. It is JSON in a checkpoint.
type State struct {
	Place
	Sampling uint64   `json:"sampling"` // the generator of subsampling
	Drawing  uint64   `json:"drawing"`  // the generator of windows and drawn words
	Ahead    []uint32 `json:"ahead"`    // words drawn for the next block
	Blocks   uint64   `json:"blocks"`
	Paired   bool     `json:"paired"`
	Last     bool     `json:"last_epoch"`
}

// State returns the state of a worker that is between two texts.
func (w *Worker) State() State {
	return State{
		Place:    w.place,
		Sampling: uint64(w.random),
		Drawing:  uint64(w.step.Random),
		Ahead:    slices.Clone(w.step.Ahead),
		Blocks:   w.blocks,
		Paired:   w.paired,
		Last:     w.last,
	}
}

// Restore sets the state of the worker to s. epochs is the number of epochs of the run when s was taken.
// Restore the run's Next first. If Restore returns an error, s refers to missing chunks or words, and the
// worker must not be used.
func (w *Worker) Restore(s State, epochs int) error {
	r := w.run
	chunks := int64(r.IDs.Chunks())
	if s.Chunk < Nowhere || s.Chunk >= r.Next.Load() {
		return fmt.Errorf("is in chunk %d, of which %d were begun", s.Chunk, r.Next.Load())
	}
	if s.Chunk != Nowhere && !endsSentence(w.chunks.chunk(s.Chunk), s.Offset) {
		return fmt.Errorf("is behind %d tokens of a chunk, where no sentence ends", s.Offset)
	}
	if len(s.Ahead) != len(w.step.Ahead) {
		return fmt.Errorf("has %d negatives drawn, expected %d", len(s.Ahead), len(w.step.Ahead))
	}
	for _, id := range s.Ahead {
		if uint64(id) >= uint64(r.Words) {
			return fmt.Errorf("has drawn word %d of %d", id, r.Words)
		}
	}
	w.place, w.piece = s.Place, nil
	w.random, w.step.Random = random.Generator(s.Sampling), random.Generator(s.Drawing)
	w.step.SetAhead(s.Ahead)
	w.blocks, w.paired, w.last = s.Blocks, s.Paired, s.Last
	w.empty()
	if epochs != r.Epochs { // the last epoch is another one now
		w.last = s.Chunk >= chunks*int64(r.Epochs-1)
	}
	return nil
}

// endsSentence reports whether the first n tokens of a chunk are whole sentences.
func endsSentence(chunk [][]uint32, n int) bool {
	for _, ids := range chunk {
		if n <= len(ids) {
			return n == 0 || n > 0 && ids[n-1]&vocab.EndOfSentence != 0
		}
		n -= len(ids)
	}
	return false
}

// hogwild trains the texts of one worker on matrices that others change too (Recht et al. 2011).
type hogwild struct{ worker *Worker }

func (h hogwild) load() {
	if h.worker.leads {
		h.worker.step.Load()
	}
}

func (h hogwild) store() {
	if h.worker.leads {
		h.worker.step.Store()
	}
}

func (hogwild) close() {}

func (h hogwild) train(t step.Text, rate float32) (pairs int, loss float64) {
	w := h.worker
	w.step.Take()
	pairs, loss = w.pass(t, func(first, last int) (int, float64) { return w.trainSpan(t, first, last, rate) })
	w.step.Give()
	return pairs, loss
}

// lossEvery is the mean number of blocks of which one computes its loss. Blocks are chosen at random, because
// the corpus may be periodic. Until the first pair, all blocks compute their loss, so that pairs are counted
// if there are any.
const lossEvery = 32

// pass calls span for each span of a text, and returns the sums of its results.
func (w *Worker) pass(t step.Text, span func(first, last int) (pairs int, loss float64)) (pairs int, loss float64) {
	length := w.parts.Composition.Span()
	for first := 0; first < len(t.IDs); first += length {
		last := min(first+length, len(t.IDs))
		w.parts.Composition.Begin(t, first, last, w.parts.Division.Centres)
		p, l := span(first, last)
		pairs += p
		loss += l
	}
	return pairs, loss
}

// roundingSeed returns the seed for rounding 16-bit rows after a block.
func (w *Worker) roundingSeed() uint32 {
	return uint32(random.Mix(random.Mix(w.run.Variant.Run.Seed)+w.blocks) >> 32)
}

// trainSpan trains centres, and returns the number of pairs of some blocks, and their loss.
func (w *Worker) trainSpan(t step.Text, first, last int, rate float32) (pairs int, loss float64) {
	c, centres := w.parts.Composition, w.parts.Division.Centres
	for k := 0; first < last; k++ {
		c.Compose(k)
		w.blocks++
		wantLoss := random.Mix(w.blocks)%lossEvery == 0 || !w.paired
		p, l := w.step.Train(t, first, min(first+centres, last), last, rate, wantLoss)
		w.paired = w.paired || p > 0
		if w.run.Watch != nil {
			w.run.Watch(w.number, w.step.Accesses)
		}
		if wantLoss {
			pairs += p
			loss += l
		}
		c.Scatter(k, w.roundingSeed())
		first += centres
	}
	return pairs, loss
}

// A slot has the data of a block in a super-step, until all its updates are made.
type slot struct {
	batch     step.Batch
	window    step.Windows
	number    uint64 // of the block
	random    random.Generator
	found     int            // number of pairs of an input and a target
	all       []uint32       // rows of positives and negatives, to be scored
	scores    []float32      // by segment, row and lane
	part      int            // number of scores of a segment
	objective step.Objective // nil for logistic regression
	pairs     int            // number of pairs, if the loss was wanted
	loss      float64
	again     step.Scores
}

func newSlot(w *Worker) *slot {
	parts := w.parts.Another(w.run.Variant)
	segments := w.run.Variant.Run.Pooling.Parts() * (len(parts.Division.Segments) - 1)
	positives, negatives := parts.Loss.Pairs()
	rows := positives + negatives
	s := &slot{
		batch:  step.NewBatch(parts.Architecture, parts.Loss, parts.Parts, 1, true),
		window: step.WindowsOf(w.run.Variant.Run),
		all:    make([]uint32, 0, step.WholeLines(rows)),
		scores: vectors.NewMatrix(segments*rows, simd.Lanes).Data,
		part:   rows * simd.Lanes,
	}
	s.again, s.objective = s.score, parts.Loss.Objective()
	return s
}

// prepare fills the slot for block n, with the centres at positions first to last-1 of the text.
func (s *slot) prepare(g *group, n uint64, first, last int) {
	s.number = n
	s.random = random.Stream(g.seed, n)
	s.batch.Draw(s.batch.Drawn, &s.random)
	window := s.window.Draw(&s.random)
	s.batch.Reseed(&s.random)
	s.found = s.batch.Prepare(g.text, first, last, window, g.rate)
	s.all = append(append(s.all[:0], s.batch.Positives.Rows...), s.batch.Negatives.Rows...)
}

// errors computes the errors of the block's pairs, and their loss if wantLoss is true.
func (s *slot) errors(rate float32, wantLoss bool) {
	b, parts := &s.batch, len(s.scores)/s.part
	loss := 0.0
	if s.objective != nil {
		loss = s.ofObjective(wantLoss)
	} else {
		loss = simd.ErrorsOfScores(b.Positives.Errors[0], s.scores, s.part, parts, b.Positives.Kernels(true), wantLoss)
		loss += simd.ErrorsOfScores(b.Negatives.Errors[0], s.ofNegatives(), s.part, parts, b.Negatives.Kernels(false), wantLoss)
	}
	loss -= b.Settle(wantLoss, s.again)
	if rate > 0 {
		loss /= float64(rate)
	}
	s.pairs, s.loss = 0, 0
	if wantLoss {
		s.pairs, s.loss = s.found, loss
	}
}

// ofObjective computes the errors by an objective, from the sums of all segments' scores.
func (s *slot) ofObjective(wantLoss bool) (loss float64) {
	b := &s.batch
	n := (len(b.Positives.Rows) + len(b.Negatives.Rows)) * simd.Lanes
	sums := s.scores[:n]
	for k := s.part; k < len(s.scores); k += s.part {
		for i, x := range s.scores[k:][:n] {
			sums[i] += x
		}
	}
	for _, of := range []struct {
		pairs    *step.Pairs
		scores   []float32
		positive bool
	}{{&b.Positives, sums, true}, {&b.Negatives, s.ofNegatives(), false}} {
		if len(of.pairs.Rows) > 0 {
			pairs := of.pairs.Kernels(of.positive)
			loss += s.objective.Errors(of.pairs.Errors[0], of.scores, pairs, wantLoss)
			pairs.Round(of.pairs.Errors[0])
		}
	}
	return loss
}

// ofNegatives returns the scores of negatives, which follow those of positives.
func (s *slot) ofNegatives() []float32 { return s.scores[len(s.batch.Positives.Rows)*simd.Lanes:] }

// score returns the score of a row of pairs and a centre.
func (s *slot) score(of *step.Pairs, row, centre, _ int) (sum float32) {
	scores := s.scores
	if of == &s.batch.Negatives {
		scores = s.ofNegatives()
	}
	scores = scores[row*simd.Lanes+centre:]
	for k := 0; k < len(scores); k += s.part {
		sum += scores[k]
	}
	return sum
}
