// Graphs generates graphs, and measures walks over them and the vectors that are trained on walks:
//
//	go run ./graphs generate -nodes 1000000 -edges 50000000 >edges.tsv
//	go run ./graphs speed -edges edges.tsv
//	go run ./graphs classify
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	commands := map[string]func(io.Writer, []string) error{"generate": generate, "speed": speed, "classify": classify}
	var run func(io.Writer, []string) error
	if len(os.Args) > 1 {
		run = commands[os.Args[1]]
	}
	if run == nil {
		fmt.Fprintf(os.Stderr, "graphs: expected one of %s\n", commandList(commands))
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "graphs:", err)
		os.Exit(1)
	}
}

// generate prints the edges of a graph with a power law of degrees.
func generate(out io.Writer, args []string) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	nodes := flags.Int("nodes", 1_000_000, "nodes")
	edges := flags.Int("edges", 50_000_000, "edges")
	seed := flags.Uint64("seed", 1, "seed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return powerLaw(out, *nodes, *edges, *seed)
}
