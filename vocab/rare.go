package vocab

import "fmt"

// A RareError says that no token of a corpus is frequent enough.
type RareError struct {
	MinCount int    // the count that a token needs
	Most     uint64 // the count of the most frequent token
	Distinct int    // number of distinct tokens
	Tokens   uint64 // number of tokens in all
}

// add includes a token that was seen so many times.
func (e *RareError) add(count uint64) {
	e.Most = max(e.Most, count)
	e.Distinct++
	e.Tokens += count
}

func (e *RareError) Error() string {
	return fmt.Sprintf("no token is seen %d times, the least asked for: the most frequent of %d distinct tokens (%d in all) is seen %d times",
		e.MinCount, e.Distinct, e.Tokens, e.Most)
}
