package lessons

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/tokenizer"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

func (s *source) oneHot(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	words := choice(set, min(200, numbersOfAPage/of.Dim))
	ids := make([]int, len(words))
	for i, word := range words {
		ids[i], _ = set.ID(word)
	}
	return struct {
		Model facts `json:"model"`
		Rows  rows  `json:"rows"`
		IDs   []int `json:"ids"`
		Bytes int   `json:"bytes"` // of a number
	}{of, rowsOf(set, words), ids, 4}, nil
}

func (s *source) lookup(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	return struct {
		Model facts `json:"model"`
		Rows  rows  `json:"rows"`
		Shown int   `json:"shown"` // dimensions that fit
	}{of, rowsOf(set, choice(set, 10)), min(of.Dim, 6)}, nil
}

func (s *source) negatives(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	if set.Counts() == nil { // of which this lesson is
		if set, of, err = new(source).vectors(ctx); err != nil {
			return nil, err
		}
	}
	order := set.ByFrequency()
	const most = 5000
	n := min(most, len(order))
	words, counts, total, rest := make([]string, n), make([]uint64, n), uint64(0), uint64(0)
	for i, id := range order {
		c := set.Counts()[id]
		total += c
		if i < n {
			words[i], counts[i] = set.Words().At(id), c
		} else {
			rest += c
		}
	}
	shown := []int{}
	for i := 0; i < n; i = max(i+1, i*2) {
		shown = append(shown, i)
	}
	return struct {
		Model  facts    `json:"model"`
		Words  []string `json:"words"`
		Counts []uint64 `json:"counts"`
		Others int      `json:"others"` // rarer words
		Rest   uint64   `json:"rest"`   // their occurrences
		Total  uint64   `json:"total"`
		Shown  []int    `json:"shown"`
	}{of, words, counts, len(order) - n, rest, total, shown}, nil
}

// answering is how many of the most frequent words answer analogies.
const answering = 30_000

type analogyQuestion struct {
	Words   [3]string `json:"words"`
	Answers []near    `json:"answers"` // if the given words may not answer
	Given   []near    `json:"given"`   // and their own cosines
	Miss    float64   `json:"miss"`    // distance of the best answer from the corner, as a share of that of the first two words
}

type near struct {
	Word   string  `json:"word"`
	Cosine float64 `json:"cosine"`
}

// question answers an analogy of words that are in the set, and says how far the answer is from the corner. It has no
// answers if the vectors make no parallelogram: if a word has no direction, or a side or the corner has no length.
func question(ctx context.Context, set *vectors.Set, q [3]string) (a analogyQuestion, err error) {
	a.Words = q
	answers, err := set.Analogy(ctx, vectors.AnalogyOptions{K: 5, First: answering}, q)
	if err != nil || answers[0].Err != nil || len(answers[0].Neighbors) == 0 {
		return a, err
	}
	unit := func(word string) (v []float32, ok bool) {
		v = make([]float32, set.Dim())
		set.Vector(v, word)
		return v, vectors.Unit(v, v)
	}
	var u [3][]float32
	for i, word := range q {
		var ok bool
		if u[i], ok = unit(word); !ok {
			return a, nil
		}
	}
	best, ok := unit(answers[0].Neighbors[0].Word)
	corner, side, miss := make([]float32, set.Dim()), make([]float32, set.Dim()), make([]float32, set.Dim())
	for k := range corner {
		side[k] = u[1][k] - u[0][k]
		corner[k] = side[k] + u[2][k]
		miss[k] = best[k] - corner[k]
	}
	if !ok || norm(side) == 0 || norm(corner) == 0 {
		return a, nil
	}
	for _, n := range answers[0].Neighbors {
		if v, ok := unit(n.Word); ok {
			a.Answers = append(a.Answers, near{n.Word, vectors.Cosine(corner, v)})
		}
	}
	for i, word := range q {
		a.Given = append(a.Given, near{word, vectors.Cosine(corner, u[i])})
	}
	a.Miss = norm(miss) / norm(side)
	return a, nil
}

// scored answers the built-in analogies.
func scored(ctx context.Context, set *vectors.Set) (r eval.AnalogyResult, err error) {
	questions, err := eval.ReadSet(strings.NewReader(demo.Analogies()), "analogy", eval.TaskAnalogy)
	if err != nil {
		return r, err
	}
	result, err := eval.Evaluate(ctx, set, questions, eval.Options{Restrict: answering, Resamples: -1})
	if err != nil {
		return r, err
	}
	return result.Details.(eval.AnalogyResult), nil
}

