// Command costs computes what replicated training on many machines takes, from times that were measured
// on one: docs/scale.md has its table. All of its figures are computed.
//
//	cd lab && go run ./cluster/costs
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	err := compared(os.Stdout)
	if err == nil {
		err = table(os.Stdout)
	}
	if err == nil {
		err = dividedTable(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

// compared writes the bytes of runs of 17.2 million tokens, 5 epochs, whose 74,584 words a worker trains at 3.2
// million tokens a second, beside those that mpirun sent on 2 cores.
func compared(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "| ranks × workers | tokens of a rank between turns | bytes a token | measured, on 2 cores |\n|---|---:|---:|---:|\n"); err != nil {
		return err
	}
	t := usual(law{74_584, wikipedia.shift, wikipedia.exponent}, 100)
	for _, m := range []struct{ ranks, measured float64 }{{2, 57}, {4, 109}, {8, 309}} {
		c := here(m.ranks, 1, 12.5e9)
		c.token = 1 / 3.2e6
		t.every = everyOf(86e6, m.ranks)
		of := c.run(t)
		if _, err := fmt.Fprintf(w, "| %.0f × 1 | %s | %.0f | %.0f |\n", m.ranks, short(of.apart), t.bytes(m.ranks, of.apart), m.measured); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// trillion is the tokens of the runs.
const trillion = 1e12

// table writes the costs of an epoch of a trillion tokens.
func table(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "| words | ranks × workers | link | --sync-every | tokens of a rank between turns | set by | hours | workers train | MB/s sent by a rank | memory of a rank |\n|---|---|---|---:|---:|---|---:|---:|---:|---:|\n"); err != nil {
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
			for _, link := range model.links {
				for _, t.every = range []float64{everyOf(trillion, size[0]), 10e6} {
					of := here(size[0], size[1], link*1e9/8).run(t)
					_, err := fmt.Fprintf(w, "| %s | %.0f × %.0f | %.0f Gbit/s | %s | %s | %s | %.2g | %.0f %% | %.0f | %.3g GB |\n", model.name, size[0], size[1], link,
						short(t.every), short(of.apart), of.by, trillion/of.speed/3600, 100*of.busy, of.sent/1e6, t.memory()/1e9)
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
