package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// analogyFlags are the analogies that are drawn.
type analogyFlags struct {
	texts []string
	pairs [][][2]string // of each analogy
}

func (f *analogyFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.texts, "analogy", nil, "draw the arrows of an analogy: `PAIRS` such as man:king,woman:queen; may be repeated")
	_ = c.RegisterFlagCompletionFunc("analogy", cobra.NoFileCompletions) // other commands have files there
}

// parse reads the pairs.
func (f *analogyFlags) parse() error {
	f.pairs = nil
	for _, text := range f.texts {
		var pairs [][2]string
		for pair := range strings.SplitSeq(text, ",") {
			from, to, ok := strings.Cut(pair, ":")
			from, to = strings.Trim(from, white), strings.Trim(to, white)
			if !ok || from == "" || to == "" || strings.Contains(to, ":") {
				return fmt.Errorf("--analogy %q: %q is no pair of words, want A:B,C:D as in man:king,woman:queen", text, pair)
			}
			if err := checkLength(from, to); err != nil {
				return err
			}
			pairs = append(pairs, [2]string{from, to})
		}
		f.pairs = append(f.pairs, pairs)
	}
	return nil
}

// words returns all words.
func (f *analogyFlags) words() (all []string) {
	for _, pairs := range f.pairs {
		for _, p := range pairs {
			all = append(all, p[:]...)
		}
	}
	return all
}

// find adds the words and returns the pairs whose words both have a vector.
func (f *analogyFlags) find(all *gathering) (relations [][][2]int, err error) {
	for _, pairs := range f.pairs {
		var found [][2]int
		for _, p := range pairs {
			from, err := all.add(p[0])
			if err != nil {
				return nil, err
			}
			to, err := all.add(p[1])
			if err != nil {
				return nil, err
			}
			if from >= 0 && to >= 0 {
				found = append(found, [2]int{from, to})
			}
		}
		if len(found) > 0 {
			relations = append(relations, found)
		}
	}
	return relations, nil
}
