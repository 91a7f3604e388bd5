package tokenizer

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/tokenizerfile"
	"golang.org/x/sync/errgroup"
)

// The training of Unigram goes on from more tokens than are wanted, by the EM algorithm, and leaves out those that the
// likelihood of the text needs least (Kudo, 2018: Subword Regularization). Expected counts are added in fixed point, so that
// the result does not depend on the number of threads.

// An estimator estimates the probabilities of tokens.
type estimator struct {
	o        Options
	words    *words
	alphabet map[string]bool

	tokens []string  // sorted by bytes
	scores []float64 // logarithms of their probabilities
	trie   tokenizerfile.Trie
	odds   []float64 // probabilities, times odds^bytes
	unit   float64   // logarithm of odds a byte: such that a text's probability is near 1
	shift  float64   // factor of fixed point
}

const (
	rounds    = 2       // of EM before tokens are left out
	shrinking = 0.75    // share of the tokens that stays, at least
	spare     = 1.1     // factor of the tokens that are wanted, until the last ones are left out
	mostSeeds = 1000000 // tokens to begin with
	seedsEach = 30      // of them for a token that is wanted
	fewest    = 0.5     // expected number of a token that stays
)

func (o Options) trainUnigram(ctx context.Context, w *words, alphabet []rune, r *Result) (any, error) {
	e := &estimator{o: o, words: w, alphabet: map[string]bool{}, unit: 1}
	total := uint64(0)
	for i, n := range w.counts {
		total += n * uint64(len(w.at(i)))
	}
	e.shift = math.Exp2(float64(60 - int(math.Ceil(math.Log2(float64(total)+2)))))
	for _, c := range alphabet {
		e.alphabet[string(c)] = true
	}
	if err := e.seed(ctx); err != nil {
		return nil, err
	}
	wanted := o.VocabSize - len(o.SpecialTokens)
	begun := len(e.tokens)
	for pruned := false; ; {
		for range rounds {
			if err := e.estimate(ctx, pruned); err != nil {
				return nil, err
			}
		}
		o.progress("estimating", max(begun-len(e.tokens), 0), max(begun-wanted, 1))
		if pruned || len(e.tokens) <= wanted {
			break
		}
		left := max(int(spare*float64(wanted)), int(shrinking*float64(len(e.tokens))))
		if pruned = left >= len(e.tokens); pruned {
			left = wanted
		}
		if err := e.prune(ctx, left); err != nil {
			return nil, err
		}
	}
	order := make([]int, len(e.tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.scores[b], e.scores[a]) })
	vocab := newList("[]")
	for _, token := range o.SpecialTokens {
		vocab.add("[%s,%g]", token, 0.0)
	}
	special := map[string]bool{}
	for _, token := range o.SpecialTokens {
		special[token] = true
	}
	r.Tokens = len(o.SpecialTokens)
	for _, i := range order {
		if !special[e.tokens[i]] {
			vocab.add("[%s,%g]", e.tokens[i], e.scores[i])
			r.Tokens++
		}
	}
	return object{"type": "Unigram", "unk_id": slices.Index(o.SpecialTokens, o.UnknownToken), "byte_fallback": false, "vocab": vocab}, nil
}

// keep leaves out the tokens that are not kept.
func (e *estimator) keep(kept func(i int) bool) {
	n := 0
	for i := range e.tokens {
		if kept(i) {
			e.tokens[n], e.scores[n] = e.tokens[i], e.scores[i]
			n++
		}
	}
	e.tokens, e.scores = e.tokens[:n], e.scores[:n]
	e.trie = tokenizerfile.NewTrie(e.tokens)
}

// chunk is how many words are a piece of work.
const chunk = 1 << 10

