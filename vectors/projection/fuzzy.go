package projection

import (
	"context"
	"math"
	"slices"
)

// A fuzzy is a symmetric graph of weighted edges, as compressed sparse rows: the edges of vertex i are the
// entries from starts[i] to starts[i+1]-1, sorted by their other end.
type fuzzy struct {
	starts  []int
	ends    []int32
	weights []float32
}

func (f fuzzy) len() int { return len(f.starts) - 1 }

func (f fuzzy) row(i int) ([]int32, []float32) {
	return f.ends[f.starts[i]:f.starts[i+1]], f.weights[f.starts[i]:f.starts[i+1]]
}

const (
	// bisections and bisectionError limit the search for a word's scale.
	bisections     = 64
	bisectionError = 1e-5
	// minScale is the smallest scale of a word, as a share of the mean distance.
	minScale = 1e-3
)

// smooth returns the distance rho of the nearest neighbour that is not at distance 0, and the scale sigma for
// which the sum of exp(−max(0, d−rho)/sigma) over the distances is the binary logarithm of their number,
// counting the word itself: algorithm 3 of McInnes et al. Sigma is at least minScale times the mean distance
// of the neighbours and the word itself or, if all are at distance 0, times mean, that of all words.
func smooth(distances []float64, mean float64) (rho, sigma float64) {
	var total float64
	for _, d := range distances {
		if rho == 0 {
			rho = d
		}
		total += d
	}
	if rho > 0 {
		mean = total / float64(len(distances)+1)
	}
	target := math.Log2(float64(len(distances) + 1))
	low, high := 0.0, math.Inf(1)
	sigma = 1
	for range bisections {
		var sum float64
		for _, d := range distances {
			if d > rho {
				sum += math.Exp((rho - d) / sigma)
			} else {
				sum++
			}
		}
		if math.Abs(sum-target) < bisectionError {
			break
		}
		if sum > target {
			high = sigma
		} else {
			low = sigma
		}
		if sigma = (low + high) / 2; math.IsInf(high, 1) {
			sigma = 2 * low
		}
	}
	return rho, max(sigma, minScale*mean)
}

// membership returns the degree to which a neighbour at distance d belongs to a word's neighbourhood.
func membership(d, rho, sigma float64) float64 {
	if d <= rho || sigma == 0 {
		return 1
	}
	return math.Exp((rho - d) / sigma)
}

// distance converts a cosine to a distance. Rounding never makes it negative.
func distance(cosine float32) float64 { return max(0, 1-float64(cosine)) }

func memberships(ctx context.Context, n near, threads int) ([]float32, error) {
	var mean float64
	for _, c := range n.cosines {
		mean += distance(c)
	}
	mean /= max(1, float64(len(n.cosines)+n.len())) // counts the words themselves, at distance 0
	weights := make([]float32, len(n.cosines))
	err := each(ctx, threads, n.len(), 256, nil, func(_, first, last int) {
		distances := make([]float64, n.k)
		for i := first; i < last; i++ {
			_, cosines := n.row(i)
			for j, c := range cosines {
				distances[j] = distance(c)
			}
			rho, sigma := smooth(distances, mean)
			for j, d := range distances {
				weights[i*n.k+j] = float32(membership(d, rho, sigma))
			}
		}
	})
	return weights, err
}

// union joins words that are neighbours in a direction, by a + b − a·b of the directed weights.
func union(ctx context.Context, n near, threads int) (fuzzy, error) {
	rows := n.len()
	if n.k == 0 {
		return fuzzy{starts: make([]int, 2)}, ctx.Err() // a single word
	}
	directed, err := memberships(ctx, n, threads)
	if err != nil {
		return fuzzy{}, err
	}
	starts, entries := grouped(n.ids, rows) // the reverse lists
	f := fuzzy{starts: make([]int, 1, rows+1), ends: make([]int32, 0, 2*len(n.ids)), weights: make([]float32, 0, 2*len(n.ids))}
	weights := make([]float32, rows) // of edges to each end
	var ends []int32
	for i := range rows {
		ids, _ := n.row(i)
		ends = append(ends[:0], ids...)
		for j, end := range ids {
			weights[end] = directed[i*n.k+j]
		}
		for _, entry := range entries[starts[i]:starts[i+1]] {
			end, b := entry/n.k, directed[entry]
			ends = append(ends, int32(end))
			weights[end] = weights[end] + b - weights[end]*b
		}
		slices.Sort(ends)
		for _, end := range ends {
			f.add(end, weights[end])
			weights[end] = 0 // an end of both lists is added once
		}
		f.starts = append(f.starts, len(f.ends))
	}
	return f, ctx.Err()
}

// grouped returns the numbers of the entries of each group, rising, one group after the other: those of group
// g begin at starts[g]. Entry i is in group of[i], below n.
func grouped(of []int32, n int) (starts, entries []int) {
	starts = make([]int, n+1)
	for _, g := range of {
		starts[g+1]++
	}
	for g := range n {
		starts[g+1] += starts[g]
	}
	entries, next := make([]int, len(of)), slices.Clone(starts[:n])
	for i, g := range of {
		entries[next[g]] = i
		next[g]++
	}
	return starts, entries
}

func (f *fuzzy) add(end int32, weight float32) {
	if weight > 0 {
		f.ends, f.weights = append(f.ends, end), append(f.weights, weight)
	}
}

// permuted returns the graph whose vertex i is vertex order[i] of f. The edges of a vertex are not sorted.
func (f fuzzy) permuted(order []int) fuzzy {
	to := make([]int32, len(order))
	for i, v := range order {
		to[v] = int32(i)
	}
	p := fuzzy{starts: make([]int, 1, len(f.starts)), ends: make([]int32, 0, len(f.ends)), weights: make([]float32, 0, len(f.ends))}
	for _, v := range order {
		ends, weights := f.row(v)
		for e, end := range ends {
			p.add(to[end], weights[e])
		}
		p.starts = append(p.starts, len(p.ends))
	}
	return p
}
