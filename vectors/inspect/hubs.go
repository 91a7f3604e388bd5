package inspect

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Hub is a word and the number of words that have it among their nearest.
type Hub struct {
	Word        string  `json:"word"`
	ID          int     `json:"-"`
	Occurrences int     `json:"occurrences"` // N_k: how many of the queried words have it among their k nearest
	Estimate    float64 `json:"estimate"`    // about N_k if all words were queried: Occurrences divided by the share queried
}

// Hubs say how often words are among the nearest k words, by cosine, of other words. If all words are asked,
// N_k is k on average; in many dimensions a few words have a far larger one (Radovanović, Nanopoulos and
// Ivanović 2010).
type Hubs struct {
	K       int  `json:"k"`
	Words   int  `json:"words"`   // possible neighbours: words whose vectors have a direction
	Queries int  `json:"queries"` // words queried
	Exact   bool `json:"exact"`   // all words were queried; else a random sample
	// Skewness is the standardised third moment of N_k over the words: S_Nk of Radovanović et al. It is about
	// 0 without hubs, and above 1 where there are. A sample of queries makes it smaller.
	Skewness float64 `json:"skewness"`
	Mean     float64 `json:"mean"`               // N_k: k times queries over words, unless there are no k others
	Over10   int     `json:"over_10_times_mean"` // number of words with more than ten times the mean
	Never    int     `json:"never"`              // number of words that are no queried word's neighbour
	Top      []Hub   `json:"top"`                // the words of largest N_k
}

const batch = 512

func (h *Hubs) find(ctx context.Context, s *vectors.Set, o Options) error {
	*h = Hubs{K: o.Neighbors, Top: []Hub{}}
	rows, inverse := s.Directions()
	if err := s.Err(); err != nil {
		return err
	}
	var ids []int
	for id, x := range inverse {
		if x == x { // a direction
			ids = append(ids, id)
		}
	}
	h.Words = len(ids)
	asked := sample(ids, o)
	h.Queries, h.Exact = len(asked), len(asked) == len(ids)
	if len(asked) == 0 {
		return nil
	}
	occurrences := make([]int, s.Len())
	queries := make([]vectors.Query, min(batch, len(asked)))
	for first := 0; first < len(asked); first += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		o.Progress("looking for hubs", float64(first)/float64(len(asked)))
		these := asked[first:min(len(asked), first+batch)]
		for i, id := range these {
			queries[i] = vectors.Query{Vector: rows.Row(id), K: h.K, Skip: []int{id}}
		}
		found, err := s.Nearest(ctx, queries[:len(these)]...)
		if err != nil {
			return err
		}
		for _, near := range found {
			for _, n := range near {
				occurrences[n.ID]++
			}
		}
	}
	h.summarise(s, ids, occurrences, o.Top)
	return nil
}

func sample(ids []int, o Options) []int {
	if len(ids) <= o.Queries {
		return ids
	}
	chosen := slices.Clone(ids)
	random := rand.New(rand.NewPCG(o.Seed, 1))
	for i := range o.Queries {
		j := i + random.IntN(len(chosen)-i)
		chosen[i], chosen[j] = chosen[j], chosen[i]
	}
	chosen = chosen[:o.Queries]
	slices.Sort(chosen)
	return chosen
}

func (h *Hubs) summarise(s *vectors.Set, ids, occurrences []int, top int) {
	n := float64(len(ids))
	for _, id := range ids {
		h.Mean += float64(occurrences[id]) / n
		if occurrences[id] == 0 {
			h.Never++
		}
	}
	var second, third float64
	for _, id := range ids {
		x := float64(occurrences[id]) - h.Mean
		second += x * x / n
		third += x * x * x / n
		if float64(occurrences[id]) > 10*h.Mean {
			h.Over10++
		}
	}
	if second > 0 {
		h.Skewness = third / math.Pow(second, 1.5)
	}
	order := slices.Clone(ids)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(occurrences[b], occurrences[a]) })
	for _, id := range order[:min(top, len(order))] {
		if occurrences[id] > 0 {
			h.Top = append(h.Top, Hub{s.Words().At(id), id, occurrences[id], float64(occurrences[id]) * n / float64(h.Queries)})
		}
	}
}
