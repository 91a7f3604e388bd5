package eval

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

type lookup struct {
	set     *vectors.Set
	opt     Options
	words   *query.Finder
	tokens  *vectors.Lookup // finds tokens of texts, which are not words that are asked for; nil if words are looked up
	folded  *folded         // nil without FoldVocab
	known   map[string]entry
	missing wordList // words that were to be used and have no vector
}

type entry struct {
	vector []float32 // nil if the word is missing
	id     int       // position in the vocabulary; -1 if the word is composed or missing
}

func (e entry) missing() bool  { return e.vector == nil }
func (e entry) composed() bool { return e.vector != nil && e.id < 0 }

// newLookup returns a lookup. Words must name the words to look up if opt.FoldVocab is set.
func newLookup(s *vectors.Set, opt Options, words []string) (*lookup, error) {
	found, err := query.New(s, opt.Case)
	if err != nil {
		return nil, err
	}
	l := &lookup{set: s, opt: opt, words: found, known: make(map[string]entry), missing: newWordList()}
	if opt.FoldVocab {
		l.folded = fold(s, words)
	}
	return l, nil
}

// LookedUp says how the words of a set were looked up, and which words have no vector.
type LookedUp struct {
	IgnoreCase bool `json:"ignore_case"` // words are also found in another case; see Options
	FoldVocab  bool `json:"fold_vocab,omitempty"`
	AsTrained  bool `json:"as_trained,omitempty"` // words are also found as the training text has them; see Options
	Restrict   int  `json:"restrict,omitempty"`   // 0 for the whole vocabulary
	// Missing lists the words without vectors, as the set writes them, in the order of their first
	// mention.
	Missing []string `json:"missing"`
}

func (l *lookup) lookedUp() LookedUp {
	return LookedUp{l.ignoresCase(), l.opt.FoldVocab, l.words.AsTrained(), l.opt.Restrict, l.missing.words}
}

func (l *lookup) composes() bool { return l.set.Subword() != nil }

func (l *lookup) ignoresCase() bool { return l.folded != nil || l.words.IgnoresCase() }

// use notes a word without a vector, or beyond the first Restrict words, as missing.
func (l *lookup) use(word string) (e entry, ok bool) {
	e = l.find(word)
	if ok = !l.opt.lacks(e); !ok {
		l.missing.add(word)
	}
	return e, ok
}

func (l *lookup) find(word string) entry {
	e, ok := l.known[word]
	if !ok {
		e = l.search(word)
		l.known[word] = e
	}
	return e
}

func (l *lookup) spelling(word string) (string, int) {
	if l.tokens != nil {
		return l.tokens.Find(word)
	}
	return l.words.Spelling(word)
}

// foundAs returns the spelling of a word by which the set knows it or composes it, and its id, or -1.
func (l *lookup) foundAs(word string) (spelling string, id int) {
	spelling, id = l.spelling(word)
	if l.folded != nil {
		if first, asked := l.folded.first[l.folded.fold(word)]; asked && first >= 0 {
			spelling, id = l.set.Words().At(first), first
		}
	}
	return spelling, id
}

func (l *lookup) search(word string) entry {
	spelling, id := l.foundAs(word)
	v := make([]float32, l.set.Dim())
	if !l.set.Vector(v, spelling) || !finite(v) {
		return entry{id: -1}
	}
	return entry{vector: v, id: id}
}

func (l *lookup) same(id int) int {
	if l.folded != nil {
		if first, ok := l.folded.to[id]; ok {
			return first
		}
	}
	return id
}

func finite(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return !(math.Abs(float64(x)) <= math.MaxFloat32) }) // nor NaN
}

type wordList struct {
	words []string
	seen  map[string]bool
}

func newWordList() wordList { return wordList{words: []string{}, seen: make(map[string]bool)} }

func (r *wordList) add(word string) {
	if !r.seen[word] {
		r.seen[word] = true
		r.words = append(r.words, word)
	}
}

// folded finds words regardless of case: words with the same upper-case form are the same word.
// It knows only the words that an evaluation asks for.
type folded struct {
	upper cases.Caser
	first map[string]int // by upper-case form: the lowest id of a word with this form; -1 for none
	to    map[int]int    // from the id of any other word with such a form to the lowest id
}

func fold(s *vectors.Set, words []string) *folded {
	f := &folded{upper: cases.Upper(language.Und), first: make(map[string]int), to: make(map[int]int)}
	for _, word := range words {
		f.first[f.fold(word)] = -1
	}
	for id, word := range s.Words().All() {
		form := f.fold(word)
		switch first, asked := f.first[form]; {
		case !asked:
		case first < 0:
			f.first[form] = id
		default:
			f.to[id] = first
		}
	}
	return f
}

func (f *folded) fold(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return f.upper.String(word)
		}
	}
	return strings.ToUpper(word)
}

// Coverage counts the words that are not in a vocabulary, and those of them whose vectors are
// composed of n-grams.
type Coverage struct {
	Words    int `json:"words"`    // number of distinct words that are not in the vocabulary
	Composed int `json:"composed"` // number of these words with a composed vector that is not zero
}

// Cover looks up words as the evaluations do. It returns an error if the rule is invalid.
func Cover(s *vectors.Set, words []string, rule vectors.Case) (Coverage, error) {
	l, err := newLookup(s, Options{Case: rule}, nil)
	if err != nil {
		return Coverage{}, err
	}
	var c Coverage
	unit := make([]float32, s.Dim())
	for _, word := range words {
		_, seen := l.known[word]
		e := l.find(word)
		if seen || e.id >= 0 {
			continue
		}
		c.Words++
		if e.composed() && vectors.Unit(unit, e.vector) {
			c.Composed++
		}
	}
	return c, nil
}

func (o Options) words(set Set) ([]string, error) {
	all := set.Words()
	for _, word := range all {
		all = append(append(all, alternatives(word)...), parts(word)...)
	}
	var texts []string
	for _, p := range set.Sentences {
		texts = append(texts, p.A, p.B)
	}
	for _, d := range set.Documents {
		texts = append(texts, d.whole())
	}
	for _, q := range set.Queries {
		texts = append(texts, q.Text)
	}
	for _, text := range texts {
		tokens, err := o.Tokens(text)
		if err != nil {
			return nil, err
		}
		all = append(all, tokens...)
	}
	return all, nil
}
