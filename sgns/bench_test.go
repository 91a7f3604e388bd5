package sgns

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// benchWorker returns a worker of a model of 50,000 words, and a text of 1,024 tokens.
func benchWorker(b *testing.B, change func(*Config)) (*worker, text) {
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
	c := Defaults()
	c.LearningRate = 0.01
	change(&c)
	table, shape, _, err := c.plan(v, v.KeepProbabilities(c.Sample), 1, 0, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := c.newParameters(v, table)
	p.start(1, c.initialBound())
	r := &run{parameters: p, ignorant: 100, shape: shape, config: c, counters: make([]counters, 1), total: 1 << 40}
	w := r.newWorker(0)
	w.load()
	t := w.text
	draw := v.Noise(1)
	random := random.Stream(2, 0)
	for range corpus.MaxSentence {
		t.ids = append(t.ids, draw.Draw(random.Next()))
		t.from, t.to = append(t.from, 0), append(t.to, corpus.MaxSentence)
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
			w, t := benchWorker(b, func(c *Config) { c.Subword = test.indexer })
			benchTraining(b, w, t)
		})
	}
}

// BenchmarkDeterministic trains a text with teams.
func BenchmarkDeterministic(b *testing.B) {
	for _, test := range []struct {
		name    string
		indexer subword.Indexer
	}{{"words", nil}, {"subwords", benchSubwords}} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", test.name, threads), func(b *testing.B) {
				w, t := benchWorker(b, func(c *Config) {
					c.Subword, c.Deterministic, c.Threads = test.indexer, true, threads
				})
				defer w.close()
				benchTraining(b, w, t)
			})
		}
	}
}

func benchTraining(b *testing.B, w *worker, t text) {
	for b.Loop() {
		w.text = t
		if err := w.train(); err != nil {
			b.Fatal(err)
		}
	}
	reportCentres(b)
}

// BenchmarkComposition composes the words of a text with n-grams, and hands what they
// have moved by to their rows, without training them.
func BenchmarkComposition(b *testing.B) {
	w, t := benchWorker(b, func(c *Config) { c.Subword = benchSubwords })
	for b.Loop() {
		for first := 0; first < len(t.ids); first += w.stretch {
			last := min(first+w.stretch, len(t.ids))
			w.composed.begin(t.rows[first:last], t.ids[first:last], 0, last-first, w.block.centres)
			for k := range w.composed.parts {
				w.composed.compose(k)
				w.composed.release(k)
			}
		}
	}
	reportCentres(b)
}

func reportCentres(b *testing.B) {
	b.ReportMetric(float64(b.N)*corpus.MaxSentence/b.Elapsed().Seconds(), "centres/s")
}

// BenchmarkVariants trains a text with one worker of each variant.
func BenchmarkVariants(b *testing.B) {
	for _, test := range []struct {
		name   string
		change func(*Config)
	}{
		{"cbow", func(c *Config) { c.Arch = CBOW }},
		{"cbow-position-weights", func(c *Config) { c.Arch, c.PositionWeights = CBOW, true }},
		{"cbow-subwords", func(c *Config) { c.Arch, c.Subword = CBOW, benchSubwords }},
		{"cbow-word-ngrams", func(c *Config) { c.Arch, c.WordNgrams, c.WordBuckets = CBOW, 2, 200000 }},
		{"cbow-hs", func(c *Config) { c.Arch, c.Loss = CBOW, HierarchicalSoftmax }},
		{"hs", func(c *Config) { c.Loss = HierarchicalSoftmax }},
		{"structured", func(c *Config) { c.Arch = Structured }},
		{"hash", func(c *Config) {
			c.Subword = subword.Hash{MinN: 3, MaxN: 6, Buckets: 50000, Hashes: 2, Importances: 500000}
		}},
		{"rank", func(c *Config) { c.Rank = 32 }},
		{"tied", func(c *Config) { c.Tied = true }},
		{"nested", func(c *Config) { c.Dim, c.Nested = 128, []int{32, 64, 128} }},
	} {
		b.Run(test.name, func(b *testing.B) {
			w, t := benchWorker(b, test.change)
			benchTraining(b, w, t)
		})
	}
}
