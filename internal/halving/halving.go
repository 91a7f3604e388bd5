// Package halving searches for settings by successive halving (Jamieson and Talwalkar 2016; Li and others 2017, "Hyperband"): many
// points are tried cheaply, and the better third of them again at three times the cost, until few have had the full cost. The
// next round begins with points near the best ones.
package halving

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// An Axis is a setting that is searched for: a number from Low to High. Step is the standard deviation of a change, of the
// number or, if Log is set, of its binary logarithm.
type Axis struct {
	Low, High, Step float64
	Log             bool
}

// change returns a value near x.
func (a Axis) change(random *rand.Rand, x, wide float64) float64 {
	d := wide * a.Step * random.NormFloat64()
	if a.Log {
		x *= math.Exp2(d)
	} else {
		x = math.Round(x + d)
	}
	return min(max(x, a.Low), a.High)
}

// Rounded returns x with some significant digits, for settings that people read.
func Rounded(x float64, digits int) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*unit) / unit
}

// A Trial is a point that is tried once.
type Trial struct {
	Number  int       // from 1
	Point   []float64 // a value of each axis
	Level   int       // the cost is Share of that of the highest level
	Repeat  int       // how often the point was tried at the highest level before
	Fresh   bool      // of the comparison after the search: see Search.Compare
	Threads int
	Score   float64 // NaN if the trial failed
	Seconds float64
	Made    any // what Try made, if it set it; kept while it may be what Run returns
}

// Reduction is how many times as many points, at a third of the cost, each level has as the next one.
const Reduction = 3

// repeats is how often the best points are tried at the highest level.
const repeats = 3

// fresh is how often the best point and the start are each tried after the search.
const fresh = 2

// A Search says what is searched for. Try must give the same score for the same trial, whatever Threads is.
type Search struct {
	Axes  []Axis
	Start []float64   // is tried first, and at the highest level too
	Then  [][]float64 // are tried next
	// Key names what Try makes of a point at a level. A point with a key that another point had at the same level is not tried. nil
	// if every point is another one.
	Key func(point []float64, level int) string
	// Compare makes scores that are comparisons with the start possible: at each level it is tried before all other points, alone,
	// and at the highest level as often as the best points. If it has no score, the search ends. After the search, the start and
	// the best point are each tried twice more at the highest level: the best point was chosen by its other trials, and is less good
	// than they say. These trials are Fresh. Without time, or with fewer than leastCompared trials, there are none.
	Compare bool
	Levels  int // at least 1
	Seed    uint64
	Threads int // 0 means GOMAXPROCS
	AtOnce  int // trials that may run at the same time; 0 means 16
	Most    int // trials; 0 means that Budget ends the search, and both end if no point is left to try
	// Enough ends the search when it is closed; nil if nothing does.
	Enough <-chan struct{}
	// Budget is for all trials but the first, which ends in any case. Unless a point is tried at the highest level, time is kept
	// for trying the best one there, after the search.
	Budget time.Duration
	// After returns about how long the work takes that follows the search if this trial is the best one, for which time is kept. nil
	// if there is none.
	After func(*Trial) time.Duration
	// Try tries a point, with Threads threads, and sets the score.
	Try func(context.Context, *Trial) error
	// Tried is called after each trial, by one goroutine at a time; best if no trial so far was better at this or a higher level.
	Tried func(t Trial, best bool)
}

// Share is the share of the full cost of a level.
func (s *Search) Share(level int) float64 {
	return math.Pow(Reduction, float64(min(level, s.Levels-1)-(s.Levels-1)))
}

type candidate struct {
	point []float64
	start bool
	last  []Trial // those of its highest level
}

func (c *candidate) level() int { return c.last[0].Level }

// score is the mean score of the highest level.
func (c *candidate) score() (sum float64) {
	for _, t := range c.last {
		sum += t.Score / float64(len(c.last))
	}
	return sum
}

