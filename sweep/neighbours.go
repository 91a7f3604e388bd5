package sweep

import (
	"context"
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// neighbours judges vectors without labels: by the share of the nearest words of a word that are the same in models of two halves of
// the text. docs/tune.md has how well that ranks settings, beside what else was tried.
type neighbours struct {
	words []int // whose neighbours are compared
	items []eval.Item
}

const (
	neighbourWords = 500
	neighbourAmong = 6000 // the most frequent words, of which neighbours are
	neighbourFirst = 100  // more frequent words have no meaning of their own
	neighbourCount = 10
	leastWords     = 300
)

var errSmall = errors.New("the text is too small to be judged by its halves: give evaluation sets")

func newNeighbours(v *vocab.Vocab) (*neighbours, error) {
	if v.Len() < leastWords {
		return nil, errSmall
	}
	n, r := &neighbours{}, rand.New(rand.NewPCG(1, 0))
	for _, k := range r.Perm(min(v.Len(), neighbourAmong) - neighbourFirst) {
		if len(n.words) < neighbourWords {
			n.words = append(n.words, neighbourFirst+k)
			n.items = append(n.items, eval.Item{Key: v.Token(neighbourFirst + k), Independent: true})
		}
	}
	return n, nil
}

func (n *neighbours) measure(ctx context.Context, halves []*vectors.Set, interval bool) ([]eval.Record, error) {
	var near [2][][]vectors.Neighbor
	for i := range near {
		set := halves[i].Plain()
		var queries []vectors.Query
		for _, id := range n.words {
			v := make([]float32, set.Dim())
			set.WordVector(v, id)
			queries = append(queries, vectors.Query{Vector: v, K: neighbourCount, First: neighbourAmong, Skip: []int{id}})
		}
		var err error
		if near[i], err = set.Nearest(ctx, queries...); err != nil {
			return nil, err
		}
	}
	values, sum := make([]float64, len(n.words)), 0.0
	for i := range n.words {
		both := map[string]bool{}
		for _, of := range near[0][i] {
			both[of.Word] = true
		}
		for _, of := range near[1][i] {
			if both[of.Word] {
				values[i] += 1. / neighbourCount
			}
		}
		sum += values[i] / float64(len(n.words))
	}
	score := func(weights []float64) float64 {
		sum, all := 0.0, 0.0
		for i, w := range weights {
			sum, all = sum+w*values[i], all+w
		}
		return sum / all
	}
	r := eval.Record{
		Summary: eval.Summary{Set: "halves of the text", Metric: "same neighbours", Score: eval.Score(sum), Items: len(values), Used: len(values)},
		Result:  eval.Result{Sample: eval.Sample{Items: n.items, Score: score, Values: values}},
	}
	if interval {
		half := distuv.UnitNormal.Quantile(0.975) * stat.StdErr(stat.StdDev(values, nil), float64(len(values)))
		r.Interval = eval.Between(sum-half, sum+half)
	}
	return []eval.Record{r}, nil
}
