package convert

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Missing says what is done with words of a list that have no vector.
type Missing string

const (
	// MissingSkip leaves them out, and repeated words too, so that there are fewer rows
	// than words in the list.
	MissingSkip Missing = "skip"
	// MissingFail makes them an error. Like the next two, it gives every word of the list
	// its row, repeated or not.
	MissingFail Missing = "fail"
	// MissingZero gives them rows of zeros.
	MissingZero Missing = "zero"
	// MissingRandom gives them random rows, as large as those of the other words.
	MissingRandom Missing = "random"
)

// A WordList is the words that are asked for, in the order in which they come out.
type WordList struct {
	Words   []string
	Missing Missing // empty for MissingSkip
	Seed    uint64  // of the random rows of MissingRandom
}

// Aligned tells whether word i of the list has row i.
func (l *WordList) Aligned() bool { return l.Missing != "" && l.Missing != MissingSkip }

// Repeated returns the words that stand in the list more than once.
func (l *WordList) Repeated() []string {
	times := make(map[string]int, len(l.Words))
	var repeated []string
	for _, word := range l.Words {
		if times[word]++; times[word] == 2 {
			repeated = append(repeated, word)
		}
	}
	return repeated
}

// Selected says what came of a list of words.
type Selected struct {
	Missing   []string // words that have no vector
	Repeated  []string // words that stand in the list more than once
	Fewer     int      // rows than words in the list
	LowerCase int      // of the missing words, how many a model in lower case has in lower case
}

// A MissingError says that words of a list have no vector: all of them, or some where
// that was to be an error.
type MissingError struct {
	Selected
	All bool
}

func (e *MissingError) Error() string {
	if e.All {
		return "none of the words that are asked for is in the vocabulary"
	}
	return fmt.Sprintf("%d of the words that are asked for have no vector, first %.40q", len(e.Missing), e.Missing[0])
}

// from returns the words of the list that have a vector. Rows of the others are added by
// fill. Plain says that n-grams do not stay.
func (l *WordList) from(set *vectors.Set, plain bool) (*vectors.Set, Selected, error) {
	if l == nil {
		return set, Selected{}, nil
	}
	done := Selected{Repeated: l.Repeated()}
	of := transform.Select
	if plain {
		of = transform.SelectComposed
	}
	selected, missing := of(set, l.Words)
	done.Missing, done.LowerCase = missing, inLowerCase(set, missing)
	if selected.Len() == 0 {
		return nil, done, &MissingError{done, true}
	}
	if l.Missing == MissingFail && len(missing) > 0 {
		return nil, done, &MissingError{done, false}
	}
	if !l.Aligned() {
		done.Fewer = len(l.Words) - selected.Len()
	}
	return selected, done, nil
}

// inLowerCase counts the missing words that a lower-case model has in lower case.
func inLowerCase(set *vectors.Set, missing []string) (n int) {
	words, err := set.Lookup(vectors.CaseAuto)
	if err != nil {
		return 0
	}
	for _, word := range missing {
		if _, id := words.Find(word); id >= 0 {
			n++
		}
	}
	return n
}

// fill returns set with a row for every word of the list, if that is asked for.
func (l *WordList) fill(set *vectors.Set) *vectors.Set {
	if l == nil || !l.Aligned() {
		return set
	}
	filled, _ := transform.SelectRows(set, l.Words, transform.RowOptions{Random: l.Missing == MissingRandom, Seed: l.Seed})
	return filled
}

// Missings returns everything that can be done with missing words.
func Missings() []Missing { return []Missing{MissingFail, MissingSkip, MissingZero, MissingRandom} }

// validate looks for what makes no sense.
func (l *WordList) validate() error {
	switch {
	case l == nil:
		return nil
	case l.Missing != "" && !slices.Contains(Missings(), l.Missing):
		return fmt.Errorf("convert: nothing is known to be done with missing words by the name of %q", l.Missing)
	case len(l.Words) == 0:
		return fmt.Errorf("convert: there are no words in the list of words")
	}
	return nil
}
