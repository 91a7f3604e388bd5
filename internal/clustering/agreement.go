package clustering

import "math"

// A Table counts the points of each class in each cluster.
type Table struct {
	cells             [][]float64 // by cluster and class
	clusters, classes []float64   // their points
	total             float64
}

// Count returns the table of points with these clusters and classes, which are numbers from 0.
func Count(clusters, classes []int) *Table {
	t := &Table{}
	for i, k := range clusters {
		c := classes[i]
		for len(t.cells) <= k {
			t.cells = append(t.cells, nil)
			t.clusters = append(t.clusters, 0)
		}
		for len(t.cells[k]) <= c {
			t.cells[k] = append(t.cells[k], 0)
		}
		for len(t.classes) <= c {
			t.classes = append(t.classes, 0)
		}
		t.add(k, c, 1)
	}
	return t
}

// Without returns a score of the table that lacks one point of cluster k and class c, of which there
// is one. The table is unchanged after that.
func (t *Table) Without(k, c int, score func(*Table) float64) float64 {
	t.add(k, c, -1)
	defer t.add(k, c, 1)
	return score(t)
}

func (t *Table) add(k, c int, points float64) {
	t.cells[k][c] += points
	t.clusters[k] += points
	t.classes[c] += points
	t.total += points
}

// Majority returns the most frequent class of a cluster, the lowest of equally frequent ones.
func (t *Table) Majority(k int) int {
	most := 0
	for c, n := range t.cells[k] {
		if n > t.cells[k][most] {
			most = c
		}
	}
	return most
}

// Surprisals returns −ln of the shares of a class and of a cluster: in all points, and in the
// points of cluster k and of class c. There are points of both.
func (t *Table) Surprisals(k, c int) (class, classInCluster, cluster, clusterInClass float64) {
	n := t.cells[k][c]
	return -math.Log(t.classes[c] / t.total), -math.Log(n / t.clusters[k]), -math.Log(t.clusters[k] / t.total), -math.Log(n / t.classes[c])
}

// Purity returns the share of points that are of the most frequent class of their cluster:
// 1/N · Σ_k max_c n_kc. It is NaN without points.
func (t *Table) Purity() float64 {
	sum := 0.0
	for _, row := range t.cells {
		most := 0.0
		for _, n := range row {
			most = max(most, n)
		}
		sum += most
	}
	return sum / t.total
}

// Homogeneity returns 1 − H(C|K)/H(C), which is 1 if each cluster has points of one class only,
// and also if there is one class. It is NaN without points.
func (t *Table) Homogeneity() float64 {
	return t.explained(t.classes, func(k, _ int) float64 { return t.clusters[k] })
}

// Completeness returns 1 − H(K|C)/H(K), which is 1 if the points of each class are in one
// cluster, and also if there is one cluster. It is NaN without points.
func (t *Table) Completeness() float64 {
	return t.explained(t.clusters, func(_, c int) float64 { return t.classes[c] })
}

// explained returns 1 − H(side|other)/H(side).
func (t *Table) explained(side []float64, other func(k, c int) float64) float64 {
	if t.total == 0 {
		return math.NaN()
	}
	entropy := 0.0
	for _, n := range side {
		if n > 0 {
			entropy -= float64(n / t.total * math.Log(n/t.total))
		}
	}
	if entropy <= 0 {
		return 1
	}
	conditional := 0.0
	for k, row := range t.cells {
		for c, n := range row {
			if n > 0 {
				conditional -= float64(n / t.total * math.Log(n/other(k, c)))
			}
		}
	}
	return 1 - conditional/entropy
}

// VMeasure returns the harmonic mean of homogeneity and completeness (Rosenberg and Hirschberg
// 2007, with β = 1), or 0 if both are 0. It is NaN without points.
func (t *Table) VMeasure() float64 {
	h, c := t.Homogeneity(), t.Completeness()
	if h+c == 0 {
		return 0
	}
	return 2 * h * c / (h + c)
}