type search struct {
	*Search
	random *rand.Rand
	begun  time.Time
	number int
	all    []*candidate // tried, and not failed
	cost   []float64    // seconds of one thread of a trial of each level
	mu     sync.Mutex
	top    *Trial
	limit  int               // of trials before the comparison; 0 if there is none
	seen   map[levelKey]bool // of all points
	start  *Trial            // the last one of the start, if there is a comparison
	fresh  bool              // the search is over
}

// A levelKey is the key of a point at a level.
type levelKey struct {
	level int
	key   string
}

// leastCompared is the least number of trials of which some are kept for the comparison after the search.
const leastCompared = 2 + 2*fresh

// Run searches until the trials or the time are used up, no point is left to try, Enough is closed or the context ends, and returns the best trial: of
// the points that came furthest, the first trial of the one with the best mean score. It is nil if no trial has a score.
func (s *Search) Run(ctx context.Context) (*Trial, float64) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-s.Enough:
			stop()
		case <-ctx.Done():
		}
	}()
	r := &search{Search: s, random: rand.New(rand.NewPCG(s.Seed, 0)), begun: time.Now(), cost: make([]float64, s.Levels), limit: s.Most, seen: map[levelKey]bool{}}
	if s.Compare && s.Most >= leastCompared {
		r.limit -= 2 * fresh
	}
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	for round := 0; ; round++ {
		if !r.round(ctx, round) {
			break
		}
	}
	best := r.best()
	if best == nil {
		return nil, math.NaN()
	}
	if s.Compare && !best.start && (s.Most == 0 || r.limit < s.Most) {
		r.compare(ctx, best)
	}
	return &best.last[0], best.score()
}

// compare tries the start and the best point with seeds that no trial had.
func (r *search) compare(ctx context.Context, best *candidate) {
	r.fresh = true
	var trials []Trial
	for k := range fresh {
		for _, point := range [][]float64{r.Start, best.point} {
			trials = append(trials, Trial{Point: point, Level: r.Levels - 1, Repeat: repeats + k, Fresh: true})
		}
	}
	if r.start != nil && r.start.Level < r.Levels-1 { // its first trial at this level is what others are compared with
		if done := r.try(ctx, trials[:1]); math.IsNaN(done[0].Score) {
			return
		}
		trials = trials[1:]
	}
	r.try(ctx, trials)
}

// round tries some points, and reports whether there is room for another round.
func (r *search) round(ctx context.Context, number int) bool {
	points := int(math.Pow(Reduction, float64(max(r.Levels-1, 2))))
	least := 1
	if number == 0 {
		least += len(r.Then)
	}
	for r.Most > 0 && points > least && r.trials(points, number == 0) > r.limit-r.number { // all levels are to be reached
		points--
	}
	alive := r.points(points, number == 0)
	if len(alive) == 0 {
		return false
	}
	for level := 0; level <= r.Levels && len(alive) > 0; level++ {
		repeat, times := 0, 1
		if level == r.Levels { // the same cost again, with other seeds
			repeat, times = 1, repeats-1
		}
		var trials []Trial
		for _, c := range alive {
			for k := range times {
				trials = append(trials, Trial{Point: c.point, Level: min(level, r.Levels-1), Repeat: repeat + k})
			}
		}
		if r.Most > 0 {
			trials = trials[:min(len(trials), r.limit-r.number)/times*times]
		}
		first := 0
		if r.Compare && level < r.Levels && alive[0].start {
			first = 1
			if done := r.try(ctx, trials[:1]); math.IsNaN(done[0].Score) {
				return false
			}
		}
		r.try(ctx, trials[first:])
		var next []*candidate
		for i, c := range alive[:len(trials)/times] {
			of := trials[i*times : (i+1)*times]
			if slices.ContainsFunc(of, func(t Trial) bool { return math.IsNaN(t.Score) }) {
				continue
			}
			if repeat > 0 {
				c.last = append(c.last, of...)
				continue
			}
			if c.last == nil {
				r.all = append(r.all, c)
			}
			c.last = slices.Clone(of)
			next = append(next, c)
		}
		if r.over(ctx) || level == 0 && len(next) == 0 && number > 0 {
			return false
		}
		slices.SortStableFunc(next, func(a, b *candidate) int { return better(a, b) })
		keep := (len(next) + Reduction - 1) / Reduction
		alive = next[:keep]
		switch i := slices.IndexFunc(next, func(c *candidate) bool { return c.start }); {
		case i >= 0 && r.Compare: // first, also because there may be no room for all
			alive = slices.Concat(next[i:i+1], slices.Delete(slices.Clone(alive), min(i, keep), min(i+1, keep)))
		case i >= keep && level+1 < r.Levels:
			alive = append(slices.Clone(alive), next[i])
		}
	}
	best := r.best()
	for _, c := range r.all {
		for i := range c.last {
			if c != best {
				c.last[i].Made = nil
			}
		}
	}
	return true
}

