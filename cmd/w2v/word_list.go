package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A wordList is the words that --words asks for, and what is done with those that have
// no vector.
type wordList struct {
	file    string
	missing string
	seed    uint64
	lines   int // with a word
}

// What --missing may be.
const (
	missingFail   = string(convert.MissingFail)
	missingSkip   = string(convert.MissingSkip)
	missingZero   = string(convert.MissingZero)
	missingRandom = string(convert.MissingRandom)
)

// listHelp is the part of a command's help about the list.
const listHelp = `OUT has the words in the order of --words. --missing decides what happens to words
without a vector. skip leaves them out, and repeated lines too, so there may be fewer
rows than lines. With fail, zero and random, row i is line i, repeated or not, and
n-grams are dropped: fail makes a missing word an error, zero gives it zeros, random
gives it random numbers as large as those of other rows, by --seed and the word.`

func (l *wordList) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&l.file, "words", "", "keep only the words in `FILE`, one a line, in that order; - means standard input")
	l.missing = missingSkip
	addEnum(flags, &l.missing, "missing", "what happens to words of --words without a vector", choicesOf(convert.Missings(), nil))
	flags.Uint64Var(&l.seed, "seed", 1, "seed of the rows of --missing random")
}

func (l *wordList) check(c *cobra.Command) error {
	if l.file == "" && c.Flags().Changed("missing") {
		return errors.New("--missing is about the words of --words, and there are none")
	}
	if l.missing != missingRandom && c.Flags().Changed("seed") {
		return errors.New("--seed is for --missing random alone")
	}
	return nil
}

// read reads the list; it is nil if none was asked for.
func (l *wordList) read(stdin io.Reader) (list *convert.WordList, err error) {
	switch l.file {
	case "":
		return nil, nil
	case "-":
		if list, err = l.parse(stdin); err != nil {
			err = named(l.file, err)
		}
		return list, err
	}
	return readFile(l.file, l.parse)
}

func (l *wordList) parse(r io.Reader) (*convert.WordList, error) {
	list := &convert.WordList{Missing: convert.Missing(l.missing), Seed: l.seed}
	line, end, empty := 0, 0, 0 // empty is the first empty line before another word, end the first one after it
	for p, err := range pieces(r, vectors.MaxWord) {
		if err != nil {
			return nil, err
		}
		if !p.whole() {
			return nil, fmt.Errorf("line %d: %.20q… has %d bytes, and no word has more than %d", p.line, p.text, p.size, vectors.MaxWord)
		}
		line++
		word := strings.Trim(p.text, white)
		if word == "" {
			if end == 0 {
				end = line
			}
			continue
		}
		if empty == 0 {
			empty = end
		}
		list.Words = append(list.Words, word)
	}
	l.lines = len(list.Words)
	switch {
	case l.lines == 0:
		return nil, errors.New("there are no words in it")
	case list.Aligned() && empty > 0:
		return nil, fmt.Errorf("line %d is empty, so line i would not have row i: remove it, or say --missing skip", empty)
	}
	return list, nil
}

// some lists the first few of words.
func some(words []string) string {
	const shown = 10
	if len(words) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], " "), len(words)-shown)
	}
	return strings.Join(words, " ")
}

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

func (a *answerFlags) add(c *cobra.Command, what string, most int) {
	flags := c.Flags()
	flags.IntVarP(&a.k, "neighbors", "k", most, "number of "+what)
	flags.IntVar(&a.restrict, "restrict", 0, "answer only with the `N` most frequent words, the first of the vocabulary; 0 allows all")
	limit(flags, 1, math.Inf(1), "neighbors")
	limit(flags, 0, math.Inf(1), "restrict")
	flags.StringVar(&a.among.file, "among", "", "answer only with the words in `FILE`, one a line; - means standard input")
	flags.Float64Var(&a.threshold, "threshold", 0, "leave out answers with a score below `T`")
}

// check looks for what makes no sense whatever the model is. Asks tells whether standard input has
// the queries.
func (a *answerFlags) check(c *cobra.Command, asks bool) error {
	a.among.missing = missingSkip
	a.all = c.Flags().Changed("threshold") && !c.Flags().Changed("neighbors")
	switch {
	case asks && a.among.file == "-":
		return errors.New("queries and the words of --among cannot both come from standard input")
	case c.Flags().Changed("threshold") && a.threshold != a.threshold:
		return errors.New("--threshold must be a number")
	}
	return nil
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
