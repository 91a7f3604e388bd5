// Package query opens a model and asks it:
//
//	m, err := query.Open(ctx, "model.w2v", query.Options{})
//	…
//	neighbours, err := m.Nearest(ctx, "paris - france + italy", 3)
//	err = m.Close()
//
// It finds words in the spelling that the model knows, computes expressions, says what is lacking if
// there is no vector, and suggests words that may have been meant.
package query

import (
	"errors"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/w2v-go/w2v/vectors"
)

// A Finder finds words and expressions in a set. It may be used from several goroutines.
type Finder struct {
	set   *vectors.Set
	words *vectors.Lookup
}

// New returns a finder that looks up words by a rule for their case. It is an error if the rule is
// unknown, or if the set is nil or its sizes do not fit together.
func New(set *vectors.Set, rule vectors.Case) (*Finder, error) {
	words, err := set.Lookup(rule)
	if err != nil {
		return nil, err
	}
	return &Finder{set, words}, nil
}

// Set returns the set that words are found in.
func (f *Finder) Set() *vectors.Set { return f.set }

// IgnoresCase reports whether words are looked up in lower case too.
func (f *Finder) IgnoresCase() bool { return f.words.IgnoresCase() }

// Spelling returns the spelling by which the set knows a word, and the word's id; or, for a word
// that is not in the vocabulary, the spelling of which n-grams compose it, and -1.
func (f *Finder) Spelling(word string) (spelling string, id int) { return f.words.Find(word) }

// known tells whether a word is in the vocabulary.
func (f *Finder) known(word string) bool {
	_, id := f.words.Find(word)
	return id >= 0
}

// A Found is a word that was asked for, or an expression of words.
type Found struct {
	Asked    string    // the text that asked for it
	Spelling string    // by which the set knows or composes a word; empty for an expression
	ID       int       // position of a word in the vocabulary; -1 if it is not there, and for expressions
	Vector   []float32 // nil if there is none
	Terms    []Term    // of an expression; nil for a word
	Lacking  string    // the first word without a vector, as it was asked for, if there is no vector
	Wrong    error     // why the text is neither a word nor an expression: a *vectors.ExpressionError
}

// A Term is a word of an expression.
type Term struct {
	Word    string  `json:"word"`               // as it was asked for
	FoundAs string  `json:"found_as,omitempty"` // how the vocabulary spells it, if that is another spelling
	Weight  float64 `json:"weight"`             // what the word's direction is multiplied by
}

// Spelling returns how the set spells the term's word.
func (t Term) Spelling() string {
	if t.FoundAs != "" {
		return t.FoundAs
	}
	return t.Word
}

// Missing tells whether there is no vector.
func (w Found) Missing() bool { return w.Vector == nil }

// Composed tells whether n-grams were composed to the vector of a word.
func (w Found) Composed() bool { return w.Vector != nil && w.ID < 0 && w.Terms == nil }

// FoundAs is a word's spelling in the set, empty if that is what was asked for or if there is no
// vector.
func (w Found) FoundAs() string {
	if w.Missing() || w.Terms != nil || w.Spelling == w.Asked {
		return ""
	}
	return w.Spelling
}

// Words returns the words that were found, by the spellings of the set.
func (w Found) Words() []string {
	if w.Terms == nil {
		return []string{w.Spelling}
	}
	words := make([]string, len(w.Terms))
	for i, t := range w.Terms {
		words[i] = t.Spelling()
	}
	return words
}

