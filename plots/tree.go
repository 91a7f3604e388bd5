package plots

import (
	"cmp"
	"math"
	"slices"
)

// A join is two clusters that become one. Single items have the numbers from 0, and the i-th join
// that of all items plus i.
type join struct {
	a, b   int
	height float64
}

// average joins items by average linkage (Sokal and Michener 1958): again and again the two clusters
// whose items have the smallest mean distance. It follows chains of nearest neighbours, which takes
// a time of n² (Murtagh 1983). The joins are in the order of their heights.
func average(distance func(i, k int) float64, n int) []join {
	d := make([][]float64, n) // of clusters, each under the number of one of its items
	for i := range d {
		d[i] = make([]float64, n)
		for k := range d[i] {
			d[i][k] = distance(i, k)
		}
	}
	size := make([]float64, n)
	for i := range size {
		size[i] = 1
	}
	type merge struct {
		a, b   int // items that stand for the clusters
		height float64
	}
	var merges []merge
	var chain []int
	for len(merges) < n-1 {
		if len(chain) == 0 {
			for i, s := range size {
				if s > 0 {
					chain = append(chain, i)
					break
				}
			}
		}
		last := chain[len(chain)-1]
		best, least := -1, math.Inf(1)
		if len(chain) > 1 { // of equal distances the way back counts, or the chain would not end
			best = chain[len(chain)-2]
			least = d[last][best]
		}
		for k, s := range size {
			if s > 0 && k != last && d[last][k] < least {
				best, least = k, d[last][k]
			}
		}
		if len(chain) < 2 || best != chain[len(chain)-2] {
			chain = append(chain, best)
			continue
		}
		chain = chain[:len(chain)-2]
		into, gone := min(last, best), max(last, best)
		merges = append(merges, merge{into, gone, least})
		for k, s := range size {
			if s > 0 && k != into && k != gone {
				mean := (float64(size[into]*d[into][k]) + float64(size[gone]*d[gone][k])) / (size[into] + size[gone])
				d[into][k], d[k][into] = mean, mean
			}
		}
		size[into], size[gone] = size[into]+size[gone], 0
	}
	slices.SortStableFunc(merges, func(m, other merge) int { return cmp.Compare(m.height, other.height) })
	number := make([]int, n) // of the cluster of an item
	for i := range number {
		number[i] = i
	}
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	joins := make([]join, 0, len(merges))
	for i, m := range merges {
		a, b := find(m.a), find(m.b)
		joins = append(joins, join{number[a], number[b], max(0, m.height)})
		parent[b], number[a] = a, n+i
	}
	return joins
}

// leaves returns the items in the order of the tree: clusters stay together, and of two clusters
// the one is turned such that the nearest of its ends and those of the other meet.
func leaves(joins []join, n int, distance func(i, k int) float64) []int {
	order := make([][]int, n, n+len(joins))
	for i := range n {
		order[i] = []int{i}
	}
	for _, j := range joins {
		a, b := order[j.a], order[j.b]
		best := distance(a[len(a)-1], b[0])
		turnA, turnB := false, false
		for _, way := range []struct {
			x, y int
			a, b bool
		}{{a[len(a)-1], b[len(b)-1], false, true}, {a[0], b[0], true, false}, {a[0], b[len(b)-1], true, true}} {
			if x := distance(way.x, way.y); x < best {
				best, turnA, turnB = x, way.a, way.b
			}
		}
		order = append(order, append(turned(a, turnA), turned(b, turnB)...))
	}
	return order[len(order)-1]
}

// turned returns a copy of a list, in the other direction if turn says so.
func turned(list []int, turn bool) []int {
	all := make([]int, len(list))
	for i, x := range list {
		if turn {
			all[len(list)-1-i] = x
		} else {
			all[i] = x
		}
	}
	return all
}
