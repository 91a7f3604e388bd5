package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// A wordList is the words that --words asks for, and what is done with those that have
// no vector.
type wordList struct {
	file    string
	missing string
	seed    uint64

	words    []string // a line each
	repeated []string // words that have more than one line
	empty    int      // the first empty line before another word, from 1; 0 for none
}

// What --missing may be.
const (
	missingFail   = "fail"
	missingSkip   = "skip"
	missingZero   = "zero"
	missingRandom = "random"
)

// listHelp is the part of a command's help about the list.
const listHelp = `Words come out in the order of --words. --missing says what is done with those that
have no vector: skip leaves them out, and lines that repeat a word too, so that there
are fewer rows than lines; with fail, zero and random line i has row i, repeated or not.
fail makes a missing word an error, zero gives it zeros, and random gives it random
numbers as large as those of the other rows, drawn by --seed and the word. N-grams do
not stay with these three.`

func (l *wordList) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&l.file, "words", "", "only the words in `FILE`, one a line, in that order; - is standard input")
	l.missing = missingSkip
	addEnum(flags, &l.missing, "missing", "what is done with words of --words that have no vector", []choice{
		{missingFail, ""}, {missingSkip, ""}, {missingZero, ""}, {missingRandom, ""},
	})
	flags.Uint64Var(&l.seed, "seed", 1, "of the random rows of --missing random")
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

// aligned tells whether line i of the list has row i.
func (l *wordList) aligned() bool { return l.missing != missingSkip }

// keepsNgrams tells whether n-grams stay in formats that hold them.
func (l *wordList) keepsNgrams() bool { return l.file == "" || !l.aligned() }

// read reads the list.
func (l *wordList) read(stdin io.Reader) error {
	if l.file == "" {
		return nil
	}
	r := stdin
	if l.file != "-" {
		file, err := os.Open(l.file)
		if err != nil {
			return named(l.file, err)
		}
		defer file.Close()
		r = file
	}
	lines := map[string]int{} // how many have a word
	line, empty := 0, 0       // the first empty line, as long as no word follows
	var err error
	for p := range pieces(r, "\n", vectors.MaxWord, &err) {
		if !p.whole() {
			return fmt.Errorf("%s: line %d: %.20q… has %d bytes, and no word has more than %d", l.file, p.line, p.text, p.size, vectors.MaxWord)
		}
		word := strings.Trim(p.text, white)
		if line++; line == 1 { // what some editors begin a text with
			word = strings.TrimPrefix(word, "\ufeff")
		}
		if word == "" {
			if empty == 0 {
				empty = line
			}
			continue
		}
		if l.empty == 0 {
			l.empty = empty
		}
		l.words = append(l.words, word)
		if lines[word]++; lines[word] == 2 {
			l.repeated = append(l.repeated, word)
		}
	}
	switch {
	case err != nil:
		return named(l.file, err)
	case len(l.words) == 0:
		return fmt.Errorf("%s: there are no words in it", l.file)
	case l.aligned() && l.empty > 0:
		return fmt.Errorf("%s: line %d is empty, so line i would not have row i: remove it, or say --missing skip", l.file, l.empty)
	}
	return nil
}

// listed is what came of a list.
type listed struct {
	missing  []string // words that have no vector
	repeated []string
	fewer    int // rows than lines with a word
	notes    []string
}

// selectFrom returns the words of the list that have a vector. Rows of the others are
// added by fill.
func (l *wordList) selectFrom(set *vectors.Set, plain bool) (*vectors.Set, listed, error) {
	done := listed{repeated: l.repeated}
	if l.file == "" {
		return set, done, nil
	}
	of := set.Select
	if plain {
		of = set.SelectComposed
	}
	whole := set
	set, done.missing = of(l.words)
	cased := l.otherwiseKnown(whole, done.missing)
	if set.Len() == 0 {
		return nil, done, fmt.Errorf("none of the words in %s is in the vocabulary%s", l.file, cased)
	}
	if l.missing == missingFail && len(done.missing) > 0 {
		return nil, done, fmt.Errorf("%d of the words in %s have no vector: %s; --missing skip leaves them out, zero and random give them rows",
			len(done.missing), l.file, some(done.missing))
	}
	what := map[string]string{missingSkip: "", missingZero: " and get rows of zeros", missingRandom: " and get random rows"}[l.missing]
	if n := len(done.missing); n > 0 {
		done.notes = append(done.notes, fmt.Sprintf("%d of the words in %s have no vector%s: %s", n, l.file, what, some(done.missing)+cased))
	}
	what = "has one row"
	if l.aligned() {
		what = "has a row for each of them"
	} else {
		done.fewer = len(l.words) - set.Len()
	}
	if n := len(l.repeated); n > 0 {
		done.notes = append(done.notes, fmt.Sprintf("%d of the words in %s stand in several lines, and each %s: %s", n, l.file, what, some(l.repeated)))
	}
	if done.fewer > 0 {
		done.notes = append(done.notes, fmt.Sprintf("there are %d rows, %d fewer than lines in %s, so line i does not have row i: --missing zero or random gives every line its row",
			set.Len(), done.fewer, l.file))
	}
	return set, done, nil
}

// otherwiseKnown says how many of the missing words a lower-case model has in lower case.
func (l *wordList) otherwiseKnown(set *vectors.Set, missing []string) string {
	words, err := set.Lookup(vectors.CaseAuto)
	if err != nil {
		return ""
	}
	n := 0
	for _, word := range missing {
		if _, id := words.Find(word); id >= 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; the model is in lower case and has %d of them so: write %s in lower case", n, l.file)
}

// fill returns set with a row for every line of the list, if that is asked for.
func (l *wordList) fill(set *vectors.Set) *vectors.Set {
	if l.file == "" || !l.aligned() {
		return set
	}
	set, _ = set.SelectRows(l.words, vectors.RowOptions{Random: l.missing == missingRandom, Seed: l.seed})
	return set
}

// some lists the first few of words.
func some(words []string) string {
	const shown = 10
	if len(words) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], " "), len(words)-shown)
	}
	return strings.Join(words, " ")
}
