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
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// A Finder finds words and expressions in a set. It may be used from several goroutines.
type Finder struct {
	set      *vectors.Set
	words    *vectors.Lookup
	exact    bool                               // words are looked up only as they are written
	pipeline func() (*pipeline.Pipeline, error) // how the training text was cut
}

// New returns a finder that looks words up by a rule for case. It is an error if the rule is unknown or the
// sizes of the set do not fit together.
func New(set *vectors.Set, rule vectors.Case) (*Finder, error) {
	words, err := set.Lookup(rule)
	if err != nil {
		return nil, err
	}
	return &Finder{set, words, rule == vectors.CaseKept, sync.OnceValues(func() (*pipeline.Pipeline, error) { return pipeline.Of(set.Training()) })}, nil
}

// Set returns the set that words are found in.
func (f *Finder) Set() *vectors.Set { return f.set }

// IgnoresCase reports whether words are looked up in lower case too.
func (f *Finder) IgnoresCase() bool { return f.words.IgnoresCase() }

// Lower is vectors.Lookup.Lower.
func (f *Finder) Lower(word string) string { return f.words.Lower(word) }

// Spelling is vectors.Lookup.Find, and then, unless words are looked up only as they are written, looks up the
// token that the training text would have had for the word: without accents, a canonical k-mer, or a phrase
// that is asked for with blanks, if the text was cut so.
func (f *Finder) Spelling(word string) (spelling string, id int) {
	if spelling, id = f.words.Find(word); id >= 0 || f.exact {
		return spelling, id
	}
	p, err := f.pipeline()
	if err != nil {
		return spelling, id // Tokens reports it
	}
	if token, ok := p.Word(word); ok && token != word {
		return f.words.Find(token)
	}
	return spelling, id
}

// AsTrained reports whether Spelling looks words up as the training text would have had them, and the text was
// not simply cut at white space.
func (f *Finder) AsTrained() bool {
	p, err := f.pipeline()
	return !f.exact && err == nil && !p.Plain()
}

// Recast returns the token that the training text would have had for a word, if that is another word than the
// one that is asked for, also in lower case; it need not be in the vocabulary.
func (f *Finder) Recast(word string) (token string, ok bool) {
	token, _ = f.Spelling(word)
	return token, token != word && token != f.words.Lower(word)
}

func (f *Finder) known(word string) bool {
	_, id := f.Spelling(word)
	return id >= 0
}

// A Found is the result of looking up a word or an expression.
type Found struct {
	Asked    string    // the text of the query
	Spelling string    // spelling in the set; empty for an expression
	ID       int       // id in the vocabulary; -1 for expressions and for words outside the vocabulary
	Vector   []float32 // nil if the text has no vector
	Terms    []Term    // terms of an expression; nil for a word
	Lacking  string    // if there is no vector: the first word without one, as in the text
	Wrong    error     // why the text is neither a word nor an expression: a *vectors.ExpressionError
}

// A Term is a word of an expression.
type Term struct {
	Word    string  `json:"word"`               // as in the text
	FoundAs string  `json:"found_as,omitempty"` // spelling in the vocabulary, if it differs
	Weight  float64 `json:"weight"`             // factor of the word's direction
}

// Spelling returns how the set spells the term's word.
func (t Term) Spelling() string { return cmp.Or(t.FoundAs, t.Word) }

// Missing reports whether the vector is missing.
func (w Found) Missing() bool { return w.Vector == nil }

// Composed reports whether the vector of a word is composed of n-grams.
func (w Found) Composed() bool { return w.Vector != nil && w.ID < 0 && w.Terms == nil }

// FoundAs returns a word's spelling in the set if it differs from the text; otherwise it is empty.
func (w Found) FoundAs() string {
	if w.Missing() || w.Terms != nil || w.Spelling == w.Asked {
		return ""
	}
	return w.Spelling
}

// Words returns the words that were found, in the spelling of the set.
func (w Found) Words() (words []string) {
	if w.Terms == nil {
		return []string{w.Spelling}
	}
	for _, t := range w.Terms {
		words = append(words, t.Spelling())
	}
	return words
}

