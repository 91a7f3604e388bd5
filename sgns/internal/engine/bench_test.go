package engine

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// benchWorker returns a worker of a model of 50,000 words, and a text of 1,024 tokens.
func benchWorker(b *testing.B, change func(*config)) (*Worker, step.Text) {
	const words = 50000
	var lines strings.Builder
	for i := range words {
		word := strconv.FormatUint(uint64(uint32(i)*0x9e3779b1), 36) // seven letters and digits, all different
		fmt.Fprintf(&lines, "%s %d\n", word, 1+words*20/(i+1))
	}
	v, err := vocab.Read(strings.NewReader(lines.String()), vocab.Options{})
	if err != nil {
		b.Fatal(err)
	}
	c := defaults()
	c.LearningRate = 0.01
	change(&c)
	table := c.table(v)
	r := c.newRun(b, v, table, Divide(c.variant(b), v, table, v.KeepProbabilities(1e-3), c.given()))
	r.Values.Initialise(1)
	w := r.NewWorker(0, 0)
	w.Load()
	t := w.text
	draw := counting.Noise(v.Counts(), 1)
	random := random.Stream(2, 0)
	for range vocab.MaxSentence {
		t.IDs = append(t.IDs, draw.Draw(random.Next()))
		t.From, t.To = append(t.From, 0), append(t.To, vocab.MaxSentence)
	}
	return w, t
}

var benchSubwords = subword.FastText{MinN: 3, MaxN: 6, Buckets: 200000}

// BenchmarkTraining trains a text with one worker.
func BenchmarkTraining(b *testing.B) {
	for _, test := range []struct {
		name    string
		indexer subword.Indexer
	}{{"words", nil}, {"subwords", benchSubwords}} {
		b.Run(test.name, func(b *testing.B) {
			w, t := benchWorker(b, func(c *config) { c.Subword = test.indexer })
			benchTraining(b, w, t)
		})
	}
}

// BenchmarkDeterministic trains a text with column-parallel groups.
func BenchmarkDeterministic(b *testing.B) {
	for _, test := range []struct {
		name    string
		indexer subword.Indexer
	}{{"words", nil}, {"subwords", benchSubwords}} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", test.name, threads), func(b *testing.B) {
				w, t := benchWorker(b, func(c *config) {
					c.Subword, c.Deterministic, c.Threads = test.indexer, true, threads
				})
				defer w.Close()
				benchTraining(b, w, t)
			})
		}
	}
}

func benchTraining(b *testing.B, w *Worker, t step.Text) {
	for b.Loop() {
		w.text = t
		w.train()
	}
	reportCentres(b)
}

// BenchmarkComposition composes the words of a text with n-grams, and hands what they
// have moved by to their rows, without training them.
func BenchmarkComposition(b *testing.B) {
	w, t := benchWorker(b, func(c *config) { c.Subword = benchSubwords })
	for b.Loop() {
		w.pass(t, func(first, last int) (int, float64) {
			for k := 0; first < last; k++ {
				w.parts.Composition.Compose(k)
				w.parts.Composition.Scatter(k, 0)
				first += w.parts.Division.Centres
			}
			return 0, 0
		})
	}
	reportCentres(b)
}

func reportCentres(b *testing.B) {
	b.ReportMetric(float64(b.N)*vocab.MaxSentence/b.Elapsed().Seconds(), "centres/s")
}

// BenchmarkVariants trains a text with one worker of each variant.
func BenchmarkVariants(b *testing.B) {
	for _, test := range []struct {
		name   string
		change func(*config)
	}{
		{"cbow", func(c *config) { c.Arch = cbow }},
		{"cbow-position-weights", func(c *config) { c.Arch, c.PositionWeights = cbow, true }},
		{"cbow-subwords", func(c *config) { c.Arch, c.Subword = cbow, benchSubwords }},
		{"cbow-word-ngrams", func(c *config) { c.Arch, c.WordNgrams, c.WordBuckets = cbow, 2, 200000 }},
		{"cbow-hs", func(c *config) { c.Arch, c.Loss = cbow, hierarchicalSoftmax }},
		{"hs", func(c *config) { c.Loss = hierarchicalSoftmax }},
		{"directional", func(c *config) { c.Loss = directional }},
		{"structured", func(c *config) { c.Arch = structured }},
		{"hash", func(c *config) {
			c.Subword = subword.Hash{MinN: 3, MaxN: 6, Buckets: 50000, Hashes: 2, Importances: 500000}
		}},
		{"rank", func(c *config) { c.Rank = 32 }},
		{"tied", func(c *config) { c.Tied = true }},
		{"nested", func(c *config) { c.Dim, c.Nested = 128, []int{32, 64, 128} }},
	} {
		b.Run(test.name, func(b *testing.B) {
			w, t := benchWorker(b, test.change)
			benchTraining(b, w, t)
		})
	}
}
