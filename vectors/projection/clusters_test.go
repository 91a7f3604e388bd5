package projection_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// Planted groups are clusters, and each is described by the most typical of its frequent words, where its points are.
func TestClustersArePlantedGroups(t *testing.T) {
	const groups, words = 5, 80
	s := planted(t, groups, words, 16, 0.4)
	g, err := projection.NewGraph(context.Background(), s, projection.UMAPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Clusters(context.Background(), projection.ClusterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Sizes) != groups || c.Modularity < 0.7 {
		t.Fatalf("clusters of sizes %v, modularity %v", c.Sizes, c.Modularity)
	}
	for i, of := range c.Of {
		if of != c.Of[i%groups] {
			t.Fatalf("word %d is not with those of its group", i)
		}
	}
	m, err := g.Layout(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	described, err := projection.Describe(context.Background(), s, m.Points, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range described {
		if d.ID != i || d.Size != words || len(d.Words) != 3 {
			t.Errorf("cluster %d: %+v", i, d)
		}
		for _, id := range d.Words {
			if int(c.Of[id]) != i || id/groups >= 61 {
				t.Errorf("word %d does not describe cluster %d", id, i)
			}
		}
		if want := s.Words().At(d.Words[0]) + ", " + s.Words().At(d.Words[1]) + ", " + s.Words().At(d.Words[2]); d.Label != want {
			t.Errorf("label %q, want %q", d.Label, want)
		}
		if at := slices.Index(m.Points, d.At); at < 0 || int(c.Of[at]) != i {
			t.Errorf("cluster %d is said to be at %v, where none of its words are", i, d.At)
		}
	}
}

// Words that are put aside are in no cluster, and edges name words by their ids.
func TestAsideIsInNoCluster(t *testing.T) {
	full := planted(t, 2, 20, 8, 0.3)
	rows := vectors.NewMatrix(41, 8)
	names := []string{"zero"}
	for i := range 40 {
		copy(rows.Row(i+1), full.Vectors().Row(i))
		names = append(names, full.Words().At(i))
	}
	g, err := projection.NewGraph(context.Background(), set(t, rows, names...), projection.UMAPOptions{Neighbors: 5})
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Clusters(context.Background(), projection.ClusterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Of[0] != -1 || slices.Min(c.Of[1:]) != 0 {
		t.Errorf("clusters %v", c.Of)
	}
	edges := 0
	for e, w := range g.Edges() {
		if edges++; e[0] < 1 || e[1] <= e[0] || e[1] > 40 || !(w > 0 && w <= 1) || e[0]%2 != e[1]%2 {
			t.Errorf("edge %v of weight %v", e, w)
		}
	}
	if edges < 40*4/2 {
		t.Errorf("%d edges", edges)
	}
}

func TestOptionsOfClusters(t *testing.T) {
	g, err := projection.NewGraph(context.Background(), planted(t, 2, 5, 3, 1), projection.UMAPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, resolution := range []float64{-1, 1001} {
		if _, err := g.Clusters(context.Background(), projection.ClusterOptions{Resolution: resolution}); err == nil {
			t.Errorf("resolution %v was taken", resolution)
		}
	}
}

// Words that are frequent everywhere, and such that differ in their ends alone, do not describe a cluster.
func TestLabelsTell(t *testing.T) {
	const groups, words = 2, 200
	s := planted(t, groups, words, 8, 0.2)
	names := make([]string, s.Len())
	for i := range names {
		names[i] = s.Words().At(i)
	}
	names[0], names[2], names[4], names[6] = "of", "the", "mountain", "Mountains"
	// Two words are between the groups.
	for _, id := range []int{0, 2} {
		for k, x := range s.Vectors().Row(id + 1) {
			s.Vectors().Row(id)[k] += x
		}
	}
	s = set(t, s.Vectors(), names...)
	c := &projection.Clusters{Of: make([]int32, s.Len()), Sizes: []int{words, words}}
	for i := range c.Of {
		c.Of[i] = int32(i % groups)
	}
	described, err := projection.Describe(context.Background(), s, make([]projection.Point, s.Len()), c, 60)
	if err != nil {
		t.Fatal(err)
	}
	label := described[0].Words
	for _, id := range []int{0, 2} { // among the four most frequent of four hundred
		if slices.Contains(label, id) {
			t.Errorf("%q describes a cluster", names[id])
		}
	}
	if slices.Contains(label, 4) == slices.Contains(label, 6) {
		t.Errorf("%q has both of mountain and mountains, or neither", described[0].Label)
	}
}

// Clusters are in groups, and have parts, without a word lost. Stop words are the frequent ones between all clusters.
func TestOverview(t *testing.T) {
	const groups, words = 8, 100
	s := planted(t, groups, words, 16, 0.3)
	between := []int{1, 6}
	for _, id := range between {
		clear(s.Vectors().Row(id))
		for i := 10 * groups; i < 11*groups; i++ {
			for k, x := range s.Vectors().Row(i) {
				s.Vectors().Row(id)[k] += x
			}
		}
	}
	c := &projection.Clusters{Of: make([]int32, s.Len()), Sizes: slices.Repeat([]int{words}, groups)}
	for i := range c.Of {
		c.Of[i] = int32(i % groups)
	}
	points := make([]projection.Point, s.Len())
	o, err := projection.NewOverview(context.Background(), s, points, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Clusters) != groups || len(o.Coarse) != 4 || len(o.Fine) < 2*groups {
		t.Errorf("%d clusters in %d groups have %d parts", len(o.Clusters), len(o.Coarse), len(o.Fine))
	}
	for _, id := range between {
		if !slices.Contains(o.Stop, id) {
			t.Errorf("word %d is no stop word: %v are", id, o.Stop)
		}
	}
	if len(o.Stop) > s.Len()/40 {
		t.Errorf("%d stop words", len(o.Stop))
	}
	var of []int
	for _, g := range o.Coarse {
		size := 0
		for _, id := range g.Of {
			size += o.Clusters[id].Size
		}
		if of = append(of, g.Of...); size != g.Size || g.Label == "" {
			t.Errorf("a group of %d words: %+v", size, g)
		}
	}
	if slices.Sort(of); !slices.Equal(of, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("clusters %v are in groups", of)
	}
	sizes := make([]int, groups)
	for _, g := range o.Fine {
		sizes[g.Of[0]] += g.Size
		for _, id := range g.Words {
			if int(c.Of[id]) != g.Of[0] {
				t.Errorf("word %d describes a part of cluster %d", id, g.Of[0])
			}
		}
	}
	if !slices.Equal(sizes, c.Sizes) {
		t.Errorf("parts have %v words of the clusters' %v", sizes, c.Sizes)
	}

	// A context ends every part of the work.
	all := &ending{Context: context.Background(), after: math.MaxInt}
	if _, err := projection.NewOverview(all, s, points, c, 3); err != nil || all.asked < 4*groups {
		t.Errorf("%v; the context was asked %d times", err, all.asked)
	}
	for after := range all.asked {
		if _, err := projection.NewOverview(&ending{Context: all, after: after}, s, points, c, 3); !errors.Is(err, context.Canceled) {
			t.Errorf("ended at question %d of %d: %v", after, all.asked, err)
		}
	}
}

// An ending context ends when it has been asked so often.
type ending struct {
	context.Context
	asked, after int
}

func (e *ending) Err() error {
	if e.asked++; e.asked > e.after {
		return context.Canceled
	}
	return nil
}

// Groups are those that greedy unions of the least cost make.
func TestGroupsAreWards(t *testing.T) {
	const words, dim = 90, 5
	s := planted(t, words, 1, dim, 0)
	v := make([][]float64, words)
	for i := range v {
		unit := make([]float32, dim)
		vectors.Unit(unit, s.Vectors().Row(i))
		for _, x := range unit {
			v[i] = append(v[i], float64(x))
		}
	}
	c := &projection.Clusters{Of: make([]int32, words), Sizes: slices.Repeat([]int{1}, words)}
	var groups [][]int
	for i := range c.Of {
		c.Of[i] = int32(i)
		groups = append(groups, []int{i})
	}
	spread := func(group []int) (sum float64) { // of squared distances from the mean
		for k := range dim {
			var x, square float64
			for _, i := range group {
				x, square = x+v[i][k], square+v[i][k]*v[i][k]
			}
			sum += square - x*x/float64(len(group))
		}
		return sum
	}
	o, err := projection.NewOverview(context.Background(), s, make([]projection.Point, words), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	for len(groups) > 13 { // √180
		least, a, b := math.Inf(1), 0, 0
		for j := range groups {
			for i := range j {
				if cost := spread(slices.Concat(groups[i], groups[j])) - spread(groups[i]) - spread(groups[j]); cost < least {
					least, a, b = cost, i, j
				}
			}
		}
		groups[a] = slices.Sorted(slices.Values(slices.Concat(groups[a], groups[b])))
		groups = slices.Delete(groups, b, b+1)
	}
	if len(o.Coarse) != len(groups) {
		t.Errorf("%d groups, want %d", len(o.Coarse), len(groups))
	}
	for _, g := range o.Coarse {
		if !slices.ContainsFunc(groups, func(want []int) bool { return slices.Equal(g.Of, want) }) {
			t.Errorf("%v is no group of %v", g.Of, groups)
		}
	}
}
