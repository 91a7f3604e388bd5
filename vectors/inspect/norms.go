package inspect

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Quantiles are of Euclidean norms. A quantile lies between two norms if need be (type 7 of Hyndman
// and Fan 1996).
type Quantiles struct {
	Words int     `json:"words"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Q05   float64 `json:"q05"`
	Q25   float64 `json:"q25"`
	Q50   float64 `json:"q50"`
	Q75   float64 `json:"q75"`
	Q95   float64 `json:"q95"`
	Max   float64 `json:"max"`
}

// A NormBand is the norms of words of about the same frequency.
type NormBand struct {
	FirstRank int    `json:"first_rank"` // from 1, the most frequent word
	LastRank  int    `json:"last_rank"`
	MinCount  uint64 `json:"min_count,omitempty"` // 0 where counts are not known
	MaxCount  uint64 `json:"max_count,omitempty"`
	Quantiles
}

// Norms are the lengths of the vectors of words.
type Norms struct {
	Quantiles            // of all words with finite vectors
	Zero      int        `json:"zero"`       // words whose vector is all zeros
	NotFinite int        `json:"not_finite"` // words with a NaN or an infinity in their vector
	Bands     []NormBand `json:"bands"`      // by frequency
	// Counted says that ranks are by counts; otherwise they are the order of the words.
	Counted bool `json:"ranks_by_count"`
}

// bandEnds are the last ranks of the bands, but for the last one.
func bandEnds() []int { return []int{100, 1000, 10_000, 100_000, 1_000_000} }

// summarise fills in what the norms of all words say; NaN stands for a vector that is not finite.
func (n *Norms) summarise(s *vectors.Set, norms []float64) {
	order := make([]int, len(norms))
	for id := range order {
		order[id] = id
	}
	counts := s.Counts()
	if n.Counted = counts != nil; n.Counted {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	}
	for _, x := range norms {
		switch {
		case math.IsNaN(x):
			n.NotFinite++
		case x == 0:
			n.Zero++
		}
	}
	n.Quantiles = quantilesOf(norms, order)
	n.Bands = []NormBand{}
	first := 0
	for _, end := range append(bandEnds(), len(order)) {
		end = min(end, len(order))
		if first >= end {
			break
		}
		band := NormBand{FirstRank: first + 1, LastRank: end, Quantiles: quantilesOf(norms, order[first:end])}
		if n.Counted {
			band.MaxCount, band.MinCount = counts[order[first]], counts[order[end-1]]
		}
		n.Bands = append(n.Bands, band)
		first = end
	}
}

// quantilesOf returns those of the finite norms of some words.
func quantilesOf(norms []float64, ids []int) Quantiles {
	sorted := make([]float64, 0, len(ids))
	sum := 0.0
	for _, id := range ids {
		if x := norms[id]; !math.IsNaN(x) {
			sorted = append(sorted, x)
			sum += x
		}
	}
	if len(sorted) == 0 {
		return Quantiles{}
	}
	slices.Sort(sorted)
	at := func(q float64) float64 {
		at := q * float64(len(sorted)-1)
		below := int(at)
		above := min(below+1, len(sorted)-1)
		return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
	}
	return Quantiles{
		Words: len(sorted), Mean: sum / float64(len(sorted)),
		Min: sorted[0], Q05: at(0.05), Q25: at(0.25), Q50: at(0.5), Q75: at(0.75), Q95: at(0.95), Max: sorted[len(sorted)-1],
	}
}

// moments measures what sums over all words say: norms and isotropy.
func (r *Report) moments(ctx context.Context, s *vectors.Set, o Options) error {
	all, err := sum(ctx, s, o)
	if err != nil {
		return err
	}
	r.Norms.summarise(s, all.norms)
	r.Isotropy, err = all.isotropy(ctx, o)
	return err
}
