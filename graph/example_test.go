package graph_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/graph"
)

func Example() {
	edges := corpus.Stream("edges", strings.NewReader("ann bob\nbob cay\ncay dan\n"), corpus.Options{})
	g, err := graph.Read(context.Background(), edges, graph.ReadOptions{Directed: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	fmt.Println(g.Nodes(), "nodes and", g.Edges(), "edges")
	stats, err := g.WriteWalks(context.Background(), os.Stdout, graph.WalkOptions{PerNode: 1, Length: 3, Seed: 1})
	fmt.Println(stats.Walks, err)
	// Output:
	// 4 nodes and 3 edges
	// cay dan
	// dan
	// ann bob cay
	// bob cay dan
	// 4 <nil>
}
