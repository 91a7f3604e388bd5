package projection

import (
	"context"
	"math/rand/v2"
	"slices"
)

// A network is a weighted graph that communities are looked for in, as compressed sparse rows without loops.
// Its nodes are words, or groups of them.
type network struct {
	starts   []int
	ends     []int32
	weights  []float64
	strength []float64 // of each node: the sum of its edges' weights, with twice those inside of it
	total    float64   // of all strengths
}

func (g network) len() int { return len(g.strength) }

func newNetwork(f fuzzy) network {
	g := network{starts: f.starts, ends: f.ends, weights: make([]float64, len(f.weights)), strength: make([]float64, f.len())}
	for i := range f.len() {
		for e := f.starts[i]; e < f.starts[i+1]; e++ {
			g.weights[e] = float64(f.weights[e])
			g.strength[i] += g.weights[e]
		}
		g.total += g.strength[i]
	}
	return g
}

// A partition is which community each node is in, and what the strengths of a community's nodes sum up to.
type partition struct {
	of       []int32
	strength []float64
}

// singletons puts each node into a community of its own.
func (g network) singletons() partition {
	p := partition{make([]int32, g.len()), slices.Clone(g.strength)}
	for i := range p.of {
		p.of[i] = int32(i)
	}
	return p
}

// partitionOf returns the partition with these communities, whose numbers are below that of nodes.
func (g network) partitionOf(of []int32) partition {
	p := partition{of, make([]float64, g.len())}
	for i, c := range of {
		p.strength[c] += g.strength[i]
	}
	return p
}

// A tally sums up the weights of a node's edges by community.
type tally struct {
	weights []float64
	seen    []int32
}

// count tallies the edges of a node to those other nodes that counts lets pass.
func (t *tally) count(g network, p partition, node int, counts func(other int32) bool) {
	for _, c := range t.seen {
		t.weights[c] = 0
	}
	t.seen = t.seen[:0]
	for e := g.starts[node]; e < g.starts[node+1]; e++ {
		if other := g.ends[e]; counts == nil || counts(other) {
			c := p.of[other]
			if t.weights[c] == 0 {
				t.seen = append(t.seen, c)
			}
			t.weights[c] += g.weights[e]
		}
	}
}

// leiden returns communities of large modularity, with numbers from 0 in no order: the Leiden algorithm of Traag,
// Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", 2019. In the refinement, a
// node joins the best community and not a random one, as with theirs when randomness goes to 0. Resolution is
// that of Reichardt and Bornholdt 2006: more makes smaller communities.
func leiden(ctx context.Context, g network, resolution float64, seed uint64, step func(done float64)) ([]int32, error) {
	r := rand.New(rand.NewPCG(seed, 8))
	of := make([]int32, g.len()) // which node of the present network each word is in
	for i := range of {
		of[i] = int32(i)
	}
	communities := g.singletons()
	for level := 0; ; level++ {
		step(1 - 1/float64(uint64(1)<<min(level, 60)))
		if err := g.move(ctx, communities, resolution, r); err != nil {
			return nil, err
		}
		refined := g.refine(communities, resolution, r)
		renumbered, n := renumber(refined.of)
		if n == g.len() { // no node can be joined with another one
			final := make([]int32, len(of))
			for i, node := range of {
				final[i] = communities.of[node]
			}
			return final, ctx.Err()
		}
		whole, _ := renumber(communities.of)
		larger := make([]int32, n) // community of each new node
		for i, node := range renumbered {
			larger[node] = whole[i]
		}
		for i, node := range of {
			of[i] = renumbered[node]
		}
		g = g.aggregate(renumbered, n)
		communities = g.partitionOf(larger)
	}
}

// renumber gives communities, whose numbers are below that of nodes, numbers from 0, in the order in which they occur, and
// returns how many there are.
func renumber(of []int32) (renumbered []int32, n int) {
	number := make([]int32, len(of)) // plus 1
	renumbered = make([]int32, len(of))
	for i, c := range of {
		if number[c] == 0 {
			n++
			number[c] = int32(n)
		}
		renumbered[i] = number[c] - 1
	}
	return renumbered, n
}

// least is the least gain that counts, which rounding does not make, as a share of a node's strength.
const least = 1e-9

