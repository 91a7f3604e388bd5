// Package clustering groups vectors by k-means and compares clusters with classes. Results are the same on every machine:
// the order of sums is fixed, and products are rounded before they are added.
package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Clustering is a division of points into clusters.
type Clustering struct {
	Of         []int   // cluster of every point, from 0
	Inertia    float64 // sum of the squared distances of points from the means of their clusters
	Iterations int     // iterations of Lloyd's algorithm
}

const maxIterations = 300

// KMeans divides points, which have equal lengths, into k clusters. It chooses initial means by k-means++ (Arthur and
// Vassilvitskii 2007), each the best of 2 + ⌊ln k⌋ candidates, and runs Lloyd's algorithm. An empty cluster takes the point
// that is farthest from its mean, if there are k different points. Of equally near clusters, the lower number wins.
func KMeans(points [][]float64, k int, r *rand.Rand) Clustering {
	c := Clustering{Of: make([]int, len(points))}
	if len(points) == 0 || k <= 0 {
		return c
	}
	means := firstMeans(points, k, r)
	distances := make([]float64, len(points))
	assign(points, means, c.Of, distances)
	for c.Iterations < maxIterations {
		c.Iterations++
		update(points, means, c.Of, distances)
		if !assign(points, means, c.Of, distances) {
			break
		}
	}
	// The means are updated after the last iteration too, so they belong to the final clusters.
	update(points, means, c.Of, distances)
	for i, p := range points {
		c.Inertia += distance(p, means[c.Of[i]])
	}
	return c
}

func firstMeans(points [][]float64, k int, r *rand.Rand) [][]float64 {
	trials := 2 + int(math.Log(float64(k)))
	nearest := make([]float64, len(points)) // distance to the nearest mean so far
	first := r.IntN(len(points))
	for i, p := range points {
		nearest[i] = distance(p, points[first])
	}
	means := [][]float64{slices.Clone(points[first])}
	closer := make([]float64, len(points))
	best := make([]float64, len(points))
	for len(means) < k {
		chosen, least := -1, 0.0
		for range trials {
			candidate := draw(nearest, r)
			total := 0.0
			for i, p := range points {
				closer[i] = min(nearest[i], distance(p, points[candidate]))
				total += closer[i]
			}
			if chosen < 0 || total < least {
				chosen, least = candidate, total
				best, closer = closer, best
			}
		}
		nearest, best = best, nearest
		means = append(means, slices.Clone(points[chosen]))
	}
	return means
}

func draw(weights []float64, r *rand.Rand) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return r.IntN(len(weights))
	}
	at, last := r.Float64()*total, 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if at < w {
			return i
		}
		at -= w
		last = i
	}
	return last // reached only because of rounding
}

func assign(points, means [][]float64, of []int, distances []float64) (changed bool) {
	for i, p := range points {
		at, least := 0, distance(p, means[0])
		for m := 1; m < len(means); m++ {
			if d := distance(p, means[m]); d < least {
				at, least = m, d
			}
		}
		changed = changed || of[i] != at
		of[i], distances[i] = at, least
	}
	return changed
}

func update(points, means [][]float64, of []int, distances []float64) {
	sizes := make([]int, len(means))
	for _, m := range of {
		sizes[m]++
	}
	for m := range means {
		if sizes[m] > 0 {
			continue
		}
		far := -1
		for i, d := range distances {
			if sizes[of[i]] > 1 && d > 0 && (far < 0 || d > distances[far]) {
				far = i
			}
		}
		if far < 0 {
			continue // all points lie on their means: there are fewer different points than clusters
		}
		sizes[of[far]]--
		of[far], distances[far] = m, 0
		sizes[m]++
	}
	for m := range means {
		if sizes[m] > 0 {
			clear(means[m])
		}
	}
	for i, p := range points {
		mean := means[of[i]]
		for j, x := range p {
			mean[j] += x
		}
	}
	for m, mean := range means {
		if sizes[m] > 0 {
			for j := range mean {
				mean[j] /= float64(sizes[m])
			}
		}
	}
}

func distance(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		d0, d1, d2, d3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
		// The conversions round the products: otherwise some processors fuse the addition.
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	for ; i < len(a); i++ {
		d := a[i] - b[i]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// A Table counts the points of each class in each cluster.
type Table struct {
	cells             [][]float64 // by cluster and class
	clusters, classes []float64   // number of points of each
	total             float64
}

// Count counts points by cluster and class. Clusters and classes are numbered from 0.
func Count(clusters, classes []int) *Table {
	t := &Table{}
	if len(clusters) == 0 {
		return t
	}
	t.clusters, t.classes = make([]float64, slices.Max(clusters)+1), make([]float64, slices.Max(classes)+1)
	for range t.clusters {
		t.cells = append(t.cells, make([]float64, len(t.classes)))
	}
	for i, k := range clusters {
		t.add(k, classes[i], 1)
	}
	return t
}

// Without returns the score of the table without one point of cluster k and class c, of which it has some.
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

// Majority returns the most frequent class of a cluster; of equally frequent classes the lowest.
func (t *Table) Majority(k int) int {
	most := 0
	for c, n := range t.cells[k] {
		if n > t.cells[k][most] {
			most = c
		}
	}
	return most
}

// Surprisals returns −ln of four shares: of a class among all points and in cluster k, and of a cluster among
// all points and in class c. The cluster and the class must have points.
func (t *Table) Surprisals(k, c int) (class, classInCluster, cluster, clusterInClass float64) {
	n := t.cells[k][c]
	return -math.Log(t.classes[c] / t.total), -math.Log(n / t.clusters[k]), -math.Log(t.clusters[k] / t.total), -math.Log(n / t.classes[c])
}

// Purity returns the share of points of the most frequent class of their cluster; NaN without points.
func (t *Table) Purity() float64 {
	sum := 0.0
	for k, row := range t.cells {
		sum += row[t.Majority(k)]
	}
	return sum / t.total
}

// Homogeneity returns 1 − H(C
// K)/H(C): 1 if no cluster has points of two classes; NaN without points.
func (t *Table) Homogeneity() float64 {
	return t.explained(t.classes, func(k, _ int) float64 { return t.clusters[k] })
}

// Completeness returns 1 − H(K
// C)/H(K): 1 if no class has points in two clusters; NaN without points.
func (t *Table) Completeness() float64 {
	return t.explained(t.clusters, func(_, c int) float64 { return t.classes[c] })
}

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

// VMeasure is the harmonic mean of homogeneity and completeness (Rosenberg and Hirschberg 2007, with β = 1).
func (t *Table) VMeasure() float64 {
	return Harmonic(t.Homogeneity(), t.Completeness())
}

// Harmonic returns the harmonic mean of a and b, or 0 if both are 0.
func Harmonic(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}
