package engine

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A named is a configuration of toy size with a name that says what it is.
type named struct {
	name string
	config
}

// compositions are all ways to make vectors of rows.
var compositions = []struct {
	name     string
	indexer  subword.Indexer
	separate bool
}{
	{"words", nil, false},
	{"n-grams apart", subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}, true},
	{"n-grams merged", subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}, false},
	{"floret apart", subword.Floret{MinN: 2, MaxN: 3, Buckets: 30, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}, true},
	{"floret merged", subword.Floret{MinN: 3, MaxN: 4, Buckets: 70, Hashes: 3, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}, false},
	{"hash, 1", subword.Hash{MinN: 3, MaxN: 4, Buckets: 20, Hashes: 1, Importances: 30}, false},
	{"hash, 2", subword.Hash{MinN: 3, MaxN: 4, Buckets: 20, Hashes: 2, Importances: 10}, false},
	{"hash, 3", subword.Hash{Buckets: 20, Hashes: 3, Importances: 9}, false},
	{"hash, 4", subword.Hash{MinN: 3, MaxN: 3, Buckets: 20, Hashes: 4, Importances: 30}, false},
	{"hash, 2 appended", subword.Hash{MinN: 3, MaxN: 4, Buckets: 20, Hashes: 2, Importances: 10, AppendWeights: true}, false},
}

// product are all combinations of architectures, losses, compositions and what can be
// added to them, whether they make sense or not.
func product() (all []named) {
	for _, arch := range []string{skipGram, cbow, structured} {
		for _, loss := range []string{negativeSampling, hierarchicalSoftmax, fullSoftmax, directional} {
			for _, positions := range []bool{false, true} {
				for _, ngrams := range []int{0, 2, 3} {
					for _, composition := range compositions {
						for _, tied := range []bool{false, true} {
							for _, rank := range []int{0, 3} {
								for _, nested := range [][]int{nil, {2, 5, 7}} {
									c := defaults()
									c.Dim, c.Window, c.Seed = 7, 3, 3
									c.Arch, c.Loss, c.PositionWeights, c.WordNgrams = arch, loss, positions, ngrams
									if ngrams > 0 {
										c.WordBuckets = 30
									}
									c.Subword, c.separateRows = composition.indexer, composition.separate
									c.Tied, c.Rank, c.Nested = tied, rank, nested
									all = append(all, named{c.variantName(composition.name), c})
								}
							}
						}
					}
				}
			}
		}
	}
	return all
}

func (c config) variantName(composition string) string {
	name := []string{c.Arch, c.Loss, composition}
	for _, part := range []struct {
		has  bool
		name string
	}{
		{c.PositionWeights, "position weights"},
		{c.WordNgrams > 0, fmt.Sprintf("word n-grams %d", c.WordNgrams)},
		{c.Tied, "tied"},
		{c.Rank > 0, fmt.Sprintf("rank %d", c.Rank)},
		{c.Nested != nil, "nested"},
	} {
		if part.has {
			name = append(name, part.name)
		}
	}
	return strings.Join(name, ", ")
}

// allowed are the variants that can be trained. Emulated processors are slow: a short test
// has those that differ from plain words in at most one thing, and some of the others.
func allowed() (some []named) {
	for i, v := range product() {
		if v.Validate() != nil {
			continue
		}
		things := 0
		for _, has := range []bool{v.Arch != skipGram, v.Loss != negativeSampling, v.Subword != nil, v.PositionWeights, v.WordNgrams > 0, v.Tied, v.Rank > 0, v.Nested != nil} {
			if has {
				things++
			}
		}
		if longtest.Enabled() || things < 2 || i%29 == 0 {
			some = append(some, v)
		}
	}
	return some
}

// A twin is a worker and its reference, with the same random parameters.
type twin struct {
	toy
	*reference
	tape tape
}

