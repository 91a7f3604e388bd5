package transform

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Select returns a set of the words that are in the vocabulary of s, in the order of their first mention, and
// the words without a vector. N-grams stay, so words outside the vocabulary keep their composed vectors and
// are not missing. Special tokens stay special if no other word precedes them.
func Select(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	return within(s, func() (*vectors.Set, []string) {
		var ids []uint32
		for _, word := range distinct(words) {
			switch id := find(s, word); {
			case id >= 0:
				ids = append(ids, uint32(id))
			case id == nowhere:
				missing = append(missing, word)
			}
		}
		return pickInOrder(s, ids), missing
	})
}

// within calls choose within a fault guard of s. If the file of s cannot be read, all of s is selected.
func within(s *vectors.Set, choose func() (*vectors.Set, []string)) (selected *vectors.Set, missing []string) {
	selected = s
	behind(s).Guard(func() { selected, missing = choose() })
	return selected, missing
}

// SelectComposed returns a plain set of the words that have a vector in s, in the order of their first
// mention: words of the vocabulary, and words composed of n-grams, with count 0 if there are counts. Words
// without a vector are missing. If s has n-grams, its context vectors are left out, too.
func SelectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	if s.Subword() == nil {
		return Select(s, words)
	}
	return within(s, func() (*vectors.Set, []string) {
		found := slices.DeleteFunc(distinct(words), func(word string) bool {
			lacks := find(s, word) == nowhere
			if lacks {
				missing = append(missing, word)
			}
			return lacks
		})
		selected, _ = SelectRows(s, found, RowOptions{})
		return selected, missing
	})
}

func distinct(words []string) []string {
	seen := make(map[string]bool, len(words))
	var list []string
	for _, word := range words {
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	return list
}

// Places of words outside the vocabulary: composed of n-grams, or without a vector.
const composed, nowhere = -1, -2

func find(s *vectors.Set, word string) int {
	if id, ok := s.ID(word); ok {
		return id
	}
	if s.Subword() != nil && len(s.Subword().Append(nil, word)) > 0 {
		return composed
	}
	return nowhere
}

// pickInOrder is Pick for distinct ids in any order, which a stream needs in memory.
func pickInOrder(s *vectors.Set, ids []uint32) *vectors.Set {
	if !behind(s).Streams() || slices.IsSorted(ids) {
		return Pick(s, ids)
	}
	rising := slices.Clone(ids)
	slices.Sort(rising)
	order := make([]uint32, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(rising, id)
		order[i] = uint32(at)
	}
	return Pick(Pick(s, rising).MapRows(inMemory), order)
}

func inMemory(m vectors.Matrix) vectors.Matrix {
	if m.Data != nil || m.Rows == 0 {
		return m
	}
	rows := vectors.NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(rows.Row(r), r)
	}
	return withDType(rows, m.DType())
}

// RowOptions say what rows SelectRows gives to words without a vector.
type RowOptions struct {
	// Random gives these words random rows instead of zeros: normally distributed numbers with the root mean
	// square of the known words' numbers. Apart from this scale, a word's row does not depend on other words.
	// Words of which no n-gram was trained are such words, too.
	Random bool
	Seed   uint64 // of random rows
	Ngrams bool   // the result keeps n-grams and further matrices, except a tree over all words
	// From, if not nil, has vectors of missing words, with as many dimensions. Missing words that it lacks have
	// rows as above.
	From *vectors.Set
}

// SelectRows returns a plain set whose row i is the vector of words[i], and the words without a vector. Words
// outside the vocabulary have composed vectors, and missing words have rows as the options say. A word given
// twice occurs twice, which some formats cannot store. Counts of words outside the vocabulary are 0. Context
// vectors stay if s has no n-grams or the result keeps them; for words outside the vocabulary they are zeros,
// as at the start of training.
func SelectRows(s *vectors.Set, words []string, options RowOptions) (selected *vectors.Set, missing []string) {
	return within(s, func() (*vectors.Set, []string) { return selectRows(s, words, options) })
}

