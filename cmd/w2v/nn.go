package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

func printNeighbors(w io.Writer, indent string, neighbors []vectors.Neighbor) error {
	width := 0
	for _, n := range neighbors {
		width = max(width, len([]rune(n.Word)))
	}
	for _, n := range neighbors {
		pad := strings.Repeat(" ", width-len([]rune(n.Word)))
		if _, err := fmt.Fprintf(w, "%s%s%s %.4f\n", indent, n.Word, pad, n.Similarity); err != nil {
			return err
		}
	}
	return nil
}

// A neighborhood is what w2v nn prints of a word. Its JSON is read by scripts.
type neighborhood struct {
	Query       string             `json:"query"`
	FoundAs     string             `json:"found_as,omitempty"` // if that is another spelling
	Neighbors   []vectors.Neighbor `json:"neighbors"`
	Suggestions []string           `json:"suggestions,omitempty"` // if the word has no vector
}

func newNN(s streams) *cobra.Command {
	var k int
	var asJSON bool
	var letters caseFlag
	c := &cobra.Command{
		Use:   "nn [flags] MODEL [WORD...]",
		Short: "Print the nearest neighbours of words",
		Long: `Print the nearest words by cosine for each WORD, or for each line of standard input
if no WORD is given. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them. The
exit code is 1 if a word has no vector or a vector of zeros.`,
		Example: `  w2v nn model.w2v paris
  w2v nn model.w2v -k 3 --json < words.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if k < 1 {
				return &usageError{c.CommandPath(), fmt.Errorf("-k must be at least 1, is %d", k)}
			}
			return letters.find(c, s, withAnswers, args[0], func(words *finder) (err error) {
				if err := noteLeftOut(s.err, args[0], words.set); err != nil {
					return err
				}
				out := bufio.NewWriter(s.out)
				defer func() { err = errors.Join(err, out.Flush()) }()
				absent := newMissing(s, args[0], words.set)
				asked := args[1:]
				v := make([]float32, words.set.Dim())
				var readErr error
				for word := range queries(asked, s.in, "\n", absent.tooLong, &readErr) {
					absent.all++
					w, err := words.find(v, word)
					if err != nil {
						return err
					}
					found := neighborhood{Query: word, FoundAs: w.foundAs(), Neighbors: []vectors.Neighbor{}}
					if w.missing() {
						found.Suggestions = words.suggest(word)
						absent.add(word, found.Suggestions...)
					} else {
						found.Neighbors = words.set.Nearest(v, k, w.known()...)
						if math.IsNaN(vectors.Cosine(v, v)) {
							absent.noDirection(word)
						}
					}
					if err := words.set.Err(); err != nil {
						return err // what was found is not the answer
					}
					switch {
					case asJSON:
						err = printJSON(out, found)
					case w.missing():
					case len(asked) == 1:
						err = printNeighbors(out, "", found.Neighbors)
					default:
						fmt.Fprintf(out, "%s\n", word)
						err = printNeighbors(out, "  ", found.Neighbors)
					}
					if err == nil && len(asked) == 0 {
						err = out.Flush() // somebody may be waiting for the answer
					}
					if err != nil {
						return err
					}
				}
				return errors.Join(readErr, absent.err())
			})
		},
	}
	c.Flags().IntVarP(&k, "neighbors", "k", 10, "number of neighbours")
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}