// each calls use for chunks of the words, in several goroutines that each have a lattice, and returns the lattices.
func (e *estimator) each(ctx context.Context, use func(l *lattice, number, from, to int)) ([]*lattice, error) {
	var next atomic.Int64
	lattices := make([]*lattice, e.o.Threads)
	g, ctx := errgroup.WithContext(ctx)
	for i := range lattices {
		l := &lattice{estimator: e, expected: make([]int64, len(e.tokens))}
		lattices[i] = l
		g.Go(func() error {
			for {
				number := int(next.Add(1)) - 1
				from := number * chunk
				if from >= e.words.len() {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				use(l, number, from, min(from+chunk, e.words.len()))
			}
		})
	}
	return lattices, g.Wait()
}

// sum adds the counts of several lattices.
func sum(lattices []*lattice) []int64 {
	all := lattices[0].expected
	for _, l := range lattices[1:] {
		for i, n := range l.expected {
			all[i] += n
		}
	}
	return all
}

// estimate is a round of EM. Tokens that are hardly expected are left out, unless all of them stay.
func (e *estimator) estimate(ctx context.Context, all bool) error {
	e.odds = make([]float64, len(e.tokens))
	for i, token := range e.tokens {
		e.odds[i] = math.Exp(e.scores[i] + e.unit*float64(len(token)))
	}
	logs := make([]float64, (e.words.len()+chunk-1)/chunk)
	lattices, err := e.each(ctx, func(l *lattice, number, from, to int) {
		for i := from; i < to; i++ {
			logs[number] += l.expect(e.words.at(i), e.words.counts[i])
		}
	})
	if err != nil {
		return err
	}
	expected := sum(lattices)
	likelihood, bytes := 0.0, 0.0
	for _, log := range logs {
		likelihood += log
	}
	for i := range e.words.len() {
		bytes += float64(e.words.counts[i]) * float64(len(e.words.at(i)))
	}
	e.unit = -likelihood / max(bytes, 1)
	total := 0.0
	number := make([]float64, len(expected))
	for i, n := range expected {
		if number[i] = float64(n) / e.shift; all || e.alphabet[e.tokens[i]] {
			number[i] = max(number[i], fewest)
		}
		if number[i] >= fewest {
			total += number[i]
		}
	}
	// The digamma function in place of the logarithm is a prior for few tokens (Liang and Klein, 2007).
	for i := range number {
		e.scores[i] = digamma(number[i]) - digamma(total)
	}
	if slices.ContainsFunc(number, func(n float64) bool { return n < fewest }) {
		e.keep(func(i int) bool { return number[i] >= fewest })
	}
	return nil
}

// digamma returns the derivative of the logarithm of the gamma function of x, which is above 0.
func digamma(x float64) float64 {
	below := 0.0
	for ; x < 8; x++ { // ψ(x) = ψ(x+1) − 1/x
		below -= 1 / x
	}
	y := 1 / (x * x) // then the asymptotic series, with Bernoulli's numbers
	return below + math.Log(x) - 0.5/x - y*(1./12-y*(1./120-y*(1./252-y*(1./240-y/132))))
}

// prune leaves out the tokens without which the likelihood falls least, until so many are left. A token's loss is about
// that of replacing it, wherever it is in the best cut, by the best cut of itself into other tokens.
func (e *estimator) prune(ctx context.Context, wanted int) error {
	lattices, err := e.each(ctx, func(l *lattice, _, from, to int) {
		for i := from; i < to; i++ {
			for _, id := range l.best(e.words.at(i), -1) {
				if id >= 0 {
					l.expected[id] += int64(e.words.counts[i])
				}
			}
		}
	})
	if err != nil {
		return err
	}
	seen := sum(lattices)
	total := 0.0
	for _, n := range seen {
		total += float64(n)
	}
	loss := make([]float64, len(e.tokens))
	l := lattices[0]
	for id, token := range e.tokens {
		n := float64(seen[id])
		switch {
		case e.alphabet[token]:
			loss[id] = math.Inf(1)
			continue
		case n == 0:
			loss[id] = math.Inf(-1)
			continue
		}
		others := l.best([]byte(token), id)
		loss[id] = math.Log(n) - math.Log(total)
		after := math.Log(total + n*float64(len(others)-1))
		for _, other := range others {
			if other < 0 { // a character without a token
				loss[id] = math.Inf(1)
				break
			}
			loss[id] -= math.Log(float64(seen[other])+n) - after
		}
		loss[id] *= n
	}
	order := make([]int, len(loss))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(loss[b], loss[a]) })
	kept := make([]bool, len(loss))
	for _, i := range order[:min(wanted, len(order))] {
		kept[i] = kept[i] || seen[i] > 0 || e.alphabet[e.tokens[i]]
	}
	e.keep(func(i int) bool { return kept[i] })
	return nil
}

// A lattice has the tokens of a text as edges between positions.
type lattice struct {
	*estimator
	expected []int64

	edges           []edge
	forward, behind []float64 // by position
	from            []int32   // where the best last token of a beginning begins; -1 for none
	last            []int32   // that token; -1 for an unknown character
	cut             []int32
}

type edge struct{ from, to, id int32 }