// newTwin returns a twin that composes the words of so many tokens at once; 0 for the
// usual. Of the rows that can be frozen, each of such numbers is.
func newTwin(t testing.TB, c config, cached, frozen int) *twin {
	t.Helper()
	if c.blockCentres == 0 {
		c.blockCentres = MaxCentres
	}
	v := toyVocab(t)
	table := c.table(v)
	d := Divide(c.variant(t), v, table, v.KeepProbabilities(0), c.given())
	if cached > 0 && d.Cached > 0 {
		d.Cached = cached
	}
	d.Contexts = toyContexts
	r := c.newRun(t, v, table, d)
	fill(r.Values, c)
	if frozen > 0 {
		for name, m := range map[string]vectors.Matrix{"input": r.Values.Matrix("input"), "output": r.Values.Matrix("output")} {
			rows := make([]bool, m.Rows)
			for row := 0; row < len(rows); row += frozen {
				rows[row] = true
			}
			r.Values.Freeze(name, rows)
		}
	}
	w := r.NewWorker(0, 0)
	w.Load()
	return &twin{toy: toy{w}, reference: newReference(c, v, table, r.Values)}
}

// longest returns the most numbers that a kernel adds up for so many tokens.
func (w *twin) longest(tokens int) float64 {
	entries := 0
	for _, list := range w.rows {
		entries = max(entries, len(list))
	}
	if w.Loss == hierarchicalSoftmax {
		return math.Inf(1) // of a pair's nodes none is shared
	}
	if w.Loss == fullSoftmax {
		return float64(w.Dim + len(w.words) + tokens*(1+w.WordNgrams)*(1+entries))
	}
	return float64(w.Dim + w.parts.Division.Draws + tokens*(1+w.WordNgrams)*(1+entries))
}

// A mistake is what the reference does wrong on purpose.
type mistake struct {
	draw bool    // of the negatives, of each head, the last one is another word
	rate float64 // by which it moves its parameters, if not 0
}

// compareBlock trains the centres at positions first to last-1 of a text as one block.
func (w *twin) compareBlock(text step.Text, first, last int) error {
	return w.compareBlockWith(mistake{rate: 1}, text, first, last)
}

// compareBlockWith is compareBlock with a mistake.
func (w *twin) compareBlockWith(wrong mistake, text step.Text, first, last int) error {
	drawing := w.step.Random
	window, contexts := w.draws(&drawing)
	w.step.Take()
	pairs, loss := w.train(text, first, last, 1)
	w.step.Give()

	t := &w.tape
	t.longest = w.longest(len(text.IDs))
	p := w.put(t)
	negatives := slices.Clone(w.step.Drawn())
	if each := len(negatives) / w.run.Variant.Heads(); wrong.draw {
		for n := each - 1; n < len(negatives); n += each {
			negatives[n] = (negatives[n] + 1) % uint32(len(toyWords))
		}
	}
	s := scene{text.IDs, text.From, text.To, first, last, window, contexts, negatives, func(word uint32) []num { return w.vector(t, &p, word) }}
	sum, wantPairs, projection, positions := w.loss(t, &p, s)
	moves, off := w.steps(t, &p, sum, projection, positions, 1)
	w.add(&moves, &off, wrong.rate)
	want, lossOff := w.reported(t.values[sum]), w.reported(t.off[sum])
	if pairs != wantPairs || !(math.Abs(loss-want) <= lossOff) {
		return fmt.Errorf("%d pairs with a loss of %v, want %d with %v within %.1e", pairs, loss, wantPairs, want, lossOff)
	}
	return w.differs(w.run.Values)
}

// A step is the gradient, of every variant.
func TestBlockStepIsTheGradient(t *testing.T) {
	for _, v := range allowed() {
		for _, block := range []struct{ first, last int }{{0, 16}, {3, 4}, {9, 10}, {5, 12}} {
			if err := newTwin(t, v.config, 0, 0).compareBlock(toyText(), block.first, block.last); err != nil {
				t.Errorf("%s: block from %d to %d: %v", v.name, block.first, block.last-1, err)
			}
		}
	}
}

