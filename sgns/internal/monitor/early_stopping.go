// Package monitor watches a run: what it has trained, what held-out text and evaluations say
// of it, when it should end, and whether it diverges.
package monitor

import "math"

// EarlyStopping decides when vectors are evaluated, which are the best, and when there have
// been enough evaluations without better ones.
type EarlyStopping struct {
	Every    uint64 // tokens between evaluations; 0 for none
	Patience int    // evaluations without a better one after which training ends; 0 for never
	Found    Found
}

// Found is what evaluations have found so far. It is JSON in a checkpoint.
type Found struct {
	Last  uint64 `json:"last_tokens"`    // of the last evaluation
	Since int    `json:"since_best"`     // evaluations
	Best  *Score `json:"best,omitempty"` // nil before the first one
}

// A Score is what an evaluation found, without numbers that JSON has no word for.
type Score struct {
	Tokens uint64   `json:"tokens"`
	Loss   *float64 `json:"loss"`  // on held-out text; nil if there is none
	Score  *float64 `json:"score"` // of the evaluation itself; nil if there is none
}

// ScoreOf returns a score whose numbers are nil where they are not finite.
func ScoreOf(tokens uint64, loss, score float64) Score {
	return Score{tokens, finiteOrNil(loss), finiteOrNil(score)}
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Numbers returns the loss and the score, NaN for what there is not.
func (s Score) Numbers() (loss, score float64) {
	loss, score = math.NaN(), math.NaN()
	if s.Loss != nil {
		loss = *s.Loss
	}
	if s.Score != nil {
		score = *s.Score
	}
	return loss, score
}

// Keeps reports whether the best vectors are the result of the run.
func (e *EarlyStopping) Keeps() bool { return e.Every > 0 && e.Patience > 0 }

// Next returns how many tokens are to be trained before the next evaluation.
func (e *EarlyStopping) Next() uint64 {
	if e.Every == 0 {
		return math.MaxUint64
	}
	return (e.Found.Last/e.Every + 1) * e.Every
}

// Ended reports whether there have been enough evaluations without a better one.
func (e *EarlyStopping) Ended() bool { return e.Keeps() && e.Found.Since >= e.Patience }

// Unscored reports whether a first evaluation has nothing by which it could be the best, in a
// run that keeps the best.
func (e *EarlyStopping) Unscored(s Score) bool {
	return e.Keeps() && e.Found.Best == nil && s.Loss == nil && s.Score == nil
}

// Add adds an evaluation, and reports whether it is the best so far.
func (e *EarlyStopping) Add(s Score) (best bool) {
	f := &e.Found
	f.Last = s.Tokens
	f.Since++
	if best = s.better(f.Best); best {
		f.Best, f.Since = &s, 0
	}
	return best
}

// better reports whether s is better than the best so far.
func (s Score) better(best *Score) bool {
	switch {
	case best == nil:
		return true
	case s.Loss != nil && best.Loss != nil:
		return *s.Loss < *best.Loss
	case s.Score != nil && best.Score != nil:
		return *s.Score > *best.Score
	}
	return s.Score != nil // the first score that is one
}
