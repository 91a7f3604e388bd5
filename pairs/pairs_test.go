package pairs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// some are n pairs of texts about the same topic, of which each has words of its own.
func some(n int) []Pair {
	random := rand.New(rand.NewPCG(7, 7))
	text := func(topic int) string {
		var words []string
		for range 3 + random.IntN(6) {
			words = append(words, fmt.Sprintf("topic%dword%d", topic, random.IntN(12)), fmt.Sprintf("common%d", random.IntN(9)))
		}
		return strings.Join(words, " ")
	}
	var all []Pair
	for i := range n {
		topic := i % 20
		all = append(all, Pair{First: text(topic), Second: text(topic), Score: math.Round(100*random.Float64()) / 100})
	}
	return all
}

func corpusOf(all []Pair) Corpus {
	return Pairs(func(yield func(Pair, error) bool) {
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	})
}

func small() Options {
	o := Defaults()
	o.Dim, o.BatchSize, o.Epochs, o.MinCount, o.MaxN, o.Buckets = 24, 64, 3, 1, 0, 500
	return o
}

func mustTrain(t *testing.T, c Corpus, o Options, h Hooks) *Trained {
	t.Helper()
	trained, err := Train(context.Background(), c, o, h)
	if err != nil {
		t.Fatal(err)
	}
	return trained
}

// variants are options by name.
func variants() map[string]func(*Options) {
	return map[string]func(*Options){
		"words":    func(*Options) {},
		"n-grams":  func(o *Options) { o.MinN, o.MaxN = 3, 4 },
		"one way":  func(o *Options) { o.OneWay = true },
		"queue":    func(o *Options) { o.Queue = 100 },
		"nested":   func(o *Options) { o.Nested = []int{4, 12} },
		"scored":   func(o *Options) { o.Scored, o.Nested = true, []int{8} },
		"order":    func(o *Options) { o.Scored, o.ScoreLoss, o.Nested = true, CoSENTLoss, []int{8} },
		"all":      func(o *Options) { o.MinN, o.MaxN, o.Queue, o.Nested = 3, 3, 50, []int{10} },
		"early":    func(o *Options) { o.Patience, o.LearningRate, o.Epochs, o.HeldOut = 1, 0.05, 9, 0.1 },
		"rare out": func(o *Options) { o.MinCount, o.MinN, o.MaxN = 3, 3, 5 },
	}
}

func withNegatives(all []Pair) []Pair {
	all = slices.Clone(all)
	for i := range all {
		if i%3 == 0 {
			all[i].Negatives = []string{all[(i+7)%len(all)].Second, all[(i+1)%len(all)].First}
		}
	}
	return all
}

// A prepared is a run of pairs before its first step.
type prepared struct {
	*run
	*pairing
}

func prepare(t *testing.T, all []Pair, o Options) prepared {
	t.Helper()
	read, err := read(context.Background(), corpusOf(all), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Settings: o.Settings}
	var number []uint32
	if r.lexicon, number, err = read.newLexicon(o.Settings, false); err != nil {
		t.Fatal(err)
	}
	read.texts.renumber(number)
	p := &pairing{o: o}
	p.all = read.useful(&r.contents, o.Scored)
	r.Threads = 2
	r.allocate()
	r.stepper.texts = &read.texts
	p.batch = newBatch(r.stepper, o)
	r.task = p
	if err := r.table.start(r.lexicon, o.Settings); err != nil {
		t.Fatal(err)
	}
	return prepared{r, p}
}

