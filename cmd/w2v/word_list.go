package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
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

// check looks for what makes no sense whatever the model is.
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
func (l *wordList) read(stdin io.Reader) (*convert.WordList, error) {
	if l.file == "" {
		return nil, nil
	}
	r := stdin
	if l.file != "-" {
		file, err := os.Open(l.file)
		if err != nil {
			return nil, named(l.file, err)
		}
		defer file.Close()
		r = file
	}
	list := &convert.WordList{Missing: convert.Missing(l.missing), Seed: l.seed}
	line, end, empty := 0, 0, 0 // empty is the first empty line before another word, end the first one after it
	var err error
	for p := range pieces(r, "\n", vectors.MaxWord, &err) {
		if !p.whole() {
			return nil, fmt.Errorf("%s: line %d: %.20q… has %d bytes, and no word has more than %d", l.file, p.line, p.text, p.size, vectors.MaxWord)
		}
		word := strings.Trim(p.text, white)
		if line++; line == 1 { // what some editors begin a text with
			word = strings.TrimPrefix(word, "\ufeff")
		}
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
	case err != nil:
		return nil, named(l.file, err)
	case l.lines == 0:
		return nil, fmt.Errorf("%s: there are no words in it", l.file)
	case list.Aligned() && empty > 0:
		return nil, fmt.Errorf("%s: line %d is empty, so line i would not have row i: remove it, or say --missing skip", l.file, empty)
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
