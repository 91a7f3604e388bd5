package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// An analogy is what w2v analogy prints. Its JSON is read by scripts.
type analogy struct {
	A       string             `json:"a"`
	B       string             `json:"b"`
	C       string             `json:"c"`
	FoundAs map[string]string  `json:"found_as,omitempty"` // the other spellings of a, b and c
	Answers []vectors.Neighbor `json:"answers"`
}

func newAnalogy(s streams) *cobra.Command {
	var k int
	var method vectors.AnalogyMethod
	var asJSON bool
	var letters caseFlag
	c := &cobra.Command{
		Use:   "analogy [flags] MODEL A B C",
		Short: `Answer "A is to B as C is to …"`,
		Long: `Print the words that are to C as B is to A, best first. A, B and C cannot be
answers. ` + caseHelp + `
Words outside the vocabulary are composed from n-grams if the model has them.`,
		Example: `  w2v analogy model.w2v france paris italy`,
		Args:    usage(cobra.ExactArgs(4)),
		RunE: func(c *cobra.Command, args []string) error {
			if k < 1 {
				return &usageError{c.CommandPath(), fmt.Errorf("-k must be at least 1, is %d", k)}
			}
			if err := checkLength(args[1:]...); err != nil {
				return err
			}
			return letters.find(c, s, withAnswers, args[0], func(words *finder) error {
				if err := noteLeftOut(s.err, args[0], words.set); err != nil {
					return err
				}
				result, err := words.analogy(args[1:], k, method)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if asJSON {
					return printJSON(s.out, result)
				}
				return printNeighbors(s.out, "", result.Answers)
			})
		},
	}
	c.Flags().IntVarP(&k, "neighbors", "k", 10, "number of answers")
	addAnalogyMethod(c, &method)
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}

// analogy answers what is to the third word as the second is to the first.
func (f *finder) analogy(asked []string, k int, method vectors.AnalogyMethod) (analogy, error) {
	result := analogy{A: asked[0], B: asked[1], C: asked[2], FoundAs: map[string]string{}}
	var spellings [3]string
	for i, word := range asked {
		spellings[i] = f.spelling(word)
		if spellings[i] != word {
			result.FoundAs[string("abc"[i])] = spellings[i]
		}
	}
	var err error
	result.Answers, err = f.set.Analogy(spellings[0], spellings[1], spellings[2], k, method)
	if e, ok := errors.AsType[*vectors.MissingWordError](err); ok {
		for i, word := range asked {
			if spellings[i] == e.Word {
				e.Word = word
				if _, known := f.set.ID(spellings[i]); !known {
					err = fmt.Errorf("%w%s", err, orElse(f.suggest(word)))
				}
				break
			}
		}
	}
	return result, err
}
