package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A library has texts with labels. Ids are words, then labels, and then a word that does not count.
type library struct {
	words, labels *vocab.Vocab
	texts         [][]uint32
	of            *Labels
	uses          [][]uint32 // words of each text
	named         [][]uint32 // labels of each text
}

func vocabularyOf(t testing.TB, names []string, counts ...uint64) *vocab.Vocab {
	t.Helper()
	v, err := vocab.FromCounts(names, counts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// newLibrary returns 21 texts, one of which has no label.
func newLibrary(t testing.TB, several bool) *library {
	l := &library{
		words:  vocabularyOf(t, []string{"</s>", "cat", "cats", "dog", "mouse", "x"}, 21, 9, 8, 7, 6, 5),
		labels: vocabularyOf(t, []string{"a", "b", "c", "d", "e"}, 9, 8, 4, 3, 2),
	}
	l.of = &Labels{Vocab: l.labels, Of: []int32{0, 1, 2, 3, 4, 5, -1, -2, -3, -4, -5, Dropped}}
	g := rand.New(rand.NewPCG(3, 4))
	for i := range 21 {
		var words, labels []uint32
		for range g.IntN(6) {
			words = append(words, uint32(1+g.IntN(5)))
		}
		words = append(words, 0)
		if i != 7 {
			labels = append(labels, uint32(g.IntN(5)))
		}
		if several && i%3 == 0 && i > 0 {
			labels = append(labels, (labels[0]+2)%5)
		}
		text := []uint32{11}
		for _, label := range labels {
			text = append(text, 6+label)
		}
		text = append(text, words...)
		text[len(text)-1] |= vocab.EndOfSentence
		l.texts = append(l.texts, text)
		if len(labels) > 0 {
			l.uses, l.named = append(l.uses, words), append(l.named, labels)
		}
	}
	return l
}

// signatures returns how texts use words and buckets.
func (l *library) signatures(c config) rowtable.Texts {
	use := rowtable.Texts{Words: make([]rowtable.Mark, l.words.Len())}
	if c.WordNgrams > 1 {
		use.Buckets = rowtable.NewUses(c.WordBuckets)
	}
	for i, words := range l.uses {
		s := rowtable.SignatureOf(uint64(i))
		for _, w := range words {
			use.Words[w].Add(s)
		}
		for _, b := range l.runs(c, words) {
			use.Buckets.Add(b, s)
		}
	}
	return use
}

// runs returns the buckets of the runs of words.
func (l *library) runs(c config, words []uint32) []uint32 {
	if c.WordNgrams < 2 {
		return nil
	}
	n := subword.WordNgrams{MaxN: c.WordNgrams, Buckets: c.WordBuckets}
	var hashes []uint64
	for _, w := range words {
		hashes = append(hashes, n.Hash(l.words.Token(int(w))))
	}
	return n.Append(nil, hashes)
}

// members returns the members of a text: words, and behind them buckets.
func (l *library) members(c config, words []uint32) (all []int) {
	for _, w := range words {
		all = append(all, int(w))
		if c.Subword != nil {
			for _, b := range c.Subword.Append(nil, l.words.Token(int(w))) {
				all = append(all, l.words.Len()+int(b))
			}
		}
	}
	for _, b := range l.runs(c, words) {
		all = append(all, l.words.Len()+int(b))
	}
	return all
}

// newTextRun returns a run over the library, with random parameters. Without merging, each member has its own row.
func (c config) newTextRun(t testing.TB, l *library, merged bool) (*Run, *rowtable.Table) {
	t.Helper()
	v := c.variant(t)
	var marks []rowtable.Mark
	if !merged {
		marks = make([]rowtable.Mark, l.words.Len())
		if c.Subword != nil {
			marks = make([]rowtable.Mark, l.words.Len()+c.Subword.Rows())
		}
		for i := range marks {
			marks[i] = rowtable.SignatureOf(1000 + uint64(i))
		}
	}
	table := rowtable.NewTexts(l.words.Tokens(), c.Subword, l.signatures(c), marks)
	v.Prepare(l.words, l.labels, table)
	given := c.given()
	given.Centres = MaxCentres
	d := Divide(v, l.labels, table, nil, given)
	r := &Run{
		Variant: v, Values: params.Allocate(v.Matrices(l.labels.Len(), table.Rows(), table)), Division: d,
		Words: l.labels.Len(), Labels: l.of, Rate: func() float32 { return float32(c.LearningRate) },
	}
	g := rand.New(rand.NewPCG(1, 2))
	for _, m := range all(r.Values) {
		for row := range m.Rows {
			for k := range m.Row(row) {
				m.Row(row)[k] = float32(g.NormFloat64())
			}
		}
	}
	if c.Pooling == settings.PoolExtremes { // numbers that do not count
		clear(r.Values.Matrix("input").Row(int(table.WordRow[2]))[1:])
	}
	return r, table
}

// doubles are the parameters in float64: a vector for each member, of which means are made, for each row, of which extremes
// are, and for each output row.
type doubles struct {
	members, rows, outputs [][]float64
	rowOf                  []uint32 // by member
	began                  [][]float64
}

func doublesOf(table *rowtable.Table, values *params.Values) (d doubles) {
	in, out := values.Matrix("input"), output(values)
	for member, row := range table.Members {
		for len(d.members) <= member {
			d.members, d.rowOf = append(d.members, nil), append(d.rowOf, 0)
		}
		d.members[member], d.rowOf[member] = inDouble(in.Row(int(row))), row
	}
	for row := range in.Rows {
		d.rows, d.began = append(d.rows, inDouble(in.Row(row))), append(d.began, inDouble(in.Row(row)))
	}
	for row := range out.Rows {
		d.outputs = append(d.outputs, inDouble(out.Row(row)))
	}
	return d
}

func inDouble(row []float32) (all []float64) {
	for _, x := range row {
		all = append(all, float64(x))
	}
	return all
}

// hidden returns the vector of a text of these members. What began as 0 is no extreme.
func (d doubles) hidden(c config, members []int) []float64 {
	hidden := make([]float64, c.Hidden())
	for k := range c.Dim {
		var all []float64
		for _, m := range members {
			hidden[k] += d.members[m][k] / float64(len(members))
			if row := d.rowOf[m]; d.began[row][k] != 0 {
				all = append(all, d.rows[row][k])
			}
		}
		if c.Pooling == settings.PoolExtremes && len(all) > 0 {
			hidden[c.Dim+k], hidden[2*c.Dim+k] = slices.Max(all), slices.Min(all)
		}
	}
	return hidden
}

// textLoss is the weighted loss of texts first to last-1, which have these members, by the definition of each loss.
func (l *library) textLoss(c config, d doubles, members [][]int, first, last int, drawn []uint32) (sum float64) {
	logistic := func(s float64) float64 { return math.Log1p(math.Exp(-s)) }
	for i := first; i < last; i++ {
		hidden := d.hidden(c, members[i])
		score := func(row uint32) (s float64) {
			for k, x := range d.outputs[row] {
				s += x * hidden[k]
			}
			return s
		}
		labels, weight, loss := l.named[i], 1.0, 0.0
		if l.of.Weights != nil {
			weight = 0
			for _, label := range labels {
				weight += float64(l.of.Weights[label]) / float64(len(labels))
			}
		}
		each := 1 / float64(len(labels))
		switch c.Loss {
		case "softmax":
			var z float64
			for row := range d.outputs {
				z += math.Exp(score(uint32(row)))
			}
			for _, label := range labels {
				loss += each * (math.Log(z) - score(label))
			}
		case "ova":
			for row := range d.outputs {
				if slices.Contains(labels, uint32(row)) {
					loss += logistic(score(uint32(row)))
				} else {
					loss += logistic(-score(uint32(row)))
				}
			}
		case negativeSampling:
			for _, label := range labels {
				loss += each * logistic(score(label))
				for _, other := range drawn {
					if other != label {
						loss += each * float64(c.Negatives) / float64(len(drawn)) * logistic(-score(other))
					}
				}
			}
		case hierarchicalSoftmax:
			tree := counting.Huffman(l.labels.Counts())
			for _, label := range labels {
				ones, zeros := tree.Sides(label)
				for _, node := range ones {
					loss += each * logistic(score(node))
				}
				for _, node := range zeros {
					loss += each * logistic(-score(node))
				}
			}
		}
		sum += weight * loss
	}
	return sum
}

func textConfigs() map[string]config {
	all := map[string]config{}
	for _, loss := range []string{"softmax", "ova", negativeSampling, hierarchicalSoftmax} {
		for name, change := range map[string]func(*config){
			"words":   func(*config) {},
			"n-grams": func(c *config) { c.Subword = subword.FastText{MinN: 2, MaxN: 3, Buckets: 50} },
			"runs": func(c *config) {
				c.WordNgrams, c.WordBuckets, c.Subword = 3, 300, subword.FastText{Buckets: 300}
			},
			"all": func(c *config) {
				c.WordNgrams, c.WordBuckets, c.Subword = 2, 40, subword.FastText{MinN: 2, MaxN: 4, Buckets: 40}
			},
			"extremes": func(c *config) { c.Pooling = settings.PoolExtremes },
			"extremes of all": func(c *config) {
				c.Pooling, c.WordNgrams, c.WordBuckets, c.Subword = settings.PoolExtremes, 2, 40, subword.FastText{MinN: 2, MaxN: 4, Buckets: 40}
			},
		} {
			c := defaults()
			c.Arch, c.Loss, c.Dim, c.LearningRate = "supervised", loss, 5, 1
			change(&c)
			all[loss+", "+name] = c
		}
	}
	return all
}

// take lets a worker train the texts of the library once, and returns what it has trained.
func (l *library) take(w *Worker) (all Trained) {
	for n, end := 0, false; !end; {
		var took int
		took, end = w.gather(l.texts, n)
		n += took
		trained := w.train()
		all.Pairs, all.Loss, all.Tokens = all.Pairs+trained.Pairs, all.Loss+trained.Loss, all.Tokens+trained.Tokens
	}
	return all
}

// A step of texts moves parameters by the gradient, which differences of the loss tell. By the gradient of extremes it moves
// them less far, by the square root of the number of members.
func TestTextStepIsTheGradient(t *testing.T) {
	const rate = 0.25 // so that no text is limited
	for name, c := range textConfigs() {
		c.LearningRate = rate
		for _, several := range []bool{false, true} {
			l := newLibrary(t, several)
			l.texts, l.uses, l.named = l.texts[:16], l.uses[:15], l.named[:15] // a block
			if several {
				l.of.Weights = []float32{0.5, 2, 1, 3, 0.25}
			}
			r, table := c.newTextRun(t, l, true)
			before := doublesOf(table, r.Values)
			var members [][]int
			for _, words := range l.uses {
				members = append(members, l.members(c, words))
			}
			w := r.NewWorker(0, 0)
			drawn := slices.Clone(w.step.Ahead)
			got := l.take(w)
			if loss := l.textLoss(c, before, members, 0, 15, drawn); got.Pairs != 15 || math.Abs(got.Loss-loss) > 1e-4*loss {
				t.Errorf("%s: %d texts with a loss of %v, want 15 with %v", name, got.Pairs, got.Loss, loss)
			}
			in, out := r.Values.Matrix("input"), output(r.Values)
			every := func([]int) bool { return true }
			// of a number that these texts depend on
			gradient := func(x *float64, part func(text int) float64, depends func(members []int) bool) (sum float64) {
				const h = 1e-5
				for i := range 15 {
					if !depends(members[i]) {
						continue
					}
					*x += h
					up := l.textLoss(c, before, members, i, i+1, drawn)
					*x -= 2 * h
					down := l.textLoss(c, before, members, i, i+1, drawn)
					*x += h
					sum += part(i) * (up - down) / (2 * h)
				}
				return sum
			}
			full := func(int) float64 { return 1 }
			slow := func(i int) float64 { return 1 / math.Sqrt(float64(len(members[i]))) }
			moved := vectors.NewMatrix(in.Rows, in.Cols) // means of the changes of members
			for member, row := range table.Members {
				depends := func(members []int) bool { return slices.Contains(members, member) }
				for k := range c.Dim {
					moved.Row(int(row))[k] -= rate * table.RowShare[row] * float32(gradient(&before.members[member][k], full, depends))
				}
			}
			for row, numbers := range before.rows { // of which extremes are made, and no means
				depends := func(members []int) bool {
					return slices.ContainsFunc(members, func(m int) bool { return before.rowOf[m] == uint32(row) })
				}
				for k := range numbers {
					if c.Pooling == settings.PoolExtremes {
						moved.Row(row)[k] -= rate * float32(gradient(&numbers[k], slow, depends))
					}
				}
			}
			begun, _ := c.newTextRun(t, l, true)
			for row := range in.Rows {
				for k, x := range in.Row(row) {
					want := begun.Values.Matrix("input").Row(row)[k] + moved.Row(row)[k]
					if math.Abs(float64(x-want)) > 2e-5 {
						t.Fatalf("%s: number %d of row %d is %v, want %v", name, k, row, x, want)
					}
				}
			}
			for row := range out.Rows {
				for k, x := range out.Row(row) {
					of := full
					if k >= c.Dim {
						of = slow
					}
					want := before.outputs[row][k] - rate*gradient(&before.outputs[row][k], of, every)
					if math.Abs(float64(x)-want) > 2e-5 {
						t.Fatalf("%s: number %d of output %d is %v, want %v", name, k, row, x, want)
					}
				}
			}
		}
	}
}

// A text whose errors add up to more than 4 moves its rows as far as if they added up to 4; outputs move by their errors.
func TestLimitsOfTexts(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		for name, c := range textConfigs() {
			if c.Loss != "ova" && c.Loss != "softmax" {
				continue
			}
			c.Deterministic, c.Threads = deterministic, 1
			change := func(rate float64) (in, out []float32, errors float64) {
				c.LearningRate = rate
				l := newLibrary(t, false)
				l.texts, l.uses, l.named = l.texts[:1], l.uses[:1], l.named[:1]
				r, table := c.newTextRun(t, l, true)
				d := doublesOf(table, r.Values)
				inputs, outputs := r.Values.Matrix("input"), output(r.Values)
				in, out = slices.Clone(inputs.Data), slices.Clone(outputs.Data)
				w := r.NewWorker(0, 0)
				defer w.Close()
				w.Load()
				l.take(w)
				w.Store()
				for i, x := range inputs.Data {
					in[i] = x - in[i]
				}
				for i, x := range outputs.Data {
					out[i] = x - out[i]
				}
				hidden := d.hidden(c, l.members(c, l.uses[0]))
				for row, output := range d.outputs {
					var s float64
					for k, x := range output {
						s += x * hidden[k]
					}
					if uint32(row) == l.named[0][0] {
						s = -s
					}
					errors += 1 / (1 + math.Exp(-s))
				}
				return in, out, errors
			}
			in, out, errors := change(0.1)
			farIn, farOut, _ := change(50)
			want := 500.0 // a softmax is not limited
			if c.Loss == "ova" {
				want = 4 / errors * 10
			}
			for i, x := range in {
				if math.Abs(float64(farIn[i])-want*float64(x)) > 1e-3*math.Abs(want*float64(x))+1e-3 {
					t.Fatalf("%s, deterministic %v: input %d moves by %v, want %v", name, deterministic, i, farIn[i], want*float64(x))
				}
			}
			for i, x := range out {
				if math.Abs(float64(farOut[i])-500*float64(x)) > 1e-3*math.Abs(500*float64(x))+1e-3 {
					t.Fatalf("%s, deterministic %v: output %d moves by %v, want %v", name, deterministic, i, farOut[i], 500*float64(x))
				}
			}
		}
	}
}

// Texts have the vectors, after several blocks, that they have if each word and bucket has a row of its own.
func TestMergedRowsOfTexts(t *testing.T) {
	for name, c := range textConfigs() {
		if c.Pooling == settings.PoolExtremes { // of equal members only one would have an extreme
			continue
		}
		l := newLibrary(t, true)
		merged, table := c.newTextRun(t, l, true)
		apart, own := c.newTextRun(t, l, false)
		if c.WordNgrams > 2 && table.Rows() >= own.Rows() {
			t.Errorf("%s: %d rows, and %d with a row for each member", name, table.Rows(), own.Rows())
		}
		rowOf := map[int]uint32{}
		for member, row := range table.Members {
			rowOf[member] = row
		}
		for member, row := range own.Members {
			copy(apart.Values.Matrix("input").Row(int(row)), merged.Values.Matrix("input").Row(int(rowOf[member])))
		}
		copy(output(apart.Values).Data, output(merged.Values).Data)
		for _, r := range []*Run{merged, apart} {
			w := r.NewWorker(0, 0)
			for range 3 {
				l.take(w)
			}
		}
		for row := range output(merged.Values).Rows {
			for k, x := range output(merged.Values).Row(row) {
				if want := output(apart.Values).Row(row)[k]; math.Abs(float64(x-want)) > 1e-3 {
					t.Fatalf("%s: number %d of output %d is %v, want %v", name, k, row, x, want)
				}
			}
		}
		for i, words := range l.uses {
			for k := range c.Dim {
				var got, want float64
				for _, m := range l.members(c, words) {
					for member, row := range own.Members {
						if member == m {
							want += float64(apart.Values.Matrix("input").Row(int(row))[k])
						}
					}
					got += float64(merged.Values.Matrix("input").Row(int(rowOf[m]))[k])
				}
				if math.Abs(got-want) > 1e-3*(1+math.Abs(want)) {
					t.Fatalf("%s: number %d of text %d is %v, want %v", name, k, i, got, want)
				}
			}
		}
	}
}

// A deterministic group gives the same bits with any number of threads, and nearly those of a worker on its own.
func TestTextsOfGroups(t *testing.T) {
	for name, c := range textConfigs() {
		c.Dim = 100
		l := newLibrary(t, true)
		numbers := func(threads int, deterministic bool) []float32 {
			c := c
			c.Threads, c.Deterministic = threads, deterministic
			r, _ := c.newTextRun(t, l, true)
			w := r.NewWorker(0, 0)
			defer w.Close()
			w.Load()
			for range 2 {
				l.take(w)
			}
			w.Store()
			var numbers []float32
			for _, m := range all(r.Values) {
				numbers = append(numbers, m.Data...)
			}
			return numbers
		}
		one := numbers(1, true)
		if three := numbers(3, true); !slices.Equal(one, three) {
			t.Errorf("%s: other bits with three threads", name)
		}
		if c.Loss == negativeSampling { // a group draws other negatives
			continue
		}
		for k, want := range numbers(1, false) {
			if math.Abs(float64(one[k]-want)) > 1e-3*max(1, math.Abs(float64(want))) {
				t.Errorf("%s: number %d is %v, want %v", name, k, one[k], want)
				break
			}
		}
	}
}

// Frozen rows of texts stay as they are, and others are trained.
func TestFrozenRowsOfTexts(t *testing.T) {
	for _, name := range []string{"softmax, n-grams", "softmax, extremes of all"} {
		c := textConfigs()[name]
		l := newLibrary(t, false)
		r, _ := c.newTextRun(t, l, true)
		in := r.Values.Matrix("input")
		before := slices.Clone(in.Data)
		frozen := make([]bool, in.Rows)
		for row := 0; row < in.Rows; row += 2 {
			frozen[row] = true
		}
		r.Values.Freeze("input", frozen)
		l.take(r.NewWorker(0, 0))
		for row := range in.Rows {
			same := slices.Equal(in.Row(row), before[row*in.Stride:][:in.Cols])
			if same != frozen[row] {
				t.Errorf("%s: row %d is the same: %v, frozen: %v", name, row, same, frozen[row])
			}
		}
	}
}

// Steps of texts do not allocate once lists have grown.
func TestTextsDoNotAllocate(t *testing.T) {
	for name, c := range textConfigs() {
		l := newLibrary(t, true)
		r, _ := c.newTextRun(t, l, true)
		w := r.NewWorker(0, 0)
		l.take(w)
		if n := testing.AllocsPerRun(10, func() { l.take(w) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// The exponential function is right to a few units in the last place, and scores of any size give finite errors.
func TestSoftmaxOfLargeScores(t *testing.T) {
	c := textConfigs()["softmax, words"]
	l := newLibrary(t, false)
	r, _ := c.newTextRun(t, l, true)
	for _, m := range all(r.Values) {
		for i := range m.Data {
			m.Data[i] *= 300
		}
	}
	if trained := l.take(r.NewWorker(0, 0)); math.IsNaN(trained.Loss) || math.IsInf(trained.Loss, 0) || !r.Values.Finite() {
		t.Error(fmt.Sprint("the loss is ", trained.Loss, ", and numbers are finite: ", r.Values.Finite()))
	}
}

// Mixed chunks have each text once an epoch, from many places of the corpus, in another order in each epoch.
func TestMixedTexts(t *testing.T) {
	var sentences [][]string
	for i := range 9000 { // 22 chunks
		sentence := make([]string, 20)
		for k := range sentence {
			sentence[k] = fmt.Sprint("t", i)
		}
		sentences = append(sentences, sentence)
	}
	v, ids, err := vocab.Index(t.Context(), corpus.Sentences("texts", sentences, corpus.Options{}), vocab.Options{Threads: 1}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	r := &Run{IDs: ids, Shuffle: true, Labels: &Labels{}, Variant: &variant.Variant{Run: settings.Run{Seed: 3}}}
	s, lengths := newSequence(r), r.Lengths()
	chunks, orders := int64(ids.Chunks()), [2][]int{}
	if chunks < mostMixed+2 {
		t.Fatalf("only %d chunks", chunks)
	}
	for epoch := range int64(2) {
		seen, tokens := map[int]bool{}, uint64(0)
		for i := epoch * chunks; i < (epoch+1)*chunks; i++ {
			pieces, n, low, high := s.chunk(i), 0, len(sentences), 0
			for at, id := range pieces[0] {
				if id&vocab.EndOfSentence == 0 {
					continue
				}
				number, err := strconv.Atoi(v.Token(int(id &^ vocab.EndOfSentence))[1:])
				if err != nil || seen[number] || at%20 != 19 {
					t.Fatalf("chunk %d: text %d at %d, %v, seen before: %v", i, number, at, err, seen[number])
				}
				seen[number] = true
				orders[epoch] = append(orders[epoch], number)
				low, high = min(low, number), max(high, number)
				n += 20
			}
			tokens += uint64(n)
			if got := lengths.Of(i); got != uint64(n) {
				t.Errorf("chunk %d has %d tokens, its length is %d", i, n, got)
			}
			if i%chunks < mostMixed && high-low < len(sentences)/2 {
				t.Errorf("chunk %d has texts %d to %d", i, low, high)
			}
		}
		if len(seen) != len(sentences) || tokens != ids.Tokens() {
			t.Errorf("epoch %d: %d texts of %d tokens, want %d of %d", epoch, len(seen), tokens, len(sentences), ids.Tokens())
		}
	}
	if slices.Equal(orders[0], orders[1]) {
		t.Error("both epochs have the same order")
	}
}

// Rows of texts begin with numbers up to 1 divided by the dimensions, with n-grams and without, as fastText's do: with
// others, a run of low rate learns less in as many epochs.
func TestRowsOfTextsAtTheStart(t *testing.T) {
	for name, c := range textConfigs() {
		r, _ := c.newTextRun(t, newLibrary(t, true), false)
		r.Values.Initialise(3)
		var most float32
		for _, x := range r.Values.Matrix("input").Data {
			most = max(most, x, -x)
		}
		if bound := 1 / float32(c.Dim); most > bound || most < 0.75*bound {
			t.Errorf("%s: the largest number is %v, want about %v", name, most, bound)
		}
	}
}
