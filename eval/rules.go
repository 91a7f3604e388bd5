package eval

import "fmt"

// Rules are the settings that every task has. The zero value works.
type Rules struct {
	Spelling
	// Restrict uses only the first so many words of the vocabulary, which are the most
	// frequent ones. Its other words count as missing. 0 means all words.
	Restrict int
	// Resamples is how often a set's items are drawn again for a confidence interval; 0 means
	// DefaultResamples. With a negative number there are no intervals.
	Resamples int
	// Seed is that of everything random: intervals, clusters, permutations. One seed gives one
	// result on every machine.
	Seed uint64
}

// DefaultResamples is the number of bootstrap resamples of Rules whose Resamples is 0.
const DefaultResamples = 10000

// Validate returns an error if a rule is invalid.
func (r Rules) Validate() error {
	if r.Restrict < 0 {
		return fmt.Errorf("eval: restrict is %d, must be 0 (all words) or more", r.Restrict)
	}
	return nil
}

// lacks reports whether a word has no vector, or is not among the first Restrict words.
func (r Rules) lacks(e entry) bool {
	return e.missing() || r.Restrict > 0 && e.id >= r.Restrict
}