// reference is the loss of a batch in float64, written down from its definition, as a function of all rows and weights. Texts
// in the queue have constant vectors.
func reference(r prepared, numbers, weights []float64, queue [][2][]float64, queued [][2]uint32) float64 {
	o, dim := r.o, r.o.Dim
	vector := func(text uint32) []float64 {
		v := make([]float64, dim)
		for _, word := range r.run.stepper.texts.of(text) {
			for e := r.lexicon.lists.Starts[word]; e < r.lexicon.lists.Starts[word+1]; e++ {
				row := r.lexicon.lists.Rows[e]
				for k := range v {
					v[k] += float64(r.lexicon.lists.Weights[e]) * weights[row] * numbers[int(row)*dim+k]
				}
			}
		}
		return v
	}
	cosine := func(a, b []float64, d int) float64 {
		var ab, aa, bb float64
		for k := range d {
			ab, aa, bb = ab+a[k]*b[k], aa+a[k]*a[k], bb+b[k]*b[k]
		}
		return ab / math.Sqrt(aa*bb)
	}
	type item struct {
		text, by uint32
		v        []float64
	}
	var left, right, hard []item
	for _, e := range r.batch.examples {
		left, right = append(left, item{e.a, e.b, vector(e.a)}), append(right, item{e.b, e.a, vector(e.b)})
		for _, text := range e.negatives {
			hard = append(hard, item{text, none, vector(text)})
		}
	}
	n := len(left)
	all := 0.0
	for _, d := range o.dims() {
		loss := 0.0
		if o.Scored {
			sum := 1.0
			for i, e := range r.batch.examples {
				own := cosine(left[i].v, right[i].v, d)
				off := own - float64(e.score)
				loss += off * off / float64(n)
				for j, of := range r.batch.examples {
					if of.score < e.score {
						sum += math.Exp((cosine(left[j].v, right[j].v, d) - own) / o.Temperature)
					}
				}
			}
			if o.ScoreLoss == CoSENTLoss {
				loss = math.Log(sum)
			}
			all += loss / float64(len(o.dims()))
			continue
		}
		direction := func(from, to, others []item) {
			for i, x := range from {
				sum := 0.0
				for j, y := range slices.Concat(to, others) {
					if j != i && (y.text == x.text || y.text == x.by || y.by == x.text) {
						continue
					}
					sum += math.Exp(cosine(x.v, y.v, d) / o.Temperature)
				}
				loss -= math.Log(math.Exp(cosine(x.v, to[i].v, d)/o.Temperature) / sum)
			}
		}
		var ofLeft, ofRight []item
		for i, q := range queue {
			ofLeft, ofRight = append(ofLeft, item{queued[i][0], queued[i][1], q[0]}), append(ofRight, item{queued[i][1], queued[i][0], q[1]})
		}
		direction(left, right, slices.Concat(hard, ofRight))
		directions := 1.0
		if !o.OneWay {
			direction(right, left, ofLeft)
			directions = 2
		}
		all += loss / directions / float64(n) / float64(len(o.dims()))
	}
	return all
}

func TestGradients(t *testing.T) {
	for name, set := range variants() {
		t.Run(name, func(t *testing.T) {
			o := small()
			o.Temperature = 0.3
			set(&o)
			all := some(40)
			all = append(all, Pair{First: all[0].First, Second: all[5].Second}, Pair{First: all[3].Second, Second: all[9].First}) // texts of other pairs
			if !o.Scored {
				all = withNegatives(all)
			}
			r := prepare(t, all, o)
			b := r.batch
			if o.Queue > 0 {
				b.take(r.all[:10])
				b.remember()
			}
			var queue [][2][]float64
			for i := range b.queue.n {
				queue = append(queue, [2][]float64{wide(b.queue.left[i*o.Dim:][:o.Dim]), wide(b.queue.right[i*o.Dim:][:o.Dim])})
			}
			b.take(r.all)
			b.loss()
			numbers, weights := wide(r.table.numbers), wide(r.table.weights)
			loss := func() float64 { return reference(r, numbers, weights, queue, b.queue.texts) }

			// A step of Adam moves numbers by the sign of their gradients, and its first moment is a tenth of the gradient.
			b.stepper.backward(0)
			random := rand.New(rand.NewPCG(1, 1))
			var most float64
			for _, g := range r.table.state.first {
				most = max(most, math.Abs(float64(g))*10)
			}
			check := func(what string, at int, x *float64, got float32) {
				const h = 1e-5
				was := *x
				*x = was + h
				up := loss()
				*x = was - h
				down := loss()
				*x = was
				want := (up - down) / (2 * h)
				if off := math.Abs(float64(got)*10 - want); off > 1e-3*max(math.Abs(want), most) {
					t.Errorf("%s %d: gradient %g, expected %g", what, at, got*10, want)
				}
			}
			for range 40 {
				i := random.IntN(len(numbers))
				check("number", i, &numbers[i], r.table.state.first[i])
				row := random.IntN(len(weights))
				check("weight", row, &weights[row], r.table.state.ofWeights[2*row])
			}
		})
	}
}

