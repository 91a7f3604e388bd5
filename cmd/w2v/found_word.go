package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// expressionHelp is the part of a command's help about expressions.
const expressionHelp = `A WORD may be an expression such as "king - man + woman", with spaces around + and -:
the sum of the words' vectors, each scaled to length 1. A word may have a factor, as in
0.5*man. A text that is a word of the vocabulary is that word, and so is one between
double quotes.`

// A foundWord is a word that was asked for, or an expression of words.
type foundWord struct {
	asked    string
	spelling string // by which the model knows it, or composes it
	id       int    // -1 if it is not in the vocabulary
	vector   []float32
	terms    []foundTerm // of an expression; nil for a word
	lacking  string      // the first word without a vector, if there is no vector
	wrong    error       // why what was asked is no expression
}

// A foundTerm is a word of an expression. Its JSON is read by scripts.
type foundTerm struct {
	Word    string  `json:"word"`
	FoundAs string  `json:"found_as,omitempty"` // if that is another spelling
	Weight  float64 `json:"weight"`
}

// spelling returns how the model spells the term's word.
func (t foundTerm) spelling() string {
	if t.FoundAs != "" {
		return t.FoundAs
	}
	return t.Word
}

// missing tells whether there is no vector.
func (w foundWord) missing() bool { return w.vector == nil }

// composed tells whether n-grams were composed to the vector of a word.
func (w foundWord) composed() bool { return w.vector != nil && w.id < 0 && w.terms == nil }

// words returns what was found by the spellings of the model.
func (w foundWord) words() []string {
	if w.terms == nil {
		return []string{w.spelling}
	}
	var words []string
	for _, t := range w.terms {
		words = append(words, t.spelling())
	}
	return words
}

// ids are those of its words that are in a set.
func (w foundWord) ids(in *vectors.Set) (ids []int) {
	for _, word := range w.words() {
		if id, ok := in.ID(word); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// foundAs is its spelling in the model, empty if that is what was asked for or if there is
// no vector.
func (w foundWord) foundAs() string {
	if w.missing() || w.terms != nil || w.spelling == w.asked {
		return ""
	}
	return w.spelling
}

// parse returns the expression that a text stands for.
func (f *finder) parse(text string) (vectors.Expression, error) {
	return vectors.ParseExpression(text, func(word string) bool {
		_, id := f.words.Find(word)
		return id >= 0
	})
}

// checkExpressions is a usage error if a text of the command line is no word and no expression.
func (f *finder) checkExpressions(c *cobra.Command, texts ...string) error {
	for _, text := range texts {
		if _, err := f.parse(text); err != nil {
			return &usageError{c.CommandPath(), err}
		}
	}
	return f.set.Err()
}

// find returns a word or an expression with its vector, which it writes to v. It is an error if the
// file of the model could not be read: then nothing is known of the word.
func (f *finder) find(v []float32, text string) (foundWord, error) {
	e, err := f.parse(text)
	if err != nil {
		clear(v)
		return foundWord{asked: text, id: -1, lacking: text, wrong: err}, nil
	}
	return f.express(v, text, e)
}

// express is find for an expression that was asked for by a text.
func (f *finder) express(v []float32, text string, e vectors.Expression) (foundWord, error) {
	w := foundWord{asked: text, id: -1}
	spelt := make(vectors.Expression, len(e))
	for i, t := range e {
		spelling, id := f.words.Find(t.Word)
		spelt[i] = vectors.Term{Word: spelling, Weight: t.Weight}
		if e.IsWord() {
			w.spelling, w.id = spelling, id
			continue
		}
		term := foundTerm{Word: t.Word, Weight: t.Weight}
		if id >= 0 && spelling != t.Word {
			term.FoundAs = spelling
		}
		w.terms = append(w.terms, term)
	}
	err := f.set.Express(v, spelt)
	if err := f.set.Err(); err != nil {
		return w, err
	}
	if lacks, ok := errors.AsType[*vectors.MissingWordError](err); ok {
		clear(v)
		for i, t := range spelt {
			if t.Word == lacks.Word {
				w.lacking = e[i].Word
			}
		}
		return w, nil
	}
	w.vector = v
	for i, t := range e {
		if _, known := f.set.ID(spelt[i].Word); known {
			f.spelt(t.Word, spelt[i].Word)
		}
	}
	return w, nil
}

// suggestFor returns words that may have been meant by the one without a vector.
func (f *finder) suggestFor(w foundWord) []string {
	if w.wrong != nil {
		return nil
	}
	return f.suggest(w.lacking)
}
