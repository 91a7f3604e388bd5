package monitor

import (
	"math"
	"testing"
)

// The best is by the loss if both have one, else by the score.
func TestEarlyStopping(t *testing.T) {
	nan := math.NaN()
	e := EarlyStopping{Every: 10, Patience: 2}
	if !e.Unscored(ScoreOf(10, nan, nan)) || e.Unscored(ScoreOf(10, 1, nan)) {
		t.Error("what has nothing to be the best by")
	}
	for i, test := range []struct {
		tokens      uint64
		loss, score float64
		best, ended bool
		next        uint64
	}{
		{12, 3, 1, true, false, 20},
		{20, 3, 9, false, false, 30},
		{31, 2, 0, true, false, 40},
		{40, nan, 1, true, false, 50}, // by the score, which both have
		{50, nan, math.Inf(1), false, false, 60},
		{60, nan, 1, false, true, 70},
	} {
		if best := e.Add(ScoreOf(test.tokens, test.loss, test.score)); best != test.best || e.Ended() != test.ended || e.Next() != test.next {
			t.Errorf("evaluation %d: best %v, ended %v, next at %d", i, best, e.Ended(), e.Next())
		}
	}
	if loss, score := e.Found.Best.Numbers(); !math.IsNaN(loss) || score != 1 || e.Found.Best.Tokens != 40 {
		t.Errorf("the best: %+v", e.Found.Best)
	}
	none := EarlyStopping{Patience: 3}
	if none.Keeps() || none.Ended() || none.Next() != math.MaxUint64 {
		t.Error("a run without evaluations is evaluated")
	}
}
