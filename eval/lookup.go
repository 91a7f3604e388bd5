package eval

import (
	"errors"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A Spelling says how the words of a set are looked up in a vocabulary.
//
// A word is found in the vocabulary by Case, see [vectors.Case], or with FoldVocab in upper
// case. What is not in the vocabulary is composed of its n-grams if the set of vectors has
// them. A vector that is not finite is none, so a word that has such a one is missing; a
// vector of zeros is one, and its cosine with any other is 0.
type Spelling struct {
	Case vectors.Case
	// FoldVocab makes words the same whose upper-case forms are the same, in the
	// vocabulary too, and of several the first one counts, which is the most frequent. This
	// is what case_insensitive=True does in gensim's evaluate_word_pairs and
	// evaluate_word_analogies. Case then says only how words that are not in the vocabulary
	// are composed.
	FoldVocab bool
}

// A lookup finds the words of an evaluation set in a set of vectors, each once.
type lookup struct {
	set    *vectors.Set
	words  *vectors.Lookup
	folded *folded // nil if the vocabulary is as it is
	known  map[string]entry
}

// An entry is what a lookup found for a word.
type entry struct {
	vector []float32 // nil if the word is missing
	id     int       // position in the vocabulary; -1 for a composed or missing word
}

func (e entry) missing() bool  { return e.vector == nil }
func (e entry) composed() bool { return e.vector != nil && e.id < 0 }

// newLookup returns a lookup of words, which need be named only if the vocabulary is folded.
func newLookup(s *vectors.Set, how Spelling, words []string) (*lookup, error) {
	if s == nil {
		return nil, errors.New("eval: there is no set of vectors to evaluate: it is nil")
	}
	found, err := s.Lookup(how.Case)
	if err != nil {
		return nil, err
	}
	l := &lookup{set: s, words: found, known: make(map[string]entry)}
	if how.FoldVocab {
		l.folded = fold(s, words)
	}
	return l, nil
}

// composes reports whether words that are not in the vocabulary can have
// vectors.
func (l *lookup) composes() bool { return l.set.Subword() != nil }

// ignoresCase reports whether words are found that are there in another case.
func (l *lookup) ignoresCase() bool { return l.folded != nil || l.words.IgnoresCase() }

func (l *lookup) find(word string) entry {
	e, ok := l.known[word]
	if !ok {
		e = l.search(word)
		l.known[word] = e
	}
	return e
}

func (l *lookup) search(word string) entry {
	spelling, id := l.words.Find(word)
	if l.folded != nil {
		if first, ok := l.folded.id(word); ok {
			spelling, id = l.set.Words().At(first), first
		}
	}
	v := make([]float32, l.set.Dim())
	if !l.set.Vector(v, spelling) || !finite(v) {
		return entry{id: -1}
	}
	return entry{vector: v, id: id}
}

// same returns the id that the words have in common which are the same as word id.
func (l *lookup) same(id int) int {
	if l.folded == nil {
		return id
	}
	return l.folded.same(id)
}

func finite(v []float32) bool {
	for _, x := range v {
		if !(x >= -math.MaxFloat32 && x <= math.MaxFloat32) { // NaN is not either
			return false
		}
	}
	return true
}

// A roll lists words once each, in the order of their first mention.
type roll struct {
	words []string
	seen  map[string]bool
}

func newRoll() *roll { return &roll{words: []string{}, seen: make(map[string]bool)} }

func (r *roll) add(word string) {
	if !r.seen[word] {
		r.seen[word] = true
		r.words = append(r.words, word)
	}
}
