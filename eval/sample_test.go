package eval_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

// repeated returns the pairs of a set so often as weights say.
func repeated(set eval.Set, weights []float64) eval.Set {
	all := eval.Set{Task: set.Task}
	for i, p := range set.Pairs {
		for range int(weights[i]) {
			all.Pairs = append(all.Pairs, p)
		}
	}
	return all
}

// A pair of weight 3 counts like three pairs, also in the ranks of all others.
func TestSampleOfSimilarity(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	s := newSet(vectors.Parts{Words: numbered(12), Input: vectors.NewMatrix(12, 2)})
	for i := range s.Input().Data {
		s.Input().Data[i] = float32(rng.IntN(3)) // many equal cosines, and vectors of zeros
	}
	set := eval.Set{Task: eval.TaskSimilarity}
	for range 60 {
		set.Pairs = append(set.Pairs, eval.Pair{A: fmt.Sprint("w", rng.IntN(12)), B: fmt.Sprint("w", rng.IntN(12)), Score: float64(rng.IntN(5))})
	}
	opt := eval.Options{Resamples: -1}
	r, err := eval.Evaluate(t.Context(), s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	sample := r.Sample
	for trial := range 50 {
		weights := make([]float64, len(set.Pairs))
		for i := range weights {
			weights[i] = 1
			if trial > 0 {
				weights[i] = float64(rng.IntN(4))
			}
		}
		kept := append([]float64{}, weights...)
		want, err := details[eval.SimilarityResult](t.Context(), s, repeated(set, weights), opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := sample.Score(weights); math.Abs(got-float64(want.Spearman)) > 1e-12 {
			t.Errorf("weights %v: %v, and %v for repeated pairs", weights, got, want.Spearman)
		}
		if !reflect.DeepEqual(weights, kept) {
			t.Error("Score changed the weights")
		}
	}
	weights := make([]float64, len(set.Pairs))
	if got := sample.Score(weights); !math.IsNaN(got) {
		t.Errorf("without weights %v", got)
	}
	weights[3] = 7
	if got := sample.Score(weights); !math.IsNaN(got) {
		t.Errorf("of one pair %v", got)
	}
}

func TestJudgements(t *testing.T) {
	set := eval.Set{Task: eval.TaskSimilarity, Name: "p", Pairs: []eval.Pair{{A: "man", B: "woman", Score: 9}, {A: "man", B: "nobody", Score: 1}, {A: "man", B: "man", Score: 10}}}
	r, err := eval.Evaluate(t.Context(), royal(), set, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Judgement{
		{Item: eval.Item{Key: "0 man woman", Words: []string{"man", "woman"}}, Human: 9, Model: 0.5, HumanRank: 1, ModelRank: 1},
		{Item: eval.Item{Key: "2 man man", Words: []string{"man", "man"}}, Human: 10, Model: 1, HumanRank: 2, ModelRank: 2},
	}
	got := r.Judgements
	for i := range got {
		got[i].Model = math.Round(got[i].Model*1e12) / 1e12
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	sum := r.Summary
	if sum.Set != "p" || sum.Task != eval.TaskSimilarity || sum.Items != 3 || sum.Used != 2 || sum.Score != 1 || sum.Interval != r.Details.(eval.SimilarityResult).CI95 {
		t.Errorf("summary %+v", sum)
	}
}

func TestSampleOfAnalogies(t *testing.T) {
	set := mustQuestions(t, ": family\nman woman king queen\nman woman king nobody\n: gram1\nman woman king queen2\nwoman man queen2 king/apple\n")
	r, err := eval.Evaluate(t.Context(), royal(), set, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Answered{
		{Section: "family", Words: [4]string{"man", "woman", "king", "queen"}, Used: true, Answer: "queen", Correct: true},
		{Section: "family", Words: [4]string{"man", "woman", "king", "nobody"}},
		{Section: "gram1", Words: [4]string{"man", "woman", "king", "queen2"}, Used: true, Answer: "queen"},
		{Section: "gram1", Words: [4]string{"woman", "man", "queen2", "king/apple"}, Used: true, Answer: "king", Correct: true},
	}
	answers := r.Answers
	if len(answers) != len(want) {
		t.Fatalf("%d answers, want %d", len(answers), len(want))
	}
	for i, a := range answers {
		if a.Section != want[i].Section || a.Words != want[i].Words || a.Used != want[i].Used || a.Answer != want[i].Answer || a.Correct != want[i].Correct {
			t.Errorf("answer %d: %+v, want %+v", i, a, want[i])
		}
	}
	sample := r.Sample
	if len(sample.Items) != 3 || sample.Items[1].Key != "2 man woman king queen2" || !reflect.DeepEqual(sample.Items[2].Words, []string{"woman", "man", "queen2", "king/apple"}) {
		t.Errorf("items %+v", sample.Items)
	}
	if got := sample.Score([]float64{1, 3, 2}); got != 0.5 {
		t.Errorf("weighted accuracy %v, want 0.5", got)
	}
	if got := sample.Score([]float64{0, 0, 0}); !math.IsNaN(got) {
		t.Errorf("accuracy without weights %v", got)
	}
	sum := r.Summary
	if sum.Metric != "accuracy" || sum.Items != 4 || sum.Used != 3 || len(sum.Parts) != 2 || sum.Parts[1].Name != "gram1" || sum.Parts[1].Score != 0.5 {
		t.Errorf("summary %+v", sum)
	}
}

// A slash is a part of words that have one.
func TestAnswersWithSlashes(t *testing.T) {
	rows := [][]float32{{1, 0, 1}, {1, 1, 0}, {4, 0, 1}, {4, 1, 0}, {0, 3, 1}}
	s := wordSet([]string{"man", "woman", "king", "queen", "queen/king"}, rows...)
	tests := []struct {
		answer        string
		used, correct int
	}{
		{"queen", 1, 1},
		{"queen/king", 1, 0}, // is a word
		{"king/queen", 1, 1},
		{"woman/nobody/queen", 1, 1},
		{"woman/nobody", 1, 0},
		{"nobody/nothing", 0, 0},
		{"/queen/", 1, 1},
		{"//", 0, 0},
	}
	for _, test := range tests {
		set := mustQuestions(t, "man woman king "+test.answer)
		for _, fold := range []bool{false, true} {
			got := mustAnalogy(t, s, set, eval.Options{FoldVocab: fold})
			if got.Used != test.used || got.Correct != test.correct {
				t.Errorf("%q, folded %t: used %d, correct %d; want %d, %d", test.answer, fold, got.Used, got.Correct, test.used, test.correct)
			}
		}
	}
	// Two spellings of a right answer.
	set := mustQuestions(t, "man woman king nobody/Queen")
	if got := mustAnalogy(t, s, set, eval.Options{FoldVocab: true}); got.Correct != 1 {
		t.Errorf("folded: %+v", got)
	}
}

// openData opens an evaluation set of the folder of real data that lies beside
// the project, where it does.
func openData(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "shared", "data", "eval", filepath.FromSlash(path)))
	if os.IsNotExist(err) {
		t.Skipf("no real evaluation sets here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestRealPairs(t *testing.T) {
	const conceptnet, mfaruqui, gensim = "orig/commonsense/conceptnet5/", "orig/mfaruqui/eval-word-vectors/", "orig/piskvorky/gensim/"
	tests := []struct {
		path        string
		pairs       int
		first, last eval.Pair
	}{
		{"en/sim/mc30.tsv", 30, eval.Pair{A: "car", B: "automobile", Score: 3.92}, eval.Pair{A: "noon", B: "string", Score: 0.08}},
		{"en/sim/mturk287.tsv", 287, eval.Pair{A: "episcopal", B: "russia", Score: 2.75}, eval.Pair{A: "marriage", B: "anniversary", Score: 4.33333}},
		{"en/sim/rg65.tsv", 65, eval.Pair{A: "gem", B: "jewel", Score: 3.94}, eval.Pair{A: "chord", B: "smile", Score: 0.02}},
		{"en/sim/rw.tsv", 2034, eval.Pair{A: "squishing", B: "squirt", Score: 5.88}, eval.Pair{A: "snickering", B: "laugh", Score: 7.71}},
		{"en/sim/simlex999.tsv", 999, eval.Pair{A: "old", B: "new", Score: 1.58}, eval.Pair{A: "attend", B: "arrive", Score: 6.08}},
		{"en/sim/verb143.tsv", 144, eval.Pair{A: "happen", B: "say", Score: 0.19}, eval.Pair{A: "employ", B: "using", Score: 0.33}},
		{"en/sim/ws353-rel.tsv", 252, eval.Pair{A: "computer", B: "keyboard", Score: 7.62}, eval.Pair{A: "king", B: "cabbage", Score: 0.23}},
		{"en/sim/ws353-sim.tsv", 203, eval.Pair{A: "tiger", B: "cat", Score: 7.35}, eval.Pair{A: "king", B: "cabbage", Score: 0.23}},
		{"en/sim/ws353.tsv", 353, eval.Pair{A: "love", B: "sex", Score: 6.77}, eval.Pair{A: "architecture", B: "century", Score: 3.78}},
		{"en/sim/yp130.tsv", 130, eval.Pair{A: "brag", B: "boast", Score: 4}, eval.Pair{A: "refer", B: "lean", Score: 0}},
		{"de/sim/gur350.tsv", 350, eval.Pair{A: "absage", B: "ablehnen", Score: 3.5}, eval.Pair{A: "zielstrebigkeit", B: "erfolg", Score: 2.63}},
		{"de/sim/gur65.tsv", 65, eval.Pair{A: "auto", B: "fahrt", Score: 2.75}, eval.Pair{A: "zauberer", B: "orakel", Score: 1.71}},
		{"de/sim/simlex999.tsv", 999, eval.Pair{A: "alt", B: "neu", Score: 0.08}, eval.Pair{A: "beiwohnen", B: "ankommen", Score: 2.62}},
		{"de/sim/zg222.tsv", 222, eval.Pair{A: "abweichung", B: "sortieren", Score: 2}, eval.Pair{A: "zusammenstellen", B: "zwei", Score: 1.95238}},
		{conceptnet + "MSimLex999_German.txt", 999, eval.Pair{A: "alt", B: "neu", Score: 0.08}, eval.Pair{A: "beiwohnen", B: "ankommen", Score: 2.62}},
		{conceptnet + "wortpaare222.gold.pos.txt", 222, eval.Pair{A: "Abweichung", B: "sortieren", Score: 2}, eval.Pair{A: "zusammenstellen", B: "zwei", Score: 1.952380952}},
		{conceptnet + "wortpaare350.gold.pos.txt", 350, eval.Pair{A: "Absage", B: "ablehnen", Score: 3.5}, eval.Pair{A: "Zielstrebigkeit", B: "Erfolg", Score: 2.63}},
		{conceptnet + "wortpaare65.gold.pos.txt", 65, eval.Pair{A: "Auto", B: "Fahrt", Score: 2.75}, eval.Pair{A: "Zauberer", B: "Orakel", Score: 1.71}},
		{mfaruqui + "EN-MC-30.txt", 30, eval.Pair{A: "car", B: "automobile", Score: 3.92}, eval.Pair{A: "noon", B: "string", Score: 0.08}},
		{mfaruqui + "EN-MTurk-287.txt", 287, eval.Pair{A: "episcopal", B: "russia", Score: 2.75}, eval.Pair{A: "marriage", B: "anniversary", Score: 4.333333333}},
		{mfaruqui + "EN-RG-65.txt", 65, eval.Pair{A: "gem", B: "jewel", Score: 3.94}, eval.Pair{A: "chord", B: "smile", Score: 0.02}},
		{mfaruqui + "EN-RW-STANFORD.txt", 2034, eval.Pair{A: "squishing", B: "squirt", Score: 5.88}, eval.Pair{A: "snickering", B: "laugh", Score: 7.71}},
		{mfaruqui + "EN-SIMLEX-999.txt", 999, eval.Pair{A: "old", B: "new", Score: 1.58}, eval.Pair{A: "attend", B: "arrive", Score: 6.08}},
		{mfaruqui + "EN-VERB-143.txt", 144, eval.Pair{A: "happen", B: "say", Score: 0.19}, eval.Pair{A: "employ", B: "using", Score: 0.33}},
		{mfaruqui + "EN-WS-353-ALL.txt", 353, eval.Pair{A: "love", B: "sex", Score: 6.77}, eval.Pair{A: "architecture", B: "century", Score: 3.78}},
		{mfaruqui + "EN-WS-353-REL.txt", 252, eval.Pair{A: "computer", B: "keyboard", Score: 7.62}, eval.Pair{A: "king", B: "cabbage", Score: 0.23}},
		{mfaruqui + "EN-WS-353-SIM.txt", 203, eval.Pair{A: "tiger", B: "cat", Score: 7.35}, eval.Pair{A: "king", B: "cabbage", Score: 0.23}},
		{mfaruqui + "EN-YP-130.txt", 130, eval.Pair{A: "brag", B: "boast", Score: 4}, eval.Pair{A: "refer", B: "lean", Score: 0}},
		{gensim + "simlex999.txt", 999, eval.Pair{A: "old", B: "new", Score: 1.58}, eval.Pair{A: "attend", B: "arrive", Score: 6.08}},
		{gensim + "wordsim353.tsv", 353, eval.Pair{A: "love", B: "sex", Score: 6.77}, eval.Pair{A: "architecture", B: "century", Score: 3.78}},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			set, err := eval.ReadSet(openData(t, test.path), test.path, eval.TaskSimilarity)
			if err != nil {
				t.Fatal(err)
			}
			if len(set.Pairs) != test.pairs {
				t.Fatalf("%d pairs, want %d", len(set.Pairs), test.pairs)
			}
			if set.Pairs[0] != test.first || set.Pairs[len(set.Pairs)-1] != test.last {
				t.Errorf("first %+v, last %+v", set.Pairs[0], set.Pairs[len(set.Pairs)-1])
			}
		})
	}
}

func TestRealQuestions(t *testing.T) {
	const german = "orig/devmount/GermanWordEmbeddings/"
	tests := []struct {
		path                string
		sections, questions int
	}{
		{"en/analogy/questions-words.txt", 14, 19544},
		{"en/analogy/questions-phrases.txt", 5, 3218},
		{"en/analogy/msr-questions.txt", 16, 8000},
		{"de/analogy/questions-de.txt", 23, 10950},
		{german + "semantic_bm.questions", 1, 540},
		{german + "semantic_df.questions", 1, 110},
		{german + "semantic_op.questions", 1, 300},
		{german + "syntactic.questions", 20, 10000},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			set, err := eval.ReadSet(openData(t, test.path), test.path, eval.TaskAnalogy)
			if err != nil {
				t.Fatal(err)
			}
			questions := 0
			for _, part := range set.Sections {
				questions += len(part.Questions)
			}
			if len(set.Sections) != test.sections || questions != test.questions {
				t.Errorf("%d sections of %d questions, want %d of %d", len(set.Sections), questions, test.sections, test.questions)
			}
		})
	}
}

// details returns the details of a result.
func details[T any](ctx context.Context, s *vectors.Set, set eval.Set, opt eval.Options) (T, error) {
	_, of, err := evaluated[T](ctx, s, set, opt)
	return of, err
}

// evaluated scores vectors on a set, and returns the result and its details.
func evaluated[T any](ctx context.Context, s *vectors.Set, set eval.Set, opt eval.Options) (eval.Result, T, error) {
	r, err := eval.Evaluate(ctx, s, set, opt)
	of, _ := r.Details.(T)
	return r, of, err
}
