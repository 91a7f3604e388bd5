package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
	"github.com/w2v-go/w2v/vectors/transform"
)

// An encoder makes vectors of texts. It may be used from several goroutines.
type encoder struct {
	set    *vectors.Set
	words  *query.Finder
	pooler *pooling.Pooler
	rules  corpus.Options // for cutting texts
	cannot error          // why texts cannot be cut
	nested []int          // sizes of prefixes that were trained as vectors, without the full size
	// axes are the principal axes of the set, one per row. They shorten vectors while keeping most
	// of the cosines.
	axes func() ([]float32, error)
}

// newEncoder returns an encoder for the set of words. It returns an error if an option is invalid.
// A missing tokenizer.json is only an error of cut: tokens still have vectors.
func newEncoder(words *query.Finder, method, tokenizer string) (*encoder, error) {
	set := words.Set()
	pooler, err := pooling.New(set, pooling.Options{Method: pooling.Method(method)})
	if err != nil {
		return nil, err
	}
	e := &encoder{set: set, words: words, pooler: pooler, axes: sync.OnceValues(func() ([]float32, error) { return axesOf(set) })}
	if e.rules, err = train.TextOptions(set.Training()); err != nil {
		e.cannot = err
	} else if e.rules.File != nil && tokenizer == "" {
		e.cannot = errors.New("it was trained with a tokenizer.json, which the server was not given: ask with ids of tokens, or start the server with that file")
	} else if e.rules, err = train.WithTokenizerFile(e.rules, tokenizer); err != nil {
		return nil, err
	}
	for size := range strings.SplitSeq(set.Training().Text("nested"), ",") {
		if n, err := strconv.Atoi(size); err == nil && n > 0 && n < set.Dim() {
			e.nested = append(e.nested, n)
		}
	}
	return e, nil
}

// cut cuts a text into tokens in the spelling of the set. A token that is neither in the vocabulary
// nor one word is replaced by the words in it, as "end." by "end", unless a tokenizer.json cuts the
// text. cut drops tokens that are longer than any word. The error says what the model needs to cut
// text; a *textError says why its tokenizer.json cannot cut this text.
func (e *encoder) cut(text string) (tokens []vectors.Token, err error) {
	if e.cannot != nil {
		return nil, e.cannot
	}
	// Only a line break ends a sentence of a text.
	raw, _, err := e.rules.Tokens(text)
	if err != nil {
		return nil, &textError{err}
	}
	tokens = make([]vectors.Token, 0, len(raw))
	for i, token := range raw {
		found := e.find(token)
		if found.ID >= 0 || e.rules.File != nil {
			tokens = append(tokens, found)
			continue
		}
		for _, word := range wordbreak.InPlaceOf(raw[i:i+1], func(string) bool { return false }) {
			tokens = append(tokens, e.find(word))
		}
	}
	return tokens, nil
}

type textError struct{ error }

// find looks up a word by its case rule.
func (e *encoder) find(word string) vectors.Token {
	spelling, id := e.words.Spelling(word)
	return vectors.Token{Word: spelling, ID: id}
}

// tokens returns the words with these ids. The error names an invalid id.
func (e *encoder) tokens(ids []int) ([]vectors.Token, error) {
	tokens := make([]vectors.Token, len(ids))
	for i, id := range ids {
		if id < 0 || id >= e.set.Len() {
			return nil, fmt.Errorf("%d is no token: tokens are positions in the model's vocabulary, from 0 to %d, and not those of a tokenizer of another model", id, e.set.Len()-1)
		}
		tokens[i] = vectors.Token{Word: e.set.Words().At(id), ID: id}
	}
	return tokens, nil
}

// encode writes the vector of a text with these tokens to dst, scaled to length 1, and returns the
// number of tokens with a vector. If no token has a vector, or if vectors cancel out, dst is all
// zeros. checkSize must allow the length of dst.
func (e *encoder) encode(dst []float32, tokens []vectors.Token) (used int, err error) {
	v := make([]float32, e.set.Dim())
	used = e.pooler.Text(v, tokens)
	switch n := len(dst); {
	case n == len(v) || slices.Contains(e.nested, n):
		v = v[:n]
	default:
		axes, err := e.axes()
		if err != nil {
			return 0, err
		}
		turned := make([]float32, n)
		for i := range turned {
			var sum float64
			for k, x := range axes[i*len(v) : (i+1)*len(v)] {
				sum += float64(x) * float64(v[k])
			}
			turned[i] = float32(sum)
		}
		v = turned
	}
	if !vectors.Unit(dst, v) {
		clear(dst)
	}
	return used, nil
}

// checkSize returns an error if vectors cannot have this number of dimensions.
func (e *encoder) checkSize(n int) error {
	switch d := e.set.Dim(); {
	case n > d:
		return fmt.Errorf("the model has %d dimensions, and %d are asked for", d, n)
	case n != d && !slices.Contains(e.nested, n) && d > maxAxes:
		return fmt.Errorf("the model has %d dimensions, and with more than %d it has no others than these: leave dimensions out", d, maxAxes)
	}
	return nil
}

const (
	// maxAxes is the largest number of dimensions for which axes are computed: axes take 4 bytes for
	// each pair of dimensions.
	maxAxes = 2048
	// axesWords is the number of most frequent words that axes are computed from. More words take
	// longer and hardly change the axes.
	axesWords = 50_000
)

func axesOf(set *vectors.Set) ([]float32, error) {
	// Many requests may wait for the axes, so no request's context ends the computation.
	found, err := transform.PrincipalAxes(context.Background(), transform.Top(set, axesWords), transform.Computation{})
	if err != nil {
		return nil, err
	}
	d := set.Dim()
	axes := make([]float32, d*d)
	for i := range d {
		for k := range d {
			axes[i*d+k] = float32(found.Rotation[k*d+i])
		}
	}
	return axes, nil
}
