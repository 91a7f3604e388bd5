package sgns

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/trial"
	"github.com/w2v-go/w2v/subword"
)

func train(t testing.TB, text string, c Config) *Model {
	t.Helper()
	v, ids := indexed(t, text)
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	sentences, indexed, numbers = trial.Sentences, trial.Indexed, trial.Numbers
	small, split                = trial.Small, trial.Split
	fastText, floret            = trial.FastText, trial.Floret
	hashes                      = trial.Hashes
	variants                    = trial.Variants
)

func TestOneWorkerRepeatsItself(t *testing.T) {
	text := sentences(500)
	for name, c := range map[string]Config{
		"words":    small(func(c *Config) {}),
		"subwords": small(func(c *Config) { c.Subword = fastText }),
	} {
		a, b := train(t, text, c), train(t, text, c)
		if !bytes.Equal(numbers(a.Vectors.Input()), numbers(b.Vectors.Input())) ||
			!bytes.Equal(numbers(a.Vectors.Output()), numbers(b.Vectors.Output())) {
			t.Errorf("%s: two runs of one seed differ", name)
		}
		c.Seed++
		if other := train(t, text, c); bytes.Equal(numbers(a.Vectors.Input()), numbers(other.Vectors.Input())) {
			t.Errorf("%s: two seeds give the same", name)
		}
	}
}

func TestMergedRowsTrainTheSameVectors(t *testing.T) {
	text := sentences(300)
	merged := train(t, text, small(func(c *Config) { c.Epochs, c.Subword, c.OwnWeight = 1, fastText, 1 })).Vectors
	apart := train(t, text, small(func(c *Config) {
		c.Epochs, c.Subword, c.OwnWeight, config.TuningOf(c).SeparateRows = 1, fastText, 1, true
	})).Vectors
	if merged.Input().Rows >= apart.Input().Rows {
		t.Fatalf("%d rows merged, %d apart: nothing was merged", merged.Input().Rows, apart.Input().Rows)
	}
	closeTo := func(what string, got, want []float32) {
		t.Helper()
		for k := range want {
			if math.Abs(float64(got[k]-want[k])) > 3e-4*(1+math.Abs(float64(want[k]))) {
				t.Fatalf("%s, number %d: %v merged, %v apart", what, k, got[k], want[k])
			}
		}
	}
	members := make(map[int][]uint32) // row of the merged model: buckets it stands for
	for b, row := range merged.BucketRows() {
		if (row < 0) != (apart.BucketRows()[b] < 0) {
			t.Fatalf("bucket %d is used in one model and not in the other", b)
		}
		if row >= 0 {
			members[int(row)] = append(members[int(row)], uint32(b))
		}
	}
	for id, word := range merged.Words().All() {
		closeTo(word, merged.Vectors().Row(id), apart.Vectors().Row(id))
		closeTo("context "+word, merged.Output().Row(id), apart.Output().Row(id))
		row := int(merged.WordRows()[id])
		if len(members[row]) == 0 {
			closeTo("own row of "+word, merged.Input().Row(row), apart.Input().Row(int(apart.WordRows()[id])))
		}
		delete(members, row) // its mean would have the word's own row in it
	}
	if len(members) == 0 {
		t.Fatal("no buckets share a row")
	}
	for row, buckets := range members {
		mean := make([]float32, merged.Dim())
		for _, b := range buckets {
			for k, x := range apart.BucketVector(b) {
				mean[k] += x / float32(len(buckets))
			}
		}
		closeTo("mean of buckets", merged.Input().Row(row), mean)
	}
}

func TestEveryEpochIsWhole(t *testing.T) {
	v, ids := indexed(t, sentences(3000))
	for _, threads := range []int{1, 4} {
		c := small(func(c *Config) { c.Threads, c.Epochs = threads, 3 })
		var last Progress
		m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{Every: time.Millisecond, Progress: func(p Progress) {
			if p.Tokens < last.Tokens || last.Final {
				t.Errorf("report %+v came after %+v", p, last)
			}
			last = p
		}})
		if err != nil {
			t.Fatal(err)
		}
		if want := 3 * ids.Tokens(); m.Progress.Tokens != want || last.Tokens != want || last.Total != want {
			t.Errorf("%d threads: trained %d tokens, reported %d of %d, want %d",
				threads, m.Progress.Tokens, last.Tokens, last.Total, want)
		}
		if !last.Final || last.LearningRate != 0 {
			t.Errorf("the last report is %+v", last)
		}
	}
}

