package main

import (
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
	var f modelFlags
	var asJSON, distance bool
	var from string
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
			texts, one := args[1:], c.Flags().Changed("from")
			if !one && len(texts)%2 == 1 {
				return misuse(fmt.Errorf("words come in pairs, and %q is alone", texts[len(texts)-1]))
			}
			if err := checkLength(append(texts, from)...); err != nil {
				return err
			}
			return s.open(c.Context(), args[0], f.opening(), func(words *finder) error {
				check := texts
				if one {
					check = append(check, from)
				}
				if err := words.checkExpressions(check...); err != nil {
					return err
				}
				absent := newMissing(s, args[0], words.set)
				absent.one, absent.what = "pair", "pairs"
				in := s.queries(words.Finder, texts)
				asked := pairs(texts, in, s.edited(in))
				if one {
					asked = pairsFrom(from, texts, in)
				}
				return answerEach(words, absent, asked, func(pair [2]string) error {
					absent.all++
					r, err := words.similarity(pair, absent)
					if err != nil {
						return err
					}
					if distance && r.Similarity != nil {
						x := 1 - *r.Similarity
						r.Distance = &x
					}
					if asJSON {
						return printJSON(words.out, r)
					}
					if r.Similarity != nil {
						fmt.Fprintln(words.out, r.line())
					}
					return nil
				})
			})
		},
	}
	c.Flags().StringVar(&from, "from", "", "compare this `WORD` with each of the others")
	c.Flags().BoolVar(&distance, "distance", false, "print the cosine distance, 1 less the cosine")
	f.add(c)
	addJSON(c, &asJSON)
	return c
}

// similarity compares two words, and tells absent if one of them has no vector.
func (f *finder) similarity(pair [2]string, absent *missing) (pairSimilarity, error) {
	r := pairSimilarity{A: pair[0], B: pair[1], FoundAs: map[string]string{}, Suggestions: map[string][]string{}}
	var found [2]query.Found
	for i, word := range pair {
		name := string("ab"[i])
		w, err := f.find(make([]float32, f.set.Dim()), word, nil)
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
	space := " "
	if strings.Contains(r.A+r.B, space) {
		space = "\t"
	}
	text := fmt.Sprintf("%s%s%s%s%.4f", r.A, space, r.B, space, x)
	switch strings.Join(r.Composed, "") {
	case "ab":
		text += " (both composed from n-grams)"
	case "a":
		text += fmt.Sprintf(" (%s composed from n-grams)", r.A)
	case "b":
		text += fmt.Sprintf(" (%s composed from n-grams)", r.B)
	}
	return text
}
