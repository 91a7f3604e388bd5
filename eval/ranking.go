package eval

import (
	"math"
	"slices"
)

// depth is how many documents are found for a query, as in runs for trec_eval.
const depth = 1000

// A hit is a document that is found, by its number in the set.
type hit struct {
	document int32
	score    float32
}

// A rank orders hits, the best as the largest number: by score, and of equal scores the earlier document.
type rank uint64

func rankOf(h hit) rank { return rank(uint32(ordered(h.score))^1<<31)<<32 | rank(^uint32(h.document)) }

func (r rank) hit() hit {
	return hit{document: int32(^uint32(r)), score: unordered(int32(uint32(r>>32) ^ 1<<31))}
}

// A ranking is the documents that are found for a query, the best first.
type ranking struct {
	hits      []hit
	rest      float64 // score of the documents that are not among the hits
	deviation float64 // standard deviation of the scores of all documents
}

// A top keeps the best hits, up to depth. It has up to twice as many between two sorts.
type top struct {
	ranks        []rank
	floor        rank    // ranks up to this are not among the best
	sum, squares float64 // of all scores
}

func (t *top) offer(h hit) {
	t.sum += float64(h.score)
	t.squares += float64(float64(h.score) * float64(h.score))
	r := rankOf(h)
	if r <= t.floor {
		return
	}
	if t.ranks = append(t.ranks, r); len(t.ranks) == 2*depth {
		t.cut()
		t.floor = t.ranks[0]
	}
}

// cut keeps the best hits, the best last.
func (t *top) cut() {
	slices.Sort(t.ranks)
	t.ranks = append(t.ranks[:0], t.ranks[max(0, len(t.ranks)-depth):]...)
}

// of returns the ranking of n documents, of which those that were not offered have the score 0.
func (t *top) of(n int) ranking {
	t.cut()
	mean := t.sum / float64(n)
	r := ranking{hits: make([]hit, 0, len(t.ranks)), deviation: math.Sqrt(max(0, t.squares/float64(n)-float64(mean*mean)))}
	for _, k := range slices.Backward(t.ranks) {
		r.hits = append(r.hits, k.hit())
	}
	if len(r.hits) == depth {
		r.rest = float64(r.hits[depth-1].score)
	}
	return r
}

// A judged query has the grades of documents that are in the set, by number, and the grades of all relevant
// documents, the largest first.
type judged struct {
	grades map[int32]int
	ideal  []int
}

// A retrievalMetric computes a number from the best hits of a query that has relevant documents.
type retrievalMetric struct {
	name string
	of   func(q *judged, best []hit) float64
}

// retrievalMetrics are those of trec_eval that are called ndcg_cut_10, map_cut_1000, recip_rank of the first ten, recall_10
// and recall_100. The first is the score.
var retrievalMetrics = []retrievalMetric{
	{"ndcg@10", func(q *judged, best []hit) float64 { return q.discountedGain(best, 10) }},
	{"map", (*judged).averagePrecision},
	{"mrr@10", func(q *judged, best []hit) float64 { return q.reciprocalRank(best, 10) }},
	{"recall@10", func(q *judged, best []hit) float64 { return q.recall(best, 10) }},
	{"recall@100", func(q *judged, best []hit) float64 { return q.recall(best, 100) }},
}

// discountedGain is the normalized discounted cumulative gain of Järvelin and Kekäläinen (2002), with the grade as gain:
// the sum of grades divided by log2(rank+1), as a share of that of the ideal order.
func (q *judged) discountedGain(best []hit, k int) float64 {
	gain, ideal := 0.0, 0.0
	for i, h := range best[:min(k, len(best))] {
		gain += float64(max(0, q.grades[h.document])) / math.Log2(float64(i+2))
	}
	for i, grade := range q.ideal[:min(k, len(q.ideal))] {
		ideal += float64(grade) / math.Log2(float64(i+2))
	}
	return gain / ideal
}

// averagePrecision is the mean over all relevant documents of the precision at their ranks; 0 for those that are not found.
func (q *judged) averagePrecision(best []hit) float64 {
	found, sum := 0, 0.0
	for i, h := range best {
		if q.grades[h.document] > 0 {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(len(q.ideal))
}

func (q *judged) reciprocalRank(best []hit, k int) float64 {
	i := slices.IndexFunc(best[:min(k, len(best))], func(h hit) bool { return q.grades[h.document] > 0 })
	if i < 0 {
		return 0
	}
	return 1 / float64(i+1)
}

func (q *judged) recall(best []hit, k int) float64 {
	found := 0
	for _, h := range best[:min(k, len(best))] {
		if q.grades[h.document] > 0 {
			found++
		}
	}
	return float64(found) / float64(len(q.ideal))
}

// fused returns the hits of vectors and of BM25, ordered by the sum of their standardized scores, in which those of vectors
// have a weight and those of BM25 the rest of 1.
func fused(dense, lexical ranking, weight float64) []hit {
	scores := make(map[int32]float64, len(dense.hits)+len(lexical.hits))
	for _, of := range []struct {
		ranking
		weight float64
	}{{dense, weight}, {lexical, 1 - weight}} {
		if of.deviation == 0 {
			of.weight, of.deviation = 0, 1
		}
		for _, h := range of.hits {
			scores[h.document] += float64(of.weight * (float64(h.score) - of.rest) / of.deviation)
		}
	}
	var t top
	for document, score := range scores {
		t.offer(hit{document, float32(score)})
	}
	return t.of(len(scores)).hits
}
