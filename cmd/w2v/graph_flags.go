package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/wording"
)

// graphFlags are the flags of walks over a graph.
type graphFlags struct {
	walks    graph.WalkOptions
	directed bool
}

// walkFlags are those that mean something for a graph only.
var walkFlags = []string{"directed", "walks", "walk-length", "p", "q", "plus"}

// add adds the flags.
func (f *graphFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.directed, "directed", false, "an edge leads from its first node to its second only")
	flags.IntVar(&f.walks.PerNode, "walks", 10, "walks that begin at each node")
	flags.IntVar(&f.walks.Length, "walk-length", 80, "nodes in a walk")
	flags.Float64Var(&f.walks.P, "p", 1, "divide the weight of the way back by `P` (node2vec)")
	flags.Float64Var(&f.walks.Q, "q", 1, "divide the weights of ways to nodes that are no neighbours of the node before by `Q` (node2vec)")
	flags.BoolVar(&f.walks.Plus, "plus", false, "weak edges count less as those of neighbours (node2vec+, for weighted graphs)")
}

// check reports values that mean nothing.
func (f *graphFlags) check() error {
	o := f.walks
	switch {
	case o.PerNode < 1:
		return fmt.Errorf("--walks must be at least 1, is %d", o.PerNode)
	case o.Length < 1:
		return fmt.Errorf("--walk-length must be at least 1, is %d", o.Length)
	case o.PerNode > graph.MaxPerNode:
		return fmt.Errorf("--walks must be at most %d, is %d", graph.MaxPerNode, o.PerNode)
	case o.Length > graph.MaxLength:
		return fmt.Errorf("--walk-length must be at most %d, is %d", graph.MaxLength, o.Length)
	case !isFactor(o.P):
		return fmt.Errorf("--p must be above 0, from %v to %v, is %v", 1/graph.MaxFactor, graph.MaxFactor, o.P)
	case !isFactor(o.Q):
		return fmt.Errorf("--q must be above 0, from %v to %v, is %v", 1/graph.MaxFactor, graph.MaxFactor, o.Q)
	case o.Plus && o.P == 1 && o.Q == 1:
		return errors.New("--plus changes nothing with --p 1 --q 1: give one of them")
	}
	return o.Validate()
}

func isFactor(f float64) bool { return 1/graph.MaxFactor <= f && f <= graph.MaxFactor }

// withoutGraph reports a flag of graphs that is given without a graph.
func withoutGraph(c *cobra.Command, needs string) error {
	for _, name := range append(walkFlags, "fresh-walks") {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s needs %s", name, needs)
		}
	}
	return nil
}

// planned says what a graph takes, before it is made.
func (s streams) planned(p graph.Plan) error {
	kind := "edges"
	if p.Lines == 1 {
		kind = "edge"
	}
	fmt.Fprintf(s.err, "%s nodes, %s %s: the graph takes up to %s, which are mapped from a file; making it takes %s of memory and %s of disk\n",
		wording.Thousands(p.Nodes), wording.Thousands(p.Lines), kind, megabytes(int64(p.File)), megabytes(int64(p.Memory)), megabytes(int64(p.Disk)))
	return nil
}

// noteEdges says how edges were read.
func (s streams) noteEdges(text string) { fmt.Fprintf(s.err, "note: %s\n", text) }

// graphHelp explains the EDGES arguments.
var graphHelp = strings.TrimSpace(`
EDGES is any number of files, folders or globs with edge lists, or one graph that
--save-graph kept; "-" is standard input. A line is two names of nodes and perhaps a
weight. In a line with a tab, tabs separate these fields, and names may have spaces; in
other lines, blanks do. A file whose name ends in .csv is CSV, with commas, semicolons, tabs
or bars. Lines that begin with # or % are comments, unless a name follows at once and the
line is an edge. A header is skipped. Other formats of graphs are refused.
Compressed files are detected from file contents. Edges lead both ways unless
--directed is given. The weights of lines with the same edge are added up; without
weights, such lines are one edge.`)