// random returns vectors that learned nothing, of the first words of a set.
func random(set *vectors.Set) (*vectors.Set, error) {
	n := min(set.Len(), answering)
	m, r := vectors.NewMatrix(n, set.Dim()), rand.New(rand.NewPCG(1, 2))
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64())
	}
	words := make([]string, n)
	for i := range words {
		words[i] = set.Words().At(i)
	}
	return vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
}

func (s *source) parallelogram(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	chance, err := random(set)
	if err != nil {
		return nil, err
	}
	var d struct {
		Model     facts             `json:"model"`
		Rows      rows              `json:"rows"`
		Questions []analogyQuestion `json:"questions"`
		Asked     int               `json:"asked"` // of the built-in set, with words that the model has
		Score     eval.Score        `json:"score"`
		Chance    eval.Score        `json:"chance"` // the score of random vectors
	}
	d.Model = of
	words := choice(set, min(800, max(60, numbersOfAPage/of.Dim)))
	for _, q := range demo.Showcase() {
		if slices.ContainsFunc(q[:], func(word string) bool { _, ok := set.ID(word); return !ok }) {
			continue
		}
		a, err := question(ctx, set, q)
		if err != nil {
			return nil, err
		}
		if len(a.Answers) == 0 {
			continue
		}
		d.Questions = append(d.Questions, a)
		for _, n := range a.Answers {
			if !slices.Contains(words, n.Word) {
				words = append(words, n.Word)
			}
		}
	}
	own, err := scored(ctx, set)
	if err != nil {
		return nil, err
	}
	others, err := scored(ctx, chance)
	if err != nil {
		return nil, err
	}
	d.Rows, d.Asked, d.Score, d.Chance = rowsOf(set, words), own.Used, own.Accuracy, others.Accuracy
	return d, nil
}

func (s *source) dimension(context.Context) (any, error) {
	return struct {
		sweepPoints
		Own bool `json:"own"`
	}{s.sweep, s.ownSweep}, nil
}

// tried are words that the built-in text does not have.
var tried = []string{"unhappiness", "parisian", "bakeries"}

func (s *source) ngrams(ctx context.Context) (any, error) {
	set, err := builtInPieces.get(ctx)
	if err != nil {
		return nil, err
	}
	pieces := set.Subword()
	buckets := make([][]float32, pieces.Rows())
	for b := range buckets {
		if buckets[b] = set.BucketVector(uint32(b)); buckets[b] == nil {
			buckets[b] = make([]float32, set.Dim())
		}
	}
	type answered struct {
		Word   string   `json:"word"`
		Ngrams []string `json:"ngrams"`
		Ids    []uint32 `json:"buckets"`
		Near   []near   `json:"near"`
	}
	var d struct {
		MinN    int        `json:"minn"`
		MaxN    int        `json:"maxn"`
		Buckets rows       `json:"rows"` // of n-grams
		Words   rows       `json:"words"`
		Known   int        `json:"known"` // words of the vocabulary
		Tried   []answered `json:"tried"`
	}
	d.MinN, d.MaxN, d.Known = shortest, longest, set.Len()
	d.Buckets, d.Words = packed(buckets, set.Dim()), rowsOf(set, choice(set, 1500))
	for _, word := range tried {
		v := make([]float32, set.Dim())
		set.Vector(v, word)
		found, err := set.Nearest(ctx, vectors.Query{Vector: v, K: 5})
		if err != nil {
			return nil, err
		}
		a := answered{Word: word, Ngrams: pieces.Ngrams(word), Ids: pieces.Append(nil, word)}
		for _, n := range found[0] {
			a.Near = append(a.Near, near{n.Word, float64(n.Similarity)})
		}
		d.Tried = append(d.Tried, a)
	}
	return d, nil
}