// IDs returns the ids of its words that are in the vocabulary of a set, which need not be the one that they
// were found in. Searches for neighbours leave these out.
func (w Found) IDs(in *vectors.Set) (ids []int) {
	for _, word := range w.Words() {
		if id, ok := in.ID(word); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// Find returns a word or an expression with its vector, which it writes to dst. Dst has as many numbers
// as the set has dimensions, and is all zeros if there is no vector. The text is read as Parse reads it.
// It is an error if the file behind the set could not be read: then nothing is known of the word.
func (f *Finder) Find(dst []float32, text string) (Found, error) {
	e, err := f.Parse(text)
	if err != nil {
		clear(dst)
		return Found{Asked: text, ID: -1, Lacking: text, Wrong: err}, nil
	}
	return f.Express(dst, text, e)
}

// Word is Find for a text that is a word, whatever it looks like.
func (f *Finder) Word(dst []float32, word string) (Found, error) {
	return f.Express(dst, word, vectors.Expression{{Word: word, Weight: 1}})
}

// Express is Find for an expression that was asked for by a text.
func (f *Finder) Express(dst []float32, text string, e vectors.Expression) (Found, error) {
	w := Found{Asked: text, ID: -1}
	spelt := make(vectors.Expression, len(e))
	for i, t := range e {
		spelling, id := f.words.Find(t.Word)
		spelt[i] = vectors.Term{Word: spelling, Weight: t.Weight}
		if e.IsWord() {
			w.Spelling, w.ID = spelling, id
			continue
		}
		term := Term{Word: t.Word, Weight: t.Weight}
		if id >= 0 && spelling != t.Word {
			term.FoundAs = spelling
		}
		w.Terms = append(w.Terms, term)
	}
	err := f.set.Express(dst, spelt)
	if err := f.set.Err(); err != nil {
		return w, err
	}
	if lacks, ok := errors.AsType[*vectors.MissingWordError](err); ok {
		clear(dst)
		for i, t := range spelt {
			if t.Word == lacks.Word {
				w.Lacking = e[i].Word
				break
			}
		}
		return w, nil
	}
	w.Vector = dst
	return w, nil
}

// A Vector is a vector in JSON, which has no numbers that are not finite: they are null.
type Vector []float32

// MarshalJSON is AppendJSON.
func (v Vector) MarshalJSON() ([]byte, error) { return v.AppendJSON(make([]byte, 0, 4+12*len(v))), nil }

// AppendJSON appends the numbers to text in the shortest form that reads back as the same; null for no vector.
func (v Vector) AppendJSON(text []byte) []byte {
	if v == nil {
		return append(text, "null"...)
	}
	text = append(text, '[')
	for i, x := range v {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, float64(x), 'g', -1, 32)
		}
	}
	return append(text, ']')
}

// A Ranking says how well each of some words matches all of them together.
type Ranking struct {
	Words   []Ranked          // that have a direction, the worst match first
	FoundAs map[string]string // spellings of the set, where they are others than those of Words
	Missing []string          // words without a vector, or with one that is zero or not finite
}

// A Ranked is a word and its cosine with the mean of the directions of all words of the ranking.
type Ranked struct {
	Word       string  `json:"word"` // as it was asked for
	Similarity float32 `json:"similarity"`
}

// Odd returns the word that matches the others least. There is none among fewer than three words.
func (r Ranking) Odd() (word string, ok bool) {
	if len(r.Words) < 3 {
		return "", false
	}
	return r.Words[0].Word, true
}

// DoesntMatch ranks words by how well they match all of them, see vectors.Set.Centrality. It is an error
// if the file behind the set could not be read.
func (f *Finder) DoesntMatch(words []string) (Ranking, error) {
	r := Ranking{Words: []Ranked{}, FoundAs: map[string]string{}}
	spelt := make([]string, len(words))
	asked := map[string][]string{} // how each spelling was asked for, in turn
	for i, word := range words {
		spelt[i], _ = f.Spelling(word)
		asked[spelt[i]] = append(asked[spelt[i]], word)
		if spelt[i] != word {
			r.FoundAs[word] = spelt[i]
		}
	}
	next := func(spelling string) string {
		first := asked[spelling][0]
		asked[spelling] = asked[spelling][1:]
		return first
	}
	ranked, missing := f.set.Centrality(spelt)
	if err := f.set.Err(); err != nil {
		return Ranking{}, err
	}
	for _, spelling := range missing {
		word := next(spelling)
		r.Missing = append(r.Missing, word)
		delete(r.FoundAs, word)
	}
	for i := len(ranked) - 1; i >= 0; i-- {
		r.Words = append(r.Words, Ranked{next(ranked[i].Word), ranked[i].Similarity})
	}
	return r, nil
}

// Suggested is how many words a Suggester returns at most.
const Suggested = 3

// A Suggester looks for words of the vocabulary that may have been meant by ones that are missing. It
// does so a limited number of times, because each search of a vocabulary of millions takes some tenths of
// a second. It may be used from several goroutines.
type Suggester struct {
	finder *Finder
	left   atomic.Int64
}

// Suggester returns one that makes so many searches.
func (f *Finder) Suggester(searches int) *Suggester {
	s := &Suggester{finder: f}
	s.left.Store(int64(searches))
	return s
}

// Finder returns the finder whose vocabulary is searched.
func (s *Suggester) Finder() *Finder { return s.finder }

// Word returns words that may have been meant by a missing one, the likeliest first, as
// vectors.Set.Suggest finds them; none if all searches have been made.
func (s *Suggester) Word(word string) []string {
	if s.left.Add(-1) < 0 {
		s.left.Store(0)
		return nil
	}
	return s.finder.set.Suggest(word, Suggested)
}

// For returns words that may have been meant by the one that lacks a vector in what was found; none if
// nothing lacks or if the text is no expression.
func (s *Suggester) For(w Found) []string {
	if !w.Missing() || w.Wrong != nil {
		return nil
	}
	return s.Word(w.Lacking)
}