// The reference is differentiated as its own differences say.
func TestReferenceDifferentiatesItself(t *testing.T) {
	for _, v := range allowed() {
		w := newTwin(t, v.config, 0, 0)
		w.true = true
		negatives := make([]uint32, w.parts.Division.Draws)
		random := rand.New(rand.NewPCG(5, 6))
		for i := range negatives {
			negatives[i] = uint32(random.IntN(len(toyWords)))
		}
		text := toyText()
		loss := func() (p model[num], sum num) {
			tp := &w.tape
			p = w.put(tp)
			sum, _, _, _ = w.loss(tp, &p, scene{text.IDs, text.From, text.To, 0, 16, 2, nil, negatives, func(word uint32) []num { return w.vector(tp, &p, word) }})
			return p, sum
		}
		p, sum := loss()
		moves, _ := w.steps(&w.tape, &p, sum, factor{1, 0}, factor{1, 0}, 0)
		// Along a random direction, in which no two parameters move alike.
		_, all := moves.all()
		_, parameters := w.model.all()
		var want float64
		direction := make([][][]float64, len(all))
		for m, rows := range all {
			for r, row := range rows {
				direction[m] = append(direction[m], nil)
				for k := range row {
					d := random.NormFloat64()
					direction[m][r] = append(direction[m][r], d)
					want -= d * all[m][r][k]
				}
			}
		}
		along := func(by float64) {
			for m, rows := range parameters {
				for r, row := range rows {
					for k := range row {
						row[k] += by * direction[m][r][k]
					}
				}
			}
		}
		const h = 1e-5
		along(h)
		_, sum = loss()
		up := w.tape.values[sum]
		along(-2 * h)
		_, sum = loss()
		if got := (up - w.tape.values[sum]) / (2 * h); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%s: %v by differences, %v by the tape", v.name, got, want)
		}
	}
}

// eachSize calls do for variants of many sizes, with a block to train.
func eachSize(do func(name string, c config, first, last int)) {
	variants := map[string]func(*config){
		"words":   func(*config) {},
		"n-grams": func(c *config) { c.Subword = subword.FastText{MinN: 2, MaxN: 3, Buckets: 40} },
		"hash": func(c *config) {
			c.Subword = subword.Hash{MinN: 3, MaxN: 4, Buckets: 20, Hashes: 2, Importances: 10}
		},
		"cbow of all": func(c *config) {
			c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets = cbow, true, 3, 30
			c.Subword = subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
		},
		"cbow, tied":           func(c *config) { c.Arch, c.Tied = cbow, true },
		"tied":                 func(c *config) { c.Tied = true },
		"structured":           func(c *config) { c.Arch = structured },
		"hierarchical softmax": func(c *config) { c.Loss = hierarchicalSoftmax },
		"full softmax":         func(c *config) { c.Loss = fullSoftmax },
		"directional":          func(c *config) { c.Loss = directional },
		"directional, nested": func(c *config) {
			c.Loss, c.Nested, c.Subword = directional, []int{1, c.Dim/2 + 1, c.Dim}, subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
		},
		"cbow, hierarchical":      func(c *config) { c.Arch, c.Loss = cbow, hierarchicalSoftmax },
		"structured, half a rank": func(c *config) { c.Arch, c.Rank = structured, (c.Dim+1)/2 },
		"rank of most": func(c *config) {
			c.Rank, c.Subword = c.Dim-1, subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
		},
		"nested":           func(c *config) { c.Nested = []int{1, c.Dim/2 + 1, c.Dim} },
		"nested in itself": func(c *config) { c.Nested = []int{c.Dim} },
	}
	for _, size := range []struct {
		name        string
		change      func(*config)
		first, last int
	}{
		{"one dimension", func(c *config) { c.Dim = 1 }, 0, 16},
		{"37 dimensions", func(c *config) { c.Dim = 37 }, 0, 16},
		{"130 dimensions", func(c *config) { c.Dim = 130 }, 0, 16},
		{"blocks of one centre", func(c *config) { c.blockCentres = 1 }, 3, 4},
		{"one pair of sentences", func(c *config) {}, 8, 12},
		{"a sentence of one token", func(c *config) {}, 9, 10},
		{"seven centres, few draws", func(c *config) { c.blockCentres, c.sharedNegatives = 7, 10*c.Window }, 5, 12},
		{"a window larger than the text", func(c *config) { c.Window = 800 }, 0, 16},
		{"a window of one", func(c *config) { c.Window = 1 }, 0, 16},
		{"many negatives", func(c *config) { c.Negatives = 50 }, 2, 18},
	} {
		for name, change := range variants {
			if !longtest.Enabled() && len(name)%3 != len(size.name)%3 { // emulated processors are slow
				continue
			}
			c := defaults()
			c.Dim, c.Seed, c.Window = 7, 3, 5
			size.change(&c)
			change(&c)
			if c.Validate() != nil { // of one dimension there are few
				continue
			}
			if c.Loss == hierarchicalSoftmax || c.Loss == fullSoftmax {
				c.sharedNegatives = 0
			}
			do(size.name+", "+name, c, size.first, size.last)
		}
	}
}

