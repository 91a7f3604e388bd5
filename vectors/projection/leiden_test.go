package projection

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// graphOf returns a network of n nodes with these edges, of weight 1.
func graphOf(n int, edges [][2]int) network {
	f := fuzzy{starts: []int{0}}
	for i := range n {
		for _, e := range edges {
			switch i {
			case e[0]:
				f.add(int32(e[1]), 1)
			case e[1]:
				f.add(int32(e[0]), 1)
			}
		}
		f.starts = append(f.starts, len(f.ends))
	}
	return newNetwork(f)
}

// cliques returns the edges of a ring of cliques, each joined to the next by one edge.
func cliques(n, size int) (edges [][2]int) {
	for c := range n {
		for i := range size {
			for j := range i {
				edges = append(edges, [2]int{c*size + j, c*size + i})
			}
		}
		edges = append(edges, [2]int{c * size, (c+1)%n*size + 1})
	}
	return edges
}

func find(t *testing.T, g network, resolution float64, seed uint64) []int32 {
	t.Helper()
	of, err := leiden(context.Background(), g, resolution, seed, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	of, _ = renumber(of)
	return of
}

// Cliques are the communities of a ring of cliques, whatever the seed.
func TestLeidenFindsCliques(t *testing.T) {
	const n, size = 8, 6
	g := graphOf(n*size, cliques(n, size))
	for seed := range uint64(20) {
		of := find(t, g, 1, seed)
		for i, c := range of {
			if int(c) != i/size {
				t.Fatalf("seed %d: communities %v", seed, of)
			}
		}
	}
	// With edges of which a share 15/16 is inside of eight equal communities:
	want := 15.0/16 - 1.0/8
	if got := g.modularity(find(t, g, 1, 1)); math.Abs(got-want) > 1e-12 {
		t.Errorf("modularity %v, want %v", got, want)
	}
}

// Resolution makes more communities, or fewer.
func TestResolution(t *testing.T) {
	const n, size = 8, 6
	g := graphOf(n*size, cliques(n, size))
	for _, c := range []struct {
		resolution float64
		least      int
		most       int
	}{{0.01, 1, 1}, {0.2, 2, 7}, {1, n, n}, {100, n * size, n * size}} {
		_, got := renumber(find(t, g, c.resolution, 1))
		if got < c.least || got > c.most {
			t.Errorf("resolution %v: %d communities, want %d to %d", c.resolution, got, c.least, c.most)
		}
	}
}

// No community has parts without an edge between them, and no two communities would be better as one: both is what Leiden
// guarantees.
func TestCommunitiesAreConnectedAndSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const n = 300
	var edges [][2]int
	for i := range n {
		for range 3 {
			if j := r.IntN(n); j < i {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	g := graphOf(n, edges)
	for seed := range uint64(5) {
		of := find(t, g, 1, seed)
		reached := make([]bool, n)
		begun := map[int32]bool{}
		for i := range n {
			if reached[i] {
				continue
			}
			if begun[of[i]] {
				t.Fatalf("seed %d: community %d is in several parts", seed, of[i])
			}
			begun[of[i]], reached[i] = true, true
			for stack := []int{i}; len(stack) > 0; {
				at := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				for _, j := range g.ends[g.starts[at]:g.starts[at+1]] {
					if of[j] == of[at] && !reached[j] {
						reached[j] = true
						stack = append(stack, int(j))
					}
				}
			}
		}
		_, communities := renumber(of)
		best := g.modularity(of)
		for a := range int32(communities) {
			for b := range a {
				joined := slices.Clone(of)
				for i, c := range joined {
					if c == a {
						joined[i] = b
					}
				}
				if q := g.modularity(joined); q > best+1e-9 {
					t.Fatalf("seed %d: communities %d and %d would be better as one: %v, not %v", seed, a, b, q, best)
				}
			}
		}
	}
}

func TestLeidenOfNoEdges(t *testing.T) {
	g := graphOf(3, nil)
	if of := find(t, g, 1, 1); !slices.Equal(of, []int32{0, 1, 2}) || g.modularity(of) != 0 {
		t.Errorf("communities %v of modularity %v", of, g.modularity(of))
	}
}
