package sgns

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// parted returns the vocabulary of a text, and the ids of n parts of it, one behind the other.
func parted(t testing.TB, text string, n int) (v *vocab.Vocab, parts []*corpus.IDs) {
	t.Helper()
	v, _ = indexed(t, text)
	lines := strings.SplitAfter(text, "\n")
	for k := range n {
		part := strings.Join(lines[len(lines)*k/n:len(lines)*(k+1)/n], "")
		_, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(part), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ids.Close() })
		parts = append(parts, ids)
	}
	return v, parts
}

// together trains on local ranks, and returns what each rank's training returned.
func together(t testing.TB, v *vocab.Vocab, parts []*corpus.IDs, run func(context.Context, Data, cluster.Comm) (*Model, error)) []*Model {
	t.Helper()
	models := make([]*Model, len(parts))
	err := cluster.Each(len(parts), func(comm cluster.Comm) (err error) {
		models[comm.Rank()], err = run(t.Context(), Data{IDs: parts[comm.Rank()], Vocab: v, Ranks: comm}, comm)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// Ranks come to the same vectors, which are as good as those of one.
func TestRanksTrainTogether(t *testing.T) {
	text := sentences(4000)
	for name, c := range map[string]Config{
		"words":    small(func(*Config) {}),
		"subwords": small(func(c *Config) { c.Subword = fastText }),
		"cbow":     small(func(c *Config) { c.Arch = CBOW }),
	} {
		t.Run(name, func(t *testing.T) {
			one := train(t, text, c)
			for _, n := range []int{2, 4} {
				v, parts := parted(t, text, n)
				models := together(t, v, parts, func(ctx context.Context, d Data, comm cluster.Comm) (*Model, error) {
					d.SyncEvery = 500
					return Train(ctx, d, c, Hooks{})
				})
				t.Log(n, "ranks: loss", models[0].Progress.Loss, "one rank", one.Progress.Loss, "separation", separation(models[0].Vectors), separation(one.Vectors), models[0].Progress)
			}
		})
	}
}

// separation is how much nearer words of one topic are to each other than to words of others.
func separation(s *vectors.Set) float64 {
	var sums, counts [2]float64
	words := s.Words().Strings()
	vector := make([][]float32, len(words))
	for w := range words {
		vector[w] = make([]float32, s.Dim())
		s.WordVector(vector[w], w)
	}
	for i, a := range words {
		for j, b := range words[:i] {
			if a == "the" || b == "the" {
				continue
			}
			same := 0
			if a[0] == b[0] {
				same = 1
			}
			var dot, na, nb float64
			for k, x := range vector[i] {
				y := vector[j][k]
				dot += float64(x) * float64(y)
				na += float64(x) * float64(x)
				nb += float64(y) * float64(y)
			}
			sums[same] += dot / math.Sqrt(na*nb)
			counts[same]++
		}
	}
	return sums[1]/counts[1] - sums[0]/counts[0]
}
