package plots

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/chart"
)

// An Order is the order of words in a heat map. Its value is the name on the command line.
type Order string

// Orders of words.
const (
	OrderCluster Order = "cluster" // similar words side by side, by a tree of average linkage
	OrderGiven   Order = "given"   // in the order given
)

// Orders returns all orders.
func Orders() []Order { return []Order{OrderCluster, OrderGiven} }

// MaxHeatmap is the largest number of words in a heat map: a million cells.
const MaxHeatmap = 1000

// A Heatmap shows the cosines of all pairs of words.
type Heatmap struct {
	Title string   `json:"-"`
	Order Order    `json:"order"`
	Words []string `json:"words"` // in the order of rows and columns
	// Similarity has the cosines row by row: 1 on the diagonal.
	Similarity [][]float64 `json:"similarity"`
	// Tree lists the joins of clusters. Words are numbered from 0 in the order of Words; the i-th join has
	// the number of words plus i. Tree is empty for OrderGiven.
	Tree []Join `json:"tree,omitempty"`
}

// A Join merges two clusters. Items are numbered from 0; the i-th join has the number of items plus i.
type Join struct {
	A int `json:"a"`
	B int `json:"b"`
	// Distance is the mean distance of pairs of an item of A and an item of B: for words, 1 − cosine.
	Distance float64 `json:"distance"`
}

// NewHeatmap computes the cosines of 1 to MaxHeatmap words.
func NewHeatmap(ctx context.Context, words []Word, order Order) (*Heatmap, error) {
	if len(words) > MaxHeatmap {
		return nil, fmt.Errorf("plots: a heat map may have %d words, and there are %d", MaxHeatmap, len(words))
	}
	if order != OrderCluster && order != OrderGiven {
		return nil, fmt.Errorf("plots: %q is not an order of a heat map", order)
	}
	rows, err := units(words)
	if err != nil {
		return nil, err
	}
	all := cosines(rows)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &Heatmap{Order: order}
	at := counted(len(words))
	if order == OrderCluster {
		distance := func(i, k int) float64 { return 1 - all[i][k] }
		joins := average(distance, len(words))
		at = leaves(joins, len(words), distance)
		number := counted(len(words) + len(joins)) // of a word or a join, by the position of the word in the order
		for i, word := range at {
			number[word] = i
		}
		for _, j := range joins {
			h.Tree = append(h.Tree, Join{number[j.A], number[j.B], j.Distance})
		}
	}
	for _, i := range at {
		h.Words = append(h.Words, words[i].Text)
		row := make([]float64, len(at))
		for k, other := range at {
			row[k] = all[i][other]
		}
		h.Similarity = append(h.Similarity, row)
	}
	return h, nil
}

func (h *Heatmap) chart() chart.Picture {
	c := chart.Heatmap{Title: h.Title, Scale: "cosine", Words: h.Words, Values: h.Similarity}
	for _, j := range h.Tree {
		c.Tree = append(c.Tree, chart.Join{A: j.A, B: j.B, Height: j.Distance})
	}
	return c
}

// average clusters by average linkage (Sokal and Michener 1958). It follows chains of nearest neighbours, which
// takes O(n²) time (Murtagh 1983). The joins are in the order of their heights.
func average(distance func(i, k int) float64, n int) []Join {
	d := make([][]float64, n) // of clusters; one of its items stands for each cluster
	for i := range d {
		d[i] = make([]float64, n)
		for k := range d[i] {
			d[i][k] = distance(i, k)
		}
	}
	size := slices.Repeat([]float64{1}, n)
	var merges []Join // of items that stand for the clusters
	var chain []int
	for len(merges) < n-1 {
		if len(chain) == 0 {
			chain = append(chain, slices.IndexFunc(size, func(s float64) bool { return s > 0 }))
		}
		last := chain[len(chain)-1]
		best, least := -1, math.Inf(1)
		if len(chain) > 1 { // of equal distances the previous cluster wins, otherwise the chain would not end
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
		merges = append(merges, Join{into, gone, least})
		for k, s := range size {
			if s > 0 && k != into && k != gone {
				mean := (float64(size[into]*d[into][k]) + float64(size[gone]*d[gone][k])) / (size[into] + size[gone])
				d[into][k], d[k][into] = mean, mean
			}
		}
		size[into], size[gone] = size[into]+size[gone], 0
	}
	slices.SortStableFunc(merges, func(m, other Join) int { return cmp.Compare(m.Distance, other.Distance) })
	number, parent := counted(n), counted(n) // of the cluster of an item
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for i, m := range merges {
		a, b := find(m.A), find(m.B)
		merges[i] = Join{number[a], number[b], max(0, m.Distance)}
		parent[b], number[a] = a, n+i
	}
	return merges
}

// leaves returns the items in the order of the tree, with the nearer ends of joined clusters together.
func leaves(joins []Join, n int, distance func(i, k int) float64) []int {
	order := make([][]int, n, n+len(joins))
	for i := range n {
		order[i] = []int{i}
	}
	for _, j := range joins {
		var best []int
		var least float64
		for _, a := range [][]int{order[j.A], turned(order[j.A])} {
			for _, b := range [][]int{order[j.B], turned(order[j.B])} {
				if x := distance(a[len(a)-1], b[0]); best == nil || x < least {
					best, least = slices.Concat(a, b), x
				}
			}
		}
		order = append(order, best)
	}
	return order[len(order)-1]
}

func turned(list []int) []int {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func counted(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
