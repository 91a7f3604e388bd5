package engine

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// What cannot be combined is refused, and by its name.
func TestCombinations(t *testing.T) {
	appends := func(c config) bool { hash, ok := c.Subword.(subword.Hash); return ok && hash.AppendWeights }
	conflicts := []struct {
		between [2]string // as they are called in the error
		is      func(c config) bool
	}{
		{[2]string{"position weights", "skipgram"}, func(c config) bool { return c.PositionWeights && c.Arch == skipGram }},
		{[2]string{"position weights", "structured"}, func(c config) bool { return c.PositionWeights && c.Arch == structured }},
		{[2]string{"word n-grams", "skipgram"}, func(c config) bool { return c.WordNgrams > 0 && c.Arch == skipGram }},
		{[2]string{"word n-grams", "structured"}, func(c config) bool { return c.WordNgrams > 0 && c.Arch == structured }},
		{[2]string{"hierarchical softmax", "structured"}, func(c config) bool { return c.Loss == hierarchicalSoftmax && c.Arch == structured }},
		{[2]string{"softmax is over one output row", "structured"}, func(c config) bool { return c.Loss == fullSoftmax && c.Arch == structured }},
		{[2]string{"directional", "CBOW"}, func(c config) bool { return c.Loss == directional && c.Arch == cbow }},
		{[2]string{"directional", "structured"}, func(c config) bool { return c.Loss == directional && c.Arch == structured }},
		{[2]string{"directional", "tied"}, func(c config) bool { return c.Loss == directional && c.Tied }},
		{[2]string{"hierarchical softmax", "tie"}, func(c config) bool { return c.Loss == hierarchicalSoftmax && c.Tied }},
		{[2]string{"tied", "structured"}, func(c config) bool { return c.Tied && c.Arch == structured }},
		{[2]string{"tied", "n-grams"}, func(c config) bool { return c.Tied && c.Subword != nil }},
		{[2]string{"tied", "projection"}, func(c config) bool { return c.Tied && c.Rank > 0 }},
		{[2]string{"appended weights", "projection"}, func(c config) bool { return appends(c) && c.Rank > 0 }},
		{[2]string{"appended weights", "nested"}, func(c config) bool { return appends(c) && c.Nested != nil }},
	}
	given := make([]int, len(conflicts)) // as reason
	var allowed, refused int
	for _, v := range product() {
		err := v.Validate()
		if err != nil {
			refused++
		} else {
			allowed++
		}
		conflict, said := false, false
		for i, c := range conflicts {
			if !c.is(v.config) {
				continue
			}
			conflict = true
			if err != nil && strings.Contains(err.Error(), c.between[0]) && strings.Contains(err.Error(), c.between[1]) {
				given[i]++
				said = true
			}
		}
		switch {
		case conflict && err == nil:
			t.Errorf("%s: allowed", v.name)
		case !conflict && err != nil:
			t.Errorf("%s: refused: %v", v.name, err)
		case err != nil && (!said || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: refused, and what for is not said: %v", v.name, err)
		}
	}
	// Skip-gram, cbow with and without position weights and word n-grams of up to 2 and 3,
	// both with three losses, structured skip-gram with one, and skip-gram with directions: 23. Each with 9
	// compositions, with and without a rank and nested vectors, and with appended weights,
	// with neither: 37. And tied words, of 7 architectures with two losses, nested or not.
	if want := 23*37 + 7*2*2; allowed != want || allowed+refused != 5760 {
		t.Errorf("%d combinations are allowed of %d, want %d of 5760", allowed, allowed+refused, want)
	}
	for i, n := range given {
		if n == 0 {
			t.Errorf("%v: never the reason", conflicts[i].between)
		}
	}
}

// A vocabulary of one word has a tree of no nodes, and negatives that are all the target.
func TestVariantsOfOneWord(t *testing.T) {
	v, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader("a a a a a\n"), corpus.Options{}), vocab.Options{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	for _, named := range allowed() {
		if named.Subword != nil {
			continue
		}
		named.LearningRate = 0.05
		for _, named.Deterministic = range []bool{false, true} {
			variant, table := named.variant(t), named.table(v)
			d := Divide(variant, v, table, v.KeepProbabilities(0), step.Division{})
			d.Contexts = toyContexts
			r := named.newRun(t, v, table, d)
			r.Values.Initialise(1)
			r.IDs, r.Epochs = ids, 2
			w := r.NewWorker(0, 0)
			w.Load()
			tokens := uint64(0)
			for trained, more := w.Advance(); more; trained, more = w.Advance() {
				tokens += trained.Tokens
			}
			w.Store()
			w.Close()
			reader := r.NewReader(0)
			if !reader.HasPairs(ids) {
				t.Errorf("%s: there are no pairs", named.name)
			}
			loss, pairs := reader.Measure(ids.Chunk(0), 0)
			if tokens != 10 || pairs == 0 || !params.Finite([]float32{float32(loss)}) || !r.Values.Finite() {
				t.Errorf("%s: %d tokens were trained, and %d pairs have a loss of %v", named.name, tokens, pairs, loss)
			}
		}
	}
}