func selectRows(s *vectors.Set, words []string, options RowOptions) (selected *vectors.Set, missing []string) {
	rows := selectedRows{set: s, words: words, ids: make([]int, len(words)), seed: options.Seed}
	var known []uint32
	v := make([]float32, s.Dim())
	for i, word := range words {
		id := find(s, word)
		if id == composed && options.Random {
			if s.Vector(v, word); !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
				id = nowhere // none of its n-grams was trained
			}
		}
		rows.ids[i] = id
		switch {
		case id >= 0:
			known = append(known, uint32(id))
		case id == nowhere && options.From != nil && options.From.Vector(v, word):
			if rows.given == nil {
				rows.given = make(map[string][]float32)
			}
			rows.given[word] = slices.Clone(v) // From may be closed before the rows are read
		case id == nowhere:
			missing = append(missing, word)
		}
	}
	missing = distinct(missing)
	slices.Sort(known)
	known = slices.Compact(known)
	of := func(m vectors.Matrix) vectors.Matrix { // the rows of known words, by id
		if !behind(s).Streams() {
			return m
		}
		few := inMemory(pickRows(m, known, behind(s)))
		return vectors.Stored(m.Rows, m.Cols, coded.Func(func(dst []float32, r int) {
			if at, ok := slices.BinarySearch(known, uint32(r)); ok {
				few.Read(dst, at)
			} else {
				clear(dst)
			}
		}))
	}
	rows.of = of(s.Rows())
	if options.Random && len(missing) > 0 {
		rows.random = rootMeanSquare(rows.of, known)
	}
	p := sibling(s)
	specials := p.Specials
	p.Words, p.Specials, p.OneMatrix = vectors.NewWords(words...), 0, p.OneMatrix && s.Subword() == nil
	for p.Specials < len(words) && rows.ids[p.Specials] >= 0 && rows.ids[p.Specials] < specials {
		p.Specials++
	}
	if counts := s.Counts(); counts != nil {
		p.Counts = make([]uint64, len(words))
		for i, id := range rows.ids {
			if id >= 0 {
				p.Counts[i] = counts[id]
			}
		}
	}
	p.Input = vectors.Stored(len(words), s.Dim(), rows)
	if s.Subword() != nil && !options.Ngrams {
		return made(p), missing
	}
	p.Input = withDType(p.Input, s.Input().DType())
	if options.Ngrams {
		keepNgrams(s, &p, rows)
	}
	if s.Output().Rows > 0 {
		p.Output = byWord(s, of(s.Output()), rows.ids)
		if outputIsInput(s) {
			p.Output = p.Input
		}
	}
	return made(p), missing
}

// byWord returns the rows of m for these ids: as many rows for each as m has. Rows of negative ids are zeros.
func byWord(s *vectors.Set, m vectors.Matrix, ids []int) vectors.Matrix {
	return withDType(vectors.Stored(m.Rows/max(s.Len(), 1)*len(ids), m.Cols, coded.Func(func(dst []float32, r int) {
		if id := ids[r%len(ids)]; id >= 0 {
			m.Read(dst, r/len(ids)*s.Len()+id)
		} else {
			clear(dst)
		}
	})), m.DType())
}

// keepNgrams gives p, whose words have these rows, the n-grams and matrices of s. Words outside the vocabulary
// of s get rows of their own behind those of s. Such a row is the word's vector, so that its mean with the rows
// of the word's n-grams is the same vector.
func keepNgrams(s *vectors.Set, p *vectors.Parts, rows selectedRows) {
	for _, m := range s.Matrices() {
		switch kind := m.Kind(); {
		case kind.Tree: // the tree covers all words
		case kind.ByWord:
			p.Put(m.Name, byWord(s, m.Matrix, rows.ids))
		default:
			p.Put(m.Name, m.Matrix)
		}
	}
	if s.Subword() == nil {
		return
	}
	shared := s.SharedParts()
	p.Subword, p.Composition = shared.Subword, shared.Composition
	p.Input, p.BucketRows = s.Input(), slices.Clone(shared.BucketRows)
	if !s.OwnRows() {
		return
	}
	own := rows
	own.words, own.ids, own.pieces = nil, nil, s.Composes()
	p.WordRows = make([]uint32, len(rows.words))
	for i, id := range rows.ids {
		if id >= 0 {
			p.WordRows[i] = uint32(s.OwnRow(id))
			continue
		}
		p.WordRows[i] = uint32(p.Input.Rows + len(own.words))
		own.words, own.ids = append(own.words, rows.words[i]), append(own.ids, id)
	}
	if p.BucketRows == nil {
		p.BucketRows = make([]int32, s.Subword().Rows())
		for b := range p.BucketRows {
			p.BucketRows[b] = int32(s.BucketRow(uint32(b)))
		}
	}
	p.Input = withDType(stacked(s.Input(), vectors.Stored(len(own.words), s.Dim(), own)), s.Input().DType())
}

