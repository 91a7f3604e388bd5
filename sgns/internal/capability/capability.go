// Package capability tells which parts of a model work together. A part, such as an
// architecture or a loss, says what it needs of the other parts and what it lacks. No part
// names another, so a new part is refused, or not, by what it says of itself.
package capability

import (
	"errors"
	"fmt"
	"slices"
)

// A Capability is something that a part of a model may need of the others. All parts have
// it that do not say that they lack it.
type Capability int

// What parts need of each other.
const (
	// OneRow: a word is one row, on the side of inputs and on that of outputs.
	OneRow Capability = iota
	// OutputWords: output rows are those of words.
	OutputWords
	// Averages: an input is the mean of several contexts.
	Averages
	// Projects: rows may be narrower than vectors, and multiplied by a matrix.
	Projects
	// Nests: the first dimensions of vectors may be trained as vectors too.
	Nests
	// Freezes: rows of some words can stay as they are while others are trained.
	Freezes
	// Scatters: contexts may be any words of a line, wherever they are.
	Scatters
	// Columns: workers can train the columns of all matrices independently, so that any
	// number of them comes to the same bits.
	Columns
	// Divides: what is trained is an input and an output row of each word, and nothing that several words
	// have in common, so that the rows can be divided among processes.
	Divides
)

// A Part is what a part of a model needs of the others, and what it lacks. Values are the
// two halves of a sentence, which Check joins by a comma and "and": the need says why, and
// the lack says why not. A need may be empty, if every lack of it is a whole sentence.
type Part struct {
	Needs map[Capability]string
	Lacks map[Capability]string
}

// Check returns an error that says why parts do not work together: the first need, in the
// order of parts and capabilities, that a part lacks.
func Check(parts ...Part) error {
	for _, p := range parts {
		for _, c := range sorted(p.Needs) {
			if why, lacks := Lacking(c, parts...); lacks {
				if p.Needs[c] == "" {
					return errors.New(why)
				}
				return fmt.Errorf("%s, and %s", p.Needs[c], why)
			}
		}
	}
	return nil
}

// Lacking reports whether any part lacks a capability, and why.
func Lacking(c Capability, parts ...Part) (why string, lacks bool) {
	for _, p := range parts {
		if why, lacks = p.Lacks[c]; lacks {
			return why, true
		}
	}
	return "", false
}

func sorted(m map[Capability]string) []Capability {
	var all []Capability
	for c := range m {
		all = append(all, c)
	}
	slices.Sort(all)
	return all
}
