package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/lab/machine"
)

// speed reads an edge list, and measures memory and the speed of walks, also of a plain walker.
func speed(out io.Writer, args []string) error {
	flags := flag.NewFlagSet("speed", flag.ContinueOnError)
	path := flags.String("edges", "", "edge list, or a graph that was kept")
	keep := flags.String("keep", "", "file to keep the graph in")
	folder := flags.String("folder", "", "folder for temporary files")
	threads := flags.Int("threads", runtime.GOMAXPROCS(0), "workers")
	length := flags.Int("length", 80, "nodes in a walk")
	perNode := flags.Int("walks", 1, "walks from each node")
	if err := flags.Parse(args); err != nil {
		return err
	}
	debug.SetGCPercent(25) // as the program does
	ctx := context.Background()
	start := time.Now()
	g, err := open(ctx, *path, *keep, *folder)
	if err != nil {
		return err
	}
	defer g.Close()
	reading := sysinfo.PeakMemory()
	debug.FreeOSMemory() // as the program does
	node := 0
	for i := range g.Nodes() {
		if g.Degree(i) > g.Degree(node) {
			node = i
		}
	}
	fmt.Fprintf(out, "%s\n", machine.Describe())
	fmt.Fprintf(out, "graph: %d nodes, %d edges (%d lines), %d arcs, largest degree %d (%s), weighted %t, %.1f s\n",
		g.Nodes(), g.Edges(), g.Lines(), g.Arcs(), g.Degree(node), g.Name(node), g.Weighted(), time.Since(start).Seconds())
	each := func(bytes uint64) float64 { return float64(bytes) / float64(g.Lines()) }
	fmt.Fprintf(out, "bytes for each edge read: %.2f of the file, %.2f resident at most until it was made\n", each(g.Bytes()), each(reading))
	for _, c := range []struct {
		name string
		o    graph.WalkOptions
	}{
		{"first order", graph.WalkOptions{}},
		{"node2vec p 0.5 q 2", graph.WalkOptions{P: 0.5, Q: 2}},
		{"node2vec p 0.25 q 0.25", graph.WalkOptions{P: 0.25, Q: 0.25}},
		{"node2vec+ p 0.5 q 2", graph.WalkOptions{P: 0.5, Q: 2, Plus: true}},
	} {
		c.o.Length, c.o.PerNode, c.o.Threads, c.o.Seed = *length, *perNode, *threads, 1
		begin, cpu, nodes := time.Now(), sysinfo.CPUTime(), make([]int, *threads)
		err := g.Walk(ctx, c.o, func(worker int, b corpus.Batch) error { nodes[worker] += len(b.Tokens); return nil })
		if err != nil {
			return err
		}
		total := 0
		for _, n := range nodes {
			total += n
		}
		report(out, c.name, total, begin, cpu)
	}
	fmt.Fprintf(out, "bytes for each edge read: %.2f resident at most, with all walks\n", each(sysinfo.PeakMemory()))
	plain(out, g, *length, *threads)
	return nil
}

// report prints a speed, also for a second of one processor, which other work changes less.
func report(out io.Writer, name string, steps int, begin time.Time, cpu time.Duration) {
	fmt.Fprintf(out, "%-24s %8.2f M steps/s, %8.2f M steps/s of a processor\n", name,
		float64(steps)/1e6/time.Since(begin).Seconds(), float64(steps)/1e6/(sysinfo.CPUTime()-cpu).Seconds())
}

func open(ctx context.Context, path, keep, folder string) (*graph.Graph, error) {
	if path == "" {
		return nil, errors.New("-edges says what to walk on")
	}
	if graph.IsGraph(path) {
		return graph.Open(path)
	}
	source, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return graph.Read(ctx, source, graph.ReadOptions{Output: keep, Folder: folder, Planned: func(p graph.Plan) error {
		fmt.Fprintf(os.Stderr, "planned: %+v\n", p)
		return nil
	}})
}

// A plainGraph is what a Go program would write first: slices of neighbours and of cumulative
// weights for each node.
type plainGraph struct {
	to  [][]uint32
	sum [][]float64
}

// plain measures a walker that goes walk by walk, with a binary search among cumulative weights.
// Second order is by rejection too, with a binary search for the edge.
func plain(out io.Writer, g *graph.Graph, length, threads int) {
	p := plainGraph{make([][]uint32, g.Nodes()), make([][]float64, g.Nodes())}
	for node := range g.Nodes() {
		p.to[node], p.sum[node] = make([]uint32, 0, g.Degree(node)), make([]float64, 0, g.Degree(node))
		sum := 0.0
		for to, weight := range g.Neighbours(node) {
			sum += float64(weight)
			p.to[node], p.sum[node] = append(p.to[node], uint32(to)), append(p.sum[node], sum)
		}
	}
	for _, c := range []struct {
		name string
		p, q float64
	}{{"plain, first order", 1, 1}, {"plain, p 0.5 q 2", 0.5, 2}} {
		begin, cpu, steps := time.Now(), sysinfo.CPUTime(), make(chan int)
		for worker := range threads {
			go func() { steps <- p.walk(worker, threads, length, c.p, c.q) }()
		}
		total := 0
		for range threads {
			total += <-steps
		}
		report(out, c.name, total, begin, cpu)
	}
}

func (g *plainGraph) walk(worker, workers, length int, p, q float64) (steps int) {
	random := rand.New(rand.NewPCG(1, uint64(worker)))
	for start := worker; start < len(g.to); start += workers {
		walk := []uint32{uint32(start)}
		for len(walk) < length {
			node := walk[len(walk)-1]
			if len(g.to[node]) == 0 {
				break
			}
			walk = append(walk, g.next(random, walk, node, p, q))
		}
		steps += len(walk)
	}
	return steps
}

func (g *plainGraph) next(random *rand.Rand, walk []uint32, node uint32, p, q float64) uint32 {
	to, sum := g.to[node], g.sum[node]
	for {
		at := sort.SearchFloat64s(sum, random.Float64()*sum[len(sum)-1])
		next := to[min(at, len(to)-1)]
		if len(walk) < 2 || p == 1 && q == 1 {
			return next
		}
		before := walk[len(walk)-2]
		factor := 1 / q
		if next == before {
			factor = 1 / p
		} else if i := sort.Search(len(g.to[before]), func(i int) bool { return g.to[before][i] >= next }); i < len(g.to[before]) && g.to[before][i] == next {
			factor = 1
		}
		if random.Float64()*max(1, 1/p, 1/q) < factor {
			return next
		}
	}
}

// commandList names the commands.
func commandList(commands map[string]func(io.Writer, []string) error) string {
	var names []string
	for name := range commands {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