func wide(v []float32) []float64 {
	all := make([]float64, len(v))
	for i, x := range v {
		all[i] = float64(x)
	}
	return all
}

func TestLossIsTheReference(t *testing.T) {
	o := small()
	o.Temperature, o.Queue = LeastTemperature, 30
	r := prepare(t, withNegatives(some(50)), o)
	r.batch.take(r.all)
	got := r.batch.loss()
	if want := reference(r, wide(r.table.numbers), wide(r.table.weights), nil, nil); math.Abs(got-want) > 1e-3*want {
		t.Errorf("loss %v, expected %v", got, want)
	}
}

func sameBits(t *testing.T, a, b *vectors.Set) {
	t.Helper()
	x, y := a.Input(), b.Input()
	if x.Rows != y.Rows || !slices.Equal(a.Words().Strings(), b.Words().Strings()) {
		t.Fatalf("%d rows and %d", x.Rows, y.Rows)
	}
	for row := range x.Rows {
		if !slices.Equal(x.Row(row), y.Row(row)) {
			t.Fatalf("row %d: %v and %v", row, x.Row(row)[:3], y.Row(row)[:3])
		}
	}
}

func TestThreadsGiveTheSameBits(t *testing.T) {
	for name, set := range variants() {
		t.Run(name, func(t *testing.T) {
			o := small()
			set(&o)
			var first *Trained
			for _, threads := range []int{1, 2, 5} {
				o.Threads = threads
				trained := mustTrain(t, corpusOf(some(150)), o, Hooks{})
				if first == nil {
					first = trained
				}
				sameBits(t, first.Vectors, trained.Vectors)
			}
		})
	}
}

