package halving

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// bowl has its maximum 1 at (8, 3). Cheap trials, and each repetition, are off by a little.
func bowl(levels, most int, tried *[]Trial) *Search {
	s := &Search{
		Axes:   []Axis{{Low: 1, High: 64, Step: 1, Log: true}, {Low: 0, High: 6, Step: 1.5}},
		Start:  []float64{1, 0},
		Levels: levels, Seed: 2, Most: most,
	}
	s.Try = func(_ context.Context, t *Trial) error {
		x, y := math.Log2(t.Point[0])-3, t.Point[1]-3
		noise := math.Sin(1000*x+100*y+float64(t.Repeat)) / 100
		t.Score = 1 - x*x/10 - y*y/20 - noise/s.Share(t.Level)/3
		if t.Point[1] == 6 {
			t.Score = math.NaN() // fails
		}
		return nil
	}
	s.Tried = func(t Trial, _ bool) { *tried = append(*tried, t) }
	return s
}

func TestBestIsFound(t *testing.T) {
	for _, levels := range []int{1, 2, 4} {
		var tried []Trial
		best, score := bowl(levels, 200, &tried).Run(t.Context())
		if best == nil || score < 0.97 || math.Abs(best.Point[1]-3) > 1 || best.Level != levels-1 || best.Repeat != 0 {
			t.Errorf("%d levels: best %+v of mean score %v", levels, best, score)
		}
		if len(tried) != 200 {
			t.Errorf("%d levels: %d trials, want 200", levels, len(tried))
		}
	}
}

// The result depends on the number of trials, and not on threads or time.
func TestTrialsAreReproducible(t *testing.T) {
	var tried []Trial
	s := bowl(3, 60, &tried)
	want, score := s.Run(t.Context())
	s.Threads = 7
	got, again := s.Run(t.Context())
	if !reflect.DeepEqual(got.Point, want.Point) || got.Number != want.Number || score != again {
		t.Errorf("found %+v, %v with other threads, want %+v, %v", got, again, want, score)
	}
}

func TestStartReachesTheHighestLevel(t *testing.T) {
	var tried []Trial
	bowl(4, 45, &tried).Run(t.Context())
	for _, trial := range tried {
		if trial.Level == 3 && reflect.DeepEqual(trial.Point, []float64{1, 0}) {
			return
		}
	}
	t.Error("the start was not tried at the full cost")
}

// The start can be compared with the best point: both are tried as often. Points that are to be tried first are.
func TestStartIsCompared(t *testing.T) {
	for _, most := range []int{18, 24, 60} {
		for levels := 1; levels < 4; levels++ {
			var tried []Trial
			s := bowl(levels, most, &tried)
			s.Compare, s.Then = true, [][]float64{{8, 3}}
			best, _ := s.Run(t.Context())
			count := func(point []float64) (n int) {
				for _, trial := range tried {
					if trial.Level == levels-1 && reflect.DeepEqual(trial.Point, point) {
						n++
					}
				}
				return n
			}
			if start, of := count(s.Start), count(best.Point); start < 5 || of < 5 {
				t.Errorf("%d levels, %d trials: the start was tried %d times at the full cost, the best point %d times", levels, most, start, of)
			}
			for _, point := range [][]float64{s.Start, best.Point} {
				var fresh []int
				for _, trial := range tried {
					if trial.Fresh != (trial.Number > len(tried)-4) {
						t.Errorf("%d levels, %d trials: trial %d is fresh: %v", levels, most, trial.Number, trial.Fresh)
					}
					if trial.Fresh && reflect.DeepEqual(trial.Point, point) {
						fresh = append(fresh, trial.Repeat)
					}
				}
				if slices.Sort(fresh); !slices.Equal(fresh, []int{3, 4}) {
					t.Errorf("%d levels, %d trials: after the search, %v is tried with the seeds %v, want 3 and 4", levels, most, point, fresh)
				}
			}
			if !slices.ContainsFunc(tried, func(trial Trial) bool { return trial.Number == 2 && reflect.DeepEqual(trial.Point, s.Then[0]) }) {
				t.Errorf("%d levels, %d trials: the second point is another one", levels, most)
			}
		}
	}
}

// Points with the same key are tried once, and the search ends when all were.
func TestKeysAreTriedOnce(t *testing.T) {
	for _, compare := range []bool{false, true} {
		var tried []Trial
		s := bowl(3, 1000, &tried)
		s.Compare = compare
		s.Key = func(point []float64, _ int) string { return fmt.Sprint(math.Round(math.Log2(point[0])), point[1]) }
		best, _ := s.Run(t.Context())
		type of struct {
			key           string
			level, repeat int
		}
		seen, keys := map[of]bool{}, map[string]bool{}
		for _, trial := range tried {
			trying := of{s.Key(trial.Point, trial.Level), trial.Level, trial.Repeat}
			if seen[trying] {
				t.Errorf("trial %d tries %+v again", trial.Number, trying)
			}
			seen[trying], keys[trying.key] = true, true
		}
		if best == nil || len(tried) >= 1000 || len(keys) < 40 || len(keys) > 49 {
			t.Errorf("%d trials of %d keys", len(tried), len(keys))
		}
	}
}

