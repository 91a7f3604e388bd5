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
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Select returns a set of the words that are in the vocabulary of s, in the order of their first
// mention, and the words without a vector. N-grams stay, so words outside the vocabulary keep their
// composed vectors and are not missing. Special tokens stay special if no other word precedes them.
func Select(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	return within(s, func() (*vectors.Set, []string) {
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
	})
}

// within calls choose within a fault guard of s. If the file of s cannot be read, all of s is selected.
func within(s *vectors.Set, choose func() (*vectors.Set, []string)) (selected *vectors.Set, missing []string) {
	selected = s
	behind(s).Guard(func() { selected, missing = choose() })
	return selected, missing
}

// SelectComposed returns a plain set of the words that have a vector in s, in the order of their
// first mention: words of the vocabulary, and words composed of n-grams, with count 0 if there are
// counts. Words without a vector are missing. If s has n-grams, its context vectors are left out,
// too.
func SelectComposed(s *vectors.Set, words []string) (selected *vectors.Set, missing []string) {
	if s.Subword() == nil {
		return Select(s, words)
	}
	return within(s, func() (*vectors.Set, []string) {
		found := slices.DeleteFunc(distinct(words), func(word string) bool {
			_, source := find(s, word)
			if source == fromNothing {
				missing = append(missing, word)
			}
			return source == fromNothing
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

type wordSource uint8

const (
	fromVocabulary wordSource = iota
	fromNgrams                // composed of n-grams
	fromNothing
)

// find returns the source of a word's vector, and the word's id if it is in the vocabulary.
func find(s *vectors.Set, word string) (uint32, wordSource) {
	if id, ok := s.ID(word); ok {
		return uint32(id), fromVocabulary
	}
	if s.Subword() != nil && len(s.Subword().Append(nil, word)) > 0 {
		return 0, fromNgrams
	}
	return 0, fromNothing
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
	// Random gives these words random rows instead of zeros. Numbers are normally distributed, with
	// the root mean square of the known words' numbers. Apart from this scale, a word's row does not
	// depend on the other words.
	Random bool
	Seed   uint64 // of random rows
}

// SelectRows returns a plain set whose row i is the vector of words[i], and the words without a
// vector. Words outside the vocabulary have composed vectors, and missing words have rows as the
// options say. A word given twice occurs twice, which some formats cannot store. Counts of words
// outside the vocabulary are 0. Context vectors stay if s has no n-grams; for missing words they
// are zeros, as at the start of training.
func SelectRows(s *vectors.Set, words []string, options RowOptions) (selected *vectors.Set, missing []string) {
	return within(s, func() (*vectors.Set, []string) { return selectRows(s, words, options) })
}

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

type selectedRows struct {
	set    *vectors.Set
	of     vectors.Matrix // rows of the words of the vocabulary
	words  []string
	ids    []uint32
	from   []wordSource
	random float64 // standard deviation of missing words' rows; 0 means zeros
	seed   uint64
}

func (m selectedRows) Read(dst []float32, r int) {
	switch m.from[r] {
	case fromVocabulary:
		m.of.Read(dst, int(m.ids[r]))
	case fromNgrams:
		m.set.Vector(dst, m.words[r])
		behind(m.set).Saw(backing.Page * int64(len(m.set.Subword().Append(nil, m.words[r]))))
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

// rootMeanSquare returns the root mean square of the finite numbers in the rows of these ids.
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

// WithSpecialTokens returns the words of s preceded by special tokens with zero vectors, such as
// padding. The tokens come first, in the given order, because programs expect padding to be number
// 0. The result has no n-grams. WithSpecialTokens returns an error if a token is already a word.
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
		var words vectors.WordsBuilder
		words.Grow(int64(len(tokens) + s.Len()))
		for _, token := range tokens {
			words.Add(token)
		}
		for _, word := range s.Words().All() {
			words.Add(word)
		}
		behindZeros := func(m vectors.Matrix) vectors.Matrix {
			d := m.DType()
			zeros := vectors.Stored(len(tokens), s.Dim(), coded.Func(func(dst []float32, _ int) { clear(dst) }))
			return withDType(stacked(zeros, m.Exact(d)), d)
		}
		p = plainWith(s, behindZeros(s.Rows()), vectors.Matrix{})
		if s.Output().Rows > 0 {
			p.Output = behindZeros(s.Output())
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

// OneMatrix returns s as one matrix for both input and output of a network with tied weights, such
// as a language model: context vectors are left out, and files for torch say so. Word vectors stay
// unchanged. Vectors trained against context vectors are near, but not equal, to what a network
// with tied weights learns, so the result is a starting point for further training.
func OneMatrix(s *vectors.Set) *vectors.Set {
	t := withMatrices(s, s.Input(), vectors.Matrix{})
	drop(&t, func(k vectors.MatrixKind) bool { return k.Output }) // context vectors may be computed from the output matrices
	t.OneMatrix = true
	return made(t)
}