// Hogwild workers lose updates to each other, but not so many that it shows.
func TestWorkersLearnAsMuchAsOne(t *testing.T) {
	tokens, threads, apart := 20_000, 3, 0.1
	if longtest.Enabled() { // long enough for workers to take turns on few processors: one alone at the end would have only low rates
		tokens, threads, apart = 120_000, 8, 0.03
	}
	text, err := io.ReadAll(demo.Corpus(tokens, 1))
	if err != nil {
		t.Fatal(err)
	}
	one := train(t, string(text), small(func(c *Config) { c.Epochs = 2 }))
	several := train(t, string(text), small(func(c *Config) { c.Epochs, c.Threads = 2, threads }))
	if a, b := one.Progress.Loss, several.Progress.Loss; math.Abs(a-b) > apart*a {
		t.Errorf("loss %.4f with one worker, %.4f with %d", a, b, threads)
	}
	atFirst := float64(1+Defaults().Negatives) * math.Ln2
	if one.Progress.Loss > 0.8*atFirst {
		t.Errorf("loss %.4f after training, %.4f before", one.Progress.Loss, atFirst)
	}
}

// Little text is read often, and much text seldom. Lines without windows, and vectors to start from, have the usual
// number.
func TestEpochsFor(t *testing.T) {
	for _, test := range []struct {
		tokens          uint64
		words, subwords int
	}{
		{0, 40, 40}, {50_000, 40, 40}, {100_000, 20, 20}, {200_000, 10, 10}, {400_000, 10, 5}, {1_000_000, 10, 5}, {6_000_000, 10, 5}, {17_000_000, 8, 5},
		{100_000_000, 5, 5}, {1_000_000_000, 3, 3}, {1 << 40, 1, 1}, {math.MaxUint64, 1, 1},
	} {
		c := Defaults()
		if got := c.EpochsFor(test.tokens); got != test.words {
			t.Errorf("%d epochs of %d tokens, want %d", got, test.tokens, test.words)
		}
		if c.Subword = fastText; c.EpochsFor(test.tokens) != test.subwords {
			t.Errorf("%d epochs of %d tokens with subwords, want %d", c.EpochsFor(test.tokens), test.tokens, test.subwords)
		}
	}
	if got := (Config{}).EpochsFor(1000); got != UsualEpochs { // its window is 0
		t.Errorf("%d epochs of whole lines", got)
	}
	c := small(func(c *Config) { c.Epochs = 0 })
	first := train(t, sentences(30), c)
	if got, tokens := first.Progress, first.Vectors.Training().Uint("tokens"); got.Total != tokens*uint64(c.EpochsFor(tokens)) || first.Vectors.Training().Int("epochs") != c.EpochsFor(tokens) {
		t.Errorf("%+v of %d tokens", got, tokens)
	}
	d := dataOf(t, sentences(30))
	d.Init = first.Vectors
	if m, err := Train(t.Context(), d, c, Hooks{}); err != nil || m.Vectors.Training().Int("epochs") != UsualEpochs {
		t.Errorf("%v", err)
	}
}

func TestRateFor(t *testing.T) {
	for _, test := range []struct {
		tokens          uint64
		words, subwords float64
	}{
		{0, 0.07, 0.05}, {5_800_000, 0.07, 0.05}, {27_000_000, 0.07, 0.05}, {40_000_000, 0.058, 0.05}, {71_000_000, 0.044, 0.039}, {86_000_000, 0.04, 0.035}, {1 << 40, 0.02, 0.02},
	} {
		if got := (Config{}).RateFor(test.tokens); got != test.words {
			t.Errorf("rate %v for %d tokens, want %v", got, test.tokens, test.words)
		}
		if got := (Config{Subword: fastText}).RateFor(test.tokens); got != test.subwords {
			t.Errorf("rate %v for %d tokens with subwords, want %v", got, test.tokens, test.subwords)
		}
	}
	m := train(t, sentences(30), small(func(c *Config) {}))
	if got := m.Vectors.Training().Float("lr"); got != 0.07 {
		t.Errorf("trained at %v", got)
	}
	// More pairs a token take a lower rate, fewer do not take a higher one.
	for _, test := range []struct {
		window, negatives int
		rate              float64
	}{{5, 5, 0.07}, {2, 5, 0.07}, {10, 5, 0.049}, {5, 20, 0.037}, {8, 25, 0.027}, {1 << 30, 5, 0.005}, {1 << 30, 1 << 20, 0.001}} {
		c := Config{Window: test.window, Negatives: test.negatives}
		if got := c.RateFor(1e6); got != test.rate {
			t.Errorf("window %d, %d negatives: rate %v, want %v", test.window, test.negatives, got, test.rate)
		}
	}
}

