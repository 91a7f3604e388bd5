package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// wordSet returns a set of the words, whose vectors are the rows.
func wordSet(words []string, rows ...[]float32) *vectors.Set {
	s := newSet(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(rows), len(rows[0]))})
	for i, row := range rows {
		copy(s.Input().Row(i), row)
	}
	return s
}

// subwordSet is a random set that composes words from n-grams of three.
func subwordSet(words ...string) *vectors.Set {
	const buckets, dim = 50, 6
	s := newSet(vectors.Parts{
		Words:   vectors.NewWords(words...),
		Subword: subword.FastText{MinN: 3, MaxN: 3, Buckets: buckets},
		Input:   vectors.NewMatrix(len(words)+buckets, dim),
	})
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range s.Input().Data {
		s.Input().Data[i] = rng.Float32() - 0.5
	}
	return s
}

func mustPairs(t testing.TB, text string) eval.Set {
	t.Helper()
	set, err := eval.ReadSet(strings.NewReader(text), "test", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func mustSimilarity(t testing.TB, s *vectors.Set, set eval.Set, opt eval.Options) eval.SimilarityResult {
	t.Helper()
	got, err := details[eval.SimilarityResult](t.Context(), s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Used+got.OOV != got.Pairs {
		t.Errorf("used %d + oov %d ≠ pairs %d", got.Used, got.OOV, got.Pairs)
	}
	return got
}

func TestSimilarity(t *testing.T) {
	nan := float32(math.NaN())
	s := wordSet([]string{"a", "b", "c", "zero", "broken"},
		[]float32{1, 0}, []float32{3, 4}, []float32{0, 2}, []float32{0, 0}, []float32{nan, 1})
	tests := []struct {
		name, pairs       string
		used              int
		spearman, pearson float64
		missing           []string
	}{
		// Cosines 0.6, 0, 0.8 and 1 for judgements 2, 1, 4 and 3: ranks 2 1 3 4
		// and 2 1 4 3, 1 − 6·2/60 = 0.8. Deviations 0 -.6 .2 .4, products sum to
		// 1.4, squares to 0.56 and 5.
		{"all words", "a b 2\na c 1\nb c 4\nc c 3", 4, 0.8, 1.4 / math.Sqrt(0.56*5), []string{}},
		{"missing words", "a x 5\na b 2\ny a 3\na c 1\nx y 9\nb c 4\nc c 3", 4, 0.8, 1.4 / math.Sqrt(0.56*5), []string{"x", "y"}},
		{"zeros have cosine 0", "a b 2\na c 1\na zero 1", 3, 1, 1, []string{}},
		{"vectors that are not finite are missing", "a b 2\na c 1\na broken 7", 2, 1, 1, []string{"broken"}},
		{"no pair used", "x y 1\na x 2", 0, math.NaN(), math.NaN(), []string{"x", "y"}},
		{"one pair used", "a b 1\na x 2", 1, math.NaN(), math.NaN(), []string{"x"}},
		{"the same judgement everywhere", "a b 1\na c 1", 2, math.NaN(), math.NaN(), []string{}},
		{"the same cosine everywhere", "a b 1\nb a 2\na b 3", 3, math.NaN(), math.NaN(), []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustSimilarity(t, s, mustPairs(t, test.pairs), eval.Options{})
			if got.Used != test.used || !slices.Equal(got.Missing, test.missing) || got.Missing == nil || got.Set != "test" {
				t.Errorf("got %+v", got)
			}
			for _, x := range []struct {
				got  eval.Score
				want float64
			}{{got.Spearman, test.spearman}, {got.Pearson, test.pearson}} {
				if x.got.Defined() == math.IsNaN(x.want) || math.Abs(float64(x.got)-x.want) > 1e-6 {
					t.Errorf("got %v, want %v", x.got, x.want)
				}
			}
			if got.InVocabulary != nil || got.Composed != 0 {
				t.Errorf("a set without subwords composed words: %+v", got)
			}
		})
	}
}

func TestSimilarityJSON(t *testing.T) {
	s := wordSet([]string{"a", "b", "c"}, []float32{1, 0}, []float32{3, 4}, []float32{0, 2})
	tests := []struct{ pairs, want string }{
		{"a b 2\na c 1\nb c 4\nc c 3\nx y 1",
			`{"set":"test","pairs":5,"used":4,"oov":1,"spearman":0.8,"pearson":%v,"ci95":[%v,%v],"pearson_ci95":[%v,%v],"composed":0,"ignore_case":true,"missing":["x","y"]}`},
		{"a x 1", `{"set":"test","pairs":1,"used":0,"oov":1,"spearman":null,"pearson":null,"composed":0,"ignore_case":true,"missing":["x"]}`},
	}
	for _, test := range tests {
		result := mustSimilarity(t, s, mustPairs(t, test.pairs), eval.Options{})
		got, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		want := test.want
		if strings.Contains(want, "%v") {
			want = fmt.Sprintf(want, result.Pearson, result.CI95.Low, result.CI95.High, result.PearsonCI95.Low, result.PearsonCI95.High)
		}
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if p := result.PearsonCI95; result.Used > 0 && !(p.Known && p.Low < float64(result.Pearson) && float64(result.Pearson) < p.High) {
			t.Errorf("Pearson %v has the interval %v", result.Pearson, p)
		}
		var back eval.SimilarityResult
		if err := json.Unmarshal(got, &back); err != nil || back.Spearman.Defined() != result.Spearman.Defined() || back.Used != result.Used {
			t.Errorf("read back %+v, %v", back, err)
		}
	}
}

func TestCase(t *testing.T) {
	row := []float32{1}
	tests := []struct {
		name    string
		words   []string
		rule    vectors.Case
		ignored bool
		missing []string
	}{
		{"no capitals", []string{"paris", "</s>", "東京", "straße"}, vectors.CaseAuto, true, []string{"Rom"}},
		{"no capitals, kept", []string{"paris", "straße"}, vectors.CaseKept, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"a capital", []string{"paris", "Straße"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE", "straße"}},
		{"a capital, ignored", []string{"paris", "Straße"}, vectors.CaseIgnored, true, []string{"Rom", "STRAßE", "straße"}},
		{"a title-case letter", []string{"paris", "straße", "ǅ"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"a capital that is not ASCII", []string{"paris", "straße", "Ωmega"}, vectors.CaseAuto, false, []string{"PARIS", "Rom", "STRAßE"}},
		{"as it is comes first", []string{"paris", "PARIS", "straße"}, vectors.CaseIgnored, true, []string{"Rom"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := make([][]float32, len(test.words))
			for i := range rows {
				rows[i] = row
			}
			got := mustSimilarity(t, wordSet(test.words, rows...), mustPairs(t, "PARIS Rom 1\nSTRAßE straße 2"), eval.Options{Case: test.rule})
			if got.IgnoreCase != test.ignored || !slices.Equal(got.Missing, test.missing) {
				t.Errorf("ignored %v, missing %q; want %v, %q", got.IgnoreCase, got.Missing, test.ignored, test.missing)
			}
		})
	}

	s := wordSet([]string{"a", "A", "b"}, []float32{1, 0}, []float32{0, 1}, []float32{1, 1})
	got := mustSimilarity(t, s, mustPairs(t, "a a 2\nA B 1\na B 1\nA a 0"), eval.Options{Case: vectors.CaseIgnored})
	// Cosines 1, √½, √½, 0: the upper-case A is not the lower-case one.
	if got.Used != 4 || math.Abs(float64(got.Spearman)-1) > 1e-9 {
		t.Errorf("got %+v", got)
	}

	if _, err := details[eval.SimilarityResult](t.Context(), s, eval.Set{Task: eval.TaskSimilarity}, eval.Options{Case: 7}); err == nil {
		t.Error("no error for an unknown case rule")
	}
}

func TestSimilarityOfComposedWords(t *testing.T) {
	s := subwordSet("one", "two", "three")
	set := mustPairs(t, "one two 1\ntwo three 2\none three 5\nTwofold Two 3\none unseen 4\none Unseen 4")
	got := mustSimilarity(t, s, set, eval.Options{})
	if got.Used != 6 || got.Composed != 3 || len(got.Missing) != 0 {
		t.Errorf("got %+v", got)
	}
	known := mustSimilarity(t, s, eval.Set{Task: eval.TaskSimilarity, Pairs: set.Pairs[:3]}, eval.Options{})
	if v := got.InVocabulary; v == nil || v.Used != 3 || v.Spearman != known.Spearman || v.Pearson != known.Pearson {
		t.Errorf("in vocabulary %+v, want %+v", got.InVocabulary, known)
	}
	lower := mustSimilarity(t, s, mustPairs(t, "one two 1\ntwo three 2\none three 5\ntwofold two 3\none unseen 4\none unseen 4"), eval.Options{})
	if lower.Spearman != got.Spearman {
		t.Errorf("Spearman %v, of the lower-cased set %v", got.Spearman, lower.Spearman)
	}
	// With case kept, "Two" is composed too, of other n-grams.
	kept := mustSimilarity(t, s, set, eval.Options{Case: vectors.CaseKept})
	if kept.Used != 6 || kept.Pearson == got.Pearson {
		t.Errorf("case kept %+v, ignored %+v", kept, got)
	}
	// An n-gram takes three letters: "" between < and > has two.
	if got := mustSimilarity(t, s, eval.Set{Task: eval.TaskSimilarity, Pairs: []eval.Pair{{A: "one", B: ""}}}, eval.Options{}); got.OOV != 1 {
		t.Errorf("a word without n-grams: %+v", got)
	}
}

func ExampleEvaluate_similarity() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("cat", "dog", "car"),
		Input: vectors.Matrix{Data: []float32{3, 4, 4, 3, 4, -3}, Rows: 3, Cols: 2, Stride: 2},
	})
	set, err := eval.ReadSet(strings.NewReader("Cat\tdog\t8.5\ncat\tcar\t1\ndog\tcar\t2\ncat\tcod\t7\n"), "pets", eval.TaskSimilarity)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.SimilarityResult)
	fmt.Printf("%s: Spearman %.2f over %d of %d pairs, missing %v\n", r.Set, r.Spearman, r.Used, r.Pairs, r.Missing)
	// Output:
	// pets: Spearman 1.00 over 3 of 4 pairs, missing [cod]
}

func TestReadPairs(t *testing.T) {
	ab := []eval.Pair{{A: "a", B: "b", Score: 1.5}, {A: "c", B: "d", Score: -2}}
	tests := []struct {
		name, text string
		want       []eval.Pair
	}{
		{"tabs", "a\tb\t1.5\nc\td\t-2\n", ab},
		{"spaces, no newline at the end", "a  b 1.5\n  c d   -2  ", ab},
		{"commas", "a,b,1.5\nc, d, -2\n", ab},
		{"semicolons", "a;b;1.5\nc;d;-2\n", ab},
		{"colons and parts of speech behind", "a:b:1.5:n:v\nc:d:-2:n:n\n", ab},
		{"a different separator every line", "a\tb\t1.5\nc,d,-2", ab},
		{"CRLF, byte order mark", "\ufeffa\tb\t1.5\r\nc\td\t-2\r\n", ab},
		{"comments and blank lines", "# a\tb\t9\n\na\tb\t1.5\n \t \n#\nc\td\t-2\n\n", ab},
		{"header", "word1\tword2\tsimilarity\na\tb\t1.5\nc\td\t-2\n", ab},
		{"header after comments, in spaces", "#x\n\nfirst second rated\na b 1.5\nc d -2\n", ab},
		{"header in quotation marks", "\"Word 1\",\"Word 2\",\"Human (mean)\"\n\"a\",\"b\",\"1.5\"\nc,d,-2\n", ab},
		{"header with people before the average", "Word1,Word2,1,2,Average Score\na,b,1,2,1.5\nc,d,-1,-3,-2\n", ab},
		{"header with people behind the mean", "Word 1,Word 2,Human (mean),1,2\na,b,1.5,1,2\nc,d,-2,-1,-3\n", ab},
		{"header with part of speech", "word1\tword2\tPOS\tSimLex999\tconc(w1)\na\tb\tA\t1.5\t2.7\nc\td\tN\t-2\t3\n", ab},
		{"part of speech without header", "a\tb\tV\t1.5\tSYNONYMS\nc\td\tNN\t-2\tNONE\n", ab},
		{"a number and a topic before the words", "ID,Topic,Word 1,Word 2,Annotator 1,Annotator 2,Average\n1,x,a,b,1,2,1.5\n2,y,c,d,-1,-3,-2\n", ab},
		{"tags of parts of speech", "a-n b-v 1.5\nc-j d-n -2\n", ab},
		{"tags of some words only", "a-n b 1.5\nc-j d-n -2\n", []eval.Pair{{A: "a-n", B: "b", Score: 1.5}, {A: "c-j", B: "d-n", Score: -2}}},
		{"more numbers behind", "a\tb\t1.5\t[1, 2]\t7\nc\td\t-2\t9\t9\n", ab},
		{"words that end in 1 and 2 are no header", "k1\tk2\t1.5\n", []eval.Pair{{A: "k1", B: "k2", Score: 1.5}}},
		{"decimal commas", "a\tb\t1,5\nc;d;-2,0", ab},
		{"spaces and commas within words", "New York\tWashington, D.C.\t3\n1,000 thousand 10\n",
			[]eval.Pair{{A: "New York", B: "Washington, D.C.", Score: 3}, {A: "1,000", B: "thousand", Score: 10}}},
		{"numbers for words", "7 seven 8e-1\n", []eval.Pair{{A: "7", B: "seven", Score: 0.8}}},
		{"UTF-8", "Gepäck\tАффе\t1\n", []eval.Pair{{A: "Gepäck", B: "Аффе", Score: 1}}},
		{"ISO 8859-1", "Gep\xe4ck:\xdcbel:1\n", []eval.Pair{{A: "Gepäck", B: "Übel", Score: 1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set, err := eval.ReadSet(strings.NewReader(test.text), "set", eval.TaskSimilarity)
			if err != nil {
				t.Fatal(err)
			}
			if set.Name != "set" || !slices.Equal(set.Pairs, test.want) {
				t.Errorf("got %+v, want %+v", set.Pairs, test.want)
			}
		})
	}
}

func TestReadPairsErrors(t *testing.T) {
	const want = "want two words and a number, separated by tab, semicolon, comma or space, not "
	tests := []struct{ name, text, err string }{
		{"empty", "", "ws: no pairs: want lines of two words and a number"},
		{"only a header", "# x\nword1 word2 score\n", "ws: no pairs: want lines of two words and a number"},
		{"two columns", "a b 1\n\nc d\n", "ws:3: " + want + `"c d"`},
		{"one word with a space", "a\tb\t1\nNew York\t5\n", "ws:2: " + want + `"New York\t5"`},
		{"empty word", "a\tb\t1\nc\t\t5\n", "ws:2: " + want + `"c\t\t5"`},
		{"no number", "a\tb\t1\nc\td\te\n", "ws:2: " + want + `"c\td\te"`},
		{"a number misspelt in the first line", "a\tb\t1x\n", "ws:1: " + want + `"a\tb\t1x"`},
		{"NaN", "a\tb\t1\nc\td\tNaN\n", "ws:2: " + want + `"c\td\tNaN"`},
		{"infinity", "a\tb\t1\nc\td\t-inf\n", "ws:2: " + want + `"c\td\t-inf"`},
		{"out of range", "a\tb\t1\nc\td\t1e999\n", "ws:2: " + want + `"c\td\t1e999"`},
		{"a third word", "a b 1\nI tiger cat 7.35\n", "ws:2: " + want + `"I tiger cat 7.35"`},
		{"analogies", ": capitals\nAthens Greece Baghdad Iraq\n", "ws:1: " + want + `": capitals"`},
		{"score column of the header missing", "w1,w2,x,mean\na,b,1\n", "ws:2: " + want + `"a,b,1"`},
		{"two headers", "word1 word2 score\nword1 word2 score\n", "ws:2: " + want + `"word1 word2 score"`},
		{"long line", "a b 1\n" + strings.Repeat("x", 100) + "\n", "ws:2: " + want + `"` + strings.Repeat("x", 60) + `…"`},
		{"endless line", "a b 1\n" + strings.Repeat("x", 2<<20), "ws:2: line of more than 1048576 bytes: the file has no layout of an evaluation set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "ws", eval.TaskSimilarity)
			var parse *eval.ParseError
			if !errors.As(err, &parse) || err.Error() != test.err {
				t.Errorf("got  %v\nwant %s", err, test.err)
			}
		})
	}
	if _, err := eval.ReadSet(iotest.ErrReader(io.ErrUnexpectedEOF), "ws", eval.TaskSimilarity); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader's error was not passed on: %v", err)
	}
}

