package subword

// Whole is the word's own row, which already includes its pieces' rows, as in finalfusion's files. It cannot be
// trained. A word outside the vocabulary is the mean of its pieces' rows.
var Whole Composition = whole{}

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
