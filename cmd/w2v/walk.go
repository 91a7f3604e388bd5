package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
)

type walkCommand struct {
	graphFlags
	output, save, cache string
	progress            string
	json                bool
}

func newWalk(s streams) *cobra.Command {
	var f walkCommand
	c := command("walk", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` for the walks; .jsonl makes each a JSON array, in which names may have spaces; .gz or .zst compresses it (default: standard output)")
	f.add(c, func() bool { return true })
	flags.Uint64Var(&f.walks.Seed, "seed", 1, "seed of the walks")
	flags.IntVar(&f.walks.Threads, "threads", 0, "number of workers; 0 means one for each core")
	limit(flags, 0, math.Inf(1), "threads")
	flags.StringVar(&f.save, "save-graph", "", "keep the graph in `FILE`, so that its edges need not be read again; without --output, no walks are written")
	flags.StringVar(&f.cache, "cache", "", "`folder` for temporary files, up to 36 bytes an edge (default: the system's folder for temporary files)")
	addProgress(flags, &f.progress)
	addJSON(c, &f.json)
	return c
}

func (f *walkCommand) run(c *cobra.Command, s streams, args []string) (err error) {
	if f.json && f.output == "" && f.save == "" {
		return misuse(errors.New("--json needs --output FILE: the walks go to standard output otherwise"))
	}
	for _, path := range []string{f.output, f.save} {
		if path == "" {
			continue
		}
		if err := atomicfile.Check(path); err != nil {
			return err
		}
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	begin := time.Now()
	g, err := graph.Load(ctx, args, s.in, graph.ReadOptions{
		Directed: f.directed, Output: f.save, Folder: f.cache, Threads: f.walks.Threads, Planned: s.planned, Note: s.noteEdges,
		Progress: func(edges uint64) { report.count(edges, "reading: %.1f M edges") },
	})
	report.countingDone()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	sum := walkSummary{Nodes: g.Nodes(), Edges: g.Edges(), Directed: g.Directed(), Weighted: g.Weighted(), GraphBytes: g.Bytes(), Reading: time.Since(begin).Seconds(), Graph: f.save, Output: f.output}
	if f.save == "" || f.output != "" {
		if err := f.walk(ctx, s, g, report, &sum); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.err, "a graph of %s and %s, read in %.1f s: %s\n",
		wording.Count(sum.Nodes, "node", "nodes"), wording.Count(sum.Edges, "edge", "edges"), sum.Reading, megabytes(int64(sum.GraphBytes)))
	if sum.Walks > 0 {
		fmt.Fprintf(s.err, "%s of %s in %.1f s (%.2f M/s)\n", wording.Count(sum.Walks, "walk", "walks"), wording.Count(sum.Steps, "node", "nodes"), sum.Walking, float64(sum.Steps)/1e6/max(sum.Walking, 1e-9))
	}
	if f.json {
		return printJSON(s.out, sum)
	}
	return nil
}

func (f *walkCommand) walk(ctx context.Context, s streams, g *graph.Graph, report *reporter, sum *walkSummary) error {
	o := f.walks
	o.Arrays = strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(f.output, ".gz"), ".zst"), ".jsonl")
	o.Progress = func(nodes uint64) { report.count(nodes, "walking: %.1f M nodes") }
	return writeText(s, f.output, func(w io.Writer) error {
		stats, err := g.WriteWalks(ctx, w, o)
		if e, ok := errors.AsType[*graph.NameError](err); ok && !e.Arrays {
			err = fmt.Errorf("%w: -o walks.jsonl writes arrays, which train --json-field . reads, and train --graph needs no file", err)
		}
		report.countingDone()
		sum.Walks, sum.Steps, sum.Walking = stats.Walks, stats.Nodes, stats.Took.Seconds()
		return err
	})
}

type walkSummary struct {
	Nodes      int     `json:"nodes"`
	Edges      uint64  `json:"edges"`
	Directed   bool    `json:"directed"`
	Weighted   bool    `json:"weighted"`
	GraphBytes uint64  `json:"graph_bytes"`
	Reading    float64 `json:"reading_seconds"`
	Walks      uint64  `json:"walks"`
	Steps      uint64  `json:"tokens"`
	Walking    float64 `json:"walking_seconds"`
	Graph      string  `json:"graph,omitempty"`
	Output     string  `json:"output,omitempty"`
}

type graphFlags struct {
	walks    graph.WalkOptions
	directed bool
}

// add adds the flags. given tells whether there is a graph, which needs describes.
func (f *graphFlags) add(c *cobra.Command, given func() bool) {
	flags := c.Flags()
	flags.BoolVar(&f.directed, "directed", false, "an edge leads from its first node to its second only")
	flags.IntVar(&f.walks.PerNode, "walks", graph.DefaultPerNode, "walks that begin at each node")
	flags.IntVar(&f.walks.Length, "walk-length", graph.DefaultLength, "nodes in a walk")
	limit(flags, 1, graph.MaxPerNode, "walks")
	limit(flags, 1, graph.MaxLength, "walk-length")
	flags.Float64Var(&f.walks.P, "p", 1, "divide the weight of the way back by `P` (node2vec)")
	flags.Float64Var(&f.walks.Q, "q", 1, "divide the weights of ways to nodes that are not neighbours of the node before by `Q` (node2vec)")
	flags.BoolVar(&f.walks.Plus, "plus", false, "weak edges count less as those of neighbours (node2vec+, for weighted graphs)")
	checked(c, func([]string) error {
		const most = graph.MaxFactor
		switch o := f.walks; {
		case !given():
			return refuse(flags, "--%s needs --graph", "directed", "walks", "walk-length", "p", "q", "plus", "fresh-walks")
		case !(1/most <= o.P && o.P <= most):
			return fmt.Errorf("--p must be above 0, from %v to %v, is %v", 1/most, most, o.P)
		case !(1/most <= o.Q && o.Q <= most):
			return fmt.Errorf("--q must be above 0, from %v to %v, is %v", 1/most, most, o.Q)
		case o.Plus && o.P == 1 && o.Q == 1:
			return errors.New("--plus changes nothing with --p 1 --q 1: give one of them")
		default:
			return o.Validate()
		}
	})
}

func (s streams) planned(p graph.Plan) error {
	fmt.Fprintf(s.err, "%s nodes, %s: the graph takes up to %s, which are mapped from a file; making it takes %s of memory and %s of disk\n",
		wording.Thousands(p.Nodes), wording.Count(p.Lines, "edge", "edges"), megabytes(int64(p.File)), megabytes(int64(p.Memory)), megabytes(int64(p.Disk)))
	return nil
}

func (s streams) noteEdges(text string) { s.note(text) }

type kmerFlags struct{ kmers.Options }

// add adds the flags. given tells whether there are k-mers.
func (f *kmerFlags) add(c *cobra.Command, given func() bool) {
	flags := c.Flags()
	f.Alphabet = kmers.DNA
	flags.IntVar(&f.Stride, "stride", 1, "letters from one k-mer to the next")
	limit(flags, 1, math.Inf(1), "stride")
	addEnum(flags, (*string)(&f.Alphabet), "alphabet", "letters of the sequences", []choice{
		{string(kmers.DNA), "DNA; U of RNA is T"},
		{string(kmers.Protein), "amino acids"},
	})
	flags.BoolVar(&f.Canonical, "canonical", false, "of a k-mer and its reverse complement, take the one that is first by the alphabet (DNA only)")
	flags.BoolVar(&f.Join, "join", false, "go on in the same sentence behind N and other ambiguous letters")
	checked(c, func([]string) error {
		switch {
		case !given():
			return refuse(flags, "--%s needs --kmers K", "stride", "alphabet", "canonical", "join")
		case f.Canonical && f.Alphabet == kmers.Protein:
			return errors.New("--canonical needs --alphabet dna: proteins have no strands")
		}
		return nil
	})
}

// noteKmers says what was in sequences, and what was left out.
func (s streams) noteKmers(name string, sum kmers.Stats) {
	fmt.Fprintf(s.err, "%s: %s k-mers of %s records, %s letters\n", name, wording.Thousands(sum.Kmers), wording.Thousands(sum.Records), wording.Thousands(sum.Letters))
	s.noteIf(sum.Ambiguous > 0, "%s: %s letters are ambiguous, such as N, and in no k-mer", name, wording.Thousands(sum.Ambiguous))
	s.noteIf(sum.Short > 0, "%s: %s records have no k-mer, because they are too short", name, wording.Thousands(sum.Short))
}

func newKmers(s streams) *cobra.Command {
	var f kmerFlags
	var output string
	var asJSON bool
	c := command("kmers", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if asJSON && output == "" {
			return misuse(errors.New("--json needs --output FILE: the k-mers go to standard output otherwise"))
		}
		source, err := corpus.Files(args, s.in, corpus.Options{})
		if err != nil {
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		var sum kmers.Stats
		err = writeText(s, output, func(w io.Writer) (err error) {
			sum, err = kmers.Write(ctx, w, source, f.Options)
			return err
		})
		if err != nil {
			return err
		}
		s.noteKmers(source.Name(), sum)
		if asJSON {
			return printJSON(s.out, sum)
		}
		return nil
	})
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the k-mers; .gz or .zst compresses it (default: standard output)")
	c.Flags().IntVarP(&f.K, "k", "k", 6, "letters of a k-mer")
	limit(c.Flags(), 1, kmers.MaxK, "k")
	f.add(c, func() bool { return true })
	addJSON(c, &asJSON)
	return c
}
