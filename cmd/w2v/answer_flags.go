package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// answerFlags say which words may answer a query, and how many do.
type answerFlags struct {
	k         int
	restrict  int
	among     wordList
	threshold float64
	all       bool // of the words that reach the threshold
}

// answerHelp is the part of a command's help about these flags.
const answerHelp = `--restrict N allows only the first N words of the vocabulary, which are the most
frequent ones, as answers. --among FILE allows only the words in FILE, one a line;
words outside the vocabulary are composed from n-grams if the model has them.
--threshold T leaves out answers with a lower score, and without -k prints all others.`

// add adds the flags; most is how many answers there are unless a flag says so.
func (a *answerFlags) add(c *cobra.Command, what string, most int) {
	flags := c.Flags()
	flags.IntVarP(&a.k, "neighbors", "k", most, "number of "+what)
	flags.IntVar(&a.restrict, "restrict", 0, "answer only with the `N` most frequent words, the first of the vocabulary; 0 allows all")
	flags.StringVar(&a.among.file, "among", "", "answer only with the words in `FILE`, one a line; - means standard input")
	flags.Float64Var(&a.threshold, "threshold", 0, "leave out answers with a score below `T`")
}

// check looks for what makes no sense whatever the model is. Asks tells whether standard input has
// the queries.
func (a *answerFlags) check(c *cobra.Command, asks bool) error {
	a.among.missing = missingSkip
	a.all = c.Flags().Changed("threshold") && !c.Flags().Changed("neighbors")
	switch {
	case a.k < 1:
		return fmt.Errorf("-k must be at least 1, is %d", a.k)
	case asks && a.among.file == "-":
		return errors.New("queries and the words of --among cannot both come from standard input")
	case c.Flags().Changed("threshold") && a.threshold != a.threshold:
		return errors.New("--threshold must be a number")
	}
	return checkRestrict(a.restrict)
}

// An answerer knows which words may be answers.
type answerer struct {
	set       *vectors.Set // of the words that may be answers
	k         int
	threshold *float64
}

// answerer returns what the flags ask for of a model.
func (a *answerFlags) answerer(c *cobra.Command, s streams, words *finder) (answerer, error) {
	from := answerer{set: words.set, k: a.k}
	if c.Flags().Changed("threshold") {
		from.threshold = &a.threshold
	}
	list, err := a.among.read(s.in)
	if err != nil {
		return from, err
	}
	switch set := words.set; {
	case list != nil:
		var chosen, missing, beyond []string
		for _, word := range list.Words {
			if spelling, id := words.Spelling(word); a.restrict == 0 || id >= 0 && id < a.restrict {
				chosen = append(chosen, spelling)
			} else {
				beyond = append(beyond, word)
			}
		}
		if len(beyond) > 0 {
			s.note(fmt.Sprintf("%s not among the first %s of the vocabulary and cannot answer: %s", wording.Count(len(beyond), "of the words in "+a.among.file+" is", "of the words in "+a.among.file+" are"), wording.Thousands(a.restrict), some(beyond)))
		}
		if from.set, missing = transform.SelectComposed(set, chosen); len(missing) > 0 {
			s.note(fmt.Sprintf("%s no vector and cannot answer: %s", wording.Count(len(missing), "of the words in "+a.among.file+" has", "of the words in "+a.among.file+" have"), some(missing)))
		}
		if from.set.Len() == 0 {
			return from, fmt.Errorf("%s: none of its words has a vector, or --restrict leaves all of them out", a.among.file)
		}
	case a.restrict > 0 && a.restrict < set.Len():
		first := make([]uint32, a.restrict)
		for id := range first {
			first[id] = uint32(id)
		}
		from.set = transform.Pick(set.Plain(), first)
	}
	if a.all {
		from.k = from.set.Len()
	}
	return from, nil
}

// cut leaves out what does not reach the threshold.
func (a answerer) cut(found []vectors.Neighbor) []vectors.Neighbor {
	for i, n := range found {
		if a.threshold != nil && float64(n.Similarity) < *a.threshold {
			return found[:i]
		}
	}
	return found
}
