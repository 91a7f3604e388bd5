package main

import (
	"bufio"
	"errors"
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
	var asJSON bool
	var letters caseFlag
	var post postFlags
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
			if err := post.check(c); err != nil {
				return misuse(err)
			}
			return s.open(c.Context(), args[0], opening{rule: letters.rule(c), post: &post}, func(words *finder) (err error) {
				if err := words.checkExpressions(c, args[1:]...); err != nil {
					return err
				}
				out := bufio.NewWriter(s.out)
				defer func() { err = errors.Join(err, out.Flush()) }()
				absent := newMissing(s, args[0], words.set)
				v := make([]float32, words.set.Dim())
				notFinite := &unfinite{path: args[0], set: words.set}
				defer notFinite.note(s.err)
				var line []byte
				for batch, err := range batches(args[1:], s.queries(words.Finder, args[1:]), vectors.MaxWord, 1, absent.tooLong) {
					if err != nil {
						return errors.Join(err, absent.err())
					}
					word := batch[0]
					absent.all++
					w, err := words.find(v, word)
					if err != nil {
						return err
					}
					if w.Missing() {
						absent.addFound(w, words.suggestions.For(w))
						continue
					}
					if err := notFinite.add(word, v); err != nil {
						return err
					}
					if asJSON {
						err = printJSON(out, struct {
							Word    string       `json:"word"`
							FoundAs string       `json:"found_as,omitempty"` // if that is another spelling
							Terms   []query.Term `json:"terms,omitempty"`    // of an expression
							Vector  query.Vector `json:"vector"`
						}{word, w.FoundAs(), w.Terms, v})
					} else {
						line = appendVector(append(line[:0], word...), v)
						_, err = out.Write(append(line, '\n'))
					}
					if err != nil {
						return err
					}
				}
				return absent.err()
			})
		},
	}
	letters.add(c)
	post.add(c)
	addJSON(c, &asJSON)
	return c
}