// Too few trials have no comparison after the search.
func TestFewTrialsAreNotCompared(t *testing.T) {
	for most, want := range map[int]int{5: 0, 6: 4} {
		var tried []Trial
		s := bowl(1, most, &tried)
		s.Compare, s.Then = true, [][]float64{{8, 3}}
		s.Run(t.Context())
		fresh := 0
		for _, trial := range tried {
			if trial.Fresh {
				fresh++
			}
		}
		if fresh != want || len(tried) > most {
			t.Errorf("%d trials, of %d: %d after the search, want %d", len(tried), most, fresh, want)
		}
	}
}

// A search ends when there is enough.
func TestEnough(t *testing.T) {
	var tried []Trial
	s := bowl(3, 1000, &tried)
	enough := make(chan struct{})
	s.Enough = enough
	try := s.Try
	s.Try = func(ctx context.Context, of *Trial) error {
		if of.Number == 20 {
			close(enough)
			<-ctx.Done()
			return ctx.Err()
		}
		return try(ctx, of)
	}
	if best, _ := s.Run(t.Context()); best == nil || len(tried) < 10 || len(tried) > 50 {
		t.Errorf("%d trials, best %+v", len(tried), best)
	}
}

func TestRounded(t *testing.T) {
	for _, test := range []struct {
		x      float64
		digits int
		want   float64
	}{{0, 2, 0}, {0.03456, 2, 0.035}, {123456, 3, 123000}, {-0.0678, 1, -0.07}, {9.99, 2, 10}} {
		if got := Rounded(test.x, test.digits); math.Abs(got-test.want) > 1e-12*math.Abs(test.want) {
			t.Errorf("%v to %d digits is %v, want %v", test.x, test.digits, got, test.want)
		}
	}
}

func TestTimeEndsTheSearch(t *testing.T) {
	var tried []Trial
	s := bowl(2, 0, &tried)
	s.Budget = 300 * time.Millisecond
	try := s.Try
	var cut atomic.Int32
	s.Try = func(ctx context.Context, of *Trial) error {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			cut.Add(1)
			return ctx.Err()
		}
		return try(ctx, of)
	}
	begun := time.Now()
	best, _ := s.Run(t.Context())
	if took := time.Since(begun); took > 10*s.Budget || best == nil || len(tried) < 3 {
		t.Errorf("took %v for %d trials, best %+v", took, len(tried), best)
	}
	if best, _ = s.Run(cancelled(t)); best != nil {
		t.Errorf("a context that has ended leaves %+v", best)
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// A trial may take so long that there is time left for its point, or the best one so far, at the highest level.
func TestTimeIsLeftForTheBestPoint(t *testing.T) {
	for name, test := range map[string]struct {
		top  *Trial
		try  Trial
		want time.Duration
	}{
		"nothing tried, highest level":     {nil, Trial{Level: 2, Threads: 1}, 60 * time.Second},
		"nothing tried, a ninth":           {nil, Trial{Level: 0, Threads: 1}, 60 * time.Second * 2 / 11}, // 9 times as much, by 2 threads
		"the best one is tried on a third": {&Trial{Level: 1, Threads: 2, Seconds: 10}, Trial{Level: 2, Threads: 1}, 30 * time.Second},
		"the best one is tried on all":     {&Trial{Level: 2, Threads: 2, Seconds: 10}, Trial{Level: 2, Threads: 1}, 60 * time.Second},
		"another one on a third":           {&Trial{Level: 1, Threads: 2, Seconds: 10}, Trial{Level: 1, Threads: 2}, 15 * time.Second},
	} {
		after := time.Duration(0)
		r := search{Search: &Search{Levels: 3, After: func(*Trial) time.Duration { return after }, Threads: 2, Budget: 100 * time.Second}, begun: time.Now().Add(-40 * time.Second), top: test.top}
		if got := r.most(&test.try); (got - test.want).Abs() > time.Second {
			t.Errorf("%s: a trial may take %v, want %v", name, got, test.want)
		}
		left := r.left()
		if after = 7 * time.Second; test.top != nil && (left-r.left()-after).Abs() > time.Second {
			t.Errorf("%s: %v are left of %v, and what follows the search takes %v", name, r.left(), left, after)
		}
	}
}

// What was made of the best point is kept, and nothing else that a round made.
func TestMadeIsKept(t *testing.T) {
	var tried []Trial
	s := bowl(2, 60, &tried)
	try := s.Try
	s.Try = func(ctx context.Context, of *Trial) error {
		if of.Level == 1 && of.Repeat == 0 {
			of.Made = of.Number
		}
		return try(ctx, of)
	}
	if best, _ := s.Run(t.Context()); best.Made != best.Number {
		t.Errorf("the best trial %d made %v", best.Number, best.Made)
	}
}
