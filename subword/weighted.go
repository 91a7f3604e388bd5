package subword

import "slices"

// Weighted is the composition of hash embeddings: the mean over a word's pieces of the weighted sum of each
// piece's rows. Weights are learned. Words have no rows of their own.
var Weighted Composition = weighted{}

type weighted struct{}

func (weighted) Name() string   { return "weighted" }
func (weighted) OwnRows() bool  { return false }
func (weighted) Composes() bool { return true }

// Learned describes the weights. Rows get a lower learning rate because many words share a row. Weights get a
// fraction of their gradient: a row has as many numbers as a vector, so a weight that followed its full
// gradient would change the vector far more than the row does.
func (weighted) Learned(indexer Indexer) Learned {
	h, _ := indexer.(Hash)
	l := Learned{Name: "importance", Title: "weights of pieces", Rows: h.Importances, Cols: h.Hashes, RowRate: 0.7, Rate: 0.1}
	if h.AppendWeights {
		l.Appended = h.Hashes
	}
	return l
}

// Terms leaves out the whole word as a piece if the word is not in the vocabulary and has n-grams, because
// the weights of that piece were never trained.
func (weighted) Terms(t *Terms, indexer Indexer, word string, known bool) {
	h := indexer.(Hash)
	t.pieces(h, word)
	t.Cells = h.AppendImportances(t.Cells, word)
	t.Pieces = len(t.Cells)
	if !known && t.Pieces > 1 {
		t.Buckets, t.Cells = slices.Delete(t.Buckets, 0, h.Hashes), slices.Delete(t.Cells, 0, 1)
		t.Pieces--
	}
	// Expands each row of weights to its cells in place, from the last row to the first.
	t.Cells = slices.Grow(t.Cells, len(t.Buckets)-t.Pieces)[:len(t.Buckets)]
	for i := len(t.Cells) - 1; i >= 0; i-- {
		t.Cells[i] = t.Cells[i/h.Hashes]*uint32(h.Hashes) + uint32(i%h.Hashes)
	}
}
