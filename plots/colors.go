package plots

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/clustering"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// A Coloring says which colour each word of a map has: that of its group, or one for its number. The
// zero value gives all words one colour.
type Coloring struct {
	Name   string // what groups or numbers are, as "country"
	Groups []string
	Of     []int      // index of the group of each word; −1 for none
	Values []*float64 // number of each word; nil for none
}

func (c Coloring) check(words int) error {
	for _, n := range []int{len(c.Of), len(c.Values)} {
		if n > 0 && n != words {
			return fmt.Errorf("plots: there are colours for %d words, and %d words", n, words)
		}
	}
	for _, g := range c.Of {
		if g < -1 || g >= len(c.Groups) {
			return fmt.Errorf("plots: a word is in group %d, and there are %d", g, len(c.Groups))
		}
	}
	return nil
}

// ByField colours words by a field of a table.
func ByField(f metadata.Field) Coloring {
	if f.Kind == metadata.Number {
		return Coloring{Name: f.Name, Values: f.Numbers}
	}
	return Coloring{Name: f.Name, Groups: f.Categories, Of: f.Of}
}

// MaxClusters is how many clusters there may be: colours and shapes of more could not be told apart, and k-means
// would take long.
const MaxClusters = 100

// ByCluster colours words by k clusters of their directions, found by k-means; k is from 1 to MaxClusters, and at
// most the number of words. A cluster is named by its words that are nearest to its mean. Clusters are in the order
// of their first words.
func ByCluster(words []Word, k int, seed uint64) (Coloring, error) {
	if k < 1 || k > min(MaxClusters, len(words)) {
		return Coloring{}, fmt.Errorf("plots: %d words cannot make %d clusters, want from 1 to %d", len(words), k, min(MaxClusters, len(words)))
	}
	rows, err := units(words)
	if err != nil {
		return Coloring{}, err
	}
	points := make([][]float64, len(words))
	for i := range points {
		points[i] = make([]float64, rows.Cols)
		for d, x := range rows.Row(i) {
			points[i][d] = float64(x)
		}
	}
	found := clustering.KMeans(points, k, rand.New(rand.NewPCG(seed, 1)))
	c := Coloring{Name: "cluster", Of: make([]int, len(words))}
	var members [][]int
	number := map[int]int{}
	for i, of := range found.Of {
		n, known := number[of]
		if !known {
			n = len(members)
			number[of], members = n, append(members, nil)
		}
		c.Of[i], members[n] = n, append(members[n], i)
	}
	for _, of := range members {
		c.Groups = append(c.Groups, central(words, points, of))
	}
	return c, nil
}

// central names a cluster by its words that are nearest to its mean.
func central(words []Word, points [][]float64, members []int) string {
	mean := make([]float64, len(points[0]))
	for _, i := range members {
		for d, x := range points[i] {
			mean[d] += x
		}
	}
	near := func(i int) (sum float64) {
		for d, x := range points[i] {
			sum += x * mean[d]
		}
		return sum
	}
	by := slices.Clone(members)
	slices.SortStableFunc(by, func(a, b int) int {
		switch x, y := near(a), near(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	const named = 3
	var names []string
	for _, i := range by[:min(named, len(by))] {
		names = append(names, words[i].Text)
	}
	text := strings.Join(names, ", ")
	if len(by) > named {
		text += " …"
	}
	return text
}
