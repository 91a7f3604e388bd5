package variant

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/subword"
)

func run(change func(*settings.Run)) settings.Run {
	r := settings.Run{Dim: 20, Window: 5, Negatives: 5, NSExponent: 0.75, Threads: 1}
	change(&r)
	return r
}

// What makes no sense is refused, in these words.
func TestRefusals(t *testing.T) {
	var names []string
	for _, kind := range loss.Kinds() {
		names = append(names, kind.Name)
	}
	last := len(names) - 1
	known := strings.Join(names[:last], ", ") + " and " + names[last]
	hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: 5, Hashes: 2, Importances: 9, AppendWeights: true}
	for _, test := range []struct {
		change func(*settings.Run)
		want   string
	}{
		{func(r *settings.Run) { r.Arch = "other" }, `architecture "other" is not known: skipgram, cbow, structured and supervised are`},
		{func(r *settings.Run) { r.Loss = "other" }, `loss "other" is not known: ` + known + ` are`},
		{func(r *settings.Run) { r.PositionWeights = true }, "position weights belong to the contexts that CBOW averages, and in skipgram a context is not averaged with others"},
		{func(r *settings.Run) { r.WordNgrams = 9 }, "word n-grams of 9 tokens are not from 0 to 8"},
		{func(r *settings.Run) { r.Arch, r.WordNgrams = "cbow", 2 }, "word n-grams: 0 buckets are not from 1 to 1073741824"},
		{func(r *settings.Run) { r.Rank = 20 }, "rank 20 is not from 1 to less than the 20 dimensions: as many, or more, would need more numbers than rows of their own"},
		{func(r *settings.Run) { r.Rank = -1 }, "rank -1 is not from 1 to less than the 20 dimensions: as many, or more, would need more numbers than rows of their own"},
		{func(r *settings.Run) { r.Loss, r.Tied = "hs", true }, "tied vectors are those of words on both sides, and hierarchical softmax has output vectors of the nodes of a tree, not of words"},
		{func(r *settings.Run) { r.Loss, r.Arch = "hs", "structured" }, "structured skip-gram has an output vector of each word for each relative position, and hierarchical softmax has output vectors of the nodes of a tree, not of words"},
		{func(r *settings.Run) { r.Loss, r.Arch = "directional", "cbow" }, "the loss directional tells contexts on the left of a word from those on its right, and CBOW predicts the word between them"},
		{func(r *settings.Run) { r.Loss, r.Arch = "directional", "structured" }, "the loss directional has a direction beside one output row of each word, and structured skip-gram has several of them"},
		{func(r *settings.Run) { r.Loss, r.Tied = "directional", true }, "tied vectors are one row a word, and the loss directional has two output rows of each word"},
		{func(r *settings.Run) { r.Loss, r.Window = "directional", 0 }, "the loss directional tells contexts on the left of a word from those on its right, and with a window of 0, contexts are drawn from the whole line"},
		{func(r *settings.Run) { r.Tied, r.Rank = true, 3 }, "tied vectors are one row a word, and with a projection every negative would have to be multiplied by it"},
		{func(r *settings.Run) { r.Subword, r.Rank = hash, 3 }, "appended weights are dimensions of the vectors themselves, and a projection would mix them with others"},
		{func(r *settings.Run) { r.Subword, r.Nested = hash, []int{10, 20} }, "appended weights are the last dimensions, and the first of nested ones would lack them"},
		{func(r *settings.Run) { r.Subword, r.Freeze = hash, true }, "rows of hash embeddings belong to all words, so none can be frozen for some"},
		{func(r *settings.Run) { r.Loss, r.Freeze = "hs", true }, "no vectors can be frozen with hierarchical softmax: all words share the nodes of the tree"},
		{func(r *settings.Run) { r.Arch, r.Freeze = "structured", true }, "no vectors can be frozen in structured skip-gram, which has several output vectors a word"},
		{func(r *settings.Run) { r.Tied, r.Freeze = true, true }, "no vectors can be frozen if they are tied: those of known words change as outputs of new ones"},
		{func(r *settings.Run) { r.Subword, r.Dim = hash, 2 }, "2 appended weights leave nothing of 2 dimensions"},
		{func(r *settings.Run) { r.Arch, r.Window = "structured", 1001 }, "structured skip-gram has two output matrices for each step of the window, which is at most 1000"},
		{func(r *settings.Run) { r.Arch, r.Window, r.PositionWeights = "cbow", 1001, true }, "position weights are two vectors for each step of the window, which is at most 1000"},
		{func(r *settings.Run) { r.Nested = []int{20} }, "nested dimensions [20] are one vector, which all are: name the shorter ones too"},
		{func(r *settings.Run) { r.Nested = []int{10, 10, 20} }, "nested dimensions [10 10 20] do not rise from 1 on"},
		{func(r *settings.Run) { r.Nested = []int{5, 10} }, "nested dimensions [5 10] end at 10, and there are 20 dimensions: the last must be all of them"},
	} {
		if _, err := Of(run(test.change)); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

// Every architecture and loss has a name and says what it is, and the first of each is the
// default.
func TestKinds(t *testing.T) {
	testKinds(t, "architecture", "skipgram", arch.Kinds())
	testKinds(t, "loss", "ns", loss.Kinds())
}

func testKinds[T any](t *testing.T, what, usual string, kinds []settings.Kind[T]) {
	for _, k := range kinds {
		if found, err := settings.Find(what, k.Name, kinds); k.Name == "" || k.Help == "" || err != nil || found.Name != k.Name {
			t.Errorf("%s %q (%s)", what, k.Name, k.Help)
		}
	}
	if k, err := settings.Find(what, "", kinds); err != nil || k.Name != usual {
		t.Errorf("the default %s is %q", what, k.Name)
	}
}

// Checkpoints have matrices in this order, and under these names.
func TestMatrices(t *testing.T) {
	fast := subword.FastText{MinN: 3, MaxN: 6, Buckets: 50}
	hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: 5, Hashes: 2, Importances: 9}
	for _, test := range []struct {
		change func(*settings.Run)
		want   []string
	}{
		{func(*settings.Run) {}, []string{"input", "output"}},
		{func(r *settings.Run) { r.Subword = fast }, []string{"input", "output"}},
		{func(r *settings.Run) { r.Tied = true }, []string{"input"}},
		{func(r *settings.Run) { r.Loss = "hs" }, []string{"input", "nodes"}},
		{func(r *settings.Run) { r.Arch = "structured" }, []string{"input", "position_output"}},
		{func(r *settings.Run) { r.Loss, r.Rank = "directional", 7 }, []string{"input", "output", "projection", "directions"}},
		{func(r *settings.Run) {
			r.Arch, r.Subword, r.Rank, r.PositionWeights, r.WordNgrams, r.WordBuckets = "cbow", hash, 7, true, 2, 30
		}, []string{"input", "output", "importance", "projection", "position_weights", "word_ngrams"}},
	} {
		v, err := Of(run(test.change))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for m := range v.Matrices(100, 110, nil).Owned() {
			names = append(names, m.Name)
			if m.Role == params.Input && m.Rows != 110 || m.Name == "output" && m.Rows != 100 || m.Name == "directions" && m.Rows != 100 || m.Name == "nodes" && m.Rows != 99 || m.Name == "position_output" && m.Rows != 1000 {
				t.Errorf("%s has %d rows", m.Name, m.Rows)
			}
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%v, want %v", names, test.want)
		}
	}
}

// A block draws what suits its architecture and the number of negatives, unless settings say how many.
func TestDraws(t *testing.T) {
	for _, test := range []struct {
		arch, loss       string
		negatives, draws int
		want             int
	}{
		{"skipgram", "", 5, 0, 48},
		{"skipgram", "", 1, 0, 48},
		{"skipgram", "", 10, 0, 96},
		{"skipgram", "", 10, 24, 24},
		{"cbow", "", 5, 0, 12},
		{"cbow", "", 5, 24, 6},
		{"cbow", "", 5, 1, 1},
		{"structured", "", 5, 0, 80},
		{"structured", "", 5, 24, 40},
		{"structured", "", 5, 1, 10}, // at least one for each position
		{"skipgram", "hs", 5, 24, 0},
	} {
		v, err := Of(run(func(r *settings.Run) {
			r.Arch, r.Loss, r.Negatives, r.Draws = test.arch, test.loss, test.negatives, test.draws
		}))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Draws(); got != test.want {
			t.Errorf("%+v: %d draws", test, got)
		}
	}
}
