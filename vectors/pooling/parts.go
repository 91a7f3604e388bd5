package pooling

import (
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// Parts keep what tokens add to vectors of texts, so that each word is composed once. Vectors of texts are the
// same as those of Pooler.Text, to the bit. Parts may be used from several goroutines, each with its own Adder.
type Parts struct {
	pooler  *Pooler
	rows    vectors.Matrix
	weights []float64       // of rows, for Weighted and SIF
	byID    []atomic.Uint32 // the part of each word of the vocabulary, plus 1; 0 if it is not known yet
	shared  int             // rows that all goroutines read; those of adders are behind them
	input   bool            // rows are those of the set, which has them in memory or in a mapped file: nothing is copied

	mu     sync.Mutex
	kept   int // rows in use
	adders int
}

// Parts that are no rows.
const (
	// NoPart is the part of a token without a vector.
	NoPart uint32 = 1<<32 - 2 - iota
	// NotKept says that a part is not kept: Pooler.Text must make the vector of the text.
	NotKept
)

// own is how many rows an Adder has for parts that are not kept.
const own = 64

// partRow is how many bytes a part takes beside its numbers.
const partRow = 16

// MakesParts reports whether vectors of texts are sums of parts of single tokens. They are not if the set has
// rows for word n-grams, if means are multiplied by a projection, or if texts are predicted.
func (p *Pooler) MakesParts() bool {
	_, _, product := p.set.Input().Factors()
	return p.method != DBOW && (p.method != Mean || !product && p.set.Matrix(vectors.MatrixWordNgrams).Rows == 0)
}

// Parts returns parts for a number of adders that take up to so many bytes of memory, of which those of words
// that occur are used. MakesParts must be true. If the set is in a file, use them within its Guard.
func (p *Pooler) Parts(memory int64, adders int) *Parts {
	const unknown = 1 << 18 // words outside the vocabulary that are kept
	dim := p.set.Dim()
	if rows := p.set.Input(); p.set.Subword() == nil && p.set.OwnRows() && rows.Storage == nil && rows.Rows == p.set.Len() && len(rows.Data) > 0 {
		of := &Parts{pooler: p, rows: rows, byID: make([]atomic.Uint32, p.set.Len()), input: true}
		if p.method != Mean {
			of.weights = make([]float64, p.set.Len())
			for id := range of.weights {
				of.weights[id] = p.weights.of(id)
			}
		}
		return of
	}
	most := memory / int64(4*dim+partRow)
	shared := p.set.Len()
	if p.set.Subword() != nil {
		shared += unknown
	}
	shared = int(min(int64(shared), most))
	rows := vectors.NewMatrix(shared+own*adders, (dim+simd.Lanes-1)/simd.Lanes*simd.Lanes+simd.Lanes) // a stride that is no power of two: such rows share few places of a cache
	rows.Cols = dim
	of := &Parts{pooler: p, rows: rows, byID: make([]atomic.Uint32, p.set.Len()), shared: shared}
	if p.method != Mean {
		of.weights = make([]float64, of.rows.Rows)
	}
	return of
}

// An Adder adds parts up to vectors of texts.
type Adder struct {
	parts    *Parts
	token    []float32 // the part that is made
	ones     []float32
	mean     []float32 // with whole groups of numbers
	sum      []float64 // of as many
	weights  []float64
	first    int // of its rows
	occupied int // of its rows
}

// Adder returns an adder; at most as many as Pooler.Parts was told.
func (c *Parts) Adder() *Adder {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &Adder{parts: c, token: make([]float32, c.rows.Cols), first: c.shared + own*c.adders}
	c.adders++
	if c.pooler.method != Mean {
		groups := (c.rows.Cols + simd.Lanes - 1) / simd.Lanes * simd.Lanes
		a.mean, a.sum = make([]float32, groups), make([]float64, groups)
	}
	return a
}

// Limit is how many tokens of a text count, from its first on; 0 for all.
func (c *Parts) Limit() int { return c.pooler.limit }

// Counts reports whether a token counts.
func (c *Parts) Counts(token vectors.Token) bool {
	return c.pooler.unknown == "" || token.Word != c.pooler.unknown
}

// Part returns the part of a token. It is kept for all adders, or else until Begin.
func (a *Adder) Part(token vectors.Token) (part uint32, kept bool) {
	c := a.parts
	if token.ID >= 0 {
		if part := c.byID[token.ID].Load(); part != 0 {
			return part - 1, true
		}
	}
	made := a.make(token)
	if made == 0 && c.input {
		made = uint32(token.ID)
	}
	if made >= NotKept || c.input {
		if token.ID >= 0 {
			c.byID[token.ID].Store(made + 1)
		}
		return made, true
	}
	if row, ok := c.keep(token, a.token); ok {
		return row, true
	}
	if a.occupied == own {
		return NotKept, false
	}
	row := a.first + a.occupied
	a.occupied++
	c.set(row, token, a.token)
	return uint32(row), false
}

// Begin forgets parts that are not kept.
func (a *Adder) Begin() { a.occupied = 0 }

// make computes the part of a token. It returns NoPart, NotKept or 0.
func (a *Adder) make(token vectors.Token) uint32 {
	p := a.parts.pooler
	if a.parts.input {
		switch {
		case token.ID < 0:
			return NoPart
		case token.ID*a.parts.rows.Stride+len(a.mean) > len(a.parts.rows.Data): // kernels read whole groups of numbers
			return NotKept
		case !vectors.Finite(a.parts.rows.Data[token.ID*a.parts.rows.Stride:][:a.parts.rows.Cols]):
			return NotKept
		}
		return 0
	}
	if p.method != Mean {
		if !p.vector(a.token, token) {
			return NoPart
		}
		return 0
	}
	switch used := p.set.SentenceOf(a.token, []vectors.Token{token}); {
	case used == 0:
		return NoPart
	case !vectors.Finite(a.token):
		return NotKept
	}
	return 0
}

// keep keeps a part, unless there is no room.
func (c *Parts) keep(token vectors.Token, numbers []float32) (row uint32, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token.ID >= 0 {
		if part := c.byID[token.ID].Load(); part != 0 { // another adder was faster
			return part - 1, true
		}
	}
	if c.kept == c.shared {
		return 0, false
	}
	row = uint32(c.kept)
	c.kept++
	c.set(int(row), token, numbers)
	if token.ID >= 0 {
		c.byID[token.ID].Store(row + 1)
	}
	return row, true
}

func (c *Parts) set(row int, token vectors.Token, numbers []float32) {
	copy(c.rows.Row(row), numbers)
	if c.weights != nil {
		c.weights[row] = c.pooler.weights.of(token.ID)
	}
}

// Prefetch brings parts near.
func (a *Adder) Prefetch(parts []uint32) {
	m := a.parts.rows
	simd.Prefetch(m.Data, m.Stride, parts, m.Cols)
}

// Text writes the vector of a text to dst, whose parts are rows. If it cannot, Pooler.Text must.
func (a *Adder) Text(dst []float32, parts []uint32) bool {
	c := a.parts
	p := c.pooler
	if len(parts) == 0 {
		clear(dst)
		return true
	}
	if p.method == Mean {
		for len(a.ones) < len(parts) {
			a.ones = append(a.ones, 1)
		}
		simd.Gather(dst, c.rows.Data, c.rows.Stride, parts, a.ones[:len(parts)])
		inverse := 1 / float32(len(parts))
		for k := range dst {
			dst[k] *= inverse
		}
		if !vectors.Finite(dst) {
			return false
		}
	} else {
		a.weights = a.weights[:0]
		for _, row := range parts {
			a.weights = append(a.weights, c.weights[row])
		}
		if p.common != nil {
			clear(a.sum)
			for i, row := range parts {
				p.add(a.sum, c.rows.Row(int(row)), a.weights[i])
			}
			p.finish(dst, a.sum[:len(dst)], len(parts))
		} else {
			simd.WeightedMean(a.mean, a.sum, c.rows.Data, c.rows.Stride, parts, a.weights, float64(len(parts)))
			copy(dst, a.mean)
		}
	}
	if p.unit && !vectors.Unit(dst, dst) {
		clear(dst)
	}
	return true
}

// Memory is how many bytes the parts take if all of them are used.
func (c *Parts) Memory() int64 {
	if c.input {
		return int64(8*len(c.weights) + 4*len(c.byID))
	}
	return int64(c.rows.Rows)*int64(4*c.rows.Stride+partRow) + 4*int64(len(c.byID))
}