func (s *source) collisions(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	order := set.ByFrequency()
	words := make([]string, min(3000, len(order)))
	for i := range words {
		words[i] = set.Words().At(order[i])
	}
	type count struct {
		Buckets int `json:"buckets"`
		Used    int `json:"used"`  // buckets with an n-gram
		Alone   int `json:"alone"` // n-grams with a bucket of their own
	}
	d := struct {
		Model  facts    `json:"model"`
		Words  []string `json:"words"`
		MinN   int      `json:"minn"`
		MaxN   int      `json:"maxn"`
		Ngrams int      `json:"ngrams"`
		Counts []count  `json:"counts"`
		Bytes  int      `json:"bytes"`
	}{Model: of, Words: words, MinN: 3, MaxN: 6, Bytes: 4}
	for _, buckets := range []int{1 << 10, 1 << 14, 1 << 18, 2_000_000} {
		f := subword.FastText{MinN: d.MinN, MaxN: d.MaxN, Buckets: buckets}
		bucketOf, in := map[string]uint32{}, map[uint32]int{}
		for _, word := range words {
			ids := f.Append(nil, word)
			for i, ngram := range f.Ngrams(word) {
				if _, known := bucketOf[ngram]; !known {
					bucketOf[ngram] = ids[i]
					in[ids[i]]++
				}
			}
		}
		c := count{Buckets: buckets, Used: len(in)}
		for _, n := range in {
			if n == 1 {
				c.Alone++
			}
		}
		d.Ngrams, d.Counts = len(bucketOf), append(d.Counts, c)
	}
	return d, nil
}

func (s *source) rank(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	// The right singular vectors of the rows are the eigenvectors of their square.
	n, dim := min(set.Len(), 20_000), of.Dim
	all := make([]float64, n*dim)
	vector := make([]float32, dim)
	for i := range n {
		set.WordVector(vector, i)
		for k, x := range vector {
			all[i*dim+k] = float64(x)
		}
	}
	square := make([]float64, dim*dim)
	if err := eigen.AddSquare(ctx, square, all, n, dim); err != nil {
		return nil, err
	}
	values, directions, err := eigen.Symmetric(ctx, square, dim, nil)
	if err != nil {
		return nil, err
	}
	// All scalar products of more words than there are dimensions: a matrix of that rank.
	more := min(n, dim+dim/2)
	products := make([]float64, more*more)
	if err := eigen.Multiply(ctx, products, all[:more*dim], false, all[:more*dim], true, more, dim, more); err != nil {
		return nil, err
	}
	ofProducts, _, err := eigen.Symmetric(ctx, products, more, nil)
	if err != nil {
		return nil, err
	}
	type kept struct {
		Rank       int     `json:"rank"`
		Neighbours float64 `json:"neighbours"` // the share of the ten nearest that stay
	}
	d := struct {
		Model    facts     `json:"model"`
		Used     int       `json:"used"`     // rows
		Singular []float64 `json:"singular"` // values of the rows
		Words    int       `json:"products"` // how many words' products
		Products []float64 `json:"values"`   // singular values of their matrix
		Kept     []kept    `json:"kept"`
	}{Model: of, Used: n, Words: more}
	for _, v := range values {
		d.Singular = append(d.Singular, rounded(math.Sqrt(max(v, 0))))
	}
	largest := ofProducts[0]
	if largest <= 0 { // every vector is zero
		largest = 1
	}
	for _, v := range ofProducts {
		d.Products = append(d.Products, rounded(max(v, 0)/largest))
	}
	coordinates := make([]float64, n*dim)
	if err := eigen.Multiply(ctx, coordinates, all, false, directions, false, n, dim, dim); err != nil {
		return nil, err
	}
	full := tenNearest(coordinates, n, dim, dim)
	for rank := 1; rank <= dim; rank = max(rank+1, rank*3/2) {
		same, all, reduced := 0, 0, tenNearest(coordinates, n, dim, rank)
		for i, ids := range full {
			all += len(ids)
			for _, id := range ids {
				if slices.Contains(reduced[i], id) {
					same++
				}
			}
		}
		d.Kept = append(d.Kept, kept{rank, rounded(float64(same) / float64(max(all, 1)))})
	}
	return d, nil
}

func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

const nearestOf = 10

