// Package capability tells which parts of a model work together. A part, such as an architecture or a loss,
// declares what it needs of the other parts and what it lacks. No part names another part, so a new part
// needs no changes elsewhere.
package capability

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A Capability is a property that a part of a model may need of the others, which have it unless they lack it.
type Capability int

// Capabilities that parts need of each other.
const (
	// OneRow: a word has one input row and one output row.
	OneRow Capability = iota
	// OutputWords: output rows belong to words.
	OutputWords
	// Averages: an input is the mean of several contexts.
	Averages
	// Projects: rows may be narrower than vectors, and are multiplied by a matrix.
	Projects
	// Nests: the first dimensions of vectors may also be trained as vectors.
	Nests
	// Freezes: rows of some words can stay unchanged while others are trained.
	Freezes
	// Scatters: contexts may be any words of a line, at any distance.
	Scatters
	// Columns: workers can train columns of all matrices independently, with the same bits for any number.
	Columns
	// Sums: a word is its own row and those of its pieces, and nothing else is learned.
	Sums
	// Divides: only rows of one word each change, so rows can be divided among processes.
	Divides
	// OneHead: a word has one output row, and not one for each relative position.
	OneHead
	// Turns: the axes of vectors may be mixed if those of output rows are, too.
	Turns
	// Sides: a target stands on the left or on the right of the input that predicts it, at a place of the text.
	Sides
	// Steps: training goes through the text in steps, position by position.
	Steps
)

// A Part declares what a part of a model needs of the others, and what it lacks. Values are the two halves of
// a sentence, which Check joins by a comma and "and": the need gives the reason, and the lack says why it is
// impossible. A need may be empty if every lack is a complete sentence.
type Part struct {
	Needs map[Capability]string
	Lacks map[Capability]string
}

// Check returns an error for the first need, in the order of parts and capabilities, that another part lacks.
func Check(parts ...Part) error {
	for _, p := range parts {
		for _, c := range slices.Sorted(maps.Keys(p.Needs)) {
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

// Lacking reports whether a part lacks a capability, and why.
func Lacking(c Capability, parts ...Part) (why string, lacks bool) {
	for _, p := range parts {
		if why, lacks = p.Lacks[c]; lacks {
			return why, true
		}
	}
	return "", false
}
