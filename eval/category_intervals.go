package eval

import "github.com/w2v-go/w2v/internal/clustering"

// entropyIntervals returns the 95 % intervals of homogeneity, completeness and V-measure; see
// resampling. They are about other sets of as many words.
func (r CategoryResult) entropyIntervals(rules Rules) (homogeneity, completeness, v Interval) {
	h, c, both := r.entropies()
	interval := func(s Sample, score func(*clustering.Table) float64) Interval {
		of := resampling{items: s.Items, score: s.Score, widening: r.widening(s, score)}
		return of.draw(rules).interval()
	}
	return interval(h, (*clustering.Table).Homogeneity), interval(c, (*clustering.Table).Completeness), interval(both, (*clustering.Table).VMeasure)
}

// entropies returns samples of homogeneity, completeness and V-measure. The entropies in them are
// means over words of −ln of the shares of their categories and clusters. The shares are those of
// all used words: so the scores do not grow with the words that are drawn twice.
func (r CategoryResult) entropies() (homogeneity, completeness, v Sample) {
	t := clustering.Count(r.clusters, r.classes)
	n := len(r.clusters)
	class, classInCluster, of, ofClass := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, k := range r.clusters {
		class[i], classInCluster[i], of[i], ofClass[i] = t.Surprisals(k, r.classes[i])
	}
	explained := func(all, rest []float64) func(weights []float64) float64 {
		whole, part := weightedMean(all), weightedMean(rest)
		return func(weights []float64) float64 {
			if total := whole(weights); total != 0 {
				return max(0, 1-part(weights)/total) // NaN if all weights are 0
			}
			return 1
		}
	}
	items := r.items()
	h, c := explained(class, classInCluster), explained(of, ofClass)
	return Sample{Items: items, Score: h}, Sample{Items: items, Score: c}, Sample{Items: items, Score: func(weights []float64) float64 {
		h, c := h(weights), c(weights)
		if h+c == 0 {
			return 0
		}
		return 2 * h * c / (h + c)
	}}
}

// mostWidening keeps resamples of clusters that tell almost nothing about categories from losing
// most of their words.
const mostWidening = 4

// widening returns the jackknife's variance of a score over that of its influence function, which is
// about that of resamples. Each word has a part in the shares that the entropies are made of, and
// resamples keep these shares. Without widening, intervals of V-measure would cover 84–91 %. The
// jackknife errs to the other side (Efron and Stein 1981).
func (r CategoryResult) widening(s Sample, score func(*clustering.Table) float64) float64 {
	type cell struct{ cluster, class int } // whose words move the score alike
	type move struct{ frozen, counted float64 }
	moves := map[cell]move{}
	t, weights := clustering.Count(r.clusters, r.classes), ones(len(r.clusters))
	whole := score(t)
	var influence, sum, squares float64
	for i, k := range r.clusters {
		at := cell{k, r.classes[i]}
		m, known := moves[at]
		if !known {
			weights[i] = 0
			m = move{frozen: s.Score(weights) - whole, counted: t.Without(at.cluster, at.class, score) - whole}
			weights[i] = 1
			moves[at] = m
		}
		influence += m.frozen * m.frozen
		sum += m.counted
		squares += m.counted * m.counted
	}
	if influence == 0 {
		return 1
	}
	return min(mostWidening, (squares-sum*sum/float64(len(r.clusters)))/influence)
}
