package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
)

func newEval(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Score a model on similarity and analogy sets",
		Example: `  w2v eval similarity model.w2v wordsim353.tsv
  w2v eval analogy model.w2v questions-words.txt
  w2v eval similarity nested.w2v wordsim353.tsv --first 32`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return &usageError{c.CommandPath(), errors.New("say what to evaluate: similarity or analogy")}
		},
	}
	c.AddCommand(newEvalSimilarity(s), newEvalAnalogy(s))
	return c
}

// spellingFlags say how the words of sets are looked up.
type spellingFlags struct {
	letters caseFlag
	fold    bool
}

// foldHelp is the part of a command's help about --fold-vocab.
const foldHelp = `--fold-vocab treats words with the same upper-case form as one word; the first of
them in the vocabulary gives the vector. This is gensim's default.`

func (f *spellingFlags) add(c *cobra.Command) {
	f.letters.add(c)
	c.Flags().BoolVar(&f.fold, "fold-vocab", false, "treat words with the same upper-case form as one word, in sets and in the vocabulary, where the first one counts: gensim's case_insensitive=True")
}

// spelling returns what the flags say.
func (f *spellingFlags) spelling(c *cobra.Command) (eval.Spelling, error) {
	if f.fold && c.Flags().Changed("ignore-case") {
		return eval.Spelling{}, errors.New("--fold-vocab and --ignore-case exclude each other: the one is about the vocabulary, the other about the words of the set")
	}
	return eval.Spelling{Case: f.letters.rule(c), FoldVocab: f.fold}, nil
}

// addRestrict adds the flag --restrict.
func addRestrict(c *cobra.Command, to *int, what string) {
	c.Flags().IntVar(to, "restrict", 0, "use only the `N` most frequent words"+what+"; 0 uses all")
}

func checkRestrict(n int) error {
	if n < 0 {
		return fmt.Errorf("--restrict must not be negative, is %d", n)
	}
	return nil
}

// unusable collects the sets of which nothing could be scored.
type unusable struct {
	unknown []string // sets without a pair or question whose words all have vectors
	unequal []string // sets of too few pairs, or of pairs that are all the same, for a correlation
}

// add looks at a set of so many pairs or questions, of which some could be scored.
func (u *unusable) add(set string, all, used int, score eval.Score, what string) {
	described := fmt.Sprintf("%s (%s %s)", set, thousands(uint64(all)), what)
	switch {
	case used == 0:
		u.unknown = append(u.unknown, described)
	case math.IsNaN(float64(score)):
		u.unequal = append(u.unequal, described)
	}
}

// err is an error if there are any.
func (u unusable) err() error {
	var all error
	if len(u.unknown) > 0 {
		all = fmt.Errorf("nothing could be scored of %s: each has a word that the model has no vector for, or that --restrict leaves out", strings.Join(u.unknown, ", "))
	}
	if len(u.unequal) > 0 {
		all = errors.Join(all, fmt.Errorf("there is no correlation in %s: it takes two pairs with vectors, with different numbers and cosines", strings.Join(u.unequal, ", ")))
	}
	return all
}

// readSets reads all sets, so that a bad one is known before anything is scored.
func readSets[T any](paths []string, parse func(r io.Reader, name string) (T, error)) ([]T, error) {
	var sets []T
	for _, path := range paths {
		set, err := readFile(path, func(r io.Reader) (T, error) { return parse(r, path) })
		if _, ok := errors.AsType[*eval.ParseError](err); ok { // names the file
			return nil, err
		}
		if err != nil {
			return nil, named(path, err)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// eachJSON prints a line of JSON for each item.
func eachJSON[T any](w io.Writer, items []T, value func(i int, item T) any) error {
	for i, item := range items {
		if err := printJSON(w, value(i, item)); err != nil {
			return err
		}
	}
	return nil
}

// score writes a score for people: 0.1234, or - if there is none.
func score(s eval.Score) string {
	if !s.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.4f", float64(s))
}

func caseNote(ignored, folded bool) string {
	switch {
	case folded:
		return "words and vocabulary in upper case"
	case ignored:
		return "words looked up as they are, then in lower case"
	}
	return "words looked up as they are"
}

func interval(i eval.Interval) string {
	if i == (eval.Interval{}) {
		return "-"
	}
	return fmt.Sprintf("%.3f…%.3f", i[0], i[1])
}
