// Package texts makes vectors of texts by a model: it cuts a text as the model's training text was cut,
// finds the vectors of its tokens, and makes one vector of them, with as many numbers as somebody asks for.
package texts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// Options say how texts become vectors.
type Options struct {
	Pooling   string // "mean" or "sif"; empty for pooling.DefaultMethod
	Tokenizer string // path of the tokenizer.json that the model was trained with; empty if there is none
}

// An Encoder makes vectors of texts. It may be used from several goroutines.
type Encoder struct {
	set    *vectors.Set
	words  *query.Finder
	pooler *pooling.Pooler
	cut    corpus.Options
	cannot error // why texts cannot be cut
	nested []int // sizes that were trained as prefixes, without the last
	axes   axes
}

// New returns an encoder of the set that words finds in. It is an error if an option is invalid. That
// a model wants a tokenizer.json and there is none is an error only of Cut: tokens still have vectors.
func New(words *query.Finder, o Options) (*Encoder, error) {
	set := words.Set()
	pooler, err := pooling.New(set, pooling.Options{Method: pooling.Method(o.Pooling)})
	if err != nil {
		return nil, err
	}
	e := &Encoder{set: set, words: words, pooler: pooler}
	if e.cut, err = train.TextOptions(set.Training()); err != nil {
		e.cannot = err
	} else if e.cut.File != nil && o.Tokenizer == "" {
		e.cannot = errors.New("it was trained with a tokenizer.json, which the server was not given: ask with ids of tokens, or start the server with that file")
	} else if e.cut, err = train.WithTokenizerFile(e.cut, o.Tokenizer); err != nil {
		return nil, err
	}
	for size := range strings.SplitSeq(set.Training().Text("nested"), ",") {
		if n, err := strconv.Atoi(size); err == nil && n > 0 && n < set.Dim() {
			e.nested = append(e.nested, n)
		}
	}
	return e, nil
}

// Pooling returns how much each word counts.
func (e *Encoder) Pooling() string { return string(e.pooler.Method()) }

// Nested returns sizes below that of the whole vector whose numbers, the first of it, were trained to be a vector.
func (e *Encoder) Nested() []int { return e.nested }

// Cut cuts a text into tokens in the spelling of the set. A token that is neither in the vocabulary nor
// one word is replaced by the words in it, as "end." by "end", unless a tokenizer.json cuts the text.
// Tokens that are longer than any word are not among them. The error says what the model needs for that;
// a *TextError says why its tokenizer.json cannot cut this text.
func (e *Encoder) Cut(text string) (tokens []vectors.Token, err error) {
	if e.cannot != nil {
		return nil, e.cannot
	}
	// A line ends a sentence, and nothing else does for a text.
	raw, _, err := e.cut.Tokens(text)
	if err != nil {
		return nil, &TextError{err}
	}
	tokens = make([]vectors.Token, 0, len(raw))
	for i, token := range raw {
		found := e.find(token)
		if found.ID >= 0 || e.cut.File != nil {
			tokens = append(tokens, found)
			continue
		}
		for _, word := range wordbreak.InPlaceOf(raw[i:i+1], func(string) bool { return false }) {
			tokens = append(tokens, e.find(word))
		}
	}
	return tokens, nil
}

// A TextError says why a text cannot be cut.
type TextError struct{ error }

// Unwrap returns the reason.
func (e *TextError) Unwrap() error { return e.error }

// find looks a word up by the rule for its case.
func (e *Encoder) find(word string) vectors.Token {
	spelling, id := e.words.Spelling(word)
	return vectors.Token{Word: spelling, ID: id}
}

// Tokens returns the words of ids. The error says which id is none.
func (e *Encoder) Tokens(ids []int) ([]vectors.Token, error) {
	tokens := make([]vectors.Token, len(ids))
	for i, id := range ids {
		if id < 0 || id >= e.set.Len() {
			return nil, fmt.Errorf("%d is no token: tokens are positions in the model's vocabulary, from 0 to %d, and not those of a tokenizer of another model", id, e.set.Len()-1)
		}
		tokens[i] = vectors.Token{Word: e.set.Words().At(id), ID: id}
	}
	return tokens, nil
}

// Encode writes the vector of a text with these tokens to dst, scaled to length 1, and returns how many
// of the tokens have a part in it. If none has, or if they cancel out, dst is all zeros. The length
// of dst is one that CheckSize allows.
func (e *Encoder) Encode(dst []float32, tokens []vectors.Token) (used int, err error) {
	v := make([]float32, e.set.Dim())
	used = e.pooler.Text(v, tokens)
	switch n := len(dst); {
	case n == len(v) || slices.Contains(e.nested, n):
		v = v[:n]
	default:
		rotation, err := e.axes.of(e.set)
		if err != nil {
			return 0, err
		}
		v = rotation.first(v, n)
	}
	if !vectors.Unit(dst, v) {
		clear(dst)
	}
	return used, nil
}

// CheckSize returns an error if vectors cannot have so many numbers.
func (e *Encoder) CheckSize(n int) error {
	switch d := e.set.Dim(); {
	case n < 1:
		return fmt.Errorf("dimensions must be at least 1, is %d", n)
	case n > d:
		return fmt.Errorf("the model has %d dimensions, and %d are asked for", d, n)
	case n != d && !slices.Contains(e.nested, n) && d > maxAxes:
		return fmt.Errorf("the model has %d dimensions, and with more than %d it has no others than these: leave dimensions out", d, maxAxes)
	}
	return nil
}
