package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// An oddOne is what w2v doesnt-match prints of some words. Its JSON is read by scripts.
type oddOne struct {
	Odd     *string           `json:"odd"`                // null if fewer than three words have vectors
	Words   []query.Ranked    `json:"words"`              // words with vectors, the odd one first
	FoundAs map[string]string `json:"found_as,omitempty"` // the other spellings of words
	Missing []string          `json:"missing,omitempty"`
}

func newDoesntMatch(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "doesnt-match [flags] MODEL [WORD...]",
		Short: "Print which word matches the others least",
		Long: `Print the cosine of each word with the mean of all of them, where vectors have
length 1. The smallest comes first: that word matches the others least. This is
gensim's doesnt_match. Without words, read them from standard input, one question a
line; if words contain spaces, separate them with tabs. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them. A word
without a vector is left out. The exit code is 1 if there is such a word.

` + postHelp + `

` + interactiveHelp,
		Example: `  w2v doesnt-match model.w2v breakfast dinner lunch violin
  w2v doesnt-match model.w2v --json < lists.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if n := len(args) - 1; n == 1 || n == 2 {
				return misuse(fmt.Errorf("it takes three words or more to tell which one matches the others least, and there %s", areWords(n)))
			}
			if err := checkLength(args[1:]...); err != nil {
				return err
			}
			return s.open(c.Context(), args[0], f.opening(), func(words *finder) error {
				absent := newMissing(s, args[0], words.set)
				answer := func(asked []string) error {
					odd, err := words.odd(asked, absent)
					if err != nil {
						return err
					}
					if asJSON {
						return printJSON(words.out, odd)
					}
					odd.print(words.out, len(args) > 1)
					return nil
				}
				if len(args) > 1 {
					return errors.Join(answer(args[1:]), absent.err())
				}
				in := s.queries(words.Finder, nil)
				return answerEach(words, absent, lines(nil, in), func(line string) error {
					asked := strings.FieldsFunc(line, isWhite)
					if strings.Contains(line, "\t") {
						asked = fields(line, strings.Count(strings.Trim(line, white), "\t")+1)
					}
					switch n := len(asked); {
					case n == 0:
						return nil
					case n >= 3:
						return answer(asked)
					default:
						err := fmt.Errorf("standard input: expected three words or more, found %d in %.60q", n, line)
						if again := s.edited(in); again != nil {
							fmt.Fprintf(again, "w2v: %v\n", err)
							return nil
						}
						return err
					}
				})
			})
		},
	}
	f.add(c)
	addJSON(c, &asJSON)
	return c
}

// odd returns the word that matches the others least, and reports words without vectors to absent.
func (f *finder) odd(asked []string, absent *missing) (oddOne, error) {
	for _, word := range asked {
		f.spelling(word) // records the spelling
	}
	ranking, err := f.DoesntMatch(asked)
	if err != nil {
		return oddOne{}, err
	}
	absent.all += len(asked)
	for _, word := range ranking.Missing {
		if _, id := f.Spelling(word); id >= 0 {
			absent.noDirection(word)
		} else {
			absent.add(word, f.suggestions.Word(word)...)
		}
	}
	r := oddOne{Words: ranking.Words, FoundAs: ranking.FoundAs, Missing: ranking.Missing}
	if odd, ok := ranking.Odd(); ok {
		r.Odd = &odd
	} else {
		fmt.Fprintf(absent.to, "w2v: %s: %s, and it takes three to tell which one matches the others least\n", absent.model, wording.Of(len(ranking.Words), len(asked), "word", "words", "has a vector", "have vectors"))
	}
	return r, nil
}

func areWords(n int) string {
	if n == 1 {
		return "is one"
	}
	return fmt.Sprintf("are %d", n)
}

func (r oddOne) print(out io.Writer, alone bool) {
	if r.Odd == nil {
		return
	}
	indent := ""
	if !alone {
		fmt.Fprintf(out, "%s\n", *r.Odd)
		indent = "  "
	}
	var list []vectors.Neighbor
	for _, w := range r.Words {
		list = append(list, vectors.Neighbor{Word: w.Word, Similarity: w.Similarity})
	}
	printNeighbors(out, indent, list)
}
