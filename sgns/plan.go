package sgns

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"

	"github.com/w2v-go/w2v/internal/memory"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Plan is what a run is going to take, known before the memory is.
type Plan struct {
	Words int    // rows of the output matrix
	Rows  int    // rows of the input matrix
	Bytes uint64 // of both matrices, the workers, and what says which rows make up a word
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

// fits returns an error if so many bytes are more than the process can have.
func (c Config) fits(bytes float64) error {
	have, limit := memory.Limit()
	if c.Force || have == 0 || have > addressable {
		have, limit = addressable, "all that a program can address"
	}
	if bytes += inUse(); bytes > float64(have) {
		return &MemoryError{Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit}
	}
	return nil
}

// inUse is what the program has of memory already, garbage given back: its own pages, about,
// and what the runtime counts.
func inUse() float64 {
	const program = 12e6
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return program + float64(m.Sys-m.HeapReleased)
}

// matrixBytes is the size of a matrix with rows padded to 64 bytes.
func matrixBytes(rows, cols int) float64 {
	return float64(rows) * math.Ceil(float64(cols)/16) * 64
}

// shape is how the workers of a run divide their work.
type shape struct {
	centres int // S, the most centres in a block
	shared  int // N, the negatives of a block
	round   int // blocks that a team trains in one step; 0 for workers who do not wait for each other
	stretch int // tokens whose vectors are composed once; 0 for plain words
}

// shapeOf returns what suits a vocabulary of which each word is kept with probability
// keep.
func (c Config) shapeOf(v *vocab.Vocab, table *subword.Table, keep []float64) shape {
	overlapping := overlap(v, table, keep)
	s := shape{centres: c.blockCentres, shared: c.sharedNegatives}
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

// workerBytes is what a worker has of its own: see block, stretch and text.
func (s shape) workerBytes(c Config, words int) float64 {
	const (
		pairs    = 4*simd.Lanes + 2 + 16 // of a row with all centres: errors, with, a group
		block    = 2*16*simd.Lanes + 512 // groups of centres, and what is not a list
		negative = pairs + 2*4           // now and ahead
		position = 4 * 4                 // of a text
		token    = 2*16 + 16 + 8         // of a stretch: two lists, and where its word stands
	)
	positions := float64(mostTruths(s.centres, c))
	of := pairs*positions + negative*float64(s.shared) + block
	bytes := matrixBytes(s.centres, c.Dim) + matrixBytes(c.Dim, simd.Lanes) + of + position*maxText
	stretch := matrixBytes(2*(s.stretch+2*c.margin())+s.step()+2*c.margin(), c.width())
	if s.round > 0 {
		scores := float64(len(c.segments())-1)*matrixBytes(1, simd.Lanes) + 4
		bytes += matrixBytes(c.Dim, simd.Lanes) + float64(s.round)*
			(2*(of+scores*(positions+float64(s.shared)))+2*matrixBytes(s.centres, c.Dim))
		if c.members() > 1 {
			stretch *= 2
		}
	}
	bytes += s.variantBytes(c, words)
	if s.stretch > 0 {
		bytes += stretch + token*float64(s.stretch) + 4*float64(words)
	}
	return bytes
}

// variantBytes is what a worker has of its own for what skip-gram with negative sampling has
// not.
func (s shape) variantBytes(c Config, words int) float64 {
	const pair = 4*simd.Lanes + 4 + 2 + 16
	var bytes float64
	truths, lists := float64(mostTruths(s.centres, c)), float64(max(len(c.Nested), 1))
	bytes += (lists - 1) * 4 * simd.Lanes * (truths + float64(s.shared))
	if c.loss() == HierarchicalSoftmax {
		bytes += 2 * pair * truths * lists * 2 * math.Log2(float64(max(words, 2)))
	}
	if lists > 1 {
		bytes += lists * 4 * simd.Lanes * max(truths, float64(s.shared))
	}
	if c.arch() == CBOW {
		positions := float64(mostPositions(s.centres, c))
		bytes += pair * positions * float64(max(c.WordNgrams, 1))
		if c.PositionWeights {
			bytes += 3*matrixBytes(2*c.Window, c.width()) + 16*positions*simd.Lanes
		}
	}
	if !c.direct() {
		bytes += matrixBytes(s.centres, c.Dim)
	}
	if c.Rank > 0 {
		bytes += 2*matrixBytes(s.centres, c.Rank) + 2*matrixBytes(c.Rank, c.Dim)
	}
	return bytes
}

// plan makes the table of rows and says what the run will take that keeps so many
// copies of the parameters. Nothing large is allocated that cannot fit. Begin is what the
// run begins with, or nil; from the checkpoint that it goes on from, or nil.
func (c Config) plan(v *vocab.Vocab, keep []float64, workers, copies int, begin *start, from *Checkpoint) (*subword.Table, shape, Plan, error) {
	words := v.Tokens()
	rest := c.restBytes(len(words))
	least := (c.leastInput(len(words)) + rest) * float64(1+copies)
	if c.Subword != nil {
		// A row and a signature for every bucket, while rows are numbered.
		least += 24 * float64(c.Subword.Rows())
	}
	var marks float64
	if begin != nil {
		const mark = 2 * 8
		marks = mark * float64(len(begin.marks))
	}
	least += marks
	if err := c.fits(least); err != nil {
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
	const word = 12 + 128 // its noise, and its name in lists that come and go
	bytes := float64(workers)*s.workerBytes(c, len(words)) +
		float64(1+copies)*(matrixBytes(table.Rows(), c.rowWidth())+rest) +
		float64(8*table.Entries()+4*len(table.Cells())) + word*float64(len(words)) + marks
	if c.Subword != nil {
		bytes += 4 * float64(c.Subword.Rows())
	}
	bytes = max(bytes, least) // of rows that are numbered, and of training
	return table, s, Plan{Words: len(words), Rows: table.Rows(), Bytes: uint64(bytes)}, c.fits(bytes)
}

// leastInput is the size of the input rows at least, before they are numbered.
func (c Config) leastInput(words int) float64 {
	switch indexer := c.Subword.(type) {
	case nil, subword.FastText:
		return matrixBytes(words, c.rowWidth())
	case subword.Hash:
		return matrixBytes(indexer.Buckets, c.rowWidth())
	}
	return 0
}

// restBytes is the size of all parameters but the input rows.
func (c Config) restBytes(words int) float64 {
	var bytes float64
	if !c.Tied {
		bytes = matrixBytes(c.outputRows(words), c.Dim)
	}
	if hash, ok := c.Subword.(subword.Hash); ok {
		bytes += 4 * float64(hash.Importances) * float64(hash.Hashes)
	}
	bytes += matrixBytes(c.Rank, c.Dim)
	if c.PositionWeights {
		bytes += matrixBytes(2*c.Window, c.width())
	}
	if c.WordNgrams > 1 {
		bytes += matrixBytes(c.WordBuckets, c.width())
	}
	return bytes
}
