package train

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// A growth says how the vocabulary grows with the text. Its points are of a sample, each 2^(1/4) times as long as the one before it.
type growth struct {
	counts   map[string]uint64
	tokens   uint64 // of the sample
	points   []grown
	minCount uint64
	frequent int    // words that occur minCount times
	kept     uint64 // their occurrences
	text     int    // bytes of all words
}

type grown struct{ tokens, words, frequent, dropped float64 }

func newGrowth(minCount int) *growth {
	return &growth{counts: map[string]uint64{}, minCount: uint64(max(1, minCount))}
}

func (g *growth) add(token []byte) {
	n := g.counts[string(token)] + 1
	g.counts[string(token)] = n
	g.tokens++
	switch {
	case n == g.minCount:
		g.frequent++
		g.kept += n
	case n > g.minCount:
		g.kept++
	}
	if n == 1 {
		g.text += len(token)
	}
	if next := g.next(); float64(g.tokens) >= next {
		g.mark()
	}
}

func (g *growth) next() float64 {
	if len(g.points) == 0 {
		return 1 << 12
	}
	return g.points[len(g.points)-1].tokens * math.Sqrt(math.Sqrt2)
}

func (g *growth) mark() {
	n := float64(g.tokens)
	g.points = append(g.points, grown{n, float64(len(g.counts)), float64(g.frequent), 1 - float64(g.kept)/max(n, 1)})
}

// read counts the pieces of a sample, and returns how many tokens the whole corpus is estimated to have.
func (g *growth) read(ctx context.Context, src *corpus.Source, weights []float64) (all float64, err error) {
	shards, err := src.Shards(1)
	if err != nil {
		return 0, err
	}
	for i, shard := range shards {
		before := g.tokens
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		r, err := shard.Open(ctx)
		if err != nil {
			return 0, err
		}
		for {
			token, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return 0, errors.Join(err, r.Close())
			}
			if len(token) > 0 {
				g.add(token)
			}
		}
		if err := r.Close(); err != nil {
			return 0, err
		}
		weight := 0.0
		if len(shards) == len(weights) {
			weight = weights[i]
		} else { // sessions are one shard
			for _, w := range weights {
				weight += w / float64(len(weights))
			}
		}
		all += float64(g.tokens-before) * weight
	}
	g.mark()
	return all, nil
}

// at extrapolates one of the columns of the points to another number of tokens: the logarithm grows along a parabola
// through the last points, whose slope does not turn.
func (g *growth) at(tokens float64, column func(grown) float64) float64 {
	last := g.points[len(g.points)-1]
	if tokens <= last.tokens || column(last) <= 0 {
		return column(last)
	}
	// The slope of the last two octaves, and that of the two before them, say how the slope changes.
	late, early := slope(g.points, column, 1, 4), slope(g.points, column, 4, 16)
	bend := 0.0
	if !math.IsNaN(early) {
		bend = (late - early) / math.Log(4)
	}
	now := late + bend*math.Log(2) // the slope in the middle of the last octaves, carried on to their end
	x := math.Log(tokens / last.tokens)
	const half = 6 // the bend fades within so many e-folds
	fade := half * (1 - math.Exp(-x/half))
	grown := now*x + bend*half*(x-fade)
	return column(last) * math.Exp(grown)
}

// slope is the slope of the logarithm between the points that have 1/from and 1/to of the last one's tokens.
func slope(points []grown, column func(grown) float64, from, to float64) float64 {
	last := points[len(points)-1].tokens
	near := func(tokens float64) grown {
		return slices.MinFunc(points, func(a, b grown) int {
			return cmp.Compare(math.Abs(math.Log(a.tokens/tokens)), math.Abs(math.Log(b.tokens/tokens)))
		})
	}
	a, b := near(last/to), near(last/from)
	if a.tokens >= b.tokens || column(a) <= 0 || column(b) <= 0 {
		return math.NaN()
	}
	return math.Log(column(b)/column(a)) / math.Log(b.tokens/a.tokens)
}

// An outlook is what a sample says about the whole corpus.
type outlook struct {
	tokens   float64 // of the whole corpus
	distinct int     // words, however rare
	words    int     // of the vocabulary
	kept     float64 // tokens of the vocabulary
}

func (g *growth) outlook(tokens float64, maxVocab int) outlook {
	o := outlook{tokens: tokens}
	o.distinct = int(math.Round(g.at(tokens, func(p grown) float64 { return p.words })))
	o.words = min(o.distinct, int(math.Round(g.at(tokens, func(p grown) float64 { return p.frequent }))))
	if tokens > float64(g.tokens) && o.words == 0 { // too short a sample for a single frequent word
		o.words = min(len(g.counts), int(tokens)/int(g.minCount))
	}
	o.kept = tokens * (1 - min(1, max(0, g.at(tokens, func(p grown) float64 { return p.dropped }))))
	if maxVocab > 0 {
		o.words = min(o.words, maxVocab)
	}
	return o
}

// vocabulary makes the vocabulary that the whole corpus may have: of the words of the sample, most frequent first, and
// of words that are made of parts of its rare ones.
func (g *growth) vocabulary(o outlook) (*vocab.Vocab, error) {
	type word struct {
		token string
		count uint64
	}
	var all []word
	for token, count := range g.counts {
		all = append(all, word{token, count})
	}
	slices.SortFunc(all, func(a, b word) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.token, b.token)) })
	scale := o.tokens / float64(max(1, g.tokens))
	if scale <= 1 {
		scale = 1
	}
	n := max(1, o.words)
	seen := all
	all = slices.Clone(all[:min(n, len(all))])
	r := rand.New(rand.NewPCG(1, 2))
	rare := seen[len(seen)/2:]
	for tries := 0; len(all) < n; tries++ {
		a, b := []rune(rare[r.IntN(len(rare))].token), []rune(rare[r.IntN(len(rare))].token)
		token := string(a[:(len(a)+1)/2]) + string(b[len(b)/2:])
		if _, known := g.counts[token]; known || len(token) > corpus.MaxToken || tries > 50*n {
			token = string(a) + "-" + string(b[:min(len(b), 3)]) + string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26)))
			if _, known := g.counts[token]; known || len(token) > corpus.MaxToken {
				continue
			}
		}
		g.counts[token] = 0
		all = append(all, word{token, 0})
	}
	const sure = 20 // counts from here on are scaled; rarer words fall to the least count along a straight line of logarithms
	head := 0
	for head < len(all) && (all[head].count >= sure || scale == 1) {
		all[head].count = uint64(math.Round(float64(all[head].count) * scale))
		head++
	}
	if head < len(all) {
		first, least := float64(g.minCount)*4, float64(g.minCount)
		if head > 0 {
			first = max(least, float64(all[head-1].count))
		}
		from, to := math.Log(float64(head+1)), math.Log(float64(len(all)+1))
		for i := head; i < len(all); i++ {
			at := (math.Log(float64(i+1)) - from) / max(to-from, 1e-9)
			all[i].count = uint64(math.Round(math.Exp(math.Log(first)*(1-at) + math.Log(least)*at)))
		}
	}
	tokens, counts := make([]string, len(all)), make([]uint64, len(all))
	for i, w := range all {
		tokens[i], counts[i] = w.token, max(1, w.count)
	}
	return vocab.New(tokens, counts)
}
