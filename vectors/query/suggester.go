package query

import "sync/atomic"

// Suggested is how many words a Suggester returns at most.
const Suggested = 3

// A Suggester looks for words of the vocabulary that may have been meant by ones that are missing. It
// does so a limited number of times, because each search of a vocabulary of millions takes some tenths of
// a second. It may be used from several goroutines.
type Suggester struct {
	finder *Finder
	left   atomic.Int64
}

// Suggester returns one that makes so many searches.
func (f *Finder) Suggester(searches int) *Suggester {
	s := &Suggester{finder: f}
	s.left.Store(int64(searches))
	return s
}

// Finder returns the finder whose vocabulary is searched.
func (s *Suggester) Finder() *Finder { return s.finder }

// Word returns words that may have been meant by a missing one, the likeliest first, as
// vectors.Set.Suggest finds them; none if all searches have been made.
func (s *Suggester) Word(word string) []string {
	if s.left.Add(-1) < 0 {
		s.left.Store(0)
		return nil
	}
	return s.finder.set.Suggest(word, Suggested)
}

// For returns words that may have been meant by the one that lacks a vector in what was found; none if
// nothing lacks or if the text is no expression.
func (s *Suggester) For(w Found) []string {
	if !w.Missing() || w.Wrong != nil {
		return nil
	}
	return s.Word(w.Lacking)
}
