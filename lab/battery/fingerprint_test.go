package battery

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

// The fingerprint is the same each time, and another one if a set changes. Its model knows enough
// words for each set to have a score.
func TestFingerprint(t *testing.T) {
	sets := func(score float64) Battery {
		var pairs []eval.Pair
		for i := range 20 {
			pairs = append(pairs, eval.Pair{A: string(rune('a' + i)), B: string(rune('b' + i)), Score: float64(i) * score})
		}
		return Battery{
			Similarity: []eval.Set{{Task: eval.TaskSimilarity, Name: "pairs", Pairs: pairs}},
			Analogy:    []eval.Set{{Task: eval.TaskAnalogy, Name: "questions", Sections: []eval.QuestionSection{{Name: "all", Questions: []eval.Question{{"a", "b", "c", "d"}}}}}},
		}
	}
	of := func(b Battery) string {
		t.Helper()
		sum, err := b.Fingerprint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if first, again := of(sets(1)), of(sets(1)); first != again {
		t.Error("the same sets have two fingerprints")
	}
	if of(sets(1)) == of(sets(-1)) {
		t.Error("sets with other scores have the same fingerprint")
	}

	b := sets(1)
	model, err := b.probe()
	if err != nil {
		t.Fatal(err)
	}
	words := model.Words().Strings()
	if slices.Contains(words, "g") || !slices.Contains(words, "a") {
		t.Error("the model is to lack each seventh word")
	}
	scores, err := b.Score(t.Context(), model)
	if err != nil || scores[0].Used == 0 || scores[0].Used == 20 || scores[1].Used != 1 {
		t.Errorf("scores of the model: %v, %v", scores, err)
	}
}