// IDs returns the ids of the words in the vocabulary of a set, which need not be that of the finder. Searches
// for neighbours leave these ids out.
func (w Found) IDs(in *vectors.Set) (ids []int) {
	for _, word := range w.Words() {
		if id, ok := in.ID(word); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// Find looks a word or an expression up and writes its vector to dst, which has Dim numbers, and is all zeros
// if there is no vector. The text is parsed like in Parse. It is an error if the file behind the set cannot
// be read.
func (f *Finder) Find(dst []float32, text string) (Found, error) {
	e, err := f.Parse(text)
	if err != nil {
		clear(dst)
		return Found{Asked: text, ID: -1, Lacking: text, Wrong: err}, nil
	}
	return f.Express(dst, text, e)
}

// Word is Find for a text that is always a word.
func (f *Finder) Word(dst []float32, word string) (Found, error) {
	return f.Express(dst, word, vectors.Expression{{Word: word, Weight: 1}})
}

// Express is Find for a parsed expression. The text is kept as Asked.
func (f *Finder) Express(dst []float32, text string, e vectors.Expression) (Found, error) {
	w := Found{Asked: text, ID: -1}
	spelt := make(vectors.Expression, len(e))
	for i, t := range e {
		spelling, id := f.Spelling(t.Word)
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
		if i := slices.IndexFunc(spelt, func(t vectors.Term) bool { return t.Word == lacks.Word }); i >= 0 {
			w.Lacking = e[i].Word
		}
		return w, nil
	}
	w.Vector = dst
	return w, nil
}

// A Vector is a vector in JSON. Numbers that are not finite become null.
type Vector []float32

// MarshalJSON is AppendJSON.
func (v Vector) MarshalJSON() ([]byte, error) { return v.AppendJSON(make([]byte, 0, 4+12*len(v))), nil }

// AppendJSON appends the numbers in the shortest form that parses to the same number; nil becomes null.
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

// A Ranking says how well each of some words matches all of them.
type Ranking struct {
	Words   []Ranked          // words that have a direction, the worst match first
	FoundAs map[string]string // spellings in the set that differ from Words
	Missing []string          // words without a vector, or whose vector is zero or not finite
}

// A Ranked is a word and its cosine with the mean of the directions of all words of the ranking.
type Ranked struct {
	Word       string  `json:"word"` // as in the query
	Similarity float32 `json:"similarity"`
}

// Odd returns the word that matches the others least. ok is false if there are fewer than three words.
func (r Ranking) Odd() (word string, ok bool) {
	if len(r.Words) < 3 {
		return "", false
	}
	return r.Words[0].Word, true
}

// DoesntMatch ranks words by how well they match all of them, see vectors.Set.Centrality. It is an error if
// the file behind the set cannot be read.
func (f *Finder) DoesntMatch(words []string) (Ranking, error) {
	r := Ranking{Words: []Ranked{}, FoundAs: map[string]string{}}
	spelt := make([]string, len(words))
	asked := map[string][]string{} // the asked words of each spelling, in turn
	for i, word := range words {
		spelt[i], _ = f.Spelling(word)
		asked[spelt[i]] = append(asked[spelt[i]], word)
		if spelt[i] != word {
			r.FoundAs[word] = spelt[i]
		}
	}
	next := func(spelling string) (word string) {
		word, asked[spelling] = asked[spelling][0], asked[spelling][1:]
		return word
	}
	ranked, missing := f.set.Centrality(spelt)
	if err := f.set.Err(); err != nil {
		return Ranking{}, err
	}
	for _, spelling := range missing {
		r.Missing = append(r.Missing, next(spelling))
	}
	for _, word := range r.Missing {
		delete(r.FoundAs, word)
	}
	for _, n := range slices.Backward(ranked) {
		r.Words = append(r.Words, Ranked{next(n.Word), n.Similarity})
	}
	return r, nil
}

// Suggested is the largest number of words that a Suggester returns.
const Suggested = 3

// A Suggester suggests words of the vocabulary for misspelt words. It searches a limited number of times,
// because each search of a vocabulary of millions takes some tenths of a second. It may be used from several
// goroutines.
type Suggester struct {
	finder *Finder
	left   atomic.Int64
}

// Suggester returns a Suggester that searches at most so many times.
func (f *Finder) Suggester(searches int) *Suggester {
	s := &Suggester{finder: f}
	s.left.Store(int64(searches))
	return s
}

// Suggest is vectors.Set.Suggest for a missing word, or for what the training text would have had for it.
func (f *Finder) Suggest(word string, k int) []string {
	spelling, _ := f.Spelling(word)
	return f.set.Suggest(spelling, k)
}

// Finder returns the finder whose vocabulary is searched.
func (s *Suggester) Finder() *Finder { return s.finder }

// Word returns suggestions for a missing word, or for what the training text would have had for it, the likeliest
// first, as in vectors.Set.Suggest; none once the limit of searches is reached.
func (s *Suggester) Word(word string) []string {
	if s.left.Add(-1) < 0 {
		s.left.Store(0)
		return nil
	}
	return s.finder.Suggest(word, Suggested)
}

// For returns suggestions for the word that lacks a vector in w; none if no word does, or if the text cannot
// be parsed.
func (s *Suggester) For(w Found) []string {
	if !w.Missing() || w.Wrong != nil {
		return nil
	}
	return s.Word(w.Lacking)
}

// Options say how Open opens a model. The zero value works.
type Options struct {
	Case   vectors.Case             // how the case of words is looked up
	Check  bool                     // check the whole file first
	Opened func(*vectors.Set) error // called with the set of the file before it is processed; may be nil
	// Tokenizer names the tokenizer.json that cut the training text, for a file that does not hold it.
	Tokenizer string
	Process   *convert.Options // options of convert.Process, applied before queries; nil applies nothing
}

// A Model is an open file. The methods of its Finder answer questions. Close it after use.
type Model struct {
	*Finder
	File *vectors.Set    // the set of the file
	Made *convert.Result // the result of Options.Process; nil without it
}

// Open opens the model at path, in any format.
func Open(ctx context.Context, path string, o Options) (m *Model, err error) {
	set, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	m = &Model{File: set}
	if err := m.open(ctx, o); err != nil {
		_ = set.Close()
		if !errors.Is(err, vectors.ErrChanged) { // ErrChanged names the file already
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	return m, nil
}

func (m *Model) open(ctx context.Context, o Options) (err error) {
	if o.Check {
		if err := m.File.Check(); err != nil {
			return err
		}
	}
	if o.Opened != nil {
		if err := o.Opened(m.File); err != nil {
			return err
		}
	}
	asked, err := WithTokenizer(m.File, o.Tokenizer)
	if err != nil {
		return err
	}
	if o.Process != nil {
		if m.Made, err = convert.Process(ctx, asked, *o.Process); err != nil {
			return err
		}
		asked = m.Made.Set
	}
	m.Finder, err = New(asked, o.Case)
	return err
}

// Close closes the file. The error says that another program changed the file meanwhile, or that part of it
// could not be read: answers may then be wrong.
func (m *Model) Close() error {
	err := m.File.Guard(func() error { return nil })
	return errors.Join(err, m.File.Close())
}

// Nearest returns the k words that are nearest to a word or an expression, the nearest first, without the
// words of the text. The error is a *vectors.MissingWordError if a word has no vector, and a
// *vectors.ExpressionError if the text cannot be parsed.
func (f *Finder) Nearest(ctx context.Context, text string, k int) ([]vectors.Neighbor, error) {
	w, err := f.Find(make([]float32, f.set.Dim()), text)
	switch {
	case err != nil:
		return nil, err
	case w.Wrong != nil:
		return nil, w.Wrong
	case w.Missing():
		return nil, &vectors.MissingWordError{Word: w.Lacking}
	}
	near, err := f.set.Nearest(ctx, vectors.Query{Vector: w.Vector, K: k, Skip: w.IDs(f.set)})
	if err != nil {
		return nil, err
	}
	return near[0], nil
}
