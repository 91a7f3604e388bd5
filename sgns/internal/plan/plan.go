// Package plan predicts what a run needs: the sizes of its matrices, its memory, and the division of its
// work.
package plan

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Plan says what a run will need, before it allocates memory.
type Plan struct {
	Words    int           // of the vocabulary
	Rows     int           // rows of the input matrix
	Bytes    uint64        // memory of the process, including pages of the corpus that it reads
	Added    uint64        // part of Bytes that is not in use yet
	Threads  int           // number of training threads; fewer than in Config if there is too little work to divide
	Matrices []MatrixShape // of the model
}

// A MatrixShape describes a matrix of the model.
type MatrixShape struct {
	Name       string // of its tensor in a native file: "input", "output", …
	Title      string // in words: "context vectors"
	Rows, Cols int
	Bytes      int    // of a number in a native file
	Output     bool   // the matrix is an output matrix; otherwise vectors are made of it
	SameAs     string // name of the matrix with the same storage; usually empty
}

// A Planner computes a Plan.
type Planner struct {
	Config  config.Config
	Variant *variant.Variant
	Vocab   *vocab.Vocab
	Keep    []float64 // the probability with which each word is kept
	Sizes   *Sizes    // sizes of the resumed run; nil for a new run
	Start   *warmstart.Start
	Workers int                       // number of training workers
	Readers int                       // number of workers that measure losses
	Copies  int                       // copies of the parameters, in addition to the trained ones
	Beside  func(params.List) float64 // bytes that exchanging matrices with other processes needs; nil means none

	Restore func() (*rowtable.Table, error) // returns the row table of the resumed run; nil to make a new one

	// Results of Plan: the row table, the matrices, and the division of work.
	Table    *rowtable.Table
	List     params.List
	Division step.Division
}

// Plan makes the row table and predicts what the run needs. It checks that large allocations fit before it
// makes them.
func (p *Planner) Plan() (Plan, error) {
	c, v, words := p.Config, p.Variant, p.Vocab.Tokens()
	if err := numbered(len(words), v.Heads()); err != nil {
		return Plan{}, err
	}
	threads := p.threads()
	if threads > 1 && v.ColumnParallel() {
		p.Copies++ // copies of the goroutines
	}
	runtime.GC() // collects garbage, for example of an earlier run, before memory is measured
	inUse := float64(sysinfo.MemoryInUse())
	least := inUse + v.Matrices(len(words), subword.LeastRows(c.Subword, len(words)), nil).Bytes()*float64(1+p.Copies) + p.numberingBytes(words)
	if err := Fits(c, least); err != nil && c.Subword != nil {
		if e, ok := errors.AsType[*MemoryError](err); ok {
			e.AtLeast = true
		}
		return Plan{}, err
	}
	if err := p.number(words); err != nil {
		return Plan{}, err
	}
	list := v.Matrices(len(words), p.Table.Rows(), p.Table)
	p.List = list
	each := engine.Bytes(v, p.Division, list, p.Vocab, p.Table)
	bytes := inUse + list.Bytes()*float64(1+p.Copies) + float64(p.Workers+p.Readers)*each + p.indexBytes() + p.corpusBytes() + p.Start.MarkBytes()
	if p.Beside != nil {
		bytes += p.Beside(list)
	}
	bytes = max(bytes, least) // memory for training, and for numbering rows
	if p.Start != nil {
		var editing float64 // memory for starting from vectors
		for m := range list.Owned() {
			editing += m.EditBytes()
		}
		bytes = max(bytes, inUse+list.Bytes()+p.indexBytes()+p.Start.MarkBytes()+editing)
	}
	plan := Plan{
		Words:    len(words),
		Rows:     p.Table.Rows(),
		Bytes:    uint64(bytes),
		Added:    uint64(bytes - inUse),
		Threads:  threads,
		Matrices: Shapes(list),
	}
	return plan, Fits(c, bytes)
}

