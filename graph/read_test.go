package graph_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
)

// arcs lists the arcs of a graph by names.
func arcs(g *graph.Graph) map[string]float32 {
	all := map[string]float32{}
	for from := range g.Nodes() {
		for to, weight := range g.Neighbours(from) {
			all[g.Name(from)+" "+g.Name(to)] = weight
		}
	}
	return all
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		directed    bool
		edges       uint64
		want        map[string]float32
	}{
		{"edges lead both ways", "a b\nb c\n", false, 2, map[string]float32{"a b": 1, "b a": 1, "b c": 1, "c b": 1}},
		{"directed", "a b\nb a\nb c\n", true, 3, map[string]float32{"a b": 1, "b a": 1, "b c": 1}},
		{"an edge on several lines is one", "a b\nb a\na b\n", false, 1, map[string]float32{"a b": 1, "b a": 1}},
		{"weights are added up", "a b 1\nb a 0.5\nb c 8\n", false, 2, map[string]float32{"a b": 1.5, "b a": 1.5, "b c": 8, "c b": 8}},
		{"weights of directed edges", "a b 1\nb a 0.5\na b 3\n", true, 2, map[string]float32{"a b": 4, "b a": 0.5}},
		{"a node to itself", "a a 2\na b 1\n", false, 2, map[string]float32{"a a": 2, "a b": 1, "b a": 1}},
		{"whole weights are exact", "a b 131071\nb c 1\n", true, 2, map[string]float32{"a b": 131071, "b c": 1}},
		{"one weight", "a b 3\nb c 3\n", true, 2, map[string]float32{"a b": 3, "b c": 3}},
	} {
		for _, memory := range []int{0, 1} { // all at once, or a bucket for each node
			g := read(t, c.lines, graph.ReadOptions{Directed: c.directed, Memory: memory})
			if got := arcs(g); !maps.Equal(got, c.want) || g.Edges() != c.edges || g.Arcs() != uint64(len(c.want)) || g.Directed() != c.directed {
				t.Errorf("%s: %v, %d edges and %d arcs; want %v, %d", c.name, got, g.Edges(), g.Arcs(), c.want, c.edges)
			}
			for from := range g.Nodes() {
				for to := range g.Nodes() {
					weight, ok := g.Weight(from, to)
					if want, is := c.want[g.Name(from)+" "+g.Name(to)]; weight != want || ok != is {
						t.Errorf("%s: between %s and %s there is %v, %t", c.name, g.Name(from), g.Name(to), weight, ok)
					}
				}
			}
		}
	}
}

// Names with spaces go into walks as JSON arrays, and not between spaces.
func TestNamesWithSpaces(t *testing.T) {
	var notes []string
	g := read(t, "user0\tProduct 9\n", graph.ReadOptions{Note: func(text string) { notes = append(notes, text) }})
	var out strings.Builder
	o := graph.WalkOptions{PerNode: 1, Length: 3}
	_, err := g.WriteWalks(t.Context(), &out, o)
	if e, ok := errors.AsType[*graph.NameError](err); !ok || e.Name != "Product 9" || out.Len() > 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
	o.Arrays = true
	_, err = g.WriteWalks(t.Context(), &out, o)
	if lines := strings.Split(out.String(), "\n"); err != nil || !slices.Contains(lines, `["user0","Product 9","user0"]`) {
		t.Errorf("%q, %v", lines, err)
	}
	if want := `1 of 2 nodes has a blank in the name, as "Product 9" has`; len(notes) != 1 || notes[0] != want {
		t.Errorf("%q, want %q", notes, want)
	}
	g = read(t, "caf\xe9 b\n", graph.ReadOptions{})
	if _, err := g.WriteWalks(t.Context(), &out, o); err == nil {
		t.Error("JSON of bytes that are not UTF-8")
	}
}

// Weights of any size are stored with an error of 2^-17 of them at most.
func TestWeightsAreNearlyExact(t *testing.T) {
	var lines strings.Builder
	want := map[string]float64{}
	for i := range 5000 {
		weight := math.Exp(math.Sin(float64(i))*80) * (1 + float64(i)/5000)
		fmt.Fprintf(&lines, "n%d n%d %g\n", i, (i*7+1)%5000, weight)
		want[fmt.Sprintf("n%d n%d", i, (i*7+1)%5000)] = weight
	}
	g := read(t, lines.String(), graph.ReadOptions{Directed: true, Memory: 1 << 16, Threads: 3})
	for arc, weight := range arcs(g) {
		if e := math.Abs(float64(weight)/want[arc] - 1); e > 0x1.01p-17 {
			t.Fatalf("%s: %g instead of %g", arc, weight, want[arc])
		}
	}
}

