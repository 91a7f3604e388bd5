package subword

// Pieces is the mean of the rows of the word's pieces, as for words outside the vocabulary. Words have no rows
// of their own, as in floret's tables.
var Pieces Composition = pieces{}

type pieces struct{}

func (pieces) Name() string            { return "pieces" }
func (pieces) OwnRows() bool           { return false }
func (pieces) Composes() bool          { return true }
func (pieces) Learned(Indexer) Learned { return Learned{} }

func (pieces) Terms(t *Terms, indexer Indexer, word string, _ bool) { t.pieces(indexer, word) }