func (p *Planner) threads() int {
	if !p.Variant.ColumnParallel() {
		return p.Workers
	}
	segments := Given(p.Config, p.Sizes).Segments
	if segments == nil {
		segments = engine.Segments(p.Config.Dim, p.Config.Subword != nil)
	}
	return engine.Goroutines(config.Threads(p.Config), segments)
}

func (p *Planner) number(words []string) (err error) {
	if p.Restore != nil {
		if p.Table, err = p.Restore(); err != nil {
			return err
		}
	}
	if p.Table == nil {
		options := rowtable.Options{Separate: config.TuningOf(&p.Config).SeparateRows}
		if s := p.Start; s != nil {
			options.Marks = s.Marks
		}
		p.Table = rowtable.New(words, p.Config.Subword, options)
	}
	p.Division = Given(p.Config, p.Sizes)
	if p.Sizes == nil {
		p.Division = engine.Divide(p.Variant, p.Vocab, p.Table, p.Keep, p.Division)
	}
	return nil
}

// numbered reports too many output rows for 32-bit row numbers.
func numbered(words, heads int) error {
	if rows := float64(words) * float64(heads); rows > math.MaxUint32 {
		return fmt.Errorf("sgns: %d words for each of %d positions have more output rows than the %d that there can be: take a smaller window, or fewer words", words, heads, uint32(math.MaxUint32))
	}
	return nil
}

// numberingBytes is the memory for assigning rows to words and n-grams: the n-grams of all words, and a row
// and a signature for every bucket. Weighted words need weights and cells for each entry instead.
func (p *Planner) numberingBytes(words []string) float64 {
	indexer := p.Config.Subword
	bytes, pieces := p.Start.MarkBytes(), subword.CountPieces(indexer, words)
	switch {
	case indexer == nil:
		return bytes
	case subword.LearnedOf(indexer).Any():
		return bytes + 12*pieces
	}
	return bytes + 24*float64(indexer.Rows()) + 4*pieces
}

// indexBytes is the size of the row lists of words, and of temporary lists of their names.
func (p *Planner) indexBytes() float64 {
	const name = 80
	entries, words := float64(p.Table.Entries()), float64(p.Vocab.Len())
	bytes := name*words + 8*entries + 4*float64(len(p.Table.Cells())) + 4*float64(len(p.Table.BucketRow))
	if p.Config.Freeze != config.FreezeNone { // lists of rows that are not frozen
		bytes += 4*entries + 8*words
	}
	return bytes + p.Variant.PreparedBytes(p.Vocab)
}

// corpusBytes is how much of the corpus is in memory while it is read from a file. An id takes less than two
// bytes in most corpora.
func (p *Planner) corpusBytes() float64 {
	const id = 2
	return min(id*float64(p.Vocab.Total()), vocab.ResidentBytes)
}

// Shapes describes all matrices of a list that have rows.
func Shapes(list params.List) (all []MatrixShape) {
	for _, m := range list {
		if m.Rows > 0 {
			all = append(all, MatrixShape{Name: m.Name, Title: m.Title, Rows: m.Rows, Cols: m.Cols, Bytes: m.NumberBytes(), Output: m.Role == params.Output, SameAs: m.SameAs})
		}
	}
	return all
}

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // source of Have: "this machine's memory", or a lower limit of the process
	AtLeast    bool   // Need is a lower bound, because n-grams, which also take memory, are not numbered yet
}

func (e *MemoryError) Error() string {
	needs := "about"
	if e.AtLeast {
		needs = "at least"
	}
	return fmt.Sprintf("training needs %s %s of memory, and %s is %s: fewer dimensions, words or buckets need less",
		needs, size(e.Need), e.Limit, size(e.Have))
}

func size(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

const addressable = min(math.MaxInt, 1<<46)

// Fits returns a *MemoryError if the process cannot have so many bytes.
func Fits(c config.Config, bytes float64) error {
	have, limit := sysinfo.MemoryLimit()
	if c.Force || have == 0 || have > addressable {
		have, limit = addressable, "all that a program can address"
	}
	if bytes > float64(have) {
		return &MemoryError{Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit}
	}
	return nil
}
