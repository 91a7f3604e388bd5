package transform

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/vectors"
)

// Select returns the set of those of the words that are in the vocabulary of s, in the
// order in which they are given first, and which of them have no vector in it. N-grams
// stay, so that other words that have a vector in s have it in the result; they are not
// missing. Special tokens are special in the result as long as no other word comes before
// them. Rows are read when they are asked for.
func Select(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	selected = s
	behind(s).Guard(func() { selected, missing = selectKnown(s, words) })
	return selected, missing
}

// selectKnown is Select for callers inside a fault guard.
func selectKnown(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	var ids []uint32
	for _, word := range distinct(words) {
		switch id, source := find(s, word); source {
		case fromVocabulary:
			ids = append(ids, id)
		case fromNothing:
			missing = append(missing, word)
		}
	}
	return pickInOrder(s, ids), missing
}

// SelectComposed returns the plain set of the words that have a vector in s, in the
// order in which they are given first: those of the vocabulary, and those that are
// composed of n-grams, with a count of 0 if there are counts. The words that have no
// vector are missing. If n-grams are left out, so are context vectors. Rows are made
// when they are asked for.
func SelectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	if s.Subword() == nil {
		return Select(s, words)
	}
	selected = s
	behind(s).Guard(func() { selected, missing = selectComposed(s, words) })
	return selected, missing
}

// selectComposed is SelectComposed for callers inside a fault guard, of a set with n-grams.
func selectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	var found []string
	for _, word := range distinct(words) {
		if _, source := find(s, word); source == fromNothing {
			missing = append(missing, word)
		} else {
			found = append(found, word)
		}
	}
	selected, _ = SelectRows(s, found, RowOptions{})
	return selected, missing
}

// distinct returns words without those that were there before.
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

// A wordSource is where the vector of a word comes from.
type wordSource uint8

const (
	fromVocabulary wordSource = iota
	fromNgrams                // of n-grams
	fromNothing
)

// find returns where the vector of a word comes from, and its id if it is in the
// vocabulary.
func find(s *vectors.Set, word string) (uint32, wordSource) {
	if id, ok := s.ID(word); ok {
		return uint32(id), fromVocabulary
	}
	if s.Subword() != nil && len(s.Subword().Append(nil, word)) > 0 {
		return 0, fromNgrams
	}
	return 0, fromNothing
}

