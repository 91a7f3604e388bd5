package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// appendVector appends the numbers of v to line, each with a space before it, in
// the shortest form that reads back as the same number.
func appendVector(line []byte, v []float32) []byte {
	for _, x := range v {
		line = strconv.AppendFloat(append(line, ' '), float64(x), 'g', -1, 32)
	}
	return line
}

func newVector(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "vector [flags] MODEL [WORD...]",
		Short: "Print the vectors of words",
		Long: `Print a line for each WORD: the word as it was given, and its vector. Without a
WORD, read words from standard input, one a line.
` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them. If a
word has no vector, its line is left out and the exit code is 1.

` + expressionHelp + `
Expressions are read from the command line only.

` + postHelp,
		Example: `  w2v vector model.w2v paris
  w2v vector model.w2v "king - man + woman"
  w2v vector model.w2v paris --whiten --normalize
  w2v vector model.w2v < words.txt > vectors.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return s.open(c.Context(), args[0], f.opening(), func(words *finder) error {
				if err := words.checkExpressions(args[1:]...); err != nil {
					return err
				}
				absent := newMissing(s, args[0], words.set)
				v := make([]float32, words.set.Dim())
				notFinite := &unfinite{path: args[0], set: words.set}
				defer notFinite.note(s)
				var line []byte
				answer := func(word string) error {
					absent.all++
					w, err := words.find(v, word, nil)
					if err != nil {
						return err
					}
					if w.Missing() {
						absent.addFound(w, words.suggestions.For(w))
						return nil
					}
					if err := notFinite.add(word, v); err != nil {
						return err
					}
					if asJSON {
						return printJSON(words.out, struct {
							Word    string       `json:"word"`
							FoundAs string       `json:"found_as,omitempty"` // if that is another spelling
							Terms   []query.Term `json:"terms,omitempty"`    // of an expression
							Vector  query.Vector `json:"vector"`
						}{word, w.FoundAs(), w.Terms, v})
					}
					line = appendVector(append(line[:0], word...), v)
					_, err = words.out.Write(append(line, '\n'))
					return err
				}
				queries := batches(args[1:], s.queries(words.Finder, args[1:]), vectors.MaxWord, together(1), absent.tooLong)
				return answerEach(words, absent, queries, func(batch []string) error {
					for _, word := range batch {
						if err := answer(word); err != nil {
							return err
						}
					}
					return nil
				})
			})
		},
	}
	f.add(c)
	addJSON(c, &asJSON)
	return c
}
