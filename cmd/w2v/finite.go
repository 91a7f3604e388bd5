package main

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// leftOut is what becomes of words whose vectors are not finite where words are compared.
const leftOut = "words with such vectors are left out"

// noteLeftOut says how many rows, of which the vectors of words are made, are not finite: words
// with such vectors are left out where words are compared.
func noteLeftOut(stderr io.Writer, path string, set *vectors.Set) error {
	found, err := set.NotFiniteInput()
	if err == nil {
		noteRows(stderr, path, found, leftOut)
	}
	return err
}

// noteNotFinite says how many rows of the model at path are not finite, and what becomes of them.
func noteNotFinite(stderr io.Writer, path string, set *vectors.Set, become string) error {
	found, err := set.NotFinite()
	if err == nil {
		noteRows(stderr, path, found, become)
	}
	return err
}

func noteRows(stderr io.Writer, path string, found vectors.NotFinite, become string) {
	if found.Rows > 0 {
		fmt.Fprintf(stderr, "note: %s: %s; %s\n", path, found, become)
	}
}

// unfinite counts vectors that are printed and not finite.
type unfinite struct {
	path  string
	set   *vectors.Set
	in    vectors.NotFinite // the model
	count int
	first string
}

// add looks at a vector that is printed for a text. It is an error if it is not finite though all of the
// model is: then the sum that it is has become too large.
func (u *unfinite) add(text string, v []float32) error {
	if vectors.Finite(v) {
		return nil
	}
	if u.count == 0 {
		var err error
		if u.in, err = u.set.NotFinite(); err != nil {
			return err
		}
		u.first = text
	}
	if u.in.Rows == 0 {
		return fmt.Errorf("%s: the vector of %.40q has numbers beyond those of float32, though all rows of the model are finite", u.path, text)
	}
	u.count++
	return nil
}

// note says how many there were.
func (u *unfinite) note(stderr io.Writer) {
	if u.count > 0 {
		fmt.Fprintf(stderr, "note: %s numbers that are not finite, first that of %.40q: in %s, %s\n", wording.Count(u.count, "of the vectors has", "of the vectors have"), u.first, u.path, u.in)
	}
}
