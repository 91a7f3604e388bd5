package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	checked(c, func([]string) error {
		switch {
		case l.file == "" && flags.Changed("missing"):
			return errors.New("--missing is about the words of --words, and there are none")
		case l.missing != missingRandom && flags.Changed("seed"):
			return errors.New("--seed is for --missing random alone")
		}
		return nil
	})
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
	end, empty := 0, 0 // empty is the first empty line before another word, end the first one after it
	for p, err := range pieces(r, vectors.MaxWord) {
		if err != nil {
			return nil, err
		}
		if !p.whole() {
			return nil, fmt.Errorf("line %d: %.20q… has %d bytes, and no word has more than %d", p.line, p.text, p.size, vectors.MaxWord)
		}
		if word := strings.Trim(p.text, white); word != "" {
			list.Words = append(list.Words, word)
			empty = cmp.Or(empty, end)
		} else {
			end = cmp.Or(end, p.line)
		}
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

func some(words []string) string {
	const shown = 10
	if len(words) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], " "), len(words)-shown)
	}
	return strings.Join(words, " ")
}

type answerFlags struct {
	flags     *pflag.FlagSet
	k         int
	restrict  int
	among     wordList
	threshold float64
}

const answerHelp = `--restrict N allows only the first N words of the vocabulary, which are the most
frequent ones, as answers. --among FILE allows only the words in FILE, one a line;
words outside the vocabulary are composed from n-grams if the model has them.
--threshold T leaves out answers with a lower score, and without -k prints all others.`

// add adds the flags. Asks tells whether standard input has the queries.
func (a *answerFlags) add(c *cobra.Command, what string, most int, asks func(args []string) bool) {
	a.flags, a.among.missing = c.Flags(), missingSkip
	a.flags.IntVarP(&a.k, "neighbors", "k", most, "number of "+what)
	a.flags.IntVar(&a.restrict, "restrict", 0, "answer only with the `N` most frequent words, the first of the vocabulary; 0 allows all")
	limit(a.flags, 1, math.Inf(1), "neighbors")
	limit(a.flags, 0, math.Inf(1), "restrict")
	a.flags.StringVar(&a.among.file, "among", "", "answer only with the words in `FILE`, one a line; - means standard input")
	a.flags.Float64Var(&a.threshold, "threshold", 0, "leave out answers with a score below `T`")
	checked(c, func(args []string) error {
		switch {
		case asks(args) && a.among.file == "-":
			return errors.New("queries and the words of --among cannot both come from standard input")
		case math.IsNaN(a.threshold):
			return errors.New("--threshold must be a number")
		}
		return nil
	})
}

type answerer struct {
	set       *vectors.Set // of the words that may be answers
	k         int
	threshold *float64
}

// answerer returns what the flags ask for of the model at path.
func (a *answerFlags) answerer(s streams, path string, words *finder) (answerer, error) {
	from := answerer{set: words.set, k: a.k}
	list, err := a.among.read(s.in)
	if err != nil {
		return from, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case list != nil:
		var chosen, beyond []string
		for _, word := range list.Words {
			if spelling, id := words.Spelling(word); a.restrict == 0 || id >= 0 && id < a.restrict {
				chosen = append(chosen, spelling)
			} else {
				beyond = append(beyond, word)
			}
		}
		if len(beyond) > 0 {
			s.note(fmt.Sprintf("%s not among the first %s of the vocabulary and cannot answer: %s", a.among.count(beyond, "is", "are"), wording.Thousands(a.restrict), some(beyond)))
		}
		var missing []string
		if from.set, missing = transform.SelectComposed(words.set, chosen); len(missing) > 0 {
			s.note(fmt.Sprintf("%s no vector and cannot answer: %s", a.among.count(missing, "has", "have"), some(missing)))
		}
		if from.set.Len() == 0 {
			return from, fmt.Errorf("%s: %s: none of its words has a vector, or --restrict leaves all of them out", path, a.among.file)
		}
	case a.restrict > 0 && a.restrict < words.set.Len():
		first := make([]uint32, a.restrict)
		for id := range first {
			first[id] = uint32(id)
		}
		from.set = transform.Pick(words.set.Plain(), first)
	}
	if a.flags.Changed("threshold") {
		from.threshold = &a.threshold
		if !a.flags.Changed("neighbors") {
			from.k = from.set.Len()
		}
	}
	return from, nil
}

func (l *wordList) count(words []string, one, more string) string {
	of := "of the words in " + l.file + " "
	return wording.Count(len(words), of+one, of+more)
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
