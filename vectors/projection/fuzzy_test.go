package projection

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// unitRows returns random rows of length 1, around as many directions.
func unitRows(n, dim, groups int, spread float64) vectors.Matrix {
	r := rand.New(rand.NewPCG(4, 5))
	centres := make([]float64, groups*dim)
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	rows := vectors.NewMatrix(n, dim)
	for i := range n {
		for k := range rows.Row(i) {
			rows.Row(i)[k] = float32(centres[i%groups*dim+k] + spread*r.NormFloat64())
		}
		vectors.Unit(rows.Row(i), rows.Row(i))
	}
	return rows
}

// A word's scale makes the memberships of its neighbours sum up to the binary logarithm of how many there are, itself counted;
// its nearest neighbour is a full member.
func TestSmooth(t *testing.T) {
	for _, distances := range [][]float64{
		{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7},
		{0.5, 0.51, 0.52, 0.9, 0.91, 1.2, 1.9},
		{0, 0, 0.3, 0.4, 0.5, 0.6, 0.8},
	} {
		rho, sigma := smooth(distances, 0.5)
		var sum float64
		for _, d := range distances {
			sum += membership(d, rho, sigma)
		}
		if want := math.Log2(float64(len(distances) + 1)); math.Abs(sum-want) > 1e-4 {
			t.Errorf("%v: memberships sum up to %v, want %v", distances, sum, want)
		}
		first := slices.IndexFunc(distances, func(d float64) bool { return d > 0 })
		if rho != distances[first] || membership(distances[first], rho, sigma) != 1 {
			t.Errorf("%v: rho is %v", distances, rho)
		}
	}
	for name, distances := range map[string][]float64{"equal": {0.3, 0.3, 0.3}, "at distance 0": {0, 0, 0}, "one": {0.4}, "none": nil} {
		rho, sigma := smooth(distances, 0.2)
		if math.IsNaN(rho+sigma) || math.IsInf(rho+sigma, 0) || sigma < minScale*0.2*0.5 {
			t.Errorf("%s: rho %v, sigma %v", name, rho, sigma)
		}
	}
}

// The union of two directed memberships a and b is a + b − a·b; edges are symmetric, sorted, and no loops.
func TestUnion(t *testing.T) {
	const n, k = 90, 6
	near, err := exactNear(context.Background(), unitRows(n, 8, 5, 0.5), k, 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	directed, err := memberships(context.Background(), near, 2)
	if err != nil {
		t.Fatal(err)
	}
	var want [n][n]float32
	for e, id := range near.ids {
		want[e/k][id] = directed[e]
	}
	f, err := union(context.Background(), near, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got [n][n]float32
	for i := range n {
		ends, weights := f.row(i)
		if !slices.IsSorted(ends) {
			t.Errorf("edges of %d: %v", i, ends)
		}
		for e, j := range ends {
			got[i][j] = weights[e]
		}
	}
	for i := range n {
		for j := range n {
			a, b := want[i][j], want[j][i]
			if w := a + b - a*b; math.Abs(float64(got[i][j]-w)) > 1e-6 || got[i][j] != got[j][i] {
				t.Errorf("edge %d-%d has weight %v, and back %v, want %v", i, j, got[i][j], got[j][i], w)
			}
		}
	}
	order := rand.New(rand.NewPCG(1, 1)).Perm(n)
	for i, p := range order {
		ends, weights := f.permuted(order).row(i)
		for e, j := range ends {
			if weights[e] != got[p][order[j]] {
				t.Errorf("permuted edge %d-%d has weight %v, want %v", i, j, weights[e], got[p][order[j]])
			}
		}
	}
}

// All pairs are compared as Set.NearestBatch does, on any number of goroutines.
func TestExactNear(t *testing.T) {
	const n, k = 700, 9
	rows := unitRows(n, 20, 11, 0.6)
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('一' + i))
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	queries := make([]vectors.Query, n)
	for i := range queries {
		queries[i] = vectors.Query{Vector: rows.Row(i), K: k, Skip: []int{i}}
	}
	want, err := s.Nearest(t.Context(), queries...)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		near, err := exactNear(context.Background(), rows, k, threads, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			ids, cosines := near.row(i)
			for j, w := range want[i] {
				if math.Abs(float64(cosines[j]-w.Similarity)) > 1e-5 || int(ids[j]) != w.ID && cosines[j] != cosines[max(0, j-1)] && math.Abs(float64(w.Similarity-want[i][max(0, j-1)].Similarity)) > 1e-5 && math.Abs(float64(w.Similarity-want[i][min(k-1, j+1)].Similarity)) > 1e-5 {
					t.Fatalf("neighbour %d of %d is %d (%v), want %d (%v)", j, i, ids[j], cosines[j], w.ID, w.Similarity)
				}
			}
		}
	}
}

