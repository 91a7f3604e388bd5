// Genome prints a made-up genome as FASTA: chromosomes of random bases, over which copies of a few
// elements are strewn, each with some bases changed, as transposable elements are.
//
//	go run ./genome -letters 2000000 >genome.fa
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

// A genome is what is printed.
type genome struct {
	letters, chromosomes int
	elements             int     // different ones
	share                float64 // of the letters that are in copies of elements
	changed              float64 // of the letters of a copy
	seed                 uint64
}

func main() {
	var g genome
	flag.IntVar(&g.letters, "letters", 2_000_000, "letters of all chromosomes")
	flag.IntVar(&g.chromosomes, "chromosomes", 4, "records")
	flag.IntVar(&g.elements, "elements", 50, "different elements")
	flag.Float64Var(&g.share, "share", 0.5, "share of the letters that are in copies of elements")
	flag.Float64Var(&g.changed, "changed", 0.1, "share of the letters of a copy that are changed")
	flag.Uint64Var(&g.seed, "seed", 1, "seed")
	flag.Parse()
	if err := g.write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "genome:", err)
		os.Exit(1)
	}
}

const (
	bases         = "ACGT"
	elementLength = 300
	lineLength    = 80
)

// write writes the genome.
func (g genome) write(w io.Writer) error {
	random := rand.New(rand.NewPCG(g.seed, 4))
	stretch := func() []byte {
		letters := make([]byte, elementLength)
		for i := range letters {
			letters[i] = bases[random.IntN(len(bases))]
		}
		return letters
	}
	elements := make([][]byte, g.elements)
	for i := range elements {
		elements[i] = stretch()
	}
	out := bufio.NewWriter(w)
	for c := range g.chromosomes {
		fmt.Fprintf(out, ">chr%d made up\n", c+1) // errors stay in out until Flush
		var letters []byte
		for len(letters) < g.letters/g.chromosomes {
			if random.Float64() >= g.share {
				letters = append(letters, stretch()...)
				continue
			}
			for _, base := range elements[random.IntN(len(elements))] {
				if random.Float64() < g.changed {
					base = bases[random.IntN(len(bases))]
				}
				letters = append(letters, base)
			}
		}
		for letters = letters[:g.letters/g.chromosomes]; len(letters) > 0; {
			n := min(lineLength, len(letters))
			_, _ = out.Write(append(letters[:n:n], '\n')) // likewise
			letters = letters[n:]
		}
	}
	return out.Flush()
}
