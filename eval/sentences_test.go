package eval_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

func TestReadSentences(t *testing.T) {
	two := []eval.SentencePair{{A: "A man eats.", B: "A man is eating food.", Score: 4.5}, {A: "An owl flies.", B: "Two, or three axes.", Score: 0}}
	tests := []struct {
		name, text string
		unjudged   int
	}{
		{"the STS benchmark", "main-captions\tMSRvid\t2012test\t0001\t4.500\tA man eats.\tA man is eating food.\n" +
			"main-news\tx\t2013\t0002\t0.0\tAn owl flies.\tTwo, or three axes.\thttps://a.example\tanother column\n", 0},
		{"GLUE", "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore\n" +
			"0\tg\tf\t2012\t1\tnone\tnone\tA man eats.\tA man is eating food.\t4.5\n1\tg\tf\t2012\t2\tnone\tnone\tAn owl flies.\tTwo, or three axes.\t0\n", 0},
		{"SICK", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\tA man eats.\tA man is eating food.\t4.5\tNEUTRAL\n2\tAn owl flies.\tTwo, or three axes.\t0\tNEUTRAL\n", 0},
		{"SemEval", "4.5\tA man eats.\tA man is eating food.\r\n\r\n\tNo score.\tNone at all.\r\n0\tAn owl flies.\tTwo, or three axes.\r\n", 1},
		{"SemEval, with a pair without score first", "\tNo score.\tNone at all.\n4.5\tA man eats.\tA man is eating food.\n0\tAn owl flies.\tTwo, or three axes.\n", 1},
		{"the score last", "A man eats.\tA man is eating food.\t4.5\nAn owl flies.\tTwo, or three axes.\t0\n", 0},
		{"CSV", "A man eats.,A man is eating food.,4.5\nAn owl flies.,\"Two, or three axes.\",0\n", 0},
		{"CSV with a header", "id,score,sentence1,sentence2\n1,4.5,A man eats.,A man is eating food.\n2,0,An owl flies.,\"Two, or three axes.\"\n", 0},
		{"lines of JSON", `{"sentence1": "A man eats.", "sentence2": "A man is eating food.", "score": 4.5}` + "\n" +
			`{"sentence1": "x", "sentence2": "y", "score": null}` + "\n" + `{"score": 0, "sentence1": "An owl flies.", "sentence2": "Two, or three axes."}`, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recognizes(t, test.text, eval.TaskSentences)
			set, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskSentences)
			if err != nil || !slices.Equal(set.Sentences, two) || set.Unjudged != test.unjudged {
				t.Errorf("got %v, %d without score, %v", set.Sentences, set.Unjudged, err)
			}
		})
	}
}

func TestReadSentencesErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "\n", "s: no pairs: want two sentences and a score"},
		{"only a header", "sentence1\tsentence2\tscore\n", "s: no pairs"},
		{"a column too few", "4.5\tA b.\tC d.\n3\tA b.\n", `s:2: want two sentences and a score in 3 columns separated by tabs or commas, not "3 | A b."`},
		{"no score", "4.5\tA b.\tC d.\n\nhigh\tA b.\tC d.\n", `s:3: want a score in column 1, not "high"`},
		{"an empty sentence", "4.5\tA b.\t\n", "s:1: want sentences in columns 2 and 3, and one is empty"},
		{"JSON without a score", `{"sentence1": "a", "sentence2": "b"}`, `s:1: want {"sentence1": "…", "sentence2": "…", "score": 4.5}`},
		{"a number for JSON's score", `{"sentence1": "a", "sentence2": "b", "score": "high"}`, `s:1: want a score in column 1, not "high"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskSentences)
			if parse := (*eval.ParseError)(nil); !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzReadSentences(f *testing.F) {
	for _, text := range []string{"1\ta\tb\n", "a,b,1\n", "\"a\nb\",c,1\n", `{"score":1}`, "g\tf\ty\ti\t1\ta\tb\n", "sentence1\tsentence2\tscore\na\tb\t1\n", "\t\t\n", "[{\"s1\":1,\"s2\":[],\"sim\":2}]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "s", eval.TaskSentences)
		if err == nil && len(set.Sentences) == 0 {
			t.Error("no pairs and no error")
		}
		for _, p := range set.Sentences {
			if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
				t.Errorf("%+v", p)
			}
		}
	})
}

// counted returns the set with counts of its words.
func counted(s *vectors.Set, counts ...uint64) *vectors.Set {
	return with(s, func(p *vectors.Parts) { p.Counts = counts })
}

func sentencePairs(pairs ...eval.SentencePair) eval.Set {
	return eval.Set{Task: eval.TaskSentences, Name: "test", Sentences: pairs}
}

// A token of a sentence is not looked up as a word that is asked for, which would be cut again: t is not ▁t.
func TestSentencesOfTokens(t *testing.T) {
	const file = `{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Metaspace"},{"type":"Punctuation"}]},` +
		`"model":{"type":"WordLevel","vocab":{"▁don":0,"'":1,"t":2,"▁t":3,"[UNK]":4},"unk_token":"[UNK]"}}`
	s := wordSet([]string{"▁don", "▁t"}, []float32{1, 0}, []float32{0, 1})
	training := vectors.NewTraining("tokenizer", fmt.Sprintf("tokenizer.json sha256:%x", sha256.Sum256([]byte(file))))
	training.Attach(vectors.AttachedTokenizer, []byte(file))
	_, got, err := evaluated[eval.SentenceResult](t.Context(), s.WithTraining(training), sentencePairs(
		eval.SentencePair{A: "don't", B: "don", Score: 1}, eval.SentencePair{A: "t", B: "don t", Score: 2}, eval.SentencePair{A: "don", B: "t", Score: 0},
	), eval.Options{})
	if err != nil || got.Tokens != 9 || got.UsedTokens != 7 || !slices.Equal(got.Missing, []string{"'", "t"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSentencesByMeans(t *testing.T) {
	s := wordSet([]string{"a", "b", "c"}, []float32{1, 0}, []float32{0, 1}, []float32{3, 4})
	result, got, err := evaluated[eval.SentenceResult](t.Context(), s, sentencePairs(
		eval.SentencePair{A: "A a", B: "c!", Score: 3},      // cosine 0.6
		eval.SentencePair{A: "a, b.", B: "a-b", Score: 5},   // (1, 1): cosine 1
		eval.SentencePair{A: "a", B: "b", Score: 1},         // cosine 0
		eval.SentencePair{A: "b unknown", B: "c", Score: 2}, // cosine 0.8
		eval.SentencePair{A: "unknown", B: "c", Score: 4},
	), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Ranks 2 4 1 3 and 3 4 1 2: 1 − 6·2/60 = 0.8.
	if math.Abs(float64(got.Spearman)-0.8) > 1e-15 || got.Mean.Spearman != got.Spearman || got.Pairs != 5 || got.Used != 4 || got.OOV != 1 || got.Method != "mean" {
		t.Errorf("%+v", got)
	}
	// Cosines less their mean 0.6: 0 0.4 −0.6 0.2; scores less 2.75: 0.25 2.25 −1.75 −0.75.
	if want := (0.9 + 1.05 - 0.15) / math.Sqrt(0.56*8.75); math.Abs(float64(got.Pearson)-want) > 1e-7 {
		t.Errorf("Pearson %v, want %v", got.Pearson, want)
	}
	if !slices.Equal(got.Missing, []string{"unknown"}) || got.Tokens != 14 || got.UsedTokens != 12 || got.Probabilities != "zipf" {
		t.Errorf("%+v", got)
	}
	if sample := result.Sample; math.Abs(sample.Score([]float64{1, 1, 1, 1})-0.8) > 1e-15 || !slices.Equal(sample.Items[1].Words, []string{"a", "b", "a", "b"}) {
		t.Errorf("%+v", sample.Items)
	}
	judged := result.Judgements
	if len(judged) != 4 || judged[3].Human != 2 || math.Abs(judged[3].Model-0.8) > 1e-7 {
		t.Errorf("%+v", judged)
	}
	if summary := result.Summary; summary.Metric != "spearman" || len(summary.Parts) != 8 || summary.Items != 5 || summary.Used != 4 {
		t.Errorf("%+v", summary)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

// With a = 1 and p of 3/4 and 1/4 the weights are 4/7 and 4/5. The sentences are (4/7, 0), (0, 4/5),
// (0, 4/5) and (2/7, 2/5); the last pair has the cosine of what is left after the first component.
func TestSentencesBySIFOfTheSet(t *testing.T) {
	s := counted(wordSet([]string{"a", "b"}, []float32{1, 0}, []float32{0, 1}), 3, 1)
	set := sentencePairs(eval.SentencePair{A: "a", B: "b", Score: 1}, eval.SentencePair{A: "b", B: "a b", Score: 2})
	result, got, err := evaluated[eval.SentenceResult](t.Context(), s, set, eval.Options{SentenceMethod: eval.SentenceSIFSet, Smoothing: 1})
	if err != nil || got.Probabilities != "counts" || got.Method != "sif-set" {
		t.Fatalf("%+v, %v", got, err)
	}
	// The matrix of products of columns: its first eigenvector has the angle φ with
	// tan 2φ = 2·xy / (xx − yy).
	xx, yy, xy := 16.0/49+4.0/49, 2*16.0/25+4.0/25, 2.0/7*2.0/5
	phi := math.Atan2(2*xy, xx-yy) / 2
	rest := func(x, y float64) float64 { return -x*math.Sin(phi) + y*math.Cos(phi) } // what is left has one dimension
	want := []float64{1, 1}
	if rest(4.0/7, 0)*rest(0, 0.8) < 0 {
		want[0] = -1
	}
	if rest(0, 0.8)*rest(2.0/7, 0.4) < 0 {
		want[1] = -1
	}
	for i, j := range result.Judgements {
		if math.Abs(j.Model-want[i]) > 1e-6 {
			t.Errorf("pair %d: cosine %v, want %v", i, j.Model, want[i])
		}
	}
	if got.Spearman.Defined() { // both cosines are −1
		t.Errorf("%+v", got)
	}
}

func TestSentenceOptions(t *testing.T) {
	s := wordSet([]string{"a", "b"}, []float32{1, 0}, []float32{0, 1})
	set := sentencePairs(eval.SentencePair{A: "a+b", B: "a", Score: 1}, eval.SentencePair{A: "b", B: "a", Score: 2})
	cut := func(sentence string) ([]string, error) { return strings.Split(sentence, "+"), nil }
	got, err := details[eval.SentenceResult](t.Context(), s, set, eval.Options{Tokens: cut})
	if err != nil || got.Tokens != 5 || got.UsedTokens != 5 || got.Spearman != -1 {
		t.Errorf("%+v, %v", got, err)
	}
	broken := errors.New("no such character")
	for _, fold := range []bool{false, true} {
		for _, fails := range []string{"a+b", "b"} {
			if _, err := details[eval.SentenceResult](t.Context(), s, set, eval.Options{FoldVocab: fold, Tokens: func(sentence string) ([]string, error) {
				if sentence == fails {
					return nil, broken
				}
				return cut(sentence)
			}}); !errors.Is(err, broken) {
				t.Errorf("%q cannot be cut: %v", fails, err)
			}
		}
	}
	restricted, err := details[eval.SentenceResult](t.Context(), s, set, eval.Options{Restrict: 1})
	if err != nil || restricted.Used != 1 || restricted.Spearman.Defined() || !slices.Equal(restricted.Missing, []string{"b"}) {
		t.Errorf("%+v, %v", restricted, err)
	}
	for want, opt := range map[string]eval.Options{
		`eval: unknown sentence method "max", want one of ["mean" "weighted" "sif" "dbow" "sif-set"]`: {SentenceMethod: "max"},
		"eval: smoothing is -1, must be positive, or 0 for 0.0002":                                    {Smoothing: -1},
		"eval: restrict is -3, must be 0 (all words) or more":                                         {Restrict: -3},
	} {
		if _, err := details[eval.SentenceResult](t.Context(), s, set, opt); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	none, err := details[eval.SentenceResult](t.Context(), s, sentencePairs(eval.SentencePair{A: "x", B: "y"}), eval.Options{})
	if err != nil || none.Used != 0 || none.Spearman.Defined() {
		t.Errorf("%+v, %v", none, err)
	}
}

// Words outside the vocabulary are composed, and words in upper case are found.
func TestSentencesComposeWords(t *testing.T) {
	s := subwordSet("flower", "insect", "garden")
	got, err := details[eval.SentenceResult](t.Context(), s, sentencePairs(
		eval.SentencePair{A: "Flowers!", B: "insect", Score: 1},
		eval.SentencePair{A: "flower", B: "garden", Score: 2},
	), eval.Options{})
	if err != nil || got.Composed != 1 || got.Used != 2 || !got.IgnoreCase || len(got.Missing) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func ExampleEvaluate_sentences() {
	s := wordSet([]string{"owls", "hoot", "axes", "cut"}, []float32{1, 0}, []float32{4, 3}, []float32{0, 1}, []float32{3, 4})
	set, err := eval.ReadSet(strings.NewReader("4.8\tOwls hoot.\tHoot, owls!\n1.5\tOwls cut.\tAxes cut.\n0.2\tOwls hoot.\tAxes cut.\n"), "sts", eval.TaskSentences)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.SentenceResult)
	fmt.Printf("Spearman %.2f of %d pairs\n", r.Mean.Spearman, r.Used)
	// Output: Spearman 1.00 of 3 pairs
}

// SemEval has sentences in one file and scores in another; the last pairs may have none.
func TestSentencesInTwoFiles(t *testing.T) {
	folder := folderOf(t, map[string]string{
		"STS.input.MSRpar.txt": "A man eats.\tA man is eating food.\r\nAn owl \"flies.\tTwo axes.\r\nNo score.\tNone at all.\r\n", "STS.gs.MSRpar.txt": "4.5\r\n0\r\n\r\n",
		"STS2016.input.news.txt": "A b.\tC d.\nE f.\tG h.\n", "STS2016.gs.news.txt": "\n3\n",
		"STS.input.x.txt": "A b.\tC d.\nE f.\tG h.\n", "STS.gs.x.txt": "1\n2\n3\n",
	})
	sets, skipped, err := eval.ReadSets([]string{folder}, eval.ReadOptions{})
	if err != nil || len(sets) != 2 || len(skipped) != 1 {
		t.Fatalf("%+v, %+v, %v", sets, skipped, err)
	}
	if want := filepath.Join(folder, "STS.gs.x.txt") + ": there are 3 scores, and 2 pairs of sentences in STS.input.x.txt"; skipped[0].Err.Error() != want {
		t.Errorf("%v, want %s", skipped[0].Err, want)
	}
	for i, want := range []eval.Set{
		{Name: "STS.input.MSRpar", Sentences: []eval.SentencePair{{A: "A man eats.", B: "A man is eating food.", Score: 4.5}, {A: `An owl "flies.`, B: "Two axes."}}, Unjudged: 1},
		{Name: "STS2016.input.news", Sentences: []eval.SentencePair{{A: "E f.", B: "G h.", Score: 3}}, Unjudged: 1},
	} {
		if s := sets[i].Set; s.Name != want.Name || !slices.Equal(s.Sentences, want.Sentences) || s.Unjudged != want.Unjudged || len(sets[i].Files) != 2 {
			t.Errorf("%+v, want %+v", s, want)
		}
	}
	one, _, err := eval.ReadSets([]string{filepath.Join(folder, "STS.input.MSRpar.txt")}, eval.ReadOptions{})
	if err != nil || len(one) != 1 || len(one[0].Set.Sentences) != 2 {
		t.Errorf("%+v, %v", one, err)
	}
}