// tenNearest returns the nearest of the first 1,000 rows to each of some of them, by their first numbers.
func tenNearest(all []float64, n, dim, first int) (nearest [][]int) {
	n = min(n, 1000)
	units := make([][]float32, n)
	for i := range units {
		units[i] = make([]float32, first)
		for k := range units[i] {
			units[i][k] = float32(all[i*dim+k])
		}
		vectors.Unit(units[i], units[i])
	}
	for i := 0; i < n; i += max(1, n/50) {
		cosines, order := make([]float64, n), make([]int, n)
		for j := range units {
			cosines[j], order[j] = dot(units[i], units[j]), j
		}
		cosines[i] = -2 // not the word itself
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(cosines[b], cosines[a])
		})
		nearest = append(nearest, order[:min(nearestOf, n-1)])
	}
	return nearest
}

// A transformer is the sizes of a decoder such as GPT-2.
type transformer struct {
	Vocabulary int `json:"vocabulary"`
	Width      int `json:"width"`
	Layers     int `json:"layers"`
	Context    int `json:"context"`
}

// gpt2 are the sizes of the smallest GPT-2 (Radford et al. 2019), whose input and output share a matrix.
var gpt2 = transformer{50_257, 768, 12, 1024}

// parameters counts those of a decoder with biases, layer norms, learned positions and a hidden layer of four times
// the width.
func (t transformer) parameters(tied bool) (n int) {
	const norms = 2 // weight and bias
	d := t.Width
	block := 4*d*d + 4*d /* attention */ + 2*4*d*d + 5*d /* hidden layer */ + 2*norms*d
	n = t.Vocabulary*d + t.Context*d + t.Layers*block + norms*d
	if !tied {
		n += t.Vocabulary * d
	}
	return n
}

func (s *source) tying(ctx context.Context) (any, error) {
	_, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	return struct {
		Model facts       `json:"model"`
		GPT2  transformer `json:"gpt2"`
		Tied  int         `json:"tied"`
		Two   int         `json:"two"`
		Bytes int         `json:"bytes"`
	}{of, gpt2, gpt2.parameters(true), gpt2.parameters(false), 4}, nil
}

func (s *source) scaling(ctx context.Context) (any, error) {
	set, of, err := s.vectors(ctx)
	if err != nil {
		return nil, err
	}
	words := choice(set, min(600, set.Len()))
	norms, vector, sum := make([]float64, len(words)), make([]float32, of.Dim), 0.0
	for i, word := range words {
		set.Vector(vector, word)
		norms[i] = rounded(norm(vector))
		sum += norms[i]
	}
	return struct {
		Model facts     `json:"model"`
		Words []string  `json:"words"`
		Norms []float64 `json:"norms"`
		Mean  float64   `json:"mean"`
		GPT2  int       `json:"width"`
	}{of, words, norms, sum / float64(len(norms)), gpt2.Width}, nil
}

func (s *source) bpe(ctx context.Context) (any, error) {
	const tokens = 800
	text := io.LimitReader(demo.Corpus(demo.DefaultSentences, demo.DefaultSeed), 1<<20)
	file, _, err := tokenizer.Train(ctx, corpus.Stream("the built-in text", text, corpus.Options{}), tokenizer.Options{
		PreTokenizer: tokenizer.Whitespace, VocabSize: tokens,
	})
	if err != nil {
		return nil, err
	}
	var of struct {
		Model struct {
			Merges [][2]string
			Vocab  map[string]int
		}
	}
	if err := json.NewDecoder(bytes.NewReader(file)).Decode(&of); err != nil {
		return nil, err
	}
	t, err := tokenizer.Parse(file)
	if err != nil {
		return nil, err
	}
	type cut struct {
		Word   string   `json:"word"`
		Tokens []string `json:"tokens"`
	}
	d := struct {
		Merges  [][2]string `json:"merges"`
		Letters []string    `json:"letters"`
		Tokens  int         `json:"tokens"`
		Tried   []cut       `json:"tried"`
	}{Merges: of.Model.Merges, Tokens: len(t.Tokens())}
	for token := range of.Model.Vocab {
		if len([]rune(token)) == 1 {
			d.Letters = append(d.Letters, token)
		}
	}
	slices.Sort(d.Letters)
	for _, word := range append([]string{"embeddings", "the"}, tried...) {
		ids, err := t.Encode(ctx, word)
		if err != nil {
			return nil, err
		}
		c := cut{Word: word}
		for _, id := range ids {
			c.Tokens = append(c.Tokens, t.Tokens()[id])
		}
		d.Tried = append(d.Tried, c)
	}
	return d, nil
}