func resized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// expect adds how often each token is expected in a text, which is seen so often, and returns the logarithm of its
// probability, so often.
func (l *lattice) expect(text []byte, count uint64) float64 {
	n := len(text)
	l.forward, l.behind = resized(l.forward, n+1), resized(l.behind, n+1)
	clear(l.forward)
	clear(l.behind)
	l.edges = l.edges[:0]
	l.forward[0], l.behind[n] = 1, 1
	for at := 0; at < n; at++ {
		here := l.forward[at]
		if here == 0 || !utf8.RuneStart(text[at]) {
			continue
		}
		single := false
		size := characterSize(text[at:])
		node := uint32(0)
		for end := at; end < n; end++ {
			if node = l.trie.Next(node, text[end]); node == 0 {
				break
			}
			if id := l.trie.ID(node); id >= 0 {
				l.edges = append(l.edges, edge{int32(at), int32(end + 1), id})
				l.forward[end+1] += here * l.odds[id]
				single = single || end+1 == at+size
			}
		}
		if !single { // a character that is not in the alphabet
			l.edges = append(l.edges, edge{int32(at), int32(at + size), -1})
			l.forward[at+size] += here
		}
	}
	all := l.forward[n]
	if all < 1e-290 || all > 1e290 { // such texts are long and odd: each half is one
		half := n / 2
		for !utf8.RuneStart(text[half]) {
			half--
		}
		if half == 0 {
			return 0
		}
		return l.expect(text[:half], count) + l.expect(text[half:], count)
	}
	weight := float64(count) / all
	for i := len(l.edges) - 1; i >= 0; i-- {
		e := l.edges[i]
		if e.id < 0 {
			l.behind[e.from] += l.behind[e.to]
			continue
		}
		through := l.odds[e.id] * l.behind[e.to]
		l.behind[e.from] += through
		l.expected[e.id] += int64(math.Round(l.forward[e.from] * through * weight * l.shift))
	}
	return float64(count) * (math.Log(all) - l.unit*float64(n))
}

func characterSize(text []byte) int {
	_, size := utf8.DecodeRune(text)
	return size
}

// best returns the tokens of the most probable cut of a text, the last one first, -1 for an unknown character; without the
// token of that id. Of equally probable cuts it is the one that the model of the file finds.
func (l *lattice) best(text []byte, without int) []int32 {
	const unknown = -1e3 // worse than any token
	n := len(text)
	l.forward, l.from, l.last = resized(l.forward, n+1), resized(l.from, n+1), resized(l.last, n+1)
	for i := range l.from {
		l.from[i] = -1
	}
	l.forward[0], l.from[0] = 0, 0
	better := func(at, end int, score float64, id int32) {
		if l.from[end] < 0 || score > l.forward[end] {
			l.forward[end], l.from[end], l.last[end] = score, int32(at), id
		}
	}
	for at := 0; at < n; at++ {
		if l.from[at] < 0 {
			continue
		}
		here, single := l.forward[at], false
		size := characterSize(text[at:])
		node := uint32(0)
		for end := at; end < n; end++ {
			if node = l.trie.Next(node, text[end]); node == 0 {
				break
			}
			if id := l.trie.ID(node); id >= 0 && int(id) != without {
				better(at, end+1, here+l.scores[id], id)
				single = single || end+1 == at+size
			}
		}
		if !single {
			better(at, at+size, here+unknown, -1)
		}
	}
	l.cut = l.cut[:0]
	for end := n; end > 0; end = int(l.from[end]) {
		l.cut = append(l.cut, l.last[end])
	}
	return l.cut
}

// seed makes the tokens to begin with: the alphabet, and frequent substrings of words by their count times their length. It
// sorts all suffixes of words. A substring that is always followed by the same character is none, as the longer one will do.
func (e *estimator) seed(ctx context.Context) error {
	text := append(slices.Clone(e.words.text), 0) // the end of all words reads as the end of a word
	s := &suffixes{text: text, words: e.words, most: e.o.MaxTokenLength, least: uint64(e.o.MinFrequency), ends: make([]uint64, len(text)/64+1)}
	for _, end := range e.words.ends {
		s.ends[end/64] |= 1 << (end % 64)
	}
	seeds, err := s.find(ctx, max(1, min(e.o.Threads, runtime.GOMAXPROCS(0))))
	if err != nil {
		return err
	}
	score := func(f found) float64 { return float64(f.count) * float64(f.chars) }
	slices.SortFunc(seeds, func(a, b found) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes))
	})
	seeds = seeds[:min(len(seeds), mostSeeds, seedsEach*e.o.VocabSize)]
	of := map[string]float64{}
	for c := range e.alphabet {
		of[c] = 1
	}
	for i, n := range e.words.counts {
		for _, c := range string(e.words.at(i)) {
			if c := string(c); e.alphabet[c] {
				of[c] += float64(n)
			}
		}
	}
	for _, f := range seeds {
		of[string(text[f.at:][:f.bytes])] = score(f)
	}
	total := 0.0
	for token := range of {
		e.tokens = append(e.tokens, token)
	}
	slices.Sort(e.tokens)
	for _, token := range e.tokens {
		total += of[token]
	}
	for _, token := range e.tokens {
		e.scores = append(e.scores, math.Log(of[token]/total))
	}
	e.trie = tokenizerfile.NewTrie(e.tokens)
	return nil
}