// Variants in which a step moves more than the rows of one word take a lower rate than
// others; and what a window is does not matter to CBOW, which has one pair a token.
func TestRateForVariants(t *testing.T) {
	const tokens = 86_000_000
	of := func(change func(*Config)) float64 { return small(change).RateFor(tokens) }
	for _, test := range []struct {
		name string
		part float64
		of   func(*Config)
		than func(*Config)
	}{
		{"tied", 0.5, func(c *Config) { c.Tied = true }, func(*Config) {}},
		{"hash", 0.7, func(c *Config) { c.Subword = hashes }, func(c *Config) { c.Subword = fastText }},
		{"nested", 0.5, func(c *Config) { c.Nested = []int{5, 10, 20} }, func(*Config) {}},
		{"nested, all alone", 1, func(c *Config) { c.Nested = []int{20} }, func(*Config) {}},
		{"CBOW, a large window", 1, func(c *Config) { c.Arch, c.Window = CBOW, 50 }, func(c *Config) { c.Arch = CBOW }},
	} {
		if got, want := of(test.of), test.part*of(test.than); math.Abs(got-want) > 1e-3 {
			t.Errorf("%s: rate %v, want %v", test.name, got, want)
		}
	}
	if cbow, usual := of(func(c *Config) { c.Arch = CBOW }), of(func(*Config) {}); cbow <= usual {
		t.Errorf("CBOW: rate %v, of skip-gram %v", cbow, usual)
	}
}

// Negatives are drawn by count to the power that the configuration names.
func TestNoiseExponent(t *testing.T) {
	text := strings.Repeat(strings.Repeat("often ", 99)+"rare\n", 200)
	v, ids := indexed(t, text)
	share := func(exponent float64) float64 {
		c := small(func(c *Config) { c.NSExponent, c.Sample, c.Epochs = exponent, 0, 1 })
		m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		rare := m.Vectors.Output().Row(1)
		var square float64
		for _, x := range rare {
			square += float64(x) * float64(x)
		}
		return square
	}
	// With exponent 0 half of the negatives are the rare word, which then is pushed
	// away far more often than it is seen.
	if even, byCount := share(0), share(1); even < 2*byCount {
		t.Errorf("squared length of the rare word's context vector: %v for exponent 0, %v for 1", even, byCount)
	}
}

func TestDivergenceIsAnError(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	c := small(func(c *Config) { c.LearningRate = 1e6 })
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
	if !errors.Is(err, ErrDiverged) || m != nil {
		t.Errorf("model %v, error %v", m, err)
	}
}