func FuzzReadPairs(f *testing.F) {
	for _, seed := range []string{
		"a\tb\t1.5\n", "Word1,Word2,1,2,Average Score\na,b,1,2,1.5\n", "\ufeff#x\r\n\"a\";b;1,5\n", "a:b:1:n:v\n", "a b N 2\n\xe4 \xff 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "set", eval.TaskSimilarity)
		if err != nil {
			var parse *eval.ParseError
			if !errors.As(err, &parse) || parse.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if len(set.Pairs) == 0 {
			t.Fatal("no pairs and no error")
		}
		// What was read can be written plainly and read again.
		var plain strings.Builder
		plain.WriteString("word1\tword2\tscore\n")
		for _, p := range set.Pairs {
			if p.A == "" || p.B == "" || math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
				t.Fatalf("pair %+v", p)
			}
			if strings.ContainsAny(p.A+p.B, "\"\r\t") || p.A[0] == '#' || strings.TrimSpace(p.A) != p.A || strings.TrimSpace(p.B) != p.B || strings.HasPrefix(p.A, "\ufeff") {
				return
			}
			fmt.Fprintf(&plain, "%s\t%s\t%g\n", p.A, p.B, p.Score)
		}
		again, err := eval.ReadSet(strings.NewReader(plain.String()), "set", eval.TaskSimilarity)
		if err != nil || !slices.Equal(again.Pairs, set.Pairs) {
			t.Fatalf("read %+v, wrote %q, read %+v, %v", set.Pairs, plain.String(), again.Pairs, err)
		}
	})
}
