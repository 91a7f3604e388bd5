package main

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A question is what neighbours are asked of: a text, or an expression that is called by it.
type question struct {
	text string
	sum  vectors.Expression // nil for what the text says
}

func queriesOf(texts []string) []question {
	queries := make([]question, len(texts))
	for i, text := range texts {
		queries[i].text = text
	}
	return queries
}

// sumFlags make an expression of lists of words.
type sumFlags struct{ positive, negative []string }

func (f *sumFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.positive, "positive", nil, "`WORDS` to add, with commas between; may be repeated")
	c.Flags().StringArrayVar(&f.negative, "negative", nil, "`WORDS` to subtract, with commas between; may be repeated")
}

// given tells whether there is such an expression.
func (f *sumFlags) given() bool { return len(f.positive)+len(f.negative) > 0 }

func (f *sumFlags) check(words []string) error {
	if f.given() && len(words) > 0 {
		return errors.New("--positive and --negative ask one question, and a WORD another one: write all words behind the flags")
	}
	for _, list := range append(append([]string{}, f.positive...), f.negative...) {
		for word := range strings.SplitSeq(list, ",") {
			if strings.Trim(word, white) == "" {
				return errors.New("--positive and --negative: a word is empty")
			}
			if err := checkLength(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// query returns the expression. A list that is a word of the vocabulary as it is, such as 1,000, is
// that word.
func (f *sumFlags) query(words *finder) question {
	var q question
	add := func(lists []string, weight float64, sign string) {
		for _, list := range lists {
			several := strings.Split(list, ",")
			if _, id := words.Spelling(list); id >= 0 {
				several = []string{list}
			}
			for _, word := range several {
				word = strings.Trim(word, white)
				q.sum = append(q.sum, vectors.Term{Word: word, Weight: weight})
				if q.text != "" || weight < 0 {
					q.text += sign
				}
				q.text += word
			}
		}
	}
	add(f.positive, 1, " + ")
	add(f.negative, -1, " - ")
	q.text = strings.TrimLeft(q.text, " ")
	return q
}

// neighborsOf returns the nearest words of each query, and tells absent which have no vector.
func (f *finder) neighborsOf(ctx context.Context, asked []question, from answerer, absent *missing, explain bool) ([]neighborhood, error) {
	found := make([]neighborhood, len(asked))
	queries := make([]vectors.Query, len(asked))
	words := make([]query.Found, len(asked))
	for i, q := range asked {
		absent.all++
		v := make([]float32, f.set.Dim())
		var w query.Found
		var err error
		if q.sum != nil {
			w, err = f.express(v, q.text, q.sum)
		} else {
			w, err = f.find(v, q.text)
		}
		if err != nil {
			return nil, err
		}
		words[i] = w
		found[i] = neighborhood{Query: q.text, FoundAs: w.FoundAs(), Terms: w.Terms, missing: w.Missing()}
		queries[i] = vectors.Query{Vector: v, K: from.k, Skip: w.IDs(from.set)}
		switch {
		case w.Missing():
			clear(v) // near to nothing
			found[i].Suggestions = f.suggestions.For(w)
			absent.addFound(w, found[i].Suggestions)
		case math.IsNaN(vectors.Cosine(w.Vector, w.Vector)):
			absent.noDirection(q.text)
		}
	}
	all, err := from.set.Nearest(ctx, queries...)
	if err := errors.Join(f.set.Err(), err); err != nil {
		return nil, err
	}
	for i, near := range all {
		found[i].Neighbors = from.cut(near)
		if explain && !found[i].missing {
			found[i].Explanations = f.explain(words[i], found[i].Neighbors)
		}
	}
	return found, f.set.Err() // which parts may have led to
}
