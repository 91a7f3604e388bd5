package plots

import (
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/internal/clustering"
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

// average clusters by average linkage (Sokal and Michener 1958). The joins are in the order of their heights.
func average(distance func(i, k int) float64, n int) []Join {
	d := make([][]float64, n) // of clusters; one of its items stands for each cluster
	for i := range d {
		d[i] = make([]float64, n)
		for k := range d[i] {
			d[i][k] = distance(i, k)
		}
	}
	size := slices.Repeat([]float64{1}, n)
	unions, _ := clustering.Agglomerate(context.Background(), size, d, func(a, b, i int) float64 { // no context, and so no error
		return (float64(size[a]*d[a][i]) + float64(size[b]*d[b][i])) / (size[a] + size[b])
	})
	merges := make([]Join, len(unions))
	number, parent := counted(n), counted(n) // of the cluster of an item
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for i, u := range unions {
		a, b := find(u.A), find(u.B)
		merges[i] = Join{number[a], number[b], max(0, u.Cost)}
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
