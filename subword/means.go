package subword

// The compositions in which rows count alike. A word that is not in the vocabulary is the mean of
// its pieces' rows in all of them.
var (
	// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the
	// default, and the composition of plain words, which have no pieces.
	Mean Composition = mean{}
	// Whole is the word's own row: the rows of its pieces are in it already, as in finalfusion's
	// files. No run trains it.
	Whole Composition = whole{}
	// Pieces is the mean of the rows of the word's pieces, as for any other word. No word has a
	// row of its own, as in floret's tables.
	Pieces Composition = pieces{}
)

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

type whole struct{}

func (whole) Name() string            { return "whole" }
func (whole) OwnRows() bool           { return true }
func (whole) Composes() bool          { return false }
func (whole) Learned(Indexer) Learned { return Learned{} }

func (whole) Terms(t *Terms, indexer Indexer, word string, known bool) {
	if known {
		*t = Terms{Own: true, Buckets: t.Buckets[:0], Pieces: 1}
		return
	}
	t.pieces(indexer, word)
}

type pieces struct{}

func (pieces) Name() string            { return "pieces" }
func (pieces) OwnRows() bool           { return false }
func (pieces) Composes() bool          { return true }
func (pieces) Learned(Indexer) Learned { return Learned{} }

func (pieces) Terms(t *Terms, indexer Indexer, word string, _ bool) { t.pieces(indexer, word) }

// pieces sets t to the rows of all pieces of a word.
func (t *Terms) pieces(indexer Indexer, word string) {
	t.Own, t.Cells = false, t.Cells[:0]
	t.Buckets = indexer.Append(t.Buckets[:0], word)
	t.Pieces = len(t.Buckets)
}
