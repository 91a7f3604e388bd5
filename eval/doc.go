// Package eval says what a set of vectors is worth: how well cosines of pairs
// follow human judgements, and how many analogies come out right, with coverage
// and uncertainty beside each score.
//
// All evaluations look words up by one rule; see [Spelling].
package eval
