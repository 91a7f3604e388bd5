package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// With portable kernels, words that are trained with skip-gram are the same bits. With other kernels
// sums are rounded otherwise, with n-grams rows that are always trained alike are merged, and the means of
// CBOW are sums that slide. Then vectors are the same but for rounding, which grows while they are trained.
func TestTrainerIsTheReference(t *testing.T) {
	text, err := io.ReadAll(demo.Corpus(700, 1))
	if err != nil {
		t.Fatal(err)
	}
	words, ids, err := vocab.Index(t.Context(), corpus.Stream("demo", bytes.NewReader(text), corpus.Options{}), vocab.Options{MinCount: 2}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	for name, change := range map[string]func(*sgns.Config){
		"skip-gram": func(*sgns.Config) {},
		"CBOW":      func(c *sgns.Config) { c.Arch = sgns.CBOW },
		"skip-gram with n-grams": func(c *sgns.Config) {
			c.Subword, c.OwnWeight, c.Power = subword.FastText{MinN: 3, MaxN: 5, Buckets: 3000}, 1, 1
		},
		"CBOW with n-grams": func(c *sgns.Config) { c.Arch, c.Subword = sgns.CBOW, subword.FastText{MinN: 2, MaxN: 3, Buckets: 500} },
		"no subsampling":    func(c *sgns.Config) { c.Sample, c.Epochs, c.Negatives = 0, 1, 7 },
	} {
		t.Run(name, func(t *testing.T) {
			c := sgns.Defaults()
			c.Dim, c.Threads, c.Epochs, c.Seed = 24, 1, 2, 7
			change(&c)
			var state []byte
			got, err := sgns.Train(t.Context(), sgns.Data{IDs: ids, Vocab: words}, c, sgns.Hooks{
				Checkpoint: func(c *sgns.Checkpoint) {
					set, err := c.Set()
					if err != nil {
						t.Fatal(err)
					}
					state = set.State()
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			want := Train(corpusOf(words, ids), configOf(t, c, state, words))
			bits := simd.Kind() == "portable" && runtime.GOARCH == "amd64" && c.Subword == nil && c.Arch != sgns.CBOW
			var difference, all float64
			for id := range words.Len() {
				vector := make([]float32, c.Dim)
				got.Vectors.Vector(vector, words.Token(id))
				for k, x := range vector {
					y := want.Vector(uint32(id))[k]
					if bits && x != y {
						t.Fatalf("%s, number %d: %v, want %v", words.Token(id), k, x, y)
					}
					difference += float64(x-y) * float64(x-y)
					all += float64(y) * float64(y)
				}
			}
			t.Logf("the vectors differ by %.2g of their size", math.Sqrt(difference/all))
			if !(all > 1 && math.Sqrt(difference/all) < 1e-4) {
				t.Errorf("vectors differ by %.2g of their size", math.Sqrt(difference/all))
			}
		})
	}
}

// The same with portable kernels, in a process of its own.
func TestTrainerIsTheReferenceToTheBit(t *testing.T) {
	if simd.Kind() == "portable" {
		t.Skip("these are the portable kernels")
	}
	command := exec.Command(os.Args[0], "-test.run=^TestTrainerIsTheReference$", "-test.v")
	command.Env = append(os.Environ(), "W2V_SIMD=portable")
	out, err := command.CombinedOutput()
	t.Log(string(out))
	if err != nil {
		t.Error(err)
	}
}

func corpusOf(v *vocab.Vocab, ids *vocab.IDs) (c Corpus) {
	c.Words, c.Counts = v.Tokens(), v.Counts()
	reader := ids.Reader()
	for i := range ids.Chunks() {
		var sentence []uint32
		for _, piece := range reader.Chunk(i) {
			for _, id := range piece {
				sentence = append(sentence, id&^vocab.EndOfSentence)
				if id&vocab.EndOfSentence != 0 {
					c.Sentences = append(c.Sentences, sentence)
					sentence = nil
				}
			}
		}
	}
	return c
}

// configOf returns a configuration with the sizes that a checkpoint says work was divided by.
func configOf(t *testing.T, c sgns.Config, state []byte, v *vocab.Vocab) Config {
	t.Helper()
	var saved struct {
		Sizes struct {
			Centres, Draws, Stretch int
			Contexts                float64
			Threshold               float32
		}
		Config struct {
			LearningRate float64 `json:"lr"`
		}
	}
	if err := json.Unmarshal(state, &saved); err != nil {
		t.Fatal(err)
	}
	z := saved.Sizes
	r := Config{
		Dim: c.Dim, Window: c.Window, Negatives: c.Negatives, Epochs: c.Epochs,
		Rate: saved.Config.LearningRate, Sample: c.Sample, Seed: c.Seed, CBOW: c.Arch == sgns.CBOW,
		Centres: z.Centres, Draws: z.Draws, Span: cmp.Or(z.Stretch, 2048), Contexts: z.Contexts, Threshold: z.Threshold,
		Sigmoid: sigmoid, Noise: counting.Noise(v.Counts(), c.NSExponent).Draw,
	}
	if c.Sample == 0 {
		r.Sample = math.Inf(1)
	}
	r.Ngrams, _ = c.Subword.(subword.FastText)
	return r
}

// sigmoid is that of the kernels: minus the error of a negative with this score.
func sigmoid(x float32) float32 {
	var g, h, row, transposed [simd.Lanes]float32
	h[0], transposed[0], row[0] = 1, 1, x
	simd.Errors(g[:], simd.Block{Data: h[:], Rows: 1, Cols: 1, Stride: simd.Lanes}, transposed[:], row[:], simd.Lanes, simd.Pairs{
		Rows: []uint32{0}, With: []uint16{1}, Weights: []float32{0: 1, 15: 0}, Kept: make([]uint16, 1),
	}, false)
	return -g[0]
}