// What holds of any variant holds whatever the sizes are.
func TestBlockStepOfSizes(t *testing.T) {
	eachSize(func(name string, c config, first, last int) {
		if err := newTwin(t, c, 0, 0).compareBlock(toyText(), first, last); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// How far off kernels may be is not so far that a wrong one would pass: neither one that
// takes one draw of a block for another, nor one whose steps are a thousandth too long.
func TestBlockStepIsNotJustAnything(t *testing.T) {
	eachSize(func(name string, c config, first, last int) {
		for what, wrong := range map[string]mistake{"draw": {draw: true, rate: 1}, "rate": {rate: 1.001}} {
			if strings.HasPrefix(name, "a sentence of one token") || c.Loss != negativeSampling && wrong.draw {
				continue // there is nothing to be wrong about
			}
			if newTwin(t, c, 0, 0).compareBlockWith(wrong, toyText(), first, last) == nil {
				t.Errorf("%s: a wrong %s is not noticed", name, what)
			}
		}
	})
}

// longText is sentences of up to 20 tokens.
func longText(tokens int) (t step.Text) {
	random := rand.New(rand.NewPCG(7, 8))
	for len(t.IDs) < tokens {
		from := len(t.IDs)
		to := min(from+1+random.IntN(20), tokens)
		for range to - from {
			t.IDs = append(t.IDs, uint32(random.IntN(len(toyWords))))
			t.From, t.To = append(t.From, int32(from)), append(t.To, int32(to))
		}
	}
	return t
}

// A drawing returns the window and the negatives of the next block, and what its contexts are
// drawn with.
type drawing func() (window int, contexts *random.Generator, negatives []uint32)

// drawn returns what a worker alone is going to draw: negatives one block ahead.
func (w *Worker) drawn(g random.Generator, ahead []uint32) drawing {
	c := config{Run: w.run.Variant.Run}
	return func() (window int, contexts *random.Generator, negatives []uint32) {
		window, contexts = c.draws(&g)
		negatives = ahead
		ahead = make([]uint32, len(negatives))
		w.parts.Loss.Draw(ahead, &g)
		return window, contexts, negatives
	}
}

// A composed is the vector of a word that the steps of a composition cache train in place of its
// rows.
type composed struct {
	now, began []float64
	off        []float64 // how far kernels may be off what it has moved by, and off now
	weights    []factor  // learned ones, of each entry, when it was composed
}

// trainText trains a text as a worker does: in spans of blocks, at the beginning of
// which words are composed and at the end of which they are released. At rate 0 it
// measures: words are composed, and nothing moves. Loss is called with what each block has.
func (f *reference) trainText(t *tape, w *Worker, next drawing, text step.Text, rate float64, report func(pairs int, loss, off float64)) {
	length, centres, margin := w.parts.Division.Cached, w.parts.Division.Centres, 0
	if length == 0 {
		length = len(text.IDs)
	}
	if f.Arch == cbow {
		margin = f.Window
	}
	for begin := 0; begin < len(text.IDs); begin += length {
		end := min(begin+length, len(text.IDs))
		now := make(map[uint32]*composed)
		for first := begin; first < end; first += centres {
			last := min(first+centres, end)
			// Words are needed where they are near a centre, and the cache of a span sees no
			// farther than that.
			needed := func(first, last int) []uint32 {
				return text.IDs[max(first-margin, begin-margin, 0):min(last+margin, end+margin, len(text.IDs))]
			}
			for _, word := range needed(first, min(first+centres, end)) {
				if now[word] == nil && f.Subword != nil {
					now[word] = f.compose(t, word)
				}
			}
			p := f.put(t)
			s := scene{ids: text.IDs, from: text.From, to: text.To, first: first, last: last}
			s.window, s.contexts, s.negatives = next()
			vectors := make(map[uint32][]num)
			for word, c := range now {
				vectors[word] = t.numbers([][]float64{c.now}, [][]float64{c.off})[0]
			}
			s.vector = func(word uint32) []num {
				if f.Subword == nil {
					return p.input[word]
				}
				return vectors[word]
			}
			sum, pairs, projection, positions := f.loss(t, &p, s)
			report(pairs, f.reported(t.values[sum]), f.reported(t.off[sum]))
			if rate == 0 {
				continue
			}
			moves, off := f.steps(t, &p, sum, projection, positions, rate)
			f.add(&moves, &off, rate)
			g, offBy := t.gradient(sum, rate)
			for word, c := range now {
				for k, n := range vectors[word] {
					c.now[k] -= rate * g[n]
					c.off[k] += rate * offBy[n]
				}
			}
			var later []uint32 // needed
			if last < end {
				later = needed(last, end)
			}
			f.release(t, now, later)
		}
	}
}

func (f *reference) compose(t *tape, word uint32) *composed {
	p := f.put(t)
	c := &composed{}
	for _, n := range f.vector(t, &p, word) {
		c.now, c.off = append(c.now, t.values[n]), append(c.off, t.off[n])
	}
	c.began = slices.Clone(c.now)
	for _, e := range f.rows[word] {
		weight := factor{1, 0}
		if e.cell >= 0 {
			row, k := e.cell/len(f.importance[0]), e.cell%len(f.importance[0])
			weight = factor{f.importance[row][k], f.off.importance[row][k]}
		}
		c.weights = append(c.weights, weight)
	}
	return c
}

// release gives what the vectors of words have moved by that are not needed later to their
// rows and to the weights of these, all of them as they are before.
func (f *reference) release(t *tape, now map[uint32]*composed, later []uint32) {
	moves := model[float64]{input: zerosLike(f.input), importance: zerosLike(f.importance)}
	off := model[float64]{input: zerosLike(f.input), importance: zerosLike(f.importance)}
	for word, c := range now {
		if slices.Contains(later, word) {
			continue
		}
		for i, e := range f.rows[word] {
			var along, alongOff float64
			roundings := t.roundings(len(c.now) + gradientRoundings)
			for k := range f.input[e.row] {
				x, moved := f.input[e.row][k], c.now[k]-c.began[k]
				weight := c.weights[i]
				to := roundings * (math.Abs(c.now[k]) + math.Abs(c.began[k]) + math.Abs(x))
				moves.input[e.row][k] += e.step * weight.value * moved
				off.input[e.row][k] += e.step*(math.Abs(weight.value)*c.off[k]+weight.off*math.Abs(moved)) + to
				along += x * moved
				alongOff += math.Abs(x)*(c.off[k]+to) + f.off.input[e.row][k]*math.Abs(moved)
			}
			if e.cell < 0 {
				continue
			}
			hashes := len(f.importance[0])
			row, col := e.cell/hashes, e.cell%hashes
			if k := len(f.input[e.row]) + i%hashes; k < len(c.now) { // appended
				along += c.now[k] - c.began[k]
				alongOff += c.off[k] + roundings*math.Abs(c.now[k])
			}
			moves.importance[row][col] += importanceRate * along
			off.importance[row][col] += importanceRate*alongOff + roundings*math.Abs(f.importance[row][col])
		}
		delete(now, word)
	}
	for r := range f.input {
		if f.frozen[0] != nil && f.frozen[0][r] {
			clear(moves.input[r])
			clear(off.input[r])
		}
	}
	for _, m := range []struct{ to, by [][]float64 }{
		{f.input, moves.input}, {f.off.input, off.input}, {f.importance, moves.importance}, {f.off.importance, off.importance},
	} {
		for r, row := range m.by {
			for k, by := range row {
				m.to[r][k] += by
			}
		}
	}
}

func zerosLike(rows [][]float64) (zeros [][]float64) {
	for _, row := range rows {
		zeros = append(zeros, make([]float64, len(row)))
	}
	return zeros
}

// compareText trains a text.
func (w *twin) compareText(text step.Text) error {
	return w.compareTextOf(text, w.drawn(w.step.Random, slices.Clone(w.step.Ahead)), 1)
}

// compareTextOf trains a text of which blocks draw what next returns. The loss of some
// blocks is reported, by their numbers, of which the first one is to be given.
func (w *twin) compareTextOf(text step.Text, next drawing, number uint64) error {
	trained, pairs, loss, lossOff := false, 0, 0.0, 0.0
	w.tape.longest = w.longest(len(text.IDs))
	w.reference.trainText(&w.tape, w.Worker, next, text, w.LearningRate, func(p int, l, off float64) {
		if random.Mix(number)%lossEvery == 0 || !trained {
			pairs += p
			loss += l
			lossOff += off
		}
		trained = trained || p > 0
		number++
	})
	w.text.IDs = append(w.text.IDs, text.IDs...)
	w.text.From, w.text.To = append(w.text.From, text.From...), append(w.text.To, text.To...)
	got := w.Worker.train()
	w.Store()
	if got.Pairs != pairs || !(math.Abs(got.Loss-loss) <= lossOff) {
		return fmt.Errorf("%d pairs with a loss of %v, want %d with %v within %.1e", got.Pairs, got.Loss, pairs, loss, lossOff)
	}
	return w.differs(w.run.Values)
}

// A text of many blocks is trained block by block and span by span, of every variant.
func TestTextIsTrained(t *testing.T) {
	text := longText(60)
	for _, v := range allowed() {
		v.blockCentres, v.LearningRate = 4, 0.01
		if err := newTwin(t, v.config, 12, 0).compareText(text); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

// So it is where a block's words reach over several spans, or all of the text.
func TestTextIsTrainedWithAWideWindow(t *testing.T) {
	for _, composition := range compositions {
		for _, window := range []int{9, 40, 2000} {
			for _, tokens := range []int{1, 4, 13, 60} {
				if !longtest.Enabled() && tokens > 13 {
					continue
				}
				c := defaults()
				c.Dim, c.Window, c.Seed, c.LearningRate = 7, window, 3, 0.01
				c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets = cbow, window < 100, 3, 30
				c.Subword, c.separateRows, c.blockCentres = composition.indexer, composition.separate, 4
				if err := newTwin(t, c, 4, 0).compareText(longText(tokens)); err != nil {
					t.Errorf("%s, window %d, %d tokens: %v", composition.name, window, tokens, err)
				}
			}
		}
	}
}

// A group trains as one worker does who trains as many blocks in a step, and draws for each
// block anew.
func TestTextIsTrainedByAGroup(t *testing.T) {
	parallel := 0
	for _, v := range allowed() {
		c := v.config
		if c.Deterministic = true; !c.variant(t).ColumnParallel() {
			continue
		}
		parallel++
		c.Dim, c.Threads, c.blockCentres, c.superBlocks, c.LearningRate = 100, 2, 4, 1, 0.01
		w := newTwin(t, c, 12, 0)
		number := uint64(0)
		next := func() (window int, contexts *random.Generator, negatives []uint32) {
			g := random.Stream(random.Mix(c.Seed), number)
			number++
			negatives = make([]uint32, w.parts.Division.Draws)
			w.parts.Loss.Draw(negatives, &g)
			window, contexts = c.draws(&g)
			return window, contexts, negatives
		}
		if err := w.compareTextOf(longText(60), next, 0); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		w.Close()
	}
	if parallel < 5 && longtest.Enabled() {
		t.Errorf("%d variants are column-parallel", parallel)
	}
}

// Frozen rows stay, and all others move as if none were frozen.
func TestVariantsFreeze(t *testing.T) {
	text := longText(60)
	tested := 0
	for _, v := range allowed() {
		v.Freeze = true
		if v.Validate() != nil {
			continue
		}
		tested++
		for _, every := range []int{1, 2, 3} {
			if err := newTwin(t, v.config, 0, every).compareBlock(toyText(), 0, 16); err != nil {
				t.Errorf("%s: every %d frozen: %v", v.name, every, err)
			}
			few := v.config
			few.blockCentres, few.LearningRate = 4, 0.01
			if err := newTwin(t, few, 12, every).compareText(text); err != nil {
				t.Errorf("%s: every %d frozen: %v", v.name, every, err)
			}
		}
	}
	// Skip-gram and CBOW with negatives or the full softmax, and skip-gram with directions, of words and of n-grams, apart or
	// merged, nested or not.
	if want := (2*2 + 1) * 3 * 2; tested != want && longtest.Enabled() {
		t.Errorf("%d variants can be frozen, want %d", tested, want)
	}
}

// Held-out text is measured as it would be trained, and changes nothing.
func TestVariantsMeasure(t *testing.T) {
	text := longText(60)
	ids := slices.Clone(text.IDs)
	for i, to := range text.To {
		if i == int(to)-1 {
			ids[i] |= vocab.EndOfSentence
		}
	}
	for _, v := range allowed() {
		v.blockCentres = 4
		w := newTwin(t, v.config, 12, 0)
		everything := func() (b []byte) {
			for _, m := range all(w.run.Values) {
				b = append(b, numbersOf(m.Data)...)
			}
			return b
		}
		before := everything()
		loss, pairs := w.Measure([][]uint32{ids}, 3)
		if !bytes.Equal(before, everything()) {
			t.Errorf("%s: measuring changes parameters", v.name)
		}
		_, g := heldOut(3)
		ahead := make([]uint32, w.parts.Division.Draws)
		w.parts.Loss.Draw(ahead, &g)
		wantPairs, want, lossOff := 0, 0.0, 0.0
		w.tape.longest = w.longest(len(text.IDs))
		w.reference.trainText(&w.tape, w.Worker, w.drawn(g, ahead), text, 0, func(pairs int, loss, off float64) {
			wantPairs += pairs
			want += loss
			lossOff += off
		})
		if pairs != wantPairs || !(math.Abs(loss-want) <= lossOff) {
			t.Errorf("%s: %d pairs with a loss of %v, want %d with %v within %.1e", v.name, pairs, loss, wantPairs, want, lossOff)
		}
	}
}
