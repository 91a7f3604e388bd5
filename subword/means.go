package subword

// Compositions with equal weights of rows. In all of them, a word outside the vocabulary is the mean of its
// pieces' rows.
var (
	// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the default, and the
	// composition of plain words, which have no pieces.
	Mean Composition = mean{}
	// Whole is the word's own row, which already includes its pieces' rows, as in finalfusion's files. It
	// cannot be trained.
	Whole Composition = whole{}
	// Pieces is the mean of the rows of the word's pieces, as for words outside the vocabulary. Words have no
	// rows of their own, as in floret's tables.
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
