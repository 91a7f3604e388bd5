// Command costs computes what replicated training on many machines takes, from times that were measured
// on one: docs/scale.md has its table. All of its figures are computed.
//
//	cd lab && go run ./cluster/costs
//	cd lab && go run ./cluster/costs -tokens 3e7 -words 49712 -token 400e-9 -ranks 2x1,8x8 -links 1e9,1e10
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	own := flag.Float64("tokens", 0, "replay a run of so many `tokens`, of all epochs, alone; the other flags are of this run")
	words := flag.Float64("words", 49_712, "`words` of the vocabulary")
	dim := flag.Int("dim", 100, "`numbers` of a vector")
	token := flag.Float64("token", 400e-9, "`seconds` of a worker for a token")
	ranks := flag.String("ranks", "2x1", "numbers of ranks and workers")
	links := flag.String("links", "1e9,1e10", "bits a second of a rank")
	flag.Parse()
	var err error
	if *own > 0 {
		err = replayOwn(os.Stdout, *own, *words, *dim, *token, *ranks, *links)
	} else {
		err = everything()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

// everything writes all tables of docs/scale.md.
func everything() error {
	err := compared(os.Stdout)
	if err == nil {
		err = table(os.Stdout)
	}
	if err == nil {
		err = replays(os.Stdout)
	}
	if err == nil {
		err = machines(os.Stdout)
	}
	if err == nil {
		err = dividedTable(os.Stdout)
	}
	return err
}

// compared writes what the model says of runs on this machine, beside what they took. They trained the first 7.9 million
// tokens of English Wikipedia once, on 2 cores: a token takes 370 ns of one worker.
func compared(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "| ranks × workers | bytes a token | measured | processors' µs a token | measured |\n|---|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	t := usual(law{49_712, wikipedia.shift, wikipedia.exponent}, 100)
	for _, m := range measured {
		c := here(m.ranks, 1, shared)
		c.token, c.byte = 370e-9, 0.14e-9
		t.between(everyOf(7.9e6, m.ranks), 0)
		turn := t.turn(m.ranks, t.every) // another core trains meanwhile, or turns are seldom late
		_, _, stolen := c.duration(turn, t.dim)
		if _, err := fmt.Fprintf(w, "| %.0f × 1 | %.0f | %.0f | %.2f | %.2f |\n", m.ranks, turn.bytes/t.every, m.bytes, 1e6*(c.token+stolen/t.every), m.cpu); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// measured is what runs took: bytes, and microseconds of the processors, for a token.
var measured = []struct{ ranks, bytes, cpu float64 }{
	{2, 79, 0.83},
	{4, 179, 1.16},
	{8, 447, 2.55},
}

const (
	trillion = 1e12  // tokens of the runs
	shared   = 7.5e9 // bytes a second in the memory of a machine
)

// table writes the costs of an epoch of a trillion tokens.
func table(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "| words | ranks × workers | link | `--sync-every` | tokens of a rank between turns | set by | hours | × one machine | cores train | MB/s sent by a rank | memory of a rank |\n|---|---|---|---:|---:|---|---:|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	const dim = 128
	for _, model := range []struct {
		words float64
		name  string
		sizes [][2]float64
		links []float64
	}{
		{1e6, "1 M", [][2]float64{{8, 1}, {8, 8}, {64, 64}}, []float64{1, 10, 100}},
		{1e8, "100 M", [][2]float64{{64, 64}}, []float64{10, 100}},
	} {
		t := usual(law{model.words, wikipedia.shift, wikipedia.exponent}, dim)
		for _, size := range model.sizes {
			one := here(1, size[1], shared).run(t)
			if _, err := fmt.Fprintf(w, "| %s | 1 × %.0f | | | | %s | %.2g | 1 | 100 %% | 0 | %.3g GB |\n", model.name, size[1], one.by, trillion/one.speed/3600, t.memory(1)/1e9); err != nil {
				return err
			}
			for _, link := range model.links {
				for _, every := range []float64{0, 10e6} {
					t.between(everyOf(trillion, size[0]), every)
					of := here(size[0], size[1], link*1e9/8).run(t)
					_, err := fmt.Fprintf(w, "| %s | %.0f × %.0f | %.0f Gbit/s | %s | %s | %s | %.2g | %.2g | %.0f %% | %.0f | %.3g GB |\n", model.name, size[0], size[1], link,
						short(t.every), short(of.apart), of.by, trillion/of.speed/3600, of.speed/one.speed, 100*of.busy, of.sent/1e6, t.memory(size[0])/1e9)
					if err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// short returns a number with two digits.
func short(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.1f M", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0f k", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}
