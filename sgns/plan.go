package sgns

import (
	"fmt"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/internal/memory"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Plan is what a run is going to take, known before the memory is.
type Plan struct {
	Words   int    // of the vocabulary
	Rows    int    // rows of the input matrix
	Bytes   uint64 // of all matrices, the workers, and what says which rows make up a word
	Threads int    // that train: fewer than were asked for where there is not enough to share out
}

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // what Have is: "this machine's memory", or what allows the process less
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("training needs about %s of memory, and %s is %s: fewer dimensions, words or buckets need less",
		size(e.Need), e.Limit, size(e.Have))
}

// size is a number of bytes for a person.
func size(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// addressable is the most memory that a process can have, whatever the machine has.
const addressable = min(math.MaxInt, 1<<46)

// fits returns an error if so many bytes, and those that are in use already, are more than
// the process can have.
func (c Config) fits(bytes, used float64) error {
	have, limit := memory.Limit()
	if c.Force || have == 0 || have > addressable {
		have, limit = addressable, "all that a program can address"
	}
	if bytes += used; bytes > float64(have) {
		return &MemoryError{Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit}
	}
	return nil
}

// inUse is what the program has of memory already and cannot be used again: its own pages,
// about, and what the runtime counts. Whether garbage is collected before that is the
// program's decision.
func inUse() float64 {
	const program = 12e6
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return program + float64(m.Sys-m.HeapIdle)
}

// shape is how the workers of a run divide their work.
type shape struct {
	centres int // S, the most centres in a block
	shared  int // N, the negatives of a block
	round   int // blocks that a team trains in one step; 0 for workers who do not wait for each other
	stretch int // tokens whose vectors are composed once; 0 for plain words

	contexts float64 // that a centre of CBOW has on the average
}

// shapeOf returns what suits a vocabulary of which each word is kept with probability
// keep.
func (c Config) shapeOf(v *vocab.Vocab, table *subword.Table, keep []float64) shape {
	if c.sizes.complete() {
		return c.sizes.shape()
	}
	overlapping := overlap(v, table, keep)
	s := shape{centres: c.blockCentres, shared: c.sharedNegatives}
	if c.sizes != nil {
		s.shared = c.sizes.Draws
	}
	if s.centres == 0 {
		s.centres = centresFor(overlapping)
	}
	if s.shared == 0 {
		s.shared = c.draws()
	}
	if c.teamed() {
		s.round = c.roundBlocks
		if s.round == 0 {
			s.round = roundFor(overlapping, s.centres)
		}
	}
	if !table.Identity() {
		s.stretch = stretchFor(overlapping, s.step())
	}
	return s
}

// step is the most centres that are trained in one step.
func (s shape) step() int { return s.centres * max(s.round, 1) }

// numbered reports output rows of so many words that are too many to have numbers.
func (c Config) numbered(words int) error {
	if rows := float64(words) * float64(c.heads()); rows > math.MaxUint32 {
		return fmt.Errorf("sgns: %d words for each of %d positions have more output rows than the %d that there can be: take a smaller window, or fewer words", words, c.heads(), uint32(math.MaxUint32))
	}
	return nil
}

// plan makes the table of rows and says what the run will take that keeps so many
// copies of the parameters. Nothing large is allocated that cannot fit. Begin is what the
// run begins with, or nil; from the checkpoint that it goes on from, or nil.
func (c Config) plan(v *vocab.Vocab, keep []float64, workers, copies int, begin *start, from *Checkpoint) (*subword.Table, shape, Plan, error) {
	words := v.Tokens()
	if err := c.numbered(len(words)); err != nil {
		return nil, shape{}, Plan{}, err
	}
	rest := c.restBytes(len(words))
	used := inUse() // before the table is made, which the plan has in it
	least := (c.leastInput(len(words))+rest)*float64(1+copies) + c.numberingBytes(words, begin)
	if err := c.fits(least, used); err != nil {
		return nil, shape{}, Plan{}, err
	}
	table, err := from.table()
	if err != nil {
		return nil, shape{}, Plan{}, err
	}
	if table == nil {
		table = c.table(words, begin)
	}
	s := c.shapeOf(v, table, keep)
	parameters := (matrixBytes(table.Rows(), c.rowWidth()) + rest) * float64(1+copies)
	bytes := parameters + float64(workers)*s.workerBytes(c, v, table) + c.indexBytes(v, table) + markBytes(begin)
	bytes = max(bytes, least) // of training, and of rows that are numbered
	return table, s, Plan{Words: len(words), Rows: table.Rows(), Bytes: uint64(bytes)}, c.fits(bytes, used)
}
