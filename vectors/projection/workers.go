package projection

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// workers returns how many goroutines are meant: 0 stands for one a core.
func workers(threads int) int {
	if threads > 0 {
		return threads
	}
	return runtime.GOMAXPROCS(0)
}

// each calls work for runs of 0…n-1 of that size, on so many goroutines, which are numbered from
// 0. Runs do not depend on the number of goroutines. It returns the context's error if that ends
// before all is done. Step, if not nil, is told how much is done: by the first goroutine alone.
func each(ctx context.Context, threads, n, size int, step func(done float64), work func(worker, first, last int)) error {
	runs := (n + size - 1) / size
	threads = max(1, min(threads, runs))
	var taken atomic.Int64
	loop := func(worker int) {
		for ctx.Err() == nil {
			first := int(taken.Add(1)-1) * size
			if first >= n {
				return
			}
			if worker == 0 && step != nil {
				step(float64(first) / float64(n))
			}
			work(worker, first, min(n, first+size))
		}
	}
	if threads == 1 {
		loop(0)
		return ctx.Err()
	}
	var g errgroup.Group
	for w := range threads {
		g.Go(func() error { loop(w); return nil })
	}
	_ = g.Wait() // loops cannot fail
	return ctx.Err()
}

// A reporter tells a Progress of the stages of a computation, whose shares of the whole are about
// known.
type reporter struct {
	progress Progress
	done     float64
}

// stage returns what tells of the next stage, which ends at that share of the whole.
func (r *reporter) stage(name string, end float64) func(done float64) {
	begin := r.done
	r.done = end
	if r.progress == nil {
		return func(float64) {}
	}
	last := begin
	r.progress(name, begin)
	return func(done float64) {
		if now := begin + (end-begin)*min(1, done); now > last {
			last = now
			r.progress(name, now)
		}
	}
}

// mix returns 64 bits that look random, of three numbers: SplitMix64's finaliser (Steele, Lea and
// Flood 2014).
func mix(a, b, c uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b*0xd1342543de82ef95 + c*0xaf251af3b0f025b5 + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
