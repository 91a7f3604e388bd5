package subword

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/wording"
)

// Hash splits words into pieces and gives each piece a few rows of a shared pool, and a row of learned
// weights of these rows: hash embeddings (Svenstrup, Hansen and Winther 2017).
//
// The word is put between "<" and ">". Its pieces are the whole result, and every run of MinN to MaxN code
// points of it, as in FastText. The vector of a piece is the weighted sum of its rows. The vector of a word
// is the mean over its pieces.
type Hash struct {
	MinN    int `setting:"minn" help:"shortest n-gram, in code points"`
	MaxN    int `setting:"maxn" help:"longest n-gram, in code points; 0 (whole words only)"`
	Buckets int `setting:"buckets" help:"hash buckets of the n-grams"` // rows of the pool
	Hashes  int `setting:"hashes" help:"rows of each n-gram, from 1 to 4"`
	// Importances is the number of rows of weights, each of Hashes numbers.
	Importances int `setting:"importances" help:"rows of importances; n-grams share them" default:"10 × buckets"`
	// AppendWeights appends Hashes dimensions to a word's vector, the mean weights of its pieces, as the
	// paper does.
	AppendWeights bool `setting:"append-weights" help:"make the mean importances of a word the last dimensions of its vector"`
}

// MaxImportances is the largest number of rows of weights.
const MaxImportances = math.MaxInt32 / maxHashes

// Validate reports the first invalid setting.
func (h Hash) Validate() error {
	switch {
	case h.MinN < 0:
		return checkLengths(h.MinN, h.MaxN, 0)
	case h.MaxN != 0 && h.MaxN < h.MinN || h.MaxN < 0 || h.MaxN > MaxLength:
		return fmt.Errorf("subword: maxn is %d, must be from minn, %d, to %d, or 0 for no n-grams", h.MaxN, h.MinN, MaxLength)
	}
	return cmp.Or(checkRange("buckets", h.Buckets, 1, math.MaxInt32), checkRange("hashes", h.Hashes, 1, maxHashes),
		checkRange("importances", h.Importances, 1, MaxImportances))
}

// Rows returns the number of rows of the pool.
func (h Hash) Rows() int { return h.Buckets }

// Append appends the rows of every piece of word to dst, Hashes rows for each piece, the whole word first.
func (h Hash) Append(dst []uint32, word string) []uint32 {
	h.each(word, func(piece []byte) { dst = appendHashes(dst, piece, hashSeed, h.Hashes, h.Buckets) })
	return dst
}

// AppendImportances appends the row of weights of every piece of word to dst, in the order of Append.
func (h Hash) AppendImportances(dst []uint32, word string) []uint32 {
	h.each(word, func(piece []byte) { dst = appendHashes(dst, piece, importanceSeed, 1, h.Importances) })
	return dst
}

const (
	hashSeed       = FloretSeed
	importanceSeed = hashSeed + 1
)

// Ngrams returns the text of every piece of word in the order of Append: each piece occurs once for each of
// its rows.
func (h Hash) Ngrams(word string) []string { return texts(h.each, word, h.Hashes) }

// each yields the pieces of a word. An n-gram that equals the whole word is not yielded again.
func (h Hash) each(word string, yield func(piece []byte)) {
	must(h.Validate())
	var buf [128]byte
	whole := bracketed(buf[:0], "<", word, ">")
	yield(whole)
	runs(whole, h.MinN, h.MaxN, func(ngram []byte) {
		if len(ngram) < len(whole) {
			yield(ngram)
		}
	})
}

var hashKind = Kind{
	Name:        "hash",
	Title:       "hash embeddings",
	Composition: Weighted,
	Meaning:     "hash embeddings: as floret, with rows weighted by learned importances",
	Usual:       Hash{MinN: 3, MaxN: 6, Buckets: 50_000, Hashes: 2},
	Settings:    settingsOf(Hash{}),
	complete: func(indexer Indexer, given func(string) bool) (Indexer, error) {
		h := indexer.(Hash)
		if err := checkMinN(&h.MinN, h.MaxN, given); err != nil {
			return nil, err
		}
		if h.Importances == 0 && !given("importances") {
			h.Importances = min(10*h.Buckets, MaxImportances)
		}
		return h, h.Validate()
	},
}

func (Hash) kind() Kind { return hashKind }

func (h Hash) count(runes int) int { return h.Hashes * (1 + countRuns(h.MinN, h.MaxN, runes)) }

func (h Hash) describe() string {
	text := fmt.Sprintf("%s, in %s rows, %d for each, weighted by %s rows of importances",
		describePieces(h.MinN, h.MaxN), wording.Thousands(h.Buckets), h.Hashes, wording.Thousands(h.Importances))
	if h.AppendWeights {
		text += ", which are the last dimensions too"
	}
	return text
}

func (h Hash) withoutAppended() Indexer {
	h.AppendWeights = false
	return h
}

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
