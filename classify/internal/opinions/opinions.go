// Package opinions makes texts for tests of classifiers.
package opinions

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
)

// Texts yields n texts, each with its label, good or bad. The labels differ in a run of two words, and in single words only
// a little.
func Texts(n int, seed uint64) iter.Seq2[string, string] {
	return func(yield func(text, label string) bool) {
		random := rand.New(rand.NewPCG(seed, 1))
		for range n {
			label, verdict := "good", []string{"not", "nice"}
			if random.IntN(2) != 0 {
				label, verdict = "bad", []string{"nice", "not"}
			}
			words := []string{}
			for range 3 {
				words = append(words, fmt.Sprint("word", random.IntN(8)))
			}
			words = slices.Insert(words, random.IntN(3), verdict...)
			if !yield(strings.Join(words, " "), label) {
				return
			}
		}
	}
}
