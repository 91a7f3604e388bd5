package eval_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

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
			set, err := eval.ReadPairs(openData(t, test.path), test.path)
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
			set, err := eval.ReadQuestions(openData(t, test.path), test.path)
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
