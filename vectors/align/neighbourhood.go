package align

import (
	"context"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// neighbourhoods are the nearest words of words in two sets, among those that are compared.
type neighbourhoods struct {
	old, new *vectors.Set
	pairs    []Pair
	k        int
	told     func(what string) func(done float64)
}

// measure sets the local measures of words.
func (n neighbourhoods) measure(ctx context.Context, words []Moved) error {
	inNew, inOld := split(n.pairs)
	old, err := n.side(ctx, n.old, inOld, words, "neighbours in the old set")
	if err != nil {
		return err
	}
	new, err := n.side(ctx, n.new, inNew, words, "neighbours in the new set")
	if err != nil {
		return err
	}
	for i := range words {
		w := &words[i]
		w.OldNeighbors, w.NewNeighbors = n.names(old.near[i]), n.names(new.near[i])
		w.Local, w.Jaccard = local(w.index, old, new, old.near[i], new.near[i])
	}
	return nil
}

// names returns rows as words.
func (n neighbourhoods) names(near []found) []vectors.Neighbor {
	names := make([]vectors.Neighbor, len(near))
	for i, f := range near {
		id := n.pairs[f.row].A
		names[i] = vectors.Neighbor{Word: n.new.Words().At(id), ID: id, Similarity: min(1, max(-1, f.score))}
	}
	return names
}

// A neighbourhood is the unit vectors of the words compared, in one set, and the nearest rows of
// each word that is measured.
type neighbourhood struct {
	units vectors.Matrix
	near  [][]found
}

func (n neighbourhoods) side(ctx context.Context, s *vectors.Set, ids []int, words []Moved, what string) (neighbourhood, error) {
	units, err := unitRows(s, ids)
	if err != nil {
		return neighbourhood{}, err
	}
	queries, self := vectors.NewMatrix(len(words), s.Dim()), make([]int, len(words))
	for i, w := range words {
		copy(queries.Row(i), units.Row(w.index))
		self[i] = w.index
	}
	side := neighbourhood{units, make([][]found, len(words))}
	if n.k == 0 {
		return side, nil
	}
	err = scan{queries: queries, rows: units, k: n.k, self: self, progress: n.told(what)}.run(ctx, func(query int, best []found) {
		side.near[query] = slices.Clone(best)
	})
	return side, err
}

// local returns the cosine distance of the similarities of a word, in two sets, to all that is near in
// either, and which share of these is near in both.
func local(word int, old, new neighbourhood, nearOld, nearNew []found) (distance, jaccard float64) {
	rows := make([]int, 0, len(nearOld)+len(nearNew))
	for _, f := range slices.Concat(nearOld, nearNew) {
		rows = append(rows, f.row)
	}
	slices.Sort(rows)
	all := len(rows)
	rows = slices.Compact(rows)
	if len(rows) == 0 {
		return 0, 1
	}
	var dot, squaresOld, squaresNew float64
	for _, row := range rows {
		x, y := old.similarity(word, row), new.similarity(word, row)
		dot += x * y
		squaresOld += x * x
		squaresNew += y * y
	}
	if squares := math.Sqrt(squaresOld * squaresNew); squares > 0 {
		distance = 1 - min(1, max(-1, dot/squares))
	}
	return distance, float64(all-len(rows)) / float64(len(rows))
}

// similarity returns the cosine of two words.
func (n neighbourhood) similarity(a, b int) float64 {
	var dot [1]float32
	simd.Dots(dot[:], 1, n.units.Row(a), n.units.Stride, 1, n.units.Row(b), n.units.Stride, 1, n.units.Cols)
	return float64(dot[0])
}
