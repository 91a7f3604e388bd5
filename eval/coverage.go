package eval

import "github.com/w2v-go/w2v/vectors"

// Coverage says how many words a set of vectors lacks, and can tell something of
// nevertheless.
type Coverage struct {
	Words    int `json:"words"`    // that are not in the vocabulary, each counted once
	Composed int `json:"composed"` // of these, those whose n-grams give a vector that is not zero
}

// Cover looks up words as the evaluations do. The error is that of an unknown rule.
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
