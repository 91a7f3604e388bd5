package sgns

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// parameters are what the workers share. Rows are changed without locks.
type parameters struct {
	input  vectors.Matrix
	output vectors.Matrix // of words, for each head; of inner nodes if there is a tree
	table  *subword.Table // which input rows make up each word
	noise  *vocab.Alias
	tree   *vocab.Tree // of hierarchical softmax; nil for negative sampling
	hasher *runHasher  // of word n-grams; nil for none

	// What only some variants have; no rows for others.
	importance vectors.Matrix // the weights of hash embeddings, without gaps
	projection vectors.Matrix // rank × dim
	positions  vectors.Matrix // a row for each relative position
	runs       vectors.Matrix // rows of word n-grams

	// Rows that stay as they are; nil for none.
	frozenInput, frozenOutput []bool
}

// newParameters allocates the parameters of a run over a vocabulary.
func (c Config) newParameters(v *vocab.Vocab, table *subword.Table) parameters {
	p := parameters{table: table, input: vectors.NewMatrix(table.Rows(), c.rowWidth())}
	if c.loss() == HierarchicalSoftmax {
		p.tree = vocab.Huffman(v.Counts())
	} else {
		p.noise = v.Noise(c.NSExponent)
	}
	if c.Tied {
		p.output = p.input
	} else {
		p.output = vectors.NewMatrix(c.outputRows(v.Len()), c.Dim)
	}
	if hash, ok := c.Subword.(subword.Hash); ok {
		p.importance = vectors.Matrix{
			Data: make([]float32, hash.Importances*hash.Hashes),
			Rows: hash.Importances, Cols: hash.Hashes, Stride: hash.Hashes,
		}
	}
	if c.Rank > 0 {
		p.projection = vectors.NewMatrix(c.Rank, c.Dim)
	}
	if c.PositionWeights {
		p.positions = vectors.NewMatrix(2*c.Window, c.width())
	}
	if c.WordNgrams > 1 {
		p.hasher = c.newRunHasher(v.Tokens())
		p.runs = vectors.NewMatrix(c.WordBuckets, c.width())
	}
	return p
}

// width is how many numbers the inputs of a block have, before they are projected.
func (c Config) width() int {
	if c.Rank > 0 {
		return c.Rank
	}
	return c.Dim
}

// rowWidth is how many numbers an input row has.
func (c Config) rowWidth() int {
	if hash, ok := c.Subword.(subword.Hash); ok && hash.AppendWeights {
		return c.width() - hash.Hashes
	}
	return c.width()
}

// outputRows is how many output rows there are for so many words.
func (c Config) outputRows(words int) int {
	if c.loss() == HierarchicalSoftmax {
		words = max(words-1, 0) // inner nodes
	}
	return words * c.heads()
}

// tied reports whether input and output are the same rows.
func (p *parameters) tied() bool {
	return len(p.input.Data) > 0 && len(p.output.Data) > 0 && &p.input.Data[0] == &p.output.Data[0]
}

// matrices are all matrices of the parameters, each once, in an order that checkpoints
// keep.
func (p *parameters) matrices() []*vectors.Matrix {
	var all []*vectors.Matrix
	for _, m := range []*vectors.Matrix{&p.input, &p.output, &p.importance, &p.projection, &p.positions, &p.runs} {
		if m == &p.output && p.tied() || m.Rows == 0 {
			continue
		}
		all = append(all, m)
	}
	return all
}

// alike allocates parameters of the same shape.
func (p parameters) alike() parameters {
	other := p
	tied := p.tied()
	for _, m := range other.matrices() {
		m.Data = make([]float32, len(m.Data))
	}
	if tied {
		other.output = other.input
	}
	other.frozenInput, other.frozenOutput = nil, nil
	return other
}

// copyFrom makes these parameters those of another of the same shape.
func (p parameters) copyFrom(other parameters) {
	from := other.matrices()
	for i, m := range p.matrices() {
		inRuns(len(m.Data), func(first, last int) { copy(m.Data[first:last], from[i].Data[first:last]) })
	}
}

// start sets the parameters to what they are before training, by a seed. Input rows are
// uniform in ±bound.
func (p *parameters) start(seed uint64, bound float32) {
	for _, m := range p.matrices() {
		clear(m.Data)
	}
	initialise(p.input, p.table, seed, bound)
	if p.projection.Rows > 0 {
		startProjection(p.projection, seed)
	}
	startPositions(p.positions)
	// What no word uses is never trained, and adds nothing to words that are not in the
	// vocabulary.
	for _, cell := range p.table.Cells() {
		p.importance.Data[cell] = 1
	}
}

// finite reports whether all parameters are numbers.
func (p parameters) finite() bool {
	for _, m := range p.matrices() {
		if !finite(m.Data) {
			return false
		}
	}
	return true
}

// finite reports whether all of x are numbers.
func finite(x []float32) bool {
	var bad atomic.Bool
	inRuns(len(x), func(first, last int) {
		const exponent = 0xff << 23 // all of it is set in what is no number, or infinite
		var most uint32
		for _, v := range x[first:last] {
			most = max(most, math.Float32bits(v)&exponent)
		}
		if most == exponent {
			bad.Store(true)
		}
	})
	return !bad.Load()
}

// inRuns cuts 0…n-1 into a run for each core, and calls work for them in parallel.
func inRuns(n int, work func(first, last int)) {
	var g sync.WaitGroup
	runs := runtime.GOMAXPROCS(0)
	for k := range runs {
		g.Go(func() { work(n*k/runs, n*(k+1)/runs) })
	}
	g.Wait()
}
