package train

import (
	"cmp"
	"errors"
	"io"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// saved estimates the files of a model, and the time to write it.
func (e *planner) saved(r *run, plan sgns.Plan, model *sgns.Model) error {
	set := r.settings.described(model.Vectors)
	shape := shapeOf(r.settings.Model, e.vocab, plan)
	if shape.Listed > 0 {
		shape.Listed += listedBuckets(set, shape.Rows*shape.RowBytes/floatBytes) - shape.Buckets
	}
	size, checkpoint := r.fileSizes(shape, plan)
	e.plan.Checkpoint += checkpoint // those of all parts stay until the end
	e.plan.CheckpointMost = e.plan.Checkpoint + checkpoint
	if r != e.run && set.Subword() != nil {
		e.plan.Model = e.mergedSize(set)
	}
	if r == e.run {
		e.plan.Model = cmp.Or(size, format.EstimateSize("model.w2v", shape, format.W2V))
		out := &limitedWriter{left: 64 << 20}
		cpu := sysinfo.CPUTime()
		if of, err := format.Describe(r.format); err == nil && !of.Several {
			_ = format.Encode(out, set, r.format) // it ends early
		}
		if took := (sysinfo.CPUTime() - cpu).Seconds(); out.written > 0 {
			e.save = took * max(1, float64(e.plan.Model)/float64(out.written))
		}
		return errors.Join(set.Close(), model.Close())
	}
	e.sets = append(e.sets, set) // a recipe keeps it
	return nil
}

// mergedSize returns the size of the model that a recipe merges, whose words and n-grams are those of a part.
func (e *planner) mergedSize(part *vectors.Set) uint64 {
	dim := e.run.settings.Model.Dim
	shape := part.Shape()
	used := make([]bool, shape.Rows)
	shape.Rows = shape.Words
	for bucket := range shape.Buckets {
		if row := part.BucketRow(uint32(bucket)); row >= 0 && !used[row] {
			used[row] = true
			shape.Rows++
		}
	}
	shape.Dim, shape.RowBytes, shape.ContextBytes, shape.ContextMade = dim, floatBytes*dim, 0, false
	shape.Listed = listedBuckets(part, shape.Rows*dim)
	shape.Beside, shape.State, shape.Trained = 0, 0, true
	return cmp.Or(format.EstimateSize(e.run.options.Output, shape, e.run.format), format.EstimateSize("model.w2v", shape, format.W2V))
}

// listedBuckets returns how many row numbers a native file of so many numbers lists for the buckets of a set. Of a small
// one, they are those of buckets that have rows, and a bit for each bucket.
func listedBuckets(s *vectors.Set, numbers int) int {
	buckets := s.Subword().Rows()
	if numbers >= buckets {
		return buckets
	}
	listed := buckets / 32
	for bucket := range buckets {
		if s.BucketRow(uint32(bucket)) >= 0 {
			listed++
		}
	}
	return min(buckets, listed)
}

// A limitedWriter forgets what is written, and fails after so many bytes.
type limitedWriter struct{ left, written int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, io.ErrShortWrite
	}
	w.left, w.written = w.left-len(p), w.written+len(p)
	return len(p), nil
}

// slotBytes is the size of a table of so many words while they are counted.
func slotBytes(words float64) float64 {
	return 32 * math.Exp2(math.Ceil(math.Log2(max(1024, words*4/3))))
}

// programBytes is the memory that a run has before it trains, without its vocabulary: measured.
const programBytes = 28 << 20

// inUse estimates the memory that the run has before it trains. That of this process would not do, because the sample has left garbage.
func (e *planner) inUse() uint64 {
	words := float64(e.vocab.Len())
	return programBytes + uint64(slotBytes(words)+40*words) + e.opened + e.before
}

// countingBytes estimates the peak of memory while a corpus of so many distinct words is counted.
func countingBytes(r *run, distinct int, o outlook) uint64 {
	threads := float64(cmp.Or(r.settings.Model.Threads, runtime.GOMAXPROCS(0)))
	each := math.Pow(1/threads, 0.6) * float64(distinct)
	tables := threads * slotBytes(each)
	if most := float64(cmp.Or(r.options.VocabMemory, vocab.DefaultMemory())); tables > most {
		tables = most
	}
	return uint64(programBytes + 1.5*tables + slotBytes(float64(distinct)) + slotBytes(float64(o.words)) + 24*float64(o.words))
}

// morePairs is the power by which the number of different pairs of neighbours grows with the text: measured.
const morePairs = 0.84

// findingBytes estimates the peak of memory while phrases are found; 0 if none are. Beside the table of all tokens and pairs,
// there are the smaller one that it replaced, and the long tokens.
func (e *planner) findingBytes(r *run) uint64 {
	if e.found.different == 0 {
		return 0
	}
	const perTable = 2 // with all that it takes: measured
	most := float64(cmp.Or(r.options.VocabMemory, vocab.DefaultMemory())) + 1.5*slotBytes(e.found.frequent) + 24*e.found.frequent
	return uint64(programBytes + min(perTable*slotBytes(e.found.different), most))
}

// cacheBytes estimates the size of the tokenised corpus, and what is written while it is made.
func cacheBytes(ids *vocab.IDs, tokens, trained uint64) (bytes, most uint64) {
	each := float64(ids.Bytes()) / float64(max(1, ids.Tokens()))
	return uint64(each * float64(trained)), uint64(each*float64(trained) + each*float64(tokens))
}

// joined returns the vocabulary of both, with the counts of both.
func joined(known, more *vocab.Vocab) (*vocab.Vocab, error) {
	tokens := known.Tokens()
	counts := append([]uint64(nil), known.Counts()...)
	for id, token := range more.Tokens() {
		if at, has := known.ID([]byte(token)); has {
			counts[at] += more.Count(id)
			continue
		}
		tokens, counts = append(tokens, token), append(counts, more.Count(id))
	}
	return vocab.New(tokens, counts)
}
