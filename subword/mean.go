package subword

// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the default, and the
// composition of plain words, which have no pieces.
var Mean Composition = mean{}

type mean struct{}

func (mean) Name() string            { return "" }
func (mean) OwnRows() bool           { return true }
func (mean) Composes() bool          { return true }
func (mean) Learned(Indexer) Learned { return Learned{} }

func (mean) Terms(t *Terms, indexer Indexer, word string, known bool) {
	t.pieces(indexer, word)
	if t.Own = known; known {
		t.Pieces++
	}
}