func TestResumeGivesTheSameBits(t *testing.T) {
	for name, set := range variants() {
		t.Run(name, func(t *testing.T) {
			o := small()
			set(&o)
			o.HeldOut = 0.1
			all := some(150)
			whole := mustTrain(t, corpusOf(all), o, Hooks{})
			ctx, cancel := context.WithCancel(context.Background())
			n := 0
			var saved *vectors.Set
			_, err := Train(ctx, corpusOf(all), o, Hooks{Every: 1, Progress: func(Progress) {
				if n++; n == 4 {
					cancel()
				}
			}, Save: func(set *vectors.Set) { saved = copied(t, set) }})
			if !errors.Is(err, context.Canceled) || saved == nil {
				t.Fatal(err, saved)
			}
			resumed, err := Resume(context.Background(), corpusOf(all), Corpus{}, saved, 0, 2, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			sameRun(t, whole, resumed)
			if _, err := Resume(context.Background(), corpusOf(all[1:]), Corpus{}, saved, 0, 1, Hooks{}); err == nil {
				t.Error("another corpus is no error")
			}
		})
	}
}

// sameRun compares a run that was resumed with a whole one.
func sameRun(t *testing.T, whole, resumed *Trained) {
	t.Helper()
	sameBits(t, whole.Vectors, resumed.Vectors)
	if !slices.Equal(whole.Evaluations, resumed.Evaluations) {
		t.Errorf("evaluations %v, expected %v", resumed.Evaluations, whole.Evaluations)
	}
	if a, b := whole.Best, resumed.Best; (a == nil) != (b == nil) || a != nil && *a != *b || whole.Progress.Early != resumed.Progress.Early {
		t.Errorf("best %v and ended early %v, expected %v and %v", b, resumed.Progress.Early, a, whole.Progress.Early)
	}
}

// Training ends when held-out pairs have not improved for so many epochs, and gives the rows of the best one.
func TestEarlyStop(t *testing.T) {
	all := some(300)
	o := small()
	o.HeldOut, o.Epochs, o.LearningRate = 0.2, 40, 0.05
	for _, c := range []struct {
		metric   Metric
		patience int
	}{{"", 2}, {NDCGMetric, 1}, {MRRMetric, 3}} {
		t.Run(string(c.metric), func(t *testing.T) {
			o := o
			o.Metric, o.Patience = c.metric, c.patience
			var found []Evaluation
			var best []int
			var saved *vectors.Set
			trained := mustTrain(t, corpusOf(all), o, Hooks{Evaluated: func(e Evaluation, isBest bool) {
				if found = append(found, e); isBest {
					best = append(best, e.Epoch)
				}
			}, Save: func(set *vectors.Set) { saved = copied(t, set) }})
			last := best[len(best)-1]
			if n := len(found); n == o.Epochs || n != last+c.patience || !trained.Progress.Early || *trained.Best != found[last-1] {
				t.Fatalf("%d epochs, early %v, best %v of %v", n, trained.Progress.Early, trained.Best, best)
			}
			for i, e := range found {
				isBest := !slices.ContainsFunc(found[:i], func(before Evaluation) bool { return before.value(c.metric) >= e.value(c.metric) })
				if slices.Contains(best, e.Epoch) != isBest {
					t.Errorf("epoch %d is best: %v, expected %v", e.Epoch, !isBest, isBest)
				}
			}
			// The run that ends after the best epoch has the same rows.
			ctx, cancel := context.WithCancel(context.Background())
			plain := o
			plain.Metric, plain.Patience = "", 0
			stopped, err := Train(ctx, corpusOf(all), plain, Hooks{Evaluated: func(e Evaluation, isBest bool) {
				if isBest {
					t.Error("a best epoch without patience")
				}
				if e.Epoch == last {
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) || stopped.Best != nil {
				t.Fatal(err, stopped.Best)
			}
			sameBits(t, stopped.Vectors, trained.Vectors)
			// A run that has ended has ended, unless it is to have more epochs.
			again, err := Resume(context.Background(), corpusOf(all), Corpus{}, saved, 0, 1, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			sameRun(t, trained, again)
			longer, err := Resume(context.Background(), corpusOf(all), Corpus{}, saved, o.Epochs+1, 1, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(longer.Evaluations); n < len(found)+c.patience {
				t.Errorf("%d epochs after more were asked for, %d before", n, len(found))
			}
		})
	}
	o.HeldOut, o.Patience = 0, 1
	if _, err := Train(context.Background(), corpusOf(all), o, Hooks{}); err == nil || err.Error() != "pairs: early stopping needs held-out pairs" {
		t.Errorf("without held-out pairs: %v", err)
	}
}

// copied returns a set whose matrices are copies.
func copied(t *testing.T, set *vectors.Set) *vectors.Set {
	p := set.Parts()
	own := func(m vectors.Matrix) vectors.Matrix {
		to := vectors.NewMatrix(m.Rows, m.Cols)
		for row := range m.Rows {
			m.Read(to.Row(row), row)
		}
		return to
	}
	p.Input = own(p.Input)
	for i, m := range p.StateRows {
		p.StateRows[i] = own(m)
	}
	p.State = slices.Clone(p.State)
	c, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestModelMakesTheVectorsThatWereTrained(t *testing.T) {
	for name, set := range variants() {
		t.Run(name, func(t *testing.T) {
			o := small()
			set(&o)
			all := some(60)
			r := prepare(t, all, o)
			for first := 0; first < len(r.all); first += 20 {
				r.batch.take(r.all[first:min(first+20, len(r.all))])
				r.batch.loss()
				r.run.stepper.backward(0.01)
			}
			model, err := r.model()
			if err != nil {
				t.Fatal(err)
			}
			pooler, err := pooling.New(model, pooling.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, o.Dim)
			for i, e := range r.all {
				want := r.batch.vectorsOf([]uint32{e.a})
				words, _, err := o.Text.Cut(all[i].First)
				if err != nil {
					t.Fatal(err)
				}
				var tokens []vectors.Token
				for _, word := range words {
					tokens = append(tokens, model.Token(word))
				}
				pooler.Text(got, tokens)
				for k := range got {
					if math.Abs(float64(got[k]-want[k])) > 1e-5 {
						t.Fatalf("text %d: %v, trained as %v", i, got[:4], want[:4])
					}
				}
			}
		})
	}
}

func TestTrainingLearns(t *testing.T) {
	o := small()
	o.Epochs, o.HeldOut, o.Dim = 8, 0.2, 32
	trained := mustTrain(t, corpusOf(some(600)), o, Hooks{})
	first, last := trained.Evaluations[0], trained.Evaluations[len(trained.Evaluations)-1]
	if !(last.Loss < first.Loss) || !(last.MRR > 0.1) || trained.HeldOut < 80 || trained.HeldOut > 160 {
		t.Errorf("from %+v to %+v with %d held out", first, last, trained.HeldOut)
	}
	o.Scored, o.HeldOut = true, 0
	scored := some(100)
	for i := range scored {
		scored[i].Score = 0.8
		if i%2 == 0 {
			scored[i].Second, scored[i].Score = scored[(i+3)%100].Second, -0.2
		}
	}
	o.Epochs = 20
	trained = mustTrain(t, corpusOf(scored), o, Hooks{})
	if trained.Progress.Loss > 0.05 {
		t.Errorf("the loss of scores is %v", trained.Progress.Loss)
	}
}

// Pairs of a chain of texts are held out together, and never more than the share.
func TestGroupsAreHeldOutTogether(t *testing.T) {
	var all []Pair
	article := map[string]int{}
	for i := range 100 {
		paragraph := func(j int) string { return fmt.Sprintf("article%d paragraph%d", i, j) }
		for j := range 1 + i%5 {
			all = append(all, Pair{First: paragraph(j), Second: paragraph(j + 1)})
		}
	}
	o := small()
	read, err := read(context.Background(), corpusOf(all), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range read.examples {
		article[fmt.Sprint(e)], _ = strconv.Atoi(strings.TrimPrefix(strings.Fields(all[i].First)[0], "article"))
	}
	o.HeldOut = 0.1
	r := &pairing{o: o, all: read.examples}
	r.divide(read.texts.len())
	if n := len(all) / 10; len(r.held) != n || len(r.all) != len(all)-n {
		t.Errorf("%d of %d pairs are held out and %d kept", len(r.held), len(all), len(r.all))
	}
	held := map[int]bool{}
	for _, e := range r.held {
		held[article[fmt.Sprint(e)]] = true
	}
	for _, e := range r.all {
		if i := article[fmt.Sprint(e)]; held[i] {
			t.Errorf("article %d is divided", i)
		}
	}
	if _, err := Train(context.Background(), corpusOf([]Pair{{First: "a b", Second: "c d"}, {First: "c d", Second: "e f"}}), o, Hooks{}); err == nil || !strings.Contains(err.Error(), "common texts") {
		t.Errorf("one group: %v", err)
	}
}

func TestStartsFromSets(t *testing.T) {
	all := some(100)
	o := small()
	o.MinN, o.MaxN = 3, 3
	first := mustTrain(t, corpusOf(all), o, Hooks{})
	again := Defaults()
	again.StartFrom(first.Vectors, func(string) bool { return false })
	if again.Dim != o.Dim || again.MaxN != 3 || again.Buckets != o.Buckets {
		t.Fatalf("%+v", again)
	}
	// Almost no step: rows are those of the set.
	again.LearningRate, again.Epochs, again.MinCount = 1e-9, 1, 1
	second := mustTrain(t, corpusOf(all[:20]), again, Hooks{})
	if second.Words != first.Words {
		t.Errorf("%d words, the set has %d", second.Words, first.Words)
	}
	v, w := make([]float32, o.Dim), make([]float32, o.Dim)
	for _, word := range append(first.Vectors.Words().Strings(), "unknowntopic") {
		if first.Vectors.Vector(v, word) != second.Vectors.Vector(w, word) {
			t.Fatal(word)
		}
		for k := range v {
			if math.Abs(float64(v[k]-w[k])) > 1e-5 {
				t.Fatalf("%s: %v became %v", word, v[:3], w[:3])
			}
		}
	}
	plain := vectors.Parts{Words: vectors.NewWords("topic1word1", "elsewhere"), Input: vectors.NewMatrix(2, 8)}
	copy(plain.Input.Row(0), []float32{3, 4})
	plain.Input.Row(1)[2] = 5
	set, err := vectors.New(plain)
	if err != nil {
		t.Fatal(err)
	}
	o = small()
	o.Init, o.Dim, o.LearningRate, o.Epochs = set, 8, 1e-9, 1
	trained := mustTrain(t, corpusOf(all), o, Hooks{})
	for word, want := range map[string]float32{"topic1word1": 0.6, "elsewhere": 0} {
		if !trained.Vectors.Vector(v[:8], word) {
			t.Fatal(word, "is unknown")
		}
		vectors.Unit(v[:8], v[:8])
		if math.Abs(float64(v[0]-want)) > 1e-4 {
			t.Errorf("%s: %v", word, v[:8])
		}
	}
}

func TestBadPairs(t *testing.T) {
	files := func(text, columns, score string) func(*Options) Corpus {
		return func(o *Options) Corpus {
			f := TSV
			if columns != "" {
				f.TextColumn = columns
			}
			if f.LabelColumn = score; score != "" {
				o.Scored = true
			}
			return Files(strings.NewReader(text), f, "-")
		}
	}
	for _, c := range []struct {
		name string
		of   func(*Options) Corpus
		want string
	}{
		{"one column", files("a b\tc\nd e f\n", "", ""), "line 2: the row has 1 column, and the text is column 2"},
		{"empty", files("a\tb\n \tb\n", "", ""), "line 2: the first text of the pair is empty"},
		{"empty second", files("a\tb\nc\t\n", "", ""), "line 2: the second text of the pair is empty"},
		{"both empty", files("a\tb\n\n \t\n", "", ""), "line 3: the first text of the pair is empty"},
		{"NaN", files("a\tb\t0.5\nc\td\tNaN\n", "", "3"), "line 2: the score"},
		{"no number", files("a\tb\tgood\n", "", "3"), `line 1: the score "good" is not a number`},
		{"too high", files("a\tb\t4\n", "", "3"), "line 1: the score is 4, must be from -1 to 1"},
		{"score first", files("1\ta\tb\n", "", "1"), "column 1 has the score, and cannot have a text too: texts are in 1 and 2, unless other columns are named"},
		{"no score", files("a\tb\t\n", "", "3"), "line 1: the pair has 0 scores"},
		{"no score column", files("a\tb\n", "", "3"), "line 1: the row has 2 columns, and the score is column 3"},
		{"one name", files("a\tb\n", "1", ""), "only one column"},
		{"nothing", files("", "", ""), "there are no pairs"},
		{"the same", files("a\ta\nb\tb\n", "", ""), "0 pairs to train on are too few, besides 2 whose texts are the same and 0 with"},
		{"iterator", func(*Options) Corpus {
			return Pairs(func(yield func(Pair, error) bool) { yield(Pair{First: "a"}, nil) })
		}, "the second text of the pair is empty"},
		{"broken iterator", func(*Options) Corpus { return Pairs(failing()) }, "broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := small()
			_, err := Train(context.Background(), c.of(&o), o, Hooks{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, expected %q", err, c.want)
			}
		})
	}
}

func failing() iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) { yield(Pair{}, errors.New("broken")) }
}

func TestNegativesOfLists(t *testing.T) {
	f := TSV
	f.TextColumn, f.TextField = "", "q,pos,neg"
	text := `{"q":"one two","pos":"three","neg":["four five","six"]}
{"q":"seven","pos":"eight two","neg":null}
`
	read, err := read(context.Background(), Files(strings.NewReader(text), f, "-"), small(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(read.examples) != 2 || len(read.examples[0].negatives) != 2 || read.examples[1].negatives != nil || read.texts.len() != 6 {
		t.Errorf("%+v", read.examples)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, set := range map[string]func(*Options){
		"Dim": func(o *Options) { o.Dim = 0 }, "temperature": func(o *Options) { o.Temperature = 0 }, "BatchSize": func(o *Options) { o.BatchSize = 1 },
		"learning rate": func(o *Options) { o.LearningRate = math.NaN() }, "nested": func(o *Options) { o.Nested = []int{16, 8} },
		"queue": func(o *Options) { o.Scored, o.Queue = true, 9 }, "held out": func(o *Options) { o.HeldOut = 1 }, "minn": func(o *Options) { o.MinN, o.MaxN = 5, 3 },
	} {
		o := small()
		set(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := ScoredDefaults().Validate(); err != nil {
		t.Error(err)
	}
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
}

func TestExponential(t *testing.T) {
	for x := float32(0); x > -87; x -= 0.0137 {
		if got, want := float64(exp32(x)), math.Exp(float64(x)); math.Abs(got-want) > 3e-7*want {
			t.Fatalf("exp(%v) = %v, expected %v", x, got, want)
		}
	}
	if exp32(-1000) <= 0 || exp32(float32(math.Inf(-1))) != 0 {
		t.Error(exp32(-1000), exp32(float32(math.Inf(-1))))
	}
}
