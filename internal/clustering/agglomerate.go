package clustering

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Union joins two clusters. A cluster has the number of its first item.
type Union struct {
	A, B int // A < B; the union has the number A
	Cost float64
}

// Agglomerate joins clusters until one is left, and returns the unions in the order of their costs. It follows chains of
// nearest neighbours to two that are each other's nearest, which takes O(n²) time (Murtagh 1983). It changes sizes, which are
// those of the clusters, and costs, which are those of joining two of them. The cost of joining the union of a and b with
// another cluster i is join(a, b, i), by which any three clusters must keep the least cost of the three least.
func Agglomerate(ctx context.Context, sizes []float64, costs [][]float64, join func(a, b, i int) float64) ([]Union, error) {
	var unions []Union
	var left, chain []int
	for i := range sizes {
		left = append(left, i)
	}
	for len(left) > 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(chain) == 0 {
			chain = append(chain, left[0])
		}
		last := chain[len(chain)-1]
		nearest, least := -1, math.Inf(1)
		if len(chain) > 1 { // which equally near clusters do not replace: the chain ends
			nearest = chain[len(chain)-2]
			least = costs[last][nearest]
		}
		for _, i := range left {
			if i != last && (nearest < 0 || costs[last][i] < least) {
				nearest, least = i, costs[last][i]
			}
		}
		if len(chain) < 2 || nearest != chain[len(chain)-2] {
			chain = append(chain, nearest)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(last, nearest), max(last, nearest)
		unions = append(unions, Union{a, b, least})
		left = slices.DeleteFunc(left, func(i int) bool { return i == b })
		for _, i := range left {
			if i != a {
				cost := join(a, b, i)
				costs[a][i], costs[i][a] = cost, cost
			}
		}
		sizes[a] += sizes[b]
	}
	slices.SortStableFunc(unions, func(x, y Union) int { return cmp.Compare(x.Cost, y.Cost) })
	return unions, nil
}
