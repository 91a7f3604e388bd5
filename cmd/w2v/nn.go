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
	missing     bool
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
				var readErr error
				for batch := range batches(asked, s.in, "\n", vectors.MaxWord, together(k), absent.tooLong, &readErr) {
					found, err := words.neighbors(batch, k, absent)
					if err != nil {
						return err
					}
					for _, f := range found {
						switch {
						case asJSON:
							err = printJSON(out, f)
						case f.missing:
						case len(asked) == 1:
							err = printNeighbors(out, "", f.Neighbors)
						default:
							fmt.Fprintf(out, "%s\n", f.Query)
							err = printNeighbors(out, "  ", f.Neighbors)
						}
						if err != nil {
							return err
						}
					}
					if err := out.Flush(); err != nil { // somebody may be waiting for the answers
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

// neighbors returns the k nearest words of each word, and tells absent which have no vector.
func (f *finder) neighbors(asked []string, k int, absent *missing) ([]neighborhood, error) {
	found := make([]neighborhood, len(asked))
	queries := vectors.NewMatrix(len(asked), f.set.Dim())
	skip := make([][]int, len(asked))
	for i, word := range asked {
		absent.all++
		w, err := f.find(queries.Row(i), word)
		if err != nil {
			return nil, err
		}
		found[i] = neighborhood{Query: word, FoundAs: w.foundAs(), missing: w.missing()}
		skip[i] = w.known()
		switch {
		case w.missing():
			clear(queries.Row(i)) // near to nothing
			found[i].Suggestions = f.suggest(word)
			absent.add(word, found[i].Suggestions...)
		case math.IsNaN(vectors.Cosine(w.vector, w.vector)):
			absent.noDirection(word)
		}
	}
	for i, near := range f.set.NearestBatch(queries, k, skip) {
		found[i].Neighbors = near
	}
	return found, f.set.Err() // what was found is not the answer if there is one
}
