package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// A pairSimilarity is what w2v similarity prints of two words. Its JSON is read by scripts.
type pairSimilarity struct {
	A           string              `json:"a"`
	B           string              `json:"b"`
	FoundAs     map[string]string   `json:"found_as,omitempty"`    // the other spellings of a and b
	Similarity  *float64            `json:"similarity"`            // cosine; null if a word has no vector, or one without direction
	Composed    []string            `json:"composed,omitempty"`    // a, b: those that n-grams were composed to
	Missing     []string            `json:"missing,omitempty"`     // a, b: those that have no vector
	Suggestions map[string][]string `json:"suggestions,omitempty"` // for what is missing
}

func newSimilarity(s streams) *cobra.Command {
	var asJSON bool
	var letters caseFlag
	c := &cobra.Command{
		Use:   "similarity [flags] MODEL [A B]...",
		Short: "Print how similar two words are",
		Long: `For each pair of words, print a line with A, B and the cosine of their vectors, from
-1 to 1. Without words, read pairs from standard input, one a line; if words contain
spaces, separate them with a tab. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them, and
the line says which ones. If a word has no vector, its line is left out and the exit
code is 1.`,
		Example: `  w2v similarity model.w2v paris rome
  w2v similarity model.w2v paris rome violin cello --json
  cut -f 1,2 wordsim353.tsv | w2v similarity model.w2v`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args)%2 == 0 {
				return &usageError{c.CommandPath(), fmt.Errorf("words come in pairs, and %q is alone", args[len(args)-1])}
			}
			if err := checkLength(args[1:]...); err != nil {
				return err
			}
			return letters.find(c, s, withModel, args[0], func(words *finder) (err error) {
				out := bufio.NewWriter(s.out)
				defer func() { err = errors.Join(err, out.Flush()) }()
				absent := newMissing(s, args[0], words.set)
				absent.what = "pairs"
				var readErr error
				for pair := range pairs(args[1:], s.in, &readErr) {
					absent.all++
					r, err := words.similarity(pair, absent)
					if err != nil {
						return err
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
				return errors.Join(readErr, absent.err())
			})
		},
	}
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}

// similarity compares two words, and tells absent if one of them has no vector.
func (f *finder) similarity(pair [2]string, absent *missing) (pairSimilarity, error) {
	r := pairSimilarity{A: pair[0], B: pair[1], FoundAs: map[string]string{}, Suggestions: map[string][]string{}}
	var found [2]foundWord
	for i, word := range pair {
		name := string("ab"[i])
		w, err := f.find(make([]float32, f.set.Dim()), word)
		if err != nil {
			return r, err
		}
		found[i] = w
		switch {
		case w.missing():
			r.Missing = append(r.Missing, name)
			near := f.suggest(word)
			if len(near) > 0 {
				r.Suggestions[name] = near
			}
			absent.say(word, near)
		case w.composed():
			r.Composed = append(r.Composed, name)
		}
		if as := w.foundAs(); as != "" {
			r.FoundAs[name] = as
		}
	}
	if len(r.Missing) > 0 {
		absent.n++
		return r, nil
	}
	x := vectors.Cosine(found[0].vector, found[1].vector)
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
	text := fmt.Sprintf("%s %s %.4f", r.A, r.B, *r.Similarity)
	if strings.ContainsAny(r.A+r.B, " ") {
		text = fmt.Sprintf("%s\t%s\t%.4f", r.A, r.B, *r.Similarity)
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

// pairs returns the words of the command line by two or, if there are none, those of each
// line of r: between white space or, if it has exactly one, on both sides of a tab. A line
// that is no pair ends them, as a read error does; both are left in err.
func pairs(words []string, r io.Reader, err *error) iter.Seq[[2]string] {
	return func(yield func([2]string) bool) {
		for i := 0; i+1 < len(words); i += 2 {
			if !yield([2]string{words[i], words[i+1]}) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		number := 0
		var readErr error
		for line := range lines(nil, r, &readErr) {
			number++
			words := fields(line, 2)
			if len(words) == 0 {
				continue
			}
			if len(words) != 2 {
				*err = fmt.Errorf("standard input, line %d: expected two words, found %d in %.60q", number, len(words), line)
				return
			}
			if !yield([2]string(words)) {
				return
			}
		}
		*err = errors.Join(*err, readErr)
	}
}