func TestModelTooLargeForMemory(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	for name, change := range map[string]func(*Config){
		"dimensions": func(c *Config) { c.Dim = 1 << 30 },
		"buckets": func(c *Config) {
			c.Dim, c.Subword = 1<<20, subword.FastText{MinN: 3, MaxN: 3, Buckets: 1<<31 - 1}
		},
		"an output matrix for each position": func(c *Config) { c.Dim, c.Arch, c.Window = 1<<28, Structured, 1000 },
		"a tree":                             func(c *Config) { c.Dim, c.Loss = 1<<30, HierarchicalSoftmax },
		"a projection":                       func(c *Config) { c.Dim, c.Rank = 1<<24, 1<<22 },
		"rows of word n-grams": func(c *Config) {
			c.Dim, c.Arch, c.WordNgrams, c.WordBuckets = 1<<20, CBOW, 2, 1<<30
		},
		"a pool": func(c *Config) {
			c.Dim, c.Subword = 1<<20, subword.Hash{Buckets: 1<<31 - 1, Hashes: 1, Importances: 1}
		},
		"position weights": func(c *Config) { c.Dim, c.Arch, c.Window, c.PositionWeights = 1<<30, CBOW, 1000, true },
	} {
		started := false
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(change), Hooks{Start: func(Plan) error { started = true; return nil }})
		if _, ok := errors.AsType[*MemoryError](err); !ok || started {
			t.Errorf("%s: error %v, started %v", name, err, started)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: %d bytes were allocated before", name, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

func TestPlan(t *testing.T) {
	v, ids := indexed(t, sentences(30))
	c := small(func(c *Config) { c.Epochs = 1 })
	var plan Plan
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{Start: func(p Plan) error { plan = p; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	matrices := uint64(4 * (len(m.Vectors.Input().Data) + len(m.Vectors.Output().Data)))
	if plan.Words != v.Len() || plan.Rows != m.Vectors.Input().Rows || plan.Added < matrices || plan.Added > 2*matrices+50_000 {
		t.Errorf("plan %+v for matrices of %d bytes", plan, matrices)
	}
}

func TestCancelledTrainingKeepsItsModel(t *testing.T) {
	v, ids := indexed(t, sentences(3000))
	ctx, cancel := context.WithCancel(t.Context())
	c := small(func(c *Config) { c.Epochs = 100000 })
	m, err := Train(ctx, Data{IDs: ids, Vocab: v}, c, Hooks{Every: time.Millisecond, Progress: func(p Progress) {
		if p.Tokens > 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	if m == nil || m.Vectors.Len() != v.Len() || m.Progress.Tokens == 0 || m.Progress.Tokens == m.Progress.Total {
		t.Fatalf("model %+v", m)
	}
}

// Whatever the corpus, training ends and gives finite numbers.
func TestOddCorpora(t *testing.T) {
	for name, text := range map[string]string{
		"one word":              strings.Repeat("word ", 5000),
		"one token":             "word",
		"one token a line":      strings.Repeat("a\nb\nc\n", 300),
		"a line of 100000":      strings.Repeat("a b c d e f g h i j ", 10000),
		"the same word at once": strings.Repeat("x ", 30) + "\n" + strings.Repeat("y ", 30),
	} {
		for _, indexer := range []subword.Indexer{nil, subword.FastText{MinN: 1, MaxN: 3, Buckets: 50}} {
			c := small(func(c *Config) { c.Sample, c.Epochs, c.Subword = 0, 1, indexer })
			v, ids := indexed(t, text)
			m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Progress.Tokens; got != uint64(len(strings.Fields(text))) {
				t.Errorf("%s: trained %d tokens, want %d", name, got, len(strings.Fields(text)))
			}
			for _, x := range m.Vectors.Input().Data {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					t.Fatalf("%s: a row has %v", name, x)
				}
			}
		}
	}
}

// Words that share most of their n-grams move together, and must not be moved too
// far by a step of many centres.
func TestWordsWithACommonPrefix(t *testing.T) {
	text := regexp.MustCompile(`\S+`).ReplaceAllString(sentences(300), "https://example.com/item/$0")
	m := train(t, text, small(func(c *Config) {
		c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 100_000}
	}))
	if atFirst := float64(1+Defaults().Negatives) * math.Ln2; !(m.Progress.Loss < atFirst) {
		t.Errorf("loss %.4f after training, %.4f before", m.Progress.Loss, atFirst)
	}
}

func TestConfigValidate(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	for want, change := range map[string]func(*Config){
		"sgns: dimensions: 0 is not from 1":                    func(c *Config) { c.Dim = 0 },
		"sgns: window: -1 is not from 0":                       func(c *Config) { c.Window = -1 },
		"sgns: epochs: -1 is not":                              func(c *Config) { c.Epochs = -1 },
		"sgns: negatives: 0 is not":                            func(c *Config) { c.Negatives = 0 },
		"sgns: threads: -2 is not":                             func(c *Config) { c.Threads = -2 },
		"sgns: learning rate: NaN is not":                      func(c *Config) { c.LearningRate = math.NaN() },
		"sgns: subsampling threshold: -1 is not":               func(c *Config) { c.Sample = -1 },
		"sgns: exponent of the noise distribution: 11 is not ": func(c *Config) { c.NSExponent = 11 },
		"subword: buckets is 0, must be from 1":                func(c *Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6} },
	} {
		c := Defaults()
		change(&c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s…", err, want)
		}
	}
}
