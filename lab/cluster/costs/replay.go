package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A replay is a run of replicated ranks, turn by turn. Its steps take what was measured: tokens, rows, bytes and messages.
type replay struct {
	cluster
	training
	tokens float64 // of the run
	slow   float64 // how much longer the last rank takes for tokens and rows
}

// A replayed run took so long, and its ranks waited for a part of that on the average.
type replayed struct {
	seconds, waited float64
	turns           int
	bytes           float64 // that a rank sends
}

// run lets ranks train what is left of the text. A turn begins when a rank has trained as far as turns are apart, and
// ends when the slowest rank has its rows. Ranks train on meanwhile, up to their lead, and wait for the turn there.
func (r replay) run() (of replayed) {
	n := int(r.ranks)
	done, began, all := make([]float64, n), make([]float64, n), 0.0
	speed := slices.Repeat([]float64{r.perRank(r.dim)}, n)
	slowest := math.Max(r.slow, 1)
	speed[n-1] /= slowest
	train := func(seconds, share float64, lead func(i int) float64) {
		for i := range done {
			more := math.Min(seconds*speed[i]*share, lead(i)-done[i])
			of.waited += (seconds*share - more/speed[i]) / math.Max(share, 1e-9) / r.ranks
			done[i] += more
			all += more
		}
		of.seconds += seconds
	}
	ahead := make([]float64, n) // how far ranks may train before the next turn has ended
	lead := func(i int) float64 { return ahead[i] }
	leave := func(gap float64) {
		for i, tokens := range began {
			ahead[i] = tokens + r.ahead()*gap
		}
	}
	leave(r.unit)
	known := map[float64]turn{}
	for all < r.tokens*(1-1e-9) {
		trained := 0.0
		for _, tokens := range began {
			trained += tokens / r.ranks
		}
		gap := math.Min(r.every, math.Max(r.unit, trained/4))
		next, together := math.Inf(1), 0.0 // until a rank has trained that far, or the text has ended
		for i := range done {
			next = math.Min(next, math.Max(0, began[i]+gap-done[i])/speed[i])
			together += speed[i]
		}
		train(math.Min(next, (r.tokens-all)/together), 1, lead)
		apart := 0.0
		for i := range done {
			apart += (done[i] - began[i]) / r.ranks
		}
		apart = math.Exp(math.Round(math.Log(math.Max(apart, 1))*50) / 50)
		if _, is := known[apart]; !is {
			known[apart] = r.turn(r.ranks, apart)
		}
		lasts, wire, stolen := r.duration(known[apart], r.dim)
		lasts += (lasts - wire - 2*r.latency) * (slowest - 1)
		left := 1.0 // of the cores
		if lasts > 0 {
			left -= math.Min(stolen*slowest/r.workers/lasts, 1)
		}
		copy(began, done)
		train(lasts, left, lead)
		leave(math.Min(r.every, math.Max(r.unit, (all-apart*r.ranks)/r.ranks/4)))
		of.bytes += known[apart].bytes
		of.turns++
	}
	return of
}

// replays writes what ranks bring for a text of a billion tokens, and what a slow one takes away.
func replays(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n| ranks × workers | link | `--sync-every` | turns | × one rank | ranks wait | × one rank, one of the ranks half as fast |\n|---|---|---:|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	const tokens = 1e9
	for _, size := range [][2]float64{{2, 1}, {8, 1}, {8, 8}, {64, 8}} {
		for _, link := range []float64{1, 25} {
			for _, every := range []float64{0, 2e6} {
				t := usual(law{1e6, wikipedia.shift, wikipedia.exponent}, 100)
				suits := everyOf(tokens, size[0])
				if every == 0 && size[0] == 2 {
					every = 5 * suits
				}
				t.between(suits, every)
				r := replay{here(size[0], size[1], link*1e9/8), t, tokens, 1}
				alone := tokens / r.perRank(t.dim)
				of := r.run()
				r.slow = 2
				held := r.run()
				_, err := fmt.Fprintf(w, "| %.0f × %.0f | %.0f Gbit/s | %s | %d | %.2g | %.0f %% | %.2g |\n", size[0], size[1], link, short(t.every), of.turns,
					alone/of.seconds, math.Abs(100*of.waited/of.seconds), alone/held.seconds)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// replayOwn writes what ranks bring for a run whose tokens take what was measured, with the last exchange, which sends all rows
// exactly.
func replayOwn(w io.Writer, tokens, words float64, dim int, token float64, sizes, links string) error {
	if _, err := fmt.Fprintf(w, "| ranks × workers | link | turns | seconds | × one thread | bytes a token |\n|---|---|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	for size := range strings.SplitSeq(sizes, ",") {
		var ranks, workers float64
		if _, err := fmt.Sscanf(size, "%gx%g", &ranks, &workers); err != nil || ranks < 2 || workers < 1 {
			return fmt.Errorf("-ranks: %q is not a number of ranks, 2 or more, x and one of workers", size)
		}
		for link := range strings.SplitSeq(links, ",") {
			bits, err := strconv.ParseFloat(link, 64)
			if err != nil || !(bits > 0) {
				return fmt.Errorf("-links: %q is not a number above 0", link)
			}
			t := usual(law{words, wikipedia.shift, wikipedia.exponent}, dim)
			suits, every := everyOf(tokens, ranks), 0.0
			if ranks == 2 {
				every = 5 * suits
			}
			t.between(suits, every)
			c := here(ranks, workers, bits/8)
			c.token = token * 100 / float64(dim)
			r := replay{c, t, tokens, 1}
			of := r.run()
			last := 8 * float64(dim) * words * 2 * (ranks - 1) / ranks
			seconds := of.seconds + last*math.Max(1/c.link, c.byte)
			sent := (of.bytes + last) * ranks / tokens
			if _, err := fmt.Fprintf(w, "| %.0f × %.0f | %.3g Gbit/s | %d | %.2f | %.2f | %.0f |\n", ranks, workers, bits/1e9, of.turns, seconds, tokens*token/seconds, sent); err != nil {
				return err
			}
		}
	}
	return nil
}

// machines writes how many bytes of each token cross the network between 8 machines of 8 cores.
func machines(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n| on each machine | words | between turns, tokens of all | bytes a token, between machines |\n|---|---:|---:|---:|\n"); err != nil {
		return err
	}
	for _, words := range []float64{1e5, 1e6} {
		for _, all := range []float64{40e3, 4e6} {
			t := usual(law{words, wikipedia.shift, wikipedia.exponent}, 128)
			crossing := func(ranks, machine float64) float64 {
				t.between(all/ranks, 0)
				return t.bytes(ranks, t.every) * (ranks - machine) / (ranks - 1)
			}
			for _, way := range []struct {
				name  string
				bytes float64
			}{{"8 ranks, each with a model of its own", crossing(64, 8)}, {"8 ranks that share a model, or one rank of 8 threads", crossing(8, 1)}} {
				if _, err := fmt.Fprintf(w, "| %s | %s | %s | %.0f |\n", way.name, short(words), short(all), way.bytes); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