// Nearest-neighbour descent finds nearly all of the neighbours, the same on any number of goroutines, and no row twice.
func TestDescend(t *testing.T) {
	const n, k = 6000, descentList
	rows := unitRows(n, 24, 40, 0.7)
	want, err := exactNear(context.Background(), rows, k, 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	o := UMAPOptions{Threads: 1}.resolved(n)
	const others, few = 300, 5
	near := newNear(others, few)
	last, ended := 0.0, false // progress rises, and belongs to the others once they are asked for
	got, err := descend(context.Background(), rows, k, o, func(done float64) {
		if ended || done < last || done > 1 {
			t.Errorf("progress %v after %v; others were asked for: %v", done, last, ended)
		}
		last = done
	}, func(find finder) error {
		ended = true
		queries := vectors.NewMatrix(others, rows.Cols)
		for i := range others {
			copy(queries.Row(i), rows.Row(few*i)) // rows lie in another order meanwhile, and each is nearest to itself
		}
		return find(queries, near)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range others {
		ids, cosines := near.row(i)
		exact, _ := want.row(int(ids[0]))
		if math.Abs(float64(cosines[0])-1) > 1e-5 || !slices.Contains(exact, ids[1]) {
			t.Fatalf("nearest to a vector of the rows: %v %v", ids, cosines)
		}
	}
	found := 0
	for i := range n {
		ids, cosines := got.row(i)
		seen := map[int32]bool{int32(i): true}
		for j, id := range ids {
			if seen[id] || j > 0 && cosines[j] > cosines[j-1] {
				t.Fatalf("list of %d: %v %v", i, ids, cosines)
			}
			seen[id] = true
		}
		exact, _ := want.row(i)
		for _, id := range exact {
			if seen[id] {
				found++
			}
		}
	}
	if recall := float64(found) / (n * k); recall < 0.95 {
		t.Errorf("found %.3f of the neighbours, want 0.95", recall)
	}
	o.Threads = 5
	again, err := descend(context.Background(), rows, k, o, func(float64) {}, nil)
	if err != nil || !slices.Equal(again.ids, got.ids) {
		t.Errorf("five goroutines find others than one: %v", err)
	}
}

// Rows that are equal to many others have lists of as many different rows.
func TestDescendAmongEqualRows(t *testing.T) {
	rows := vectors.NewMatrix(500, 3)
	for i := range rows.Rows {
		rows.Row(i)[i%2] = 1
	}
	got, err := descend(context.Background(), rows, descentList, UMAPOptions{}.resolved(500), func(float64) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows.Rows {
		ids, cosines := got.row(i)
		sorted := slices.Clone(ids)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != descentList || slices.Contains(ids, int32(i)) || cosines[descentList-1] != 1 {
			t.Fatalf("list of %d: %v %v", i, ids, cosines)
		}
	}
}

// The parameters are those that umap-learn 0.5.3 finds.
func TestFitCurve(t *testing.T) {
	for _, c := range []struct{ minDist, a, b float64 }{
		{0.001, 1.92907, 0.79150}, {0.1, 1.57694, 0.89506}, {0.5, 0.58303, 1.33417}, {1, 0.11498, 1.92924},
	} {
		got, err := fitCurve(c.minDist)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.a-c.a) > 1e-4 || math.Abs(got.b-c.b) > 1e-4 {
			t.Errorf("least distance %v: a = %.5f and b = %.5f, want %.5f and %.5f", c.minDist, got.a, got.b, c.a, c.b)
		}
	}
}

// Attraction and repulsion are the gradient of the loss, −log(near) and −log(1−near), by finite differences in
// float64; of repulsion without the constant that keeps it finite.
func TestForcesAreTheGradientOfTheLoss(t *testing.T) {
	const h = 1e-6
	for _, minDist := range []float64{0.01, 0.1, 0.8} {
		c, err := fitCurve(minDist)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range [][2]float64{{0.3, 0}, {0.2, -0.7}, {-1.5, 2}, {4, 9}} {
			slope := func(loss func(near float64) float64) float64 {
				at := func(x float64) float64 { return loss(c.near(x*x + p[1]*p[1])) }
				return (at(p[0]+h) - at(p[0]-h)) / (2 * h)
			}
			square := p[0]*p[0] + p[1]*p[1]
			near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6*max(1, math.Abs(want)) }
			if got, want := c.attraction(square)*p[0], slope(func(v float64) float64 { return -math.Log(v) }); !near(got, want) {
				t.Errorf("attraction at %v is %v, want %v", p, got, want)
			}
			repulsion := c.repulsion(square) * (nearest0 + square) / square
			if got, want := -repulsion*p[0], slope(func(v float64) float64 { return -math.Log(1 - v) }); !near(got, want) {
				t.Errorf("repulsion at %v is %v, want %v", p, got, want)
			}
		}
	}
}

// The innermost loop's tables are near the functions, and finite for all squares of distances.
func TestPieces(t *testing.T) {
	c := curve{1.577, 0.895}
	for name, f := range map[string]func(float64) float64{"attraction": c.attraction, "repulsion": c.repulsion} {
		p := newPieces(f)
		for x := float32(1e-11); x < 1e7; x *= 1.037 {
			if got, want := float64(p.at(x)), f(float64(x)); math.Abs(got-want) > 1e-3*want {
				t.Errorf("%s at %g is %g, want %g", name, x, got, want)
			}
		}
		for _, x := range []float32{0, 1e-45, 1e-30, 1e30, math.MaxFloat32, float32(math.Inf(1))} {
			if y := float64(p.at(x)); math.IsNaN(y) || math.IsInf(y, 0) || y < 0 {
				t.Errorf("%s at %g is %g", name, x, y)
			}
		}
	}
}

// Edges are drawn as often as their weights say, in proportion to the heaviest.
func TestDrawn(t *testing.T) {
	const epochs = 200
	for i, want := range []int{epochs, epochs / 2, epochs / 4, 3, 0} {
		weights := []float32{0.8, 0.4, 0.2, 0.012, 0.0008}
		r, n := rates(weights)[i], 0
		for epoch := range epochs {
			if drawn(r, epoch) {
				n++
			}
		}
		if n > want || n < want-1 {
			t.Errorf("weight %v is drawn %d times in %d epochs, want %d", weights[i], n, epochs, want)
		}
	}
}

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

func sample() (key, *Atlas) {
	k := key{Revision: Revision, Method: MethodUMAP, Checksum: "00", Words: 3, Neighbors: 15, MinDist: 0.1, Epochs: 500, Negatives: 5}
	return k, &Atlas{
		Map:      Map{Method: MethodUMAP, Points: []Point{{1, 2}, {3, -4}, {0, 0}}, Aside: []int{2}, Explained: []float64{0.75, 0.25}},
		Clusters: &Clusters{Of: []int32{1, 0, -1}, Sizes: []int{1, 1}, Modularity: 0.5},
		Trust:    Trust{0.9, 15, 3},
	}
}

func TestFile(t *testing.T) {
	k, a := sample()
	var b bytes.Buffer
	if err := encode(&b, k, a); err != nil {
		t.Fatal(err)
	}
	if int64(b.Len()) > maxBytes(3) {
		t.Errorf("%d bytes are more than a map of 3 words may have", b.Len())
	}
	got, gotKey, err := decode(b.Bytes())
	if err != nil || gotKey != k || !reflect.DeepEqual(got, a) {
		t.Errorf("%+v, %+v, %v", got, gotKey, err)
	}
	for n := range b.Len() {
		if _, _, err := decode(b.Bytes()[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a map", n, b.Len())
		}
	}
}

// Files that have a good checksum and are wrong all the same are refused with the reason.
func TestWrongFiles(t *testing.T) {
	for want, change := range map[string]func(k *key, a *Atlas, data []byte) []byte{
		"is of revision 0":   func(k *key, _ *Atlas, _ []byte) []byte { k.Revision = 0; return nil },
		"for 4 words":        func(k *key, _ *Atlas, _ []byte) []byte { k.Words = 4; return nil },
		"for -1 words":       func(k *key, _ *Atlas, _ []byte) []byte { k.Words = -1; return nil },
		"not finite":         func(_ *key, a *Atlas, _ []byte) []byte { a.Points[1].Y /= 0 * a.Points[1].X; return nil },
		"put aside":          func(_ *key, a *Atlas, _ []byte) []byte { a.Aside = []int{1, 1}; return nil },
		"word 3":             func(_ *key, a *Atlas, _ []byte) []byte { a.Aside = []int{3}; return nil },
		"cluster 2 of 2":     func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = 2; return nil },
		"cluster -2 of 2":    func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = -2; return nil },
		"has 2 words, not 1": func(_ *key, a *Atlas, _ []byte) []byte { a.Clusters.Of[0] = 0; return nil },
		"a header of 4294967295 bytes": func(_ *key, _ *Atlas, data []byte) []byte {
			binary.LittleEndian.PutUint32(data[len(magic):], 1<<32-1)
			return data
		},
		"its header: ": func(_ *key, _ *Atlas, data []byte) []byte { data[len(magic)+4] = 'x'; return data },
	} {
		k, a := sample()
		var b bytes.Buffer
		if err := encode(&b, k, a); err != nil {
			t.Fatal(err)
		}
		if data := change(&k, a, b.Bytes()); data == nil {
			b.Reset()
			if err := encode(&b, k, a); err != nil {
				t.Fatal(err)
			}
		} else {
			binary.LittleEndian.PutUint32(data[len(data)-4:], crc32.Checksum(data[:len(data)-4], castagnoli))
		}
		if _, _, err := decode(b.Bytes()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Whatever is in a file, decode returns a map that can be written and read again, or an error. The checksum is
// mended, so that there is something to find behind it.
func FuzzDecode(f *testing.F) {
	k, a := sample()
	var b bytes.Buffer
	if err := encode(&b, k, a); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(magic))
	a.Clusters, a.Aside, a.Explained = nil, nil, nil
	b.Reset()
	if err := encode(&b, k, a); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 4 {
			data = bytes.Clone(data)
			binary.LittleEndian.PutUint32(data[len(data)-4:], crc32.Checksum(data[:len(data)-4], castagnoli))
		}
		a, k, err := decode(data)
		if err != nil {
			return
		}
		if len(a.Points) != k.Words {
			t.Fatalf("%d points for %d words", len(a.Points), k.Words)
		}
		var b bytes.Buffer
		if err := encode(&b, k, a); err != nil {
			t.Fatal(err)
		}
		again, againKey, err := decode(b.Bytes())
		if err != nil || againKey != k || !reflect.DeepEqual(again, a) {
			t.Fatalf("%+v is read back as %+v, %v", a, again, err)
		}
	})
}
