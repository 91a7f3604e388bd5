package engine

import (
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// A worker of counts trains a share of them for each chunk of the corpus. So progress, checkpoints and evaluations have
// the places that they have in a text.

// newCounter makes the worker of that number.
func (r *Run) newCounter(number int) *Worker {
	words, contexts, cols, stride := r.Variant.Sides(r.Values)
	return &Worker{
		run:    r,
		number: number,
		step:   new(step.Step), // whose state is that of a step without drawn words
		chunks: newSequence(r),
		engine: ofCounts{},
		random: random.Stream(r.Variant.Run.Seed, uint64(number)),
		place:  Place{Chunk: Nowhere},
		counts: r.Counts.Trainer(words, contexts, cols, stride),
	}
}

// shareOf returns how many tokens of the corpus the counts of chunk i over all epochs stand for.
func (r *Run) shareOf(i int64) uint64 {
	tokens, chunks := r.IDs.Tokens(), uint64(r.IDs.Chunks())
	n := tokens / chunks
	if uint64(i)%chunks < tokens%chunks {
		n++
	}
	return n
}

// advanceCounts trains the next chunk.
func (w *Worker) advanceCounts() (trained Trained, more bool) {
	r := w.run
	chunks, epochs := int64(r.IDs.Chunks()), int64(r.Epochs)
	i := r.Next.Add(1) - 1
	if i >= chunks*epochs {
		return Trained{}, false
	}
	w.last = i >= chunks*(epochs-1)
	epoch := i / chunks
	permute := func(part, parts int64) int64 { return part }
	if r.Shuffle {
		permute = func(part, parts int64) int64 { return int64(permuted(uint64(part), uint64(parts), r.orderKey(epoch))) }
	}
	share := r.Counts.ShareOf(i%chunks, chunks, r.Workers, permute)
	share.Place += epoch * int64(r.Counts.Parts())
	if r.Shuffle {
		share.Epoch = epoch
	}
	pairs, loss := w.counts.Train(share, r.Rate())
	return Trained{Tokens: r.shareOf(i), Pairs: pairs, Loss: loss, Last: w.last}, true
}

// ofCounts is the engine of a worker that trains counts.
type ofCounts struct{}

func (ofCounts) load()                                              {}
func (ofCounts) store()                                             {}
func (ofCounts) close()                                             {}
func (ofCounts) train(step.Text, float32) (pairs int, loss float64) { return 0, 0 }
