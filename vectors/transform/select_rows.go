package transform

import (
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/vectors"
)

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

// selectRows is SelectRows where faults are looked after.
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