// trials returns about how many trials a round with some points needs to come to an end.
func (r *search) trials(points int, first bool) int {
	if !r.Compare {
		return points + points/Reduction
	}
	sum, start := 0, 0
	for range r.Levels {
		sum += points + start
		if points = (points + start + Reduction - 1) / Reduction; first {
			start = 1 // goes on beside the better ones
		}
	}
	return sum + (1+start)*(repeats-1)
}

func better(a, b *candidate) int {
	if a.score() > b.score() {
		return -1
	} else if a.score() < b.score() {
		return 1
	}
	return 0
}

// ranked returns the candidates, those that came furthest first, and of these the best. To be tried again for a comparison is no
// merit of the start.
func (r *search) ranked() []*candidate {
	all := slices.Clone(r.all)
	far := func(c *candidate) int {
		if c.start && r.Compare {
			return c.level() + 1
		}
		return c.level() + len(c.last)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		if d := far(b) - far(a); d != 0 {
			return d
		}
		return better(a, b)
	})
	return all
}

func (r *search) best() *candidate {
	if all := r.ranked(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// elites is how many of the best points new ones are near to.
const elites = 5

// draws is how often a point is drawn until it is a new one.
const draws = 100

// points returns up to n new points: a third far from the start, and the others near the best ones. There are fewer if draws of a
// point were all tried before.
func (r *search) points(n int, first bool) (all []*candidate) {
	best := r.ranked()
	best = best[:min(len(best), elites)]
	for i := range n {
		if first && i <= len(r.Then) {
			if point := slices.Concat([][]float64{r.Start}, r.Then)[i]; r.isNew(point) {
				all = append(all, &candidate{point: slices.Clone(point), start: i == 0})
			}
			continue
		}
		for range draws {
			if point := r.draw(i, best); r.isNew(point) {
				all = append(all, &candidate{point: point})
				break
			}
		}
	}
	return all
}

// isNew reports whether no point had a key of this point before, and notes its keys if so.
func (r *search) isNew(point []float64) bool {
	if r.Key == nil {
		return true
	}
	var keys []levelKey
	for level := range r.Levels {
		k := levelKey{level, r.Key(point, level)}
		if r.seen[k] {
			return false
		}
		keys = append(keys, k)
	}
	for _, k := range keys {
		r.seen[k] = true
	}
	return true
}

// draw returns the point i of a round.
func (r *search) draw(i int, best []*candidate) []float64 {
	point := slices.Clone(r.Start)
	wide, often := 2.0, 1.0
	if len(best) > 0 && i%Reduction > 0 {
		point = slices.Clone(best[r.random.IntN(len(best))].point)
		wide, often = 1, 0.5
	} else if i%2 == 1 {
		wide, often = 1, 0.6
	}
	for k, axis := range r.Axes {
		if x := axis.change(r.random, point[k], wide); r.random.Float64() < often {
			point[k] = x
		}
	}
	return point
}

// over reports whether the search is to end.
func (r *search) over(ctx context.Context) bool {
	return ctx.Err() != nil || r.Most > 0 && r.number >= r.limit || r.Most == 0 && r.left() <= 0
}

// left returns how much time there is for trials, beside trying the best point at the highest level if none was, the comparison, and
// what follows.
func (r *search) left() time.Duration {
	left := r.Budget - time.Since(r.begun)
	if r.top != nil && r.After != nil {
		left -= r.After(r.top)
	}
	if r.top != nil && r.top.Level < r.Levels-1 {
		left -= r.full(r.top)
	}
	if r.compares() && r.top != nil {
		left -= fresh * (r.full(r.top) + r.full(r.start))
	}
	return left
}

// compares reports whether time is kept for the comparison after the search.
func (r *search) compares() bool { return r.Compare && !r.fresh && r.start != nil }

// full returns how long the point of a trial takes at the highest level.
func (r *search) full(t *Trial) time.Duration {
	return time.Duration(t.Seconds * r.fullCost(t) * float64(time.Second))
}

// fullCost returns how many times as long as a trial of a point the same takes at the highest level, with all threads.
func (r *search) fullCost(t *Trial) float64 {
	return float64(t.Threads) / float64(r.Threads) / r.Share(t.Level)
}

// most returns how long a trial may take.
func (r *search) most(t *Trial) time.Duration {
	most, left, later := r.left(), r.Budget-time.Since(r.begun), 0.0
	if t.Level < r.Levels-1 { // there is time left if it is the best one
		later = 1
	}
	if r.compares() {
		left, later = left-fresh*r.full(r.start), later+fresh
	}
	if later > 0 && !t.Fresh {
		most = min(most, time.Duration(float64(left)/(1+later*r.fullCost(t))))
	}
	return most
}

// seconds returns about how long a trial takes.
func (r *search) seconds(level, threads int) time.Duration {
	for below := level; below >= 0; below-- {
		if cost := r.cost[below]; cost > 0 {
			return time.Duration(cost * r.Share(level) / r.Share(below) / float64(threads) * float64(time.Second))
		}
	}
	return 0
}

// mostAtOnce limits the memory of trials unless AtOnce does.
const mostAtOnce = 16

// try runs trials, several at once, and sets their scores. It returns trials.
func (r *search) try(ctx context.Context, trials []Trial) []Trial {
	at := max(1, min(r.Threads, len(trials), cmp.Or(r.AtOnce, mostAtOnce)))
	var g errgroup.Group
	g.SetLimit(at)
	for i := range trials {
		t := &trials[i]
		t.Number, t.Threads, t.Score = r.number+i+1, max(1, r.Threads/at), math.NaN()
		g.Go(func() error {
			r.mu.Lock()
			over, ctx, cancel := ctx.Err() != nil, ctx, context.CancelFunc(func() {})
			if r.Most == 0 && t.Number > 1 {
				most := r.most(t)
				over = over || most < r.seconds(t.Level, t.Threads)
				ctx, cancel = context.WithTimeout(ctx, most)
			}
			r.mu.Unlock()
			defer cancel()
			if over {
				return nil
			}
			begun := time.Now()
			if err := r.Try(ctx, t); err != nil && ctx.Err() != nil {
				t.Score = math.NaN()
				return nil
			}
			t.Seconds = time.Since(begun).Seconds()
			r.mu.Lock()
			defer r.mu.Unlock()
			r.cost[t.Level] = t.Seconds * float64(t.Threads)
			if !math.IsNaN(t.Score) && slices.Equal(t.Point, r.Start) && (r.start == nil || t.Level >= r.start.Level) {
				start := *t
				start.Made = nil
				r.start = &start
			}
			best := !t.Fresh && !math.IsNaN(t.Score) && (r.top == nil || t.Level > r.top.Level || t.Level == r.top.Level && t.Score > r.top.Score)
			if best {
				top := *t
				top.Made = nil
				r.top = &top
			}
			r.Tried(*t, best)
			return nil
		})
	}
	_ = g.Wait() // there are no errors
	r.number += len(trials)
	return trials
}