type selectedRows struct {
	set    *vectors.Set
	of     vectors.Matrix // rows of the words of the vocabulary
	words  []string
	ids    []int   // see find
	random float64 // standard deviation of missing words' rows; 0 means zeros
	seed   uint64
	given  map[string][]float32 // rows of missing words: see RowOptions.From
	pieces bool                 // random rows are divided by the number of a word's pieces, of which the others are zeros
}

func (m selectedRows) Read(dst []float32, r int) {
	word := m.words[r]
	switch id := m.ids[r]; {
	case id >= 0:
		m.of.Read(dst, id)
	case id == composed:
		m.set.Vector(dst, word)
		behind(m.set).Saw(backing.Page * int64(len(m.set.Subword().Append(nil, word))))
	case m.given[word] != nil:
		copy(dst, m.given[word])
		if m.pieces {
			for k := range dst {
				dst[k] *= float32(1 + len(m.set.Subword().Append(nil, word)))
			}
		}
	case m.random == 0:
		clear(dst)
	default:
		hash, _ := hashing.Murmur3([]byte(word), 0)
		random, scale := rand.New(rand.NewPCG(m.seed, hash)), m.random
		if m.pieces {
			scale *= float64(1 + len(m.set.Subword().Append(nil, word)))
		}
		for k := range dst {
			dst[k] = float32(scale * random.NormFloat64())
		}
	}
}

func rootMeanSquare(m vectors.Matrix, rows []uint32) float64 {
	row := make([]float32, m.Cols)
	var sum float64
	n := 0
	for _, r := range rows {
		m.Read(row, int(r))
		for _, x := range row {
			if square := float64(x) * float64(x); !math.IsNaN(square) && !math.IsInf(square, 0) {
				sum += square
				n++
			}
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// WithSpecialTokens returns the words of s preceded by special tokens with zero vectors, such as padding. The
// tokens come first, in the given order, because programs expect padding to be number 0. The result has no
// n-grams. WithSpecialTokens returns an error if a token is already a word.
func WithSpecialTokens(s *vectors.Set, tokens ...string) (*vectors.Set, error) {
	for i, token := range tokens {
		if token == "" {
			return nil, errors.New("a special token is empty")
		}
		if id, ok := s.ID(token); ok {
			return nil, fmt.Errorf("the special token %.40q is a word already, number %d", token, id)
		}
		if slices.Contains(tokens[:i], token) {
			return nil, fmt.Errorf("the special token %.40q is named twice", token)
		}
	}
	if len(tokens) == 0 {
		return s, nil
	}
	if s.Dim() < 1 {
		return nil, errors.New("a special token has a vector of zeros, and the set has 0 dimensions")
	}
	zeros := vectors.NewMatrix(len(tokens), s.Dim())
	behindZeros := func(m vectors.Matrix) vectors.Matrix {
		return withDType(stacked(zeros, m.Exact(m.DType())), m.DType())
	}
	p := plainWith(s, behindZeros(s.Rows()), s.Output())
	if p.Output.Rows > 0 {
		p.Output = behindZeros(p.Output)
	}
	err := behind(s).Guarded(func() error {
		var words vectors.WordsBuilder
		words.Grow(int64(len(tokens) + s.Len()))
		for _, token := range tokens {
			words.Add(token)
		}
		for _, word := range s.Words().All() {
			words.Add(word)
		}
		p.Words = words.Words()
		if s.Counts() != nil {
			p.Counts = slices.Concat(make([]uint64, len(tokens)), s.Counts())
		}
		p.Specials += len(tokens)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors.New(p)
}

// OneMatrix returns s as one matrix for both input and output of a network with tied weights, such as a
// language model: context vectors are left out, and files for torch say so. Word vectors stay unchanged.
// Vectors trained against context vectors are near, but not equal, to what a network with tied weights
// learns, so the result is a starting point for further training.
func OneMatrix(s *vectors.Set) *vectors.Set {
	t := withMatrices(s, s.Input(), vectors.Matrix{})
	drop(&t, func(k vectors.MatrixKind) bool { return k.Output }) // context vectors may be computed from the output matrices
	t.OneMatrix = true
	return made(t)
}