// A graph that is kept is the same when it is opened, and nothing is left of a run that fails.
func TestKeptGraph(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.graph")
	g := read(t, "a b 1\nb c 2.5\n", graph.ReadOptions{Output: path})
	again, err := graph.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !maps.Equal(arcs(g), arcs(again)) || again.Lines() != 2 || !again.Weighted() || !graph.IsGraph(path) {
		t.Errorf("%v, kept as %v", arcs(g), arcs(again))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if uint64(len(text)) != again.Bytes() {
		t.Errorf("%d bytes, and Bytes says %d", len(text), again.Bytes())
	}
	for at := range text {
		damaged := append([]byte(nil), text...)
		damaged[at] ^= 0x10
		bad := filepath.Join(dir, "bad.graph")
		if err := os.WriteFile(bad, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if g, err := graph.Open(bad); err == nil || !strings.HasPrefix(err.Error(), bad+": ") {
			t.Errorf("byte %d is damaged: %v", at, err)
			_ = g.Close()
		}
		if at%7 == 0 {
			if err := os.WriteFile(bad, text[:at], 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := graph.Open(bad); err == nil {
				t.Errorf("cut at %d, there is no error", at)
			}
		}
	}
	source := corpus.Stream("x", strings.NewReader("a b\nc\n"), corpus.Options{})
	if _, err := graph.Read(t.Context(), source, graph.ReadOptions{Folder: dir, Output: filepath.Join(dir, "y.graph")}); err == nil {
		t.Error("half an edge is not an error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
		t.Errorf("%v are left", left)
	}
}

func TestReadFails(t *testing.T) {
	stream := func(text string) *corpus.Source {
		return corpus.Stream("edges", strings.NewReader(text), corpus.Options{})
	}
	stop := errors.New("enough")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		name, lines string
		ctx         context.Context
		o           graph.ReadOptions
		want        string
	}{
		{"no edge", "#\n", t.Context(), graph.ReadOptions{}, "edges: there is no edge in it"},
		{"a malformed one", "a b\nc\n", t.Context(), graph.ReadOptions{}, "edges:2: there is one field: an edge is two names of nodes, and perhaps a weight"},
		{"weights that appear", "a b\nb c 1\n", t.Context(), graph.ReadOptions{}, "edges:2: the edge has a weight, and those before have none"},
		{"no folder", "a b\n", t.Context(), graph.ReadOptions{Folder: filepath.Join(t.TempDir(), "none")}, "no such file or directory"},
		{"negative threads", "a b\n", t.Context(), graph.ReadOptions{Threads: -1}, "graph: Threads and Memory must not be negative, are -1 and 0"},
		{"stopped", "a b\n", t.Context(), graph.ReadOptions{Planned: func(p graph.Plan) error {
			if p.Nodes != 2 || p.Lines != 1 || p.Arcs != 2 || p.File == 0 {
				t.Errorf("the plan %+v", p)
			}
			return stop
		}}, "enough"},
		{"interrupted", "a b\n", ended, graph.ReadOptions{}, "context canceled"},
		{"too heavy together", "a b 1.5e38\na c 1.5e38\n", t.Context(), graph.ReadOptions{}, `the weights of the edges at "a" add up to 3.0000000054977558e+38, which is too much`},
		{"too heavy", "a b 1.5e38\na b 1.5e38\n", t.Context(), graph.ReadOptions{}, `the weights of the edge from "a" to "b" add up to 3.0000000054977558e+38, which is too much`},
	} {
		if _, err := graph.Read(c.ctx, stream(c.lines), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Whatever is in a file, opening and walking does not go wrong in another way than by an error.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "x.graph")
	source := corpus.Stream("x", strings.NewReader("a b 1\nb c 2.5\n"), corpus.Options{})
	g, err := graph.Read(context.Background(), source, graph.ReadOptions{Output: path})
	if err != nil {
		f.Fatal(err)
	}
	if err := g.Close(); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 8 { // with a right sum, so that what is behind it is tried
			binary.NativeEndian.PutUint64(text[len(text)-8:], uint64(graph.Sum(text[:len(text)-8])))
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := graph.Open(path)
		if err != nil {
			return
		}
		defer g.Close()
		o := graph.WalkOptions{Length: 5, PerNode: 1, P: 0.1, Q: 3, Plus: true}
		if err := g.Walk(t.Context(), o, func(int, corpus.Batch) error { return nil }); err != nil {
			t.Fatal(err)
		}
	})
}
