package sgns

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// What the parts of a run allocate, in bytes, as far as it grows with anything. Numbers are
// float64 lest some product is more than an integer holds.

// matrixBytes is the size of a matrix with rows padded to 64 bytes.
func matrixBytes(rows, cols int) float64 { return float64(rows) * rowBytes(cols) }

func rowBytes(cols int) float64 { return math.Ceil(float64(cols)/16) * 64 }

// leastInput is the size of the input rows at least, before they are numbered.
func (c Config) leastInput(words int) float64 {
	return matrixBytes(subword.LeastRows(c.Subword, words), c.rowWidth())
}

// restBytes is the size of all parameters but the input rows.
func (c Config) restBytes(words int) float64 {
	var bytes float64
	if !c.Tied {
		bytes = float64(words) * float64(c.heads()) * rowBytes(c.Dim) // a tree has a node less
	}
	if hash, ok := c.Subword.(subword.Hash); ok {
		bytes += 4 * float64(hash.Importances) * float64(hash.Hashes)
	}
	bytes += matrixBytes(c.Rank, c.Dim)
	if c.PositionWeights {
		bytes += 2 * float64(c.Window) * rowBytes(c.width())
	}
	if c.WordNgrams > 1 {
		bytes += matrixBytes(c.WordBuckets, c.width())
	}
	return bytes
}

// markBytes is the size of the marks of a start.
func markBytes(begin *start) float64 {
	if begin == nil {
		return 0
	}
	return 16 * float64(len(begin.marks))
}

// numberingBytes is what giving words and n-grams their rows takes: the n-grams of all
// words, and for every bucket a row and a signature. Hash embeddings have no rows to number,
// but weights and cells of each entry.
func (c Config) numberingBytes(words []string, begin *start) float64 {
	bytes, pieces := markBytes(begin), subword.CountPieces(c.Subword, words)
	switch {
	case c.Subword == nil:
		return bytes
	case c.composition() == vectors.ComposeWeighted:
		return bytes + 12*pieces
	}
	return bytes + 24*float64(c.Subword.Rows()) + 4*pieces
}

// indexBytes is the size of what says which rows belong to words: their n-grams, noise, tree
// and hashes; and their names, in lists that come and go.
func (c Config) indexBytes(v *vocab.Vocab, table *subword.Table) float64 {
	const name, noise = 128, 12
	entries, words := float64(table.Entries()), float64(v.Len())
	bytes := name*words + 8*entries + 4*float64(len(table.Cells()))
	if table.BucketRow != nil {
		bytes += 4 * float64(len(table.BucketRow))
	}
	if c.Freeze != FreezeNone { // lists of the rows that are free
		bytes += 4*entries + 8*words
	}
	if c.WordNgrams > 1 {
		bytes += 8 * words
	}
	if c.loss() != HierarchicalSoftmax {
		return bytes + noise*words
	}
	const making = 30 // what a tree is made with
	nodes, _ := wayLengths(v)
	return bytes + (16+making)*words + 4*nodes
}

// wayLengths returns about how many nodes are on the ways to all words of a vocabulary in
// its Huffman tree, and how many on the longest: each node says a bit of which word it is.
func wayLengths(v *vocab.Vocab) (all, longest float64) {
	counts := v.Counts()
	var total float64
	for _, n := range counts {
		total += float64(n)
	}
	for _, n := range counts {
		length := min(math.Log2(total/max(float64(n), 1))+1, float64(len(counts)))
		all += length
		longest = max(longest, length)
	}
	return all, longest
}

// workerBytes is what a worker has of its own: see newWorker.
func (s shape) workerBytes(c Config, v *vocab.Vocab, table *subword.Table) float64 {
	const position, rest = 4 * 4, 1024 // of a text; and what does not grow
	bytes := s.blockBytes(c, v) + position*maxText + rest
	if s.stretch > 0 {
		bytes += s.stretchBytes(c, table)
	}
	if s.round > 0 {
		bytes += s.teamBytes(c, v)
	}
	return bytes
}

// sideBytes is the size of a side.
func sideBytes(rows float64, lists int) float64 {
	const group = 16
	return group*simd.Lanes + rows*float64(lists)*rowBytes(simd.Lanes) + inLines(rows)*(4+2+group)
}

