package sgns

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vocab"
)

// A pairing is what there is to know about a block without its vectors: which of its
// inputs are paired with which output rows, and what that weighs.
//
// Two seams are bound in it, and crossed once a block. An architecture says which words
// the inputs are to predict (aim), and a loss which output rows are to say yes to that,
// and which no (label).
type pairing struct {
	aim   func(b *pairing, t text, first, last, window int)
	label func(b *pairing, rate float32)

	frozen  bounds
	window  int
	centres int // S, the most centres in a block
	words   int // rows of an output matrix, of which there may be one for each head
	direct  bool
	hasher  *runHasher // of word n-grams; nil for none

	// Of negative sampling.
	noise     *vocab.Alias
	negatives float32  // K
	shared    int      // N, draws for a block
	now       []uint32 // the negatives
	unit      float32  // the weight of a negative for each pair
	byHead    []uint16 // for each head, which inputs predict something with it

	tree *vocab.Tree // of hierarchical softmax; nil for negative sampling

	ids  []uint32 // the centres
	rows []uint32 // of inputs: those of the centres
	truths

	positive, negative side
	mean               mean    // of CBOW
	boost              float32 // of the shares of what it moves by, see cbow.go
	runs               side    // of word n-grams: inputs are the means of these, too; errors are shares of the inputs, and of what these move by
}

// truths are the words that inputs are to predict.
type truths struct {
	true  []uint32            // the words
	by    []uint16            // for each, which inputs predict it
	heads []uint32            // for each, which output matrix it is predicted with; nil where there is one
	pairs int                 // of inputs and true words
	each  [simd.Lanes]float32 // pairs of an input with one output matrix, whose share of negatives each draw stands for
}

// bounds are rows that must not be changed, of the centres' vectors and of the output;
// nil for none.
type bounds struct{ in, out []bool }

// side is one of the kinds of pairs that inputs are in, with rows of some matrix.
type side struct {
	rows    []uint32            // of the matrix
	with    []uint16            // for each row, which inputs it is paired with
	alone   bool                // no row is paired with more than one
	all     bool                // every row is paired with all
	each    bool                // row number i is paired with input i, if any; there are no groups
	weights [simd.Lanes]float32 // of a pair of each input
	errors  [][]float32         // by columns (see nested.go): rows × lanes
	add     []simd.Group        // inputs, and the rows that are added to them
	update  []simd.Group        // rows, and the inputs that are added to them
}

// newSide returns a side of at most so many rows, and as many lists of errors.
func newSide(rows, lists int) side {
	s := side{
		rows:   make([]uint32, 0, wholeLines(rows)),
		with:   make([]uint16, 0, wholeLines(rows)),
		add:    make([]simd.Group, 0, simd.Lanes), // at most one of each row
		update: make([]simd.Group, 0, wholeLines(rows)),
	}
	for range lists {
		s.errors = append(s.errors, newRows(rows, simd.Lanes).Data)
	}
	return s
}

// wholeLines returns for how many things to make room if n are needed, so that nobody
// else's are on their cache lines: Go aligns what takes a multiple of 64 bytes.
func wholeLines(n int) int { return (n + 31) &^ 31 }

func newPairing(p parameters, inputs sources, division shape, c Config) pairing {
	b := pairing{
		frozen:    bounds{inputs.frozen, p.frozenOutput},
		window:    c.Window,
		centres:   division.centres,
		words:     p.output.Rows / c.heads(),
		hasher:    p.hasher,
		direct:    c.direct(),
		noise:     p.noise,
		negatives: float32(c.Negatives),
		tree:      p.tree,
		shared:    division.shared,
		now:       make([]uint32, division.shared, wholeLines(division.shared)),
	}
	most := mostTruths(b.centres, c)
	b.by = make([]uint16, most, wholeLines(most))
	switch c.arch() {
	case CBOW:
		b.aim = (*pairing).aimAtCentres
		b.mean = newMean(mostPositions(b.centres, c))
		b.boost = float32(max(division.contexts, 1))
		if c.WordNgrams > 1 {
			b.runs = newSide(mostPositions(b.centres, c)*(c.WordNgrams-1), 2)
		}
	case Structured:
		b.aim = (*pairing).aimByPosition
		b.true = make([]uint32, 0, wholeLines(most))
		b.heads = make([]uint32, 0, wholeLines(most))
		b.byHead = make([]uint16, c.heads())
	default:
		b.aim = (*pairing).aimAtContexts
	}
	yes, no := most, division.shared
	switch {
	case p.tree != nil:
		b.label = (*pairing).labelNodes
		yes = most * depth(p.tree, p.table.Words())
		no = yes
	case c.arch() == Structured:
		b.label = (*pairing).labelByPosition
	default:
		b.label = (*pairing).labelSampled
	}
	lists := max(len(c.Nested), 1)
	b.positive, b.negative = newSide(yes, lists), newSide(no, lists)
	b.positive.alone = c.arch() != SkipGram
	b.negative.alone = b.positive.alone && p.tree != nil
	b.positive.each = c.arch() == CBOW && p.tree == nil && b.frozen.out == nil
	b.negative.all = p.tree == nil && c.arch() != Structured
	return b
}

// mostPositions returns how many positions may be contexts in a block.
func mostPositions(centres int, c Config) int {
	return min(centres+2*min(c.Window, maxText), maxText)
}

// mostTruths returns how many words inputs may have to predict in a block.
func mostTruths(centres int, c Config) int {
	switch c.arch() {
	case CBOW:
		return centres
	case Structured:
		return centres * min(2*min(c.Window, maxText), maxText)
	}
	return mostPositions(centres, c)
}

// prepare finds the pairs of the centres at positions first to last-1, and what they
// weigh. It returns the number of true pairs.
func (b *pairing) prepare(t text, first, last, window int, rate float32) (pairs int) {
	b.ids, b.rows = t.ids[first:last], t.rows[first:last]
	b.aim(b, t, first, last, window)
	b.label(b, rate)
	inputs, frozen := b.ids, b.frozen.in // words differ where their rows do
	if !b.direct {
		inputs, frozen = inOrder[:last-first], nil
	}
	if !b.positive.each {
		b.positive.group(inputs, frozen, b.frozen.out)
	}
	b.negative.group(inputs, frozen, b.frozen.out)
	return b.pairs
}