// move moves nodes to the community where modularity gains most, until none gains.
func (g network) move(ctx context.Context, p partition, resolution float64, r *rand.Rand) error {
	n := g.len()
	queue := make([]int32, 0, n)
	for _, node := range r.Perm(n) {
		queue = append(queue, int32(node))
	}
	waits := make([]bool, n)
	for i := range waits {
		waits[i] = true
	}
	t := tally{weights: make([]float64, n)}
	for done := 0; len(queue) > 0; done++ {
		if done%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		node := int(queue[0])
		queue = queue[1:]
		waits[node] = false
		t.count(g, p, node, nil)
		was := p.of[node]
		p.strength[was] -= g.strength[node]
		scale := resolution * g.strength[node] / g.total
		best, most := was, t.weights[was]-scale*p.strength[was]+least*g.strength[node]
		for _, c := range t.seen {
			if gain := t.weights[c] - scale*p.strength[c]; gain > most {
				best, most = c, gain
			}
		}
		p.strength[best] += g.strength[node]
		if best == was {
			continue
		}
		p.of[node] = best
		for _, other := range g.ends[g.starts[node]:g.starts[node+1]] {
			if p.of[other] != best && !waits[other] {
				waits[other] = true
				queue = append(queue, other)
			}
		}
	}
	return nil
}

// refine divides each community into well-connected parts: single nodes join a part of their community if both are
// well connected with the rest of it, and if modularity gains.
func (g network) refine(communities partition, resolution float64, r *rand.Rand) partition {
	n := g.len()
	parts := g.singletons()
	t := tally{weights: make([]float64, n)}
	outside := make([]float64, n) // weight of a part's edges with the rest of its community
	members := make([]int, n)
	for i := range n {
		members[i] = 1
		for e := g.starts[i]; e < g.starts[i+1]; e++ {
			if communities.of[g.ends[e]] == communities.of[i] {
				outside[i] += g.weights[e]
			}
		}
	}
	connected := func(part int32, community int32) bool {
		s := parts.strength[part]
		return outside[part] >= resolution*s*(communities.strength[community]-s)/g.total
	}
	for _, node := range r.Perm(n) {
		community, own := communities.of[node], parts.of[node]
		if members[own] != 1 || !connected(own, community) {
			continue
		}
		t.count(g, parts, node, func(other int32) bool { return communities.of[other] == community })
		scale := resolution * g.strength[node] / g.total
		best, most := own, least*g.strength[node]
		for _, c := range t.seen {
			if gain := t.weights[c] - scale*parts.strength[c]; c != own && gain > most && connected(c, community) {
				best, most = c, gain
			}
		}
		if best == own {
			continue
		}
		parts.of[node] = best
		parts.strength[best] += g.strength[node]
		parts.strength[own] -= g.strength[node]
		members[best]++
		members[own]--
		outside[best] += outside[own] - 2*t.weights[best]
		outside[own] = 0
	}
	return parts
}

// aggregate makes one node of each part.
func (g network) aggregate(of []int32, n int) network {
	starts := make([]int, n+1)
	for _, c := range of {
		starts[c+1]++
	}
	for c := range n {
		starts[c+1] += starts[c]
	}
	members, next := make([]int32, len(of)), slices.Clone(starts[:n])
	for i, c := range of {
		members[next[c]] = int32(i)
		next[c]++
	}
	to := network{starts: make([]int, 1, n+1), strength: make([]float64, n), total: g.total}
	weights, seen := make([]float64, n), []int32(nil)
	for c := range n {
		seen = seen[:0]
		for _, i := range members[starts[c]:starts[c+1]] {
			to.strength[c] += g.strength[i]
			for e := g.starts[i]; e < g.starts[i+1]; e++ {
				if other := of[g.ends[e]]; int(other) != c {
					if weights[other] == 0 {
						seen = append(seen, other)
					}
					weights[other] += g.weights[e]
				}
			}
		}
		for _, other := range seen {
			to.ends, to.weights = append(to.ends, other), append(to.weights, weights[other])
			weights[other] = 0
		}
		to.starts = append(to.starts, len(to.ends))
	}
	return to
}

// modularity returns how much more weight is inside of communities, whose numbers are below that of nodes, than
// chance would put there, as a share of all weight.
func (g network) modularity(of []int32) (q float64) {
	if g.total == 0 {
		return 0
	}
	for i, c := range of {
		for e := g.starts[i]; e < g.starts[i+1]; e++ {
			if of[g.ends[e]] == c {
				q += g.weights[e] / g.total
			}
		}
	}
	for _, s := range g.partitionOf(of).strength {
		q -= s / g.total * s / g.total
	}
	return q
}