// pickInOrder is pick for distinct ids in any order. What can only be read in the order
// of the file is read so, into memory.
func pickInOrder(s *vectors.Set, ids []uint32) *vectors.Set {
	if !sequential(s) || slices.IsSorted(ids) {
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

// inMemory returns the matrix with all its rows in memory.
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

// RowOptions say what SelectRows makes of words that have no vector.
type RowOptions struct {
	// Random gives them random rows, and not zeros. Their numbers are normally
	// distributed and as large as those of the known words: they have the same root mean
	// square. A word has the same row whatever else is asked for, but for its scale.
	Random bool
	Seed   uint64 // of random rows
}

// SelectRows returns a plain set whose row i is the vector of words[i], and which of the
// words have no vector. Words of the vocabulary have their vectors, others the vector that
// is composed of their n-grams, and missing ones a row as options say. So a word that is
// asked for twice is there twice, which some formats cannot hold. Counts of words that are
// not in the vocabulary are 0. Context vectors stay if s has no n-grams; those of missing
// words are zeros, as they are when training begins. Rows are made when they are asked
// for.
func SelectRows(s *vectors.Set, words []string, options RowOptions) (selected *vectors.Set, missing []string) {
	selected = s
	behind(s).Guard(func() { selected, missing = selectRows(s, words, options) })
	return selected, missing
}

// selectRows is SelectRows for callers inside a fault guard.
func selectRows(s *vectors.Set, words []string, options RowOptions) (selected *vectors.Set, missing []string) {
	rows := selectedRows{set: s, words: words, ids: make([]uint32, len(words)), from: make([]wordSource, len(words))}
	var known []uint32
	seen := map[string]bool{}
	for i, word := range words {
		rows.ids[i], rows.from[i] = find(s, word)
		switch {
		case rows.from[i] == fromVocabulary:
			known = append(known, rows.ids[i])
		case rows.from[i] == fromNothing && !seen[word]:
			missing = append(missing, word)
			seen[word] = true
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	of := func(m vectors.Matrix) vectors.Matrix { // the rows of known words, by their ids
		if !sequential(s) {
			return m
		}
		few := inMemory(pickRows(m, known, 0, 0, behind(s)))
		return vectors.Stored(m.Rows, m.Cols, sparse{few, known})
	}
	rows.of = of(s.Rows())
	if options.Random && len(missing) > 0 {
		rows.random, rows.seed = rows.rootMeanSquare(known), options.Seed
	}
	p := sibling(s)
	specials := p.Specials
	p.Words, p.Specials, p.OneMatrix = vectors.NewWords(words...), 0, p.OneMatrix && s.Subword() == nil
	for p.Specials < len(words) && rows.from[p.Specials] == fromVocabulary && int(rows.ids[p.Specials]) < specials {
		p.Specials++
	}
	if s.Counts() != nil {
		p.Counts = make([]uint64, len(words))
		for i, id := range rows.ids {
			if rows.from[i] == fromVocabulary {
				p.Counts[i] = s.Counts()[id]
			}
		}
	}
	p.Input = vectors.Stored(len(words), s.Dim(), rows)
	if s.Subword() != nil {
		return made(p), missing
	}
	p.Input = withDType(p.Input, s.Input().DType())
	if s.Output().Rows > 0 {
		context := rows
		context.of, context.random = of(s.Output()), 0
		p.Output = withDType(vectors.Stored(len(words), s.Output().Cols, context), s.Output().DType())
		if outputIsInput(s) {
			p.Output = p.Input
		}
	}
	return made(p), missing
}

// sparse is rows in memory under the numbers that they have in a larger matrix.
type sparse struct {
	rows vectors.Matrix
	ids  []uint32 // rising
}

func (m sparse) Read(dst []float32, r int) {
	at, ok := slices.BinarySearch(m.ids, uint32(r))
	if !ok {
		clear(dst)
		return
	}
	m.rows.Read(dst, at)
}

// selectedRows are the vectors of words.
type selectedRows struct {
	set    *vectors.Set
	of     vectors.Matrix // of the words of the vocabulary
	words  []string
	ids    []uint32
	from   []wordSource
	random float64 // standard deviation of rows of missing words; 0 for zeros
	seed   uint64
}

func (m selectedRows) Read(dst []float32, r int) {
	switch m.from[r] {
	case fromVocabulary:
		m.of.Read(dst, int(m.ids[r]))
	case fromNgrams:
		m.set.Vector(dst, m.words[r])
		behind(m.set).Saw(page * int64(len(m.set.Subword().Append(nil, m.words[r]))))
	default:
		clear(dst)
		if m.random == 0 {
			return
		}
		word := m.words[r]
		hash, _ := hashing.Murmur3(unsafe.Slice(unsafe.StringData(word), len(word)), 0)
		random := rand.New(rand.NewPCG(m.seed, hash))
		for k := range dst {
			dst[k] = float32(m.random * random.NormFloat64())
		}
	}
}

// rootMeanSquare returns that of the finite numbers of the rows of words of the
// vocabulary.
func (m selectedRows) rootMeanSquare(ids []uint32) float64 {
	row := make([]float32, m.set.Dim())
	var sum float64
	n := 0
	for _, id := range ids {
		m.of.Read(row, int(id))
		for _, x := range row {
			if square := float64(x) * float64(x); !math.IsNaN(square) && !math.IsInf(square, 0) {
				sum += square
				n++
			}
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// WithSpecialTokens returns the words of s with others before them whose vectors are
// zeros, such as the padding of a batch, which a network learns or leaves alone. They
// come first, in the given order, since programs expect padding to be number 0. The
// result has no n-grams. It is an error if one is a word already.
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
	var p vectors.Parts
	err := behind(s).Guarded(func() error {
		p = withZeros(s, tokens)
		p.Specials += len(tokens)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors.New(p)
}

// withZeros returns the words of s with others before them whose vectors are zeros, and
// without n-grams.
func withZeros(s *vectors.Set, before []string) vectors.Parts {
	var words vectors.WordsBuilder
	words.Grow(int64(len(before) + s.Len()))
	for _, word := range before {
		words.Add(word)
	}
	for id := range s.Len() {
		words.Add(s.Words().At(id))
	}
	framed := func(m vectors.Matrix) vectors.Matrix {
		d := m.DType()
		return withDType(vectors.Stored(len(before)+s.Len(), s.Dim(), frame{m.Exact(d), len(before)}), d)
	}
	t := plainWith(s, framed(s.Rows()), vectors.Matrix{})
	if s.Output().Rows > 0 {
		t.Output = framed(s.Output())
	}
	t.Words = words.Words()
	if s.Counts() != nil {
		t.Counts = slices.Concat(make([]uint64, len(before)), s.Counts())
	}
	return t
}

// frame is the rows of a matrix with rows of zeros before them.
type frame struct {
	source vectors.Matrix
	before int
}

func (f frame) Read(dst []float32, r int) {
	if r -= f.before; r < 0 {
		clear(dst)
		return
	}
	f.source.Read(dst, r)
}

// OneMatrix returns s as one matrix for a network's input and output, as a language model
// has it whose last layer multiplies by the embedding of each word: context vectors
// are left out, and files for torch say so. Word vectors are what they were: those
// that trained against context vectors are near, but not equal, to what a network
// with tied weights learns, so this is for a start that training goes on from.
func OneMatrix(s *vectors.Set) *vectors.Set {
	t := withMatrices(s, s.Input(), vectors.Matrix{})
	drop(&t, func(k vectors.MatrixKind) bool { return k.Output }) // context vectors may be made of it
	t.OneMatrix = true
	return made(t)
}
