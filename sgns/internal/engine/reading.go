package engine

import "github.com/w2v-go/w2v/corpus"

// A Reading reads the sentences of a run in the order in which they are trained, for one who gives
// them to workers piece by piece: see Worker.AdvanceIn.
type Reading struct {
	run    *Run
	chunks sequence
	Place  // where the next sentence begins
}

// NewReading returns a reading of all epochs.
func (r *Run) NewReading() *Reading { return &Reading{run: r, chunks: newSequence(r)} }

// Next returns the next sentence, whose last id has corpus.EndOfSentence set, and whether it is in
// the last epoch. The sentence is nil behind the last epoch. It is valid until the next call.
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
			for n < len(ids) && ids[n]&corpus.EndOfSentence == 0 {
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

// Begin begins a piece of text: the worker's random numbers are from now on those of a stream of the
// run's seed, and words are drawn anew.
func (w *Worker) Begin(stream uint64) {
	w.random, w.step.Random = streams(w.run.Variant.Run.Seed, stream)
	w.step.DrawAhead()
}

// AdvanceIn trains the next text of whole sentences that are in order behind so many of their ids. It
// returns how many ids it took, at least one unless there are none left.
func (w *Worker) AdvanceIn(ids []uint32, offset int, last bool) (trained Trained, n int) {
	if offset >= len(ids) {
		return Trained{}, 0
	}
	w.paired = w.paired && w.last == last
	w.last = last
	piece := [1][]uint32{ids}
	n, _ = w.gather(piece[:], offset)
	return w.train(), n
}
