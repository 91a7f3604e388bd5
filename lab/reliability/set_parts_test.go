package reliability

import "github.com/w2v-go/w2v/vectors"

// newSet is vectors.New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}
