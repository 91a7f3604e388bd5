package reliability

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/vectors"
)

// A quality is what a model of the usual corpus is worth.
type quality struct{ similarity, analogy float64 }

func qualityOf(t testing.TB, s *vectors.Set) quality {
	t.Helper()
	pairs, err := eval.ReadSet(strings.NewReader(demo.Similarities()), "similarity", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := eval.ReadSet(strings.NewReader(demo.Analogies()), "analogy", eval.TaskAnalogy)
	if err != nil {
		t.Fatal(err)
	}
	similarity, err := eval.Evaluate(t.Context(), s, pairs, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	analogy, err := eval.Evaluate(t.Context(), s, questions, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return quality{float64(similarity.Summary.Score), float64(analogy.Summary.Score)}
}

// noise is how far qualities may differ: five times the standard deviation of the
// difference, which is 0.012 for two means of two seeds.
const noise = 0.06

func TestResumedQualityIsWithinNoise(t *testing.T) {
	needsSignals(t)
	if testing.Short() {
		t.Skip("takes more than seconds")
	}
	random := dice(t)
	var whole, resumed quality
	seeds := []string{" --seed 1", " --seed 2", " --seed 3"}[:thorough(1, 2, 3)]
	for _, seed := range seeds {
		flags := twoWorkers + " --epochs 30" + seed // of a text with few words
		took := uninterrupted(t, flags).took
		p := newPlace(t)
		p.write("whole.w2v", uninterrupted(t, flags).model)
		cut(p, random, flags, "", 3, took/5)
		a, b := qualityOf(t, p.open("whole.w2v")), qualityOf(t, p.open("model.w2v"))
		whole.similarity += a.similarity / float64(len(seeds))
		whole.analogy += a.analogy / float64(len(seeds))
		resumed.similarity += b.similarity / float64(len(seeds))
		resumed.analogy += b.analogy / float64(len(seeds))
	}
	t.Logf("uninterrupted: %.4f, resumed: %.4f", whole, resumed)
	if math.Abs(whole.similarity-resumed.similarity) > noise || math.Abs(whole.analogy-resumed.analogy) > noise {
		t.Errorf("resumed runs give %.4f, uninterrupted ones %.4f", resumed, whole)
	}
}
