package sgns

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Plan is what a run is going to take, known before the memory is.
type Plan struct {
	Words    int           // of the vocabulary
	Rows     int           // rows of the input matrix
	Bytes    uint64        // of memory that the process comes to have, with the pages of the corpus that are read
	Added    uint64        // of these, what the run adds to what the process has already
	Threads  int           // that train: fewer than were asked for where there is not enough to share out
	Matrices []MatrixShape // of the model
}

// A MatrixShape is a matrix of a model that is going to be trained.
type MatrixShape struct {
	Name       string // of its tensor in a native file: "input", "output", …
	Title      string // in words: "context vectors"
	Rows, Cols int
	Bytes      int    // of a number in a native file
	Output     bool   // vectors are trained against its rows; else vectors are made of it
	SameAs     string // the name of the matrix that it is one with; empty for most
}

// A planner finds out what a run is going to take.
type planner struct {
	config  Config
	variant *variant.Variant
	vocab   *vocab.Vocab
	keep    []float64 // the probability with which each word is kept
	origin  origin
	workers int // that train
	readers int // that measure the loss of held-out text
	copies  int // of the parameters, beside those that are trained
	team    *team

	// What is planned.
	table    *subword.Table
	division step.Division
}

// plan makes the table of rows and says what the run will take. Nothing large is allocated
// that cannot fit.
func (p *planner) plan() (Plan, error) {
	c, v, words := p.config, p.variant, p.vocab.Tokens()
	if err := numbered(len(words), v.Heads()); err != nil {
		return Plan{}, err
	}
	threads := p.threads()
	if threads > 1 && v.ColumnParallel() {
		p.copies++ // the goroutines' own
	}
	runtime.GC() // garbage, as of a run before, is no use of memory
	inUse := float64(sysinfo.MemoryInUse())
	least := inUse + v.Matrices(len(words), subword.LeastRows(c.Subword, len(words)), nil).Bytes()*float64(1+p.copies) + p.numberingBytes(words)
	if err := c.fits(least); err != nil && c.Subword != nil {
		if e, ok := errors.AsType[*MemoryError](err); ok {
			e.AtLeast = true
		}
		return Plan{}, err
	}
	if err := p.number(words); err != nil {
		return Plan{}, err
	}
	list := v.Matrices(len(words), p.table.Rows(), p.table)
	each := engine.Bytes(v, p.division, list, p.vocab, p.table)
	bytes := inUse + list.Bytes()*float64(1+p.copies) + float64(p.workers+p.readers)*each + p.indexBytes() + p.corpusBytes() + markBytes(p.origin.vectors) + p.team.exchangeBytes(list)
	bytes = max(bytes, least) // of training, and of rows that are numbered
	if p.origin.vectors != nil {
		var editing float64 // what starting from vectors takes
		for m := range list.Owned() {
			editing += m.EditBytes()
		}
		bytes = max(bytes, inUse+list.Bytes()+p.indexBytes()+markBytes(p.origin.vectors)+editing)
	}
	plan := Plan{
		Words:    len(words),
		Rows:     p.table.Rows(),
		Bytes:    uint64(bytes),
		Added:    uint64(bytes - inUse),
		Threads:  threads,
		Matrices: shapes(list),
	}
	return plan, c.fits(bytes)
}

// threads is how many threads train.
func (p *planner) threads() int {
	if !p.variant.ColumnParallel() {
		return p.workers
	}
	segments := p.config.given().Segments
	if segments == nil {
		segments = engine.Segments(p.config.Dim, p.config.Subword != nil)
	}
	return engine.Goroutines(p.config.threads(), segments)
}

// number gives words and n-grams their rows, and divides the work.
func (p *planner) number(words []string) (err error) {
	if p.table, err = p.origin.checkpoint.table(); err != nil {
		return err
	}
	if p.table == nil {
		options := subword.TableOptions{Separate: p.config.separateRows}
		if s := p.origin.vectors; s != nil {
			options.Marks = s.marks
		}
		p.table = subword.NewTable(words, p.config.Subword, options)
	}
	p.division = p.config.given()
	if p.config.sizes == nil {
		p.division = engine.Divide(p.variant, p.vocab, p.table, p.keep, p.division)
	}
	return nil
}

// numbered reports output rows of so many words that are too many to have numbers.
func numbered(words, heads int) error {
	if rows := float64(words) * float64(heads); rows > math.MaxUint32 {
		return fmt.Errorf("sgns: %d words for each of %d positions have more output rows than the %d that there can be: take a smaller window, or fewer words", words, heads, uint32(math.MaxUint32))
	}
	return nil
}

// numberingBytes is what giving words and n-grams their rows takes: the n-grams of all
// words, and for every bucket a row and a signature. Weighted words have no rows to number,
// but weights and cells of each entry.
func (p *planner) numberingBytes(words []string) float64 {
	indexer := p.config.Subword
	bytes, pieces := markBytes(p.origin.vectors), subword.CountPieces(indexer, words)
	switch {
	case indexer == nil:
		return bytes
	case subword.CompositionOf(indexer) == subword.Weighted:
		return bytes + 12*pieces
	}
	return bytes + 24*float64(indexer.Rows()) + 4*pieces
}

// markBytes is the size of the marks of a start.
func markBytes(s *start) float64 {
	if s == nil {
		return 0
	}
	return 16 * float64(len(s.marks))
}

// indexBytes is the size of what says which rows belong to words; and of their names, in lists
// that come and go.
func (p *planner) indexBytes() float64 {
	const name = 80
	entries, words := float64(p.table.Entries()), float64(p.vocab.Len())
	bytes := name*words + 8*entries + 4*float64(len(p.table.Cells())) + 4*float64(len(p.table.BucketRow))
	if p.config.Freeze != FreezeNone { // lists of the rows that are free
		bytes += 4*entries + 8*words
	}
	return bytes + p.variant.PreparedBytes(p.vocab)
}

// corpusBytes is how much of the corpus's ids is in memory while they are read from a file. An
// id takes less than two bytes in most corpora.
func (p *planner) corpusBytes() float64 {
	const id = 2
	return min(id*float64(p.vocab.Total()), vocab.ResidentBytes)
}

// shapes describes all matrices of a list that have rows.
func shapes(list params.List) (all []MatrixShape) {
	for _, m := range list {
		if m.Rows > 0 {
			all = append(all, MatrixShape{Name: m.Name, Title: m.Title, Rows: m.Rows, Cols: m.Cols, Bytes: m.NumberBytes(), Output: m.Role == params.Output, SameAs: m.SameAs})
		}
	}
	return all
}
