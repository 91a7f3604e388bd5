package main

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

func printNeighbors(w io.Writer, indent string, neighbors []vectors.Neighbor) error {
	width := 0
	for _, n := range neighbors {
		width = max(width, min(widest, utf8.RuneCountInString(n.Word)))
	}
	for _, n := range neighbors {
		if _, err := fmt.Fprintf(w, "%s%s %.4f\n", indent, padded(listed(w, n.Word), width), n.Similarity); err != nil {
			return err
		}
	}
	return nil
}

// A neighborhood is what w2v nn prints of a word or an expression. Its JSON is read by scripts.
type neighborhood struct {
	Query        string             `json:"query"`
	FoundAs      string             `json:"found_as,omitempty"` // if that is another spelling
	Terms        []query.Term       `json:"terms,omitempty"`    // of an expression
	Neighbors    []vectors.Neighbor `json:"neighbors"`
	Explanations []explanation      `json:"explanations,omitempty"` // of the neighbours, with --explain
	Suggestions  []string           `json:"suggestions,omitempty"`  // if the word has no vector
	missing      bool
}

// A nearestRun is what the command line of w2v nn asks for.
type nearestRun struct {
	letters caseFlag
	post    postFlags
	answers answerFlags
	sum     sumFlags
	explain bool
	asJSON  bool
}

func newNN(s streams) *cobra.Command {
	var f nearestRun
	c := &cobra.Command{
		Use:   "nn [flags] MODEL [WORD...]",
		Short: "Print the nearest neighbours of words",
		Long: `Print the nearest words by cosine for each WORD, or for each line of standard input
if no WORD is given. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them. The
exit code is 1 if a word has no vector or a vector of zeros.

` + expressionHelp + ` --positive and --negative make one expression of
lists of words. Words of an expression are no answers.

` + answerHelp + `

--explain says, for models with n-grams, which pairs of rows make a cosine: the rows
of the query's words and n-grams, and those of the neighbour's. Their contributions
sum up to the cosine.

` + postHelp + `

` + interactiveHelp,
		Example: `  w2v nn model.w2v paris
  w2v nn model.w2v "king - man + woman"
  w2v nn model.w2v --positive king,woman --negative man
  w2v nn model.w2v paris --restrict 10000 --threshold 0.6
  w2v nn model.w2v paris --among cities.txt --abtt 2
  w2v nn ngrams.w2v walking --explain
  w2v nn model.w2v -k 3 --json < words.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			asks := len(args) == 1 && !f.sum.given()
			if err := errors.Join(f.answers.check(c, asks), f.post.check(c), f.sum.check(args[1:])); err != nil {
				return misuse(err)
			}
			o := opening{rule: f.letters.rule(c), post: &f.post, whole: true, leftOut: true}
			if f.answers.among.file == "" {
				o.empty = errNoAnswers
			}
			return s.open(c.Context(), args[0], o, func(words *finder) error {
				return f.run(c, s, args[0], args[1:], words)
			})
		},
	}
	f.answers.add(c, "neighbours", 10)
	f.sum.add(c)
	c.Flags().BoolVar(&f.explain, "explain", false, "say which n-grams make each cosine")
	f.letters.add(c)
	f.post.add(c)
	addJSON(c, &f.asJSON)
	return c
}

func (f *nearestRun) run(c *cobra.Command, s streams, path string, asked []string, words *finder) (err error) {
	if f.explain && words.set.Subword() == nil {
		return fmt.Errorf("%s: --explain: %s", path, f.noParts(words.set))
	}
	if err := words.checkExpressions(c, asked...); err != nil {
		return err
	}
	from, err := f.answers.answerer(c, s, words)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	out := newBuffered(s.out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	absent := newMissing(s, path, words.set)
	if f.sum.given() {
		found, err := words.neighborsOf(c.Context(), []question{f.sum.query(words)}, from, absent, f.explain)
		return errors.Join(err, f.print(out, found, true), absent.err())
	}
	in := s.queries(words.Finder, asked)
	for batch, err := range batches(asked, in, vectors.MaxWord, together(from.k), absent.tooLong) {
		if err != nil {
			return errors.Join(err, absent.err())
		}
		found, err := words.neighborsOf(c.Context(), queriesOf(batch), from, absent, f.explain)
		if err != nil {
			return err
		}
		if err := f.print(out, found, len(asked) == 1); err != nil {
			return err
		}
		if err := out.Flush(); err != nil { // somebody may be waiting for the answers
			return err
		}
	}
	return absent.err()
}

// noParts says why there is nothing to explain.
func (f *nearestRun) noParts(set *vectors.Set) string {
	if f.post.settings() != (postSettings{}) {
		return "the vectors that are asked for have no n-grams, so a cosine is that of two rows"
	}
	return "the model has no n-grams, so a cosine is that of two rows"
}

// print prints what was found; alone if nothing else is asked for.
func (f *nearestRun) print(out io.Writer, all []neighborhood, alone bool) error {
	for _, found := range all {
		indent := "  "
		if alone {
			indent = ""
		}
		switch {
		case f.asJSON:
			if err := printJSON(out, found); err != nil {
				return err
			}
			continue
		case found.missing:
			continue
		case !alone:
			fmt.Fprintf(out, "%s\n", found.Query)
		}
		var err error
		if f.explain {
			err = printExplained(out, indent, found)
		} else {
			err = printNeighbors(out, indent, found.Neighbors)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
