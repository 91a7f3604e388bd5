package classify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify/internal/opinions"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

func opinionated(n int, seed uint64) Corpus {
	return Examples(func(yield func(Example, error) bool) {
		for text, label := range opinions.Texts(n, seed) {
			if !yield(Example{Text: text, Labels: []string{label}}, nil) {
				return
			}
		}
	})
}

func accuracy(t *testing.T, set *vectors.Set) float64 {
	t.Helper()
	m, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Options{}.read(t.Context(), opinionated(300, 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	score, _, err := x.evaluate(t.Context(), m, labels.Metric{Kind: labels.Accuracy}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

// With all losses, and runs of words with rows of their own or of n-grams, what a cutoff leaves learns to do without the others.
func TestRetrain(t *testing.T) {
	for _, loss := range []sgns.Loss{sgns.Softmax, sgns.OneVersusAll, sgns.NegativeSampling, sgns.HierarchicalSoftmax} {
		for _, maxn := range []int{0, 4} {
			o := Defaults()
			o.Loss, o.Dim, o.MinN, o.MaxN, o.Buckets, o.Epochs, o.LearningRate, o.Deterministic = loss, 8, 3, maxn, 1<<12, 2, 0.3, true
			trained, err := Train(t.Context(), opinionated(600, 1), o, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			all := testCutoffs(t, trained.Vectors)
			pruned, err := transform.PruneClassifier(t.Context(), trained.Vectors, 30, transform.Computation{})
			if err != nil {
				t.Fatal(err)
			}
			if rows := pruned.Input().Rows + pruned.Labels().Runs.Rows; rows != 30 || all < 2*rows {
				t.Fatalf("%s: %d rows are left of %d, want 30", loss, rows, all)
			}
			again := RetrainOptions{Epochs: 5, LearningRate: 0.3, Negatives: 5, Seed: 1}
			before := slices.Clone(pruned.Labels().Rows.Row(0))
			better, err := Retrain(t.Context(), opinionated(600, 1), pruned, again)
			if err != nil {
				t.Fatal(err)
			}
			same, err := Retrain(t.Context(), opinionated(600, 1), pruned, again)
			if err != nil {
				t.Fatal(err)
			}
			was, is := accuracy(t, pruned), accuracy(t, better)
			if is < 0.97 || is < was {
				t.Errorf("%s, n-grams to %d: accuracy %.3f with all rows, %.3f with 30, and %.3f after training again", loss, maxn, accuracy(t, trained.Vectors), was, is)
			}
			of := func(s *vectors.Set) []float32 { return s.Labels().Rows.Row(0) }
			if !slices.Equal(of(pruned), before) || !slices.Equal(of(same), of(better)) || slices.Equal(of(better), before) {
				t.Errorf("%s, n-grams to %d: training again changes the set that it begins with, or is not the same each time", loss, maxn)
			}
		}
	}
}

// testCutoffs checks that the cutoff for a size is the largest whose quantised file has it, and returns the number of all rows.
func testCutoffs(t *testing.T, set *vectors.Set) (all int) {
	t.Helper()
	for _, to := range []format.Format{format.FastText, format.W2V} {
		for _, opt := range []transform.ClassifierOptions{{Norms: true}, {Output: true, Part: 3}} {
			sizeOf := func(cutoff int) uint64 {
				opt.Cutoff = cutoff
				small, err := transform.QuantizeClassifier(t.Context(), set, opt)
				if err != nil {
					t.Fatal(err)
				}
				size, err := format.EncodedSize(small, to)
				if err != nil {
					t.Fatal(err)
				}
				return size
			}
			for _, bytes := range []uint64{100, 11_000, 12_345, 1 << 30} {
				var cutoff int
				var err error
				if cutoff, all, err = transform.ClassifierCutoff(set, opt, bytes, func(s *vectors.Set) (uint64, error) { return format.EncodedSize(s, to) }); err != nil {
					t.Fatal(err)
				}
				if cutoff > 0 && sizeOf(cutoff) > bytes || cutoff < all && sizeOf(cutoff+1) <= bytes || bytes == 1<<30 && cutoff != all {
					t.Errorf("%v, %+v: cutoff %d of %d for %d bytes", to, opt, cutoff, all, bytes)
				}
			}
		}
	}
	return all
}

func TestRetrainRefuses(t *testing.T) {
	o := Defaults()
	o.Dim, o.MaxN, o.Buckets, o.Epochs = 4, 0, 1<<10, 1
	trained, err := Train(t.Context(), opinionated(50, 1), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	pruned, err := transform.PruneClassifier(t.Context(), trained.Vectors, 20, transform.Computation{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	good := RetrainOptions{Epochs: 1, LearningRate: 0.1}
	for _, test := range []struct {
		ctx    context.Context
		corpus Corpus
		set    *vectors.Set
		o      RetrainOptions
		want   string
	}{
		{t.Context(), opinionated(50, 1), trained.Vectors, good, "must be those of a pruned classifier"},
		{t.Context(), opinionated(50, 1), pruned, RetrainOptions{Epochs: 1}, "must be at least 1 and above 0"},
		{t.Context(), opinionated(50, 1), pruned, RetrainOptions{Epochs: 1, LearningRate: 1e38}, "diverged"},
		{t.Context(), Corpus{}, pruned, good, "there is no corpus"},
		{ctx, opinionated(50, 1), pruned, good, context.Canceled.Error()},
	} {
		if _, err := Retrain(test.ctx, test.corpus, test.set, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	var none vectors.Parts
	none.Words, none.Input = vectors.NewWords("a"), vectors.NewMatrix(1, 2)
	words, err := vectors.New(none)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Retrain(t.Context(), opinionated(50, 1), words, good); !errors.Is(err, ErrNoLabels) {
		t.Errorf("vectors of words: %v", err)
	}
}
