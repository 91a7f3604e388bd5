package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
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
func (s *Set) SelectRows(words []string, options RowOptions) (selected *Set, missing []string) {
	selected = s
	s.file.Guard(func() { selected, missing = s.selectRows(words, options) })
	return selected, missing
}

// selectRows is SelectRows where faults are looked after.
func (s *Set) selectRows(words []string, options RowOptions) (selected *Set, missing []string) {
	rows := selectedRows{set: s, words: words, ids: make([]uint32, len(words)), from: make([]wordSource, len(words))}
	var known []uint32
	seen := map[string]bool{}
	for i, word := range words {
		rows.ids[i], rows.from[i] = s.find(word)
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
	of := func(m Matrix) Matrix { // the rows of known words, by their ids
		if !s.sequential() {
			return m
		}
		few := m.pick(known, 0, 0, s.file).inMemory()
		return Stored(m.Rows, m.Cols, sparse{few, known})
	}
	rows.of = of(s.Rows())
	if options.Random && len(missing) > 0 {
		rows.random, rows.seed = rows.rootMeanSquare(known), options.Seed
	}
	p := s.sibling()
	p.words, p.specials, p.tied = NewWords(words...), 0, s.tied && s.subword == nil
	for p.specials < len(words) && rows.from[p.specials] == fromVocabulary && int(rows.ids[p.specials]) < s.specials {
		p.specials++
	}
	if s.counts != nil {
		p.counts = make([]uint64, len(words))
		for i, id := range rows.ids {
			if rows.from[i] == fromVocabulary {
				p.counts[i] = s.counts[id]
			}
		}
	}
	p.input = Stored(len(words), s.Dim(), rows)
	if s.subword != nil {
		return p, missing
	}
	p.input = p.input.withDType(s.input.DType())
	if s.output.Rows > 0 {
		context := rows
		context.of, context.random = of(s.output), 0
		p.output = Stored(len(words), s.output.Cols, context).withDType(s.output.DType())
		if s.outputIsInput() {
			p.output = p.input
		}
	}
	return p, missing
}

// sparse is rows in memory under the numbers that they have in a larger matrix.
type sparse struct {
	rows Matrix
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
	set    *Set
	of     Matrix // of the words of the vocabulary
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
		var c composer
		c.unknown(dst, m.set, m.words[r])
		m.set.file.Saw(c.looked(m.set))
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
