package eval

import "github.com/w2v-go/w2v/vectors"

// Coverage says how many words are not in a vocabulary, and how many of these have vectors that
// are composed of n-grams.
type Coverage struct {
	Words    int `json:"words"`    // number of distinct words that are not in the vocabulary
	Composed int `json:"composed"` // how many of them have a composed vector that is not zero
}

// Cover looks words up as the evaluations do. It returns an error if the rule is invalid.
func Cover(s *vectors.Set, words []string, rule vectors.Case) (Coverage, error) {
	l, err := newLookup(s, Spelling{Case: rule}, nil)
	if err != nil {
		return Coverage{}, err
	}
	var c Coverage
	seen := make(map[string]bool)
	unit := make([]float32, s.Dim())
	for _, word := range words {
		if seen[word] {
			continue
		}
		seen[word] = true
		e := l.find(word)
		if e.id >= 0 {
			continue
		}
		c.Words++
		if e.composed() && vectors.Unit(unit, e.vector) {
			c.Composed++
		}
	}
	return c, nil
}