// inLines is wholeLines.
func inLines(n float64) float64 { return math.Ceil(n/32) * 32 }

// truths are the most rows that say yes and no in a block.
func (s shape) truths(c Config, v *vocab.Vocab) (yes, no float64) {
	most := float64(mostTruths(s.centres, c))
	if c.loss() == HierarchicalSoftmax {
		_, longest := wayLengths(v)
		return most * longest, most * longest
	}
	return most, float64(s.shared)
}

// pairingBytes is the size of a pairing.
func (s shape) pairingBytes(c Config, v *vocab.Vocab) float64 {
	most, positions, lists := float64(mostTruths(s.centres, c)), float64(mostPositions(s.centres, c)), max(len(c.Nested), 1)
	yes, no := s.truths(c, v)
	const itself = 1200 // four sides, with a number for each input, and other fields
	bytes := itself + sideBytes(yes, lists) + sideBytes(no, lists) + 4*inLines(float64(s.shared)) + 2*inLines(most)
	switch c.arch() {
	case CBOW:
		bytes += meanBytes(positions)
		if c.WordNgrams > 1 {
			bytes += sideBytes(positions*float64(c.WordNgrams-1), 2)
		}
	case Structured:
		bytes += 2*4*inLines(most) + 2*float64(c.heads())
	}
	return bytes
}

// meanBytes is the size of the means of so many contexts.
func meanBytes(contexts float64) float64 {
	const window = 20
	return window*(simd.Lanes+inLines(contexts)) + 4*inLines(contexts)
}

// blockBytes is the size of a block.
func (s shape) blockBytes(c Config, v *vocab.Vocab) float64 {
	centres := float64(s.centres)
	bytes := s.pairingBytes(c, v) + centres*rowBytes(c.Dim) + matrixBytes(c.Dim, simd.Lanes) + 4*float64(s.shared)
	if !c.direct() {
		bytes += centres * rowBytes(c.Dim)
	}
	if n := len(c.Nested); n > 1 {
		yes, no := s.truths(c, v)
		bytes += max(yes, no) * float64(n) * rowBytes(simd.Lanes)
	}
	if c.Rank > 0 {
		bytes += 2*centres*rowBytes(c.Rank) + commonBytes(float64(c.Rank), c.Dim)
	}
	if c.PositionWeights {
		const triple = 16
		contexts := centres * float64(min(2*min(c.Window, maxText), maxText))
		bytes += commonBytes(2*float64(c.Window), c.width()) + 2*float64(c.Window)*rowBytes(c.width()) + triple*contexts
	}
	return bytes
}

// grown is how much is allocated, about, for a list that grows until it is as long as it
// is to be.
const grown = 2

// alone is the size of what names a row that is alone: see eachAlone.
const alone = 8 + 4 + 4

// commonBytes is the size of a common matrix.
func commonBytes(rows float64, cols int) float64 {
	return rows * (2*rowBytes(cols) + grown*(alone+4))
}

// stretchBytes is the size of a stretch.
func (s shape) stretchBytes(c Config, table *subword.Table) float64 {
	const (
		token = grown*(8+2*(4+4)+4) + 4 + 1 // moves and places; words and whether they were seen
		entry = grown * (3*4 + 4)           // lists, cells and numbers
	)
	margin := 2 * c.margin()
	length, words := float64(s.stretch+margin), max(float64(table.Words()), 1)
	values := (2*length + float64(s.step()+margin)) * rowBytes(c.width())
	bytes := values + token*length + grown*alone*float64(s.stretch) + 4*words + 4*float64(s.step()+margin)
	if table.Cells() != nil {
		bytes += entry * float64(table.Entries()) / words * min(length, words)
	}
	if c.teamed() && c.members() > 1 {
		bytes += values
	}
	return bytes
}

// teamBytes is the size of a team.
func (s shape) teamBytes(c Config, v *vocab.Vocab) float64 {
	segments := len(c.segments()) - 1
	rows := float64(mostPositions(s.centres, c)) + float64(s.shared)
	slot := s.pairingBytes(c, v) + rows*(4+float64(segments)*rowBytes(simd.Lanes))
	return matrixBytes(c.Dim, simd.Lanes) + float64(s.round)*(2*slot+2*float64(s.centres)*rowBytes(c.Dim))
}
