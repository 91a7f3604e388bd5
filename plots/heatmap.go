package plots

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/internal/chart"
)

// An Order is how words of a heat map follow each other. Its value is the name that the command line
// knows it by.
type Order string

// Orders of words.
const (
	OrderCluster Order = "cluster" // as in a tree of average linkage, similar words beside each other
	OrderGiven   Order = "given"   // as they were asked for
)

// Orders returns all orders.
func Orders() []Order { return []Order{OrderCluster, OrderGiven} }

// MaxHeatmap is how many words a heat map may have: a million cells.
const MaxHeatmap = 1000

// A Heatmap is the cosines of all pairs of words.
type Heatmap struct {
	Title string   `json:"-"`
	Order Order    `json:"order"`
	Words []string `json:"words"` // in the order of rows and columns
	// Similarity has the cosines row by row: 1 on the diagonal.
	Similarity [][]float64 `json:"similarity"`
	// Tree says which clusters became one: words have the numbers from 0 in the order of Words, and
	// the i-th element the number of words plus i. It is empty for OrderGiven.
	Tree []Join `json:"tree,omitempty"`
}

// A Join is two clusters that became one.
type Join struct {
	A int `json:"a"`
	B int `json:"b"`
	// Distance is the mean of 1 − cosine of a word of A and one of B.
	Distance float64 `json:"distance"`
}

// NewHeatmap computes the cosines of words, from 1 to MaxHeatmap of them.
func NewHeatmap(ctx context.Context, words []Word, order Order) (*Heatmap, error) {
	if len(words) > MaxHeatmap {
		return nil, fmt.Errorf("plots: a heat map may have %d words, and there are %d", MaxHeatmap, len(words))
	}
	if order != OrderCluster && order != OrderGiven {
		return nil, fmt.Errorf("plots: %q is no order of a heat map", order)
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
	at := make([]int, len(words))
	for i := range at {
		at[i] = i
	}
	if order == OrderCluster {
		distance := func(i, k int) float64 { return 1 - all[i][k] }
		joins := average(distance, len(words))
		at = leaves(joins, len(words), distance)
		place := make([]int, len(words)) // of a word in the order
		for i, word := range at {
			place[word] = i
		}
		number := func(i int) int {
			if i < len(words) {
				return place[i]
			}
			return i
		}
		for _, j := range joins {
			h.Tree = append(h.Tree, Join{number(j.a), number(j.b), j.height})
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
