package graph_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
)

// read makes a graph of the lines of an edge list.
func read(t testing.TB, lines string, o graph.ReadOptions) *graph.Graph {
	t.Helper()
	o.Folder = t.TempDir()
	g, err := graph.Read(t.Context(), corpus.Stream("edges", strings.NewReader(lines), corpus.Options{}), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// step is two nodes and the one after them.
type step struct{ before, node, next int }

// steps counts the steps of walks.
func steps(t *testing.T, g *graph.Graph, o graph.WalkOptions) map[step]int {
	t.Helper()
	counts := map[step]int{}
	o.Threads = 1
	err := g.Walk(t.Context(), o, func(_ int, b corpus.Batch) error {
		first := 0
		for _, end := range b.Ends {
			walk := b.Tokens[first:end]
			for i := 2; i < len(walk); i++ {
				counts[step{int(walk[i-2]), int(walk[i-1]), int(walk[i])}]++
			}
			first = end
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// weights returns the arcs of a graph.
func weights(g *graph.Graph) map[[2]int]float64 {
	all := map[[2]int]float64{}
	for from := range g.Nodes() {
		for to, weight := range g.Neighbours(from) {
			all[[2]int{from, to}] = float64(weight)
		}
	}
	return all
}

// factor is that of node2vec by definition, or that of node2vec+.
func factor(g *graph.Graph, w map[[2]int]float64, o graph.WalkOptions, s step) float64 {
	if s.next == s.before {
		return 1 / o.P
	}
	average := func(node int) float64 {
		sum := 0.0
		for _, weight := range g.Neighbours(node) {
			sum += float64(weight)
		}
		return sum / float64(g.Degree(node))
	}
	between, ok := w[[2]int{s.before, s.next}]
	switch {
	case !o.Plus && ok:
		return 1
	case !o.Plus:
		return 1 / o.Q
	case ok && between >= average(s.next):
		return 1
	case w[[2]int{s.node, s.next}] < average(s.node):
		return min(1, 1/o.Q)
	case !ok:
		return 1 / o.Q
	default:
		return 1/o.Q + (1-1/o.Q)*between/average(s.next)
	}
}

// random lists the edges of a random graph of some nodes, with weights between 0.1 and 10.
func random(nodes int, share float64, weighted bool) string {
	var lines strings.Builder
	state := uint64(1)
	unit := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>40) / (1 << 24)
	}
	for from := range nodes {
		for to := range nodes {
			if to == from+1 || unit() < share {
				fmt.Fprintf(&lines, "n%d\tn%d", from, to)
				if weighted {
					fmt.Fprintf(&lines, "\t%.6f", math.Pow(10, 2*unit()-1))
				}
				lines.WriteByte('\n')
			}
		}
	}
	return lines.String()
}

// Walks go from node to node with the probabilities that the definitions say: the sum over all
// steps of (seen - expected)² / expected is near the number of choices.
func TestProbabilities(t *testing.T) {
	small, large := random(8, 0.3, true), random(150, 0.6, true)
	for _, c := range []struct {
		name, lines string
		directed    bool
		walks       graph.WalkOptions
	}{
		{"deepwalk", random(8, 0.3, false), false, graph.WalkOptions{}},
		{"weighted", small, false, graph.WalkOptions{}},
		{"weighted, directed", small, true, graph.WalkOptions{}},
		{"blocks of arcs", large, true, graph.WalkOptions{PerNode: 400}},
		{"node2vec", small, false, graph.WalkOptions{P: 0.5, Q: 2}},
		{"node2vec, unweighted", random(8, 0.3, false), false, graph.WalkOptions{P: 4, Q: 0.25}},
		{"node2vec, directed", small, true, graph.WalkOptions{P: 2, Q: 0.5}},
		{"always back", small, false, graph.WalkOptions{P: 0.01, Q: 1}},
		{"as good as always away", small, false, graph.WalkOptions{P: graph.MaxFactor, Q: 1 / graph.MaxFactor}},
		{"hardly ever away", small, false, graph.WalkOptions{P: 100, Q: 1000}},
		{"node2vec+", small, false, graph.WalkOptions{P: 0.5, Q: 2, Plus: true}},
		{"node2vec+, away", small, false, graph.WalkOptions{P: 3, Q: 0.2, Plus: true}},
		{"node2vec+, directed", small, true, graph.WalkOptions{P: 1, Q: 0.1, Plus: true}},
		{"node2vec+, unweighted", random(8, 0.3, false), false, graph.WalkOptions{P: 0.5, Q: 4, Plus: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := read(t, c.lines, graph.ReadOptions{Directed: c.directed})
			o := c.walks
			o.P, o.Q = max(o.P, 0), max(o.Q, 0)
			if o.P == 0 {
				o.P, o.Q = 1, 1
			}
			o.Length, o.Seed = 20, 7
			if o.PerNode == 0 {
				o.PerNode = 1_000
			}
			seen := steps(t, g, o)
			w := weights(g)
			from := map[[2]int]int{}
			for s, n := range seen {
				if w[[2]int{s.node, s.next}] == 0 {
					t.Fatalf("%v: there is no such arc", s)
				}
				from[[2]int{s.before, s.node}] += n
			}
			sum, free := 0.0, 0
			for pair, n := range from {
				masses, all := map[int]float64{}, 0.0
				for next, weight := range g.Neighbours(pair[1]) {
					masses[next] = float64(weight) * factor(g, w, o, step{pair[0], pair[1], next})
					all += masses[next]
				}
				rest, restSeen := 0.0, 0
				for _, next := range slices.Sorted(maps.Keys(masses)) {
					expected := masses[next] / all * float64(n)
					k := seen[step{pair[0], pair[1], next}]
					if expected < 5 { // too few for the test
						rest, restSeen = rest+expected, restSeen+k
						continue
					}
					sum += (float64(k) - expected) * (float64(k) - expected) / expected
					free++
				}
				if rest >= 5 {
					sum += (float64(restSeen) - rest) * (float64(restSeen) - rest) / rest
					free++
				}
				free--
			}
			if bound := float64(free) + 4*math.Sqrt(2*float64(free)); free < 10 || sum > bound {
				t.Errorf("chi-square is %.1f with %d degrees of freedom, at most %.1f was expected", sum, free, bound)
			}
		})
	}
}

// A seed's walks are the same on any number of threads, and another seed's are others.
func TestWalksOfASeed(t *testing.T) {
	for _, lines := range []string{random(40, 0.2, true), random(40, 0.2, false)} {
		g := read(t, lines, graph.ReadOptions{})
		text := func(seed uint64, threads int) string {
			var out bytes.Buffer
			stats, err := g.WriteWalks(t.Context(), &out, graph.WalkOptions{PerNode: 200, Length: 9, P: 0.5, Q: 2, Plus: true, Seed: seed, Threads: threads})
			if err != nil || stats.Walks != 8000 || stats.Nodes != 72000 {
				t.Fatalf("%+v, %v", stats, err)
			}
			return out.String()
		}
		want := text(3, 1)
		for _, threads := range []int{2, 5} {
			if text(3, threads) != want {
				t.Errorf("with %d threads the walks are others", threads)
			}
		}
		if text(4, 1) == want {
			t.Error("another seed has the same walks")
		}
		for i, line := range strings.Split(strings.TrimSpace(want), "\n") {
			if n := len(strings.Fields(line)); n != 9 {
				t.Fatalf("walk %d has %d nodes", i, n)
			}
		}
	}
}

type writer func() error

func (w writer) Write(p []byte) (int, error) { return len(p), w() }

// The end of a context is that, whatever its cause, and nothing if all was written before.
func TestWritingWalksEnds(t *testing.T) {
	g := read(t, random(40, 0.2, false), graph.ReadOptions{})
	broken := errors.New("broken")
	for _, threads := range []int{1, 4} {
		for perNode, want := range map[int]error{1000: context.Canceled, 1: nil} {
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			ends := writer(func() error { end(broken); return nil })
			if _, err := g.WriteWalks(ctx, ends, graph.WalkOptions{PerNode: perNode, Threads: threads}); !errors.Is(err, want) {
				t.Errorf("with %d threads: %v, want %v", threads, err, want)
			}
		}
		fails := writer(func() error { return broken })
		if _, err := g.WriteWalks(t.Context(), fails, graph.WalkOptions{PerNode: 1000, Threads: threads}); !errors.Is(err, broken) {
			t.Errorf("with %d threads: %v, want the writer's error", threads, err)
		}
	}
}

// Each round begins a walk at each node.
func TestEveryNodeBeginsWalks(t *testing.T) {
	g := read(t, random(1500, 0.002, false), graph.ReadOptions{Directed: true})
	begun := make([]int, g.Nodes())
	var first []int
	err := g.Walk(t.Context(), graph.WalkOptions{PerNode: 3, Length: 2, Threads: 1}, func(_ int, b corpus.Batch) error {
		at := 0
		for _, end := range b.Ends {
			begun[b.Tokens[at]]++
			first = append(first, int(b.Tokens[at]))
			at = end
		}
		return nil
	})
	if err != nil || slices.Min(begun) != 3 || slices.Max(begun) != 3 {
		t.Errorf("between %d and %d walks begin at a node, %v", slices.Min(begun), slices.Max(begun), err)
	}
	if slices.Equal(first[:1500], first[1500:3000]) || slices.IsSorted(first[:1500]) {
		t.Error("rounds are in the same order")
	}
}

// A walk ends at a node that no arc leaves.
func TestDeadEnds(t *testing.T) {
	g := read(t, "a b\nb c\n", graph.ReadOptions{Directed: true})
	var out bytes.Buffer
	if _, err := g.WriteWalks(t.Context(), &out, graph.WalkOptions{PerNode: 1, Length: 5, P: 2}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(lines)
	if want := []string{"a b c", "b c", "c"}; !slices.Equal(lines, want) {
		t.Errorf("walks %q, want %q", lines, want)
	}
}

func TestInterruptedWalks(t *testing.T) {
	g := read(t, "a b\n", graph.ReadOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	err := g.Walk(ctx, graph.WalkOptions{PerNode: 1 << 20}, func(int, corpus.Batch) error { cancel(); return nil })
	if err != context.Canceled {
		t.Errorf("an interrupted walk: %v", err)
	}
}

// The least P takes every walk back, whatever the weights are.
func TestLeastP(t *testing.T) {
	g := read(t, "a b 1\na c 1.6e38\nb c 1.2e-38\nb d 7\n", graph.ReadOptions{})
	o := graph.WalkOptions{PerNode: 100, Length: 6, P: 1 / graph.MaxFactor, Q: graph.MaxFactor}
	err := g.Walk(t.Context(), o, func(_ int, b corpus.Batch) error {
		for at := 0; at < len(b.Tokens); at += o.Length {
			for i := 2; i < o.Length; i++ {
				if b.Tokens[at+i] != b.Tokens[at+i-2] {
					return fmt.Errorf("the walk %v does not go back", b.Tokens[at:at+o.Length])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestInvalidWalks(t *testing.T) {
	g := read(t, "a b\n", graph.ReadOptions{})
	for _, c := range []struct {
		o    graph.WalkOptions
		want string
	}{
		{graph.WalkOptions{P: -1}, "walks: P is -1, must be above 0"},
		{graph.WalkOptions{Q: math.NaN()}, "walks: Q is NaN, must be above 0"},
		{graph.WalkOptions{P: 1e-310}, "walks: P is 1e-310, must be from 1e-100 to 1e+100"},
		{graph.WalkOptions{Q: 1e101}, "walks: Q is 1e+101, must be from 1e-100 to 1e+100"},
		{graph.WalkOptions{Q: math.Inf(1)}, "walks: Q is +Inf, must be from 1e-100 to 1e+100"},
		{graph.WalkOptions{Length: 1<<16 + 1}, "walks: Length is 65537, at most 65536 is possible"},
		{graph.WalkOptions{PerNode: 1<<24 + 1}, "walks: PerNode is 16777217, at most 16777216 is possible"},
		{graph.WalkOptions{Length: -1}, "walks: Length is -1, must not be negative"},
	} {
		if err := g.Walk(t.Context(), c.o, nil); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a nil function did not panic in the caller's goroutine")
		}
	}()
	_ = g.Walk(t.Context(), graph.WalkOptions{}, nil)
}
