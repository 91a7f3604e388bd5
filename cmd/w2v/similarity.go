package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A pairSimilarity is what w2v similarity prints of two words. Its JSON is read by scripts.
type pairSimilarity struct {
	A           string              `json:"a"`
	B           string              `json:"b"`
	FoundAs     map[string]string   `json:"found_as,omitempty"`    // the other spellings of a and b
	Similarity  *float64            `json:"similarity"`            // cosine; null if a word has no vector, or one without direction
	Distance    *float64            `json:"distance,omitempty"`    // 1 less the cosine, with --distance
	Composed    []string            `json:"composed,omitempty"`    // a, b: those that n-grams were composed to
	Missing     []string            `json:"missing,omitempty"`     // a, b: those that have no vector
	Suggestions map[string][]string `json:"suggestions,omitempty"` // for what is missing
}

func newSimilarity(s streams) *cobra.Command {
	var asJSON, distance bool
	var from string
	var letters caseFlag
	var post postFlags
	c := &cobra.Command{
		Use:   "similarity [flags] MODEL [A B]...",
		Short: "Print how similar two words are",
		Long: `For each pair of words, print a line with A, B and the cosine of their vectors, from
-1 to 1. Without words, read pairs from standard input, one a line; if words contain
spaces, separate them with a tab. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them, and
the line says which ones. If a word has no vector, its line is left out and the exit
code is 1.

--from WORD compares WORD with each of the words, or with each line of standard input.
--distance prints the cosine distance, 1 less the cosine.

` + expressionHelp + `

` + postHelp + `

` + interactiveHelp,
		Example: `  w2v similarity model.w2v paris rome
  w2v similarity model.w2v paris rome violin cello --json
  w2v similarity model.w2v --from paris rome berlin violin --distance
  w2v similarity model.w2v "king - man + woman" queen
  cut -f 1,2 wordsim353.tsv | w2v similarity model.w2v`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			one := c.Flags().Changed("from")
			if !one && len(args)%2 == 0 {
				return misuse(fmt.Errorf("words come in pairs, and %q is alone", args[len(args)-1]))
			}
			if err := cmp.Or(misuse(post.check(c)), checkLength(append(args[1:], from)...)); err != nil {
				return err
			}
			return s.open(c.Context(), args[0], opening{rule: letters.rule(c), post: &post}, func(words *finder) (err error) {
				texts := args[1:]
				if one {
					texts = append(texts, from)
				}
				if err := words.checkExpressions(c, texts...); err != nil {
					return err
				}
				out := bufio.NewWriter(s.out)
				defer func() { err = errors.Join(err, out.Flush()) }()
				absent := newMissing(s, args[0], words.set)
				absent.one, absent.what = "pair", "pairs"
				in := s.queries(words.Finder, args[1:])
				asked := pairs(args[1:], in, s.edited(in))
				if one {
					asked = pairsFrom(from, args[1:], in)
				}
				for pair, err := range asked {
					if err != nil {
						return errors.Join(err, absent.err())
					}
					absent.all++
					r, err := words.similarity(pair, absent)
					if err != nil {
						return err
					}
					if distance && r.Similarity != nil {
						x := 1 - *r.Similarity
						r.Distance = &x
					}
					switch {
					case asJSON:
						err = printJSON(out, r)
					case r.Similarity != nil:
						_, err = fmt.Fprintln(out, r.line())
					}
					if err == nil && len(args) == 1 {
						err = out.Flush() // somebody may be waiting for the answer
					}
					if err != nil {
						return err
					}
				}
				return absent.err()
			})
		},
	}
	c.Flags().StringVar(&from, "from", "", "compare this `WORD` with each of the others")
	c.Flags().BoolVar(&distance, "distance", false, "print the cosine distance, 1 less the cosine")
	letters.add(c)
	post.add(c)
	addJSON(c, &asJSON)
	return c
}

// similarity compares two words, and tells absent if one of them has no vector.
func (f *finder) similarity(pair [2]string, absent *missing) (pairSimilarity, error) {
	r := pairSimilarity{A: pair[0], B: pair[1], FoundAs: map[string]string{}, Suggestions: map[string][]string{}}
	var found [2]query.Found
	for i, word := range pair {
		name := string("ab"[i])
		w, err := f.find(make([]float32, f.set.Dim()), word)
		if err != nil {
			return r, err
		}
		found[i] = w
		switch {
		case w.Missing():
			r.Missing = append(r.Missing, name)
			near := f.suggestions.For(w)
			if len(near) > 0 {
				r.Suggestions[name] = near
			}
			absent.sayFound(w, near)
		case w.Composed():
			r.Composed = append(r.Composed, name)
		}
		if as := w.FoundAs(); as != "" {
			r.FoundAs[name] = as
		}
	}
	if len(r.Missing) > 0 {
		absent.count(found[0].Wrong != nil || found[1].Wrong != nil)
		return r, nil
	}
	x := vectors.Cosine(found[0].Vector, found[1].Vector)
	if math.IsNaN(x) {
		absent.n++
		fmt.Fprintf(absent.to, "w2v: %s: %.80q and %.80q have no cosine: a vector is zero or not finite\n", absent.model, pair[0], pair[1])
		return r, nil
	}
	r.Similarity = &x
	return r, nil
}

// line is the pair for a person.
func (r pairSimilarity) line() string {
	x := *r.Similarity
	if r.Distance != nil {
		x = *r.Distance
	}
	text := fmt.Sprintf("%s %s %.4f", r.A, r.B, x)
	if strings.ContainsAny(r.A+r.B, " ") {
		text = fmt.Sprintf("%s\t%s\t%.4f", r.A, r.B, x)
	}
	switch {
	case len(r.Composed) == 2:
		text += " (both composed from n-grams)"
	case len(r.Composed) == 1 && r.Composed[0] == "a":
		text += fmt.Sprintf(" (%s composed from n-grams)", r.A)
	case len(r.Composed) == 1:
		text += fmt.Sprintf(" (%s composed from n-grams)", r.B)
	}
	return text
}
